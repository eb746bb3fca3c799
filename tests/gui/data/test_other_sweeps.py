"""As many rows as were measured, of another sweep: never taken in order silently, but by the key, interpolated, or asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
from bayescope.gui.models.step_status import step_status
from bayescope.gui.pages.data.page import DataPage

ROWS = 51
PRINTED = np.linspace(1.0, 3.0, ROWS)  # GHz
INSIDE, EARLIER, ELSEWHERE = np.linspace(1.05, 2.9, ROWS), np.linspace(0.9, 2.9, ROWS), np.linspace(4.0, 5.0, ROWS)
NAMES = [f"S{i}{j} {part}" for i in (1, 2) for j in (1, 2) for part in ("re", "im")]
HZ = 1e9
READ = tuple(d.Output(name=f"o{k}", source="res.txt", extractor=d.CsvColumn(column=k + 1, delimiter=" ")) for k in range(8))
PLACES = d.Output(name="col_1", source="res.txt", extractor=d.CsvColumn(column=0, delimiter=" "))


def curve(k: int, ghz: float) -> float:
    return math.cos(0.3 * k + 2.0 * ghz * (1 + 0.1 * k)) * (0.2 + 0.1 * k)


def printed() -> str:
    """Columns without names, the frequencies in Hz."""
    return "".join(f"{HZ * f:.6e} {' '.join(f'{curve(k, f):.6e}' for k in range(8))}\n" for f in PRINTED)


def measured(places: Sequence[float] | np.ndarray[Any, Any], heading: str, scale: float = HZ) -> str:
    rows = (f"{scale * f:.9g};{';'.join(f'{curve(k, f) + 0.003:.6f}' for k in range(8))}\n" for f in places)
    return f"{heading};{';'.join(NAMES)}\n{''.join(rows)}"


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=READ)


def compared(page: DataPage, engines: list[Any], folder: Path, table: str, key: str = "") -> None:
    """After a test run, all columns compared as the page proposes; ``key``: a column that was said to pair rows."""
    trial_run(page, engines, printed())
    opened(page, folder / "vna.csv", table)
    if key:
        page.importer.used.say(key, "key")
    page.importer.use.click()
    page.matching.proposed.accept()
    QApplication.processEvents()


def predicted(page: DataPage) -> float:
    """How far the test run, which is right, is from the data at most."""
    from bayescope.engine.problem.data.rows.compared import predictions
    from bayescope.gui.models.data.compared_outputs import read_now

    assert page.trial.report is not None
    declared = page.problem.declared
    read = {n: np.array(o.values, dtype=float) for n, o in read_now(declared, page.trial.report).items()}
    return max(float(np.nanmax(np.abs(c.data - c.prediction))) for c in predictions(declared, read))


@pytest.mark.parametrize("heading", ["Frequency (Hz)", "Sweep"])
def test_a_column_said_to_be_the_key_pairs_rows_of_another_sweep_as_all_are_compared(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], heading: str
) -> None:
    compared(page, engines, tmp_path, measured(INSIDE, heading), heading)
    assert {(m.key_column, m.interpolate, m.left_out) for m in matches(controller)} == {(heading, True, ())}
    assert len(matches(controller)) == 8
    assert predicted(page) < 0.01
    assert page.status()[0] == "done", page.message.words()


@pytest.mark.parametrize("key", ["Frequency (GHz)", ""])
def test_a_sweep_in_another_unit_is_asked_about_before_anything_starts(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], key: str
) -> None:
    compared(page, engines, tmp_path, measured(INSIDE, "Frequency (GHz)", 1.0), key)
    assert "row 1, where it is 1.05, is compared with the value beside which the program prints 1 × 10⁹" in page.message.words()
    assert "multiplied by 1 × 10⁻⁹" in page.message.suggestion()
    assert page.status() == ("todo", "Which rows belong together?")
    assert step_status(controller, "run")[0] == "locked", "a wrong answer would look right"
    assert words(page.message._button) == "Interpolate all 8 over Frequency"
    click(qtbot, page.message._button)
    assert {(m.key_column, m.key_factor, m.interpolate) for m in matches(controller)} == {("Frequency (GHz)", 1e-9, True)}
    assert predicted(page) < 0.01
    assert page.status()[0] == "done", page.message.words()
    assert step_status(controller, "run")[0] != "locked"
    page.matching.show_comparison(3)
    QApplication.processEvents()
    assert not page.matching.mismatch.isVisible(), "all have it: nothing is left to say"


@pytest.mark.parametrize(("heading", "scale"), [("Frequency (Hz)", HZ), ("Frequency (GHz)", 1.0)])
def test_rows_before_the_first_place_are_left_out_at_the_button_and_counted(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], heading: str, scale: float
) -> None:
    compared(page, engines, tmp_path, measured(EARLIER, heading, scale), heading)
    assert "3 of 51 measured rows lie before the first or after the last place" in page.message.suggestion()
    assert "they are left out" in page.message.suggestion()
    click(qtbot, page.message._button)
    assert {(m.key_column, m.interpolate, m.left_out) for m in matches(controller)} == {(heading, True, (1, 2, 3))}
    assert predicted(page) < 0.01
    assert "48 of 51 rows compared" in page.status()[1]
    assert "24 left out of 8 comparisons" in page.status()[1]


def test_a_sweep_wholly_elsewhere_is_said_and_waits_for_an_answer(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    compared(page, engines, tmp_path, measured(ELSEWHERE, "Frequency (Hz)"), "Frequency (Hz)")
    assert "contradicts “Frequency (Hz)”: row 1, where it is 4" in page.message.words()
    assert "Let the program print the places that were measured" in page.message.suggestion()
    assert step_status(controller, "run")[0] == "locked"
    page.message.dismissed.emit()
    QApplication.processEvents()
    assert page.status()[0] == "done", page.message.words()
    assert step_status(controller, "run")[0] != "locked", "it was said that the order is right"


def test_the_same_sweep_in_another_unit_is_taken_as_it_is(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    compared(page, engines, tmp_path, measured(PRINTED, "Frequency (GHz)", 1.0))
    assert page.status()[0] == "done", page.message.words()
    assert predicted(page) < 0.01


@pytest.mark.parametrize("key", ["Frequency (Hz)", ""])
def test_a_table_compared_before_any_test_run_is_asked_about_after_it(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], key: str
) -> None:
    opened(page, tmp_path / "vna.csv", measured(INSIDE, "Frequency (Hz)"))
    if key:
        page.importer.used.say(key, "key")
    page.importer.use.click()
    page.matching.proposed.accept()
    assert len(matches(controller)) == 8
    trial_run(page, engines, printed())
    assert "contradicts “Frequency (Hz)”: row 1" in page.message.words()
    assert words(page.message._button) == "Interpolate all 8 over Frequency"
    assert step_status(controller, "run")[0] == "locked"


@pytest.mark.parametrize("scale", [HZ, 1.0])
def test_the_first_columns_of_both_that_only_rise_say_where_and_are_not_proposed_to_be_compared(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], scale: float
) -> None:
    controller.problem.replace(msgspec.structs.replace(PROBLEM, outputs=(PLACES, *READ)), "x")
    compared(page, engines, tmp_path, measured(INSIDE, "Sweep", scale))
    assert [m.output for m in matches(controller)] == [o.name for o in READ]
    if scale == HZ:  # places in one unit pair the rows as they are proposed
        assert {(m.key_output, m.key_column, m.interpolate) for m in matches(controller)} == {(PLACES.name, "Sweep", True)}
        assert predicted(page) < 0.01
    else:
        assert "contradicts “Sweep”: row 1" in page.message.words()


def test_a_key_of_which_the_program_prints_nothing_is_asked_about(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "two.csv", "dose;u;v\n1;1.1;5\n3;0.7;4\n9;2.2;6\n")
    page.importer.used.say("dose", "key")
    page.importer.use.click()
    pair = tuple(d.Match(output=n, column=n) for n in ("u", "v"))
    outputs = tuple(msgspec.structs.replace(o, name=n) for o, n in zip(READ[:2], ("u", "v"), strict=True))
    meaning = d.Predictions(matches=pair, noise=d.GaussianKnown(sd=0.1))
    controller.problem.edit("x", outputs=outputs, meaning=meaning)
    trial_run(page, engines, "a 1.0 5.1\nb 0.8 4.1\nc 2.0 6.1\n")
    assert page.message.words() == "Rows are paired in order, though you said that “dose” pairs them."
    assert step_status(controller, "run")[0] == "locked"
    page.message.dismissed.emit()
    QApplication.processEvents()
    assert page.status()[0] == "done", page.message.words()


@pytest.mark.parametrize(("places", "out"), [(np.linspace(1.03, 2.97, 41), ()), (np.linspace(0.95, 2.97, 41), (1,))])
def test_fewer_rows_in_another_unit_are_interpolated_at_the_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], places: np.ndarray[Any, Any],
    out: tuple[int, ...],
) -> None:  # fmt: skip
    compared(page, engines, tmp_path, measured(places, "Frequency (GHz)", 1.0))
    assert "multiplied by 1 × 10⁻⁹" in page.message.suggestion()
    assert ("1 of 41 measured rows lies before" in page.message.suggestion()) == bool(out)
    assert words(page.matching.mismatch.other) == "Interpolate over Frequency"
    click(qtbot, page.message._button)
    assert {(m.key_factor, m.interpolate, m.left_out) for m in matches(controller)} == {(1e-9, True, out)}
    assert len(matches(controller)) == 8
    assert predicted(page) < 0.01
