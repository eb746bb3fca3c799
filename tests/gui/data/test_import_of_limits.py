"""Import: cells such as <0.05 are left out with their count; one button takes half the limit instead, and back."""

from __future__ import annotations

from pathlib import Path

from data_pages import click, opened, words
from pytestqt.qtbot import QtBot

from bayescope.gui.pages.data.page import DataPage

WATER = "depth;As\n1;3,1\n2;<0,5\n3;<LOD\n4;>200\n5;7,5\n"


def test_limits_are_left_out_or_half_of_them_taken_as_the_user_says(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "water.csv", WATER)
    part = page.importer.censored_message
    assert "3 of 5 cells give a limit only (“<0,5”, “<LOD”, “>200”): left out." in part.words()
    assert "give a limit only" not in page.importer.message.words(), "said once"
    assert words(part._button) == "Take half the limit"
    click(qtbot, part._button)
    assert "1 taken as half the limit, 2 left out." in part.words()
    click(qtbot, page.importer.use)
    data = page.problem.declared.data
    assert data is not None
    assert data.columns["As"] == (3.1, 0.25, None, None, 7.5)


def test_another_file_begins_with_limits_left_out(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "water.csv", WATER)
    click(qtbot, page.importer.censored_message._button)
    opened(page, tmp_path / "other.csv", WATER.replace("200", "300"))
    assert "left out." in page.importer.censored_message.words()
    opened(page, tmp_path / "plain.csv", "depth;As\n1;3,1\n2;4,5\n")
    assert not page.importer.censored_message.isVisible()


def test_limits_that_say_no_number_offer_no_half(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "water.csv", "depth;As\n1;3,1\n2;<LOD\n3;4,2\n")
    part = page.importer.censored_message
    assert part.isVisible()
    assert not part._button.isVisible()
