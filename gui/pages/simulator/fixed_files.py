"""The card of the Program tab with the files that a program needs and that never change, copied or linked into each run."""

from __future__ import annotations

from pathlib import Path

import msgspec
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import ExtraFile
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.models.simulator.files.fixed_files import fixed_files, whole_folder
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.simulator.after_runs import AfterRuns
from bayescope.gui.widgets.forms import beside, card, say_first
from bayescope.gui.widgets.notices import FieldNotice
from bayescope.gui.widgets.tables import TableView


def _file_path(row: ExtraFile, text: str) -> ExtraFile:
    if not text.strip():
        raise ValueError("A file needs a path. To take it out of the list, press Delete.")
    return msgspec.structs.replace(row, path=text.strip())


def _file_target(row: ExtraFile, text: str) -> ExtraFile:
    own = text.strip() == Path(row.path).name
    return msgspec.structs.replace(row, target="" if own else text.strip())


def _file_link(row: ExtraFile, text: str) -> ExtraFile:
    return msgspec.structs.replace(row, link=text == LINKED)


COPIED, LINKED = "copied", "linked"
FILE_COLUMNS: tuple[Column[ExtraFile], ...] = (
    Column("path", "File", "A fixed input file the program needs.", lambda f: f.path, _file_path, path=True),
    Column("target", "Name in the run's folder", "Empty: its own name.", lambda f: f.target or Path(f.path).name, _file_target),
    Column(
        "link",
        "How",
        "Copied, or only linked (large files).",
        lambda f: LINKED if f.link else COPIED,
        _file_link,
        choices=(COPIED, LINKED),
    ),
)


class FixedFiles(QWidget):
    """Edits ``Simulator.extra_files``."""

    def __init__(
        self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, trial: Trial, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.problem, self.file, self.trial = problem, file, trial
        self.rows = RecordsModel[ExtraFile](FILE_COLUMNS, self._changed, self)
        self.table = TableView("Fixed input files", self.rows)
        self.table.set_widths(34, 26, 10)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.setMaximumHeight(150)
        self.table.delete_pressed.connect(lambda rows: self.rows.remove(rows, "Remove input file"))
        self.add_button = QPushButton("Add fi&les…")
        self.add_button.clicked.connect(self.ask)
        self.add_folder_button = QPushButton("Add folder…")
        self.add_folder_button.setToolTip("A folder that the program needs, with all that lies in it.")
        self.add_folder_button.clicked.connect(self._ask_folder)
        self.remove_button = QPushButton("Remove file")
        self.remove_button.clicked.connect(
            lambda: self.rows.remove(self.table.selected_rows(), "Remove input file")
        )
        self.notice = FieldNotice()
        self.after_runs = AfterRuns(problem, file, run, "the fixed files")
        self.rows.refused.connect(lambda r, c, words: self.notice.say("error", words))
        shown = card(
            self.table,
            self.notice,
            self.after_runs,
            beside(self.add_button, self.add_folder_button, self.remove_button, 1),
            title="Fixed input files",
            hint="Files the program needs that do not change. They are put into each run's folder. Files with parameters in them "
            "belong on the Inputs tab.",
        )
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(shown)

    def refresh(self) -> None:
        files = self.problem.declared.simulator.extra_files
        locked = self.problem.locked and not self.problem.texts_free
        self.after_runs.refresh()
        self.rows.read_only = locked
        self.rows.set_rows(files)
        self.table.setVisible(bool(files))
        self.remove_button.setEnabled(bool(files) and not locked)
        for button in (self.add_button, self.add_folder_button):
            button.setEnabled(not locked)
        say_first(self.notice, self.problem.findings("simulator.extra_files"))

    def ask(self) -> None:
        """Add files that are chosen in a dialog."""
        if paths := ask.files(self, "Fixed input files", self.file.place):
            self.add(paths)

    def add(self, paths: list[Path]) -> None:
        """Put these files into each run."""
        new = fixed_files(paths, self.problem.declared.simulator, self.file.folder)
        self._changed((*self.rows.rows, *new), "Add input files")

    def _ask_folder(self) -> None:
        path = ask.folder(self, "Folder of fixed input files", self.file.place)
        if path is not None:
            self.add_folder(path)

    def add_folder(self, path: Path) -> None:
        """Put this folder into each run."""
        try:
            report = self.trial.report
            written = report.beside.names if report is not None and report.beside is not None else ()
            new = whole_folder(path, self.problem.declared.simulator, self.file.folder, written)
        except OSError as error:
            self.notice.say("error", f"“{one_line(str(path), 80)}” cannot be read: {error.strerror}.")
            return
        if new:
            self._changed((*self.rows.rows, *new), "Add a folder of input files")

    def _changed(self, rows: tuple[ExtraFile, ...], text: str) -> bool:
        self.notice.clear()
        simulator = msgspec.structs.replace(self.problem.declared.simulator, extra_files=rows)
        return self.problem.edit(text, simulator=simulator)
