"""Columns that a program heads by the codes by which measured data name their places: J-05 of "L1 (J-05)", or FM-IN of a line
above the table of flows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..data.names.brackets import bracket_of
from ..data.units.stated_units import unit_of_all
from ..data.units.unit_names import is_unit
from ..data.units.unit_scales import conversion, head_of_water, times
from ..numbers.numbers_in_text import lines_of, parse_number
from ..propose import MAX_TEXT
from .found import Found
from .mark import Mark
from .quantity import Quantity

MOST_LINES = 200  # of a text: headings stand at its beginning
ABOVE = 4  # lines that are not blank, above a heading, that may say the unit of its table
_CELL = re.compile(r"[^\s,;|\t]+")
_CODE = re.compile(r"(?<![\w.-])[^\W\d_][^\W_]*(?:[-_][^\W_]+)+(?![\w-])|(?<![\w.-])[^\W\d_]+\d+(?![\w.-])")  # FM-IN, P12


class Heading(NamedTuple):
    """A cell of a line of headings, from character ``start`` to ``end`` of the text ``source``, and the unit of its table."""

    source: str
    start: int
    end: int
    unit: str


def coded_headings(
    wanted: Sequence[Quantity], texts: Mapping[str, str], others: Mapping[str, str], lines: Sequence[str]
) -> dict[str, Found]:
    """By the column of the data, the column of a program's table that is headed by its code, in a unit of its kind where both say
    units. ``lines``: of the data files around their tables; a code in them is of the only quantity of its kind without one."""
    headed: dict[str, list[Heading]] = {}
    for source, text in texts.items():
        for cell, heading in _headings(source, text[:MAX_TEXT]):
            headed.setdefault(cell, []).append(heading)
    marks: dict[str, Mark] = {}
    found: dict[str, Found] = {}
    bare: list[Quantity] = []
    for quantity in (q for q in wanted if q.rows > 1):
        code = bracket_of(quantity.name)
        if not code or is_unit(code) or not _CODE.fullmatch(code):
            bare.append(quantity)
        elif (read := _read(marks, texts, others, code, headed.get(code, ()), quantity)) is not None:
            found[quantity.column] = read
    said = dict.fromkeys(code for line in lines for code in _CODE.findall(line) if code in headed)
    for code in said:
        fits = [q for q in bare if q.unit and _of_kind(headed[code], q)]
        if len(fits) == 1 and len([c for c in said if _of_kind(headed[c], fits[0])]) == 1:
            read = _read(marks, texts, others, code, headed[code], fits[0])
            found |= {} if read is None else {fits[0].column: read}
    return found


def _headings(source: str, text: str) -> Iterator[tuple[str, Heading]]:
    """The cells of lines in which none is a number, of three or more."""
    above: list[str] = []
    for k, (start, end) in enumerate(lines_of(text)):
        if k >= MOST_LINES:
            return
        line = text[start:end]
        cells = list(_CELL.finditer(line))
        if len(cells) > 2 and not line.lstrip().startswith("#") and all(parse_number(c[0].strip('"')) is None for c in cells):
            said = unit_of_all(above[-ABOVE:])
            for cell in cells:
                yield cell[0].strip('"'), Heading(source, start + cell.start(), start + cell.end(), said[1] if said else "")
        if line.strip():
            above.append(line)


def _of_kind(headings: Sequence[Heading], quantity: Quantity) -> bool:
    """Whether one of the tables is in a unit that that of the quantity can be made of."""
    return any(h.unit and times(h.unit, quantity.unit) is not None for h in headings)


def _read(
    marks: dict[str, Mark], texts: Mapping[str, str], others: Mapping[str, str], code: str, headings: Sequence[Heading],
    quantity: Quantity,
) -> Found | None:  # fmt: skip
    """The only column so headed in a unit that may be that of the quantity, as a click on its heading reads it."""
    fits = [h for h in headings if not h.unit or not quantity.unit or _may_be(h.unit, quantity.unit)]
    if len(fits) != 1:
        return None
    source, start, end, unit = fits[0]
    if source not in marks:
        marks[source] = Mark(texts[source], start, end, source, others.get(source))
    mark = marks[source].at(start, end)
    offer = next(iter(mark.offers("column")), None) if "column" in mark.scopes else None
    if offer is None or len(offer.proposals) != 1 or len(offer.proposals[0].values) < quantity.rows:
        return None
    name = re.sub(r"\W+", "_", code)
    return Found(source, name, unit, code, offer.proposals[0], offer.words, f"{quantity.rows} measured")


def _may_be(unit: str, other: str) -> bool:
    known = conversion(unit, unit) is not None and conversion(other, other) is not None
    return not known or times(unit, other) is not None or head_of_water(unit, other) is not None
