"""The measured data as a Qt table (a million rows cost nothing: cells are asked for when shown)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QFont

from bayescope.engine.problem.data.rows.censored import cells_shown
from bayescope.engine.problem.definition import DataTable
from bayescope.engine.problem.numbers.shown_digits import compact, in_full
from bayescope.gui.models.plain import one_line, shown, tip, writable
from bayescope.gui.models.records import Index

DOUBLE_CLICK = "A double click corrects it; the file stays as it is."


class DataTableModel(QAbstractTableModel):
    """Columns by name; a missing value is shown as a dash. ``typed``: into which row (from 1) and column, and what."""

    typed = Signal(int, str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table: DataTable | None = None
        self._names: list[str] = []
        self._cells: dict[str, tuple[float | str | None, ...]] = {}
        self._n = 0
        self.read_only = True
        self._struck: Mapping[str, frozenset[int]] = {}

    @property
    def table(self) -> DataTable | None:
        return self._table

    def set_table(self, table: DataTable | None) -> None:
        if table is self._table:
            return
        cells: dict[str, tuple[float | str | None, ...]] = {}
        if table is not None:
            cells = {**table.texts, **cells_shown(table)}
        n = max(map(len, cells.values()), default=0)
        if cells and (list(cells), n) == (self._names, self._n):  # a cell was corrected: what is looked at stays in sight
            self._table, self._cells = table, cells
            self.dataChanged.emit(self.index(0, 0), self.index(n - 1, len(cells) - 1))
            return
        self.beginResetModel()
        self._table, self._cells, self._names, self._n = table, cells, list(cells), n
        self.endResetModel()

    def strike(self, rows: Mapping[str, frozenset[int]]) -> None:
        """Cells that are left out: rows (from 1) by column, under "" of all columns."""
        if dict(rows) != dict(self._struck):
            self._struck = rows
            if self._n and self._names:
                self.dataChanged.emit(self.index(0, 0), self.index(self._n - 1, len(self._names) - 1))

    def _out(self, index: Index) -> bool:
        row = index.row() + 1
        return row in self._struck.get("", ()) or row in self._struck.get(self._names[index.column()], ())

    def column_of(self, name: str) -> int:
        """The place of a column, from 0; 0 where there is none of that name."""
        return self._names.index(name) if name in self._names else 0

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._n

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._names)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags if self.read_only or not index.isValid() else flags | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if self.read_only or role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        text = writable(str(value)).strip()
        if text != self.data(index, Qt.ItemDataRole.EditRole):
            self.typed.emit(index.row() + 1, self._names[index.column()], text)
        return True

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self._table is None or not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(self._side(index.column()) | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.FontRole and self._struck and self._out(index):
            font = QFont()
            font.setStrikeOut(True)
            return font
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.EditRole):
            column = self._cells[self._names[index.column()]]
            value = column[index.row()] if index.row() < len(column) else None
            whole = "" if value is None else value if isinstance(value, str) else shown(value)
            if role == Qt.ItemDataRole.EditRole:
                return whole
            if role == Qt.ItemDataRole.ToolTipRole:
                words = "Left out" if self._struck and self._out(index) else whole or "Nothing was measured here."
                return tip(words if self.read_only else f"{words}\n{DOUBLE_CLICK}")
            return "–" if value is None else one_line(value, 80) if isinstance(value, str) else compact(in_full(value))
        return None

    def _side(self, column: int) -> Qt.AlignmentFlag:
        """Numbers stand right, labels left."""
        text = self._table is not None and 0 <= column < len(self._names) and self._names[column] in self._table.texts
        return Qt.AlignmentFlag.AlignLeft if text else Qt.AlignmentFlag.AlignRight

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation == Qt.Orientation.Horizontal:
            return int(self._side(section) | Qt.AlignmentFlag.AlignVCenter)  # over its cells
        if role == Qt.ItemDataRole.UserRole and orientation == Qt.Orientation.Horizontal:
            return self._names[section] if 0 <= section < len(self._names) else None  # in full
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical:
            return str(section + 1)
        return one_line(self._names[section], 60) if 0 <= section < len(self._names) else None


class TextTableModel(QAbstractTableModel):
    """Rows of text as read from a file, for the import preview. Never editable."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._heads: list[str] = []
        self._rows: Sequence[Sequence[str]] = []
        self._struck: frozenset[int] = frozenset()

    def set_content(self, heads: list[str], rows: Sequence[Sequence[str]]) -> None:
        """The same as before stay as they are: selected, and in sight."""
        if heads == self._heads and rows == self._rows:
            return
        self.beginResetModel()
        self._heads, self._rows, self._struck = heads, rows, frozenset()
        self.endResetModel()

    def strike(self, rows: frozenset[int]) -> None:
        """Rows (from 0) that are not taken over."""
        self._struck = rows
        if self._rows and self._heads:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, len(self._heads) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._heads)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.FontRole and index.isValid() and index.row() in self._struck:
            font = QFont()
            font.setStrikeOut(True)
            return font
        if role != Qt.ItemDataRole.DisplayRole or not index.isValid():
            return None
        row = self._rows[index.row()]
        return one_line(row[index.column()], 80) if index.column() < len(row) else ""

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical:
            return str(section + 1)
        return one_line(self._heads[section], 60) if 0 <= section < len(self._heads) else None
