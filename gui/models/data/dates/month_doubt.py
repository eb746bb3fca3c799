"""Dates with slashes on one side of a key, dates whose month is known on the other: which number is the month is asked. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.text_keys import date_of, slashed_date, unit_of
from bayescope.engine.problem.data.tables.measured_cells import is_missing
from bayescope.engine.problem.definition.outputs import Month
from bayescope.gui.models.data.dates.dated_labels import DATES, agreement, likelier, months
from bayescope.gui.models.date_ticks import day_name
from bayescope.gui.models.plain import one_line


@dataclass(frozen=True)
class MonthDoubt:
    """``ways``: words for a button, and the problem in which the month is said so; one where the numbers tell it."""

    words: str
    ways: tuple[tuple[str, d.Problem], ...]


def month_doubt(
    problem: d.Problem, match: d.Match, data: d.DataTable, texts: Mapping[str, Sequence[str]]
) -> MonthDoubt | None:
    """Of the first key of ``match`` of which one side alone has dates whose month is known. ``texts``: labels as read."""
    for own, column in match.keys:
        printed, cells = [t for t in texts.get(own, ()) if t], [c for c in data.texts.get(column, ()) if not is_missing(c or "")]
        measured = [c for c in cells if c is not None]
        if months(printed) and unit_of(measured) == DATES:
            ways = [(month, _told(problem, own, month)) for month in _likely(printed, measured)]
            return _asked(f"The program prints “{one_line(own, 24)}” as", printed, ways)
        if months(measured) and unit_of(printed) == DATES:
            ways = [(month, _rewritten(problem, data, column, month)) for month in _likely(measured, printed)]
            return _asked(f"“{one_line(column, 24)}” of the data holds", measured, ways)
    return None


def _likely(texts: Sequence[str], dates: Sequence[str]) -> list[Month]:
    """Which number of dates with slashes may be the month: one where more dates of the other side are among these by it."""
    return likelier(months(texts), agreement(texts, dates))


def _asked(whose: str, dates: Sequence[str], ways: Sequence[tuple[Month, d.Problem]]) -> MonthDoubt:
    """The date by which the question is put: one of which the two are different days."""
    both = [(text, [_named(text, month) for month, _ in ways]) for text in dates]
    shown, names = next(((text, names) for text, names in both if len(set(names)) == len(names)), both[0])
    told = f"by the dates on the other side that is {names[0]}." if len(names) == 1 else f"is that {' or '.join(names)}?"
    words = f"{whose} dates such as {one_line(shown, 24)}: {told}"
    buttons = names if len(names) > 1 else [f"It is {name}" for name in names]
    return MonthDoubt(words, tuple((button, changed) for button, (_, changed) in zip(buttons, ways, strict=True)))


def _named(text: str, month: Month) -> str:
    found = date_of(slashed_date(text, month == "second") or "")
    return one_line(text, 24) if found is None else day_name(found.clock)


def _told(problem: d.Problem, name: str, month: Month) -> d.Problem:
    outputs = tuple(msgspec.structs.replace(o, month=month) if o.name == name else o for o in problem.outputs)
    return msgspec.structs.replace(problem, outputs=outputs)


def _rewritten(problem: d.Problem, data: d.DataTable, column: str, month: Month) -> d.Problem:
    cells = tuple(c if c is None else slashed_date(c, month == "second") or c for c in data.texts[column])
    return msgspec.structs.replace(problem, data=msgspec.structs.replace(data, texts={**data.texts, column: cells}))
