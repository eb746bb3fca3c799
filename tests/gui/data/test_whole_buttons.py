"""The buttons below the measured table show all of their words, also once more of them came to stand there."""

from __future__ import annotations

from pathlib import Path

import pytest
from data_pages import columns_of_file, imported
from PySide6.QtWidgets import QApplication, QPushButton

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.pages.data.step import TABLE

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
    shown = [button for button in page.table_part.findChildren(QPushButton) if button.isVisible()]
    assert len(shown) == 6
    assert [b.text() for b in shown if b.width() < b.sizeHint().width()] == []
