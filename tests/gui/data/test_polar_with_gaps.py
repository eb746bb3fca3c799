"""Data page: a polar that is swept from the middle outwards and lacks the angle at which the program did not converge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from data_pages import click, column, matches, opened, trial_run, words
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

MEASURED = (
    "alpha;CL;CD\n-4,0;0,052;0,01076\n-2,0;0,268;0,00872\n0,0;0,478;0,00815\n1,0;0,589;0,00902\n2,0;0,695;0,00931\n"
    "3,0;0,804;0,01055\n4,0;0,896;0,01124\n6,0;1,066;0,01573\n8,0;1,200;0,01999\n10,0;1,305;0,02574\n"
)
POLAR = (
    "0.000 0.3695 0.00792", "1.000 0.5166 0.00779", "2.000 0.6131 0.00852", "3.000 0.7131 0.00939", "4.000 0.8089 0.01026",
    "5.000 0.9050 0.01127", "6.000 0.9959 0.01263", "7.000 1.0755 0.01497", "8.000 1.1450 0.01810", "9.000 1.2004 0.02150",
    "10.000 1.2509 0.02510", "-1.000 0.2615 0.00870", "-2.000 0.1540 0.00956", "-3.000 0.0315 0.01105", "-4.000 -0.1064 0.01244",
)  # fmt: skip


def polar(*without: int) -> str:
    return "\n".join(line for line in POLAR if int(float(line.split()[0])) not in without) + "\n"


@pytest.fixture
def problem() -> d.Problem:
    return d.Problem(
        name="foil",
        parameters=(d.Parameter(name="flap", prior=d.Uniform(low=-2.0, high=8.0)),),
        simulator=d.Simulator(command=("sh", "@flap@")),
        outputs=(column("CL", 1), column("CD", 2), column("alpha", 0)),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=0.01)),
    )


@pytest.fixture
def size() -> tuple[int, int]:
    return 1300, 760


def measured(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "messung.csv", MEASURED)
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)


def offered(page: DataPage) -> list[str]:
    return [words(b) for b in page.matching.mismatch.findChildren(QPushButton) if b.isVisible() and b.text()]


def keys_of(controller: SessionController) -> dict[str, tuple[tuple[str, str], ...]]:
    return {m.output: m.keys for m in matches(controller)}


BY_ALPHA = dict.fromkeys(("CL", "CD"), (("alpha", "alpha"),))


@pytest.mark.parametrize("without", [(), (3,), (3, 8)])
def test_a_column_nearly_all_of_whose_values_the_program_prints_is_a_key_and_no_measurement(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], without: tuple[int, ...]
) -> None:
    trial_run(page, engines, polar(*without))
    measured(qtbot, page, tmp_path)
    assert keys_of(controller) == BY_ALPHA


def test_where_all_columns_are_printed_as_they_were_measured_none_is_taken_for_a_key_by_that(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    """Data that the program made itself, without errors."""
    rows = [line.split(";") for line in MEASURED.replace(",", ".").splitlines()[1:]]
    trial_run(page, engines, "\n".join(" ".join(row) for row in rows) + "\n")
    measured(qtbot, page, tmp_path)
    assert {m.output for m in matches(controller)} >= {"CL", "CD"}


def test_a_compared_output_becomes_the_key_by_one_button_where_rows_do_not_fit_in_order(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    measured(qtbot, page, tmp_path)
    in_order = tuple(d.Match(output=n, column=n) for n in ("CL", "CD", "alpha"))
    controller.problem.edit("x", meaning=d.Predictions(matches=in_order, noise=d.GaussianKnown(sd=0.01)))
    trial_run(page, engines, polar(3))
    assert words(page.message._button) == "Use alpha as the key instead"
    assert "9 of the 10 measured values of “alpha” are among those that the program prints" in page.message.suggestion()
    page.matching.show_comparison(0)
    assert offered(page)[0] == "Use alpha as the key instead"
    note = page.matching.form._notices["key_output"].text()
    assert "“CD” and “alpha” are compared themselves" in note
    click(qtbot, page.message._button)
    assert keys_of(controller) == BY_ALPHA
    controller.problem.undo_stack.undo()
    assert matches(controller) == in_order


def test_a_measured_row_between_rows_of_the_program_is_mended_by_interpolating_in_all_comparisons(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, polar(3))
    measured(qtbot, page, tmp_path)
    assert "1 of 10 measured rows has no row of “CL” with the same key" in page.message.words()
    assert words(page.message._button) == "Interpolate over alpha"
    assert "A run that lacks rows counts as failed" in page.message.suggestion()
    assert words(page.message._dismiss) == "Test run at other values"
    assert offered(page)[0] == "Interpolate between rows"
    assert "A run that lacks rows counts as failed" in page.matching.mismatch.message.suggestion()
    assert "interpolate between its rows" in page.picture.words.text()
    click(qtbot, page.message._button)
    assert [m.interpolate for m in matches(controller)] == [True, True]
    assert keys_of(controller) == BY_ALPHA
    assert page.status()[0] == "done", page.message.words()
    trial_run(page, engines, polar(10))
    assert page.message.words() == "1 of 10 measured rows lies beyond the rows of “CL”: nothing can be interpolated there."


def test_a_row_beyond_the_ends_of_the_program_is_not_interpolated(
    qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, polar(10))
    measured(qtbot, page, tmp_path)
    assert "Interpolate between rows" not in offered(page)
    assert "Interpolate" not in words(page.message._button)


def test_interpolation_is_offered_too_where_another_test_run_had_all_rows(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, polar())
    measured(qtbot, page, tmp_path)
    trial_run(page, engines, polar(3))
    assert page.status()[0] == "done", page.message.words()
    assert page.message.level == "warning"
    assert words(page.message._button) == "Interpolate over alpha"
    assert "A run that lacks rows counts as failed" in page.message.suggestion()
