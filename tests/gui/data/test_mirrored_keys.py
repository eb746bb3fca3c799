"""Keys that count the other way than those of the data: 180° − theta."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import click, opened, trial_run, words
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import unpaired
from bayescope.engine.problem.data.rows.key_scale import Scale
from bayescope.engine.protocol import TrialOutput, TrialRunReport
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.added_outputs import added_words
from bayescope.gui.models.data.keys.mirrored_key import MIRROR_KEPT, first_mirrored
from bayescope.gui.models.data.list_edits import with_key_scaling
from bayescope.gui.models.data.rows.lost_rows import lost_rows
from bayescope.gui.pages.data.page import DataPage

ANGLES = np.linspace(0.0, 180.0, 13)


def curve(theta: np.ndarray) -> np.ndarray:
    return 2.0 + np.exp(-theta / 40.0) + 0.3 * np.cos(np.radians(3 * theta))


def problem(key: str = "theta", column: str = "arm", mirrored: bool = True) -> tuple[d.Problem, TrialRunReport]:
    data = {column: tuple(ANGLES.tolist()), "R": tuple((1.1 * curve(180.0 - ANGLES if mirrored else ANGLES)).tolist())}
    outputs = tuple(d.Output(name=n, source="o.csv", extractor=d.CsvColumn(column=n)) for n in (key, "I"))
    match = d.Match(output="I", column="R", key_output=key, key_column=column)
    made = d.Problem(
        name="x", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")), outputs=outputs, data=d.DataTable(columns=data),
        meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=0.1)),
    )  # fmt: skip
    values = {key: tuple(ANGLES.tolist()), "I": tuple(curve(ANGLES).tolist())}
    read = tuple(TrialOutput(name=n, source="o.csv", values=values[n]) for n in values)
    return made, TrialRunReport(outcome="ok", outputs=read)


def keys(made: d.Problem) -> list[tuple[float, float]]:
    assert isinstance(made.meaning, d.Predictions)
    return [(m.key_factor, m.key_offset) for m in made.meaning.matches]


def test_a_key_that_counts_the_other_way_is_asked_about_where_the_test_run_tells_it() -> None:
    found = first_mirrored(*problem())
    assert found is not None
    assert "Does “arm” count the other way than “theta”? Paired by 180 − theta" in found.words
    assert found.button == "&Pair by 180 − theta"
    assert found.problem is not None
    assert keys(found.problem) == [(-1.0, 180.0)]
    assert first_mirrored(found.problem, problem()[1]) is None, "it is mirrored now"
    assert first_mirrored(*problem(), kept={found.words}) is None


@pytest.mark.parametrize(
    ("key", "column", "mirrored"), [("theta", "arm", False), ("theta", "theta (deg)", True), ("t", "clock (s)", True)]
)
def test_a_key_of_the_same_name_a_time_or_one_that_fits_as_it_is_is_not(key: str, column: str, mirrored: bool) -> None:
    assert first_mirrored(*problem(key, column, mirrored)) is None


def test_an_output_that_was_named_like_the_column_is_known_by_what_the_program_calls_it() -> None:
    made, report = problem()
    (theta, rest), (read, more) = made.outputs, report.outputs
    made = msgspec.structs.replace(made, outputs=(msgspec.structs.replace(theta, name="arm"), rest))
    assert isinstance(made.meaning, d.Predictions)
    match = msgspec.structs.replace(made.meaning.matches[0], key_output="arm")
    made = msgspec.structs.replace(made, meaning=msgspec.structs.replace(made.meaning, matches=(match,)))
    report = msgspec.structs.replace(report, outputs=(msgspec.structs.replace(read, name="arm"), more))
    found = first_mirrored(made, report)
    assert found is not None
    assert "than “theta”" in found.words
    why = added_words(made, ["arm"], report)[1]
    assert why == "The program prints “theta”, with the same entries, beside its values: rows are paired by “arm”."


@pytest.mark.parametrize("text", ["180 - arm", "180 − theta", "180-theta", "180° - arm", "180 - it", "x -1 + 180"])
def test_a_key_taken_from_a_number_is_understood_as_it_is_written(text: str) -> None:
    made = with_key_scaling(problem()[0], 0, text)
    assert keys(made) == [(-1.0, 180.0)]
    assert Scale(*keys(made)[0]).written("theta") == "180 − theta"


def test_nearest_keys_are_shown_as_they_are_compared() -> None:
    made, _ = problem()
    assert isinstance(made.meaning, d.Predictions)
    assert made.data is not None
    match = msgspec.structs.replace(made.meaning.matches[0], key_factor=-1.0, key_offset=200.0)
    outputs = {"theta": ANGLES, "I": curve(ANGLES)}
    texts = {"theta": tuple(f"{a:g}" for a in ANGLES)}
    lost = unpaired(match, made.data, outputs, texts["theta"])
    rows = list(lost_rows(match, made.data, outputs, texts, lost))
    assert (rows[0].key, rows[0].nearest.split(", ")[0]) == ("0", "20")


def test_the_page_asks_and_both_answers_count(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    made, _ = problem()
    outputs = tuple(
        d.Output(name=n, source="res.txt", extractor=d.CsvColumn(column=k, delimiter=" ")) for k, n in enumerate(("theta", "I"))
    )
    controller.problem.replace(msgspec.structs.replace(made, outputs=outputs, data=None), "x")
    rows = "".join(f"{a:g},{1.1 * v:.4f}\n" for a, v in zip(ANGLES, curve(180.0 - ANGLES), strict=True))
    opened(page, tmp_path / "m.csv", f"arm,R\n{rows}")
    click(qtbot, page.importer.use)
    match = d.Match(output="I", column="R", key_output="theta", key_column="arm")
    controller.problem.edit("x", meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=0.1)))
    trial_run(page, engines, "".join(f"{a:g} {v:.4f}\n" for a, v in zip(ANGLES, curve(ANGLES), strict=True)))
    assert page.message.words().startswith("Does “arm” count the other way than “theta”?")
    assert page.status()[0] != "done"
    assert words(page.message._dismiss) == MIRROR_KEPT
    click(qtbot, page.message._button)
    assert keys(controller.problem.declared) == [(-1.0, 180.0)]
    assert "other way" not in page.message.words()
    controller.problem.undo_stack.undo()
    click(qtbot, page.message._dismiss)
    assert "other way" not in page.message.words()
    assert keys(controller.problem.declared) == [(1.0, 0.0)]
