"""The numbers in the titles of tables with one heading: 20 of ANGLE  20.0 deg above one, 60.0 deg above another; and the names
that they give to the tables."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from ...data.units.unit_names import known_unit
from ...definition import Region
from ...extract import ExtractionError
from ...extract.reading import Line
from ...extract.region import blocks_of, squeezed
from ...extract.region_rows import RegionRow
from ...extract.table_titles import titled_numbers
from ...numbers.numbers_in_text import numbers
from ...propose_tables import Proposal

MOST_NEAR = 8  # lines between a title and the first row of its table; further up only whole numbers that rise tell of tables
MOST_TABLES = 1000
MOST_LINES = 5000  # above one table that are looked through, while the window waits
LONGEST_WORD = 16  # characters of the words of a title that go into names
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_NO_NAME = re.compile(r"\W+")


class Marked(Protocol):
    """As a Mark: its lines and those of a run at other values, and the names of tables that were looked for in them."""

    @property
    def lines(self) -> Sequence[Line]: ...

    @property
    def other(self) -> Sequence[Line] | None: ...

    @property
    def titled(self) -> dict[Region, tuple[list[range], list[str]]]: ...


@dataclass(frozen=True)
class Titles:
    """One number in the title of each table: ``words`` before them ('' where they stand before all words), whether they stand
    ``near`` their tables, how many lines ``up`` from the first one's rows, and whether units stand behind them."""

    words: str
    values: list[float]
    near: bool
    up: int
    in_units: bool

    @property
    def counts(self) -> bool:
        """Whether they only say the how manieth table it is."""
        return [value - self.values[0] for value in self.values] == list(range(len(self.values)))


def titles_of(lines: Sequence[Line], blocks: Sequence[Sequence[RegionRow]], most: int = MOST_LINES) -> Iterator[Titles]:
    """What stands once above each of the tables whose rows are ``blocks``, below the table before it and at most ``most`` lines
    up, with a number; the nearest to the first table first."""
    every = [_numbers_above(lines, rows) for rows in _above(blocks, most)]
    tops = [rows[0].line.number - 1 for rows in blocks]
    for words in every[0]:
        found = [one.get(words, []) for one in every]
        if all(len(one) == 1 for one in found):
            up = [top - at for top, [(at, *_)] in zip(tops, found, strict=True)]
            near, units = max(up) <= MOST_NEAR, all(unit for [(*_, unit)] in found)
            yield Titles("" if words.startswith("#") else words, [value for [(_, value, _)] in found], near, up[0], units)


def names_of_tables(lines: Sequence[Line], blocks: Sequence[Sequence[RegionRow]]) -> list[str]:
    """What goes behind names of outputs that read one table each: 20, 0_5, m3 of the nearest titles above, or the words by which
    these differ; empty: nothing tells all tables apart."""
    if not 2 <= len(blocks) <= MOST_TABLES:
        return []
    numbered = [found for found in titles_of(lines, blocks, MOST_NEAR) if len(set(found.values)) == len(blocks)]
    for up in range(1, MOST_NEAR + 1):
        if here := [one for one in numbered if one.up == up]:
            found = min(here, key=lambda one: one.counts or not one.in_units)  # 60.00 deg says more than SCAN 3
            return [in_a_name(value) for value in found.values]
        above = [rows[-up] if len(rows) >= up else None for rows in _above(blocks, MOST_NEAR)]
        words = words_apart(["" if at is None else lines[at].text for at in above])
        if words:
            return words
    return []


def title_number(mark: Marked, proposal: Proposal) -> str:
    """What tells the table that is read from others with its heading, as the end of a name: 20, 0_5, m3; '' where nothing does,
    or all such tables are read."""
    extractor = proposal.extractor
    if not isinstance(extractor, Region) or extractor.anchor is None or extractor.on_line or extractor.occurrence == "all":
        return ""
    if not proposal.spans:
        return ""
    every = msgspec.structs.replace(
        extractor, occurrence="all", since=1, until=-1, headings=None, columns=(), first=1, count=None, row_label=None
    )
    if every not in mark.titled:
        mark.titled[every] = _named(mark.lines, every, proposal.decimal_comma)
    places, names = mark.titled[every]
    at = proposal.spans[0][0]
    found = next((name for place, name in zip(places, names, strict=False) if at in place), "")
    return found if found or len(places) > 1 else _of_like_titles(mark, at)


