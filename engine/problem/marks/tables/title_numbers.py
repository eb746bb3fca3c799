"""The number by which titles of tables with the same heading differ: 20 of ANGLE  20.0 deg above one, 60.0 deg above another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from ...definition import Extractor, Region
from ...extract.reading import Line
from ...numbers.numbers_in_text import numbers

MOST_ABOVE = 8  # lines between a title and the first row of its table
MOST_TITLES = 200  # lines of one kind: more are rows of data
_LETTERS = re.compile(r"[^\W\d_]{2,}")


class Marked(Protocol):
    """As a Mark: its lines, and what is selected in them, if it is a table."""

    @property
    def lines(self) -> Sequence[Line]: ...


def title_number(mark: Marked, extractor: Extractor) -> str:
    """What tells the table that is marked from others, as the end of a name: 20, 0_5, m3; '' where nothing does.

    Only where the extractor knows its table by a text in that title, and not all tables like it.
    """
    selection = getattr(mark, "selection", None)
    if selection is None or not isinstance(extractor, Region) or extractor.anchor is None:
        return ""
    if extractor.on_line or extractor.occurrence == "all":
        return ""
    lines, top, known = mark.lines, selection.rows[0], "".join(extractor.anchor.split())
    for i in range(top - 1, max(top - 1 - MOST_ABOVE, -1), -1):
        mine = [number.value for number in numbers(lines[i].text)]
        if len(mine) != 1 or _LETTERS.search(lines[i].text) is None or known not in "".join(lines[i].text.split()):
            continue
        kind = _kind(lines[i].text)
        every = [line.text for line in lines if _kind(line.text) == kind]
        values = [number.value for text in every for number in numbers(text)]
        if 2 <= len(every) <= MOST_TITLES and len(set(values)) == len(values) == len(every):
            return f"{mine[0]:.6g}".replace("-", "m").replace(".", "_").replace("+", "")
    return ""


def _kind(text: str) -> str:
    """The line without its numbers and blanks."""
    found, end = "", 0
    for number in numbers(text):
        found, end = f"{found}{text[end : number.start]}#", number.end
    return "".join(f"{found}{text[end:]}".split())
