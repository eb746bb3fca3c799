"""Headings that are known by where they are seen: above rows set with tabs, as ngspice prints them, or each begun where its
column begins, behind the sign of a comment; and the legends of a plot. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...extract.reading import Line
from ...extract.row_cells import cells_of
from .block import Block

TAB = 8  # characters from one stop of a terminal to the next
MOST_ABOVE = 200  # lines with the settings of a plot
_PHRASE = re.compile(r"\S+(?: \S+)*")
_COMMENT = re.compile(r"\s*[#%]+\s*")
_LEGEND = re.compile(r'@\s*s(?P<set>\d+)\s+legend\s+"(?P<name>[^"]+)"')
_AXIS = re.compile(r'@\s*(?P<axis>[xy])axis\s+label\s+"(?P<name>[^"]+)"')


def placed_headings(block: Block, lines: Sequence[Line], heading: str) -> dict[int, tuple[int, int]]:
    """Where the headings of a line stand, by the number of the column below them; empty: it is no such line.

    Above rows with tabs the cells begin below them once the tabs are drawn; some columns may have none. Behind the sign of a
    comment there is one for each cell, whatever signs are in it: T (K), Point: 3.
    """
    row = lines[block.rows[0]].text
    if "\t" in heading or block.shape.characters or block.shape.by == "number":
        return {}
    sign = _COMMENT.match(heading)
    begin = sign.end() if sign is not None else 0
    found = [m.span() for m in _PHRASE.finditer(heading, begin)]
    cells = cells_of(row, by=block.shape.by, delimiter=block.shape.delimiter, comma=block.comma)
    seen = {len(row[: cell.start].expandtabs(TAB)): k + 1 for k, cell in enumerate(cells) if cell.end > cell.start}
    if sign is not None and found and 0 in seen:
        seen[begin] = seen[0]
    below = [seen.get(start) for start, _ in found]
    if len(found) < 2 or None in below or any(heading[a:b].endswith((":", "=")) for a, b in found):
        return {}
    if "\t" not in row and (sign is None or len(found) != len(cells)):
        return {}
    return {number: span for number, span in zip(below, found, strict=True) if number is not None}


def legend_name(block: Block, number: int, lines: Sequence[Line]) -> str:
    """What the settings of a plot right above the rows call column ``number``: @ s0 legend "Pressure" is that of the second
    column, behind the abscissae; '' where they do not."""
    told = dict[int, str]()
    ordinate = ""
    for i in range(block.rows[0] - 1, max(block.rows[0] - MOST_ABOVE, -1), -1):
        text = lines[i].text.lstrip()
        if text and text[0] not in "@#":
            break
        if found := _LEGEND.match(text):
            told.setdefault(int(found["set"]) + 2, found["name"])
        elif found := _AXIS.match(text):
            told |= {1: found["name"]} if found["axis"] == "x" else {}
            ordinate = found["name"] if found["axis"] == "y" else ordinate
    alone = ordinate if number == 2 and set(told) <= {1} and len(block.columns) == 2 else ""
    return told.get(number, alone)
