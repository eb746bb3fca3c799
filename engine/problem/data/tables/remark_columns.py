"""A column of texts that holds remarks on some rows: it neither pairs rows nor names quantities."""

from __future__ import annotations

import re

from ... import definition as d
from ..names.column_names import loose_name
from ..rows.text_keys import plain
from .quality_flags import says_quality
from .quality_words import GOOD

_NAMES = frozenset(
    "remark remarks comment comments note notes annotation annotations memo bemerkung bemerkungen anmerkung anmerkungen "
    "kommentar kommentare notiz notizen remarque remarques commentaire commentaires observaciones comentario comentarios "
    "nota notas osservazioni commento commenti".split()
)
_WORD = re.compile(r"[^\W\d_]{2,}")  # ... of a remark
_SIGN = re.compile(r"[*†‡§¶#!?°^~]{1,3}")  # that marks a row, as a note below the table may say
SINGLE = 0.2  # share of rows, up to which texts under any heading are remarks on single ones
REMARKS, NAMES = 0.5, 0.8  # shares of rows: up to the one texts are remarks, from the other on names; rows of sums have none


def says_remark(column: str) -> bool:
    """Whether the name of a column says that it holds remarks."""
    words = loose_name(column).split()
    return bool(words) and words[-1] in _NAMES


def may_name(table: d.DataTable, name: str) -> bool:
    """Whether the texts of a column may be names of quantities: they are neither flags nor remarks."""
    return not (says_quality(table, name) or says_remark(name) or is_remark(table, name))


def is_remark(table: d.DataTable, name: str) -> bool:
    """Whether half of the rows or more lack the text: of the rows of its own table, where several stand below each other."""
    return filled(table, name) <= REMARKS


def single_remarks(table: d.DataTable, name: str) -> dict[int, str]:
    """The rows (the first is 1) with words, or a sign, in a column that is called one of remarks, or that has them in single rows
    alone, but for those that say no more than that a row is good; none of another column."""
    if says_quality(table, name) or not (is_remark(table, name) if says_remark(name) else filled(table, name) <= SINGLE):
        return {}
    told = {row: plain(cell or "") for row, cell in enumerate(table.texts[name], 1)}
    return {row: text for row, text in told.items()
            if _SIGN.fullmatch(text) or not {word.casefold() for word in _WORD.findall(text)} <= GOOD}  # fmt: skip


def names_nearly_all(table: d.DataTable, name: str) -> bool:
    """Whether the texts of a column may be names of the quantities of all rows, but for a few: no flags, no remarks on some."""
    return may_name(table, name) and filled(table, name) >= NAMES


def filled(table: d.DataTable, name: str) -> float:
    """The share of the rows that have the text: of those of its own table."""
    there = {i for i, cell in enumerate(table.texts[name]) if cell is not None}
    beside = [{i for i, v in enumerate(column) if v is not None} for column in table.columns.values()]
    own = there.union(*(rows for rows in beside if rows & there))
    return len(there) / max(len(own), 1)
