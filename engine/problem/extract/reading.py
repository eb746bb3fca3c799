"""What every extractor returns, and helpers on lines and their character positions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from ..data.rows.text_keys import FIRST_LABEL, code, plain
from ..numbers.number_characters import without_colours, word_pattern
from ..numbers.number_surroundings import problem_around
from .numbers import ExtractionError, parse_word, shorten, unwrapped

T = TypeVar("T")
LONGEST_KEPT = 2_000_000  # characters; the lines that are kept keep their text alive
LONE_SIGNS = frozenset("-\u2212\u2010\u2011\u2013\u2014")
NO_VALUE = frozenset(("NA", "N/A", "n/a", "None", "null", "NULL", "?", *LONE_SIGNS))  # in the place of a number


@dataclass(frozen=True)
class Reading:
    """The numbers read, in order, and the characters [start, end) of the text each came from.

    ``texts``: where labels or times are read, these; ``values`` are then what ``text_keys`` makes of them.
    """

    values: tuple[float, ...]
    spans: tuple[tuple[int, int], ...]
    texts: tuple[str, ...] = ()


def labels_of(cells: Sequence[tuple[int, str]]) -> Reading:
    """Cells, each after its position, as labels, times or dates that pair rows, without the quotes around them."""
    texts = tuple(plain(cell.strip().strip('"')) for _, cell in cells)
    spans = tuple((start, start + len(cell)) for start, cell in cells)
    return Reading(tuple(code(text) if text else FIRST_LABEL for text in texts), spans, texts)


@dataclass(frozen=True)
class Line:
    """One line without its line end; ``number`` counts from 1."""

    number: int
    start: int
    text: str


def lines_of(text: str) -> Sequence[Line]:
    """The lines of ``text``; ``\\n``, ``\\r\\n`` and lone ``\\r`` end a line."""
    return _kept(text) if len(text) <= LONGEST_KEPT else _lines(text)


@lru_cache(maxsize=8)  # each output of a file asks for its lines
def _kept(text: str) -> tuple[Line, ...]:
    return _lines(text)


def _lines(text: str) -> tuple[Line, ...]:
    found, start, number = [], 0, 1
    for piece in re.split(r"(\r\n|\n|\r)", text):
        if piece in ("\n", "\r\n", "\r"):
            number += 1
        else:
            found.append(Line(number, start, piece))
        start += len(piece)
    if found and not found[-1].text:
        found.pop()
    return tuple(found)


def is_comment(line: str) -> bool:
    """Whether readers and proposals of tables pass over this line: its first sign is # or %."""
    return line.lstrip()[:1] in ("#", "%")


def words_of(line: Line) -> list[tuple[int, str]]:
    """White-space separated words with their positions in the whole text."""
    return [(line.start + m.start(), m.group()) for m in word_pattern(line.text).finditer(line.text)]


def number_of(word: str, start: int, line: int, decimal_comma: bool) -> tuple[float, tuple[int, int]]:
    """The number a word is and its span. Raises ExtractionError that names the line."""
    try:
        return parse_word(word, decimal_comma), (start, start + len(word))
    except ExtractionError as error:
        raise ExtractionError(f"in line {line} {error}") from None


def look_around(text: str, line: Line, start: int, word: str, lone_dashes: bool = True) -> None:
    """Raises ExtractionError if what stands around a word of ``line`` changes the number it says; ``text``: the whole."""
    inner = unwrapped(word)[1]
    at = start + without_colours(word).find(inner)
    problem = problem_around(text, at, at + len(inner), lone_dashes) if inner else ""
    if problem:
        raise ExtractionError(f"in line {line.number} {problem}")


def pick_occurrence(found: Sequence[T], occurrence: int, what: str) -> T:
    """The ``occurrence``-th (1-based; -1 is the last) of what was found."""
    if not found:
        raise ExtractionError(f"{what} does not occur.")
    index = occurrence - 1 if occurrence > 0 else len(found) + occurrence
    if occurrence == 0 or not 0 <= index < len(found):
        raise ExtractionError(f"{what} occurs {times(len(found))}, but occurrence {occurrence} is asked for.")
    return found[index]


def times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def ordinal(k: int) -> str:
    ending = "th" if 10 <= k % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(k % 10, "th")
    return f"{k}{ending}"


def quoted(text: str) -> str:
    return f"“{shorten(text)}”"
