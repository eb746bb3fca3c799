"""A table of immutable records as a Qt model: columns are pairs of functions, edits go through one commit function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from bayescope.gui.models.plain import one_line, tip, writable
from bayescope.gui.style.theme import theme

T = TypeVar("T")
SURELY_WHOLE = 6  # characters that no column cuts: of longer texts the tool tip has all
Index = QModelIndex | QPersistentModelIndex
FINDING_ROLE = Qt.ItemDataRole.UserRole + 1  # "error", "warning" or None
WORDS_ROLE = Qt.ItemDataRole.UserRole + 2  # what is wrong with the cell, sentences


@dataclass(frozen=True)
class Column(Generic[T]):
    """``change`` None: the column cannot be edited; it raises ValueError with words for a person."""

    key: str  # the last part of Finding.where
    title: str
    tip: str
    text: Callable[[T], str]
    change: Callable[[T, str], T] | None = None
    numeric: bool = False
    choices: tuple[str, ...] = ()
    choices_of: Callable[[T], tuple[str, ...]] | None = None  # those of the ``choices`` that a row has; None: all
    empty: str = ""  # shown, muted, where the text is empty
    path: bool = False  # texts that differ in their ends: one too long for its cell is cut in the middle
    lines: bool = False  # the text may have several lines (its author keeps it short)
    edited: Callable[[T], str] | None = None  # what is typed over, where that is not the text that is shown


@dataclass(frozen=True)
class CellFinding:
    """What validation says of one cell; ``column`` is a key."""

    row: int
    column: str
    level: str
    words: str


class RecordsModel(QAbstractTableModel, Generic[T]):
    """Rows of ``T``. ``commit(rows, text)`` makes the change (it may refuse); ``set_rows`` follows the truth afterwards."""

    refused = Signal(int, int, str)  # row, column, words: the text typed cannot be that value
    removed = Signal(int)  # rows, by hand: the place of the first of them

    def __init__(
        self,
        columns: Sequence[Column[T]],
        commit: Callable[[tuple[T, ...], str], bool] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self._commit = commit
        self._rows: tuple[T, ...] = ()
        self._findings: dict[tuple[int, str], tuple[str, str]] = {}
        self.read_only = False

    # -------------------------------------------------------------- content

    @property
    def rows(self) -> tuple[T, ...]:
        return self._rows

    def set_rows(self, rows: Sequence[T]) -> None:
        """Take new rows, telling views the smallest change, so that selection and scroll position stay."""
        new = tuple(rows)
        old = self._rows
        if new == old:
            return
        head = 0
        while head < min(len(old), len(new)) and old[head] == new[head]:
            head += 1
        tail = 0
        while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
            tail += 1
        gone, come = len(old) - head - tail, len(new) - head - tail
        if come == gone:
            self._rows = new
            self.dataChanged.emit(self.index(head, 0), self.index(head + come - 1, len(self.columns) - 1))
            return
        if gone:
            self.beginRemoveRows(QModelIndex(), head, head + gone - 1)
            self._rows = old[:head] + old[head + gone :]
            self.endRemoveRows()
        if come:
            self.beginInsertRows(QModelIndex(), head, head + come - 1)
            self._rows = new
            self.endInsertRows()

    def set_columns(self, columns: Sequence[Column[T]]) -> None:
        """Others; where they are fewer or more, views begin anew."""
        new = tuple(columns)
        if len(new) == len(self.columns):
            self.columns = new
            return
        self.beginResetModel()
        self.columns = new
        self.endResetModel()

    def set_findings(self, findings: Sequence[CellFinding]) -> None:
        found: dict[tuple[int, str], tuple[str, str]] = {}
        for f in findings:
            level, words = found.get((f.row, f.column), ("warning", ""))
            level = "error" if "error" in (level, f.level) else "warning"
            found[(f.row, f.column)] = (level, f"{words}\n{f.words}".strip())
        if found != self._findings:
            self._findings = found
            self.refresh()

    def choices(self, index: Index) -> tuple[str, ...]:
        """What a cell may hold; empty: it is typed."""
        column = self.columns[index.column()]
        return column.choices if column.choices_of is None else column.choices_of(self._rows[index.row()])

    def refresh(self) -> None:
        """Texts that depend on something outside the rows changed."""
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, len(self.columns) - 1))

    def column_of(self, key: str) -> int:
        return next(i for i, c in enumerate(self.columns) if c.key == key)

    # -------------------------------------------------------------- changes

    def commit(self, rows: Sequence[T], text: str) -> bool:
        return self._commit is not None and not self.read_only and self._commit(tuple(rows), text)

    def append(self, row: T, text: str) -> bool:
        return self.commit((*self._rows, row), text)

    def remove(self, rows: Sequence[int], text: str) -> bool:
        gone = set(rows)
        if not gone or not self.commit([r for i, r in enumerate(self._rows) if i not in gone], text):
            return False
        self.removed.emit(min(gone))
        return True

    def move(self, row: int, by: int, text: str) -> bool:
        to = row + by
        if not (0 <= row < len(self._rows) and 0 <= to < len(self._rows)):
            return False
        rows = list(self._rows)
        rows.insert(to, rows.pop(row))
        return self.commit(rows, text)

    def replace(self, row: int, value: T, text: str) -> bool:
        return 0 <= row < len(self._rows) and self.commit((*self._rows[:row], value, *self._rows[row + 1 :]), text)

    # -------------------------------------------------------------- the Qt side

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and self.columns[index.column()].change is not None and not self.read_only:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not (0 <= index.row() < len(self._rows)):
            return None
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            text = column.text(self._rows[index.row()])
            return (text if column.lines else one_line(text)) or column.empty
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme.colour("muted") if column.empty and not column.text(self._rows[index.row()]) else None
        if role == Qt.ItemDataRole.EditRole:
            return (column.edited or column.text)(self._rows[index.row()])
        if role == Qt.ItemDataRole.TextAlignmentRole and column.numeric:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        level, words = self._findings.get((index.row(), column.key), (None, ""))
        if role == FINDING_ROLE:
            return level
        if role == WORDS_ROLE:
            return words
        if role == Qt.ItemDataRole.ToolTipRole:
            text = column.text(self._rows[index.row()])
            return tip(words or (f"{one_line(text)}\n{column.tip}" if len(text) > SURELY_WHOLE else column.tip))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            text = one_line(column.text(self._rows[index.row()]))
            return f"{text}. {words}" if words else text
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid() or self.read_only:
            return False
        column, row = self.columns[index.column()], self._rows[index.row()]
        text = writable(str(value))
        if column.change is None or text == (column.edited or column.text)(row):
            return False
        try:
            changed = column.change(row, text)
        except ValueError as error:
            self.refused.emit(index.row(), index.column(), str(error))
            return False
        return self.replace(index.row(), changed, f"Change {column.title.lower()}")

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return str(section + 1) if role == Qt.ItemDataRole.DisplayRole else None
        if not 0 <= section < len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.columns[section].tip
        if role == Qt.ItemDataRole.TextAlignmentRole and self.columns[section].numeric:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None
