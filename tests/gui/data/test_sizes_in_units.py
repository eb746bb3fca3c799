"""A size of errors in a unit that one compared column lacks: it is taken once that column has errors of its own."""

from __future__ import annotations

import msgspec
import pytest
from data_pages import PROBLEM
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.widgets.forms import LineField


@pytest.fixture
def problem() -> d.Problem:
    data = d.DataTable(columns={"I1 (mA)": (5.0, 4.0), "Pmp (W)": (18.0, None)})
    meaning = d.Predictions((d.Match("u", "I1 (mA)"), d.Match("v", "Pmp (W)")), d.GaussianKnown())
    return msgspec.structs.replace(PROBLEM, data=data, meaning=meaning)


def test_a_size_that_no_longer_touches_another_unit_is_taken_without_being_typed_again(
    page: DataPage, controller: SessionController, qtbot: QtBot
) -> None:
    page.tabs.setCurrentIndex(2)
    common = page.noise.form.editor("sd")
    own = page.errors.shared.sizes.editors()[1]
    assert isinstance(common, LineField)
    assert isinstance(own, QLineEdit)
    for field, text in ((common, "0.2 % of reading + 2 mA"), (own, "3 %")):
        field.setFocus()
        qtbot.keyClicks(field, text)
        qtbot.keyClick(field, Qt.Key.Key_Return)
        if field is common:
            assert "mA cannot be counted in it" in common.refused
    qtbot.waitUntil(lambda: not common.refused)
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.noise == d.GaussianKnown(sd=2.0, percent=0.2)
    assert meaning.matches[1].noise == d.GaussianKnown(percent=3.0)
    assert not common.refused
    assert not page.problem.holds(common)


def test_the_errors_of_one_comparison_may_be_said_by_the_name_of_their_column(
    page: DataPage, controller: SessionController, qtbot: QtBot
) -> None:
    data = d.DataTable(columns={"I1 (mA)": (5.0, 4.0), "Pmp (W)": (18.0, 17.0), "scatter of P": (0.2, 0.3)})
    controller.problem.edit("x", data=data)
    page.tabs.setCurrentIndex(2)
    own = page.errors.shared.sizes.editors()[1]
    assert isinstance(own, QLineEdit)
    own.setText("scatter of p")
    own.editingFinished.emit()
    matches = controller.problem.declared.meaning.matches  # type: ignore[union-attr]
    assert [m.sd_column for m in matches] == [None, "scatter of P"]
