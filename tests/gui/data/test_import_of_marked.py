"""Import: numbers with the mark of a remark are read without it, or left out by one click."""

from __future__ import annotations

from pathlib import Path

from data_pages import click, opened
from pytestqt.qtbot import QtBot

from bayescope.gui.pages.data.page import DataPage


def test_one_click_leaves_a_marked_value_out_and_another_takes_it_back(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "soil.csv", "depth,SW,remark\n1,30.1,\n2,31.7*,do not use\n3,29.8,\n")
    part = page.importer.offers.marked
    assert "“31.7*” is read as 31.7; the mark is dropped." in part.words()
    assert "mark of a remark" not in page.importer.message.words(), "said once"
    assert part.level == "warning"
    assert part._button.text().replace("&", "") == "Leave 31.7 out"
    click(qtbot, part._button)
    assert "“31.7*” is left out." in part.words()
    assert part._button.text().replace("&", "") == "Use 31.7"
    click(qtbot, part._button)
    assert "is read as 31.7" in part.words()
    click(qtbot, part._button)
    click(qtbot, page.importer.use)
    data = page.problem.declared.data
    assert data is not None
    assert data.columns["SW"] == (30.1, None, 29.8)


def test_marked_values_of_all_columns_are_left_out_at_once_and_another_file_begins_anew(
    qtbot: QtBot, page: DataPage, tmp_path: Path
) -> None:
    opened(page, tmp_path / "soil.csv", "depth,a,b\n1,1.5*,7\n2,2.5,8†\n3,3.5*,9\n")
    part = page.importer.offers.marked
    assert part._button.text().replace("&", "") == "Leave all 3 out"
    click(qtbot, part._button)
    opened(page, tmp_path / "other.csv", "depth,a\n1,1.5*\n2,2.5\n")
    assert "“1.5*” is read as 1.5" in part.words()
    opened(page, tmp_path / "plain.csv", "depth,a\n1,1.5\n2,2.5\n")
    assert not part.isVisible()
