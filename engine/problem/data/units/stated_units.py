"""Units that a file says in words above its table, of quantities in it that have none: unit: 1.0E22 J; all lengths in micrometre;
gauge pressure at the hydrant, bar. Pure."""

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
_QUANTITIES = (
    "pressures?|heads?|flows?|flow rates?|discharges?|lengths?|distances?|displacements?|deflections?|levels?|depths?|heights?|"
    "forces?|loads?|stress(?:es)?|concentrations?|temperatures?|voltages?|currents?|powers?|velocit(?:y|ies)|speeds?|mass(?:es)?|"
    "energ(?:y|ies)|frequenc(?:y|ies)|angles?|values?|readings?|data|numbers"
)
_ALL = re.compile(
    rf"\ball\s+(?P<of>{_QUANTITIES})\b[^\d.;:,]{{0,40}}?\bin\s+(?P<unit>[^\s;,()]+)(?=\s*(?:[;,.()]|$))", re.IGNORECASE
)
_OF = re.compile(
    rf"^(?:[^\W\d][^\d.;:,=]{{0,30}}\s)?(?P<of>{_QUANTITIES})\b[^\d;:,=]{{0,40}}?(?:,\s*|\s+in\s+|\s*[\[(])"
    r"(?P<unit>[^\s;,()\[\]]+)"
    r"[\])]?(?=\s*(?:[;.(]|$))",
    re.IGNORECASE,
)
_LENGTHS = re.compile(r"lengths?|distances?|displacements?|values?|readings?|data|numbers", re.IGNORECASE)
_WRITTEN_OUT = {
    **{f"{p}met{end}": f"{sign}m" for p, sign in (("kilo", "k"), ("centi", "c"), ("milli", "m"), ("micro", "µ"), ("nano", "n"))
       for end in ("re", "er", "res", "ers")},
    "meter": "m", "metre": "m", "meters": "m", "metres": "m",
}  # fmt: skip
_ENTRY = re.compile(r"\b(?:name|column|variable)\s*:", re.IGNORECASE)
MOST_LINES = 100
_COMMENT = "#%!/* \t-\"'"


def stated_units(
    lines: Sequence[str], columns: Mapping[str, Column], passed_over: Sequence[str] = ()
) -> tuple[tuple[str, str], ...]:
    """The columns that units in ``lines`` above the table are of, each with its unit; none: they say none, or not of which of
    several columns. ``passed_over``: columns that hold no quantity, such as flags."""
    if any(_ENTRY.search(line) for line in lines):
        return ()  # of each column by itself
    lines = [line.lstrip(_COMMENT) for line in lines[:MOST_LINES]]
    said = {(of.strip(), unit) for line in lines for of, unit in _units_in(line)}
    sds = {*sd_columns(list(columns)), *sd_pairs(list(columns)).values()}
    bare = [c for c in columns if not unit_in(c) and not says_where(c) and c not in sds and c not in passed_over]
    for of, unit in said:
        named = [c for c in bare if of and loose_name(c) == loose_name(of)]
        if len(named if of else bare) == 1 and len(said) == 1:
            return (((named if of else bare)[0], unit),)
    whole = unit_of_all(lines)
    mine = [c for c in columns if c not in sds and c not in passed_over]
    if whole is None or said or any(_known(unit_in(c)) for c in mine if not says_where(c)):
        return ()
    of, unit, all_of = whole
    places = all_of and _LENGTHS.fullmatch(of) is not None  # travel, too
    return tuple((c, unit) for c in mine if not _known(unit_in(c)) and (places or not says_where(c)))


def _in_signs(unit: str) -> str:
    return _WRITTEN_OUT.get(unit.casefold(), unit)


def _known(unit: str) -> bool:
    """Whether it is a unit at all: in a bracket may stand anything."""
    return bool(unit) and conversion(unit, unit) is not None


def unit_of_all(lines: Sequence[str]) -> tuple[str, str, bool] | None:
    """The quantity and the unit of all numbers of a table, as the one of its lines says it that says any, and whether it says
    "all"; None: none does, or several say different units."""
    found = []
    for line in lines[:MOST_LINES]:
        line = line.strip(_COMMENT)
        for way in (_ALL, _OF):
            match = way.search(line)
            unit = None if match is None else _in_signs(match["unit"].rstrip("."))
            if match is not None and unit is not None and _known(unit):
                found.append((match["of"], unit, way is _ALL))
                break
    return found[0] if len({unit for _, unit, _ in found}) == 1 else None


def words_of(columns: Sequence[str], unit: str) -> str:
    """That columns have a unit, a sentence."""
    named = f"“{columns[0]}”" + (f" and {len(columns) - 1} more" if len(columns) > 1 else "")
    return f"{named} {'are' if len(columns) > 1 else 'is'} in {unit}, as the lines above the table say."


def _units_in(line: str) -> list[tuple[str, str]]:
    found = [(match["of"] or match["named"] or "", match["unit"].strip(" \"'[]().")) for match in _SAYS.finditer(line)]
    return [(of, unit) for of, unit in found if _known(unit)]
