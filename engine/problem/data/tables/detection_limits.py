"""Cells that say only on which side of a limit a value lies: <0.05, <LOD, > 200, BDL. They are no measured values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ...numbers.shown_digits import spoken
from .error_spellings import has_error
from .limit_cells import Limit, limit_in
from .stated_limits import Limits, which
from .table_cells import MISSING, inside, is_number_or_missing
from .table_text import Cells

Taken = Literal["sides", "half", "out"]  # as what they are, as half of them, or not at all
MOST_SHOWN = 3  # spellings of limits in a sentence


@dataclass(frozen=True)
class Censored:
    """The cells of a column that are limits: ``below`` and ``above`` of them; of ``with_number`` of the former, and ``said`` of
    them all, the limit is said; ``spelled``: some as they stand there, in quotation marks; ``of``: all cells of the column that
    hold a number or a limit."""

    column: str
    below: int
    above: int
    with_number: int
    spelled: tuple[str, ...]
    of: int
    said: int = 0

    def words(self, taken: Taken) -> str:
        """What became of them, a sentence."""
        count = self.below + self.above
        shown = ", ".join(self.spelled[:MOST_SHOWN]) + (", …" if len(self.spelled) > MOST_SHOWN else "")
        cells = f"{count} of {self.of} cells {'gives' if count == 1 else 'give'} a limit only ({shown})"
        used = {"sides": self.said, "half": self.with_number, "out": 0}[taken]
        if not used:
            return f"Column “{self.column}”: {cells}: left out."
        rest = f", {count - used} left out" if count > used else ""
        if taken == "half":
            return f"Column “{self.column}”: {cells}: {used} taken as half the limit{rest}."
        side = "below" if not self.above else "above" if not self.below else "on that side of"
        one, it = (f"{used} count" + "s" * (used == 1), "it") if rest else ("they count" if count > 1 else "it counts", "it")
        return f"Column “{self.column}”: {cells}: {one} as lying {side} {it}{rest}{' (the limit is not said)' * bool(rest)}."


_NOT_DETECTED = re.compile(r"n\.?\s?d\.?", re.IGNORECASE)  # or no data, where no limit is stated


@dataclass(frozen=True)
class LimitsFound:
    """What was found in each column, and the limits that count, by the place of the column: one for each row, None elsewhere."""

    columns: tuple[Censored, ...] = ()
    sides: dict[int, tuple[str | None, ...]] = field(default_factory=dict)


def without_limits(
    cells: Cells, names: Sequence[str], taken: Taken, stated: Sequence[Limits] = (), errors_at: int | None = None
) -> tuple[Cells, LimitsFound]:
    """``cells`` with those that are limits in columns of numbers blank, or as half the limit where values lie below one that is
    said; and what was found. Columns of labels (ages <5, 5-14; <2, <63) stay. ``stated``: of each column what <LOD means;
    ``errors_at``: the row that holds the errors of the columns, no measurement."""
    sides: dict[int, tuple[str | None, ...]] = {}
    found: list[Censored] = []
    columns = [list(column) for column in zip(*cells.rows, strict=True)]
    for i, column in enumerate(columns):
        own = stated[i] if i < len(stated) else {}
        limits = [(k, limit) for k, cell in enumerate(column) if (limit := _limit_in(cell, cells.decimal_comma, own)) is not None]
        if not limits:
            continue
        at = {k for k, _ in limits}
        limits = [(k, _with_stated(limit, column[k], own)) for k, limit in limits]
        filled = [cell for k, cell in enumerate(column) if k not in at and inside(cell).lower() not in MISSING]
        apart = at | {errors_at}
        measured = [cell for k, cell in enumerate(column) if k not in apart and inside(cell).lower() not in MISSING]
        told, own_values = (
            sum(is_number_or_missing(c, cells.decimal_comma) or has_error(c) for c in some) for some in (filled, measured)
        )
        alone = not filled and _come_again([limit for _, limit in limits])
        if not alone and (not told or 2 * told < len(filled)):
            continue
        numbers = sum(limit.below and limit.value is not None for _, limit in limits)
        below = sum(limit.below for _, limit in limits)
        shown = tuple(dict.fromkeys(_shown(column[k], limit, cells.decimal_comma) for k, limit in limits))
        said = sum(limit.value is not None for _, limit in limits)
        found.append(Censored(names[i], below, len(limits) - below, numbers, shown, own_values + len(limits), said))
        if taken == "sides" and said:
            of = dict(limits)
            sides[i] = tuple(of[k].text if k in of else None for k in range(len(column)))
        for k, limit in limits:
            column[k] = _half(limit, cells.decimal_comma) if taken == "half" else ""
    rows = tuple(tuple(row) for row in zip(*columns, strict=True))
    return (replace(cells, rows=rows), LimitsFound(tuple(found), sides)) if found else (cells, LimitsFound())


def _limit_in(cell: str, decimal_comma: bool, stated: Limits) -> Limit | None:
    """As ``limit_in``; where the limit of detection is stated, ND means that nothing was detected."""
    found = limit_in(cell, decimal_comma)
    return Limit(True) if found is None and stated and _NOT_DETECTED.fullmatch(inside(cell)) else found


def _come_again(limits: Sequence[Limit]) -> bool:
    """Whether one limit stands in several rows, as of a column in which nothing was found: classes have a name each."""
    values = [limit.value for limit in limits]
    return None not in values and len(set(values)) < len(values)


def _with_stated(limit: Limit, cell: str, stated: Limits) -> Limit:
    """A limit that is only named in the cell, with what the file says that it is."""
    named = limit.below and limit.value is None
    return replace(limit, value=stated.get(which(inside(cell)))) if named else limit


def _shown(cell: str, limit: Limit, decimal_comma: bool) -> str:
    """As it stands in the table, and what it means where something else says it."""
    own = limit_in(cell, decimal_comma)
    means = f" = {spoken(limit.value)}" if (own is None or own.value is None) and limit.value is not None else ""
    return f"“{inside(cell)}”{means}"


def _half(limit: Limit, decimal_comma: bool) -> str:
    if not limit.below or limit.value is None:
        return ""
    text = f"{limit.value / 2.0:.12g}"
    return text.replace(".", ",") if decimal_comma else text
