"""Arithmetic typed in a field of a comparison: it counts, and stays to be read."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from data_pages import imported, matches, typed
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.widgets.forms import LineField


def compared(page: DataPage, controller: SessionController, tmp_path: Path) -> None:
    imported(page, tmp_path)
    meaning = controller.problem.declared.meaning
    pairs = (d.Match(output="u", column="a"), d.Match(output="v", column="b"))
    controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, matches=pairs))
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(0)
    QApplication.processEvents()


def field(page: DataPage, name: str) -> LineField:
    editor = page.matching.details.form.editor(name)
    assert isinstance(editor, LineField)
    return editor


@pytest.mark.parametrize(("name", "text", "value"), [
    ("factor", "1/4.184", 1 / 4.184), ("factor", "60*24", 1440.0), ("factor", "1e-3/2", 5e-4), ("offset", "32/1.8", 32 / 1.8),
    ("key_factor", "1/24", 1 / 24), ("key_tolerance", "1/86400", 1 / 86400),
])  # fmt: skip
def test_arithmetic_in_a_field_of_a_comparison_counts_and_stays_as_it_was_typed(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, name: str, text: str, value: float
) -> None:
    compared(page, controller, tmp_path)
    typed(field(page, name), text, qtbot)
    assert getattr(matches(controller)[0], name) == pytest.approx(value, rel=1e-15)
    assert field(page, name).text() == text
    page.matching.show_comparison(1)
    page.matching.show_comparison(0)
    assert field(page, name).text() == text, "as it was typed, not with sixteen digits"
    controller.problem.undo_stack.undo()
    QApplication.processEvents()
    assert field(page, name).text() != text


def test_arithmetic_without_a_number_is_refused_in_words(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    compared(page, controller, tmp_path)
    typed(field(page, "factor"), "1/0", qtbot)
    assert matches(controller)[0].factor == 1.0
    assert "1/0 is no number" in field(page, "factor").refused
