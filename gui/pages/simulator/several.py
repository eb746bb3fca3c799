"""Several commands typed as one line for a shell, and the button that runs them one after the other."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6.QtWidgets import QWidget

from bayescope.engine.problem.command_list import Command, CommandList, command_list, with_commands
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.files.command_text import join_command
from bayescope.gui.models.simulator.files.original_files import with_copies
from bayescope.gui.widgets.notices import Notice

RUN_THEM = "Run them one &after the other"
RUN_THERE = "Run it &there"
MOST_SHOWN = 3  # commands in a sentence


class SeveralCommands(Notice):
    """In the Program tab, below the fields."""

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.file = problem, file
        self.pressed.connect(self._take)

    def refresh(self) -> bool:
        """Whether there is something to say."""
        found = command_list(self.problem.declared.simulator.command)
        if found is None or self.problem.locked:
            self.clear()
            return False
        shown = [f"“{one_line(join_command(one), 50)}”" for one in found.commands[:MOST_SHOWN]]
        more = ", and so on" if found.commands[MOST_SHOWN:] else ""
        where = f" in the folder “{one_line(found.folder, 60)}”" if found.folder is not None else ""
        if len(found.commands) == 1:
            words = f"This is {shown[0]}{where}." if where else f"This is {shown[0]} and nothing behind it."
            self.say("warning", words, "", RUN_THERE if where else "&Take the sign out")
            return True
        words = f"These are {len(found.commands)} commands{where}: {', then '.join(shown)}{more}."
        self.say("warning", words, "A small script runs them in each run; one that fails ends the run.", RUN_THEM)
        return True

    def _take(self) -> None:
        simulator = self.problem.declared.simulator
        found = command_list(simulator.command)
        if found is None:
            return
        folder = None if found.folder is None else os.path.expanduser(found.folder)
        commands = tuple(self._placed(one) for one in found.commands) if len(found.commands) > 1 else found.commands
        made = with_commands(simulator, CommandList(commands, folder, found.sign), sys.platform == "win32")
        self.problem.edit("Commands one after the other", simulator=with_copies(made, self.file.folder))

    def _placed(self, command: Command) -> Command:
        """With the whole path of a program that is named from the analysis's folder: the script runs in another one."""
        path = Path(command[0]).expanduser()
        try:
            if len(path.parts) > 1 and not path.is_absolute() and (self.file.folder / path).is_file():
                return (str((self.file.folder / path).absolute()), *command[1:])
        except (OSError, ValueError):
            pass
        return command
