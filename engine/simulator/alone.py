"""Each parameter moved alone from a test run: which of them change nothing that is read from the program?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import numpy as np

from ..answer import no_effect
from ..problem.definition import Problem
from ..problem.errors import ProblemError
from ..problem.transforms import ParameterSpace
from ..session import folders
from .run_result import RunResult
from .written_texts import Texts, reacts

MOST_S = 120.0  # all of them may take: with many parameters only the first ones are looked at
TURNS = 2  # values at which a parameter has to change nothing before it is named


def idle_parameters(
    problem: Problem, values: Mapping[str, float], run: RunResult,
    run_at: Callable[[Mapping[str, float], Path, int], RunResult], folder: Path,
    written: Callable[[Path], Texts], texts: Texts,
) -> tuple[str, ...] | None:  # fmt: skip
    """Names of those that change nothing where ``run`` was made, at ``values``; None: that was not looked at.

    One that changes something else in what the program writes is none: outputs may still have to be marked there. ``written``:
    what a run in that folder wrote; ``texts``: what ``run`` did.

    ``run_at`` makes another at other values, in ``folder``, which is gone after it, with a random seed.
    A program that does not give the same again at the same values accuses none: its outputs differ by themselves.
    """
    names = no_effect.read_alone(problem)
    if run.outcome != "ok" or run.duration_s > no_effect.QUICK_S or not run.outputs or not names:
        return None
    try:
        space = ParameterSpace(problem.parameters)
        u = space.to_inference(np.array([values[name] for name in space.names], dtype=float))
    except (ProblemError, ValueError, KeyError):
        return None
    if not np.isfinite(u).all():
        return None  # at a bound nothing can be said of how far it is moved

    def made(at: Mapping[str, float]) -> tuple[RunResult, Texts]:
        try:
            return run_at(at, folder, 0), written(folder)
        finally:
            folders.remove(folder)

    @cache
    def again() -> Texts:
        return made(values)[1]

    idle = []
    spent = 0.0
    for name in names:
        for turn in range(TURNS):
            there = space.values(no_effect.moved(space, u, (name,), turn))
            at = {**values, name: there[name]}
            if not no_effect.given_otherwise(problem.simulator, (name,), values, at):
                break
            moved, wrote = made(at)
            spent += moved.duration_s
            if moved.cause == "cancelled":
                return None
            if moved.outcome != "ok" or not no_effect.same(run.outputs, moved.outputs):
                break
            if reacts(texts, wrote, (values[name], at[name]), again):
                break
        else:
            idle.append(name)
        if spent > MOST_S:
            break
    return tuple(idle)
