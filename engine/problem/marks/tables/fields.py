"""Columns of fixed width: which characters of the lines belong to which number, told from the gaps and from where numbers end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from ...extract.row_cells import BARS, cells_of
from ...numbers.number_text import value_of

Field = tuple[int, int, int, int]  # characters [a, b) that are used, and the first and last (from 1) that belong to it


def fields_of(rows: Sequence[str], comma: bool = False) -> list[Field]:
    """The fields of these lines that hold numbers, from left to right."""
    runs = _occupied(rows)
    ends = Counter(c.end for row in rows for c in cells_of(row, comma=comma) if c.kind == "n" and not c.problem)
    pieces: list[tuple[int, int]] = []
    for a, b in runs:
        cuts = [e for e in sorted(ends) if a < e < b and _divides(rows, a, e, b, comma)]
        pieces += pairwise([a, *cuts, b])
    fields = []
    for k, (a, b) in enumerate(pieces):
        words = [row[a:b].strip() for row in rows if row[a:b].strip()]
        if not any(value_of(word, comma) is not None for word in words):
            continue
        before = pieces[k - 1][1] if k else 0
        after = pieces[k + 1][0] if k + 1 < len(pieces) else b
        left_aligned = _spread(rows, a, b, left=True) < _spread(rows, a, b, left=False)
        fields.append((a, b, a + 1, max(after, b)) if left_aligned else (a, b, before + 1, b))
    return fields


def _occupied(rows: Sequence[str]) -> list[tuple[int, int]]:
    """Runs of characters where at least one row is not blank."""
    width = max(map(len, rows))
    used = [any(i < len(row) and not row[i].isspace() and row[i] not in BARS for row in rows) for i in range(width)]
    runs, start = [], None
    for i, on in enumerate([*used, False]):
        if on and start is None:
            start = i
        elif not on and start is not None:
            runs.append((start, i))
            start = None
    return runs


def _divides(rows: Sequence[str], a: int, cut: int, b: int, comma: bool) -> bool:
    """Whether the run [a, b) is two columns with the edge at ``cut``: both sides are blank or numbers in most rows."""
    good = bad = 0
    for row in rows:
        left, right = row[a:cut].split(), row[cut:b].split()
        if not left or not right:
            continue
        touching = not row[cut - 1].isspace() and not row[cut].isspace()
        numbers = value_of(left[-1], comma) is not None and (value_of(right[0], comma) is not None or row[cut] in "+-*")
        numbers = numbers and not (touching and value_of(left[-1] + right[0], comma) is not None)
        stars = "*" in left[-1] + right[0]
        if touching and not numbers and not stars and not _glued_digits(row[a:b]):
            bad += 1
        else:
            good += 1
    return good > 0 and bad == 0


def _glued_digits(text: str) -> bool:
    return text.count(".") > 1


def _spread(rows: Sequence[str], a: int, b: int, *, left: bool) -> int:
    places = set()
    for row in rows:
        piece = row[a:b]
        if piece.strip():
            places.add(len(piece) - len(piece.lstrip()) if left else len(piece.rstrip()))
    return len(places)
