"""Measured rows that a run lacks, between rows that it has: the output is interpolated there. Pure."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.data.rows.comparison import key_values
from bayescope.engine.problem.data.rows.pairing import swept_outwards
from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.gui.models.data.compared_outputs import fits
from bayescope.gui.models.data.keys.part_keys import agree
from bayescope.gui.models.data.keys.rows_outside import outside_words, without_outside

FAILS = "A run that lacks rows counts as failed: it gives no likelihood and teaches only where runs fail."

ELSE_FAILS = "A run that lacks rows counts as failed, unless its rows are interpolated."


def interpolated(problem: Problem, index: int, outputs: Mapping[str, NDArray[np.float64]]) -> tuple[Problem, int] | None:
    """The output interpolated in every comparison with the same key as ``index``, and how many measured rows of that are left out
    since they lie beyond its rows; ``outputs``: the values (n,) of each. None: it is already, or too many lie beyond them."""
    if not isinstance(problem.meaning, Predictions) or problem.data is None:
        return None
    mine = problem.meaning.matches[index]
    if not mine.keys or mine.interpolate or not (len(mine.keys) > 1 or swept_outwards(key_values(mine, outputs)[0])):
        return None
    matches, out = list(problem.meaning.matches), 0
    for i, match in enumerate(problem.meaning.matches):
        if match.keys == mine.keys and match.output in outputs:
            changed = msgspec.structs.replace(match, interpolate=True, by_day=False, key_tolerance=None)
            found = without_outside(changed, problem.data, outputs)
            if found is not None and fits(found[0], problem.data, outputs):
                matches[i], out = found[0], found[1] if i == index else out
            elif i == index:
                return None
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, matches=tuple(matches))), out


def run_lacks(lost: int, measured: int) -> bool:
    """Whether so few of the measured rows have no partner that the key is right and the run lacks them."""
    return lost > 0 and agree(measured - lost, measured)


def between_words(lost: int, out: int = 0, measured: int = 0) -> str:
    """What interpolating does for rows that are ``lost``, of which ``out`` of all ``measured`` ones are left out. Sentences."""
    inside = lost - out
    rows, their = ("The row lies", "its prediction") if inside == 1 else ("These rows lie", "their predictions")
    if out:
        rows = f"{inside} row{' lies' if inside == 1 else 's lie'}"
    told = f"{rows} between rows that the program prints: the straight line between those gives {their}."
    return f"{told} {outside_words(out, measured)} {FAILS}" if out else f"{told} {FAILS}"
