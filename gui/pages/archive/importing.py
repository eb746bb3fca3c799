"""Import of earlier evaluations: which column is which parameter, what the values mean, the best point, how far they reach."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal, cast

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from bayescope.engine.archive.additions import Addition, Known
from bayescope.engine.archive.appended import may_be_watched
from bayescope.engine.archive.appended_folders import holds_run_folders
from bayescope.engine.archive.interpret import Imported
from bayescope.engine.archive.mapping import Mapped
from bayescope.engine.archive.output_columns import MappedOutputs
from bayescope.engine.archive.read import read_all
from bayescope.engine.archive.table import SeveralTables, Table
from bayescope.engine.problem.definition import Problem
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.watched import Watched
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.importing import Importing
from bayescope.gui.analysis.watching import watched_as
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.archive.archive import DECIMAL_COMMAS, DELIMITERS, Newest, Understood, understand
from bayescope.gui.models.archive.import_memory import remember
from bayescope.gui.models.data.tables.data_table import TextTableModel
from bayescope.gui.models.plain import one_line
from bayescope.gui.pages.archive.check import ArchiveCheck
from bayescope.gui.pages.archive.columns import ColumnRoles
from bayescope.gui.plots.archive_picture import ArchivePicture
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.forms import Choice, beside
from bayescope.gui.widgets.notices import Empty, Notice, label
from bayescope.gui.widgets.tables import TableView

PREVIEW_ROWS = 20
NOTES_SHOWN = 5
SCORED_AT_ONCE = 500  # rows, after which the window is told
FILE_WATCHED = "&Watch this file for new rows", "Rows that are appended to it are added while this window is open."
FOLDER_WATCHED = "&Watch this folder for new rows", "Rows that are appended to its tables, and new tables, are added."
RUNS_WATCHED = (
    "&Watch this folder for new runs",
    "Run folders that come into it are added once they are complete, while this window is open.",
)
_FILES = "Tables and sessions (*.csv *.tsv *.txt *.dat *.npy *.parquet *.pq *.h5 *.hdf5 *.bayescope);;All files (*)"
_CHOOSE = "Choose tables (several files are joined), another analysis, or a folder of tables or of one folder per run."


class ArchiveDialog(QDialog):
    """``imported`` holds the result after it was accepted. Nothing is stored here. With a ``run`` a row can be checked
    by a simulator run."""

    _read_done = Signal(int, object)  # number of the reading, Table or error
    _understood = Signal(int, object)  # number of the reading of its columns, Understood or error
    _scored = Signal(int, int, int)  # the same number, rows done and all

    def __init__(
        self,
        problem: Problem,
        folder: Path,
        parent: QWidget | None = None,
        run: AnalysisRun | None = None,
        known: Callable[[], Known] | None = None,
        importing: Importing | None = None,
        hold: Literal["values", "outputs", ""] = "",
    ) -> None:
        """``known``: reads what an analysis has already, to which more are to be added, in rows that ``hold`` the same.
        ``importing``: writes what is imported, before the dialog is accepted."""
        super().__init__(parent)
        self.setProperty("help", "archives")
        self.setWindowTitle("Import earlier evaluations" if known is None else "Add more earlier evaluations")
        self._known, self._verb = known, "&Import" if known is None else "&Add"
        self.resize(980, 680)
        self._problem, self._folder = problem, folder
        self._importing = importing
        self._names = ParameterSpace(problem.parameters).names
        self._table: Table | None = None
        self._mapped: Mapped | MappedOutputs | None = None
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
        self.roles = roles = ColumnRoles(problem, hold=hold or ("" if known is None else "values"))
        self.kind, self.columns, self.outputs = roles.kind, roles.columns, roles.outputs
        self.value, self.meaning, self.noise = roles.value, roles.meaning, roles.noise
        self._form = roles.form
        above = (("Separator", self.delimiter), ("Decimal comma", self.comma), ("Table", self.inside))
        for k, (words, choice) in enumerate(above):
            roles.form.insertRow(k, label(words), choice)
        roles.form.setRowVisible(self.inside, False)
        roles.chosen.connect(self._interpret)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidget(roles)
        self.preview = TextTableModel(self)
        self.preview_table = TableView("First rows", self.preview, numbers=True)
        self.picture = ArchivePicture()
        self.nothing = Empty("No runs chosen yet", "Their log densities are drawn here, so that you see what was read.")
        self.summary = label("", wrap=True)
        self.use = QPushButton(self._verb)
        self.use.setProperty("kind", "primary")
        self.check = ArchiveCheck(run)
        self.check.changed.connect(self._say_use)
        self.watch = QCheckBox()
        self.use.clicked.connect(self.accept)
        self.cancel = QPushButton("&Cancel")
        self.cancel.clicked.connect(self.reject)
        if importing is not None:
            importing.ended.connect(self._take_end)
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
        self._scored.connect(self._say_scored)
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
        if self._importing is None or self._known is not None or self._found is None:
            super().accept()
        elif not self._importing.busy and self._importing.begin(self._found.stored):
            self.check.stop()
            self.summary.setText("Writing them into the analysis…")
            self.use.setEnabled(False)
            self.roles.setEnabled(False)

    def reject(self) -> None:
        """While they are written: nothing of them is."""
        if self._importing is not None and self._importing.busy:
            self._importing.cancel()
        else:
            super().reject()

    def done(self, result: int) -> None:
        self.check.stop()
        self._reader.number += 1
        self._thinker.number += 1
        super().done(result)

    def _take_end(self, written: bool) -> None:
        self.roles.setEnabled(True)
        if written:
            super().accept()
        elif self._found is not None:
            self._say_found(self._found)
            self.message.say("info", "Nothing was imported.")

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
        self.roles.offer(table)
        shown = [["–" if v != v else spoken(v) for v in row] for row in table.values[:PREVIEW_ROWS]]
        self.preview.set_content(list(table.columns), shown)
        self._show(True)
        self._interpret()

    # ---------------------------------------------------------------- meaning

    def _interpret(self) -> None:
        """The columns as chosen, in another thread; what was understood before is forgotten at once."""
        table = self._table
        self._forget()
        if table is None:
            return
        self._show_watch()
        mapped = self.roles.mapped()
        if mapped is None:
            self._thinker.number += 1
            wanted = ", ".join(self.roles.missing()[:5])
            one = "" if len(table.columns) > 1 else "There is only one column: is it the right separator?"
            self.message.say("warning" if one else "info", f"Choose the column of {wanted}.", one)
            return
        problem, self._mapped, number = self._problem, mapped, self._thinker.number + 1
        self.message.clear()
        self.summary.setText("Reading the columns…")

        def progress(done: int, total: int) -> None:
            if number != self._thinker.number:
                raise InterruptedError  # other columns were chosen, or the dialog was closed
            if done % SCORED_AT_ONCE == 0:
                self._scored.emit(number, done, total)

        self._thinker.run(lambda: understand(table, problem, mapped, self._known, progress))

    def _say_scored(self, number: int, done: int, total: int) -> None:
        if number == self._thinker.number and total > SCORED_AT_ONCE:
            self.summary.setText(f"Comparing the runs with the data: {done:,} of {total:,}…")

    def _take_understood(self, number: int, found: object) -> None:
        if number != self._thinker.number:
            return
        self.summary.setText("")
        if isinstance(found, (ProblemError, SessionError)):
            self.message.say("error", one_line(found.what, 400), one_line(found.suggestion, 300))
            return
        self._found = cast("Understood", found)
        self._say_found(self._found)

    def _say_found(self, found: Understood) -> None:
        imported, more = found.imported, found.addition
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
        for widget in (self.delimiter, self.comma, *self.roles.choices):
            widget.setEnabled(on)
        self.preview_table.setVisible(on)
        self._show_watch(on)
        self.picture.setVisible(on)
        self.nothing.setVisible(not on)
        if not on:
            self._table = None
            self._thinker.number += 1
            self._forget()

    def _show_watch(self, on: bool = True) -> None:
        self.watch.setVisible(on and may_be_watched(self._paths))
        words, hint = FILE_WATCHED
        if on and self._paths[0].is_dir():
            words, hint = RUNS_WATCHED if holds_run_folders(self._paths[0]) else FOLDER_WATCHED
        self.watch.setText(words)
        self.watch.setToolTip(hint)
