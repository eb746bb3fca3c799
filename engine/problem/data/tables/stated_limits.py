"""The limits that cells such as <LOD mean: from a line of the table (LOD;0.05;0.1), from such a line beside it (# LOD, 0.05, 0.1;
LOD: As 0.05, Pb 0.1), or from a line of words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from ...numbers.number_text import value_of
from ..names.column_names import unit_in, without_unit
from ..units.unit_scales import times
from .table_lines import SaidLine
from .table_text import Cells

Which = Literal["detection", "quantification"]
Limits = Mapping[Which, float]
_QUANTIFICATION = re.compile(r"l\.?o\.?q|p\.?q\.?l|\br\.?l\b|quanti[ft]|bestimmung|reporting", re.IGNORECASE)
_WORDS = (
    r"(?:\b(?:l\.?o\.?[dq]|m\.?d\.?l|p\.?q\.?l|limits? of (?:detection|quanti(?:fic|t)ation)"
    r"|(?:detection|quanti(?:fic|t)ation|reporting) limits?|(?:nachweis|bestimmungs)grenze)\b)"
)
_SAID = re.compile(
    rf"{_WORDS}\s*(?:\([^()0-9]*\)\s*)?(?:[:=]|\bis\b|\bwas\b|\bof\b)?\s*(?P<number>[0-9][0-9.,]*(?:[eE][-+]?[0-9]+)?)"
    r"\s*(?P<unit>[%‰]|[°µμ]?[^\W\d_]+(?:/[^\W\d_]+)?)?",
    re.IGNORECASE,
)
_LISTED = re.compile(
    rf"[#%!;*/\"'\s]*(?:method|instrument|lower|analytical)?\s*(?P<label>{_WORDS})s?\s*(?:[(\[][^()\[\]]*[)\]])?\s*[:=,;|\t]?"
    r"(?P<rest>.*\d.*)", re.IGNORECASE
)
_NUMBER = re.compile(r"(?<![\w.])[0-9][0-9.,]*")


def which(words: str) -> Which:
    """Which limit these words name."""
    return "quantification" if _QUANTIFICATION.search(words) else "detection"


def limits_of_columns(
    cells: Cells, names: Sequence[str], lines: Sequence[SaidLine], text: str, comma: bool
) -> list[dict[Which, float]]:
    """Of each column the limits that are stated for it. ``cells``: with the lines of limits among ``lines``; ``text``: of the
    whole table, whose lines of words count where they state one limit."""
    found: list[dict[Which, float]] = [{} for _ in names]
    for words, value, unit in _in_words(text, set(cells.lines), comma):
        for i, name in enumerate(names):
            own = unit_in(name)
            factor = times(unit, own) if unit and own and unit != own else 1.0
            if factor is not None:
                found[i][which(words)] = float(f"{value * factor:.12g}")
    for words, values in _listed(text, set(cells.lines), names, cells.delimiter, comma):
        for i, value in values.items():
            found[i][which(words)] = value
    for line in lines:
        if line.kind != "limits" or line.line not in cells.lines:
            continue
        row = cells.rows[cells.lines.index(line.line)]
        for i, cell in enumerate(row):
            value_here = value_of(cell.strip().lstrip("<≤ "), comma)
            if value_here is not None and i < len(found):
                found[i][which(line.label)] = value_here
    return found


def _listed(
    text: str, rows: set[int], names: Sequence[str], delimiter: str, comma: bool
) -> list[tuple[str, dict[int, float]]]:
    """The limits that lines beside the rows give column by column, by the places of these: behind their names, or as many
    numbers as there are columns, or one less, whose label stands in the place of the first."""
    found = []
    bare = [without_unit(name) for name in names]
    for at, line in enumerate(text.splitlines(), 1):
        match = _LISTED.match(line) if at not in rows else None
        if match is None:
            continue
        named = {i: value for i, name in enumerate(bare) if name and (value := _behind(name, match["rest"], comma)) is not None}
        cells = _cells(match["rest"], delimiter)
        numbers = [value_of(cell.lstrip("<≤ "), comma) for cell in cells]
        if named:
            found.append((match["label"], named))
        elif len(cells) in (len(names), len(names) - 1) and len(cells) > 1:
            first = len(names) - len(cells)
            found.append((match["label"], {i: v for i, v in enumerate(numbers, first) if v is not None}))
    return found


def _behind(name: str, words: str, comma: bool) -> float | None:
    """The number behind ``name`` in a list: As 0.02, As = 0.02, As: 0.02."""
    number = r"(?P<number>[0-9][0-9.,]*(?:[eE][-+]?[0-9]+)?)"
    found = re.search(rf"(?<![^\W_]){re.escape(name)}\s*(?:[:=<]\s*|\s){number}", words)
    return None if found is None else value_of(found["number"].rstrip(".,"), comma or _is_comma(found["number"]))


def _cells(words: str, delimiter: str) -> list[str]:
    """A list of numbers as the table separates its cells, else by commas or white space."""
    for sign in (delimiter if delimiter.strip() else "", ";", ",", "\t"):
        if sign and sign in words:
            return [cell.strip() for cell in words.strip().strip(sign).split(sign)]
    return words.split()


def _in_words(text: str, rows: set[int], comma: bool) -> list[tuple[str, float, str]]:
    """Words, number and unit of each kind of limit that lines beside the rows state once for all, with no other number."""
    every: dict[Which, list[tuple[str, float, str]]] = {}
    for at, line in enumerate(text.splitlines(), 1):
        match = _SAID.search(line) if at not in rows else None
        value = None if match is None else value_of(match["number"].rstrip(".,"), comma or _is_comma(match["number"]))
        if match is not None and value is not None and len(_NUMBER.findall(line)) == 1:
            every.setdefault(which(match[0]), []).append((match[0], value, match["unit"] or ""))
    return [said[0] for said in every.values() if len({(value, unit) for _, value, unit in said}) == 1]


def _is_comma(number: str) -> bool:
    return "," in number and "." not in number
