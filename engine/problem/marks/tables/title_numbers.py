"""The number by which titles of tables with the same heading differ: 20 of ANGLE  20.0 deg above one, 60.0 deg above another."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol

from ...definition import Region
from ...extract.reading import Line
from ...numbers.numbers_in_text import numbers
from ...propose_tables import Proposal

MOST_ABOVE = 8  # lines between a title and the first row of its table
MOST_TITLES = 200  # lines of one kind: more are rows of data
_LETTERS = re.compile(r"[^\W\d_]{2,}")


class Marked(Protocol):
    """As a Mark: its lines, and what is selected in them, if it is a table."""

    @property
    def lines(self) -> Sequence[Line]: ...


def title_number(mark: Marked, proposal: Proposal) -> str:
    """What tells the table that is read from others, as the end of a name: 20, 0_5, m3; '' where nothing does.

    Only where the extractor knows its table by a text in that title, or by a text that comes once below each such title, and not
    all tables like it.
    """
    selection, extractor = getattr(mark, "selection", None), proposal.extractor
    if selection is None or not isinstance(extractor, Region) or extractor.anchor is None:
        return ""
    if extractor.on_line or extractor.occurrence == "all":
        return ""
    lines, known = mark.lines, "".join(extractor.anchor.split())
    starts = [line.start for line in lines]
    top = bisect_right(starts, proposal.spans[0][0]) - 1 if proposal.spans else selection.rows[0]
    anchors = [i for i, line in enumerate(lines) if known in "".join(line.text.split())]
    for i in range(top - 1, max(top - 1 - MOST_ABOVE, -1), -1):
        mine = [number.value for number in numbers(lines[i].text)]
        if len(mine) != 1 or _LETTERS.search(lines[i].text) is None:
            continue
        kind = _kind(lines[i].text)
        every = [k for k, line in enumerate(lines) if _kind(line.text) == kind]
        values = [number.value for k in every for number in numbers(lines[k].text)]
        one_each = i in anchors or _in_turn(every, anchors)
        if one_each and 2 <= len(every) <= MOST_TITLES and len(set(values)) == len(values) == len(every):
            return in_a_name(mine[0])
    return ""


def in_a_name(value: float) -> str:
    """A number as part of a name: 20, 0_5, m3."""
    return f"{value:.6g}".replace("-", "m").replace(".", "_").replace("+", "")


def _in_turn(titles: Sequence[int], anchors: Sequence[int]) -> bool:
    """Whether one of the ``anchors`` stands below each of the ``titles``, before the next one, and none elsewhere."""
    if len(titles) != len(anchors):
        return False
    ends = [*titles[1:], anchors[-1] + 1 if anchors else 0]
    return all(title < anchor < end for title, anchor, end in zip(titles, anchors, ends, strict=True))


def _kind(text: str) -> str:
    """The line without its numbers and blanks."""
    found, end = "", 0
    for number in numbers(text):
        found, end = f"{found}{text[end : number.start]}#", number.end
    return "".join(f"{found}{text[end:]}".split())
