"""Leaving selected rows, or one value, of the measured data out of comparisons: buttons, Delete, and a menu on the table."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu, QPushButton

from bayescope.engine.problem.definition import Problem
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.data.rows.flagged_rows import same_text
from bayescope.gui.models.data.rows.left_out import all_out, changed, concerned, matches_of, of_column, rows_words
from bayescope.gui.models.data.rows.special_row import as_errors, without
from bayescope.gui.models.plain import one_line
from bayescope.gui.pages.data.importing.lines import HOLDS_ERRORS, OUT_OF_TABLE
from bayescope.gui.widgets.tables import TableView

MOST_ALONE = 12  # comparisons named in the menu
LONGEST_VALUE = 12  # characters of a value on its button


class LeaveOut(QObject):
    """Of the rows that are selected in ``table``; ``button``, and ``value_button`` for the one value clicked, are to be placed by
    the page."""

    def __init__(self, problem: DeclaredProblem, table: TableView) -> None:
        super().__init__(table)
        self.problem, self.table = problem, table
        self.button = QPushButton("&Leave rows out")
        self.button.clicked.connect(lambda: self.change())
        self.value_button = QPushButton("Leave value out")
        self.value_button.setToolTip("The value that was clicked, of the comparisons of its column; the rest of its row stays.")
        self.value_button.clicked.connect(self._change_clicked)
        table.delete_pressed.connect(lambda rows: self.change(back=False))
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._open)
        table.selectionModel().selectionChanged.connect(lambda *_: self.refresh())
        table.selectionModel().currentChanged.connect(lambda *_: self.refresh())

    @property
    def rows(self) -> list[int]:
        """Selected, the first of the table is 1."""
        return [row + 1 for row in self.table.selected_rows()]

    def refresh(self) -> None:
        declared, rows = self.problem.declared, self.rows
        on = bool(rows) and not self.problem.locked and bool(concerned(declared, rows))
        self.button.setVisible(bool(matches_of(declared)))
        self.button.setEnabled(on)
        self.button.setText("Take rows &back" if on and all_out(declared, rows) else "&Leave rows out")
        self.button.setToolTip(
            "The selected rows, of all comparisons (Delete). A right click on a value leaves out that one alone."
            if on or not rows or self.problem.locked
            else "Nothing is compared in the selected rows."
        )
        self._show_value_button()

    def _show_value_button(self) -> None:
        """For the value that was clicked, with its own number; the place stays the same for any other."""
        declared, cell = self.problem.declared, self._clicked()
        mine = of_column(declared, *cell) if cell is not None else []
        self.value_button.setVisible(bool(matches_of(declared)))
        self.value_button.setEnabled(bool(mine) and not self.problem.locked)
        if cell is None or not mine:
            self.value_button.setText("Leave value out")
            return
        shown = one_line(str(self.table.currentIndex().data() or ""), LONGEST_VALUE).replace("&", "&&")
        self.value_button.setText(f"Take {shown} back" if _out(declared, cell[0], mine) else f"Leave {shown} out")

    def _clicked(self) -> tuple[int, str] | None:
        """Row from 1 and column of the one cell that was clicked last; None: none, or several rows are selected."""
        index = self.table.currentIndex()
        column = self.table.model().headerData(index.column(), Qt.Orientation.Horizontal, Qt.ItemDataRole.UserRole)
        return (index.row() + 1, str(column)) if index.isValid() and column is not None and len(self.rows) == 1 else None

    def _change_clicked(self) -> None:
        if (cell := self._clicked()) is not None and not self.problem.locked and of_column(self.problem.declared, *cell):
            self.change_value(*cell)

    def change(self, only: int | None = None, back: bool | None = None) -> None:
        """Leave the selected rows out, or take them back where they are all out; ``only``: of one comparison."""
        declared, rows = self.problem.declared, self.rows
        if not rows or self.problem.locked or not concerned(declared, rows):
            return
        back = all_out(declared, rows, only) if back is None else back
        words = f"{'Take back' if back else 'Leave out'} {rows_words(rows)}"
        self.problem.replace(changed(declared, rows, not back, only), words)

    def change_rows(self, rows: list[int], words: str) -> None:
        """Leave these rows out of all comparisons, or take them back where they are all out; ``words``: what that is called."""
        declared = self.problem.declared
        self.problem.replace(changed(declared, rows, not all_out(declared, rows)), words)

    def change_value(self, row: int, column: str) -> None:
        """Leave one value out of the comparisons of its column, or take it back."""
        declared = self.problem.declared
        mine = of_column(declared, row, column)
        back = _out(declared, row, mine)
        words = f"{'Take back' if back else 'Leave out'} {one_line(column, 30)} of row {row}"
        for i in mine:
            declared = changed(declared, [row], not back, i)
        self.problem.replace(declared, words)

    def menu(self, cell: tuple[int, str] | None = None) -> QMenu | None:
        """Of the selected rows, and of the ``cell`` (row from 1, column) under the mouse; None: nothing can be done with them."""
        declared, rows = self.problem.declared, self.rows
        if self.problem.locked or not rows or declared.data is None:
            return None
        menu = QMenu(self.table)
        if cell is not None and (alike := same_text(declared, *cell)):
            text = one_line((declared.data.texts[cell[1]][cell[0] - 1] or "").strip(), 20).replace("&", "&&")
            back = all_out(declared, alike)
            words = f"Take all {len(alike)} rows with “{text}” back" if back else f"Leave out all {len(alike)} rows with “{text}”"
            menu.addAction(words, lambda: self.change_rows(alike, words.replace("&&", "&")))
            menu.addSeparator()
        if of := concerned(declared, rows):
            self._offer_leaving_out(menu, of, cell)
            menu.addSeparator()
        if len(rows) == 1 and as_errors(declared, rows[0]) is not None:
            menu.addAction(HOLDS_ERRORS, self.take_as_errors)
        if len(rows) < self.table.model().rowCount():
            words = OUT_OF_TABLE if len(rows) == 1 else f"Take these {len(rows)} rows out of the table"
            menu.addAction(words, self.take_out)
        return menu

    def take_as_errors(self) -> None:
        """The selected row holds the errors of the columns."""
        changed = as_errors(self.problem.declared, self.rows[0]) if len(self.rows) == 1 and not self.problem.locked else None
        if changed is not None:
            self.problem.replace(changed, f"Take row {self.rows[0]} as errors")

    def take_out(self) -> None:
        """The selected rows are no rows of the table."""
        if (rows := self.rows) and not self.problem.locked:
            self.problem.replace(without(self.problem.declared, rows), f"Take out {rows_words(rows)}")

    def _offer_leaving_out(self, menu: QMenu, of: list[int], cell: tuple[int, str] | None) -> None:
        """Of the comparisons ``of``, and of the one with the ``cell``."""
        declared, rows = self.problem.declared, self.rows
        if cell is not None and (mine := of_column(declared, *cell)):
            which = f"{one_line(cell[1], 30)}, row {cell[0]}".replace("&", "&&")
            back = _out(declared, cell[0], mine)
            menu.addAction(
                f"Take this value back ({which})" if back else f"Leave this value out ({which})",
                lambda: self.change_value(*cell),
            )
            menu.addSeparator()
        every = f" of all {len(of)} comparisons" if len(of) > 1 else ""
        words = f"Take {rows_words(rows)} back" if all_out(declared, rows) else f"Leave {rows_words(rows)} out{every}"
        menu.addAction(words, lambda: self.change())
        if len(of) > 1:
            menu.addSeparator()
        for i in of[:MOST_ALONE] if len(of) > 1 else ():
            name = one_line(matches_of(declared)[i].column, 30).replace("&", "&&")
            back = all_out(declared, rows, i)
            words = f"Take back for {name} only" if back else f"Only of the comparison of {name}"
            menu.addAction(words, lambda i=i: self.change(i))

    def _open(self, at: QPoint) -> None:
        index = self.table.indexAt(at)
        column = self.table.model().headerData(index.column(), Qt.Orientation.Horizontal, Qt.ItemDataRole.UserRole)
        menu = self.menu((index.row() + 1, str(column)) if index.isValid() and column is not None else None)
        if menu is not None:
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self.table.viewport().mapToGlobal(at))


def _out(problem: Problem, row: int, comparisons: list[int]) -> bool:
    return all(all_out(problem, [row], i) for i in comparisons)
