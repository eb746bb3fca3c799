"""How long a run takes at most, told before it has a pace of its own, from which ``engine.run.pace`` tells what remains. Pure."""

from __future__ import annotations

import os
from collections.abc import Sequence
from statistics import median

from bayescope.engine.problem.definition import Problem, free_parameters, runs_per_point

OF_A_TRIAL = (0.9, 1.4)  # of what the test run took: other values take less or more, and runs side by side hinder each other
COMPUTED_S = (0.008, 0.064)  # between two runs, times the square of the number of parameters: on an idle computer, on a busy one
COMPUTED_FEW_S = 1.2  # at least, on a busy one: with few parameters it is the outputs that count
RECENT = 40  # evaluations by which what a run takes is told
LITTLE = 0.1  # of the program's time, below which the computing is not told apart


def seconds_ahead(
    problem: Problem, points: int, workers: int, seconds: float, here: bool = True, cores: int | None = None
) -> tuple[float, float]:
    """A range (s) for ``points``, so many ``workers`` at a time, if a run of the program alone takes ``seconds``.

    Runs on this computer (``here``) beyond the number of its ``cores`` (None: as it has) may gain nothing.
    """
    busy = min(workers, cores or os.cpu_count() or 1) if here else workers
    squared = len(free_parameters(problem)) ** 2
    least, most = points * COMPUTED_S[0] * squared, points * max(COMPUTED_S[1] * squared, COMPUTED_FEW_S)
    fast, slow = (program_seconds(problem, points, at_once, seconds) for at_once in (workers, busy))
    return OF_A_TRIAL[0] * fast + least, OF_A_TRIAL[1] * slow + most


def made_in(problem: Problem, durations: Sequence[float]) -> float | None:
    """Seconds of a run of the program, by the median of evaluations made (``durations``, s); None: nothing is known of it."""
    took = [seconds for seconds in durations[-RECENT:] if seconds > 0.0]
    return median(took) / runs_per_point(problem.meaning) if took else None


def program_seconds(problem: Problem, points: int, workers: int, seconds: float) -> float:
    """Seconds that pass in runs of the program."""
    return points * runs_per_point(problem.meaning) * seconds / max(min(workers, points), 1)


def program_counts(problem: Problem, points: int, workers: int, seconds: float) -> bool:
    """Whether nearly all the time passes in the program."""
    computed = points * COMPUTED_S[0] * len(free_parameters(problem)) ** 2
    return computed < LITTLE * program_seconds(problem, points, workers, seconds)
