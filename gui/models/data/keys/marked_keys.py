"""Columns that were said to be the key as their file was imported: they pair the rows that are taken in order. Pure."""

from __future__ import annotations

from collections.abc import Collection

from bayescope.engine.problem.definition import Problem
from bayescope.gui.models.data.keys.against_order import first_against_order
from bayescope.gui.models.simulator.trials.trial import Trial


def with_marked_keys(problem: Problem, trial: Trial | None, marked: Collection[str] = ()) -> Problem:
    """``problem`` with rows that are taken in order paired by the column that was said to be the key, now (``marked``) or when
    its file was imported, where nothing has to be guessed or left out for it."""
    if trial is None or trial.report is None or not (marked := (*marked, *trial.answers.keys)):
        return problem
    found = first_against_order(problem, trial.report, trial.second, marked)
    return problem if found is None or found.problem is None or not found.sure else found.problem
