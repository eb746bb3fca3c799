"""A script chosen as the program that cannot be started by itself, and the button that puts before it what runs it."""

from __future__ import annotations

from pathlib import Path

import msgspec
from PySide6.QtWidgets import QWidget

from bayescope.engine.problem.definition import Simulator
from bayescope.engine.problem.interpreters import interpreter_of
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.plain import one_line
from bayescope.gui.widgets.notices import Notice


class ScriptNotice(Notice):
    """In the Program tab, below the fields."""

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.file = problem, file
        self.pressed.connect(lambda: start_with_interpreter(problem, file))

    def refresh(self) -> None:
        simulator = self.problem.declared.simulator
        words = script_words(simulator, self.file)
        if not words or self.problem.locked:
            self.clear()
            return
        runs = runs_it(simulator, self.file)[0]
        hint = f"The program is then {runs}, and the script its first argument."
        self.say("info", f"{runs} runs scripts like this one.", hint, script_button(simulator, self.file))


def runs_it(simulator: Simulator, file: AnalysisFile) -> tuple[str, ...]:
    """What must stand before the script that is chosen as the program; () where nothing must."""
    chosen = simulator.command[0] if simulator.command else ""
    if not chosen or "\0" in chosen or len(chosen) > 4000:
        return ()
    try:
        path = file.folder / Path(chosen).expanduser()
        return interpreter_of(path) if path.is_file() else ()
    except (OSError, RuntimeError):
        return ()


def script_words(simulator: Simulator, file: AnalysisFile) -> str:
    """That the script needs it, a sentence; empty if it does not."""
    words = runs_it(simulator, file)
    name = one_line(Path(simulator.command[0]).name, 60) if words else ""
    return f"“{name}” is a script that cannot be started by itself." if words else ""


def script_button(simulator: Simulator, file: AnalysisFile) -> str:
    return f"Start it with {' '.join(runs_it(simulator, file))}"


def start_with_interpreter(problem: DeclaredProblem, file: AnalysisFile) -> bool:
    """Put it there."""
    simulator = problem.declared.simulator
    words = runs_it(simulator, file)
    started = msgspec.structs.replace(simulator, command=(*words, *simulator.command))
    return bool(words) and problem.edit(f"Start it with {words[0]}", simulator=started)
