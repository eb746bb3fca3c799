"""Parameters that the program does not seem to read: moved alone or together, they change no number of any output.

Only outputs that are the same to the last digit accuse. A flat marginal does not: the program may read a parameter of which the
data tell nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..problem.checks.check_random import seed_places
from ..problem.checks.check_simulator import noise_parameters, simulator_parameters
from ..problem.definition import NumberFormat, Problem, Simulator, free_parameters, is_noisy
from ..problem.errors import ProblemError
from ..problem.numbers.number_format import format_number
from ..problem.placeholders import normal
from ..problem.transforms import ParameterSpace
from ..session.records import IterationRecord
from .predictions.differences import largest_difference

Array = NDArray[np.float64]

KEY = "no_effect "  # diagnostic: a parameter's name stands behind it
TELLING = 0.15, 0.85  # of the plausible range: where a parameter is moved to, far enough for programs that print few digits
QUICK_S = 5.0  # a run may take where one for each parameter is made that nobody asked for
NAMED = 4  # parameters in a sentence
WHERE = "Look at the files that a test run filled in: is the value in the field, the line or the cell that the program reads?"


def read_alone(problem: Problem) -> tuple[str, ...]:
    """Free parameters that only the program is given: those that could be without effect. None of a program that is random, since
    its outputs are never the same twice."""
    if is_noisy(problem.meaning) or seed_places(problem):
        return ()
    given = simulator_parameters(problem) - noise_parameters(problem)
    return tuple(p.name for p in free_parameters(problem) if normal(p.name) in given)


def moved(space: ParameterSpace, u: Array, names: Collection[str], turn: int = 0) -> Array:
    """u (D,) in inference space with ``names`` moved far into their plausible ranges, to the farther end; ``turn`` 1: to the
    nearer one."""
    lower, upper = (np.asarray(side, dtype=float) for side in space.plausible_box())
    there = lower + np.array(TELLING)[:, None] * (upper - lower)
    far = np.argmax(np.abs(there - u), axis=0)
    ends = there[(far + turn) % 2, np.arange(len(lower))]
    return np.asarray(np.where([name in names for name in space.names], ends, u), dtype=float)


def given_otherwise(
    simulator: Simulator, names: Collection[str], a: Mapping[str, float], b: Mapping[str, float]
) -> bool:
    """Whether the program is given another text for each of ``names``: few digits hide a small move."""
    formats = {normal(name): form for name, form in simulator.formats.items()}
    try:
        return all(
            format_number(a[name], form, name) != format_number(b[name], form, name)
            for name in names
            for form in [formats.get(normal(name), NumberFormat())]
        )
    except (ProblemError, KeyError):
        return False


def same(a: Mapping[str, ArrayLike], b: Mapping[str, ArrayLike]) -> bool:
    """Whether two runs gave the same outputs, to the last digit."""
    one, other = ({name: np.asarray(v, dtype=float) for name, v in run.items()} for run in (a, b))
    return bool(one) and largest_difference(one, other) is None


# ------------------------------------------------------------------ words


def what_words(names: Sequence[str]) -> str:
    """``k2 and k3 change nothing in the outputs``."""
    return f"{_listed(names)} {'changes' if len(names) == 1 else 'change'} nothing in the outputs"


def question(names: Sequence[str]) -> str:
    """``k2 and k3 change nothing in the outputs: does the program read them where they stand?``; "" of none."""
    it, stand = ("it", "it stands") if len(names) == 1 else ("them", "they stand")
    return f"{what_words(names)}: does the program read {it} where {stand}?" if names else ""


def told(diagnostics: Mapping[str, float]) -> tuple[str, ...]:
    """Names of the parameters without effect, as stored with an answer."""
    return tuple(name.removeprefix(KEY) for name in diagnostics if name.startswith(KEY))


def saying_idle(record: IterationRecord, names: Sequence[str]) -> IterationRecord:
    """``record`` with what was found said first."""
    if not names:
        return record
    reason = f"{question(names)} A run with {'it' if len(names) == 1 else 'them'} moved gave the same, to the last digit. {WHERE}"
    return replace(
        record, reasons=(reason, *record.reasons), diagnostics={**record.diagnostics, **{KEY + name: 1.0 for name in names}}
    )


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:NAMED])
    if len(names) > NAMED:
        shown.append(f"{len(names) - NAMED} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
