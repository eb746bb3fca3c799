"""Whether the best run is so far from the data that an answer is in doubt: one decision, for words, buttons and the method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

BEST_MISFIT = "best_misfit"  # diagnostic: of the best run, in standard errors, where it is far from the data
BEYOND_CHANCE = "beyond_chance"  # diagnostic: the same of an answer that is not converged, where its place alone is in doubt
FAR_OFF, BY_CHANCE = 3.0, 1e-6  # standard errors (root mean square), and chance of as much, from which an answer is in doubt
OUT_OF_REACH = 10.0  # standard errors (root mean square) from which no error stated wrongly by a factor or two explains it

# place: chance does not explain it, errors somewhat larger than stated may; far: neither does; out of reach: there is a mistake
Doubt = Literal["none", "place", "far", "out of reach"]


def doubt_of(misfit: float, chance: float) -> Doubt:
    """``misfit``: of the best run, root mean square in standard errors; ``chance``: of one as large where all is right."""
    if not chance < BY_CHANCE:
        return "none"
    return "place" if misfit <= FAR_OFF else _far(misfit)


def doubt_told(diagnostics: Mapping[str, float]) -> Doubt:
    """The same of an answer, from its diagnostics."""
    if BEST_MISFIT in diagnostics:
        return _far(diagnostics[BEST_MISFIT])
    return "place" if BEYOND_CHANCE in diagnostics else "none"


def _far(misfit: float) -> Doubt:
    return "far" if misfit <= OUT_OF_REACH else "out of reach"
