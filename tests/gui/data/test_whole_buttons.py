"""The buttons of the Data page show all of their words in a small window, also once more of them came to stand there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, column, columns_of_file, imported, trial_run
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.pages.data.step import COMPARISON, ERRORS, TABLE

pytestmark = pytest.mark.window


@pytest.mark.parametrize("size", [(1440, 900), (1024, 700)])
def test_no_button_of_the_table_is_narrower_than_its_words(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, "x,a\n1,2.123456\n2,3\n3,4\n")
    page.tabs.setCurrentIndex(TABLE)
    QApplication.processEvents()
    controller.problem.edit("x", outputs=columns_of_file("x", "a"))
    page.matching.match_by_name()  # only now are there rows to leave out
    page.table.setCurrentIndex(page.table.model().index(0, 1))
    QApplication.processEvents()
    assert len(visible(page.table_part)) == 6
    assert cut(page) == []


def visible(part: QWidget) -> list[QPushButton]:
    return [button for button in part.findChildren(QPushButton) if button.isVisible()]


def cut(part: QWidget) -> list[str]:
    """The words of the buttons that are narrower than these."""
    return [b.text() for b in visible(part) if b.width() < b.sizeHint().width()]


@pytest.mark.parametrize("size", [(1024, 560)])  # as much as a window of 1024 x 700 leaves the page
@pytest.mark.parametrize("rows", [(1.0, 2.0, 3.0), (1.0, 2.0, 3.5), (1.0, 2.0), (11.0, 12.0, 13.0)])
def test_no_button_of_comparisons_and_errors_is_narrower_than_its_words(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], rows: tuple[float, ...]
) -> None:
    """With rows that fit, that lie between or outside those of the program, or are fewer."""
    names = ("distance_downstream", "displacement_of_the_top", "displacement_of_the_foot")
    outputs = tuple(msgspec.structs.replace(o, name=n) for o, n in zip((column("t", 0), *PROBLEM.outputs), names, strict=True))
    controller.problem.edit("x", outputs=outputs)
    trial_run(page, engines, "".join(f"{x} {x / 7:.6f} {x * 1000:.3f}\n" for x in (1.0, 2.0, 3.0)))
    measured = "".join(f"{x},{x / 7:.4f},{x:.4f}\n" for x in rows)
    imported(page, tmp_path, f"distance downstream (m),displacement of the top,displacement of the foot\n{measured}")
    page.matching.match_by_name()
    for tab in (COMPARISON, ERRORS):
        page.tabs.setCurrentIndex(tab)
        for row in range(page.matching.model.rowCount()):
            page.matching.show_comparison(row)
            QApplication.processEvents()
            assert visible(page)
            assert cut(page) == [], (tab, row)
