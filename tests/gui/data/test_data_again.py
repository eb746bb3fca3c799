"""A second file: a corrected one takes the place of the table there is, a further one comes below it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import click, column, matches, opened, trial_run
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.pages.data.step import ERRORS

FIRST = "sample,t,u\nC1,0,1.5\nC2,1,2.5\nC3,2,3.1\nC4,3,3.6\n"
CORRECTED = "sample,t,u\nC1,0,1.5\n,1,n.d.\nC3,2,3.2\nC4,3,3.6\n"
FURTHER = "sample,t,u\nD1,0,1.5\nD2,1,2.1\nD3,2,2.6\nD4,3,2.9\n"  # at the same times, from the same beginning


@pytest.fixture
def page(page: DataPage, qtbot: QtBot, tmp_path: Path) -> DataPage:
    """With the first table."""
    opened(page, tmp_path / "first.csv", FIRST)
    click(qtbot, page.importer.use)
    return page


def test_a_corrected_file_replaces_and_its_missing_cells_are_counted(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "corrected.csv", CORRECTED)
    importer = page.importer
    assert importer.use.property("kind") == "primary"
    assert importer.use.text() == "&Replace the present table"
    assert "1 cell missing (1 “n.d.”)" in importer.words.text()
    assert [use for name, _, use in importer.columns.rows if name == "sample"] == ["take"], "as in the table there is"


def test_other_columns_or_a_file_chosen_together_with_the_one_before_come_below(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "more.csv", "t,v\n0,1\n1,2\n")
    assert page.importer.add.property("kind") == "primary"
    second = tmp_path / "second.csv"
    second.write_text(CORRECTED, encoding="utf-8")
    page.open_file(second, together=True)
    assert page.importer.add.property("kind") == "primary"


def test_a_further_series_with_the_same_columns_comes_below_and_its_column_gets_the_name_of_its_file(
    qtbot: QtBot, page: DataPage, tmp_path: Path
) -> None:
    opened(page, tmp_path / "second.csv", FURTHER)
    importer = page.importer
    assert importer.add.property("kind") == "primary"
    assert importer.use.isVisible(), "one click away"
    click(qtbot, importer.add)
    table = page.problem.declared.data
    assert table is not None
    assert list(table.columns) == ["t", "u", "u (second.csv)"]
    assert table.columns["u (second.csv)"] == (None, None, None, None, 1.5, 2.1, 2.6, 2.9)


def test_the_columns_of_a_further_series_are_compared_like_those_of_the_first_by_one_click(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", outputs=(column("t", 0), column("u", 1), column("v", 2)))
    page.matching.match_by_name()
    (first,) = matches(controller)
    assert (first.output, first.column, first.keys) == ("u", "u", (("t", "t"),))
    opened(page, tmp_path / "second.csv", FURTHER)
    click(qtbot, page.importer.add)
    assert page.status() == ("todo", "Does u predict “u (second.csv)” too?")
    assert page.message.words() == page.status()[1]
    click(qtbot, page.message._button)
    own = msgspec.structs.replace(first, noise=d.GaussianKnown(sd=0.1))
    assert matches(controller) == (own, msgspec.structs.replace(first, column="u (second.csv)"))
    assert page.status() == ("todo", "How large are the errors of u (second.csv)?"), "nobody said that of the second file"
    click(qtbot, page.message._dismiss)
    assert page.tabs.currentIndex() == ERRORS
    assert page.message._button.text() == "The &same: 0.1"
    click(qtbot, page.message._button)
    assert matches(controller) == (own, msgspec.structs.replace(own, column="u (second.csv)"))
    trial_run(page, engines, "0 1.5 9\n1 2.2 9\n2 2.8 9\n3 3.2 9\n")
    assert page.status() == ("done", "all 8 rows compared")


def test_a_further_series_may_be_said_not_to_count(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "second.csv", FURTHER)
    click(qtbot, page.importer.add)
    click(qtbot, page.message._dismiss)
    meaning = page.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.aside == ("u (second.csv)",)
    assert "predict" not in page.message.words()


def test_a_file_of_the_same_name_replaces_whatever_its_rows_are(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "first.csv", FURTHER)
    assert page.importer.use.property("kind") == "primary"
    assert page.importer.use.text() == "&Replace the present table"


def test_while_a_file_is_imported_the_page_asks_nothing_whose_button_would_lead_behind_it(
    qtbot: QtBot, page: DataPage, tmp_path: Path
) -> None:
    meaning = page.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    page.problem.edit("x", meaning=d.Predictions(matches=meaning.matches, noise=d.GaussianKnown()))  # how large is still asked
    assert page.message.isVisible()
    opened(page, tmp_path / "second.csv", FURTHER)
    assert not page.message.isVisible()
    click(qtbot, page.importer.cancel)
    assert page.message.isVisible()


def test_a_column_that_is_left_out_is_not_said_to_pair_rows(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "remarks.csv", "t,v,remark\n0,1,\n1,2,\n2,3,broken\n")
    assert "can pair" not in page.importer.message.words()


def test_a_corrected_file_with_dates_and_columns_of_errors_besides_replaces(page: DataPage, tmp_path: Path) -> None:
    rows = ["03.06.2025 08:02,0.297,1.7", "03.06.2025 08:05,0.475,6.1", "03.06.2025 08:10,0.629,n/a"]
    opened(page, tmp_path / "field.csv", "date and time,P1 (m),P2 (cm)\n" + "\n".join(rows) + "\n")
    page.importer.columns.setData(page.importer.columns.index(0, 2), "in min")
    page.importer.use.click()
    assert "date and time" in next(iter(page.problem.declared.data.columns))  # type: ignore[union-attr]
    better = "date and time,P1 (m),P2 (cm),P1 sd (m)\n" + "\n".join(f"{row},0.0{k + 1}" for k, row in enumerate(rows)) + "\n"
    opened(page, tmp_path / "field_sd.csv", better)
    assert page.importer._leads is page.importer.use
    assert "They are added as" not in page.importer.columns_message.words()
    opened(page, tmp_path / "second.csv", better.replace("0.297", "0.3").replace("0.475", "0.5").replace("0.629", "0.7"))
    assert page.importer._leads is page.importer.add, "other measurements are a further series"


def test_a_file_that_is_opened_again_moves_nothing_and_scrolls_nowhere(page: DataPage, tmp_path: Path) -> None:
    names = ",".join(f"u{k}" for k in range(30))
    opened(page, tmp_path / "wide.csv", f"t,{names}\n" + "".join(f"{k}{',1.5' * 30}\n" for k in range(60)))
    importer = page.importer
    importer.preview_table.verticalScrollBar().setValue(5)
    importer.columns_table.verticalScrollBar().setValue(3)
    parts = (importer.preview_table, importer.columns_table, importer.use, importer.cancel)

    def places() -> list[object]:
        for _ in range(3):  # parts within parts take their places one level after the other
            QApplication.processEvents()
        bars = [bar.value() for table in parts[:2] for bar in (table.verticalScrollBar(), table.horizontalScrollBar())]
        return [*(part.mapTo(page, part.rect().topLeft()).toTuple() for part in parts), *bars]

    before = places()
    page.open_file(tmp_path / "wide.csv")
    assert places() == before


def test_a_size_said_for_all_is_not_taken_for_what_a_second_file_measures_with_errors_of_its_own(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("x", outputs=(column("t", 0), column("u", 1), column("flux", 2)))
    page.matching.match_by_name()
    assert [m.noise for m in matches(controller)] == [None]
    opened(page, tmp_path / "second.csv", "t,flux (W) ±0.6\n" + "".join(f"{k},{5 + k}\n" for k in range(4)))
    click(qtbot, page.importer.add)
    assert [(m.output, m.noise) for m in matches(controller)] == [("u", d.GaussianKnown(sd=0.1)), ("flux", None)]
    assert page.message.words() == "The file says of “flux (W)”: “±0.6”. Are these its errors?"
    click(qtbot, page.message._button)
    noise = page.problem.declared.meaning.noise  # type: ignore[union-attr]
    assert [m.noise or noise for m in matches(controller)] == [d.GaussianKnown(sd=0.1), d.GaussianKnown(sd=0.6)]
