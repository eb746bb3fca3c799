"""A unit that a file says in words above its table, of the one quantity in it that has none: unit: 1.0E22 J. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..errors.sd_pairs import sd_pairs
from ..names.column_names import loose_name, says_where, sd_columns, unit_in
from .unit_scales import conversion

Column = Sequence[float | None]
_SAYS = re.compile(
    r"(?:^|\s{2,}|[;|]\s*)(?:(?P<named>[^\W\d_][\w -]{0,30}?)\s+)?(?:units?|einheit)(?:\s+of\s+(?P<of>[^:=]{1,40}?))?\s*[:=]\s*"
    r"(?P<unit>[^,;\n]+?)(?=\s{2,}|\s*[,;]|\s*$|\s+(?=[^\W\d_]+\s?[:=]))",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"\b(?:name|column|variable)\s*:", re.IGNORECASE)
MOST_LINES = 100


def stated_unit(lines: Sequence[str], columns: Mapping[str, Column], passed_over: Sequence[str] = ()) -> tuple[str, str] | None:
    """The column that a unit in ``lines`` above the table is of, and that unit; None: they say none, or not of which of several
    columns. ``passed_over``: columns that hold no quantity, such as flags."""
    if any(_ENTRY.search(line) for line in lines):
        return None  # of each column by itself
    said = {(of.strip(), unit) for line in lines[:MOST_LINES] for of, unit in _units_in(line)}
    sds = {*sd_columns(list(columns)), *sd_pairs(list(columns)).values()}
    bare = [c for c in columns if not unit_in(c) and not says_where(c) and c not in sds and c not in passed_over]
    for of, unit in said:
        named = [c for c in bare if of and loose_name(c) == loose_name(of)]
        if len(named if of else bare) == 1 and len(said) == 1:
            return (named if of else bare)[0], unit
    return None


def words_of(column: str, unit: str) -> str:
    """That a column has a unit, a sentence."""
    return f"“{column}” is in {unit}, as the lines above the table say."


def _units_in(line: str) -> list[tuple[str, str]]:
    line = line.lstrip("#%!/* \t-")
    found = [(match["of"] or match["named"] or "", match["unit"].strip(" \"'[]().")) for match in _SAYS.finditer(line)]
    return [(of, unit) for of, unit in found if conversion(unit, unit) is not None]
