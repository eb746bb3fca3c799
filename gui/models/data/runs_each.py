"""How many runs each point of a random program gets where nobody typed a number, and what that costs, in words. Pure."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from bayescope.engine.problem.definition import ApproximateBayes, Meaning, Problem, SyntheticLikelihood
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.engine.problem.runs_a_point import FEW_PER_NUMBER, default_runs, is_default, noise_sd, numbers_compared

M = TypeVar("M", bound=Meaning)


def with_default_runs(problem: Problem, meaning: M, seconds: float | None, before: Meaning | None = None) -> M:
    """``meaning``, which is to be that of ``problem``, with as many runs at each point as it asks for, a run of the program
    taking ``seconds`` (None: not known). ``before``: the meaning until now; a number of runs that was typed there stays."""
    if not isinstance(meaning, SyntheticLikelihood | ApproximateBayes):
        return meaning
    if before is not None and not is_default(before, problem.data):
        return meaning
    settings = problem.settings
    runs = default_runs(meaning, problem.data, settings.max_evaluations, settings.workers, seconds)
    return msgspec.structs.replace(meaning, repeats=runs)


def why_so_many(problem: Problem) -> str:
    """What so many runs at each point do to the noise of a synthetic likelihood, a sentence; "": nothing is known of it."""
    meaning = problem.meaning
    numbers = numbers_compared(meaning, problem.data) if isinstance(meaning, SyntheticLikelihood) else None
    if numbers is None or not isinstance(meaning, SyntheticLikelihood) or meaning.repeats < 2 or meaning.shrinkage > 0.0:
        return ""
    noise = spoken(noise_sd(numbers, meaning.repeats), 2)
    each = "the number compared" if numbers == 1 else f"the {numbers} numbers compared"
    runs = f"With {meaning.repeats} runs for {each}"
    enough = "; where runs are slow 1 to 2 will do" if meaning.repeats >= FEW_PER_NUMBER * numbers else ""  # too few
    return f"{runs} a log-likelihood is off by about {noise} by chance{enough}."
