"""Import of earlier evaluations: which column is which parameter, what the values mean, the best point, how far they reach."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from bayescope.engine.archive.additions import Addition, Known
from bayescope.engine.archive.appended import may_be_watched
from bayescope.engine.archive.hdf5 import SeveralTables
from bayescope.engine.archive.interpret import Imported
from bayescope.engine.archive.mapping import MEANINGS, Mapped, Meaning, mapping_from_options
from bayescope.engine.archive.read import read_all
from bayescope.engine.archive.table import ArchiveError, Table
from bayescope.engine.problem.definition import Problem
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.watched import Watched
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.watching import watched_as
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.archive import DECIMAL_COMMAS, DELIMITERS, Newest, Understood, understand
from bayescope.gui.models.data_table import TextTableModel
from bayescope.gui.models.import_memory import recall, remember
from bayescope.gui.models.plain import one_line
from bayescope.gui.pages.archive_check import ArchiveCheck
from bayescope.gui.plots.archive_picture import ArchivePicture
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.forms import Choice, beside
from bayescope.gui.widgets.notices import Empty, Notice, label
from bayescope.gui.widgets.tables import TableView

PREVIEW_ROWS = 20
NOTES_SHOWN = 5
_FILES = "Tables and sessions (*.csv *.tsv *.txt *.dat *.npy *.parquet *.pq *.h5 *.hdf5 *.bayescope);;All files (*)"
_CHOOSE = "Choose tables (several files are joined), another analysis, or a folder of tables or of one folder per run."


class ArchiveDialog(QDialog):
    """``imported`` holds the result after it was accepted. Nothing is stored here. With a ``run`` a row can be checked
    by a simulator run."""

    _read_done = Signal(int, object)  # number of the reading, Table or error
    _understood = Signal(int, object)  # number of the reading of its columns, Understood or error

    def __init__(
        self,
        problem: Problem,
        folder: Path,
        parent: QWidget | None = None,
        run: AnalysisRun | None = None,
        known: Callable[[], Known] | None = None,
    ) -> None:
        """``known``: reads what an analysis has already, to which more are to be added."""
        super().__init__(parent)
        self.setProperty("help", "archives")
        self.setWindowTitle("Import earlier evaluations" if known is None else "Add more earlier evaluations")
        self._known, self._verb = known, "&Import" if known is None else "&Add"
        self.resize(980, 680)
        self._problem, self._folder = problem, folder
        self._names = ParameterSpace(problem.parameters).names
        self._table: Table | None = None
        self._mapped: Mapped | None = None
        self._paths: tuple[Path, ...] = ()
        self._reader = Newest(self._read_done.emit)
        self._thinker = Newest(self._understood.emit)
        self._found: Understood | None = None
        self.words = label(_CHOOSE, "hint", wrap=True)
        self.message = Notice()
        self.choose_file = QPushButton("Choose &files…")
        self.choose_file.clicked.connect(self.open_chooser)
        self.choose_folder = QPushButton("Choose a f&older…")
        self.choose_folder.clicked.connect(self._open_folder)
        self.delimiter = Choice("Separator of the columns", "Between the columns of a text table.")
        self.delimiter.offer(DELIMITERS, "")
        self.delimiter.chosen.connect(lambda _key: self._read_again())
        self.comma = Choice("Numbers have a decimal comma", "1,5 means one and a half.")
        self.comma.offer(DECIMAL_COMMAS, "")
        self.comma.chosen.connect(lambda _key: self._read_again())
        self.inside = Choice("Table in the file", "An HDF5 file may hold several tables.")
        self.inside.chosen.connect(lambda _key: self._read_again())
        self.columns = {n: Choice(f"Column of {n}", f"The column that holds {n}.") for n in self._names}
        self.value = Choice("Column of the log density", "The number that says how well these values fit.")
        self.meaning = Choice("What it means", "Log-likelihood, log-posterior, or minus two log-likelihood.")
        self.meaning.offer(tuple(MEANINGS.items()), "log_likelihood")
        self.noise = Choice("Column of its noise", "Standard deviation of the value, if the simulator is random.")
        form = QFormLayout()
        for choice in (*self.columns.values(), self.value, self.noise):
            choice.setPlaceholderText("choose a file or folder first")
        form.addRow(label("Separator"), self.delimiter)
        form.addRow(label("Decimal comma"), self.comma)
        form.addRow(label("Table"), self.inside)
        form.setRowVisible(self.inside, False)
        self._form = form
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
        self.picture = ArchivePicture()
        self.nothing = Empty("No runs chosen yet", "Their log densities are drawn here, so that you see what was read.")
        self.summary = label("", wrap=True)
        self.use = QPushButton(self._verb)
        self.use.setProperty("kind", "primary")
        self.check = ArchiveCheck(run)
        self.check.changed.connect(self._say_use)
        self.watch = QCheckBox("&Watch this file for new rows")
        self.watch.setToolTip("Rows that are appended to it are added by themselves while this window is open.")
        self.use.clicked.connect(self.accept)
        self.cancel = QPushButton("&Cancel")
        self.cancel.clicked.connect(self.reject)
        self.help = QPushButton("&Help")
        self.help.setProperty("kind", "link")
        self.help.clicked.connect(self.show_help)
        QShortcut(QKeySequence(QKeySequence.StandardKey.HelpContents), self).activated.connect(self.show_help)
        left = QVBoxLayout()
        left.addWidget(scroll, 3)
        left.addWidget(self.preview_table, 2)
        right = QVBoxLayout()
        right.addWidget(self.picture, 3)
        right.addWidget(self.nothing, 3)
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
        box.addWidget(self.check)
        box.addWidget(self.watch)
        box.addWidget(beside(self.help, 2, self.choose_file, self.choose_folder, self.cancel, self.use))
        self._read_done.connect(self._take)
        self._understood.connect(self._take_understood)
        theme.changed.connect(self._draw)
        self._show(False)

    @property
    def imported(self) -> Imported | None:
        """What would be imported now; None while columns are missing or nothing can be used."""
        return None if self._found is None else self._found.imported

    @property
    def addition(self) -> Addition | None:
        """What would be added now to an analysis that has some."""
        return None if self._found is None else self._found.addition

    @property
    def watched(self) -> Watched | None:
        """What is to be watched from now on; None: nothing."""
        if not self.watch.isChecked() or self.watch.isHidden() or self._mapped is None:
            return None
        comma = {"yes": True, "no": False}.get(self.comma.key())
        return watched_as(self._paths[0], self._mapped, self.delimiter.key() or None, comma)

    def show_help(self) -> None:
        from bayescope.gui.dialogs.help_window import show_help

        show_help(self, "archives")

    def accept(self) -> None:
        if self._mapped is not None:
            remember(self._mapped)
        super().accept()

    def done(self, result: int) -> None:
        self.check.stop()
        super().done(result)

    # ---------------------------------------------------------------- reading

    def open_chooser(self) -> None:
        paths = ask.files(self, "Earlier evaluations", self._folder, _FILES)
        if paths:
            self.load(*paths)

    def _open_folder(self) -> None:
        path = ask.folder(self, "Folder of tables, or with one folder per run", self._folder)
        if path is not None:
            self.load(path)

    def load(self, *paths: Path) -> None:
        """Read in another thread; several are joined by their columns' names."""
        if paths != self._paths:
            self.delimiter.offer(DELIMITERS, "")
            self.comma.offer(DECIMAL_COMMAS, "")
            self.inside.offer([], "")
            self._form.setRowVisible(self.inside, False)
        self._paths = paths
        problem, delimiter = self._problem, self.delimiter.key() or None
        comma = {"yes": True, "no": False}.get(self.comma.key())
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        self.words.setText(f"Reading {one_line(paths[0].name, 80)}{more}…")
        self.message.clear()
        self._show(False)
        inside = self.inside.key() or None
        self._reader.run(lambda: read_all(paths, problem, delimiter=delimiter, decimal_comma=comma, inside=inside))

    def _read_again(self) -> None:
        if self._paths:
            self.load(*self._paths)

    def _take(self, number: int, found: object) -> None:
        if number != self._reader.number:
            return
        if isinstance(found, (ProblemError, SessionError)):
            self._table = None
            self.words.setText(_CHOOSE)
            for choice in (self.delimiter, self.comma):
                choice.setEnabled(any(path.is_file() for path in self._paths))
            if isinstance(found, SeveralTables):
                self.inside.offer([("", "Choose…"), *((k, one_line(f"{k}: {w}", 80)) for k, w in found.tables)], "")
                self._form.setRowVisible(self.inside, True)
                self.message.say("info", f"The file holds {len(found.tables)} tables.", "Choose one under “Table”.")
                return
            self.message.say("error", one_line(found.what, 400), one_line(found.suggestion, 300))
            return
        table = cast("Table", found)
        self._table = table
        text = table.delimiter_words in ("tab", "semicolon", "comma", "white space")
        separated = f"; columns separated by {table.delimiter_words}" if text else ""
        self.words.setText(f"{one_line(table.source, 80)}: {len(table.values):,} rows{separated}.")
        offered = [("", "Choose…"), *((c, one_line(c, 40)) for c in table.columns)]
        guess = recall(self._names, table.columns) or self._guess(table)
        by_name = {} if guess is None else guess.columns
        for name, choice in self.columns.items():
            choice.offer(offered, by_name.get(name, name if name in table.columns else ""))
        self.value.offer(offered, "" if guess is None else guess.value)
        if guess is not None:
            self.meaning.offer(tuple(MEANINGS.items()), guess.meaning)
        noise = "" if guess is None or guess.sd is None else guess.sd
        self.noise.offer([("", "Exact: no noise"), *offered[1:]], noise)
        shown = [["–" if v != v else f"{v:.6g}" for v in row] for row in table.values[:PREVIEW_ROWS]]
        self.preview.set_content(list(table.columns), shown)
        self._show(True)
        self._interpret()

    def _guess(self, table: Table) -> Mapped | None:
        """What the names suggest; None: not enough."""
        try:
            return mapping_from_options(table, self._problem, {}, None, None, None)
        except ArchiveError:
            return None

    # ---------------------------------------------------------------- meaning

    def _interpret(self) -> None:
        """The columns as chosen, in another thread; what was understood before is forgotten at once."""
        table = self._table
        self._forget()
        if table is None:
            return
        missing = [n for n, choice in self.columns.items() if not choice.key()]
        if missing or not self.value.key():
            self._thinker.number += 1
            wanted = ", ".join((missing or ["the log density"])[:5])
            one = "" if len(table.columns) > 1 else "There is only one column: is it the right separator?"
            self.message.say("warning" if one else "info", f"Choose the column of {wanted}.", one)
            return
        chosen = {n: choice.key() for n, choice in self.columns.items()}
        mapped = Mapped(chosen, self.value.key(), cast("Meaning", self.meaning.key()), self.noise.key() or None)
        problem, self._mapped = self._problem, mapped
        self.message.clear()
        self.summary.setText("Reading the columns…")
        self._thinker.run(lambda: understand(table, problem, mapped, self._known))

    def _take_understood(self, number: int, found: object) -> None:
        if number != self._thinker.number:
            return
        self.summary.setText("")
        if isinstance(found, (ProblemError, SessionError)):
            self.message.say("error", one_line(found.what, 400), one_line(found.suggestion, 300))
            return
        self._found = cast("Understood", found)
        imported, more = self._found.imported, self._found.addition
        notes = (imported if more is None else more).notes[:NOTES_SHOWN]
        self.message.say("warning", notes[0] if len(notes) == 1 else "\n".join(f"•  {note}" for note in notes))
        said = imported.words()[: len(imported.words()) - len(imported.notes)]
        if more is not None:
            said[:1] = more.words()[:1]
        self.summary.setText("\n".join([*said, "In the picture: bar = plausible range, diamond = best point."]))
        self.use.setEnabled(more is None or more.count > 0)
        self.check.offer(imported)
        self._draw()

    def _forget(self) -> None:
        self._found = None
        self.use.setEnabled(False)
        self.summary.setText("")
        self.check.offer(None)
        self._draw()

    def _say_use(self) -> None:
        """After a check that disagreed the button says what pressing it means."""
        self.use.setText(f"{self._verb} all the same" if self.check.agrees is False else self._verb)

    def _draw(self) -> None:
        self.picture.show_archive(self._found, self._names)

    def _show(self, on: bool) -> None:
        for widget in (self.delimiter, self.comma, *self.columns.values(), self.value, self.meaning, self.noise):
            widget.setEnabled(on)
        self.preview_table.setVisible(on)
        self.watch.setVisible(on and may_be_watched(self._paths))
        folder = on and self._paths[0].is_dir()
        self.watch.setText("&Watch this folder for new rows" if folder else "&Watch this file for new rows")
        self.picture.setVisible(on)
        self.nothing.setVisible(not on)
        if not on:
            self._table = None
            self._thinker.number += 1
            self._forget()
