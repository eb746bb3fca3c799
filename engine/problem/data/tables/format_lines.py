"""Lines below the names of columns that say how these are written rather than in which units: -----, 5s 15s 10n, F8.3 E12.4."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...numbers.number_characters import shorten

LINES_BELOW = 3  # names, that may be units, a rule and codes in any order
SAYS_FORMATS = "how the columns are written."  # how the note on them ends
_RULE = re.compile(r"[-=_~*+:|.]{2,}")
_CODES = (
    re.compile(r"<(?:dbl|int|chr|lgl|fct|ord|date|dttm|time|num|cplx)>"),  # of a data frame that R prints
    re.compile(r"%[-+ 0#]*[0-9]*(?:\.[0-9]+)?l{0,2}[diufeEgGsxc]"),  # of C
)
_WIDTHS = re.compile(r"[0-9]{1,4}([sdn])")  # of the USGS: width, and string, date or number
_FORTRAN = re.compile(r"(?:[0-9]{0,2}P)?[0-9]{0,2}(?:[IA][0-9]+|[FEGD][0-9]+(?:\.[0-9]+)?)(?:E[0-9])?", re.IGNORECASE)
_TYPE = re.compile(
    r"u?int(?:eger)?(?:8|16|32|64)?|float(?:16|32|64)?|double|numeric|str(?:ing)?|varchar(?:\([0-9]+\))?|char(?:acter)?|bool(?:ean)?"
    r"|object|datetime(?:64)?(?:\[ns\])?|timestamp",
    re.IGNORECASE,
)
_TYPE_TOO = re.compile(r"date|time|text|real|number|factor|category", re.IGNORECASE)  # beside types only


def without_format_lines(
    rows: list[tuple[str, ...]], lines: list[int]
) -> tuple[list[tuple[str, ...]], list[int], list[str]]:
    """The rows and their ``lines`` without rules and codes right below the first one, the names; a sentence about codes."""
    gone: set[int] = set()
    notes = []
    for k in range(1, min(1 + LINES_BELOW, len(rows) - 1)):
        filled = _filled(rows[k])
        if filled and all(_RULE.fullmatch(cell) for cell in filled):
            gone.add(k)
        elif len(filled) > 1 and says_formats(filled) and not says_formats(_filled(rows[k + 1])):
            gone.add(k)
            notes.append(f"Line {lines[k]} (“{shorten(' '.join(filled))}”) is left out: it says {SAYS_FORMATS}")
    kept = [k for k in range(len(rows)) if k not in gone]
    return [rows[k] for k in kept], [lines[k] for k in kept], notes


def _filled(row: Sequence[str]) -> list[str]:
    return [bare for cell in row if (bare := cell.strip("\"' "))]


def says_formats(cells: Sequence[str]) -> bool:
    """Whether these cells of a line are all codes of formats, or all names of types."""
    if not cells:
        return False
    if any(all(code.fullmatch(cell) for cell in cells) for code in _CODES):
        return True
    if all(widths := [_WIDTHS.fullmatch(cell) for cell in cells]):
        letters = {one[1] for one in widths if one is not None}
        return "n" in letters or len(letters) > 1  # 1d, 3d, 7d are days
    if all(_FORTRAN.fullmatch(cell) for cell in cells):
        return any("." in cell for cell in cells)  # A1 and D2 are names, too
    return all(_TYPE.fullmatch(c) or _TYPE_TOO.fullmatch(c) for c in cells) and any(_TYPE.fullmatch(c) for c in cells)
