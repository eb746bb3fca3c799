"""What a click or a drag in a text is about, once it is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..extract.row_cells import Cell
from .tables.block import Block

Kind = Literal["number", "piece", "row", "block", "heading", "lines"]


@dataclass(frozen=True)
class Selection:
    """``rows``: marked lines of the block, from 0; ``columns``: the marked ones, as places in ``block.columns``.

    ``listed``: the lines of the one list of numbers, printed over several, in which the mark lies; empty: in none.
    ``again``: the table of all lines that begin with the same text, if the block has not all of them; ``again_columns``: those
    marked in it.
    """

    kind: Kind
    block: Block
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    cell: Cell | None = None  # the number clicked
    listed: tuple[int, ...] = ()
    again: Block | None = None
    again_columns: tuple[int, ...] = ()
    named: bool = False  # the one name of a column was marked, not a title above the table

    def table_of(self, rows: Sequence[int], whole: bool) -> Block:
        """The table of which these rows are read, all of them or not."""
        return self.again if self.again is not None and whole and tuple(rows) == self.again.rows else self.block
