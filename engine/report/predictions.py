"""What the newest answer of a session predicts for its data, and a table of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..answer.csv_cells import csv_bytes
from ..answer.failures.far_off import FarOff
from ..answer.latest import posterior_of, usable_posterior
from ..answer.posterior import StoredPosterior
from ..answer.predictions.learnt_runs import LearntRuns, RunsMade
from ..answer.predictions.predictive import Predicted, emulated, predicted, run_weights
from ..answer.predictions.unmeasured import NOT_MEASURED, unmeasured
from ..answer.predictions.whole import with_whole_curves
from ..problem.data.dates.day_zero import written
from ..problem.data.rows.across import ROW
from ..problem.data.rows.text_keys import SINCE_1970, unit_of
from ..problem.definition import Predictions, Problem
from ..session import atomic
from ..session.errors import SessionError
from ..session.records import IterationRecord
from ..session.store import SessionStore

HEADER = ("column", "row", "along", "place", "measured", "low", "median", "high", "measured_low", "measured_high")
PLACE_DIGITS = 12  # significant; the last of some 16 come from arithmetic


@dataclass(frozen=True)
class _Made:
    """The newest answer and the runs it knows, without values that are taken for lies."""

    posterior: StoredPosterior
    record: IterationRecord
    runs: RunsMade


def _made(store: SessionStore) -> _Made:
    posterior, record = posterior_of(store)
    lies = FarOff.of(record.slices).not_counted
    rows = [e for e in store.evaluations()[: record.n_evaluations] if e.index not in lies]
    names = posterior.names
    theta = np.array([[e.values.get(n, np.nan) for n in names] for e in rows]).reshape(len(rows), len(names))
    good = np.array([e.outcome == "ok" and bool(e.outputs) for e in rows], dtype=bool)
    outputs, indices = {e.index: e.outputs for e in rows if e.outputs}, [e.index for e in rows]
    return _Made(posterior, record, RunsMade(theta, indices, outputs, run_weights(posterior, theta, good)))


def predictions_of(store: SessionStore) -> list[Predicted]:
    """Of each compared column, by the newest answer; empty where the program predicts no data, or no run has stored outputs.

    Raises SessionError as ``posterior_of`` does.
    """
    return _compared(store.problem, _made(store)) if isinstance(store.problem.meaning, Predictions) else []


def unmeasured_of(store: SessionStore) -> list[Predicted]:
    """Of outputs compared with nothing, by the emulator or the runs made. Raises SessionError as ``posterior_of`` does."""
    return _unmeasured(store.problem, _made(store)) if isinstance(store.problem.meaning, Predictions) else []


def _compared(problem: Problem, made: _Made) -> list[Predicted]:
    assert isinstance(problem.meaning, Predictions)
    posterior, runs, slices = made.posterior, made.runs, made.record.slices
    learnt = emulated(problem, slices)
    if learnt:
        return with_whole_curves(problem, learnt, replace(runs, weights=None), posterior, slices)
    assert runs.weights is not None
    every = [predicted(problem, match, runs.indices, runs.outputs, runs.weights) for match in problem.meaning.matches]
    return with_whole_curves(problem, [p for p in every if p is not None], runs, posterior, slices)


def _unmeasured(problem: Problem, made: _Made) -> list[Predicted]:
    cells = sum(len(p.x) for p in emulated(problem, made.record.slices))
    learnt = LearntRuns.of(problem, cells, made.runs, made.posterior, made.record.slices) if cells else None
    return unmeasured(problem, made.runs, learnt)


def export_predictions(store: SessionStore, path: Path | str, *, replace: bool = False) -> None:
    """One row per measured value: its 90 % band and median, and the band of measurements where outputs are learnt; then, without
    row and measured value, one for every other place that the program records, and for outputs that are compared with nothing.

    Raises SessionError.
    """
    found, others = list[Predicted](), list[Predicted]()
    with usable_posterior(store):
        if isinstance(store.problem.meaning, Predictions):
            made = _made(store)
            found, others = _compared(store.problem, made), _unmeasured(store.problem, made)
    if not found:
        raise SessionError(
            "There are no predictions to write: the program's outputs are not compared with data, or none are stored",
            str(store.path), "What the outputs mean is chosen on the Simulator page, tab Meaning.",
        )  # fmt: skip
    rows: list[list[object]] = []
    for p in found:
        rows += rows_of(p)
    for p in others:
        places = [(p.x_label.removesuffix(NOT_MEASURED), _number(x)) for x in p.x] if len(p.x) > 1 else [("", "")]
        for place, *ends in zip(places, *p.ends, strict=True):
            rows.append([p.y_label, "", *place, "", *map(float, ends), "", ""])
    atomic.write(path, csv_bytes(list(HEADER), rows), replace=replace)


def rows_of(p: Predicted) -> list[list[object]]:
    """Of one compared column, as HEADER: ``along`` what its rows lie, and where; dates and labels as the data have them."""
    rows: list[list[object]] = []
    low, middle, high = p.ends
    for i in range(len(p.x)):
        outer = ("", "") if p.bands is None else (float(p.bands.measured_low[i]), float(p.bands.measured_high[i]))
        numbers = (measured_cell(p, i), *(float(v[i]) for v in (low, middle, high)))
        place = p.names[i] if p.names else int(p.rows[i]) + 1 if p.x_label == ROW else _number(p.x[i])
        rows.append([p.y_label, int(p.rows[i]) + 1, p.x_label, place, *numbers, *outer])
    return rows + _elsewhere(p)


def measured_cell(p: Predicted, i: int) -> float | str:
    """What was measured at point i: a value, or its limit as ``<0.05``."""
    value = float(p.measured[i])
    return f"{'<' if p.sides[i] < 0 else '>'}{_number(value):g}" if p.limited[i] else value


def _elsewhere(p: Predicted) -> list[list[object]]:
    """What is predicted where nothing was measured: before, between and beyond the data."""
    if p.whole is None:
        return []
    more = np.flatnonzero(~np.isin(p.whole.x, p.x))
    lines = p.whole.x, p.whole.low, p.whole.middle, p.whole.high
    place, low, middle, high = ([float(v) for v in line[more]] for line in lines)
    shown = [written(x) for x in place] if unit_of(p.names) == SINCE_1970 else [_number(x) for x in place]
    return [[p.y_label, "", p.x_label, x, "", a, b, c, "", ""] for x, a, b, c in zip(shown, low, middle, high, strict=True)]


def _number(x: float) -> float:
    """A place without the digits that come from converting its unit."""
    return float(f"{x:.{PLACE_DIGITS}g}")
