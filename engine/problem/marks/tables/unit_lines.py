"""Headings of two lines, the names of the columns and below them their units. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...data.units.unit_names import HEIGHT, is_unit, known_unit
from ...extract.reading import Line
from ...extract.row_cells import cells_of, is_rule
from .block import Block
from .united_headings import HEADING, Span

UNIT = re.compile(r"[(\[<].*|-+|=+")
_HEIGHT_WITHIN = re.compile(rf"(?<!\S){HEIGHT.pattern}(?!\S)", re.IGNORECASE)
# how a date or a time is written, of a column that holds them; mm/d is a unit
_PART = r"(?:y{2,4}|m{1,3}|d{1,2}|h{1,2}|s{1,2})"
_DATE_FORM = re.compile(rf"[\[(]?(?=.*[y:]){_PART}(?:[-./:T ]{_PART})+[\])]?", re.IGNORECASE)
_SAYS = re.compile(r"[0-9:=]")  # a title
_ASSIGNS = re.compile("[:=]")
WORDS_KNOWN = 4096  # of headings: those above a table are asked about for each of its columns


@dataclass(frozen=True)
class TwoLines:
    """The lines of ``names`` and ``units``, from 0, and where each stands in its line, one for each cell of the rows."""

    names: int
    units: int
    name_spans: tuple[Span, ...]
    unit_spans: tuple[Span, ...]

    def spans_of(self, line: int) -> tuple[Span, ...]:
        """Where the headings of this line stand; empty: it is neither."""
        return {self.names: self.name_spans, self.units: self.unit_spans}.get(line, ())


def are_units(words: Sequence[str]) -> bool:
    """Whether a line of a heading says in which units the columns are; dates may say how they are written."""
    return all(_is_unit(word) for word in _heights_joined(words))


@lru_cache(WORDS_KNOWN)
def _is_unit(word: str) -> bool:
    bare = word.strip("()[]. ")
    fraction = "/" in bare and known_unit(bare)
    plain = UNIT.fullmatch(word) is not None or is_unit(bare) or fraction or not any(c.isalpha() for c in word)
    return plain or _DATE_FORM.fullmatch(word) is not None or HEIGHT.fullmatch(word) is not None


def _heights_joined(words: Sequence[str]) -> Iterator[str]:
    """The words, those of one height as one."""
    text = " ".join(words)
    start = 0
    for found in _HEIGHT_WITHIN.finditer(text):
        yield from text[start : found.start()].split()
        yield found.group()
        start = found.end()
    yield from words if start == 0 else text[start:].split()


def two_lines(block: Block, lines: Sequence[Line]) -> TwoLines | None:
    """The two lines of headings right above the rows; None: there are no such, or the names are over several lines. Each has one
    heading for each cell of the rows. Labels that come again, U-RADIAL, tell no column apart: names above them do."""
    found = _names_and_units(block, lines) or _names_and_labels(block, lines)
    return None if found is None or _more_names_above(block, lines, found) else found


def _lines_above(block: Block, lines: Sequence[Line]) -> tuple[list[int], int, str | None] | None:
    """The two lines next above the rows, the lower first, how many cells a row has, and what delimits them; None: not so."""
    if block.shape.characters or block.shape.by == "number" or block.shape.on_line or block.heading is not None:
        return None
    by, sign = block.shape.by, block.shape.delimiter
    count = len(cells_of(lines[block.rows[0]].text, by=by, delimiter=sign, comma=block.comma))
    above = [i for i in range(block.rows[0] - 1, max(block.rows[0] - 6, -1), -1) if not is_rule(lines[i].text)][:2]
    return None if len(above) < 2 or count < 2 else (above, count, sign)


def _names_and_units(block: Block, lines: Sequence[Line], gaps: bool = False) -> TwoLines | None:
    """As ``two_lines``, of names over several lines the lowest. ``gaps``: some names may have no unit below them, as labels."""
    if (room := _lines_above(block, lines)) is None:
        return None
    above, count, sign = room
    low, high = (_spans(lines[i].text, sign, count) for i in above[:2])
    low = low or (_units_below(lines[above[0]].text, high) if gaps else [])
    units, names = ([lines[i].text[a:b] for a, b in spans] for i, spans in zip(above, (low, high), strict=False))
    if not (low and high) or not are_units(units) or not any(any(c.isalpha() for c in unit) for unit in units):
        return None
    names = [name for name, unit in zip(names, units, strict=True) if name.strip() or unit.strip()]  # lines may begin with a tab
    worded = [any(c.isalpha() for c in name) for name in names]
    if not all(worded) or are_units(names) or any(":" in name or "=" in name for name in names):
        return None
    return TwoLines(above[1], above[0], tuple(high), tuple(low))


def _names_and_labels(block: Block, lines: Sequence[Line]) -> TwoLines | None:
    """The same of names, all different, above labels of which some come again."""
    if (room := _lines_above(block, lines)) is None:
        return None
    above, count, sign = room
    low, high = lines[above[0]].text, lines[above[1]].text
    spans = _spans(high, sign, count)
    below = (_spans(low, sign, count) if sign else _units_below(low, spans)) if spans else []
    names, labels = [high[a:b] for a, b in spans], [low[a:b] for a, b in below if a < b]
    worded = all(word[0].isalpha() and not _ASSIGNS.search(word) for word in labels)
    if not worded or len(set(labels)) in (1, len(labels)) or len(set(names)) < len(names) or are_units(names):
        return None
    if not all(any(c.isalpha() for c in name) and not _ASSIGNS.search(name) for name in names):
        return None
    return TwoLines(above[1], above[0], tuple(spans), tuple(below))


def _units_below(text: str, names: Sequence[Span]) -> list[Span]:
    """Where the unit below each of the names stands, from nowhere to nowhere where none does; empty: a word is below none or
    several."""
    found = {}
    for a, b in (m.span() for m in re.finditer(r"\S+", text)):
        over = [k for k, (c, d) in enumerate(names) if a < d and c < b]
        if len(over) != 1 or over[0] in found:
            return []
        found[over[0]] = (a, b)
    return [found.get(k, (0, 0)) for k in range(len(names))] if found else []


def _more_names_above(block: Block, lines: Sequence[Line], found: TwoLines) -> bool:
    """Whether the line above the names is more of these, as Water over depth. Cells that a sign separates stand below one another
    by their number, not by their place."""
    above = next((lines[i].text for i in range(found.names - 1, max(found.names - 5, -1), -1) if not is_rule(lines[i].text)), "")
    if sign := (block.shape.delimiter or "").strip(" "):
        return bool(above.strip()) and _SAYS.search(above) is None and above.count(sign) == lines[found.names].text.count(sign)
    return _goes_with(above, found.name_spans)


def _goes_with(text: str, below: Sequence[Span]) -> bool:
    """Whether a line is more of the names that stand below it: each of its words is over one of them."""
    words = [m.span() for m in re.finditer(r"\S+(?: \S+)*", text)]
    return bool(words) and _SAYS.search(text) is None and all(any(a < d and c < b for c, d in below) for a, b in words)


def _spans(text: str, sign: str | None, count: int) -> list[Span]:
    """Where the ``count`` headings of a line stand; empty: it has not as many."""
    first = re.match(r"\s*[#%!]*\s*", text)
    start = first.end() if first is not None else 0
    if sign is not None and sign.strip(" "):
        found = [(c.start, c.end) for c in cells_of(text, delimiter=sign)]
        return found if len(found) == count else []
    ways: list[list[Span]] = [[m.span() for m in re.finditer(r"\S+", text[start:])]]
    words, heights = ways[0], [m.span() for m in _HEIGHT_WITHIN.finditer(text[start:])]
    within = [w for w in words if not any(a <= w[0] < b for a, b in heights)]
    ways.append(sorted([*within, *heights]))
    ways.append([m.span() for m in HEADING.finditer(text[start:])])
    ways.append([m.span() for m in re.finditer(r"\S+(?: \S+)*", text[start:])])
    fitting = next((way for way in ways if len(way) == count), [])
    return [(a + start, b + start) for a, b in fitting]


def _is_named(lowest: str, name: str) -> bool:
    """Whether a column of this ``name`` has it, or the end of it, right above its unit: depth of Water depth."""
    return name == lowest or name.endswith(f" {lowest}")


def unit_of_column(block: Block, lines: Sequence[Line], name: str, number: int = 0) -> str:
    """The unit below the name of a column; ``number``: of its cell, from 1, where it is known; '' where none or several stand
    there. A title or more of the names may stand above both lines."""
    found = _names_and_units(block, lines, gaps=True)
    if found is None or not name:
        return ""
    names = [lines[found.names].text[a:b] for a, b in found.name_spans]
    units = [lines[found.units].text[a:b] for a, b in found.unit_spans]
    hit = {unit for k, unit in enumerate(units) if _is_named(names[k].strip("\"'"), name) and number in (0, k + 1)}
    unit = hit.pop() if len(hit) == 1 else ""
    unit = unit.strip("\"' ")
    unit = unit[1:-1].strip() if unit[:1] in ("(", "[") and unit[-1:] in (")", "]") else unit
    return unit if any(c.isalpha() or c in "%°" for c in unit) and _DATE_FORM.fullmatch(unit) is None else ""
