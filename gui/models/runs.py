"""The simulator runs as a table: sortable, filterable; a view on ``RunData`` that copies nothing."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QColor

from bayescope.gui.run_data import Evaluation, RunData
from bayescope.gui.style.theme import theme
from bayescope.gui.words import duration, number

Index = QModelIndex | QPersistentModelIndex
SORT_ROLE = Qt.ItemDataRole.UserRole + 1
_OUTCOMES = {"ok": "✓ good", "failed": "✕ failed", "impossible": "∅ impossible"}
_BEFORE = ("Run", "Outcome")
_AFTER = ("Log density", "Noise sd", "Time", "Started")
_TIPS = {
    "Run": "Number of the run, in the order in which it was asked for",
    "Outcome": "Good, failed (with a reason), or impossible: the density is zero there",
    "Log density": "Log-likelihood plus log prior in your units",
    "Noise sd": "Standard error of the log-likelihood, for random simulators",
    "Time": "How long the simulator ran",
    "Started": "When the run began",
}


class RunTableModel(QAbstractTableModel):
    """One row per finished run, in order of arrival. ``refresh`` after ``evaluations_changed`` appends what is new."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._data = RunData()
        self._rows = 0
        self._version = -1
        self._headers: tuple[str, ...] = (*_BEFORE, *_AFTER)

    def refresh(self, data: RunData) -> None:
        """Show ``data``; appends rows if it is the one shown already."""
        if data is not self._data:
            self.beginResetModel()
            self._data, self._rows, self._version = data, len(data.evaluations), data.version
            self._headers = (*_BEFORE, *data.names, *_AFTER)
            self.endResetModel()
            return
        n = len(data.evaluations)
        if n > self._rows:
            self.beginInsertRows(QModelIndex(), self._rows, n - 1)
            self._rows = n
            self.endInsertRows()

    def evaluation(self, row: int) -> Evaluation:
        return self._data.evaluations[row]

    def row_of(self, index: int) -> int | None:
        """The row of evaluation ``index``."""
        return next((k for k, e in enumerate(self._data.evaluations[: self._rows]) if e.index == index), None)

    # ---------------------------------------------------------------- QAbstractTableModel

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else self._rows

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._headers)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._headers):
            return None
        name = self._headers[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return name if len(name) <= 40 else name[:39] + "…"
        if role == Qt.ItemDataRole.ToolTipRole:
            return _TIPS.get(name, f"Value of {name[:200]}")
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < self._rows:
            return None
        e, column = self._data.evaluations[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(e, column)
        if role == SORT_ROLE:
            return self._key(e, column)
        if role == Qt.ItemDataRole.ToolTipRole and e.reason:
            return e.reason[:1000]
        if role == Qt.ItemDataRole.ForegroundRole and column == 1 and e.outcome != "ok":
            return QColor(theme.colours.error)
        if role == Qt.ItemDataRole.TextAlignmentRole and column != 1:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def _text(self, e: Evaluation, column: int) -> str:
        d = len(self._data.names)
        if column < 2:
            return str(e.index) if column == 0 else _OUTCOMES[e.outcome]
        if column < 2 + d:
            return number(e.values.get(self._data.names[column - 2]), 6)
        match column - 2 - d:
            case 0:
                return number(e.log_density, 7)
            case 1:
                return number(e.noise_sd, 3) if e.noise_sd else ""
            case 2:
                return duration(e.duration_s)
            case _:
                return time.strftime("%d %b %H:%M:%S", time.localtime(e.started_at)) if e.started_at else ""

    def _key(self, e: Evaluation, column: int) -> float | str:
        d = len(self._data.names)
        if column < 2:
            return float(e.index) if column == 0 else e.outcome
        if column < 2 + d:
            return e.values.get(self._data.names[column - 2], float("-inf"))
        density = float("-inf") if e.log_density is None else e.log_density
        return (density, e.noise_sd, e.duration_s, e.started_at)[column - 2 - d]


class RunFilter(QSortFilterProxyModel):
    """Which runs are shown: all, good or not good, and a text that a value or the reason contains."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._which = "all"
        self._text = ""
        self.setSortRole(SORT_ROLE)
        self.setDynamicSortFilter(True)

    def choose(self, which: str, text: str) -> None:
        """``which``: all, good, failed."""
        self.beginFilterChange()
        self._which, self._text = which, text.strip().lower()
        self.endFilterChange()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        model = self.sourceModel()
        if not isinstance(model, RunTableModel):
            return False
        e = model.evaluation(row)
        if (self._which == "good" and e.outcome != "ok") or (self._which == "failed" and e.outcome == "ok"):
            return False
        if not self._text:
            return True
        columns = range(model.columnCount())
        return self._text in e.reason.lower() or any(self._text in model._text(e, c).lower() for c in columns)
