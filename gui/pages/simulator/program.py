"""Program tab: which program is run, with which words behind it, in which folder, with which files beside it."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import ExtraFile, Problem
from bayescope.engine.problem.numbers.number_text import value_of
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.plain import in_quotes, one_line
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.models.simulator.command_text import join_command, split_command
from bayescope.gui.models.simulator.filled import filled
from bayescope.gui.models.simulator.fixed_files import fixed_files, whole_folder
from bayescope.gui.models.simulator.loose_files import (
    BUNDLED,
    SCRIPTS,
    alike,
    by_stems,
    found_beside,
    loose_files,
    written_by_program,
)
from bayescope.gui.models.simulator.script_inputs import with_numbers
from bayescope.gui.models.simulator.trial import Trial
from bayescope.gui.pages.make_parameter import MakeParameter
from bayescope.gui.pages.original_notice import OriginalNotice
from bayescope.gui.pages.redirect_notice import RedirectNotice
from bayescope.gui.pages.script_notice import ScriptNotice, script_words
from bayescope.gui.pages.seeded_notice import SeededNotice, others
from bayescope.gui.widgets.fitting import bring_into_sight
from bayescope.gui.widgets.forms import Choice, Form, LineField, beside, card, say_first, scrolled
from bayescope.gui.widgets.notices import FieldNotice, Notice, label
from bayescope.gui.widgets.tables import TableView
from bayescope.gui.widgets.text_pane import TextPane

RUN_FOLDER, OTHER_FOLDER = "run", "other"


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


class ProgramTab(QWidget):
    """Edits ``Simulator.command``, ``working_folder`` and ``extra_files``."""

    template_wanted = Signal(object)  # a file that the program reads shall become an input file; its path, None: to be asked for

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.file, self.trial = problem, file, trial
        mono = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self.program = LineField(
            "Program",
            "The program's file, or its name if it is installed (for example ngspice). A whole command line can be pasted here: "
            "its other words become the arguments.",
            "for example ngspice, or paste a whole command line",
        )
        self.program.committed.connect(self._program_typed)
        self.browse = QPushButton("&Browse…")
        self.browse.setToolTip("Choose the program's file.")
        self.browse.setAccessibleName("Browse for the program")
        self.browse.clicked.connect(self._browse)
        self.found = FieldNotice()
        self.arguments = LineField(
            "Arguments",
            "The words behind the program, as you type them; quotes around words with spaces. @name@ stands for a parameter.",
            "for example -b circuit.cir --width @rho@",
        )
        self.arguments.setFont(mono)
        self.arguments.committed.connect(self._arguments_typed)
        self.preview = TextPane("The command with the values of the test run", strip=False, numbers=False)
        self.preview_notice = FieldNotice()
        self.maker = MakeParameter(problem, trial, with_arguments)
        self.arguments.selectionChanged.connect(self._selection_changed)
        for field in (self.program, self.arguments):
            field.returnPressed.connect(self._answer_in_sight)
        self.seeded = SeededNotice(problem)
        self.redirect = RedirectNotice(problem, file)
        self.original = OriginalNotice(problem, file)
        self.script = ScriptNotice(problem, file)
        self.loose = Notice()
        self._loose_path: Path | None = None  # of the file that is asked about, where it was found
        self._settled: set[Path] = set()  # files of the command that never change
        self._alike: list[str] = []  # names of those that are asked about with it, itself one of them
        self._together = False  # whether there is one answer for them all
        self.loose.pressed.connect(self._loose_pressed)
        self.loose.dismissed.connect(self._add_loose)

        self.folder_choice = Choice("Working folder", "The folder the program is started in.")
        self.folder_choice.chosen.connect(self._folder_chosen)
        self.folder_path = LineField("Path of the working folder", "Full path, or relative to the analysis file.")
        self.folder_path.committed.connect(
            lambda text: self._edit("Change working folder", working_folder=text.strip() or None)
        )

        self.files = RecordsModel[ExtraFile](FILE_COLUMNS, self._files_changed, self)
        self.files_table = TableView("Fixed input files", self.files)
        self.files_table.set_widths(34, 26, 10)
        self.files_table.horizontalHeader().setStretchLastSection(True)
        self.files_table.setMaximumHeight(150)
        self.files_table.delete_pressed.connect(lambda rows: self.files.remove(rows, "Remove input file"))
        self.add_file = QPushButton("Add fi&les…")
        self.add_file.clicked.connect(self._add_files)
        self.add_folder_button = QPushButton("Add folder…")
        self.add_folder_button.setToolTip("A folder that the program needs, with all that lies in it.")
        self.add_folder_button.clicked.connect(self._add_folder)
        self.remove_file = QPushButton("Remove file")
        self.remove_file.clicked.connect(
            lambda: self.files.remove(self.files_table.selected_rows(), "Remove input file")
        )
        self.files_notice = FieldNotice()
        self.files.refused.connect(lambda r, c, words: self.files_notice.say("error", words))

        self.form = Form()
        line = beside(self.program, self.browse)
        line.setAccessibleName("Program")
        line.setFocusProxy(self.program)
        self.program.setProperty("grow", True)
        row = self.form.add("Pr&ogram", line, where="simulator.command[0]")
        row.hide()
        self.form.add_wide(self.found)
        self.how = label("Select a number here to make it a parameter.", "hint")
        self.form.add("&Arguments", self.arguments, hint=self.how)
        folder = Form()
        folder.add("&Working folder", self.folder_choice)
        self.path_form = Form()
        self.folder_notice = self.path_form.add("Path", self.folder_path)
        self.command_card = card(
            self.form,
            self.maker,
            self.seeded,
            label("What will be run, word by word, at the values of the test run:", "hint"),
            self.preview,
            self.preview_notice,
            self.script,  # below the fields, which they must not push away
            self.redirect,
            self.original,
            self.loose,
            title="Program",
        )
        self.files_card = card(
            self.files_table,
            self.files_notice,
            beside(self.add_file, self.add_folder_button, self.remove_file, 1),
            title="Fixed input files",
            hint="Files the program needs that do not change. They are put into each run's folder. Files with parameters in them "
            "belong on the Inputs tab.",
        )
        self.folder_card = card(
            folder,
            self.path_form,
            title="Folder of a run",
            hint="Each run gets its own fresh folder, so runs cannot disturb each other. Which computer runs the program "
            "(this one, a cluster, another one) is chosen on the Run page: Settings…, Where runs happen.",
        )
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 8, 0, 0)
        box.addWidget(scrolled(self.command_card, self.files_card, self.folder_card))
        trial.changed.connect(self._preview)
        trial.changed.connect(self._say_loose)

    # -------------------------------------------------------------- shown

    def refresh(self) -> None:
        simulator, locked = self.problem.declared.simulator, self.problem.locked
        command = simulator.command
        self.program.show_text(command[0] if command else "")
        self.arguments.show_text(join_command(command[1:]))
        self.files.read_only = locked
        self.how.setVisible(not locked)
        self.files.set_rows(simulator.extra_files)
        self.files_table.setVisible(bool(simulator.extra_files))
        self.remove_file.setEnabled(bool(simulator.extra_files) and not locked)
        for button in (self.browse, self.add_file, self.add_folder_button):
            button.setEnabled(not locked)
        for field in (self.program, self.arguments, self.folder_path):
            field.setReadOnly(locked)
        self.folder_choice.setEnabled(not locked)
        inside = simulator.working_folder is None
        choices = [(RUN_FOLDER, "The run's own fresh folder (recommended)"), (OTHER_FOLDER, "Always this folder")]
        self.folder_choice.offer(choices, RUN_FOLDER if inside else OTHER_FOLDER)
        self.folder_path.show_text(simulator.working_folder or "")
        self.path_form.setVisible(not inside)
        self._say_found()
        self.seeded.refresh("simulator.command")
        self._say_loose()
        say_first(self.folder_notice, self.problem.findings("simulator.working_folder"))
        say_first(self.files_notice, self.problem.findings("simulator.extra_files"))
        self._preview()

    def _say_found(self) -> None:
        command = self.problem.declared.simulator.command
        findings = others(self.problem, self.problem.findings("simulator.command"))
        if not command or not command[0]:
            self.found.say("info", "Choose the program of your model: anything that runs from a command line.")
        elif findings:
            self.found.say(findings[0].level, findings[0].message, findings[0].suggestion)
        elif command[0].startswith(BUNDLED):
            self.found.say(
                "ok", f"“{command[0].removeprefix(BUNDLED)}” is an example program that comes with Bayescope."
            )
        else:
            path = locate(command[0], self.file.folder)
            if path is None:
                self.found.say(
                    "warning",
                    f"No program “{command[0][:80]}” was found on this computer.",
                    "Check the spelling, or choose its file.",
                )
            elif script := script_words(self.problem.declared.simulator, self.file):
                self.found.say("warning", script)
            else:
                self.found.say("ok", f"Found: {path}")

    def _say_loose(self) -> None:
        """A file named in the arguments or a script that nothing puts into the run's folder: where does it come from?"""
        self.original.refresh()
        self.script.refresh()
        simulator, folder = self.problem.declared.simulator, self.file.folder
        written = written_by_program(self.trial.reports, self.problem.declared.outputs)
        names = [n for n in loose_files(simulator, folder) if n not in written]
        if self.redirect.refresh() or self.problem.locked:
            self.loose.clear()
            return
        if not names:
            if not self._say_stem():
                self._say_deck()
            return
        self._loose_path = found = found_beside(simulator, folder, names[0], ask.start(self.file.place))
        pattern, self._alike = alike(simulator, folder, names[0])
        self._together = False
        if pattern and found is not None:
            self._say_alike(pattern)
            return
        more = "…" if found is None else ""
        self.loose.say(
            "info",
            f"Is “{one_line(names[0], 60)}” a file the program reads? Each run begins in a fresh folder: it must be put there.",
            f"If the program writes it, all is well.{f' One lies in {one_line(str(found.parent), 60)}.' if found else ''}",
            f"It has un&known numbers{more}",
            f"It &never changes{more}",
        )

    def _say_alike(self, pattern: str) -> None:
        """Files that the script names with a variable: one answer for all."""
        self._together = True
        one = len(self._alike) == 1
        them, lie = ("it", "It lies") if one else ("them", "They lie")
        self.loose.say(
            "info",
            f"Does the program read {in_quotes(self._alike)}? Each run begins in a fresh folder.",
            f"{lie} beside the script, which names “{one_line(pattern, 40)}”. If the program writes {them}, all is well.",
            f"Put {them} into each run",
        )

    def _say_stem(self) -> bool:
        """An argument that is the name of a file without its ending; the program would not find it in a fresh folder. False: none
        is."""
        report, place = self.trial.report, self.file.place
        said = f"{report.stdout}\n{report.stderr}" if report is not None and report.outcome == "failed" else ""
        found = by_stems(self.problem.declared.simulator, list(dict.fromkeys((ask.start(place), place))), said)
        if not found or (report is not None and report.outcome != "failed"):
            self.loose.clear()
            return False
        word, name, self._loose_path = found[0]
        self._alike, self._together = [], False
        lies = f" It lies in {one_line(str(self._loose_path.parent), 60)}." if self._loose_path is not None else ""
        more = "…" if self._loose_path is None else ""
        self.loose.say(
            "info",
            f"Does “{one_line(word, 40)}” stand for the file “{one_line(name, 60)}”? Each run begins in a fresh folder: it must "
            "be put there.",
            f"If the program does not read it, all is well.{lies}",
            f"It has un&known numbers{more}",
            f"It &never changes{more}",
        )
        return True

    def _say_deck(self) -> None:
        """A file that the command names by its path: the program finds it there, and unknown numbers may stand in it."""
        simulator = self.problem.declared.simulator
        decks = () if simulator.templates else with_numbers(simulator, self.file.folder)
        named = {Path(word).name for word in simulator.command[1:]}
        fits = [path for path in decks if path.name in named and path.suffix.lower() not in SCRIPTS and path not in self._settled]
        if not fits:
            return
        self._loose_path, self._alike, self._together = fits[0], [], False
        self.loose.say(
            "info",
            f"“{one_line(fits[0].name, 60)}” holds numbers: do unknown ones stand in it?",
            "Opened as an input file, they are marked in it, and each run gets a copy with its own values.",
            "It has un&known numbers",
            "It &never changes",
        )

    def _preview(self) -> None:
        simulator = self.problem.declared.simulator
        values = self.trial.values()
        lines, problems = [], []
        for i, word in enumerate(simulator.command):
            text, wrong = filled(word, values, simulator.formats)
            lines.append(f"{i}: {text}" if text == word else f"{i}: {text}      (from {word})")
            problems += wrong
        self.preview.set_text("\n".join(lines) or "No program yet.")
        self.preview.setFixedHeight(self.preview.fontMetrics().lineSpacing() * max(2, min(len(lines), 8)) + 30)
        self.preview_notice.say("error", " ".join(dict.fromkeys(problems)))

    def _selection_changed(self) -> None:
        start = self.arguments.selectionStart()
        text, marked = self.arguments.text(), self.arguments.selectedText()
        if start >= 0 and marked == text.strip() != "" and value_of(marked.strip()) is None:
            self.maker.hide()  # all of it, as the Tab key marks what it comes to: nobody pointed at a number
        elif start >= 0 and marked:
            self.maker.offer(text, start, start + len(marked))

    # -------------------------------------------------------------- edits

    def _edit(self, text: str, **changes: object) -> bool:
        simulator = msgspec.structs.replace(self.problem.declared.simulator, **changes)
        return self.problem.edit(text, simulator=simulator)

    def _program_typed(self, text: str) -> None:
        """A whole command line pasted here is taken apart, if its first word is a program."""
        rest = self.problem.declared.simulator.command[1:]
        text = text.strip()
        words = split_command(text)
        is_line = locate(text, self.file.folder) is None
        if len(words) > 1 and is_line and (not rest or locate(words[0], self.file.folder) is not None):
            self._edit("Choose program", command=words)
        elif text:
            self._edit("Choose program", command=(text.strip('"'), *rest))
        else:
            self._edit("Remove program", command=("", *rest) if rest else ())

    def _answer_in_sight(self) -> None:
        """What the command leads to asking is seen in a low window, too, once its place is known."""
        QTimer.singleShot(0, self, lambda: bring_into_sight(self.loose) if self.loose.isVisible() else None)

    def _arguments_typed(self, text: str) -> None:
        self.problem.replace(with_arguments(self.problem.declared, text), "Change arguments")

    def _browse(self) -> None:
        path = ask.file(self, "Choose the program", self.file.place)
        if path is not None:
            self._program_chosen(str(path))

    def take_program(self, path: Path) -> bool:
        """As if it had been chosen in the dialog; False: no file."""
        if path.is_file():
            self._program_chosen(str(path))
        return path.is_file()

    def _program_chosen(self, path: str) -> None:
        rest = self.problem.declared.simulator.command[1:]
        self._edit("Choose program", command=(path, *rest))

    def _folder_chosen(self, key: str) -> None:
        if key == RUN_FOLDER:
            self._edit("Run in the run's folder", working_folder=None)
            return
        path = ask.folder(self, "Folder to run in", self.file.place)
        if path is not None:
            self._edit("Change working folder", working_folder=str(path))
        else:
            self.refresh()

    def _loose_pressed(self) -> None:
        if self._together:
            self._add_loose()
        else:
            self.template_wanted.emit(self._loose_path)

    def _add_loose(self) -> None:
        if self._loose_path is None:
            self._add_files()
        elif str(self._loose_path) in self.problem.declared.simulator.command:  # it is found where it lies
            self._settled.add(self._loose_path)
            self._say_loose()
        else:
            self._add_paths([self._loose_path.parent / name for name in self._alike or [self._loose_path.name]])

    def _add_files(self) -> None:
        self._add_paths(ask.files(self, "Fixed input files", self.file.place))

    def _add_paths(self, paths: list[Path]) -> None:
        if paths:
            new = fixed_files(paths, self.problem.declared.simulator, self.file.folder)
            self._files_changed((*self.files.rows, *new), "Add input files")

    def _add_folder(self) -> None:
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
            self.files_notice.say("error", f"“{one_line(str(path), 80)}” cannot be read: {error.strerror}.")
            return
        if new:
            self._files_changed((*self.files.rows, *new), "Add a folder of input files")

    def _files_changed(self, rows: tuple[ExtraFile, ...], text: str) -> bool:
        self.files_notice.clear()
        return self._edit(text, extra_files=rows)


def with_arguments(problem: Problem, text: str) -> Problem:
    """The problem with these words behind its program."""
    first = problem.simulator.command[0] if problem.simulator.command else ""
    arguments = split_command(text)
    command = (first, *arguments) if first or arguments else ()
    return msgspec.structs.replace(problem, simulator=msgspec.structs.replace(problem.simulator, command=command))


def locate(program: str, folder: Path) -> str | None:
    """Where a program given by name or path is; None if nowhere. Never raises for nonsense."""
    if not program or "\0" in program or len(program) > 4000:
        return None
    try:
        direct = Path(program).expanduser()
        for candidate in (direct, folder / direct):
            if candidate.is_file() and (candidate.is_absolute() or len(candidate.parts) > 1):
                return str(candidate)
        return shutil.which(program)
    except (OSError, ValueError, RuntimeError):
        return None
