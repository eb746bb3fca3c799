"""Dates that a program prints in the columns of its table, the time in the next one perhaps, as labels that pair rows. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.text_keys import SLASHED_DATE, code, is_date, plain, slashed_date
from bayescope.engine.problem.definition.outputs import Month
from bayescope.engine.problem.extract import ExtractionError, Reading
from bayescope.engine.problem.extract.label_columns import are_clock_times, are_dates, column_behind
from bayescope.engine.problem.marks.tables.unit_lines import are_units
from bayescope.gui.models.simulator.outputs.readings import reading_of

DATES = "s since 1970"  # what dates with a year count in
HEADING_LINES = 4  # above the first row: names, units, rules


def dated(labels: d.Output, read: Reading, text: str) -> Iterator[tuple[d.Output, Reading]]:
    """``labels``, which gave ``read``, in the further ways in which its cells may be meant: with the times in the next column,
    and with either number of its dates as the month, where the numbers do not tell; none where they are no dates."""
    if labels.label_columns > 1 or not are_dates(read.texts):
        return
    whole = [(labels, read)]
    if (timed := with_times(labels, read, text)) is not None:
        whole = [timed]
        yield timed
    for output, reading in whole:
        for month in months(reading.texts):
            told = msgspec.structs.replace(output, month=month)
            yield told, reading_of(told, text)


def with_times(labels: d.Output, read: Reading, text: str) -> tuple[d.Output, Reading] | None:
    """Dates with the times that stand in the next column; None: no times stand there, or these are no dates without one."""
    behind = column_behind(labels.extractor, 1)
    if behind is None or not are_dates(read.texts) or any(":" in one for one in read.texts):
        return None
    both = msgspec.structs.replace(labels, label_columns=2)
    try:
        times = reading_of(msgspec.structs.replace(labels, extractor=behind), text).texts
        return (both, reading_of(both, text)) if are_clock_times(times) else None
    except ExtractionError:
        return None


def by_agreement(output: d.Output, text: str, data: d.DataTable | None) -> d.Output:
    """``output`` with the number of its dates that is the month: the only one that can be, or that by which more dates of the
    data are among them; as it is where neither tells."""
    try:
        read = reading_of(output, text) if output.text and not output.month else None
    except ExtractionError:
        read = None
    if read is None or not (ways := months(read.texts)):
        return output
    shares = agreement(read.texts, [] if data is None else [t for cells in data.texts.values() for t in cells if t])
    best = likelier(ways, shares)
    return msgspec.structs.replace(output, month=best[0]) if len(best) == 1 else output


def likelier(ways: Sequence[Month], shares: Mapping[Month, int]) -> list[Month]:
    """Those of the ``ways`` by which most dates agree."""
    return [month for month in ways if shares[month] == max(shares[m] for m in ways)]


def agreement(texts: Iterable[str], dates: Iterable[str]) -> dict[Month, int]:
    """How many ``dates``, of those with a known month, are among dates with slashes, by which number of these is the month."""
    wanted = {code(one) for one in set(dates) if is_date(one)}
    printed = set(texts)
    ways: tuple[Month, ...] = ("second", "first")
    return {month: len(wanted & {code(slashed_date(one, month == "second") or "") for one in printed}) for month in ways}


def heading_over(text: str, start: int, end: int) -> str:
    """The word that stands above the cell [start, end) of the first row of a table; "Date" where none does."""
    begin = text.rfind("\n", 0, start) + 1
    left, right = start - begin, end - begin
    for line in reversed(text[:begin].split("\n")[-1 - HEADING_LINES : -1]):
        word = next((m[0] for m in re.finditer(r"\S+", line) if m.start() < right and left < m.end()), "")
        if any(c.isalpha() for c in word) and not are_units([word]):
            return word
    return "Date"


def months(texts: Sequence[str]) -> tuple[Month, ...]:
    """Which number of these dates with slashes may be the month: none of them is above 12; () where they are no such dates."""
    found = [SLASHED_DATE.fullmatch(plain(one)) for one in texts]
    if not found or not all(found):
        return ()
    ways: tuple[tuple[Month, int], ...] = (("second", 2), ("first", 1))
    return tuple(month for month, k in ways if all(m is not None and 1 <= int(m[k]) <= 12 for m in found))
