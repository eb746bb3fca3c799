"""The two maps of a feasibility, of which runs each is made, and their hyperparameters as the runs grow."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..surrogate.evaluations import Evaluations
from . import success_map
from .hyperparameters import MapFit

Array = NDArray[np.float64]

CHANCE = {"possible": (False,), "runs": (False, True)}  # whether an outcome may be by chance: a value of zero never is


def refitted(known: Evaluations, fits: Mapping[str, MapFit]) -> dict[str, MapFit]:
    """``fits`` with those made anew that are wanted: the first, and each time the runs have grown."""
    found = dict(fits)
    for name, (good, bad) in outcomes(known.points, known.impossible, known.failed).items():
        if len(bad):
            own = success_map.refitted(good, bad, own_fits(fits, name), CHANCE[name])
            found.update({_key(name, chance): fit for chance, fit in own.items()})
    return found


def _key(name: str, chance: bool) -> str:
    return f"{name}, chance" if chance else name


def own_fits(fits: Mapping[str, MapFit], name: str) -> dict[bool, MapFit]:
    return {chance: fits[_key(name, chance)] for chance in CHANCE[name] if _key(name, chance) in fits}


def outcomes(good: Array, impossible: Array, failed: Array) -> dict[str, tuple[Array, Array]]:
    """The runs that were possible and those that were not; those that ran and those that failed."""
    return {"possible": (good, impossible), "runs": (np.concatenate([good, impossible]), failed)}
