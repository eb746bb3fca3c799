"""The number in the title of a table: 2 of ===== LOAD CASE 2 ===== above one of several tables with the same heading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..numbers.numbers_in_text import Number, numbers
from .numbers import ExtractionError
from .reading import Line, quoted
from .region_places import whole_words
from .region_rows import squeezed


def number_of_table(title: str, lines: Sequence[Line], first: int, before: int) -> tuple[float, tuple[int, int]]:
    """The number behind ``title`` in the nearest line above line ``first`` (from 0) of ``lines`` that holds both, and its span in
    the text. '': how many tables there are up to this one, ``before`` of them before it. Raises ExtractionError."""
    if not title.strip():
        return before + 1.0, (lines[first].start, lines[first].start)
    word, pattern = title.split()[0], whole_words(title)
    for line in reversed(lines[:first]):
        if word in line.text and (found := pattern.search(line.text)) is not None:
            start = line.start
            number = next((n for n in numbers(line.text) if n.start >= found.end()), None)
            if number is not None:
                return number.value, (start + number.start, start + number.end)
    raise ExtractionError(f"above the table in line {first + 1} no line has a number behind {quoted(title)}.")


def titled_numbers(line: str) -> Iterator[tuple[str, Number]]:
    """Each number of a line that follows words, with these words: LOAD CASE and 2 of ===== LOAD CASE 2 =====."""
    end = 0
    for number in numbers(line):
        words = squeezed(line[end : number.start]).lstrip("=-*#+~_.|: ")
        if any(c.isalpha() for c in words) and line[number.start - 1] in " =:\t":
            yield words, number
        end = number.end
