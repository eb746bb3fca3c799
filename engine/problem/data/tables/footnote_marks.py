"""Numbers with the mark of a remark behind them, 1.5*, 2.5† and 7.1 a), in columns of numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .error_spellings import has_error
from .table_cells import MISSING, inside, is_number_or_missing
from .table_text import Cells

# a footnote, 7.1 a) and 7.1 (a), a raised letter, or letters behind decimals, 7.1ab, as tables of means have; 1a is a label,
# 10² a power, and 1.5e or 1.5d was cut off in its exponent
_LETTERS = r"(?:[a-cf]|[a-f]{2,3})"
_MARKED = re.compile(
    r"(?P<number>[-+(\u2212]*[0-9].*?)\s?(?P<mark>[*†‡§¶#?!]{1,3}|\([*†‡§¶#?!]{1,3}\)|\(?[a-h]\)|\[[a-h]\]|[ᵃᵇᶜᵈᵉ]{1,3}"
    rf"|(?<=[.,][0-9]){_LETTERS}|(?<=[.,][0-9][0-9]){_LETTERS}|(?<=[.,][0-9][0-9][0-9]){_LETTERS})"
)
MOST_SHOWN = 3  # cells in a sentence


@dataclass(frozen=True)
class Marked:
    """The ``cells`` of a column with such a mark, and the ``numbers`` in them; ``alone``: the column has no other values."""

    column: str
    cells: tuple[str, ...]
    numbers: tuple[str, ...]
    alone: bool = False

    def words(self, out: bool) -> str:
        """What became of them, a sentence; ``out``: they are to be left out, which the only values of a column never are."""
        one, shown = len(self.cells) == 1, list(zip(self.cells, self.numbers, strict=True))[:MOST_SHOWN]
        which = "1 number has" if one else f"{len(self.cells)} numbers have"
        more = "" if len(shown) == len(self.cells) else ", …"
        if out and not self.alone:
            left = ", ".join(f"“{cell}”" for cell, _ in shown)
            return f"Column “{self.column}”: {which} the mark of a remark: {left}{more} {'is' if one else 'are'} left out."
        read = ", ".join(f"“{cell}”{' is read' if not k else ''} as {number}" for k, (cell, number) in enumerate(shown))
        dropped = "mark is" if one else "marks are"
        return f"Column “{self.column}”: {which} the mark of a remark: {read}{more}; the {dropped} dropped."


def without_footnote_marks(cells: Cells, names: Sequence[str], out: bool = False) -> tuple[Cells, tuple[Marked, ...]]:
    """``cells`` without such marks where all other filled cells of the column are numbers, and what was found in each column.
    ``out``: such values are left out, unless their column has no others."""
    columns, found = [list(column) for column in zip(*cells.rows, strict=True)], list[Marked]()
    for i, column in enumerate(columns):
        marked = {k: m for k, cell in enumerate(column) if (m := _MARKED.fullmatch(inside(cell))) is not None}
        numbers = {k: m["number"] for k, m in marked.items() if _is_value(m["number"], cells.decimal_comma)}
        others = [c for k, c in enumerate(column) if k not in numbers and inside(c).lower() not in MISSING]
        if not numbers or not all(_is_value(c, cells.decimal_comma) for c in others):
            continue
        if not others and any(m["mark"].isalpha() for m in marked.values()) and len({*numbers.values()}) < len(numbers):
            continue  # 1.1a, 1.1b, 1.2a are labels
        found.append(Marked(names[i], tuple(inside(column[k]) for k in numbers), tuple(numbers.values()), not others))
        for k, number in numbers.items():
            column[k] = "" if out and others else number
    if not found:
        return cells, ()
    return replace(cells, rows=tuple(tuple(row) for row in zip(*columns, strict=True))), tuple(found)


def _is_value(cell: str, decimal_comma: bool) -> bool:
    """Whether it is a number, or one with its error or interval."""
    return is_number_or_missing(cell, decimal_comma) or has_error(cell)
