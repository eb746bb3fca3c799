"""Choosing the rows of an output that were measured: by clicks on what the program prints, or by a list typed or pasted."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Signal
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QPushButton, QVBoxLayout, QWidget

from bayescope.gui.models.data.rows.chosen_rows import RowChoice, rows_typed
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.widgets.forms import MAX_TYPED, beside
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.tables import TableView

MOST_HIGH = 6  # rows shown without scrolling
LONGEST = 80  # characters of a line that its column grows for
SHORTEST = 12  # ... where there is little room
Line = tuple[str, str, str]  # number of the row, what is printed there, what is compared with it
COLUMNS: tuple[Column[Line], ...] = (
    Column("row", "Row", "Of the output, the first is 1.", lambda r: r[0], numeric=True),
    Column("line", "What the program prints there", "In the newest test run.", lambda r: r[1]),
    Column("measured", "Compared with", "The measured value, behind its label.", lambda r: r[2]),
)


class RowsChoice(QWidget):
    """``chosen`` carries the rows (from 1) in the order of the measured ones."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.found: RowChoice | None = None
        self.rows: tuple[int, ...] = ()
        self._locked = False
        self.question = label("", "heading")
        self.why = label("", "hint", wrap=True)
        self.model = RecordsModel[Line](COLUMNS, None, self)
        self.table = TableView("Rows of the output", self.model)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.MultiSelection)  # each click takes a row or leaves it
        self.table.selectionModel().selectionChanged.connect(self._clicked)
        self.table.resized.connect(self._share)
        self.field = QLineEdit()
        self.field.setMaxLength(MAX_TYPED)
        self.field.setAccessibleName("Rows as a list")
        self.field.setPlaceholderText("or as a list: 3, 5")
        self.field.textEdited.connect(self._typed)
        self.field.returnPressed.connect(self._take)
        self.said = label("", "hint")
        self.button = QPushButton("&Take these rows")
        self.button.clicked.connect(self._take)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        for part in (self.question, self.why, beside(self.field, self.button, 1), self.said, self.table):
            box.addWidget(part)
        self.hide()

    def show_choice(self, found: RowChoice | None, locked: bool) -> None:
        """None: nothing is to be chosen. The rows that are told are chosen already."""
        self._locked = locked
        self.setVisible(found is not None)
        if found == self.found:
            self._say()
            return
        self.found, self.rows = found, () if found is None else found.told
        self.field.clear()
        if found is None:
            self.model.set_rows(())
            return
        self.question.setText(found.question)
        self.why.setText(f"{found.why} Click a row to take it or to leave it.".strip())
        self._show()
        self.table.fit_rows(MOST_HIGH)
        self._share()

    def _share(self) -> None:
        self.table.share_all((6, LONGEST, LONGEST), (1, 2), SHORTEST)

    def _clicked(self, *_: QItemSelection) -> None:
        self.rows = tuple(sorted(i.row() + 1 for i in self.table.selectionModel().selectedRows()))
        self.field.clear()
        self._show(select=False)

    def _typed(self, text: str) -> None:
        if self.found is None:
            return
        try:
            self.rows = rows_typed(text, self.found.lines)
        except ValueError as error:
            self.rows = ()
            self._show(str(error))
            return
        self._show()

    def _show(self, fault: str = "", select: bool = True) -> None:
        if self.found is None:
            return
        beside_row = dict(zip(self.rows, self.found.measured, strict=False))
        self.model.set_rows([(str(i), line, beside_row.get(i, "")) for i, line in enumerate(self.found.lines, start=1)])
        chooser = self.table.selectionModel()
        chooser.blockSignals(True)  # what is shown here is known
        if select:
            flags = QItemSelectionModel.SelectionFlag
            chooser.clearSelection()
            for row in self.rows:
                chooser.select(self.model.index(row - 1, 0), flags.Select | flags.Rows)
        chooser.blockSignals(False)
        self.table.viewport().update()
        self._say(fault)

    def _say(self, fault: str = "") -> None:
        wanted = 0 if self.found is None else len(self.found.measured)
        self.button.setEnabled(not self._locked and wanted > 0 and len(self.rows) == wanted)
        self.field.setEnabled(not self._locked)
        self.table.setEnabled(not self._locked)
        self.said.setText(fault or f"{len(self.rows)} of {wanted} chosen.")

    def _take(self) -> None:
        if self.button.isEnabled():
            self.chosen.emit(self.rows)
