"""The text above a table by which it is known again in another run: near, unlike any other, without numbers that may change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..extract.reading import Line
from ..extract.region import REACH, appearances, squeezed
from ..extract.row_cells import cells_of, is_rule
from ..numbers_in_text import numbers

MOST_WORDS = 64  # characters of an anchor
HEADING_LINES = 14  # lines with text above a table that may be its heading
TITLE_LINES = 5  # so many lines of column headings may stand between a title and the rows
MOST_APPEARANCES = 5_000
_FLOAT = re.compile(r"[.,eEdD]")
_EDGES = " \t|\u2502\u2503\u2551#%=~*\u2500-\u257f"


@dataclass(frozen=True)
class Anchor:
    """``text`` in line ``line`` (from 0) is the ``nth`` of ``count`` appearances. ``numbered``: with whole numbers in it."""

    text: str
    line: int
    nth: int
    count: int
    title: bool
    numbered: bool


def anchors_above(lines: Sequence[Line], top: int, other: Sequence[Line] | None = None) -> list[Anchor]:
    """Texts above line ``top``, the best first. ``other``: the lines of another run, where an anchor must stand as well."""
    found: list[Anchor] = []
    for distance, i in enumerate(_heading_lines(lines, top)):
        title = distance <= TITLE_LINES and _stands_apart(lines, i)
        for text, numbered in _texts(lines[i].text):
            places = [k for k, _ in appearances(text, lines)][:MOST_APPEARANCES]
            if i not in places or (other is not None and not any(True for _ in appearances(text, other))):
                continue
            found.append(Anchor(text, i, places.index(i) + 1, len(places), title, numbered))
    titles = [a.line for a in found if a.title]
    nearest = max(titles, default=-1)

    def rank(anchor: Anchor) -> tuple[bool, int, bool, int]:
        return anchor.numbered, anchor.count, anchor.line != nearest, -anchor.line

    return sorted(found, key=rank)


def _heading_lines(lines: Sequence[Line], top: int) -> list[int]:
    """The lines with text above ``top``, upwards, as far as they may belong to its heading."""
    found: list[int] = []
    rows = 0
    for i in range(top - 1, max(top - 1 - 2 * REACH, -1), -1):
        text = lines[i].text
        if not text.strip() or is_rule(text):
            continue
        cells = cells_of(text, by="number")
        data = sum(c.kind == "n" for c in cells) > sum(c.kind == "t" for c in cells)
        rows = rows + 1 if data else 0
        if (rows > 1 and found) or len(found) >= HEADING_LINES:
            break
        if any(c.isalpha() for c in text) and not data:
            found.append(i)
    return found


def _stands_apart(lines: Sequence[Line], i: int) -> bool:
    """Whether line ``i`` is a title: a blank line or a rule above and below it."""

    def apart(k: int) -> bool:
        return not 0 <= k < len(lines) or not lines[k].text.strip() or is_rule(lines[k].text)

    return apart(i - 1) and apart(i + 1)


def _texts(line: str) -> list[tuple[str, bool]]:
    """What of a line may be an anchor: all of it, or the part before or between its numbers; and with whole numbers in it."""
    found = list(numbers(line))
    if not found:
        return [(_cut(line), False)] if _cut(line) else []
    pieces = [line[a:b] for a, b in zip([0, *(n.end for n in found)], [*(n.start for n in found), len(line)], strict=True)]
    named = [p for p in pieces if sum(c.isalpha() for c in p) > 1]
    plain = (pieces[0] if pieces[0] in named else max(named, key=len)) if named else ""
    texts = [(_cut(plain), False)] if _cut(plain) else []
    float_at = next((n.start for n in found if _FLOAT.search(line[n.start : n.end])), len(line))
    whole = _cut(line[:float_at])
    if whole and any(c.isalpha() for c in whole) and whole not in [t for t, _ in texts]:
        texts.append((whole, True))
    return texts


def _cut(text: str) -> str:
    """``text`` without rules and bars around it, at most MOST_WORDS characters of whole words; empty without a letter."""
    plain = squeezed(text).strip(_EDGES).rstrip("=:, (").strip()
    if len(plain) > MOST_WORDS:
        plain = plain[: MOST_WORDS + 1].rsplit(" ", 1)[0][:MOST_WORDS]
    return plain if any(c.isalpha() for c in plain) else ""
