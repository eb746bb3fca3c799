"""How a run ended, in words."""

from __future__ import annotations

import math

from ..answer.nouns import counted_as
from ..answer.where_known import CONFIRMED_IN_PART
from ..answer.words import BEST_FIT_FOUND
from ..problem.definition import Meaning, evaluation_noun, runs_per_point
from ..problem.numbers.shown_digits import spoken
from ..session.records import IterationRecord
from .messages import Outcome


def stopped(left: bool, so_far: str, not_cancelled: int = 0, place: str = "") -> str:
    """``left``: jobs on another computer go on without us; ``not_cancelled``: so many could not be cancelled at ``place``."""
    if left:
        return f"Left {so_far}. Jobs under way elsewhere go on; their results are collected by the next start."
    if not_cancelled:
        jobs, go = ("One job", "goes") if not_cancelled == 1 else (f"{not_cancelled} jobs", "go")
        return f"Stopped {so_far}. {jobs} could not be cancelled, since {place} cannot be reached, and {go} on there."
    return f"Stopped {so_far}. It can be resumed at any time."


def ran_out(
    last: IterationRecord | None, so_far: str, *, failed: int, budget: int, hours: float | None, untold: bool, imported: bool,
    spent: bool, finished: bool, asked_for: bool = False,
) -> tuple[Outcome, str]:
    """Of a run that nobody stopped and that did not give up. ``last``: its newest answer. ``hours``: its limit. ``untold``: runs
    are under way that the loop was not told; ``imported``: the answer is made from imported evaluations alone; ``spent``: all of
    the budget has been asked for; ``finished``: the loop has no further point to try; ``asked_for``: no others were wanted."""
    if untold:
        return "time", f"The time limit of {spoken(hours)} hours is reached, {so_far}."
    if last is not None and last.converged:
        return "converged", f"Converged {so_far}."
    if finished and last is not None and last.diagnostics.get(CONFIRMED_IN_PART, 0.0):
        return "converged", f"Confirmed where runs succeed {so_far}."
    if finished and last is not None and last.diagnostics.get(BEST_FIT_FOUND, 0.0):
        return "converged", f"The best fit is found {so_far}."
    if imported:
        if last is None or math.isnan(last.elbo):
            return "failed", "The imported evaluations alone give no posterior; allow some simulator runs."
        return "budget", "The posterior was made from the imported evaluations alone; no simulator run was made."
    if asked_for and not spent:
        return "stopped", f"The runs asked for are made, {so_far}."
    if spent:
        return "budget", f"The budget of {budget} runs is used up{f', {failed} of them failed' if failed else ''}."
    return "failed", f"The method had no further point to try {so_far}, and has not converged."


def counted(meaning: Meaning, outcome: Outcome, words: str) -> tuple[Outcome, str]:
    """How it ended, told of points where each takes several runs of the program."""
    return outcome, counted_as(evaluation_noun(meaning), (words,))[0]


def jobs_that_go_on(n: int) -> str:
    """A sentence of jobs that a place had taken before it refused others; "" of none."""
    jobs = f"{n} jobs that were handed over before go" if n > 1 else "One job that was handed over before goes"
    return f" {jobs} on; the next start collects what they give." if n else ""


def after(made: int, failed: int, meaning: Meaning) -> str:
    """``failed``: of the ``made``; of a random program they are points, each of several runs."""
    noun = "runs" if runs_per_point(meaning) == 1 else "points"
    return f"after {made} {noun}" + (f" ({failed} of them failed)" if failed else "")
