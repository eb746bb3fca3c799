"""The text above a table by which it is known again in another run: near, unlike any other, without numbers that may change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from ...extract.reading import Line
from ...extract.region import REACH, appearances
from ...extract.row_cells import cells_of, is_rule
from ...numbers.dates_in_text import dates_in
from ..tables.block import Block
from .anchor_texts import loose_numbers, numbered_names, texts_of

HEADING_LINES = 14  # lines with text above a table that may be its heading
TITLE_LINES = 5  # so many lines of column headings may stand between a title and the rows
MOST_APPEARANCES = 5_000
MOST_LETTERS = 6  # words of one letter in a heading of columns; more of them are a title in spaced letters
_UNIT = re.compile(r"[(\[<].*[)\]>]?")


@dataclass(frozen=True)
class Anchor:
    """``text`` in line ``line`` (from 0) is the ``nth`` of ``count`` appearances. ``numbered``: with whole numbers in it."""

    text: str
    line: int
    nth: int
    count: int
    numbered: bool


def anchors_above(
    lines: Sequence[Line], block: Block, other: Sequence[Line] | None = None, top: int | None = None
) -> list[Anchor]:
    """Texts above the rows of ``block``, the best first: its title, the heading of its columns, what else is near.

    ``other``: the lines of another run, where an anchor must stand as well. ``top``: another first row.
    """
    if block.heading is not None and block.shape.gaps == "text":
        parts = texts_of(lines[block.heading].text)
        return [a for text, numbered in parts if (a := _anchor(lines, block.heading, text, numbered, other))]
    heading = _heading_lines(lines, block.rows[0] if top is None else top)
    found: dict[int, list[Anchor]] = {}
    for i in heading:
        every = [a for text, numbered in texts_of(lines[i].text) if (a := _anchor(lines, i, text, numbered, other))]
        found[i] = [a for a in every if not dates_in(a.text) or _told_by_date(lines, every[0], a)]
    title = _title(lines, block, heading)
    named = [i for i in heading[:TITLE_LINES] if not _only_units(lines[i].text)] or heading
    core = [a for i in dict.fromkeys([title, *named[:1]]) if i is not None for a in found[i] if not a.numbered]
    core.sort(key=lambda a: (a.count, a.line != title))
    numbered = [a for i in dict.fromkeys(a.line for a in core) for a in found[i] if a.numbered and a.count == 1]
    rest = sorted((a for i in heading for a in found[i]), key=lambda a: (a.numbered, a.count > 1, -a.line))
    first = core[:1]
    if first and first[0].count > 1:
        told = [a for a in numbered if a.line == first[0].line]
        amid = 1 < first[0].nth < first[0].count  # neither the first nor the last: the count may shift quietly
        first = told + first if amid and other is not None else first + told
    return list(dict.fromkeys([*first, *core, *numbered, *rest]))


def _anchor(lines: Sequence[Line], i: int, text: str, numbered: bool, other: Sequence[Line] | None) -> Anchor | None:
    places = [k for k, _ in islice(appearances(text, lines), MOST_APPEARANCES)]
    if i not in places or (other is not None and next(appearances(text, other), None) is None):
        return None
    return Anchor(text, i, places.index(i) + 1, len(places), numbered)


def _told_by_date(lines: Sequence[Line], plain: Anchor, dated: Anchor) -> bool:
    """Whether a date tells one title from others of the same words: times that were simulated, not the date of the run."""
    if plain is dated or plain.count == 1 or dated.count > 1:
        return False
    return all(dates_in(lines[i].text) for i, _ in islice(appearances(plain.text, lines), MOST_APPEARANCES))


def _heading_lines(lines: Sequence[Line], top: int) -> list[int]:
    """The lines with text above ``top``, upwards, as far as they may belong to its heading."""
    found: list[int] = []
    rows = 0
    for i in range(top - 1, max(top - 1 - 2 * REACH, -1), -1):
        text = lines[i].text
        if not text.strip() or is_rule(text):
            continue
        cells = cells_of(text, by="number")
        texts = sum(c.kind == "t" for c in cells)
        data = texts < 2 and len(cells) - texts > 1
        rows = rows + 1 if data else 0
        if (rows > 1 and found) or len(found) >= HEADING_LINES:
            break
        if texts and any(c.isalpha() for c in text) and (not data or i == top - 1):
            found.append(i)
    return found


def _title(lines: Sequence[Line], block: Block, heading: Sequence[int]) -> int | None:
    """The line that names the table: something apart above it, only headings of columns between it and the rows."""
    for i in heading[: TITLE_LINES + 1]:
        if _heads_columns(lines[i].text, block, i == heading[0]):
            continue
        return i if i == 0 or not lines[i - 1].text.strip() or is_rule(lines[i - 1].text) else None
    return None


def _heads_columns(text: str, block: Block, nearest: bool) -> bool:
    """Whether a line is a heading of several columns: words above at least two of them, no sentence, no s p a c e d letters."""
    if len(numbered_names(text)) == len(block.columns):
        return True
    words = [m for m in re.finditer(r"\S+", text) if any(c.isalpha() for c in m.group())]
    letters = sum(len(m.group()) == 1 for m in words)
    if not words or (letters > MOST_LETTERS and 2 * letters > len(words)) or numbers_in(text):
        return False
    phrases = list(re.finditer(r"\S+(?: \S+)*", text))
    over = [sum(p.start() < c.right and c.left < p.end() for p in phrases) for c in block.columns]
    if len(phrases) > 1 and sum(k > 0 for k in over) > 1:
        return True
    if _only_units(text):
        return True
    if block.shape.delimiter is not None and text.count(block.shape.delimiter) + 1 >= len(block.columns) > 1:
        return True
    counted = len(block.columns) > 1 and len(words) in (len(block.columns), len(block.columns) + 1)
    return nearest and counted and not text.rstrip().endswith((".", ":"))


def _only_units(text: str) -> bool:
    return all(_UNIT.fullmatch(word) for word in re.split(r"\s{2,}|(?<=[)\]>]) ", text.strip()))


def numbers_in(text: str) -> bool:
    return bool(loose_numbers(text))
