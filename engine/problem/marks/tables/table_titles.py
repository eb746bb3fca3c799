"""A key for tables with the same heading: an output that says of each row which table it is of, by the number in its title."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Protocol

import msgspec

from ...data.names.column_names import loose_name
from ...definition import Region
from ...extract import ExtractionError
from ...extract.reading import Line
from ...extract.region import blocks_of, read_region
from ...extract.table_titles import titled_numbers
from ...propose_tables import Proposal

MOST_NEAR = 8  # lines between a title and its heading; further up only whole numbers that rise tell of tables
MOST_TABLES = 1000
MOST_LINES = 5000  # above one table that are looked through, while the window waits
_KINDS = frozenset(("page", "line", "version", "release", "build"))


class Marked(Protocol):
    """As a Mark: a text and its lines, and those of a run at other values."""

    text: str

    @property
    def lines(self) -> Sequence[Line]: ...

    @property
    def other(self) -> Sequence[Line] | None: ...


def key_of_tables(extractor: Region, text: str, lines: Sequence[Line], comma: bool = False) -> tuple[Region, str] | None:
    """What reads for each row the number in the title of its table, and the words before that number; None: the tables have no
    titles by which all are told apart."""
    if extractor.occurrence != "all" or not extractor.anchor or extractor.on_line or extractor.title is not None:
        return None
    try:
        blocks = blocks_of(msgspec.structs.replace(extractor, count=None), lines, comma)
    except ExtractionError:
        return None
    if not 2 <= len(blocks) <= MOST_TABLES:
        return None
    ends = [0, *(rows[-1].line.number for rows in blocks[:-1])]
    above = [range(max(low, rows[0].line.number - 1 - MOST_LINES), rows[0].line.number - 1)
             for low, rows in zip(ends, blocks, strict=True)]  # fmt: skip
    for words, values, near in _told(lines, above):
        rising = all(a < b for a, b in pairwise(values))
        falling = all(a > b for a, b in pairwise(values))
        whole = all(v.is_integer() for v in values)
        told = (near and (whole or rising or falling)) or (whole and rising)
        if len(set(values)) < len(values) or not told or loose_name(words) in _KINDS:
            continue
        found = msgspec.structs.replace(extractor, title=words)
        try:
            read = read_region(found, text, comma, lines)[0].values
        except ExtractionError:
            continue
        if list(dict.fromkeys(read)) == values:
            return found, words
    return None


def with_table_key(
    proposals: Sequence[Proposal], names: Sequence[str], mark: Marked
) -> tuple[Sequence[Proposal], Sequence[str]]:
    """Columns of all tables with the heading, and behind them which table each row is of, if titles tell."""
    first = proposals[0].extractor if proposals else None
    if len(proposals) < 2 or not isinstance(first, Region) or not any(names):
        return proposals, names
    found = key_of_tables(first, mark.text, mark.lines, proposals[0].decimal_comma)
    name = "" if found is None else found[1].rstrip(" =:")
    if found is None or loose_name(name) in map(loose_name, names):
        return proposals, names
    comma = proposals[0].decimal_comma
    reading, _ = read_region(found[0], mark.text, comma, mark.lines)
    if mark.other is not None and not _same_titles(found[0], reading.values, comma, mark.other):
        return proposals, names
    key = replace(proposals[0], extractor=found[0], values=reading.values, spans=reading.spans)
    return [*proposals, key], [*names, name]


def _same_titles(key: Region, values: Sequence[float], comma: bool, other: Sequence[Line]) -> bool:
    """Whether the tables of another run have the same numbers in their titles: else these are results."""
    try:
        return list(read_region(key, "", comma, other)[0].values) == list(values)
    except ExtractionError:
        return False


def _told(lines: Sequence[Line], above: Sequence[range]) -> Iterator[tuple[str, list[float], bool]]:
    """Words that stand once above each table with a number behind them, the nearest to the first table first; the numbers; and
    whether they stand near everywhere."""
    every = [_numbers_above(lines, rows) for rows in above]
    for words in every[0]:
        found = [one.get(words, []) for one in every]
        if all(len(one) == 1 for one in found):
            near = all(rows.stop - at <= MOST_NEAR for rows, [(at, _)] in zip(above, found, strict=True))
            yield words, [value for [(_, value)] in found], near


def _numbers_above(lines: Sequence[Line], rows: range) -> dict[str, list[tuple[int, float]]]:
    found: dict[str, list[tuple[int, float]]] = {}
    for i in reversed(rows):
        for words, number in titled_numbers(lines[i].text):
            found.setdefault(words, []).append((i, number.value))
    return found
