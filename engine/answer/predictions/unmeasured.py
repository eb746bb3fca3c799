"""What is predicted of outputs that are recorded but compared with nothing: by the emulator, else by runs. Numpy only."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...problem.data.names.column_names import says_where
from ...problem.definition import Predictions, Problem
from .emulated import HIGH, LOW
from .learnt_runs import LearntRuns, RunsMade
from .predictive import OtherOutput, Predicted, weighted_band

Array = NDArray[np.float64]
MOST = 12  # outputs: more are no predictions that anybody looks through
MOST_POINTS = 20_000  # values of one output that are drawn
NOT_MEASURED = " (not measured)"
COUNTED = "number of the value"
FORETOLD = 0.5  # least share of the variance over the runs that is predicted without the run: below, runs tell more


def unmeasured(problem: Problem, runs: RunsMade, learnt: LearntRuns | None) -> list[Predicted]:
    """One for each such output that differs between runs: by the emulator where outputs are ``learnt`` and this one can be, else
    by the ``runs`` with their weights. Nothing was measured (NaN).

    A run counts if it has as many values, all finite, as most runs have.
    """
    if not isinstance(problem.meaning, Predictions):
        return []
    keys = {output for m in problem.meaning.matches for output, _ in m.keys}
    found: list[tuple[str, Array, NDArray[np.intp]]] = []
    places: dict[int, tuple[str, Array]] = {}  # by how many values: the output that says where they are
    for name in _not_compared(problem, keys):
        values, of = _alike(name, runs)
        if not len(values):
            continue
        if len(values) > 1 and (values == values[0]).all():
            places.setdefault(values.shape[1], (name, values[0]))  # the same in all runs: it may say where
        elif name not in keys:
            found.append((name, values, of))
    made = []
    for name, values, of in found[:MOST]:
        n = values.shape[1]
        label, x = places.get(n, (COUNTED, np.arange(1.0, n + 1.0)))
        label, x = (label, x) if says_where(label) or label == COUNTED else (COUNTED, np.arange(1.0, n + 1.0))
        p = _predicted(values, of, runs, learnt)
        if p is not None:
            made.append(replace(p, x=x, x_label=f"{label}{NOT_MEASURED}", y_label=name))
    return made


def has_single_values(problem: Problem) -> bool:
    """Whether there may be outputs of one value each that are compared with nothing: often what a study is made for."""
    lengths = {o.name: o.length for o in problem.outputs}
    return isinstance(problem.meaning, Predictions) and any(lengths[name] in (None, 1) for name in _not_compared(problem, ()))


def single_values(found: Sequence[Predicted]) -> tuple[str, ...]:
    """A line for each output of one value: its median and interval."""
    return tuple(f"{p.y_label}: {p.other.words}" for p in found if p.other is not None and len(p.x) == 1)


def _predicted(values: Array, of: NDArray[np.intp], runs: RunsMade, learnt: LearntRuns | None) -> Predicted | None:
    """None: no run with such values has a part in the posterior."""
    nothing, none = np.full(values.shape[1], np.nan), np.empty((0, values.shape[1]))
    output = None if learnt is None else learnt.either_way(values, of)
    ends = output.band(learnt.at) if learnt is not None and output is not None and output.known > FORETOLD else None
    if ends is not None and output is not None:
        return Predicted(nothing, nothing, none, np.empty(0), "", "", other=OtherOutput(*ends, len(output.values), learnt=output))
    weights = np.full(len(of), 1.0) if runs.weights is None else runs.weights[of]
    good = weights > 0.0
    if not good.any():
        return None
    share = weights[good] / weights[good].sum()
    ends = weighted_band(values[good], share, LOW, HIGH)
    other = OtherOutput(*ends, len(share), float(1.0 / np.square(share).sum()))
    return Predicted(nothing, nothing, values[good], share, "", "", other=other)


def _not_compared(problem: Problem, keys: Collection[str]) -> Iterator[str]:
    """Keys too: they may say where the values of the others are."""
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    used = {m.output for m in matches}
    return (o.name for o in problem.outputs if not o.text and (o.name not in used or o.name in keys))


def _alike(name: str, runs: RunsMade) -> tuple[Array, NDArray[np.intp]]:
    """Values (k, m) of the runs that have as many as most, and which runs these are (k,)."""
    given = ((k, runs.outputs[i][name]) for k, i in enumerate(runs.indices) if name in runs.outputs.get(i, {}))
    read = [(np.asarray(v, dtype=float), k) for k, v in given]
    read = [(v, k) for v, k in read if v.ndim == 1 and 0 < len(v) <= MOST_POINTS and np.isfinite(v).all()]
    if not read:
        return np.empty((0, 0)), np.empty(0, dtype=np.intp)
    lengths = [len(v) for v, _ in read]
    n = max(set(lengths), key=lengths.count)
    return np.array([v for v, _ in read if len(v) == n]), np.array([k for v, k in read if len(v) == n], dtype=np.intp)
