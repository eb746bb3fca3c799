"""How far the rows of an archive reach: beyond the bounds, along a line only, beside the plausible ranges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..problem.numbers.shown_digits import spoken
from ..problem.transforms import ParameterSpace
from .table import ArchiveError, Table

Array = NDArray[np.float64]
MOSTLY = 0.5  # of the rows beyond the bounds: then the column or its units are wrong


@dataclass(frozen=True)
class Coverage:
    """How far the good rows reach along one parameter: from ``low`` to ``high``; ``share`` of the plausible range."""

    name: str
    low: float
    high: float
    plausible: tuple[float, float]
    share: float


def note(notes: list[str], mask: NDArray[np.bool_], words: str) -> None:
    if mask.any():
        notes.append(f"{int(mask.sum()):,} {words}")


def outside(theta: Array, space: ParameterSpace, table: Table, columns: Mapping[str, str], notes: list[str]) -> NDArray[np.bool_]:
    """Rows outside the bounds; ArchiveError when most are, with a guess at the reason."""
    result = np.zeros(len(theta), dtype=bool)
    for i, name in enumerate(space.names):
        t = space.transforms[i]
        with np.errstate(invalid="ignore"):
            bad = (theta[:, i] <= t.lower) | (theta[:, i] >= t.upper)
        known = np.isfinite(theta[:, i])
        if known.any() and bad[known].mean() > MOSTLY:
            fits = [c for c in table.columns if c != columns[name] and _fits(table.column(c), t.lower, t.upper)]
            guess = (
                f" The column “{fits[0]}” would fit: are they swapped?"
                if fits
                else " Are its units those of the problem?"
            )
            raise ArchiveError(
                f"{100 * bad[known].mean():.0f} % of the rows have {name} on or outside its bounds {spoken(t.lower)} to "
                f"{spoken(t.upper)} "
                f"(column “{columns[name]}”, from {spoken(np.nanmin(theta[:, i]))} to {spoken(np.nanmax(theta[:, i]))}).",
                "", guess.strip(),
            )  # fmt: skip
        note(
            notes,
            bad & known & ~result,
            f"rows with {name} on or outside its bounds {spoken(t.lower)} to {spoken(t.upper)} were left out.",
        )
        result |= bad
    return result


def _fits(column: Array, low: float, high: float) -> bool:
    known = column[np.isfinite(column)]
    return len(known) > 0 and float(np.mean((known > low) & (known < high))) > 0.95


def flat(space: ParameterSpace, theta: Array) -> list[str]:
    """A sentence if all rows lie on a line, or in fewer directions than there are parameters."""
    if len(theta) < 3 or space.dimension < 2:
        return []
    u = space.to_inference(theta[:: max(1, len(theta) // 20_000)])
    spread = u.std(axis=0)
    still = [n for n, s, c in zip(space.names, spread, u.T, strict=True) if s <= 1e-9 * (1.0 + np.abs(c).max())]
    if still:
        return [f"All rows have the same {', '.join(still)}: nothing is known of other values. Allow new runs, or fix it."]
    along = np.linalg.svd((u - u.mean(axis=0)) / spread, compute_uv=False)
    directions = int((along > 1e-6 * along[0]).sum())
    if directions == space.dimension:
        return []
    shape = "a line" if directions == 1 else f"a plane of {directions} dimensions"
    return [
        f"All rows lie on {shape}, though there are {space.dimension} parameters: nothing is known beside it. Allow new runs; an "
        "answer from these rows alone would be made up."
    ]


def beside_plausible(reach: tuple[Coverage, ...]) -> list[str]:
    """Parameters whose good rows all lie beyond the plausible range: perhaps in other units."""
    said = []
    for c in reach:
        low, high = c.plausible
        if not (c.high < low or c.low > high):
            continue
        middle, here = 0.5 * (low + high), 0.5 * (c.low + c.high)
        ratio = here / middle if middle else 0.0
        power = round(float(np.log10(ratio))) if ratio > 0 else 0
        size = f" They are about 10^{power} times the plausible values." if abs(power) >= 1 else ""
        said.append(
            f"All good rows have {c.name} between {spoken(c.low)} and {spoken(c.high)}, outside its plausible range "
            f"{spoken(low)} to "
            f"{spoken(high)}: is the column in the units of the problem?{size}"
        )
    return said


def coverage(space: ParameterSpace, theta: Array) -> tuple[Coverage, ...]:
    lower, upper = space.plausible_box()
    low, high = space.to_user(lower), space.to_user(upper)
    found = []
    for i, name in enumerate(space.names):
        a, b = float(theta[:, i].min()), float(theta[:, i].max())
        t = space.transforms[i]
        edges = t.to_inference(np.clip(np.array([a, b]), low[i], high[i]))
        share = float(edges[1] - edges[0]) / max(float(upper[i] - lower[i]), 1e-300)
        found.append(Coverage(name, a, b, (float(low[i]), float(high[i])), min(1.0, share)))
    return tuple(found)