def _of_like_titles(mark: Marked, at: int) -> str:
    """Of a table whose heading comes once: the number with a unit in its title, where others have titles with the same words
    before other numbers, angle of incidence 8.00 deg; the same at other values, or else it is a result."""
    top = bisect_right(mark.lines, at, key=lambda line: line.start) - 1
    for i in range(top - 1, max(top - MOST_NEAR, 0) - 1, -1):
        if any(c.isdigit() for c in mark.lines[i].text) and not _LETTERS.search(mark.lines[i].text):
            break  # a row of the table above
        for words, number in titled_numbers(mark.lines[i].text):
            if not _in_unit(mark.lines[i].text, number.end):
                continue
            values = _behind(words, mark.lines)
            if 2 <= len(values) == len(set(values)) <= MOST_TABLES:
                same = mark.other is None or _behind(words, mark.other) == values
                return in_a_name(number.value) if same else ""
    return ""


def _behind(words: str, lines: Sequence[Line]) -> list[float]:
    """The numbers with a unit that stand behind ``words`` in a text."""
    first = words.split()[0]
    told = ((one, line.text) for line in lines if first in line.text for one in titled_numbers(line.text))
    return [number.value for (here, number), text in told if here == words and _in_unit(text, number.end)]


def _in_unit(text: str, end: int) -> bool:
    """Whether a unit stands behind the number that ends there."""
    word = (text[end:].split(maxsplit=1) or [""])[0].rstrip(",;:)=-")
    return bool(word) and known_unit(word)


def in_a_name(value: float) -> str:
    """A number as part of a name: 20, 0_5, m3."""
    return f"{value:.6g}".replace("-", "m").replace(".", "_").replace("+", "")


def _named(lines: Sequence[Line], every: Region, comma: bool) -> tuple[list[range], list[str]]:
    """Where in the text each of the tables stands, and its name."""
    try:
        blocks = blocks_of(every, lines, comma)
    except ExtractionError:
        return [], []
    places = [range(rows[0].line.start, rows[-1].line.start + len(rows[-1].line.text)) for rows in blocks]
    return places, names_of_tables(lines, blocks)


def _above(blocks: Sequence[Sequence[RegionRow]], most: int) -> list[range]:
    """The lines above each table and below the one before it, at most ``most``."""
    ends = [0, *(rows[-1].line.number for rows in blocks[:-1])]
    tops = [rows[0].line.number - 1 for rows in blocks]
    return [range(max(low, top - most), top) for low, top in zip(ends, tops, strict=True)]


def _numbers_above(lines: Sequence[Line], rows: range) -> dict[str, list[tuple[int, float, bool]]]:
    """By the words before it, or by a # and all words of its line where it stands before them: each line and its number, and
    whether a unit stands behind it."""
    found: dict[str, list[tuple[int, float, bool]]] = {}
    for i in reversed(rows):
        told = list(titled_numbers(lines[i].text))
        for words, number in told:
            found.setdefault(words, []).append((i, number.value, _in_unit(lines[i].text, number.end)))
        if not told and len(alone := list(numbers(lines[i].text))) == 1 and _LETTERS.search(lines[i].text):
            kind = f"#{lines[i].text[: alone[0].start]}#{lines[i].text[alone[0].end :]}"
            found.setdefault("".join(kind.split()), []).append((i, alone[0].value, False))
    return found


def words_apart(titles: Sequence[str], numbered: bool = False) -> list[str]:
    """The words by which titles of the same number of words differ, as parts of names; empty: they are alike, or no titles.
    ``numbered``: numbers among them may be taken too; else they may be results of the run, and only other words are."""
    split = [squeezed(title).split() for title in titles]
    if len({len(words) for words in split}) != 1 or not (numbered or all(_LETTERS.search(title) for title in titles)):
        return []
    apart = [k for k, words in enumerate(zip(*split, strict=True)) if len(set(words)) > 1]
    if not numbered:
        apart = [k for k in apart if not any(any(numbers(words[k])) for words in split)]
    names = ["_".join(filter(None, (_NO_NAME.sub("", words[k]) for k in apart)))[:LONGEST_WORD] for words in split]
    return names if all(names) and len(set(names)) == len(names) else []
