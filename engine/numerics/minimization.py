"""The lowest end of descents from several starts within limits: the one fit of hyperparameters there is (L-BFGS-B)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

Array = NDArray[np.float64]

LEAST_GAIN = 1e-6  # of the objective's size: a step that gains less is the last
FLAT = 1e-3  # largest slope that counts as none, in nats per unit of a logarithm
MOST_EVALUATIONS = 15_000  # scipy's own


@dataclass(frozen=True)
class Minimum:
    """Where the best descent ended (p,), the value there, and how often the objective was evaluated in all."""

    x: Array
    value: float
    evaluations: int


def lowest(
    objective: Callable[[Array], tuple[float, Array]],
    starts: Sequence[Array],
    lower: Array,
    upper: Array,
    steps: int,
    least_gain: float = LEAST_GAIN,
    flat: float = FLAT,
    evaluations: int = MOST_EVALUATIONS,
) -> Minimum:
    """``objective``: (p,) -> value and gradient; ``starts`` (p,) each, drawn in to the limits (p,). A descent takes up to
    ``steps``, and ends with the step in which it passes ``evaluations``.
    """
    best, count = Minimum(np.clip(starts[0], lower, upper), np.inf, 0), 0
    for start in starts:
        found = optimize.minimize(
            objective, np.clip(start, lower, upper), jac=True, method="L-BFGS-B", bounds=optimize.Bounds(lower, upper),
            options={"maxiter": steps, "maxfun": evaluations, "ftol": least_gain, "gtol": flat},
        )  # fmt: skip
        count += int(found.nfev)
        if found.fun < best.value:
            best = Minimum(np.asarray(found.x, dtype=np.float64), float(found.fun), count)
    return Minimum(best.x, best.value, count)
