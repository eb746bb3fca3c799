"""What was settled for one comparison - key, its unit, interpolation, factor - is there for those beside it at one click."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run, words
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.keys.known_keys import KnownKeys, completed
from bayescope.gui.models.data.keys.like_sibling import like_sibling
from bayescope.gui.models.data.keys.own_columns import behind_of, own_name
from bayescope.gui.models.data.keys.same_pairing import for_all
from bayescope.gui.pages.data.page import DataPage

TIMES = [0.0, 60.0, 120.0, 180.0, 240.0, 300.0]  # s
PLACES = [0.3, 1.4, 2.2, 4.6]  # of the clock of the data, in its own unit
OTHER = [0.7, 1.9, 3.3, 4.1]
KEY = {"key_output": "clock", "key_column": "reading"}


def printed() -> str:
    return "".join(f"{t:.1f} {10 - t / 60:.4f} {(t / 60) ** 2:.4f} {t / 20:.4f}\n" for t in TIMES)


def measured(places: list[float], names: str = "T;p;q") -> str:
    rows = (f"{t};{10 - t + 0.01:.4f};{t * t + 0.01:.4f};{3 * t + 0.01:.4f}\n" for t in places)
    return f"reading;{names}\n{''.join(rows)}"


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("clock", 0), column("T", 1), column("p", 2), column("q", 3)))


def settled(page: DataPage, *matches: d.Match) -> None:
    """The first comparison as a user settled it, the others as they were."""
    page.problem.edit("x", meaning=d.Predictions(matches=matches, noise=d.GaussianKnown(sd=0.1)))


SETTLED = d.Match(output="T", column="T", **KEY, key_factor=1 / 60, interpolate=True)


@pytest.mark.parametrize("key", [KEY, {}])
def test_the_other_columns_of_the_file_are_paired_as_the_one_that_was_settled(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], key: dict[str, str]
) -> None:
    opened(page, tmp_path / "a.csv", measured(PLACES))
    page.importer.use.click()
    settled(page, SETTLED, *(d.Match(output=n, column=n, **key) for n in ("p", "q")))
    trial_run(page, engines, printed())
    assert words(page.message._button) == "Pair all 2 as T"
    assert "“T” is interpolated over “reading”, “clock” × 0.0166667" in page.message.suggestion()
    click(qtbot, page.message._button)
    ways = {(m.key_output, m.key_column, round(1 / m.key_factor), m.interpolate) for m in matches(controller)}
    assert ways == {("clock", "reading", 60, True)}
    assert page.status()[0] == "done", page.message.words()
    controller.problem.undo_stack.undo()
    assert [m.interpolate for m in matches(controller)] == [True, False, False]


def test_a_replicate_of_another_file_is_paired_by_its_own_key_with_the_factor_of_the_first(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "a.csv", measured(PLACES, "T;p;q"))
    page.importer.use.click()
    opened(page, tmp_path / "b.csv", measured(OTHER[:3], "T;p;q"))
    page.importer.add.click()
    data = page.problem.declared.data
    assert data is not None
    twin, clock = "T (b.csv)", "reading (b.csv)"
    assert twin in data.columns
    model = msgspec.structs.replace(SETTLED, factor=2.0)
    settled(page, model, d.Match(output="T", column=twin))
    trial_run(page, engines, printed())
    assert own_name(data, "reading", behind_of(model, d.Match(output="T", column=twin))) == clock
    assert words(page.message._button) == "Pair it as T"
    click(qtbot, page.message._button)
    second = matches(controller)[1]
    assert (second.key_output, second.key_column, second.interpolate, second.factor) == ("clock", clock, True, 2.0)
    assert page.trial.unfit() is None


def test_one_more_row_beyond_the_ends_is_left_out_and_said(
    page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    table = measured(PLACES).rstrip("\n").replace("4.6;5.4100;", "4.6;;") + "\n5.5;;30.26;16.51\n"
    opened(page, tmp_path / "a.csv", table)
    page.importer.use.click()
    settled(page, SETTLED, *(d.Match(output=n, column=n, **KEY) for n in ("p", "q")))
    trial_run(page, engines, printed())
    found = like_sibling(page.problem.declared, 1, page.trial.report)
    assert found is not None
    assert "1 of 5 measured rows lies before the first or after the last place" in found.words
    assert found.count == 2


def test_those_that_have_the_key_but_another_way_are_offered_the_same(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "a.csv", measured([1.0, 2.0, 4.0]))
    page.importer.use.click()
    exact = d.Match(output="p", column="p", **KEY, key_factor=1 / 60)
    settled(page, SETTLED, exact)
    trial_run(page, engines, printed())
    found = for_all(page.problem.declared, 0, page.trial.report)
    assert found is not None
    assert found.words == "Another comparison is paired by “reading” too, but not in the same way."
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(0)
    QApplication.processEvents()
    click(qtbot, page.matching.mismatch.message._button)
    assert [m.interpolate for m in matches(controller)] == [True, True]


def test_a_shift_of_the_key_that_was_typed_first_stays_when_the_key_is_chosen(problem: d.Problem) -> None:
    table = d.DataTable(columns={"reading": (1.0, 2.0), "start (s)": (3.0, 4.0), "end (s)": (3.0, 5.0), "T": (1.0, 2.0)})
    whole = msgspec.structs.replace(problem, data=table, meaning=d.Predictions(matches=(), noise=d.GaussianKnown()))
    typed = d.Match(output="T", column="T", key_offset=-12.0)
    first = completed(whole, typed, msgspec.structs.replace(typed, key_output="clock"), KnownKeys())
    both = completed(whole, first, msgspec.structs.replace(first, key_column="start (s)"), KnownKeys())
    assert (both.key_output, both.key_column, both.key_offset) == ("clock", "start (s)", -12.0)
    again = completed(whole, both, msgspec.structs.replace(both, key_column="end (s)"), KnownKeys())
    assert again.key_offset == -12.0, "in the same unit"
    other = completed(whole, again, msgspec.structs.replace(again, key_column="reading"), KnownKeys())
    assert other.key_offset == 0.0, "it was that of another key"
