"""The measured values of a problem in parts: single rows, or so many rows together that there are few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...problem.data.dates.day_zero import written
from ...problem.data.rows.across import across, apart, names_across
from ...problem.data.rows.comparison import keys_shown, measured_cells, place
from ...problem.data.rows.text_keys import SINCE_1970, unit_of
from ...problem.definition import Match, Predictions, Problem
from ...problem.numbers.shown_digits import among

Array = NDArray[np.float64]

MOST_PARTS = 12  # for all columns together; a column has at least one of its own
SOME = 4  # parts of a column that are worth telling apart, however many columns there are


@dataclass(frozen=True)
class Column:
    """One comparison of an output with a data column. ``cells``: which of all measured values; ``rows`` from 1; ``x`` (m,): where
    they stand, called ``label``; ``ordered``: x increases and is a number on which the output depends."""

    match: Match
    cells: slice
    rows: NDArray[np.intp]
    x: Array
    label: str
    ordered: bool
    texts: tuple[str, ...] = ()  # keys as a person sees them, where they are no numbers
    dated: bool = False  # x counts seconds since 1970, texts are dates

    @property
    def name(self) -> str:
        return self.match.column

    def place(self, k: int) -> str:
        """Of the k-th measured value: ``t = 20``, or ``row 3``."""
        return self.places(k, k)

    def between(self, k: int) -> str:
        """Half way from the k-th place to the next."""
        x = 0.5 * (float(self.x[k]) + float(self.x[k + 1]))
        return f"{self.label} = {written(x) if self.dated else among(x, self.x)}"

    def places(self, first: int, last: int) -> str:
        """``t = 20 to 24``; of rows: ``rows 3 to 5``."""
        if self.texts:
            ends = self.texts[first], self.texts[last]
            return ends[0] if first == last else f"{ends[0]} to {ends[1]}"
        if self.label in ("row", "row of the data"):
            return f"row {self.rows[first]}" if first == last else f"rows {self.rows[first]} to {self.rows[last]}"
        a, b = (among(self.x[k], self.x) for k in (first, last))
        return f"{self.label} = {a}" if first == last else f"{self.label} = {a} to {b}"


@dataclass(frozen=True)
class Part:
    """``cells``: which of all measured values. ``whole``: all of a column that also has parts."""

    title: str
    column: str
    cells: NDArray[np.intp]
    whole: bool = False


def columns_of(problem: Problem) -> tuple[Column, ...]:
    """In the order of the measured values. Raises ComparisonError."""
    assert isinstance(problem.meaning, Predictions)
    assert problem.data is not None
    found, first = [], 0
    for match in problem.meaning.matches:
        rows = np.flatnonzero(np.isfinite(measured_cells(match, problem.data)))
        x, label = across(problem, match)
        keyed = bool(match.keys) and place(match, problem.data)[2]
        named, names = names_across(problem, match)
        dated = unit_of(names) == SINCE_1970
        names = tuple(keys_shown(match, problem.data)) if match.keys and not keyed else names
        texts = tuple(names[i] for i in rows) if len(names) else ()
        x = np.asarray(x[rows], dtype=float)
        increases = len(x) > 1 and bool((np.diff(x) > 0).all())
        numbers = not texts and (keyed or label not in ("row", "row of the data"))
        ordered = increases and (dated or numbers) and not apart(problem, match)  # there is nothing between two labels
        cells = slice(first, first + len(rows))
        found.append(Column(match, cells, rows + 1, x, named if dated else label, ordered, texts, dated))
        first = cells.stop
    return tuple(found)


def parts_of(columns: Sequence[Column]) -> tuple[Part, ...]:
    """At most about MOST_PARTS runs of neighbouring rows, and each column that has several of them as a whole."""
    few = max(MOST_PARTS // max(len(columns), 1), SOME if len(columns) <= MOST_PARTS else 1)
    found: list[Part] = []
    for column in columns:
        count = len(column.rows)
        if count == 0:
            continue
        runs = np.array_split(np.arange(count), min(count, few))
        for run in runs:
            title = column.name if len(runs) == 1 else title_of(column, int(run[0]), int(run[-1]))
            found.append(Part(title, column.name, column.cells.start + run))
        if len(runs) > 1 and len(columns) > 1:
            found.append(Part(f"{column.name}, all of it", column.name, column.cells.start + np.arange(count), True))
    return tuple(found)


def title_of(column: Column, first: int, last: int) -> str:
    """``prey, rows 8 to 10 (t = 20 to 24)``."""
    places = column.places(first, last)
    a, b = column.rows[first], column.rows[last]
    rows = f"row {a}" if first == last else f"rows {a} to {b}"
    return f"{column.name}, {places if places == rows else f'{rows} ({places})'}"
