"""The lines of a file while it is imported: titles above the table go over all of its columns."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from bayescope.engine.problem.data.tables.table_preview import TablePreview
from bayescope.gui.models.data.tables.file_rows import FileRowsModel, rows_shown
from bayescope.gui.widgets.tables import TableView

SEEN_ABOVE = 3  # lines above the rows: the heading, and what stands over it
WIDEST_CELL = 24  # characters that a column grows for
WIDEST_LINE = 200  # ... that stands alone: the lines of a file that is no table yet


class ImportPreview(TableView):
    """``shown_rows``: what it shows; ``title_pressed`` carries a column, from 0, and the place on the screen below its title."""

    title_pressed = Signal(int, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.shown_rows = FileRowsModel()
        super().__init__("Rows of the file", self.shown_rows, parent, numbers=True)
        self.shown_rows.setParent(self)
        self._above = 0  # lines above the rows
        self._columns: tuple[str, ...] = ()  # those shown
        heads = self.horizontalHeader()
        heads.setSectionsClickable(True)
        heads.setHighlightSections(False)
        heads.sectionClicked.connect(self._pressed)

    def _pressed(self, column: int) -> None:
        heads = self.horizontalHeader()
        self.title_pressed.emit(column, heads.mapToGlobal(QPoint(heads.sectionViewportPosition(column), heads.height())))

    def mark(self, roles: Sequence[str]) -> None:
        """What each column is, below its title and in its cells; '' where nothing is to be said."""
        self.shown_rows.mark(roles)
        for column in range(self.shown_rows.columnCount()):
            self.fit_words(column, WIDEST_CELL if self.shown_rows.columnCount() > 1 else WIDEST_LINE)

    def show_preview(self, shown: TablePreview | None, struck: frozenset[int] = frozenset()) -> None:
        """``struck``: rows (from 0) that are not taken over; None: there is no table."""
        self.clearSpans()
        self.shown_rows.show_preview(shown)
        self.shown_rows.strike(struck)
        columns = self.shown_rows.columnCount()
        for row in self.shown_rows.titles() if columns > 1 else ():
            self.setSpan(row, 0, 1, columns)
        above = 0 if shown is None else sum(over for _, _, over in rows_shown(shown))
        if above != self._above:  # of a file that is read anew what is looked at stays in sight
            self._above = above
            self.scrollTo(self.shown_rows.index(max(above - SEEN_ABOVE, 0), 0), self.ScrollHint.PositionAtTop)
        self._begin_widths(() if shown is None else shown.columns)
        for column in range(columns):
            self.fit_words(column, WIDEST_CELL if columns > 1 else WIDEST_LINE)

    def show_row(self, row: int) -> None:
        """Select it, in the middle of what is seen."""
        self.setCurrentIndex(self.shown_rows.index(row, 0))
        self.scrollTo(self.shown_rows.index(row, 0), self.ScrollHint.PositionAtCenter)

    def _begin_widths(self, columns: tuple[str, ...]) -> None:
        """Other columns are not as wide as the lines of a file that was no table yet, or those of another file."""
        if columns != self._columns:
            self._columns = columns
            for column in range(self.shown_rows.columnCount()):
                self.setColumnWidth(column, self.horizontalHeader().defaultSectionSize())


class NextUnread(QPushButton):
    """The way from one row with a cell that could not be read to the next; hidden where all could."""

    def __init__(self, preview: ImportPreview) -> None:
        super().__init__()
        self._preview = preview
        self._rows: tuple[int, ...] = ()
        self.setProperty("kind", "link")
        self.clicked.connect(self._go)
        self.hide()

    def offer(self, rows: tuple[int, ...]) -> None:
        """``rows`` of the preview, from 0."""
        self._rows = rows
        count = f"Next of {len(rows)} rows" if len(rows) > 1 else "The row"
        self.setText(f"{count} with a cell that is no number")
        self.setVisible(bool(rows))

    def _go(self) -> None:
        now = self._preview.currentIndex().row()
        self._preview.show_row(next((row for row in self._rows if row > now), self._rows[0]))
        self._preview.setFocus()
