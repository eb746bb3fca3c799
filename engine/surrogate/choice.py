"""Exact or sparse, and with how many inducing points: what a number of evaluations calls for, in a sentence for people."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from .inducing import most_inducing_points

EXACT_UP_TO = 700  # points; beyond, one exact fit (about 40 factorizations) takes longer than a sparse one
MOST_INDUCING = 1_000  # more cost every prediction more than they bring (measured, tests/benchmarks/README.md)
WORK = 4e10  # multiply-adds N M^2 of one pass over the data: about 40 s of one processor thread


@dataclass(frozen=True)
class Choice:
    """``most_inducing``: how many inducing points a sparse surrogate may have; ``given``: as many are to be taken, uncompared."""

    kind: Literal["exact", "sparse"]
    most_inducing: int
    reason: str
    given: bool = False

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of inducing points to be compared by held-out log density: doubled up to the most."""
        if self.given:
            return (self.most_inducing,)
        sizes = [min(self.most_inducing, most_inducing_points(0))]
        while sizes[-1] < self.most_inducing:
            sizes.append(min(self.most_inducing, 2 * sizes[-1]))
        return tuple(sizes)


def choose(
    points: int,
    new_evaluations: int = 0,
    forced: Literal["exact", "sparse"] | None = None,
    most_inducing: int | None = None,
) -> Choice:
    """The kind of surrogate for ``points`` evaluations, ``new_evaluations`` of them added by this run."""
    given = most_inducing is not None
    most = min(points, most_inducing or affordable_inducing_points(points, new_evaluations))
    kind: Literal["exact", "sparse"] = forced or ("exact" if points <= EXACT_UP_TO else "sparse")
    if forced is not None:
        article = "An" if kind == "exact" else "A"
        return Choice(kind, most, f"{article} {kind} surrogate of {points:,} evaluations was chosen in the settings.", given)
    if kind == "exact":
        return Choice(kind, most, f"{points:,} evaluations are few enough for an exact surrogate.", given)
    return Choice(
        kind,
        most,
        f"{points:,} evaluations are too many for an exact surrogate; "
        f"a sparse one with at most {most:,} inducing points is used.",
        given,
    )


def affordable_inducing_points(points: int, new_evaluations: int = 0) -> int:
    """From 300 + 2 sqrt(N_f) (seed 001 B.2) up to 1,000, as far as N M^2 stays within ``WORK``."""
    fewest = most_inducing_points(new_evaluations)
    return max(fewest, min(MOST_INDUCING, int(math.sqrt(WORK / max(points, 1)))))
