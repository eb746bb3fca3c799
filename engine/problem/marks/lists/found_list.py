"""A list of numbers that was found in a text, and what a dump of an HDF5 file holds at a place."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from ...definition import NumberList
from ...extract.hdf_dump import Stored, stored_in
from ...extract.list_body import ListBody
from ...extract.number_list import places_of


@dataclass(frozen=True)
class Found:
    """``whole`` reads all of the list at this appearance, the ``nth`` of ``count``, of its name [start, end)."""

    whole: NumberList
    body: ListBody
    nth: int
    count: int
    start: int
    end: int
    comma: bool = False
    stored: bool = False  # in a dump of an HDF5 file

    @property
    def stop(self) -> int:
        return self.body.stop

    def holds(self, start: int, end: int) -> bool:
        """Whether a mark [start, end) is on the list or on its name."""
        return self.start <= start and end <= max(self.stop, self.end)

    def numbers_at(self, start: int, end: int) -> list[int]:
        """The numbers, from 0, that a mark touches."""
        spans = self.body.spans
        if spans != sorted(spans):
            return [k for k, (a, b) in enumerate(spans) if (a < end and start < b) or a <= start == end <= b]
        low = bisect_right(spans, start - (start == end), key=lambda span: span[1])
        found = []
        for k in range(low, len(spans)):
            a = spans[k][0]
            if a > end or (a == end and start < end):
                break
            found.append(k)
        return found


def stored_at(text: str, start: int, end: int) -> tuple[Found, ...] | None:
    """What a dump of an HDF5 file holds at a mark [start, end): a dataset, or each field of its records; none: nothing but texts.

    None: the mark is in no dump.
    """
    around = [one for one in stored_in(text) if one.start <= start and end <= one.stop]
    return stored_lists(text, max(around, key=lambda one: one.start)) if around else None


@lru_cache(maxsize=4)  # a mark asks several times
def stored_lists(text: str, one: Stored) -> tuple[Found, ...]:
    """The lists of a dataset: one, or one for each field of its records."""
    found = []
    for name in [one.name_of(field) for field in one.fields] or [one.path]:
        places = places_of(text, name)
        nth, (start, end, there) = next((k, p) for k, p in enumerate(places) if p[2].at == one.at)
        body = ListBody(text, there, None, False)
        if not body.problem and body.values:
            whole = NumberList(name=name, occurrence=nth + 1, end=body.end or None)
            found.append(Found(whole, body, nth + 1, len(places), start, end, stored=True))
    return tuple(found)
