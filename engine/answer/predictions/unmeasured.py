"""What is predicted of outputs that are recorded but compared with nothing: by the runs already made. Numpy only."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ...problem.data.column_names import says_where
from ...problem.definition import Predictions, Problem
from .predictive import Outputs, Predicted

Array = NDArray[np.float64]
MOST = 12  # outputs: more are no predictions that anybody looks through
MOST_POINTS = 20_000  # values of one output that are drawn
COUNTED = "number of the value"


def unmeasured(problem: Problem, indices: Sequence[int], outputs: Outputs, weights: Array) -> list[Predicted]:
    """One for each such output that differs between runs; ``weights`` (n,) of the runs ``indices``. Nothing was measured (NaN).

    A run counts if it has as many values, all finite, as most runs have.
    """
    if not isinstance(problem.meaning, Predictions):
        return []
    kept = [(i, float(w)) for i, w in zip(indices, weights, strict=True) if w > 0 and i in outputs]
    keys = {output for m in problem.meaning.matches for output, _ in m.keys}
    found: list[tuple[str, Array, Array]] = []
    places: dict[int, tuple[str, Array]] = {}  # by how many values: the output that says where they are
    for name in _not_compared(problem, keys):
        values, share = _alike(name, kept, outputs)
        if not len(values):
            continue
        if len(values) > 1 and (values == values[0]).all():
            places.setdefault(values.shape[1], (name, values[0]))  # the same in all runs: it may say where
        elif name not in keys:
            found.append((name, values, share))
    made = []
    for name, values, share in found[:MOST]:
        n = values.shape[1]
        label, x = places.get(n, (COUNTED, np.arange(1.0, n + 1.0)))
        label, x = (label, x) if says_where(label) or label == COUNTED else (COUNTED, np.arange(1.0, n + 1.0))
        made.append(Predicted(x, np.full(n, np.nan), values, share, f"{label} (not measured)", name))
    return made


def _not_compared(problem: Problem, keys: Collection[str]) -> Iterator[str]:
    """Keys too: they may say where the values of the others are."""
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    used = {m.output for m in matches}
    return (o.name for o in problem.outputs if not o.text and (o.name not in used or o.name in keys))


def _alike(name: str, kept: Sequence[tuple[int, float]], outputs: Outputs) -> tuple[Array, Array]:
    """Values (k, m) of the runs that have as many as most, and their weights (k,), which sum to one."""
    read = [(np.asarray(outputs[i][name], dtype=float), w) for i, w in kept if name in outputs[i]]
    read = [(v, w) for v, w in read if v.ndim == 1 and 0 < len(v) <= MOST_POINTS and np.isfinite(v).all()]
    if not read:
        return np.empty((0, 0)), np.empty(0)
    lengths = [len(v) for v, _ in read]
    n = max(set(lengths), key=lengths.count)
    some = [(v, w) for v, w in read if len(v) == n]
    weights = np.array([w for _, w in some])
    return np.array([v for v, _ in some]), weights / weights.sum()
