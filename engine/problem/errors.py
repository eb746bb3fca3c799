"""Errors of the problem room, written for the person who typed the problem in."""

from __future__ import annotations

from typing import Literal

# what a person has to correct first: the form of a place, the program there, which place was chosen, or that predictions of a
# random program are declared as exact
Correct = Literal["", "place", "program", "where", "random"]


class ProblemError(ValueError):
    """What is wrong with the problem, where, and what to try; ``str()`` joins the three into sentences."""

    def __init__(self, what: str, where: str = "", suggestion: str = "") -> None:
        self.what = what
        self.where = where
        self.suggestion = suggestion
        place = f" (in {where})" if where else ""
        super().__init__(f"{what}{place}" + (f" {suggestion}" if suggestion else ""))


class SetupError(Exception):
    """Something about the set-up, not about one point, stops a simulator from being run: what happened, where, what to try.

    ``str()`` joins ``message`` and ``suggestion``.
    """

    def __init__(self, message: str, suggestion: str = "", correct: Correct = "") -> None:
        self.message = message
        self.suggestion = suggestion
        self.correct: Correct = correct
        super().__init__(f"{message} {suggestion}".strip())
