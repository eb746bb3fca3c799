"""What one cell of a table says: a number, a missing value, or neither."""

from __future__ import annotations

import math

from ...numbers.number_characters import bare, shorten
from ...numbers.number_text import NumberError, parse, value_of

SAYS_UNIT = frozenset("unit units uom einheit einheiten unité unités unidad unidades unità".split())  # of cells beside or below
LONGEST_DASH = 40  # signs of a cell that a dash fills
MISSING = frozenset((
    "", "na", "n/a", "#n/a", "nan", "null", "none", "missing", "?", ".", "..", "...", "…",
    *(sign * count for sign in "-–—" for count in range(1, LONGEST_DASH + 1)),
    "n.a", "n.a.", "n. a.", "n.d", "n.d.", "n. d.", "n/d", "nd", "n.r", "n.r.", "n. r.", "n/r", "n.m.", "n/m",
    "k.a", "k.a.", "k. a.", "k.w.", "k. w.", "n.b.", "n. b.", "n.g.", "n. g.", "n. m.", "n.v.", "n. v.",
    "not reported", "not recorded", "not available", "not applicable", "not measured", "not determined", "not known", "unknown",
    "no data", "no value", "no report", "keine angabe",
))  # fmt: skip


def cell_value(cell: str, decimal_comma: bool = False) -> float | None:
    """The number in a cell, None for a missing value. Raises NumberError for anything else, infinities included."""
    value = value_of(cell, decimal_comma)
    if value is None:
        text = inside(cell)
        if text.lower() in MISSING:
            return None
        value = parse(text, decimal_comma)
    if value - value == 0.0:
        return value
    if value == value:
        raise NumberError(f"“{shorten(cell)}” is not a number that can be measured.")
    return None


def is_number_or_missing(cell: str, decimal_comma: bool = False) -> bool:
    value = value_of(cell, decimal_comma)
    if value is None:
        text = inside(cell)
        if text.lower() in MISSING:
            return True
        value = value_of(text, decimal_comma)
    return value is not None and not math.isinf(value)


def inside(cell: str) -> str:
    text = bare(bare(cell).strip('"'))
    return "-" if text == "\u2212" else text
