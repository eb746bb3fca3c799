"""Meanings that were set up and left for another one: there again, as they were, when they are chosen again."""

from __future__ import annotations

from typing import Any

import msgspec

from bayescope.engine.problem.definition import Meaning, Problem
from bayescope.gui.models.data.dates.day_zero import COLUMNS
from bayescope.gui.models.simulator.renaming import rebuilt

OUTPUTS = ("output", "key_output", "second_key_output")  # fields that name one


class LeftMeanings:
    """The newest of each kind, of one program: the outputs and columns that it refers to have to be there."""

    def __init__(self) -> None:
        self._left: dict[type[Any], tuple[tuple[str, ...], Meaning]] = {}

    def keep(self, problem: Problem) -> None:
        """Its meaning is left for another one."""
        self._left[type(problem.meaning)] = tuple(problem.simulator.command), problem.meaning

    def back(self, problem: Problem, kind: type[Any]) -> Meaning | None:
        """The meaning of this ``kind`` as it was left, with the summaries of now where there are some; None: there was none, the
        present one is of it, or an output or a column that it refers to is gone."""
        command, left = self._left.get(kind, ((), None))
        if left is None or isinstance(problem.meaning, kind) or command != tuple(problem.simulator.command):
            return None
        now = getattr(problem.meaning, "summaries", ())
        if now and hasattr(left, "summaries"):
            left = msgspec.structs.replace(left, summaries=now)
        outputs, columns = names_in(left)
        data = problem.data
        there = {*data.columns, *data.texts} if data is not None else set()
        known = outputs <= {o.name for o in problem.outputs} and columns <= there
        return left if known and (outputs or columns) else None


def names_in(meaning: Meaning) -> tuple[set[str], set[str]]:
    """The outputs and the data columns that a meaning refers to."""
    outputs: set[str] = set()
    columns: set[str] = set()

    def part(_record: Any, field: str, inner: Any) -> Any:
        if isinstance(inner, str) and inner:
            (outputs if field in OUTPUTS else columns if field in COLUMNS else set()).add(inner)
        return rebuilt(inner, part)

    rebuilt(meaning, part)
    return outputs, columns
