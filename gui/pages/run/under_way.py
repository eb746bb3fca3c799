"""Runs under way on another computer: queued, running, fetching, lost; where, as which job, and for how long."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractItemView, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from bayescope.engine import protocol
from bayescope.gui.analysis.run_data import RunData
from bayescope.gui.models.queue_words import wait_words
from bayescope.gui.style.words import duration
from bayescope.gui.widgets.notices import label

COLUMNS = ("Run", "State", "Job", "Node", "Waiting", "Running", "Remark")
WIDTHS = (9, 10, 11, 11, 12, 12)  # digits; the remark takes the rest
LOOK_MS = 500
NONE_NOW = "no job at the moment"
TWICE = "is it random? (not counted)"
NAMES = {"ended": "done"}
HELD = "done; counts when the first run, made a second time, gives the same"
ROWS_SHOWN = 6  # more are scrolled to


def counted(placed: Sequence[protocol.RunPlaced]) -> str:
    """“2 running, 3 queued”; "": none."""
    order = ("running", "queued", "sending", "fetching", "ended", "lost")
    found = {stage: sum(p.stage == stage for p in placed) for stage in order}
    return ", ".join(f"{n} {NAMES.get(stage, stage)}" for stage, n in found.items() if n)


def cells(placed: protocol.RunPlaced, now: float) -> tuple[str, ...]:
    """The texts of a row at unix time ``now``; times of another computer's clock are never shown as negative."""
    begun = placed.started_at
    waiting = (begun or now) - placed.queued_at if placed.queued_at else None
    running = now - begun if begun and placed.stage == "running" else None
    times = ("" if t is None else duration(max(t, 0.0)) for t in (waiting, running))
    said = wait_words(placed.words) or (TWICE if placed.again else HELD if placed.stage == "ended" else "")
    stage = NAMES.get(placed.stage, placed.stage)
    return (f"{placed.index} again" if placed.again else str(placed.index), stage, placed.job, placed.node, *times, said)


class UnderWay(QWidget):
    """Not there while no run goes on elsewhere."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.head = label(role="heading")
        self.table = QTableWidget(0, len(COLUMNS))
        self.table.setAccessibleName("Runs under way elsewhere")
        self.table.setHorizontalHeaderLabels(list(COLUMNS))
        self.table.verticalHeader().setVisible(False)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.setTabKeyNavigation(False)
        for column, width in enumerate(WIDTHS):
            self.table.setColumnWidth(column, self.fontMetrics().horizontalAdvance("0") * width)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 4, 0, 0)
        box.setSpacing(3)
        box.addWidget(self.head)
        box.addWidget(self.table)
        self._data = RunData()
        self._tick = QTimer(self, interval=LOOK_MS)
        self._tick.timeout.connect(self._look)
        self.hide()

    def refresh(self, data: RunData) -> None:
        """Show ``data``, also as it changes while ``follow`` says so."""
        self._data = data
        self._look()

    def follow(self, on: bool) -> None:
        """Look again and again, or not, since nobody sees it."""
        if on:
            self._tick.start()
        else:
            self._tick.stop()

    def _look(self) -> None:
        self.setVisible(self._data.elsewhere)
        if self._data.elsewhere:
            self._show_rows()

    def _show_rows(self) -> None:
        shown = [self._data.placed[key] for key in sorted(self._data.placed)]
        silent, now = self._data.silent, time.time()
        known = f", last known at {time.strftime('%H:%M', time.localtime(self._data.silent_since))}" if silent else ""
        self.head.setText(f"Under way{known}: {counted(shown) or NONE_NOW}")
        self.table.setRowCount(len(shown))
        now = self._data.silent_since if silent else now  # how long they have run since, nobody knows
        for row, placed in enumerate(shown):
            for column, text in enumerate(cells(placed, now)):
                item = self.table.item(row, column)
                if item is None:
                    item = QTableWidgetItem()
                    self.table.setItem(row, column, item)
                if item.text() != text:
                    item.setText(text)
                    item.setToolTip(text)
        header, line = self.table.horizontalHeader().sizeHint().height(), self.table.verticalHeader().defaultSectionSize()
        self.table.setFixedHeight(header + line * min(max(len(shown), 1), ROWS_SHOWN) + 4)
