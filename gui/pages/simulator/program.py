"""Program tab: which program is run, with which words behind it, in which folder, with which files beside it."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import msgspec
from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.command_list import command_list
from bayescope.engine.problem.definition import Problem
from bayescope.engine.problem.numbers.number_text import value_of
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.files.command_text import join_command, split_command
from bayescope.gui.models.simulator.files.loose_files import (
    BUNDLED,
)
from bayescope.gui.models.simulator.texts.filled import filled
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.make_parameter import MakeParameter
from bayescope.gui.pages.original_notice import OriginalNotice
from bayescope.gui.pages.redirect_notice import RedirectNotice
from bayescope.gui.pages.script_notice import ScriptNotice, script_words
from bayescope.gui.pages.seeded_notice import SeededNotice, others
from bayescope.gui.pages.simulator.after_runs import AfterRuns
from bayescope.gui.pages.simulator.fixed_files import FixedFiles
from bayescope.gui.pages.simulator.loose_file import LooseFileNotice
from bayescope.gui.pages.simulator.several import SeveralCommands
from bayescope.gui.widgets.forms import Choice, Form, LineField, beside, card, say_first, scrolled
from bayescope.gui.widgets.notices import FieldNotice, label
from bayescope.gui.widgets.scrolling import bring_into_sight
from bayescope.gui.widgets.text_pane import TextPane

PAUSE = 500  # ms without typing after which the path of a file is taken
RUN_FOLDER, OTHER_FOLDER = "run", "other"


class ProgramTab(QWidget):
    """Edits ``Simulator.command``, ``working_folder`` and ``extra_files``."""

    template_wanted = Signal(object)  # a file that the program reads shall become an input file; its path, None: to be asked for

    def __init__(
        self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, trial: Trial, parent: QWidget | None = None
    ) -> None:
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
        self._paused = QTimer(self, singleShot=True, interval=PAUSE)
        self._paused.timeout.connect(self._take_path)
        self.program.textEdited.connect(lambda _: self._paused.start())
        self._typed_relative: tuple[str, str] | None = None  # the full path of what was typed, and where it was found
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
        self.several = SeveralCommands(problem, file)
        self.redirect = RedirectNotice(problem, file)
        self.original = OriginalNotice(problem, file)
        self.script = ScriptNotice(problem, file)
        self.loose = LooseFileNotice(problem, file, trial)
        self.loose.template_wanted.connect(self.template_wanted)
        self.loose.files_wanted.connect(self._add_paths)
        self.fixed_files = FixedFiles(problem, file, run, trial)
        self.after_runs = AfterRuns(problem, file, run, "the arguments")
        self.after_runs.allowed.connect(self.arguments.setFocus)

        self.folder_choice = Choice("Working folder", "The folder the program is started in.")
        self.folder_choice.chosen.connect(self._folder_chosen)
        self.folder_path = LineField("Path of the working folder", "Full path, or relative to the analysis file.")
        self.folder_path.committed.connect(
            lambda text: self._edit("Change working folder", working_folder=text.strip() or None)
        )

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
            self.after_runs,
            self.maker,
            self.seeded,
            label("What will be run, word by word, at the values of the test run:", "hint"),
            self.preview,
            self.preview_notice,
            self.script,  # below the fields, which they must not push away
            self.several,
            self.redirect,
            self.original,
            self.loose,
            title="Program",
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
        box.addWidget(scrolled(self.command_card, self.fixed_files, self.folder_card))
        trial.changed.connect(self._preview)
        trial.changed.connect(self._say_loose)

    # -------------------------------------------------------------- shown

    def refresh(self) -> None:
        simulator, locked = self.problem.declared.simulator, self.problem.locked
        command = simulator.command
        self.program.show_text(command[0] if command else "")
        self.arguments.show_text(join_command(command[1:]))
        self.how.setVisible(not locked)
        self.fixed_files.refresh()
        self.after_runs.refresh()
        held = locked and not self.problem.texts_free
        self.browse.setEnabled(not held)
        for field in (self.program, self.arguments):
            field.setReadOnly(held)
        self.folder_path.setReadOnly(locked)
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
                relative = self._typed_relative
                typed = f" ({relative[1]})" if relative is not None and relative[0] == command[0] else ""
                self.found.say("ok", f"Found: {path}{typed}")

    def _say_loose(self) -> None:
        """A file named in the arguments or a script that nothing puts into the run's folder: where does it come from?"""
        self.original.refresh()
        self.script.refresh()
        if self.several.refresh():
            self.redirect.clear()
            self.loose.clear()
        elif self.redirect.refresh() or self.problem.locked:
            self.loose.clear()
        else:
            self.loose.refresh()

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
        if len(words) > 1 and is_line and (not rest or command_list(words) or locate(words[0], self.file.folder) is not None):
            self._edit("Choose program", command=(self._whole(words[0]), *words[1:]))
        elif text:
            self._edit("Choose program", command=(self._whole(text.strip('"')), *rest))
        else:
            self._edit("Remove program", command=("", *rest) if rest else ())

    def _take_path(self) -> None:
        """The path of a file is taken once nobody types on, as Return takes it; a word may be the start of a longer one."""
        path = self.program.text().strip().strip('"')
        if self.program.isReadOnly() or not re.search(r"[/\\]", path) or locate(path, self.file.folder) is None:
            return
        at_end = self.program.cursorPosition() == len(self.program.text())
        self.program.finish()
        if at_end:
            self.program.end(False)  # what is typed next stands behind it

    def _whole(self, program: str) -> str:
        """``program`` by its full path where it is typed relative to a folder: a run has another one."""
        found = found_relative(program, self.file.folder)
        self._typed_relative = None if found is None else (found[0], f"“{one_line(program, 40)}” {found[1]}")
        return program if found is None else found[0]

    def _answer_in_sight(self) -> None:
        """What the command leads to asking is seen in a low window, too, once its place is known."""
        QTimer.singleShot(0, self, lambda: bring_into_sight(self.loose) if self.loose.isVisible() else None)

    def _arguments_typed(self, text: str) -> None:
        if not self.problem.replace(with_arguments(self.problem.declared, text), "Change arguments"):
            self.refresh()  # what may not be stands no more

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

    def _add_paths(self, paths: list[Path]) -> None:
        if paths:
            self.fixed_files.add(paths)
        else:
            self.fixed_files.ask()

    def add_folder(self, path: Path) -> None:
        """Put this folder into each run."""
        self.fixed_files.add_folder(path)


def with_arguments(problem: Problem, text: str) -> Problem:
    """The problem with these words behind its program."""
    first = problem.simulator.command[0] if problem.simulator.command else ""
    arguments = split_command(text)
    command = (first, *arguments) if first or arguments else ()
    return msgspec.structs.replace(problem, simulator=msgspec.structs.replace(problem.simulator, command=command))


def found_relative(program: str, folder: Path) -> tuple[str, str] | None:
    """The full path of a program that is typed relative to a folder (./model, bin/model), and where it was found, a few words: in
    the ``folder`` of the analysis first, then where Bayescope was started; None: it is no such path, or there is no such file."""
    direct = Path(program)
    if not program or "\0" in program or len(program) > 4000 or program[0] == "~" or direct.is_absolute():
        return None
    if len(direct.parts) < 2 and not program.startswith(("./", ".\\")):
        return None
    places = ((folder, "beside the analysis"), (Path.cwd(), "in the folder where Bayescope was started"))
    try:
        found = ((place / direct, where) for place, where in places)
        return next(((os.path.normpath(path.absolute()), where) for path, where in found if path.is_file()), None)
    except (OSError, ValueError):
        return None


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
