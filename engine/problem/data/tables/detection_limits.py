"""Cells that say only on which side of a limit a value lies: <0.05, <LOD, > 200, BDL. They are no measured values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .error_spellings import has_error
from .limit_cells import Limit, limit_in
from .table_cells import MISSING, inside, is_number_or_missing
from .table_text import Cells

MOST_SHOWN = 3  # spellings of limits in a sentence


@dataclass(frozen=True)
class Censored:
    """The cells of a column that are limits: ``below`` and ``above`` of them; of ``with_number`` of the former the limit is said;
    ``spelled``: some as they stand there; ``of``: all cells of the column that say something."""

    column: str
    below: int
    above: int
    with_number: int
    spelled: tuple[str, ...]
    of: int

    def words(self, halved: bool) -> str:
        """What became of them, a sentence."""
        count = self.below + self.above
        shown = ", ".join(f"“{text}”" for text in self.spelled[:MOST_SHOWN]) + (", …" if len(self.spelled) > MOST_SHOWN else "")
        cells = f"{count} of {self.of} cells {'gives' if count == 1 else 'give'} a limit only ({shown})"
        out = count - self.with_number if halved else count
        if not halved or not self.with_number:
            return f"Column “{self.column}”: {cells}: left out."
        rest = f", {out} left out" if out else ""
        return f"Column “{self.column}”: {cells}: {self.with_number} taken as half the limit{rest}."


def without_limits(cells: Cells, names: Sequence[str], halved: bool) -> tuple[Cells, tuple[Censored, ...]]:
    """``cells`` with those that are limits in columns of numbers blank, or as half the limit where values lie below one that is
    said; and what was found in each column. Columns of labels (ages <5, 5-14) stay."""
    found: list[Censored] = []
    columns = [list(column) for column in zip(*cells.rows, strict=True)]
    for i, column in enumerate(columns):
        limits = [(k, limit) for k, cell in enumerate(column) if (limit := limit_in(cell, cells.decimal_comma)) is not None]
        if not limits:
            continue
        at = {k for k, _ in limits}
        filled = [cell for k, cell in enumerate(column) if k not in at and inside(cell).lower() not in MISSING]
        told = sum(is_number_or_missing(c, cells.decimal_comma) or has_error(c) for c in filled)
        if not told or 2 * told < len(filled):
            continue
        numbers = sum(limit.below and limit.value is not None for _, limit in limits)
        below = sum(limit.below for _, limit in limits)
        shown = tuple(dict.fromkeys(inside(column[k]) for k, _ in limits))
        found.append(Censored(names[i], below, len(limits) - below, numbers, shown, len(filled) + len(limits)))
        for k, limit in limits:
            column[k] = _half(limit, cells.decimal_comma) if halved else ""
    rows = tuple(tuple(row) for row in zip(*columns, strict=True))
    return (replace(cells, rows=rows), tuple(found)) if found else (cells, ())


def _half(limit: Limit, decimal_comma: bool) -> str:
    if not limit.below or limit.value is None:
        return ""
    text = f"{limit.value / 2.0:.12g}"
    return text.replace(".", ",") if decimal_comma else text
