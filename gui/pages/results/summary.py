"""The table of the posterior in numbers: columns and rows fitted to what is in them."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QScrollArea, QScrollBar, QWidget

from bayescope.gui.models.records import RecordsModel
from bayescope.gui.models.results.summary import SummaryRow, title_of
from bayescope.gui.widgets.tables import TableView

MOST_OF_ROWS = 300  # pixels of the first rows that are always in sight; several lines of a long name each
LEAST_NAME = 120  # pixels of the column of names
EXTRA = (9, 8)  # columns that are left out, in this order, rather than a name cut: they stand in Best fit too
GIVE_WAY = (*EXTRA, 5, 4)  # ... rather than the last one cut
NAME_MARGIN = 18  # pixels beside the words of a cell


class SummaryTable(TableView):
    """Fits itself when it or a column changes its width; ``fit`` when the rows are others."""

    def __init__(self, rows: RecordsModel[SummaryRow], parent: QWidget | None = None) -> None:
        super().__init__("Summary of the posterior", rows, parent)
        self._summary = rows
        self.setWordWrap(True)
        self.verticalHeader().setMinimumSectionSize(self.verticalHeader().defaultSectionSize())
        self._fit_rows = QTimer(self, singleShot=True, interval=0)
        self._fit_rows.timeout.connect(self._fit_heights)
        self._fit_all = QTimer(self, singleShot=True, interval=0)
        self._fit_all.timeout.connect(self._fit_columns)
        self.horizontalHeader().sectionResized.connect(lambda *_: self._fit_rows.start())
        self.resized.connect(self._fit_all.start)
        self.set_widths(34, 8, 8, 8, 20, 20, 20, 20)

    def fit(self) -> None:
        self._fit_all.start()
        self._fit_rows.start()

    def release(self) -> None:
        """The window closes."""
        self._fit_rows.stop()
        self._fit_all.stop()

    def _fit_heights(self) -> None:
        """An interval of several parts takes a second line; no empty space below the last row."""
        self.resizeRowsToContents()
        for r, row in enumerate(self._summary.rows):
            longest = self.fontMetrics().horizontalAdvance(title_of(row))
            if longest > self.columnWidth(0) - NAME_MARGIN:  # Qt counts with less room around the words than there is
                self.setRowHeight(r, max(self.rowHeight(r), 2 * self.fontMetrics().lineSpacing() + 6))
            if self.rowHeight(r) > 1.5 * self.verticalHeader().defaultSectionSize():
                self.setRowHeight(r, self.rowHeight(r) + 8)  # several lines keep clear of the rows beside them
        heights = [self.rowHeight(r) for r in range(self._summary.rowCount())]
        frame = self.horizontalHeader().height() + 8
        if self.horizontalHeader().length() > self.viewport().width():  # the bar for scrolling would lie over the last row
            frame += self.horizontalScrollBar().sizeHint().height()
        whole = [sum(heights[: k + 1]) for k in range(min(len(heights), 5))]  # no row is cut in half
        self.setMinimumHeight(max((h for h in whole if h <= MOST_OF_ROWS), default=0) + frame)
        self.setMaximumHeight(sum(heights) + frame)

    def _fit_columns(self) -> None:
        """Every number whole; what room is left goes to the intervals. Where there is too little, the surrogate's maximum and the
        best run give way first, then the name, then the intervals of 70 and of 50 %. The lines of a name, and so the height, are
        the same whether what is around scrolls or not: else one would call for the other without end."""
        for column in GIVE_WAY:
            self.setColumnHidden(column, False)
        self.fit_headings()
        needed = {c: max(self.sizeHintForColumn(c) + 10, self.heading_width(c)) for c in range(1, self._summary.columnCount())}
        narrow, bar = self.viewport().width(), _bar_around(self)
        narrow -= 0 if bar is None or bar.isVisible() else bar.sizeHint().width()
        whole = max(min(self.sizeHintForColumn(0) + 12, round(0.34 * narrow)), LEAST_NAME)
        for column in GIVE_WAY:
            least = whole if column in EXTRA else LEAST_NAME
            if narrow - sum(needed.values()) < least and column in needed:
                self.setColumnHidden(column, True)
                del needed[column]
        self.setToolTip("A wider window shows more columns" if any(map(self.isColumnHidden, GIVE_WAY)) else "")
        columns, wanted = tuple(needed), tuple(needed.values())
        name = max(min(whole, narrow - sum(wanted)), LEAST_NAME)
        spare = max(self.viewport().width() - sum(wanted) - name, 0) // max(len(columns) - 3, 1)
        self.setColumnWidth(0, name)
        for column, width in zip(columns, wanted, strict=True):
            self.setColumnWidth(column, width + (spare if column > 3 else 0))


def _bar_around(widget: QWidget) -> QScrollBar | None:
    """By which what ``widget`` lies in is scrolled; None: it is in no such."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QScrollArea):
        above = above.parentWidget()
    return None if above is None else above.verticalScrollBar()
