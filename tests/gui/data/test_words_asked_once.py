"""Import page: words for missing values are asked for once in a file, and no table of it hides behind them."""

from __future__ import annotations

from pathlib import Path

from data_pages import click, opened
from pytestqt.qtbot import QtBot

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage
from sheet_files import xlsx

SUMMARY = [
    ["statistic", "group", "estimate", "s.e."], ["pi", "North", 1.1, 0.1], ["pi", "South", 0.7, 0.2], ["D", "North", -0.1, 0.3],
    ["D", "South", 0.1, 0.1], [None] * 4, ["Numbers of 11 February, K. L."],
]  # fmt: skip
SHEETS = xlsx({"Spectrum": [["k", "N", "N sd"], [1, "eaten", None], [2, 609, 39.6], [3, 409, 37.2], [4, 324, 38.8]],
               "Summary": SUMMARY})  # fmt: skip


def laboratory(page: DataPage, folder: Path) -> None:
    path = folder / "lab.xlsx"
    path.write_bytes(SHEETS)
    page.open_file(path)


def test_the_tables_of_a_file_are_offered_while_one_of_them_cannot_be_read(page: DataPage, tmp_path: Path) -> None:
    laboratory(page, tmp_path)
    assert "“eaten”" in page.importer.message.words()
    assert page.importer.part.isVisibleTo(page.importer)
    page.importer.part.choose("1")
    assert page.importer.split.key() == "statistic, group"
    assert "4 quantities: pi North, pi South, D North, D South" in page.importer.words.text()
    assert "pair rows" not in page.importer.message.words(), "the columns of labels are no more"


def test_a_word_for_missing_values_is_asked_for_once_in_a_file(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    laboratory(page, tmp_path)
    click(qtbot, page.importer.message._button)
    assert "2 cells missing (1 “eaten”, 1 empty)" in page.importer.words.text()
    click(qtbot, page.importer.cancel)
    laboratory(page, tmp_path)
    assert "2 cells missing (1 “eaten”, 1 empty)" in page.importer.words.text(), "not asked again"
    opened(page, tmp_path / "other.csv", "k,N\n1,eaten\n2,3\n3,4\n")
    assert "“eaten”" in page.importer.message.words(), "another file may mean something else"


def test_of_all_tables_together_it_is_said_what_is_left_out_and_errors_that_stay_are_not_split(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    laboratory(page, tmp_path)
    click(qtbot, page.importer.message._button)
    page.importer.part.choose("-1")
    words = page.importer.message.words() + " ".join(one.words for one in page.importer._shown.said)  # type: ignore[union-attr]
    assert "Line 7" in words
    assert "is left out" in words
    assert {row[0]: row[2] for row in page.importer.columns.rows}["N sd"] == "take"
    click(qtbot, page.importer.use)
    data = controller.problem.declared.data
    assert data is not None
    assert [v for v in data.columns["pi South"] if v is not None] == [0.7]


def test_nothing_is_said_of_separators_where_a_sheet_holds_no_numbers(page: DataPage, tmp_path: Path) -> None:
    path = tmp_path / "words.xlsx"
    path.write_bytes(xlsx({"A": [["what", "who"], ["x", "y"], ["z", "w"]], "B": [["u"], [1], [2]]}))
    page.open_file(path)
    page.importer.part.choose("0")
    assert page.importer.message.words().startswith("No column of this table of words.xlsx holds numbers.")
    assert "tab" not in page.importer.message.words().split()
