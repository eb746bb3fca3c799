"""A key for tables with the same heading: an output that says of each row which table it is of, by the number in its title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Protocol

import msgspec

from ...data.names.column_names import loose_name
from ...definition import Region
from ...extract import ExtractionError
from ...extract.reading import Line
from ...extract.region import blocks_of, read_region
from ...propose_tables import Proposal
from .title_numbers import MOST_TABLES, titles_of

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
    for titles in titles_of(lines, blocks):
        words, values, near = titles.words, titles.values, titles.near
        rising = all(a < b for a, b in pairwise(values))
        falling = all(a > b for a, b in pairwise(values))
        whole = all(v.is_integer() for v in values)
        told = (near and (whole or rising or falling)) or (whole and rising)
        if not words or len(set(values)) < len(values) or not told or loose_name(words) in _KINDS:
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
