"""Before anything says "converged": fresh evaluations at draws from the posterior (RECIPE, certification) and in its tails."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..interface import State
from . import stopping
from .probes import tail_excess

Array = NDArray[np.float64]

TAIL_DROP = 5.0  # nats below the top of a line through the bulk at which tails are checked
TAIL_LIMIT = 0.06  # posterior mass that the tails may seem to lack
PAUSE_AFTER_REFUSAL = 5  # evaluations before the next attempt


def checks_wanted(dimension: int, walled: bool = False) -> int:
    """5 up to D = 4, 10 from D = 8; twice as many where the density is zero somewhere (``walled``)."""
    wanted = int(np.clip(dimension + 2, 5, 10)) if dimension > 4 else 5
    return 2 * wanted if walled else wanted


def limit(dimension: int) -> float:
    return 0.15 if dimension <= 4 else 0.12 if dimension <= 6 else 0.10


def evidence_limit(dimension: int, walled: bool = False) -> float:
    """Largest sd of the log evidence that may be stated as converged: .07 up to D = 6, .09 from D = 10; more where ``walled``.

    Answers that were wrong by .1 after all had stated .08 or so (tests/benchmarks/README.md).
    """
    return float(np.hypot(np.interp(dimension, [6, 10], [0.07, 0.09]), stopping.EDGE_SD_LIMIT if walled else 0.0))


def tails_wanted(dimension: int) -> int:
    """2 up to D = 3, 6 from D = 10: no posterior draw shows that tails are missing."""
    return int(np.clip((dimension + 2) // 2, 2, 6))


@dataclass
class Certification:
    """One attempt: draws from the posterior as it stood, then tail points; ``residuals`` are y - mean of that surrogate."""

    points: Array  # (V + T, D) box frame
    asked: int = 0
    told: int = 0
    residuals: list[float] = field(default_factory=list)  # of the draws; -inf where the density turned out to be zero
    tails: int = 0  # T: how many of the points, at their end, are tail points
    tail_residuals: list[float] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        return self.told >= len(self.points)

    def add(self, position: int, residual: float | None) -> None:
        """The outcome of point ``position``; None: the run failed."""
        self.told += 1
        if residual is not None:
            drawn = position < len(self.points) - self.tails
            (self.residuals if drawn else self.tail_residuals).append(residual)

    def verdict(self, dimension: int) -> tuple[bool, float, float]:
        """(accepted, l, se): l = log mean exp(r), an unbiased correction of Z; se = sd(r) / sqrt V and the tails' excess."""
        if len(self.residuals) < max(3, (len(self.points) - self.tails + 1) // 2):
            return False, float("nan"), float("nan")
        ratio = np.exp(np.minimum(np.array(self.residuals), 50.0))
        mean = float(ratio.mean())
        if mean <= 0.0:
            return False, float("-inf"), float("nan")
        correction = float(np.log(mean))
        finite = bool(np.all(ratio > 0.0))
        se = float(np.log(ratio).std(ddof=1) if finite else ratio.std(ddof=1) / mean) / np.sqrt(len(ratio))
        excess = tail_excess(np.array(self.tail_residuals), TAIL_DROP, dimension)
        accepted = abs(correction) + se < limit(dimension) and excess < TAIL_LIMIT
        return accepted, correction, float(np.hypot(se, excess))

    def to_state(self) -> State:
        return {
            "points": self.points.copy(),
            "tails": self.tails,
            "asked": self.asked,
            "told": self.told,
            "residuals": list(self.residuals),
            "tail_residuals": list(self.tail_residuals),
        }

    @classmethod
    def of_state(cls, s: State) -> Certification:
        """States of earlier versions know no tails."""
        return cls(
            np.array(s["points"], dtype=float),
            int(s["asked"]),
            int(s["told"]),
            [float(r) for r in s["residuals"]],
            int(s.get("tails", 0)),
            [float(r) for r in s.get("tail_residuals", [])],
        )
