"""A text each line of which states one measured value by its name, as data sheets do: Pmax at STC: 18.0 W ± 3 %. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...numbers.number_text import value_of
from ..errors.levels import factor_of_level
from ..names.brackets import bracket_of
from ..names.column_names import fresh
from ..units.unit_names import is_unit
from ..units.unit_scales import times
from .error_spellings import spelled
from .special_rows import sd_name
from .table_text import Cells
from .text_lines import COMMENTS

MOST_LINES = 400  # quantities of a data sheet
_LINE = re.compile(r"\s*(?P<name>[^\W\d_].{0,100}?)\s*(?:[:=]|:=)\s*(?P<value>[-+\u2212]?[0-9.].*?)\s*")
_PLUS_MINUS = re.compile(r"(?:\+/-|\+-|\\pm|&plusmn;)")
_PLAIN = re.compile(r"(?P<value>[-+\u2212]?[0-9.,]+(?:[eE][-+]?[0-9]+)?)\s*(?P<unit>[^\s0-9.,:;-][^\s:;]{0,11})?")
_IN_OTHER_UNIT = re.compile(
    r"(?P<value>[-+\u2212]?[0-9.,]+)\s*(?P<unit>[^\W\d_]\S*)\s*±\s*(?P<size>[0-9.,]+)\s*(?P<other>[^\W\d_]\S*)"
)
_COVERAGE = re.compile(r"\s*[(,;]?\s*k\s*=\s*(?P<factor>[0-9]+(?:[.,][0-9]+)?)\s*\)?$")
# 18.0 W ± 0.4 W (95 %); ± 95 % alone is a size
_LEVEL = re.compile(r"\s*(?:[(\[,;]\s*|\bat\s+)(?P<level>(?:90|95|99)\s*%)[^()\d]*[)\]]?$", re.IGNORECASE)


@dataclass(frozen=True)
class Stated:
    """``name`` of the column, its unit in brackets; ``sd``: None where no error is stated."""

    name: str
    value: float
    sd: float | None
    line: int


def stated_values(text: str) -> tuple[Stated, ...]:
    """What the lines of ``text`` state; (): most of them state nothing, none an error or a unit, or it is a table rather."""
    lines = [(k, line.strip()) for k, line in enumerate(text.splitlines(), start=1)]
    lines = [(k, line) for k, line in lines if line and not line.startswith(COMMENTS)]
    if len(lines) > MOST_LINES:
        return ()
    found: list[Stated] = []
    for k, line in lines:
        if (one := _stated(line, k)) is not None:
            found.append(one)
    told = any(one.sd is not None for one in found) or any(bracket_of(one.name) for one in found)
    titles = len(lines) - len(found)
    return tuple(found) if told and titles <= max(1, len(found) // 2) else ()


def _stated(line: str, k: int) -> Stated | None:
    match = _LINE.fullmatch(line)
    return None if match is None else value_said(match["value"], match["name"], k)


def value_said(words: str, name: str, line: int = 1) -> Stated | None:
    """The value with its unit and error in ``words``, 18.0 W ± 3 %, of ``name``; None: they are something else."""
    text, factor = _PLUS_MINUS.sub("±", words.strip()), 1.0
    if (coverage := _COVERAGE.search(text)) is not None:
        text, factor = text[: coverage.start()].rstrip(), value_of(coverage["factor"], "," in coverage["factor"]) or 1.0
    elif (level := _LEVEL.search(text)) is not None and "±" in text[: level.start()]:
        text, factor = text[: level.start()].rstrip(), factor_of_level(level["level"]) or 1.0
    for comma in (False, True):
        one = spelled(text, comma)
        if one is not None and one.sd is not None:
            return Stated(named_with(name, one.unit), one.value, one.sd / factor, line)
        other = _IN_OTHER_UNIT.fullmatch(text)
        if other is not None and (scale := times(other["other"], other["unit"])) is not None:
            value, size = value_of(other["value"], comma), value_of(other["size"], comma)
            if value is not None and size is not None:
                return Stated(named_with(name, other["unit"]), value, size * scale / factor, line)
        plain = _PLAIN.fullmatch(text)
        value = value_of(plain["value"], comma) if plain is not None else None
        if plain is not None and value is not None and (not plain["unit"] or is_unit(plain["unit"].strip("[]()"))):
            return Stated(named_with(name, (plain["unit"] or "").strip("[]()")), value, None, line)
    return None


def named_with(name: str, unit: str) -> str:
    """``name`` with its unit in brackets at the end."""
    return f"{name} ({unit})" if unit and bracket_of(name) != unit else name


def stated_cells(text: str) -> Cells | None:
    """One row of the values that ``text`` states and of their standard deviations, under names; None: it states none."""
    found = stated_values(text)
    if not found:
        return None
    names: list[str] = []
    cells: list[str] = []
    for one in found:
        names.append(fresh(one.name, names))
        cells.append(f"{one.value!r}")
        if one.sd is not None:
            names.append(sd_name(names[-1], names))
            cells.append(f"{float(f'{one.sd:.12g}')!r}")
    note = "Each line states one value: they are columns of one row, and their errors columns of standard deviations beside them."
    return Cells((tuple(cells),), (found[0].line,), ":", False, tuple(names), 0, (note,))
