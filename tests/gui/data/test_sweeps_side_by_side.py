"""Sweeps side by side in a file, each with its own places: they pair the values beside them and are compared with nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM, click, matches, opened, trial_run, words
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.keys.running_numbers import numbers_rows, only_numbers
from bayescope.gui.models.data.keys.same_pairing import for_all
from bayescope.gui.pages.data.page import DataPage

VOLTS = {1: [1.23, 3.37, 4.46, 5.72], 2: [1.51, 3.30, 4.91, 6.33]}
NUMBERED = "No.\tV1\tI1\tV2\tI2\n\t(V)\t(mA)\t(V)\t(mA)\n"


def current(sweep: int, volts: float) -> float:
    return (3.0 - sweep) * (10.0 - volts)


def printed(end: Callable[[int], float] = lambda sweep: 8.0) -> str:
    text = "sweeps : 2\n"
    for sweep in (1, 2):
        places = np.arange(0.0, end(sweep), 0.5)
        text += f"\n --- SWEEP {sweep} ---\n   V [V]   I [mA]\n"
        text += "".join(f" {v:8.3f} {current(sweep, v):9.4f}\n" for v in places)
    return text


def measured() -> str:
    rows = range(len(VOLTS[1]))
    cells = [[f"{x:.4g}" for s in (1, 2) for x in (VOLTS[s][k], current(s, VOLTS[s][k]) + 0.01)] for k in rows]
    return NUMBERED + "".join("\t".join([str(k + 1), *row]) + "\n" for k, row in enumerate(cells))


@pytest.fixture
def problem() -> d.Problem:
    def read(name: str, sweep: int, column: int) -> d.Output:
        region = d.Region(anchor=f"--- SWEEP {sweep} ---", columns=(column,), by="word", form="nn")
        return d.Output(name=f"{name}{sweep}", source="res.txt", extractor=region)

    outputs = tuple(read(name, sweep, k) for sweep in (1, 2) for k, name in ((1, "V"), (2, "I")))
    return msgspec.structs.replace(PROBLEM, outputs=outputs)


def paired(controller: SessionController) -> list[tuple[str, str | None, str | None, bool]]:
    return [(m.output, m.key_output, m.key_column, m.interpolate) for m in matches(controller)]


EACH_ITS_OWN = [("I1", "V1", "V1 (V)", True), ("I2", "V2", "V2 (V)", True)]


def test_after_a_test_run_each_sweep_is_paired_by_its_own_places_as_the_table_is_imported(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, printed())
    opened(page, tmp_path / "iv.txt", measured())
    page.importer.use.click()
    assert paired(controller) == EACH_ITS_OWN


def test_where_the_test_run_comes_later_one_button_does_it_for_all_sweeps(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "iv.txt", measured())
    page.importer.use.click()
    assert [m.output for m in matches(controller)] == ["V1", "I1", "V2", "I2"]
    trial_run(page, engines, printed(), "failed")
    page.tabs.setCurrentIndex(1)
    QApplication.processEvents()
    assert words(page.message._button) == "Interpolate each over its own"
    click(qtbot, page.message._button)
    assert paired(controller) == EACH_ITS_OWN


def test_tables_that_end_where_the_current_is_gone_are_sweeps_too(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, printed(lambda sweep: 6.0 if sweep == 1 else 7.0))
    opened(page, tmp_path / "iv.txt", measured())
    page.importer.use.click()
    assert paired(controller) == EACH_ITS_OWN


def test_a_number_of_the_row_is_no_place_of_volts() -> None:
    table = d.DataTable(columns={"No.": (1.0, 2.0, 3.0), "V1 (V)": (1.2, 3.4, 4.5), "t (s)": (1.0, 2.0, 3.0)})
    assert numbers_rows(table, "No.")
    assert not numbers_rows(table, "V1 (V)")
    assert not numbers_rows(table, "t (s)"), "times may be whole"
    assert only_numbers(table, "No.", np.arange(0.0, 8.0, 0.5))
    assert not only_numbers(table, "No.", np.arange(0.0, 8.0)), "an output may number rows too"



def test_the_key_of_one_sweep_is_not_offered_to_those_that_have_their_own(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "iv.txt", measured())
    page.importer.use.click()
    first = d.Match(output="I1", column="I1 (mA)", key_output="V1", key_column="V1 (V)", interpolate=True)
    meaning = d.Predictions((first, d.Match("I2", "I2 (mA)")), d.GaussianKnown(sd=0.1))
    controller.problem.edit("x", meaning=meaning)
    trial_run(page, engines, printed(), "failed")
    assert for_all(controller.problem.declared, 0, page.trial.report) is None
