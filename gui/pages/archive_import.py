"""Import of earlier evaluations: which column is which parameter, what the values mean, the best point, how far they reach."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import cast

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from bayescope.engine.archive.interpret import MEANINGS, Imported, Mapped, Meaning, interpret, mapping_from_options
from bayescope.engine.archive.read import read
from bayescope.engine.archive.table import ArchiveError, Table
from bayescope.engine.problem.definition import Problem
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.session.errors import SessionError
from bayescope.gui.models.data_table import TextTableModel
from bayescope.gui.models.plain import one_line
from bayescope.gui.plots import pg
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.forms import Choice, beside
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.tables import TableView

PREVIEW_ROWS = 20
MOST_DOTS = 1500  # per plot
MOST_PLOTS = 6
DROP_SHOWN = 40.0  # nats below the best that the picture shows
_FILES = "Tables and sessions (*.csv *.tsv *.txt *.dat *.npy *.bayescope);;All files (*)"


class ArchiveDialog(QDialog):
    """``imported`` holds the result after it was accepted. Nothing is stored here."""

    _read_done = Signal(int, object)  # number of the reading, Table or error

    def __init__(self, problem: Problem, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Import earlier evaluations")
        self.resize(980, 680)
        self._problem, self._folder = problem, folder
        self._names = ParameterSpace(problem.parameters).names
        self._table: Table | None = None
        self._reading = 0
        self.imported: Imported | None = None
        self.words = label("Choose a table, another analysis, or a folder with one folder per run.", "hint", wrap=True)
        self.message = Notice()
        self.choose_file = QPushButton("Choose a &file…")
        self.choose_file.clicked.connect(self.open_chooser)
        self.choose_folder = QPushButton("Choose a f&older of runs…")
        self.choose_folder.clicked.connect(self._open_folder)
        self.columns = {n: Choice(f"Column of {n}", f"The column that holds {n}.") for n in self._names}
        self.value = Choice("Column of the log density", "The number that says how well these values fit.")
        self.meaning = Choice("What it means", "Log-likelihood, log-posterior, or minus two log-likelihood.")
        self.meaning.offer(tuple(MEANINGS.items()), "log_likelihood")
        self.noise = Choice("Column of its noise", "Standard deviation of the value, if the simulator is random.")
        form = QFormLayout()
        for name, choice in self.columns.items():
            form.addRow(label(one_line(name, 30)), choice)
        for words, choice in (("Log density", self.value), ("It is the", self.meaning), ("Its noise", self.noise)):
            form.addRow(label(words), choice)
        for choice in (*self.columns.values(), self.value, self.meaning, self.noise):
            choice.chosen.connect(lambda _key: self._interpret())
        mapping = QWidget()
        mapping.setLayout(form)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidget(mapping)
        self.preview = TextTableModel(self)
        self.preview_table = TableView("First rows", self.preview, numbers=True)
        self.picture = pg.Canvas()
        self.picture.setAccessibleName("Log density of the earlier evaluations against each parameter")
        self.summary = label("", wrap=True)
        self.use = QPushButton("&Import")
        self.use.setProperty("kind", "primary")
        self.use.clicked.connect(self.accept)
        self.cancel = QPushButton("&Cancel")
        self.cancel.clicked.connect(self.reject)
        left = QVBoxLayout()
        left.addWidget(scroll, 3)
        left.addWidget(self.preview_table, 2)
        right = QVBoxLayout()
        right.addWidget(self.picture, 3)
        right.addWidget(self.summary)
        middle = QHBoxLayout()
        middle.setSpacing(14)
        middle.addLayout(left, 4)
        middle.addLayout(right, 5)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 16)
        box.setSpacing(10)
        box.addWidget(self.words)
        box.addWidget(self.message)
        box.addLayout(middle, 1)
        box.addWidget(beside(2, self.choose_file, self.choose_folder, self.cancel, self.use))
        self._read_done.connect(self._take)
        theme.changed.connect(self._draw)
        self._show(False)

    # ---------------------------------------------------------------- reading

    def open_chooser(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Earlier evaluations", str(self._folder), _FILES)
        if name:
            self.load(Path(name))

    def _open_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "Folder with one folder per run", str(self._folder))
        if name:
            self.load(Path(name))

    def load(self, path: Path) -> None:
        """Read in another thread: a million rows take seconds."""
        self._reading += 1
        number, problem = self._reading, self._problem
        self.words.setText(f"Reading {one_line(path.name, 80)}…")
        self.message.clear()
        self._show(False)
        done: Callable[[int, object], None] = self._read_done.emit

        def work() -> None:
            try:
                done(number, read(path, problem))
            except (ProblemError, SessionError) as error:
                done(number, error)
            except (OSError, MemoryError) as error:
                done(number, ArchiveError(f"It could not be read ({type(error).__name__}: {error}).", str(path)))

        threading.Thread(target=work, name="archive", daemon=True).start()

    def _take(self, number: int, found: object) -> None:
        if number != self._reading:
            return
        if isinstance(found, (ProblemError, SessionError)):
            self._table = None
            self.words.setText("Choose a table, another analysis, or a folder with one folder per run.")
            self.message.say("error", one_line(found.what, 400), one_line(found.suggestion, 300))
            return
        table = cast("Table", found)
        self._table = table
        text = table.delimiter_words in ("tab", "semicolon", "comma", "white space")
        separated = f"; columns separated by {table.delimiter_words}" if text else ""
        self.words.setText(f"{one_line(table.source, 80)}: {len(table.values):,} rows{separated}.")
        offered = [("", "Choose…"), *((c, one_line(c, 40)) for c in table.columns)]
        try:
            guess: Mapped | None = mapping_from_options(table, self._problem, {}, None, None, None)
        except ArchiveError:
            guess = None
        by_name = {} if guess is None else guess.columns
        for name, choice in self.columns.items():
            choice.offer(offered, by_name.get(name, name if name in table.columns else ""))
        self.value.offer(offered, "" if guess is None else guess.value)
        if guess is not None:
            self.meaning.offer(tuple(MEANINGS.items()), guess.meaning)
        noise = "" if guess is None or guess.sd is None else guess.sd
        self.noise.offer([("", "Exact: no noise"), *offered[1:]], noise)
        shown = [[f"{v:.6g}" for v in row] for row in table.values[:PREVIEW_ROWS]]
        self.preview.set_content(list(table.columns), shown)
        self._show(True)
        self._interpret()

    # ---------------------------------------------------------------- meaning

    def _interpret(self) -> None:
        self.imported = None
        table = self._table
        missing = [n for n, choice in self.columns.items() if not choice.key()]
        if table is not None and not missing and self.value.key():
            chosen = {n: choice.key() for n, choice in self.columns.items()}
            mapped = Mapped(chosen, self.value.key(), cast("Meaning", self.meaning.key()), self.noise.key() or None)
            try:
                self.imported = interpret(table, self._problem, mapped)
            except ProblemError as error:
                self.message.say("error", one_line(error.what, 400), one_line(error.suggestion, 300))
            else:
                notes = self.imported.notes
                self.message.say("warning", " ".join(notes[:4]))
        elif table is not None:
            wanted = missing or ["the log density"]
            self.message.say("info", f"Choose the column of {', '.join(wanted[:5])}.")
        self.use.setEnabled(self.imported is not None)
        said = (
            []
            if self.imported is None
            else self.imported.words()[: len(self.imported.words()) - len(self.imported.notes)]
        )
        if said:
            said.append("In the picture: bar = plausible range, diamond = best point.")
        self.summary.setText("\n".join(said))
        self._draw()

    def _draw(self) -> None:
        """Log density against each parameter, the best row marked, the plausible range as an axis."""
        self.picture.clear()
        self.picture.setBackground(theme.colours.plot_background)
        found = self.imported
        if found is None:
            return
        record = found.record
        space = ParameterSpace(self._problem.parameters)
        joint = record.values + (space.log_prior(record.points) if record.meaning == "log_likelihood" else 0.0)
        below = joint - found.best_log_joint
        shown = np.flatnonzero(below > -DROP_SHOWN)
        if len(shown) > MOST_DOTS:
            shown = shown[np.linspace(0, len(shown) - 1, MOST_DOTS).astype(int)]
        count = min(len(record.names), MOST_PLOTS)
        wide = 1 if count == 1 else 2
        for i in range(count):
            plot = self.picture.add_plot(
                i // wide, i % wide, record.names[i], "below the best" if i % wide == 0 else "", left=i % wide == 0
            )
            plot.plot(
                record.points[shown, i], below[shown], pen=None, symbol="o", symbolSize=4, symbolPen=None,
                symbolBrush=pg.brush("data", 0.45),
            )  # fmt: skip
            plot.plot(
                [found.best[record.names[i]]], [0.0], pen=None, symbol="d", symbolSize=11, symbolPen=None,
                symbolBrush=pg.brush("highlight"),
            )  # fmt: skip
            low, high = found.coverage[i].plausible
            plot.plot([low, high], [-DROP_SHOWN, -DROP_SHOWN], pen=pg.pen("prior", 5.0))
            plot.setYRange(-DROP_SHOWN, 2.0)

    def _show(self, on: bool) -> None:
        for widget in (*self.columns.values(), self.value, self.meaning, self.noise):
            widget.setEnabled(on)
        self.preview_table.setVisible(on)
        if not on:
            self.imported = None
            self.use.setEnabled(False)
            self.summary.setText("")
            self.picture.clear()
        self.setCursor(Qt.CursorShape.ArrowCursor)
