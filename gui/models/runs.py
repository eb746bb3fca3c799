"""The simulator runs as a table, sorted and filtered here: a proxy of Qt would ask Python for every cell it compares."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from bayescope.engine.answer.failures.far_off import FarOff, Fate
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.analysis.run_data import Evaluation, Ran, RunData
from bayescope.gui.models.dates import moment
from bayescope.gui.style.theme import theme
from bayescope.gui.style.words import aligned, duration, number

Index = QModelIndex | QPersistentModelIndex
_OUTCOMES = {"ok": "✓ good", "failed": "✕ failed", "impossible": "∅ impossible"}
_FATES: dict[Fate | None, str] = {"open": "? in doubt", "left out": "≠ left out", "kept": "✓ came again"}
_ORDER = {"ok": 0.0, "failed": 1.0, "impossible": 2.0}
_FATE_ORDER: dict[Fate | None, float] = {"open": 0.7, "left out": 0.8, "kept": 0.2}
MOST_VALUES = 200  # of one output: more are looked up in the exported table
MOST_REPEATS = 50
WIDEST_NAME = 60  # characters
_BEFORE = ("Run", "Outcome")
_AFTER = ("Log density", "Noise sd", "Time", "Started")
_ELSEWHERE = ("Job", "Node")  # where any run was on another computer
_TIPS = {
    "Run": "Number of the run, in the order in which it was asked for",
    "Outcome": "Good, failed (with a reason), impossible (the density is zero there), or left out: far off its neighbours, and "
    "not so right beside",
    "Log density": "Log-likelihood plus log prior in your units",
    "Noise sd": "Standard error of the log-likelihood, for random simulators",
    "Time": "How long the simulator ran",
    "Started": "When the run began",
    "Job": "Number of its job on the other computer",
    "Node": "The computer there that it ran on",
}
# plain numbers: a view asks thousands of times a second, and comparing Qt's enums takes longer than the answer
_DISPLAY, _TIP, _FOREGROUND, _ALIGNMENT = (
    int(r.value)
    for r in (
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.ForegroundRole,
        Qt.ItemDataRole.TextAlignmentRole,
    )
)
_RIGHT = int((Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter).value)


def values_text(values: Mapping[str, float], outputs: Mapping[str, NDArray[np.float64]] | None) -> str:
    """The values of a run and what was read from it, one a line; ``outputs`` None: they are not known yet.

    Of repeated runs (R, L) each has its own line.
    """
    lines = ["Parameters", *_aligned({n: repr(v) for n, v in values.items()})]
    if outputs is not None:
        lines += ["", "Outputs", *(_aligned(_read(outputs)) if outputs else ["  None were read."])]
    return "\n".join(lines)


def _number_in(text: str) -> float:
    """By which jobs and nodes are sorted: all digits of the name."""
    digits = "".join(c for c in text if c in "0123456789")
    return float(digits[:15]) if digits else -1.0


def _aligned(texts: Mapping[str, str]) -> list[str]:
    width = min(max(map(len, texts), default=0), WIDEST_NAME)
    return [f"  {name[:WIDEST_NAME]:<{width}}  {text}" for name, text in texts.items()]


def _read(outputs: Mapping[str, NDArray[np.float64]]) -> dict[str, str]:
    found = {}
    for name, array in outputs.items():
        if array.ndim < 2:
            found[name] = _listed(np.atleast_1d(array))
            continue
        for k, row in enumerate(array[:MOST_REPEATS], 1):
            found[f"{name}, repeat {k}"] = _listed(row)
        if len(array) > MOST_REPEATS:
            found[f"{name}, …"] = f"and {len(array) - MOST_REPEATS:,} more repeats"
    return found


def _listed(row: NDArray[np.float64]) -> str:
    shown = ", ".join(spoken(v, 10) for v in row[:MOST_VALUES].tolist())
    more = f", … ({len(row):,} values)" if len(row) > MOST_VALUES else ""
    return (shown + more).replace("-", "−") or "no values"


class RunTableModel(QAbstractTableModel):
    """One row per finished run that the filter lets through, in the order asked for. ``refresh`` adds what is new."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._data = RunData()
        self._far_off, self._fates = FarOff.of({}), dict[int, Fate]()
        self._again: frozenset[int] = frozenset()  # runs that had an earlier attempt
        self._known = 0  # evaluations looked at so far
        self._rows: list[tuple[float, int]] = []  # (sort key, place in data.evaluations), sorted
        self._texts: list[tuple[str, ...] | None] = []  # by place, made when first shown
        self._headers: tuple[str, ...] = (*_BEFORE, *_AFTER)
        self._column, self._descending = 0, False
        self._which, self._words = "all", ""

    # ---------------------------------------------------------------- content

    def refresh(self, data: RunData) -> None:
        """Show ``data``; inserts rows if it is the one shown already."""
        again = frozenset(one.index for one in data.set_aside)
        other = self._take_fates(data.far_off) or again != self._again
        self._again = again
        headers = (*_BEFORE, *data.names, *_AFTER, *(_ELSEWHERE if data.ran else ()))
        if data is not self._data or headers != self._headers or (other and self._which != "all"):
            self.beginResetModel()
            self._data = data
            self._headers = headers
            self._column = self._column if self._column < len(self._headers) else 0
            self._known, self._texts = len(data.evaluations), [None] * len(data.evaluations)
            self._rows = self._wanted()
            self.endResetModel()
            return
        first, self._known = self._known, len(data.evaluations)
        self._texts += [None] * (self._known - first)
        new = sorted((self._key(k), k) for k in range(first, self._known) if self._accepts(k))
        if new and (not self._rows or new[0] > self._rows[-1]):
            self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows) + len(new) - 1)
            self._rows += new
            self.endInsertRows()
            return
        for entry in new:
            at = bisect_left(self._rows, entry)
            self.beginInsertRows(QModelIndex(), at, at)
            self._rows.insert(at, entry)
            self.endInsertRows()

    def _take_fates(self, far_off: FarOff) -> bool:
        """Whether other values are far off than were, whose rows then say so."""
        fates = {i: fate for i in map(int, far_off.index) if (fate := far_off.fate_of(i)) is not None}
        if fates == self._fates:
            return False
        changed = {i for i, _ in fates.items() ^ self._fates.items()}
        self._far_off, self._fates = far_off, fates
        for k, e in enumerate(self._data.evaluations[: len(self._texts)]):
            if e.index in changed:
                self._texts[k] = None
        if self._rows:
            self.dataChanged.emit(self.index(0, 1), self.index(len(self._rows) - 1, 1))
        return True

    @property
    def noise_column(self) -> int:
        return 2 + len(self._data.names) + 1

    @property
    def started_column(self) -> int:
        return 2 + len(self._data.names) + 3

    def choose(self, which: str, text: str) -> None:
        """Which runs are shown: ``which`` is all, good, failed, far_off or again; and a text in a value or the reason."""
        self.beginResetModel()
        self._which, self._words = which, text.strip().lower()
        self._rows = self._wanted()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """By value, not by text; runs of equal value stay in order of arrival."""
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        places = [self._rows[i.row()][1] for i in before]
        self._column, self._descending = max(column, 0), order == Qt.SortOrder.DescendingOrder
        self._rows = sorted((self._key(k), k) for _, k in self._rows)
        if before:
            row_of = {k: row for row, (_, k) in enumerate(self._rows)}
            after = [self.index(row_of[k], i.column()) for k, i in zip(places, before, strict=True)]
            self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def evaluation(self, row: int) -> Evaluation:
        return self._data.evaluations[self._rows[row][1]]

    def row_of(self, index: int) -> int | None:
        """The row of evaluation ``index``; None if it is not shown."""
        evaluations = self._data.evaluations
        return next((row for row, (_, k) in enumerate(self._rows) if evaluations[k].index == index), None)

    def text(self, row: int, column: int) -> str:
        return self._text_of(self._rows[row][1])[column]

    def failed(self, row: int) -> bool:
        """True: not a good run."""
        return not self._counts(self._data.evaluations[self._rows[row][1]])

    def words_of(self, row: int) -> str:
        """Why it failed, or how far off its value is; "" where nothing is to be said."""
        e = self.evaluation(row)
        return e.reason or self._far_off.words_of(e.index)

    def _counts(self, e: Evaluation) -> bool:
        return e.outcome == "ok" and self._fates.get(e.index) not in ("open", "left out")

    def _wanted(self) -> list[tuple[float, int]]:
        return sorted((self._key(k), k) for k in range(self._known) if self._accepts(k))

    def _accepts(self, k: int) -> bool:
        e = self._data.evaluations[k]
        if (self._which == "good" and not self._counts(e)) or (self._which == "failed" and e.outcome == "ok"):
            return False
        if self._which == "far_off" and e.index not in self._fates:
            return False
        if self._which == "again" and e.index not in self._again:
            return False
        words = self._words
        return not words or words in e.reason.lower() or any(words in t.lower() for t in self._text_of(k))

    # ---------------------------------------------------------------- QAbstractTableModel

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._rows)

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

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        row, column = index.row(), index.column()
        if not (0 <= row < len(self._rows) and 0 <= column < len(self._headers)):
            return None
        role = int(role)
        if role == _DISPLAY:
            return self.text(row, column)
        if role == _ALIGNMENT:
            return _RIGHT if column != 1 else None
        if role == _TIP:
            return self.words_of(row)[:1000] or None
        if role == _FOREGROUND and column == 1 and self.failed(row):
            return QColor(theme.colours.error)
        return None

    def _text_of(self, k: int) -> tuple[str, ...]:
        made = self._texts[k]
        if made is None:
            e = self._data.evaluations[k]
            made = self._texts[k] = (
                str(e.index),
                _FATES.get(self._fates.get(e.index), _OUTCOMES[e.outcome]),
                *(number(e.values.get(name), 6) for name in self._data.names),
                aligned(e.log_density),
                number(e.noise_sd, 3) if e.noise_sd else "",
                duration(e.duration_s),
                moment(e.started_at),
                *self._where(e.index),
            )
        return made

    def _where(self, index: int) -> tuple[str, ...]:
        """Texts of the columns for other computers, if they are there."""
        ran = self._data.ran.get(index, Ran())
        return (ran.job, ran.node) if len(self._headers) > 2 + len(self._data.names) + len(_AFTER) else ()

    def _key(self, k: int) -> float:
        e, column = self._data.evaluations[k], self._column
        d = len(self._data.names)
        if column < 2:
            key = float(e.index) if column == 0 else _FATE_ORDER.get(self._fates.get(e.index), _ORDER[e.outcome])
        elif column < 2 + d:
            key = e.values.get(self._data.names[column - 2], float("-inf"))
        elif column >= 2 + d + len(_AFTER):
            text = self._where(e.index)[column - 2 - d - len(_AFTER)]
            key = _number_in(text)
        else:
            density = float("-inf") if e.log_density is None else e.log_density
            key = (density, e.noise_sd, e.duration_s, e.started_at)[column - 2 - d]
        key = key if key == key else float("-inf")  # NaN has no place in an order
        return -key if self._descending else key
