"""Two runs right beside each other: whether they gave the same, but for the slope between them. Light: no torch.

Whatever a surrogate predicts there, runs that agree with each other vouch for each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...diagnostics import implausible
from ...loop_interface import LoopSettings, Tell
from .doubts import BESIDE
from .outputs_memory import ROOT_TWO, SMOOTH, UNSEEN, OutputsMemory

Array = NDArray[np.float64]

REACH = 2.5  # times ``BESIDE``: two runs to either side of a third are twice as far from each other as from it
SDS_APART = 3.0  # of the scatter of outputs by which two runs beside each other may differ


def right_beside(u: Array, told: Iterable[Tell], width: Array) -> list[Tell]:
    """Those with a value within ``REACH`` of u (D,) along every parameter; ``width`` (D,): of the plausible ranges."""
    reach = REACH * BESIDE * width
    return [t for t in told if t.y is not None and bool(np.all(np.abs(np.asarray(t.u, float) - u) <= reach))]


def apart(one: Tell, other: Tell, settings: LoopSettings) -> float | None:
    """Rms over the cells in noise units by which their outputs differ; None where these are not compared with data."""
    if one.outputs is None or other.outputs is None or settings.cells is None:
        return None
    return float(np.sqrt(np.mean(np.square((one.outputs - other.outputs) / settings.cells.units))))


def scatter_seen(told: Sequence[Tell], settings: LoopSettings) -> float:
    """Rms over the cells in noise units by which outputs scatter, by all pairs of runs right beside each other: 0 where they
    agree, UNSEEN where there are none."""
    width = np.asarray(settings.plausible_upper - settings.plausible_lower, dtype=float)
    gaps = [
        gap
        for k, one in enumerate(told)
        if one.y is not None
        for other in right_beside(np.asarray(one.u, float), told[:k], width)
        if (gap := apart(one, other, settings)) is not None and np.isfinite(gap)
    ]
    if not gaps:
        return UNSEEN
    found = float(np.sqrt(np.mean(np.square(gaps)))) / ROOT_TWO
    return found if found > SMOOTH else 0.0


def gave_the_same(
    one: Tell, other: Tell, settings: LoopSettings, outputs: OutputsMemory, predicted: float, off: float, slope: float
) -> bool:
    """Of two runs beside each other. ``predicted``: the log joint there, and ``off`` by how many noise units outputs are off what
    is predicted for them; ``slope``: how much the log joint of ``one`` is predicted to exceed that of ``other``.

    Outputs tell by themselves: on a narrow ridge their log joint changes within that distance by more than its digits.
    """
    if one.y is None or other.y is None:
        return False
    gap = apart(one, other, settings)
    if gap is None:
        return not outputs.scatters and implausible.came_again(one.y, other.y, predicted, slope)
    return gap < max(implausible.ROUGH, implausible.SAME * off, SDS_APART * outputs.roughness)
