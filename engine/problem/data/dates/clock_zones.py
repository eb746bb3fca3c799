"""Dates that state a zone (10:00+02:00) paired with dates that state none: nobody but the user knows what these mean.

Where both sides state zones, instants are compared; where neither does, what the clocks show. A zone on one side only is refused
unless it is UTC, whose clock is what a date without a zone is taken for.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from ... import definition as d
from ...findings import shorten
from ..rows.comparison import ComparisonError
from ..rows.text_keys import Date, date_of, plain

Spelling = Callable[[str, Date], str | None]  # how a date of the data is to be written; None: that cannot be told
MOST_ZONES = 3  # named in a sentence


@dataclass(frozen=True)
class OneSided:
    """A key of which one side alone states a zone. ``zones``: as written there; ``by_program``: it is the program that does.

    ``with_zone``, ``without``: an entry of each side.
    """

    column: str
    zones: tuple[str, ...]
    by_program: bool
    with_zone: str
    without: str

    @property
    def words(self) -> str:
        """What is in doubt, a sentence."""
        shown = " and ".join(self.zones[:MOST_ZONES])
        one, other = "The program's times", "those of the data"
        if not self.by_program:
            one, other = "The times of the data", "the program's"
        return (
            f"{one} state a zone ({shown}: “{shorten(self.with_zone)}”), {other} none (“{shorten(self.without)}”): "
            f"which rows of “{shorten(self.column)}” belong together is not known."
        )

    @property
    def suggestion(self) -> str:
        """What to write into the data, a sentence."""
        shown = " or ".join(self.zones[:MOST_ZONES])
        if self.by_program:
            return f"Write the zone behind each time of the data: {shown} if their clock is the program's, Z if it shows UTC."
        return "Leave the zone out of the data if the program shows their clock; give the data in UTC if it shows UTC."

    @property
    def error(self) -> ComparisonError:
        return ComparisonError(self.words, "", f"{self.suggestion} The Data page has a button for each.")


def one_sided(data: d.DataTable, column: str, printed: Sequence[str]) -> OneSided | None:
    """Whether the dates in a key column and those the program ``printed`` differ in stating zones; None: rows can be compared."""
    measured = {text: date for text in data.texts.get(column, ()) if text and (date := date_of(text))}
    program = {text: date for text in printed if (date := date_of(text))}
    for by_program, stating, other in ((True, program, measured), (False, measured, program)):
        zoned = next((text for text, date in stating.items() if date.offset), None)
        silent = next((text for text, date in other.items() if date.offset is None), None)
        if zoned is not None and silent is not None:
            zones = {date.offset: date.zone for date in stating.values() if date.offset is not None}
            return OneSided(column, tuple(zones[offset] for offset in sorted(zones)), by_program, zoned, silent)
    return None


def in_doubt(data: d.DataTable, match: d.Match, texts: Mapping[str, Sequence[str]]) -> OneSided | None:
    """The first key of ``match`` of which one side alone states a zone. ``texts``: outputs of labels as they were read."""
    found = (one_sided(data, column, texts[output]) for output, column in match.keys if texts.get(output))
    return next((doubt for doubt in found if doubt is not None), None)


def check_zones(problem: d.Problem, texts: Mapping[str, Sequence[str]]) -> None:
    """Raises ComparisonError where rows would be paired by a guess about zones. ``texts``: as for ``in_doubt``."""
    if problem.data is None or not isinstance(problem.meaning, d.Predictions):
        return
    for match in problem.meaning.matches:
        doubt = in_doubt(problem.data, match, texts)
        if doubt is not None:
            raise doubt.error


# --------------------------------------------------------------------------- ways to mend it


def by_the_clock(data: d.DataTable, doubt: OneSided, printed: Sequence[str]) -> d.DataTable | None:
    """The data with their dates meant as the clock of the other side shows them; None where clocks are put back between them.

    The zone is written behind each date of the data, or is left out of them.
    """
    if doubt.by_program:
        zones = _Zones(printed)
        return _rewritten(data, doubt.column, zones.stated)
    shown: dict[float, float] = {}
    for text in data.texts[doubt.column]:
        date = date_of(text or "")
        if date is not None and date.offset is not None and shown.setdefault(date.clock, date.offset) != date.offset:
            return None  # two instants at which the clock shows the same
    return _rewritten(data, doubt.column, lambda text, date: text.removesuffix(date.zone).rstrip())


def by_utc(data: d.DataTable, doubt: OneSided) -> d.DataTable:
    """The data with their dates, or the program's, meant as UTC where they state no zone."""

    def utc(text: str, date: Date) -> str:
        if doubt.by_program:
            return text if date.zone else f"{text}Z"
        return f"{datetime.fromtimestamp(date.clock - date.offset, UTC).isoformat(' ')[:-6]}Z" if date.offset else text

    found = _rewritten(data, doubt.column, utc)
    assert found is not None
    return found


class _Zones:
    """The zone of the program's clock at what it shows, from the dates that it printed."""

    def __init__(self, printed: Sequence[str]) -> None:
        dates = [date for text in printed if (date := date_of(text)) and date.offset is not None]
        self._dates = sorted(dates, key=lambda date: date.clock)
        self._clocks = [date.clock for date in self._dates]
        self._all = {date.offset for date in dates}

    def stated(self, text: str, date: Date) -> str | None:
        if date.zone:
            return text
        if len(self._all) == 1:
            return text + self._dates[0].zone
        first, after = bisect_left(self._clocks, date.clock), bisect_right(self._clocks, date.clock)
        if first == after:  # between two that were printed, each perhaps shown twice
            first = bisect_left(self._clocks, self._clocks[max(first - 1, 0)])
            after = bisect_right(self._clocks, self._clocks[min(after, len(self._clocks) - 1)])
        near = self._dates[first:after]
        # where the zone changes a clock shows an hour twice, or not at all
        return text + near[0].zone if len({one.offset for one in near}) == 1 else None


def _rewritten(data: d.DataTable, column: str, spelt: Spelling) -> d.DataTable | None:
    cells: list[str | None] = []
    for cell in data.texts[column]:
        date = date_of(cell or "")
        found = cell if cell is None or date is None else spelt(plain(cell), date)
        if found is None and cell is not None:
            return None
        cells.append(found)
    return msgspec.structs.replace(data, texts={**data.texts, column: tuple(cells)})
