"""Finding the numbers in a text a program printed, with their character positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eEdD][-+]?\d+)?"
_NUMBER = re.compile(r"(?<![\w.])" + NUMBER + r"(?![\w])|(?<![\w.])[-+]?(?:nan|inf(?:inity)?)(?!\w)", re.IGNORECASE)
_COMMA_NUMBER = re.compile(r"(?<![\w.,])[-+]?\d+,\d+(?:[eEdD][-+]?\d+)?(?![\w,.]\w|\w)")


@dataclass(frozen=True)
class Number:
    """A number in a text: characters [start, end) and its value."""

    start: int
    end: int
    value: float
    decimal_comma: bool = False


def parse_number(text: str) -> float | None:
    """The value of ``text`` as scientific programs write it (1.5, 1e-3, 1.5D+02); None if it is none."""
    try:
        return float(text.strip().replace("D", "e").replace("d", "e"))
    except ValueError:
        return None


def numbers(text: str, start: int = 0, end: int | None = None) -> Iterator[Number]:
    """The numbers of ``text`` that begin in [start, end), in order; digits inside words (chi2) are not numbers."""
    for match in _NUMBER.finditer(text, start, len(text) if end is None else end):
        value = parse_number(match.group())
        if value is not None:
            yield Number(match.start(), match.end(), value)


def number_at(text: str, start: int, end: int, decimal_commas: bool = True) -> Number | None:
    """The number under a cursor or a (perhaps sloppy) selection; the first one if several were marked."""
    start, end = max(0, min(start, end)), min(len(text), max(start, end))
    line_start, line_end = line_bounds(text, start)
    for match in _COMMA_NUMBER.finditer(text, line_start, max(line_end, end)) if decimal_commas else ():
        if match.start() <= end and match.end() >= start and not _comma_separates(text[line_start:line_end]):
            value = parse_number(match.group().replace(",", "."))
            if value is not None and overlaps(match.start(), match.end(), start, end):
                return Number(match.start(), match.end(), value, True)
    for number in numbers(text, line_start, max(line_end, end)):
        if overlaps(number.start, number.end, start, end):
            return number
    return None


def overlaps(a: int, b: int, c: int, d: int) -> bool:
    return a <= d and c <= b if c == d else a < d and c < b


def line_bounds(text: str, position: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    return start, len(text) if end < 0 else end


def lines_of(text: str) -> list[tuple[int, int]]:
    found, start = [], 0
    for line in text.split("\n"):
        found.append((start, start + len(line)))
        start += len(line) + 1
    return found


def _comma_separates(line: str) -> bool:
    """Commas with a space after them, or more than one between the same numbers, separate; others are decimal."""
    return ", " in line or bool(re.search(r"\d,\d+,\d", line))
