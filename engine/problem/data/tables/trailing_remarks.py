"""Words behind the numbers of some lines of a table: one more column, of remarks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .remark_columns import says_remark
from .table_cells import is_number_or_missing

HALF = 0.5  # of the lines have no remark, at least: else a word is a cell of each
REMARK = "remark"  # of words that stand below no heading

Row = tuple[str, ...]


def with_trailing_remarks(rows: Sequence[Row], comma: bool, named: bool = False) -> list[Row]:
    """``rows``, titles and headings first, with the words behind the numbers of single ones in one last cell, which is empty in
    the others; as they are where that makes no even table of them. ``named``: comments above may say the headings."""
    first = next((k for k, row in enumerate(rows) if _number(row[0], comma)), len(rows))
    last = next((k for k in range(first, len(rows)) if not _number(rows[k][0], comma)), len(rows))
    body, head = rows[first:last], rows[first - 1] if first else ()
    if not body:
        return list(rows)
    width = Counter(len(row) for row in body).most_common(1)[0][0]
    remarked = [row for row in body if len(row) > width]
    told = len(head) == width + 1 and says_remark(head[-1])
    if not (remarked or told) or len(remarked) > HALF * len(body) or any(len(row) < width for row in body):
        return list(rows)
    if any(_number(row[width], comma) for row in remarked) or not (len(head) in (width, width + 1) or (named and not first)):
        return list(rows)
    heads = [head if len(head) > width else (*head, REMARK)] if first else []
    body = [(*row[:width], " ".join(row[width:])) for row in body]
    return [*rows[: max(first - 1, 0)], *heads, *body, *rows[last:]]


def _number(cell: str, comma: bool) -> bool:
    return bool(cell) and is_number_or_missing(cell, comma)
