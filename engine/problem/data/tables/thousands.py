"""Columns whose numbers have signs between groups of three digits: 1,204,500 and 1.204,5 and 1'204'500, where that is evident."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...numbers.number_characters import shorten
from .table_cells import MISSING, inside
from .table_text import Cells

FEWEST = 2  # numbers with one such sign that might be the decimal one: a single one is none but for a slip
_SPACES = "\u00a0\u202f\u2009 "
_SURE = "'’" + _SPACES  # signs that are no decimal ones
_NAMES = {",": "commas", ".": "points", "'": "apostrophes", "’": "apostrophes"}
_COMMA_DECIMALS = re.compile(r"(?<![0-9.,])[0-9]+,(?:[0-9]{1,2}|[0-9]{4,})(?![0-9.,])")
_POINT_DECIMALS = re.compile(r"(?<![0-9.,])[0-9]+\.(?:[0-9]{1,2}|[0-9]{4,})(?![0-9.,])")
_DATE = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}\.|:")


def without_grouping(cells: Cells, names: Sequence[str]) -> tuple[Cells, list[str]]:
    """``cells`` with the numbers of such columns without the signs between their digits, and a sentence about each column."""
    columns = [list(column) for column in zip(*cells.rows, strict=True)]
    commas, points = _decimals(cells.rows)
    notes: list[str] = []
    for i, column in enumerate(columns):
        filled = [inside(cell) for cell in column if inside(cell).lower() not in MISSING]
        sign = _grouping(filled, cells.delimiter, commas and not points, points and not commas)
        if not sign:
            continue
        example = next(text for text in filled if sign in text)
        columns[i] = [_plain(cell, sign, cells.decimal_comma) for cell in column]
        read = _plain(example, sign, cells.decimal_comma)
        notes.append(
            f"Column “{names[i]}”: {_NAMES.get(sign, 'spaces')} stand between thousands, “{shorten(example)}” is {read}."
        )
    if not notes:
        return cells, []
    return replace(cells, rows=tuple(tuple(row) for row in zip(*columns, strict=True))), notes


def _grouping(filled: Sequence[str], delimiter: str, commas: bool, points: bool) -> str:
    """The sign between groups of all of these numbers; '' where there is none, or it may be the decimal one. ``commas`` and
    ``points``: other numbers of the table have these as decimal signs, beyond doubt."""
    for sign in f"{_SURE},.":
        if (sign == " " and delimiter == " ") or not any(sign in text for text in filled):
            continue
        decimal = {",": r"\.", ".": ","}.get(sign, "[.,]")
        mark = re.escape(sign)
        number = re.compile(rf"[-+\u2212]?(?:[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+|[0-9]+)(?:{decimal}[0-9]+)?")
        if not all(number.fullmatch(text) for text in filled):
            continue
        both = re.compile(rf"{mark}[0-9]{{3}}{decimal}[0-9]")
        evident = sign in _SURE or any(text.count(sign) > 1 or both.search(text) for text in filled)
        whole = sum(sign in text for text in filled) >= FEWEST and not any(re.search(decimal, text) for text in filled)
        if evident or (whole and (points if sign == "," else commas)):
            return sign
    return ""


def _plain(cell: str, sign: str, decimal_comma: bool) -> str:
    """Without the signs, and with the decimal sign of the table."""
    text = inside(cell).replace(sign, "")
    return text.replace(".", ",") if decimal_comma else text.replace(",", ".")


def _decimals(rows: Iterable[Sequence[str]]) -> tuple[bool, bool]:
    """Whether numbers of a table have decimal commas, and decimal points, beyond doubt; texts and dates aside."""
    cells = [cell for row in rows for cell in row if any(c in cell for c in ",.") and not _DATE.search(cell)]
    cells = [cell for cell in cells if sum(c.isalpha() for c in cell) <= sum(c.isdigit() for c in cell)]
    return any(_COMMA_DECIMALS.search(cell) for cell in cells), any(_POINT_DECIMALS.search(cell) for cell in cells)
