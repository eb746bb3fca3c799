"""The tab Table: what was measured, where it came from, rows that are left out, and the ways to another table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.session.read_files import ReadFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.data.rows.corrected import CORRECTED, corrected
from bayescope.gui.models.data.rows.left_out import matches_of, struck
from bayescope.gui.models.data.tables.data_table import DataTableModel
from bayescope.gui.models.data.tables.read_words import read_words
from bayescope.gui.models.plain import and_last, one_line
from bayescope.gui.pages.data.leave_out import LeaveOut
from bayescope.gui.pages.data.typed_value import ADD_VALUE
from bayescope.gui.widgets.folding import FoldingRow
from bayescope.gui.widgets.forms import beside
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.tables import TableView

WIDEST_CELL = 20  # characters of a label in the table, where columns have little room
LONGEST_LABEL = 30  # characters of a label that its column grows for
CORRECT = ". Double-click corrects a value"
ONE_VALUE = ", right-click leaves it out alone"


def paste_button() -> QPushButton:
    return QPushButton("Pas&te from a spreadsheet")


class TablePart(QWidget):
    """``open_wanted``: another file is to be chosen; ``value_wanted``: a single value is to be typed; ``pasted`` carries what the
    clipboard holds."""

    open_wanted = Signal()
    value_wanted = Signal()
    pasted = Signal(str)

    def __init__(self, problem: DeclaredProblem, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem = problem
        self.files: Callable[[], Sequence[ReadFile]] = lambda: ()  # how those of the data were read
        self.model = DataTableModel(self)
        self.table = TableView("Measured data", self.model, numbers=True)
        self.table.resized.connect(lambda: self.table.narrow_to_fit(WIDEST_CELL))
        self.model.modelReset.connect(lambda: self.table.narrow_to_fit(WIDEST_CELL))
        self.table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
        )  # not by any key: a letter typed by mistake is no measurement
        self.model.typed.connect(self._correct)
        self.refusal = Notice()
        self.leave_out = LeaveOut(problem, self.table)
        self.origin = label("", "hint", wrap=True)
        self.open_button = QPushButton("Ope&n another file…")
        self.open_button.clicked.connect(self.open_wanted)
        self.paste_button = paste_button()
        self.paste_button.clicked.connect(lambda: self.pasted.emit(QGuiApplication.clipboard().text()))
        self.value_button = QPushButton(ADD_VALUE)
        self.value_button.clicked.connect(self.value_wanted)
        self.remove_button = QPushButton("Re&move the table")
        self.remove_button.clicked.connect(lambda: problem.edit("Remove the data", data=None))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 12, 0, 0)
        box.addWidget(self.origin)
        box.addWidget(self.table, 1)
        box.addWidget(self.refusal)  # below: the rows stay where they are
        left = self.open_button, self.paste_button, self.value_button
        right = self.leave_out.value_button, self.leave_out.button, self.remove_button
        box.addWidget(FoldingRow(beside(*left, 1), beside(1, *right)))

    def show_cell(self, row: int, column: str) -> None:
        """Select the cell of ``row`` (from 0) and scroll to it."""
        index = self.model.index(row, self.model.column_of(column))
        self.table.setCurrentIndex(index)
        self.table.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _correct(self, row: int, column: str, text: str) -> None:
        try:
            changed = corrected(self.problem.declared, row, column, text)
        except ValueError as error:
            self.refusal.say("error", f"Row {row} of “{one_line(column, 40)}” stays as it was: {error}")
            return
        self.problem.replace(changed, f"Correct row {row} of {one_line(column, 30)}")

    def _read(self, origin: str) -> str:
        """How the newest file was read, as far as the user said it."""
        files = [one for one in self.files() if one.name in origin]
        said = read_words(files[-1]) if files else ""
        return f" ({said})" if said else ""

    def refresh(self) -> None:
        problem, locked = self.problem.declared, self.problem.locked
        self.refusal.clear()
        self.model.read_only = locked
        self.model.set_table(problem.data)
        for k in range(len(problem.data.texts) if problem.data is not None else 0):  # they stand first
            self.table.fit_words(k, LONGEST_LABEL)
        out = struck(problem)
        self.model.strike(out)
        self.leave_out.refresh()
        if problem.data is not None:
            rows = self.model.rowCount()
            origin = and_last(problem.data.origin.replace(CORRECTED, "")) or "the clipboard"
            here = ", with corrections: the file stays as it is" if CORRECTED in problem.data.origin else ""
            gone = f" ({count} left out)" if (count := len(out.get("", ()))) else ""
            self.origin.setText(
                f"{rows} row{'s' if rows != 1 else ''}{gone}, {self.model.columnCount()} columns, "
                f"from {one_line(origin, 60)}{self._read(origin)}{here}"
                + (CORRECT if not locked and not here else "")
                + (ONE_VALUE if matches_of(problem) and not locked and not here else "")
                + "."
            )
        for button in (self.open_button, self.paste_button, self.value_button, self.remove_button):
            button.setEnabled(not locked)
