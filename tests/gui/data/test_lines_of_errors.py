"""Rows of a table that hold no measurement: the errors of the columns above, sums, limits; in the import and on the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.validate import check
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.rows.special_row import as_errors, without
from bayescope.gui.pages.data.importing.lines import HOLDS_ERRORS, OUT_OF_TABLE, THE_HEADING
from bayescope.gui.pages.data.page import DataPage

BANDS = (
    "k point,kx,band u (c/a),band v (c/a)\nGamma,0.25,0.155,0.4708\nX,0.5,0.2535,0.3944\nM,0.75,0.3001,0.4769\n"
    "error,,0.002,0.003\n"
)
PRINTED = "0.25 0.15 0.47\n0.5 0.25 0.39\n0.75 0.30 0.47\n"


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(
        PROBLEM, outputs=(column("band_u", 1), column("band_v", 2)), meaning=d.Predictions(matches=(), noise=d.GaussianKnown())
    )


def sds(controller: SessionController) -> list[tuple[float | None, ...]]:
    """The standard deviations of each comparison."""
    data = controller.problem.declared.data
    assert data is not None
    return [data.columns[m.sd_column] for m in matches(controller) if m.sd_column]


def test_a_line_of_errors_is_told_at_the_import_and_becomes_the_errors_of_its_columns_by_one_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", BANDS)
    said = page.importer.lines_told.message
    assert said.words() == "Line 5 (“error”) holds the errors of the columns above."
    assert said._button.text().replace("&", "") == "Take it as errors"
    click(qtbot, said._button)
    assert "is taken as errors: 0.002 for band u (c/a), 0.003 for band v (c/a)" in said.words()
    assert page.importer.lines_told.struck == {3}
    assert page.importer.words.text().startswith("3 rows")
    click(qtbot, page.importer.use)
    assert sds(controller) == [(0.002,) * 3, (0.003,) * 3]
    trial_run(page, engines, PRINTED)
    assert page.status()[0] == "done"
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.data is None


def test_taken_for_a_row_it_is_asked_again_on_the_page_and_can_be_taken_there_and_undone(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", BANDS)
    click(qtbot, page.importer.use)
    page.matching.match_by_name()
    assert page.message.words() == "Row 4 (“error”) holds the errors of the columns above."
    assert page.status() == ("todo", "Is row 4 a measurement?")
    before = controller.problem.declared
    click(qtbot, page.message._button)
    assert page.model.rowCount() == 3
    assert sds(controller) == [(0.002,) * 3, (0.003,) * 3]
    trial_run(page, engines, PRINTED)
    assert page.status()[0] == "done"
    assert not [f for f in check(controller.problem.declared) if f.level == "error" and f.where.startswith("meaning")]
    controller.problem.undo_stack.undo()
    assert controller.problem.declared == before


def test_that_it_was_measured_is_remembered(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", BANDS)
    click(qtbot, page.importer.lines_told.message._dismiss)
    assert not page.importer.lines_told.message.isVisible()
    click(qtbot, page.importer.use)
    assert page.model.rowCount() == 4
    assert "holds the errors" not in page.message.words()
    opened(page, tmp_path / "n.csv", BANDS.replace("error", "±"))
    click(qtbot, page.importer.use)
    assert "Row 4 (“±”) holds the errors" in page.message.words()
    click(qtbot, page.message._dismiss)
    assert "holds the errors" not in page.message.words()


def test_a_comparison_added_later_has_the_errors_of_its_column_too(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", BANDS)
    click(qtbot, page.importer.lines_told.message._button)
    click(qtbot, page.importer.use)
    meaning = controller.problem.declared.meaning
    controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, matches=()))
    page.matching._add("band_v", "band v (c/a)")
    assert [(m.column, m.sd_column) for m in matches(controller)] == [("band v (c/a)", "band v sd (c/a)")]


def test_the_menu_of_a_row_takes_it_as_errors_or_out_of_the_table_where_no_label_tells(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", "u,v\n1.5,2\n2.5,3\n3.5,4\n0.1,0.2\n9,9\n")
    lines = page.importer.lines_told
    menu = lines.menu(4)
    assert menu is not None
    assert [a.text() for a in menu.actions()] == [HOLDS_ERRORS, OUT_OF_TABLE, THE_HEADING]
    menu.actions()[1].trigger()
    assert lines.message.words() == "Line 6 is left out: it is no row of the table."
    assert lines.struck == {4}
    assert page.importer.words.text().startswith("4 rows")
    page.importer.use.click()
    page.table.selectRow(3)
    menu = page.leave_out.menu()
    assert menu is not None
    offered = {a.text(): a for a in menu.actions()}
    offered["This row holds the errors"].trigger()
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns["u sd"] == (0.1, 0.1, 0.1)
    page.table.selectRow(0)
    page.leave_out.take_out()
    assert page.model.rowCount() == 2
    controller.problem.undo_stack.undo()
    assert page.model.rowCount() == 3


def test_while_a_table_fails_a_line_can_be_left_out_by_a_button_or_said_to_hold_the_errors_by_its_menu(
    qtbot: QtBot, page: DataPage, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", "n,u,v\na,1.5,2\nb,2.5,3\nc,3.5,4\nx,6 %,0.2\ndevice,12,kg\n")
    said, lines = page.importer.message, page.importer.lines_told
    assert [b.text().replace("&", "") for b in (said._button, said._dismiss)] == ["Count them as missing", "Leave out line 5"]
    menu = lines.menu(4)
    assert menu is not None
    assert [a.text() for a in menu.actions()] == [HOLDS_ERRORS, OUT_OF_TABLE, THE_HEADING]
    menu.actions()[0].trigger()
    assert said._dismiss.text().replace("&", "") == "Leave out line 6"
    click(qtbot, said._dismiss)
    assert "Line 5 (“x”) is taken as errors: 6 % for u, 0.2 for v." in lines.message.words()
    assert "Line 6 (“device”) is left out" in lines.message.suggestion()
    assert page.importer.words.text().startswith("3 rows")


def test_a_line_of_sums_is_left_out_with_the_way_back(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "m.csv", "k,u,v\na,1.5,2\nb,2.5,3\nLOD,0.1,0.1\nmean,2,2.5\n")
    said = page.importer.lines_told.message
    assert said.words() == (
        "Line 4 (“LOD”) is left out: it holds detection limits. Line 5 (“mean”) is left out: it sums up the rows."
    )
    assert page.importer.words.text().startswith("2 rows")
    assert "LOD" not in page.importer.message.words()
    click(qtbot, said._button)
    assert page.importer.words.text().startswith("4 rows")


@pytest.mark.parametrize(
    ("common", "own", "expected"),
    [
        (d.GaussianKnown(sd=1.0), None, (None, "u sd")),
        (d.GaussianKnown(), d.GaussianKnown(sd=3.0), (None, "u sd")),
        (d.GaussianInferred(parameter="s"), None, (d.GaussianKnown(sd_column="u sd"), None)),
        (d.PoissonNoise(), None, (None, None)),
        (d.GaussianKnown(), d.StudentTNoise(dof=4.0, scale=1.0), (d.StudentTNoise(dof=4.0, scale_column="u sd"), None)),
    ],
)
def test_stated_errors_replace_sizes_but_no_model_of_counts_and_rows_left_out_stay_the_same(
    common: d.NoiseModel, own: d.NoiseModel | None, expected: tuple[d.NoiseModel | None, str | None]
) -> None:
    match = d.Match(output="u", column="u", noise=own, left_out=(1, 2, 4))
    data = d.DataTable(columns={"u": (1.0, 0.5, 3.0, 4.0)}, texts={"k": ("a", "error", "c", "d")})
    whole = msgspec.structs.replace(PROBLEM, meaning=d.Predictions(matches=(match,), noise=common), data=data)
    changed = as_errors(whole, 2)
    assert changed is not None
    assert isinstance(changed.meaning, d.Predictions)
    stated = changed.meaning.matches[0]
    assert (stated.noise, stated.sd_column) == expected
    assert stated.left_out == (1, 3)
    assert changed.data is not None
    assert changed.data.columns == {"u": (1.0, 3.0, 4.0), "u sd": (0.5, 0.5, 0.5)}
    fewer = without(whole, (2, 3))
    assert fewer.meaning.matches[0].left_out == (1, 2)  # type: ignore[union-attr]


def test_a_line_with_too_many_cells_can_be_left_out_by_a_button(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "m.csv", "n,u,by,v\na,1.5,me,2\nb,2.5,you,or me,3\nc,3.5,me,4\nd,4.5,me,5\n")
    said = page.importer.message
    assert "Line 3 of m.csv has 5 cells, the header has 4" in said.words()
    assert said._dismiss.text().replace("&", "") == "Leave out line 3"
    click(qtbot, said._dismiss)
    assert page.importer.words.text().startswith("3 rows")
