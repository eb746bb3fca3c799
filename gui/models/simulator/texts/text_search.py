"""Finding all places of a few characters in a long text, part by part; no place is counted twice."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator

PART = 300_000  # characters looked through in one go: a few milliseconds, also where every second one is found


class Search:
    """The places of ``wanted`` in ``text``, in order; they do not overlap (as ``str.count`` counts)."""

    def __init__(self, text: str, wanted: str, match_case: bool = False) -> None:
        self.text, self.wanted, self.match_case = text, wanted, match_case
        self.length = len(wanted)
        self.starts = array("q")
        self._next = 0
        self.complete = not wanted or not text
        # the same length in either case is sure for ASCII alone: "İ".lower() has two characters
        self._simple = match_case or (wanted.isascii() and text.isascii())
        self._pattern = re.compile(re.escape(wanted), re.IGNORECASE)

    def grow(self, characters: int = PART) -> bool:
        """Look through the next part. True once the whole text was."""
        if self.complete:
            return True
        stop = self._next + max(1, characters)
        for place in self._places(stop):
            self.starts.append(place)
            self._next = place + self.length
        self._next = max(self._next, stop)
        self.complete = self._next >= len(self.text)
        return self.complete

    def _places(self, stop: int) -> Iterator[int]:
        """Those that begin in [next, stop)."""
        end = stop + self.length - 1
        if not self._simple:
            yield from (m.start() for m in self._pattern.finditer(self.text, self._next, min(end, len(self.text))))
            return
        part, offset, wanted = self.text[self._next : end], self._next, self.wanted
        if not self.match_case:
            part, wanted = part.lower(), wanted.lower()
        at = part.find(wanted)
        while at >= 0:
            yield at + offset
            at = part.find(wanted, at + self.length)

    @property
    def looked(self) -> int:
        """Everything that begins before this position has been found."""
        return self._next

    def at_or_after(self, position: int) -> int | None:
        """Which of the places found so far is the first that begins at ``position`` or later; None: none."""
        k = bisect_left(self.starts, position)
        return k if k < len(self.starts) else None

    def before(self, position: int) -> int | None:
        """Which of the places found so far is the last that begins before ``position``; None: none."""
        k = bisect_left(self.starts, position)
        return k - 1 if k else None

    def within(self, start: int, end: int) -> list[tuple[int, int]]:
        """Those that are in part between two positions."""
        first = bisect_left(self.starts, start - self.length + 1)
        last = bisect_left(self.starts, end)
        return [(a, a + self.length) for a in self.starts[first:last]]
