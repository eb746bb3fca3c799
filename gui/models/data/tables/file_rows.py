"""The lines of a file of measured data as Qt rows, for the import preview: those above its rows too."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFont

from bayescope.engine.problem.data.tables.lines_above import LineAbove
from bayescope.engine.problem.data.tables.table_preview import TablePreview
from bayescope.engine.problem.definition import DataTable
from bayescope.gui.models.data.tables.data_table import TextTableModel
from bayescope.gui.models.plain import one_line, tip
from bayescope.gui.models.records import Index
from bayescope.gui.style.theme import theme

MOST_BELOW = 3  # rows of the table that may be its heading, in the list of lines
LONGEST_LINE = 44  # characters of a line in that list
AS_IT_STANDS = "The file, line by line"
OF_FILE = "{} {} of the file"
PAIRS, IGNORED = "key or time", "ignored"  # what is marked in the cells too


def rows_shown(shown: TablePreview) -> list[tuple[int, tuple[str, ...], bool]]:
    """The line in the file (0: not known) and the cells of each row, and whether it stands above the table. A heading alone
    above the rows is not repeated: it stands over the columns."""
    above = shown.above if any(not one.heading for one in shown.above) else ()
    lines = shown.lines or (0,) * len(shown.rows)
    found = [(one.line, one.cells, True) for one in above]
    return found + [(line, cells, False) for line, cells in zip(lines, shown.rows, strict=False)]


def lines_shown(shown: TablePreview | None) -> tuple[int, ...]:
    """The line in the file of each row that is shown; none: they are not known."""
    return tuple(line for line, _, _ in rows_shown(shown)) if shown is not None and shown.lines else ()


def heading_lines(shown: TablePreview) -> list[tuple[int, str]]:
    """The lines that may hold the names of the columns, with their words."""
    there = [(one.line, one.cells) for one in shown.above]
    there += list(zip(shown.lines[:MOST_BELOW], shown.rows[:MOST_BELOW], strict=False))
    return [(line, line_words(line, cells)) for line, cells in there]


def line_words(line: int, cells: tuple[str, ...]) -> str:
    """A line by its number and its first words."""
    return f"Line {line}: {one_line(', '.join(cell for cell in cells if cell.strip()), LONGEST_LINE)}"


def unread_lines(lines: Sequence[LineAbove]) -> TablePreview:
    """``lines`` of a file that is no table as it is read now, as they stand there."""
    rows = tuple(one.cells for one in lines)
    return TablePreview(
        columns=(AS_IT_STANDS,), rows=rows, row_count=len(rows), delimiter="", delimiter_words="", decimal_comma=False,
        header=False, encoding="", numeric=(False,), notes=(), lines=tuple(one.line for one in lines),
    )  # fmt: skip


def rows_not_read(shown: TablePreview | None, table: DataTable | None, struck: Collection[int]) -> tuple[int, ...]:
    """Rows as they are shown (from 0) with something in a column of numbers that is neither a number nor a limit: "n/a".
    ``struck``: those that are not taken; none where it is not known which row of the ``table`` is which."""
    if shown is None or table is None or shown.turned or not shown.lines:
        return ()
    above = len(rows_shown(shown)) - len(shown.rows)
    taken = [i for i in range(len(shown.rows)) if i + above not in struck]
    columns = [(k, table.columns[name], table.limits.get(name)) for k, name in enumerate(shown.columns) if name in table.columns]
    if not columns or any(len(cells) != len(taken) for _, cells, _ in columns):
        return ()
    found = {
        i + above for k, cells, limits in columns for n, i in enumerate(taken)
        if cells[n] is None and k < len(shown.rows[i]) and shown.rows[i][k].strip() and (limits is None or limits[n] is None)
    }  # fmt: skip
    return tuple(sorted(found))


class FileRowsModel(TextTableModel):
    """Numbered by their lines in the file; what stands above the table is grey, and its heading bold."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers: tuple[int, ...] = ()
        self._turned = False
        self._above: dict[int, bool] = {}  # rows above the table, and whether it is the heading
        self._roles: tuple[str, ...] = ()  # what each column is, in words

    def mark(self, roles: Sequence[str]) -> None:
        """What each column is, in words."""
        if tuple(roles) != self._roles and (last := self.columnCount() - 1) >= 0:
            self._roles = tuple(roles)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last)
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, last))

    def _role(self, column: int) -> str:
        return self._roles[column] if 0 <= column < len(self._roles) else ""

    def show_preview(self, shown: TablePreview | None) -> None:
        self._roles = ()
        found = [] if shown is None else rows_shown(shown)
        named = () if shown is None else {one.line for one in shown.above if one.heading}
        self._numbers = tuple(line for line, _, _ in found) if shown is not None and shown.lines else ()
        self._turned = shown is not None and shown.turned
        self._above = {i: line in named for i, (line, _, above) in enumerate(found) if above}
        self.set_content([] if shown is None else list(shown.columns), [cells for _, cells, _ in found])

    def titles(self) -> list[int]:
        """Rows above the table that have words in their first cell alone."""
        return [i for i in self._above if not any(cell.strip() for cell in self._rows[i][1:])]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole and index.isValid() and self._above.get(index.row()) is False:
            return theme.colour("muted")
        if role == Qt.ItemDataRole.ForegroundRole and index.isValid() and self._role(index.column()) == IGNORED:
            return theme.colour("muted")
        if role == Qt.ItemDataRole.BackgroundRole and index.isValid() and index.row() not in self._above:
            return theme.colour("accent_soft") if self._role(index.column()) == PAIRS else None
        if role == Qt.ItemDataRole.FontRole and index.isValid() and self._above.get(index.row()):
            font = QFont()
            font.setBold(True)
            return font
        return super().data(index, role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical and 0 <= section < len(self._numbers):
            if role == Qt.ItemDataRole.ToolTipRole:
                return OF_FILE.format("Column" if self._turned else "Line", self._numbers[section])
            return str(self._numbers[section]) if role == Qt.ItemDataRole.DisplayRole else None
        if orientation == Qt.Orientation.Horizontal and (words := self._role(section)):
            if role == Qt.ItemDataRole.DisplayRole:
                return f"{super().headerData(section, orientation, role)}\n{words}"
            if role == Qt.ItemDataRole.ToolTipRole:
                return tip(f"{self._heads[section]}: {words}. A click says what it is.")
        return super().headerData(section, orientation, role)
