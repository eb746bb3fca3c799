"""What is typed for a shell, < input.txt and > log.txt, and the button that does what the shell would have done."""

from __future__ import annotations

from pathlib import Path

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.text_files import read_text
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.files.loose_files import found_beside
from bayescope.gui.models.simulator.files.redirection import Redirection, redirection
from bayescope.gui.pages.simulator.templates import MAX_TEMPLATE_BYTES
from bayescope.gui.widgets.notices import Notice


class RedirectNotice(Notice):
    """``taken``: the standard input is there now, to mark numbers in."""

    taken = Signal()

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.file = problem, file
        self._found: Redirection | None = None
        self._path: Path | None = None
        self.pressed.connect(self._take)

    def refresh(self) -> bool:
        """Whether there is something to say."""
        simulator = self.problem.declared.simulator
        found = self._found = redirection(simulator.command)
        if found is None or self.problem.locked:
            self.clear()
            return False
        words = f"“{one_line(found.words, 60)}” is for a shell, and none reads this command."
        if not found.read:
            self.say("warning", words, "What the program prints is kept anyway.", "&Take it out")
            return True
        self._path = found_beside(simulator, self.file.folder, Path(found.read).name, ask.start(self.file.place))
        name = one_line(Path(found.read).name, 30).replace("&", "&&")
        button = f"Give it “{name}”{'' if self._path is not None else '…'}"
        self.say("warning", words, "The program can get the file as its standard input, with parameters in it.", button)
        return True

    def _take(self) -> None:
        found, simulator = self._found, self.problem.declared.simulator
        if found is None:
            return
        if not found.read:
            self.problem.edit("No redirection", simulator=msgspec.structs.replace(simulator, command=found.command))
            return
        path = self._path or ask.file(self, f"Standard input: {Path(found.read).name}", self.file.place)
        if path is None:
            return
        try:
            text = read_text(path, MAX_TEMPLATE_BYTES, "input").text
        except ProblemError as error:
            self.say("error", error.what, error.suggestion, "Another file…")
            self._path = None
            return
        changed = msgspec.structs.replace(simulator, command=found.command, stdin=text)
        if self.problem.edit("Standard input", simulator=changed):
            self.taken.emit()
