"""A measured row before the program's first place or after its last: the others are interpolated all the same, it is left out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run, words
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.keys.rows_outside import outside_words, without_outside
from bayescope.gui.pages.data.page import DataPage

TIMES = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
BEFORE = [-0.5, 0.4, 1.3, 2.7]


def printed(times: Sequence[float] = TIMES) -> str:
    return "".join(f"{t:.3f} {10 - t:.3f} {t * t:.3f}\n" for t in times)


def measured(places: Sequence[float], heading: str = "time (s)") -> str:
    return f"{heading};T;p\n" + "".join(f"{t};{10 - t + 0.01:.4f};{t * t + 0.01:.4f}\n" for t in places)


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("t", 0), column("T", 1), column("p", 2)))


def compared(page: DataPage, folder: Path, engines: list[Any], places: Sequence[float], key: bool) -> None:
    opened(page, folder / "m.csv", measured(places))
    page.importer.use.click()
    by = {"key_output": "t", "key_column": "time (s)"} if key else {}
    pairs = tuple(d.Match(output=n, column=n, **by) for n in ("T", "p"))
    page.problem.edit("x", meaning=d.Predictions(matches=pairs, noise=d.GaussianKnown(sd=0.1)))
    trial_run(page, engines, printed())
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(0)
    QApplication.processEvents()


@pytest.mark.parametrize(("places", "row"), [(BEFORE, 1), ([0.4, 1.3, 2.7, 5.2], 4)])
def test_rows_that_have_a_key_are_interpolated_but_for_the_one_beyond_the_ends(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], places: list[float], row: int
) -> None:
    compared(page, tmp_path, engines, places, key=True)
    button = page.matching.mismatch.between
    assert words(button) == "Interpolate, 1 left out"
    said = page.matching.mismatch.message.suggestion()
    assert "3 rows lie between rows that the program prints" in said
    assert "1 of 4 measured rows lies before the first or after the last place that the program prints: it is left out." in said
    click(qtbot, button)
    assert [(m.interpolate, m.left_out) for m in matches(controller)] == [(True, (row,))] * 2, "all that have the key"
    assert page.status()[0] == "done", page.message.words()
    assert "2 left out (1 of T, 1 of p)" in page.status()[1]


def test_rows_that_do_not_fit_in_order_are_interpolated_over_places_beside_them_but_for_the_one_beyond_the_ends(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    compared(page, tmp_path, engines, BEFORE, key=False)
    assert words(page.message._button) == "Interpolate all 2 over time"
    assert "1 of 4 measured rows lies before the first" in page.message.suggestion()
    click(qtbot, page.message._button)
    assert [(m.key_output, m.interpolate, m.left_out) for m in matches(controller)] == [("t", True, (1,))] * 2
    assert page.trial.unfit() is None


def test_places_of_which_fewer_lie_outside_in_another_unit_are_taken_in_that_unit(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    swept = 10.0 ** np.arange(1.0, 7.01, 0.2)
    lines = "".join(f"{f:.9e} {20 - np.log10(f):.4f}\n" for f in swept)
    places = [float(f"{f / 1000.0:.4g}") for f in swept[:-2:2]]
    opened(page, tmp_path / "m.txt", "f/kHz  gain\n" + "".join(f"{k} {17 - np.log10(k):.3f}\n" for k in places))
    page.importer.use.click()
    controller.problem.edit("x", outputs=(column("gain", 1),))
    pair = d.Match(output="gain", column="gain")
    controller.problem.edit("x", meaning=d.Predictions(matches=(pair,), noise=d.GaussianKnown(sd=0.1)))
    trial_run(page, engines, lines)
    page.tabs.setCurrentIndex(1)
    assert "They are multiplied by 0.001." in page.message.suggestion()
    click(qtbot, page.message._button)
    assert [(m.key_factor, m.left_out) for m in matches(controller)] == [(0.001, ())]


def test_where_most_rows_lie_beyond_the_ends_nothing_is_interpolated(
    page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    compared(page, tmp_path, engines, [-3.0, -2.0, -1.0, 0.5], key=True)
    assert not page.matching.mismatch.between.isVisible()


def test_a_row_beyond_the_ends_is_found_in_the_unit_of_the_data() -> None:
    table = d.DataTable(columns={"t (min)": (0.5, 1.0, 1.5, 9.0), "T": (1.0, 2.0, None, 4.0)})
    match = d.Match(output="T", column="T", key_output="t", key_column="t (min)", key_factor=1 / 60, interpolate=True)
    found = without_outside(match, table, {"T": np.arange(4.0), "t": np.array([0.0, 30.0, 60.0, 120.0])})
    assert found is not None
    assert (found[0].left_out, found[1]) == ((4,), 1)
    assert without_outside(match, table, {"T": np.arange(2.0), "t": np.array([0.0, 10.0])}) is None, "none lies inside"
    assert outside_words(0, 3) == ""
