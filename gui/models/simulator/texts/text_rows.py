"""Where the rows of a long text begin: an index that grows part by part, so that nobody waits for the end of a large file."""

from __future__ import annotations

from array import array
from bisect import bisect_right

import numpy as np

LONGEST_ROW = 2_000  # characters; Qt lays out and paints a row as a whole, and a line of 20 MB would take it minutes
PART = 4_000_000  # characters indexed in one go: some 10 ms
_NEWLINE = 10


class Rows:
    """The rows of ``text``: its lines (parted by ``\\n`` alone), those longer than ``longest`` characters in pieces.

    Positions are those of Python strings, rows and lines are counted from 0. A row is known once its end is.
    """

    def __init__(self, text: str, longest: int | None = LONGEST_ROW) -> None:
        self.text = text
        self._longest = longest if longest is not None else len(text) + 1
        self._starts = array("q", [0])
        self._lines = self._starts  # one array as long as no line is in pieces
        self._done = 0
        self.complete = not text

    def grow(self, characters: int = PART) -> bool:
        """Index the next part. True once the whole text is known."""
        if self.complete:
            return True
        stop = min(len(self.text), self._done + max(1, characters))
        ends = _newlines(self.text[self._done : stop]) + self._done
        begins = np.concatenate(([self._starts[-1]], ends + 1))
        lengths = np.concatenate((ends, [stop])) - begins
        pieces = np.maximum(1, -(-lengths // self._longest))
        if pieces.max() > 1:
            if self._lines is self._starts:
                self._lines = self._starts[:]
            before = np.repeat(np.cumsum(pieces) - pieces, pieces)
            rows = np.repeat(begins, pieces) + self._longest * (np.arange(len(before)) - before)
        else:
            rows = begins
        self._starts.frombytes(rows[1:].astype(np.int64).tobytes())
        if self._lines is not self._starts:
            self._lines.frombytes((ends + 1).astype(np.int64).tobytes())
        self._done = stop
        self.complete = stop == len(self.text)
        return self.complete

    def __len__(self) -> int:
        """How many rows are known; at least one once the text is."""
        return len(self._starts) - (not self.complete)

    @property
    def n_lines(self) -> int:
        return len(self._lines) - (not self.complete and len(self._lines) > 1)

    def span(self, row: int) -> tuple[int, int]:
        """Characters [start, end) of a row, without its line end."""
        start = self._starts[row]
        if row + 1 >= len(self._starts):
            return start, len(self.text) if self.complete else self._done
        end = self._starts[row + 1]
        return start, end - (self.text[end - 1] == "\n")

    def row_of(self, position: int) -> int:
        """The row in which a character (or the end of the row) stands."""
        return max(0, min(bisect_right(self._starts, position), len(self)) - 1)

    def line_of(self, position: int) -> int:
        return max(0, bisect_right(self._lines, position) - 1)

    def line_of_row(self, row: int) -> int:
        return row if self._lines is self._starts else self.line_of(self._starts[row])

    def starts_a_line(self, row: int) -> bool:
        start = self._starts[row]
        return start == 0 or self.text[start - 1] == "\n"

    def start_of_line(self, line: int) -> int:
        """Position of the first character of a line; of the last line known if there are not that many."""
        return self._lines[max(0, min(line, len(self._lines) - 1))]


def _newlines(part: str) -> np.ndarray:
    """Where the line ends are, as int64."""
    if part.isascii():
        codes = np.frombuffer(part.encode("ascii"), np.uint8)
        return np.flatnonzero(codes == _NEWLINE)
    codes = np.frombuffer(part.encode("utf-32-le", "surrogatepass"), "<u4")
    return np.flatnonzero(codes == _NEWLINE)


def unified(text: str) -> str:
    """The text as a Qt document holds it, character for character: one kind of line break, no paragraph separators."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.replace("\x00", "\ufffd")
    if text.isascii():
        return text
    for separator in "\u2029\u2028\ufdd0\ufdd1":  # the last two begin and end a frame inside Qt
        text = text.replace(separator, "\n")
    return text


def utf16_length(text: str) -> int:
    """How long Qt finds a text: characters beyond the basic plane count twice."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def from_utf16(text: str, units: int) -> int:
    """How many characters of ``text`` lie before Qt's position ``units``."""
    if text.isascii():
        return min(units, len(text))
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "replace"))
