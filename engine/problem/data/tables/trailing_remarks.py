"""Words behind the numbers of some lines of a table: one more column, of remarks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...numbers.number_text import value_of
from .remark_columns import says_remark
from .table_cells import inside, is_number_or_missing
from .table_edges import is_unit_cell

HALF = 0.5  # of the lines have no remark, at least: else a word is a cell of each
FEWEST_LABELLED = 3  # rows on end that begin with a label: a title may have a number behind its first word
REMARK = "remark"  # of words that stand below no heading

Row = tuple[str, ...]


def with_trailing_remarks(rows: Sequence[Row], comma: bool, named: bool = False) -> list[Row]:
    """``rows``, titles and headings first, with the words behind the numbers of single ones in one last cell, which is empty in
    the others; as they are where that makes no even table of them. ``named``: comments above may say the headings."""
    first, last = _measured(rows, comma)
    body, head = rows[first:last], rows[first - 1] if first else ()
    if not body:
        return list(rows)
    width = Counter(len(row) for row in body).most_common(1)[0][0]
    remarked = [row for row in body if len(row) > width]
    told = len(head) == width + 1 and says_remark(head[-1])
    if not (remarked or told) or len(remarked) > HALF * len(body) or any(len(row) < width for row in body):
        return list(rows)
    if len(head) == width and _shifted(body, width, comma):
        return list(rows)  # a comma stands within one of the numbers
    if len(head) == width and remarked and joined_into_last(body, head, " ", comma) is not None:
        return list(rows)  # they go on the last cell
    if any(_number(row[width], comma) for row in remarked) or not (len(head) in (width, width + 1) or (named and not first)):
        return list(rows)
    body = [(*row[:width], " ".join(row[width:])) for row in body]
    names = rows[first - 2] if first > 1 else ()
    if first > 1 and len(names) == len(head) == width and all(is_unit_cell(cell) for cell in head):
        return [*rows[: first - 2], (*names, REMARK), (*head, ""), *body, *rows[last:]]
    heads = [head if len(head) > width else (*head, REMARK)] if first else []
    return [*rows[: max(first - 1, 0)], *heads, *body, *rows[last:]]


def joined_into_last(rows: Sequence[Row], head: Row, between: str, comma: bool) -> list[Row] | None:
    """``rows`` below ``head``, what single ones have beyond its names joined to their last cell, as where a remark has a comma;
    None: none has, or something else may be meant: the last column must hold words, and remarks or stand behind numbers."""
    width = len(head)
    longer, even = ([row for row in rows if (len(row) > width) is more] for more in (True, False))
    if width < 2 or not longer or len(longer) > HALF * len(rows) or any(len(row) < width for row in even):
        return None
    if any(_is_value(row[width - 1], comma) for row in rows) or not all(row[width - 1] for row in longer):
        return None
    numeric = [k for k in range(width - 1) if all(is_number_or_missing(row[k], comma) for row in even)]
    shifted = any(not is_number_or_missing(row[k], comma) for row in longer for k in numeric)
    if shifted or not (width - 2 in numeric or says_remark(head[-1])):
        return None
    return [(*row[: width - 1], between.join(row[width - 1 :])) for row in rows]


def _shifted(rows: Sequence[Row], width: int, comma: bool) -> bool:
    """Whether only longer rows have numbers in the last of ``width`` columns."""
    values = {len(row) > width for row in rows if len(row) >= width and _is_value(row[width - 1], comma)}
    return values == {True}


def _is_value(cell: str, comma: bool) -> bool:
    return value_of(inside(cell), comma) is not None


def _measured(rows: Sequence[Row], comma: bool) -> tuple[int, int]:
    """The rows [first, last) that begin with numbers; else the most on end that have one behind a label."""
    first = next((k for k, row in enumerate(rows) if _number(row[0], comma)), len(rows))
    if first < len(rows):
        return first, next((k for k in range(first, len(rows)) if not _number(rows[k][0], comma)), len(rows))
    best, begun = (len(rows), len(rows)), 0
    for k, row in enumerate([*rows, ()]):
        if len(row) > 1 and _number(row[1], comma):
            continue
        if k - begun >= FEWEST_LABELLED and k - begun > best[1] - best[0]:
            best = begun, k
        begun = k + 1
    return best


def _number(cell: str, comma: bool) -> bool:
    return bool(cell) and is_number_or_missing(cell, comma)
