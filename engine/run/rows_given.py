"""Whether a program gives values for the rows that comparisons leave out: it does so in every run or in none."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from ..problem.data.rows.own_rows import counted
from ..problem.definition import DataTable, Match, Predictions, Problem
from ..problem.findings import shorten, values_words


class RowsGiven:
    """Of comparisons in order: a run with values for the rows left in alone is at fault once another one had them for all; it
    lacks some, and which ones its order does not tell."""

    def __init__(self, problem: Problem) -> None:
        meaning, data = problem.meaning, problem.data
        matches = meaning.matches if isinstance(meaning, Predictions) and data is not None else ()
        self._of: list[tuple[Match, DataTable]] = [
            (m, data) for m in matches if data is not None and m.left_out and not m.keys and m.column in data.columns
        ]
        self._whole: set[int] = set()

    def note(self, outputs: Mapping[str, ArrayLike]) -> None:
        """What a run gave, good or not."""
        for k, (match, data) in enumerate(self._of):
            found = counted(_size(outputs, match), match, data)
            if found is not None and not found[1]:
                self._whole.add(k)

    def fault(self, outputs: Mapping[str, ArrayLike]) -> str:
        """Why a run lacks values, a sentence; '' if it does not."""
        for k in sorted(self._whole):
            match, data = self._of[k]
            given = _size(outputs, match)
            found = counted(given, match, data)
            if found is not None and found[1]:
                return (
                    f"The output “{shorten(match.output)}” has {values_words(given)}, but other runs gave one for each row, "
                    "those left out included: which are missing, their order does not tell."
                )
        return ""


def _size(outputs: Mapping[str, ArrayLike], match: Match) -> int:
    return int(np.size(outputs[match.output])) if match.output in outputs else -1
