"""Exact or sparse: which surrogate a number of evaluations calls for, and why, in a sentence for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .inducing import most_inducing_points

EXACT_UP_TO = 700  # points; beyond, one exact fit (about 40 factorizations) takes longer than a sparse one


@dataclass(frozen=True)
class Choice:
    kind: Literal["exact", "sparse"]
    most_inducing: int
    reason: str


def choose(
    points: int,
    new_evaluations: int = 0,
    forced: Literal["exact", "sparse"] | None = None,
    most_inducing: int | None = None,
) -> Choice:
    """The kind of surrogate for ``points`` evaluations, ``new_evaluations`` of them added by this run."""
    most = min(points, most_inducing or most_inducing_points(new_evaluations))
    kind: Literal["exact", "sparse"] = forced or ("exact" if points <= EXACT_UP_TO else "sparse")
    if forced is not None:
        article = "An" if kind == "exact" else "A"
        return Choice(kind, most, f"{article} {kind} surrogate of {points} evaluations was chosen in the settings.")
    if kind == "exact":
        return Choice(kind, most, f"{points} evaluations are few enough for an exact surrogate.")
    return Choice(
        kind,
        most,
        f"{points} evaluations are too many for an exact surrogate; a sparse one with at most {most} inducing points is used.",
    )
