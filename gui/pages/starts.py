"""Values that are known to work: a table of starting points, typed or from a file; the first runs are made there."""

from __future__ import annotations

from pathlib import Path

import msgspec
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.data.units.unit_scales import with_unit
from bayescope.engine.problem.definition import MOST_STARTS, Parameter, free_parameters
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.session.errors import SessionError
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.plain import number_of, one_line
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.style.words import number
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.tables import TableView

Point = tuple[float, ...]  # of the free parameters, in their order
FILES = "Tables and analyses (*.csv *.txt *.dat *.tsv *.npy *.bayescope);;All files (*)"
DIGITS = 8  # of a value in the table
NAME_WORDS = 40
WIDTH = 12  # characters of a column


class StartsDialog(QDialog):
    """``place``: where files are looked for first. OK puts the points into the declaration, unless something is wrong."""

    def __init__(self, problem: DeclaredProblem, place: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Known good values")
        self.resize(640, 380)
        self.problem, self.place = problem, place
        self.parameters = free_parameters(problem.declared)
        self.points = RecordsModel[Point](tuple(map(self._column, range(len(self.parameters)))), self._commit, self)
        self.table = TableView("Known good values", self.points, numbers=True)
        self.table.say_nothing("None yet: the first runs are spread over the plausible ranges.")
        self.table.set_widths(*[WIDTH] * len(self.parameters))
        self.message = Notice()
        self.points.refused.connect(lambda row, column, words: self.message.say("error", words))
        self.add, self.remove = QPushButton("&Add"), QPushButton("&Remove")
        self.load = QPushButton("From a &file…")
        self.load.setToolTip("A table with a column for each parameter, or another analysis: its best run")
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.load.clicked.connect(self._load)
        self.table.delete_pressed.connect(lambda rows: self.points.remove(rows, ""))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.button(QDialogButtonBox.StandardButton.Ok).setProperty("kind", "primary")
        buttons.accepted.connect(self._apply)
        buttons.rejected.connect(self.reject)
        row = QHBoxLayout()
        for button in (self.add, self.remove, self.load):
            row.addWidget(button)
        row.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 18, 20, 16)
        box.setSpacing(12)
        box.addWidget(
            label("Values that you know to work, one set a row. The first runs are made there.", "hint", wrap=True)
        )
        box.addWidget(self.message)
        box.addWidget(self.table, 1)
        box.addLayout(row)
        box.addWidget(buttons)
        names = [p.name for p in self.parameters]
        self.points.set_rows([tuple(s[n] for n in names) for s in problem.declared.settings.starts if set(names) <= set(s)])

    def _column(self, k: int) -> Column[Point]:
        p: Parameter = self.parameters[k]
        title, words = one_line(p.name, NAME_WORDS), with_unit(p.label or p.name, p.unit)

        def change(point: Point, text: str) -> Point:
            return (*point[:k], number_of(text, title), *point[k + 1 :])

        return Column(p.name, title, one_line(words, NAME_WORDS), lambda point: number(point[k], DIGITS), change, numeric=True)

    def _commit(self, rows: tuple[Point, ...], text: str) -> bool:
        self.message.say("info", "")
        if len(rows) > MOST_STARTS:
            self.message.say("error", f"{MOST_STARTS} sets of values at most are of use.")
            return False
        self.points.set_rows(rows)
        return True

    def _add(self) -> None:
        """A new row, in the middle of the plausible ranges, ready to be typed over."""
        space = self.problem.space
        if space is None:
            self.message.say("error", "Declare the parameters first.")
            return
        low, high = space.plausible_box()
        if self.points.append(tuple(float(f"{v:.4g}") for v in space.to_user(0.5 * (low + high))), ""):
            self.table.selectRow(self.points.rowCount() - 1)

    def _remove(self) -> None:
        self.points.remove(sorted({index.row() for index in self.table.selectionModel().selectedRows()}), "")

    def _load(self) -> None:
        path = ask.file(self, "Known good values", self.place, FILES)
        if path is None:
            return
        from bayescope.engine.archive.starts import read_starts

        try:
            found = read_starts(path, self.problem.declared)
        except (ProblemError, SessionError) as error:
            self.message.say("error", error.what, error.suggestion)
            return
        points = tuple(tuple(start[p.name] for p in self.parameters) for start in found)
        self.points.commit((*self.points.rows, *points), "")

    def _apply(self) -> None:
        from bayescope.engine.problem.checks.validate import check

        names = [p.name for p in self.parameters]
        starts = tuple(dict(zip(names, point, strict=True)) for point in self.points.rows)
        declared = self.problem.declared
        settings = msgspec.structs.replace(declared.settings, starts=starts)
        wrong = [f for f in check(msgspec.structs.replace(declared, settings=settings)) if f.where == "settings.starts"]
        if wrong:
            self.message.say("error", wrong[0].message, wrong[0].suggestion)
        elif self.problem.edit("Change known good values", settings=settings):
            self.accept()
