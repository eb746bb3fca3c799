"""The number to which a label leads that was clicked: thermal of “Sum of thermal Energies= -76.0”, CD of “CL: 0.5  CD: 0.02”."""

from __future__ import annotations

import re

from ...numbers.numbers_in_text import is_index, line_bounds, scan
from ..selected import Selection

_SIGN = re.compile(r"[=:]\s*$")


def led_number(text: str, at: int) -> tuple[int, int] | None:
    """Where the number is that the words at ``at`` lead to by a sign; None: they lead to none, or to several."""
    low, high = line_bounds(text, at)
    if not text[max(at - 1, low) : at + 1].strip():
        return None
    tokens = [t for t in scan(text, units=True, apart=True, start=low, end=high) if not is_index(text, t)]
    if any(t.start <= at <= t.end for t in tokens):
        return None
    behind = [t for t in tokens if t.start > at]
    if not behind or behind[0].problem or _SIGN.search(text, at, behind[0].start) is None:
        return None
    rest = text[behind[0].end : behind[1].start] if len(behind) > 1 else "end"
    return (behind[0].start, behind[0].end) if any(c.isalpha() for c in rest) else None


def heads_a_table(found: Selection | str | None) -> bool:
    """Whether what was clicked stands above a table of several rows and columns, as a title that says a number may."""
    return isinstance(found, Selection) and found.kind == "heading" and len(found.rows) > 1 and len(found.block.columns) > 1
