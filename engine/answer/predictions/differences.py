"""Outputs of two runs, number by number: what differs most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.numbers.shown_digits import spoken

Array = NDArray[np.float64]

LEAST = 1e-16  # below the spacing of double precision: a difference is never told as none


@dataclass(frozen=True)
class Difference:
    """``relative``: to the largest number of the output; infinity where one is missing, not a number, or of another length.

    ``position``: from 0, of the number that differs most, ``before`` and ``after``.
    """

    output: str
    relative: float
    words: str
    position: int = 0
    before: float = np.nan
    after: float = np.nan


def largest_difference(before: Mapping[str, Array], after: Mapping[str, Array]) -> Difference | None:
    """What differs most between the outputs of two runs; None if they are the same to the last digit.

    NaN counts as equal to NaN. Arrays of any shape.
    """
    worst: Difference | None = None
    for name in dict.fromkeys((*before, *after)):
        a, b = before.get(name), after.get(name)
        if a is None or b is None:
            found: Difference | None = Difference(name, np.inf, f"output “{name}” was read in one of the runs only")
        elif a.shape != b.shape:
            found = Difference(name, np.inf, f"output “{name}” has {_many(b.size)} instead of {a.size}")
        else:
            found = _of_one(name, np.asarray(a, float).ravel(), np.asarray(b, float).ravel())
        if found is not None and (worst is None or found.relative > worst.relative):
            worst = found
    return worst


def _of_one(name: str, a: Array, b: Array) -> Difference | None:
    unequal = ~((a == b) | (np.isnan(a) & np.isnan(b)))
    if not unequal.any():
        return None
    both = np.abs(np.concatenate([a, b]))
    size = max(float(np.max(both, where=np.isfinite(both), initial=0.0)), 1e-300)
    with np.errstate(all="ignore"):
        gap = np.where(unequal, np.abs(a - b) / size, 0.0)
    gap[np.isnan(gap)] = np.inf
    k = int(np.argmax(gap))
    relative = max(float(gap[k]), LEAST)
    by = f"by {spoken(100 * relative, 2)} % of its size" if np.isfinite(relative) else "beyond measure"
    which = f" in number {k + 1}" if a.size > 1 else ""
    before, after = _told_apart(float(a[k]), float(b[k]))
    words = f"output “{name}” differs {by}{which} ({before} before, {after} after)"
    return Difference(name, relative, words, k, float(a[k]), float(b[k]))


def _many(count: int) -> str:
    return f"{count} number" if count == 1 else f"{count} numbers"


def _told_apart(a: float, b: float) -> tuple[str, str]:
    """Both with as few digits as show that they differ."""
    for digits in (6, 9, 12):
        texts = f"{a:.{digits}g}", f"{b:.{digits}g}"
        if texts[0] != texts[1]:
            return texts
    return repr(a), repr(b)
