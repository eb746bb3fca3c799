"""What the newest answer of a session predicts for its data, and a table of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..answer.csv_cells import csv_bytes
from ..answer.failures.far_off import FarOff
from ..answer.latest import posterior_of, usable_posterior
from ..answer.predictions.predictive import Predicted, emulated, predicted, run_weights
from ..problem.definition import Predictions
from ..session import atomic
from ..session.errors import SessionError
from ..session.store import SessionStore

HEADER = ("column", "row", "place", "measured", "low", "median", "high", "measured_low", "measured_high")


def predictions_of(store: SessionStore) -> list[Predicted]:
    """Of each compared column, by the newest answer; empty where the program predicts no data, or no run has stored outputs.

    Raises SessionError as ``posterior_of`` does.
    """
    problem = store.problem
    if not isinstance(problem.meaning, Predictions):
        return []
    posterior, record = posterior_of(store)
    learnt = emulated(problem, record.slices)
    if learnt:
        return learnt
    lies = FarOff.of(record.slices).not_counted
    rows = [e for e in store.evaluations()[: record.n_evaluations] if e.index not in lies]
    names = posterior.names
    theta = np.array([[e.values.get(n, np.nan) for n in names] for e in rows]).reshape(len(rows), len(names))
    good = np.array([e.outcome == "ok" and bool(e.outputs) for e in rows], dtype=bool)
    weights = run_weights(posterior, theta, good)
    outputs, indices = {e.index: e.outputs for e in rows if e.outputs}, [e.index for e in rows]
    made = [predicted(problem, match, indices, outputs, weights) for match in problem.meaning.matches]
    return [p for p in made if p is not None]


def export_predictions(store: SessionStore, path: Path | str, *, replace: bool = False) -> None:
    """One row per measured value: its 90 % band and median, and the band of measurements where outputs are learnt.

    Raises SessionError.
    """
    with usable_posterior(store):
        found = predictions_of(store)
    if not found:
        raise SessionError(
            "There are no predictions to write: the program's outputs are not compared with data, or none are stored",
            str(store.path), "What the outputs mean is chosen on the Simulator page, tab Meaning.",
        )  # fmt: skip
    rows: list[list[object]] = []
    for p in found:
        low, middle, high = p.ends
        for i in range(len(p.x)):
            outer = ("", "") if p.bands is None else (float(p.bands.measured_low[i]), float(p.bands.measured_high[i]))
            numbers = (float(v[i]) for v in (p.x, p.measured, low, middle, high))
            rows.append([p.y_label, int(p.rows[i]) + 1, *numbers, *outer])
    atomic.write(path, csv_bytes(list(HEADER), rows), replace=replace)
