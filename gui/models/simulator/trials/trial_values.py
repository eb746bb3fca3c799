"""Values to try out while setting up: a typical one of each prior, and another plausible one."""

from __future__ import annotations

import math
import random

from bayescope.engine.problem.definition import Parameter
from bayescope.engine.problem.numbers.shown_digits import rounded_among

MIDDLE = (0.25, 0.75)  # quantiles between which values to try differ, however far from zero both lie
DIGITS = 4  # of such a difference


def typical(parameter: Parameter) -> float:
    """A value to try: the fixed value, the middle of the plausible range, or the prior's median; 0 if there is none."""
    from bayescope.engine.problem.errors import ProblemError
    from bayescope.engine.problem.priors import of_parameter

    if parameter.fixed is not None:
        return parameter.fixed
    if parameter.plausible is not None:
        return sum(parameter.plausible) / 2
    try:
        prior = of_parameter(parameter)
        value, around = float(prior.quantile(0.5)), [float(prior.quantile(p)) for p in MIDDLE]
    except (ProblemError, ValueError, OverflowError):
        return 0.0
    return rounded_among(value, around, DIGITS) if math.isfinite(value) else 0.0


def another_value(parameter: Parameter, now: float, turn: int = 0) -> float:
    """Another plausible value, a little away from ``now``, and in each ``turn`` another one; the fixed value if there is one."""
    from bayescope.engine.problem.errors import ProblemError
    from bayescope.engine.problem.priors import of_parameter

    if parameter.fixed is not None:
        return parameter.fixed
    chance = random.Random(f"{parameter.name} {turn}" if turn else parameter.name)
    p = chance.uniform(0.3, 0.7) if turn else chance.choice((0.4, 0.6))
    if parameter.plausible is not None:
        low, high = parameter.plausible
        return low + (high - low) * p
    try:
        prior = of_parameter(parameter)
        value, around = float(prior.quantile(p)), [float(prior.quantile(p)) for p in MIDDLE]
    except (ProblemError, ValueError, OverflowError):
        return now
    return rounded_among(value, around, DIGITS) if math.isfinite(value) else now
