"""Further rows of a table by what stands first in them: a number at node 1, then those at nodes 929 and 1393. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bayescope.engine.problem.numbers.number_text import value_of
from bayescope.engine.problem.numbers.numbers_in_text import line_bounds

Span = tuple[int, int]

FEWEST_ROWS = 6  # of a table: those of a smaller one are all in sight
_CELL = re.compile(r"[^\s,;|]+")
_BETWEEN = re.compile(r"[\s,;]+")


@dataclass(frozen=True)
class KeyedRows:
    """``keys``: by what stands first in a row, as a number where it is one, the place of the cell that is meant in that row."""

    keys: dict[str, Span]
    first: str  # what stands before the number that was marked

    def named(self, typed: str) -> tuple[list[Span], list[str]]:
        """Where the numbers are of the rows ``typed``, with commas or blanks between, and which there are not."""
        wanted = [word for word in _BETWEEN.split(typed) if word]
        return [self.keys[_key(w)] for w in wanted if _key(w) in self.keys], [w for w in wanted if _key(w) not in self.keys]


def keyed_rows(text: str, span: Span, rows: range) -> KeyedRows | None:
    """Of the table whose ``rows`` (lines) hold the number ``span``; None where it is small, the number stands first in its row,
    or several rows begin alike."""
    if len(rows) < FEWEST_ROWS:
        return None
    low, high = line_bounds(text, span[0])
    cells = list(_CELL.finditer(text, low, high))
    k = next((i for i, cell in enumerate(cells) if cell.start() <= span[0] < cell.end()), 0)
    if k == 0:
        return None
    keys: dict[str, Span] = {}
    lines = text.splitlines(keepends=True)
    at = sum(map(len, lines[: rows[0]]))
    for line in lines[rows[0] : rows[-1] + 1]:
        found = list(_CELL.finditer(line))
        if len(found) > k and value_of(found[k].group()) is not None:
            if (key := _key(found[0].group())) in keys:
                return None
            keys[key] = at + found[k].start(), at + found[k].end()
        at += len(line)
    return KeyedRows(keys, cells[0].group()) if len(keys) >= FEWEST_ROWS and _key(cells[0].group()) in keys else None


def _key(word: str) -> str:
    value = value_of(word)
    return word.casefold() if value is None else repr(value)
