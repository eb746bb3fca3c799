"""The question of the Program tab about a file that its command or script names: where does it come from, does it change?"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.plain import in_quotes, one_line
from bayescope.gui.models.simulator.files.loose_files import (
    alike,
    by_stems,
    found_beside,
    is_script,
    loose_files,
    written_by_program,
)
from bayescope.gui.models.simulator.files.script_inputs import with_numbers
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.widgets.notices import Notice


class LooseFileNotice(Notice):
    """In the Program tab, below the arguments. One file is asked about at a time, or those of one pattern together."""

    template_wanted = Signal(object)  # it shall become an input file; its path, None: to be asked for
    files_wanted = Signal(object)  # a list of the paths of files for each run; empty: to be asked for

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.file, self.trial = problem, file, trial
        self._path: Path | None = None  # of the file that is asked about, where it was found
        self._settled: set[Path] = set()  # files of the command that never change
        self._alike: list[str] = []  # names of those that are asked about with it, itself one of them
        self._together = False  # whether there is one answer for them all
        self.pressed.connect(self._answered)
        self.dismissed.connect(self._never_changes)

    def refresh(self) -> None:
        """A file named in the arguments or a script that nothing puts into the run's folder: where does it come from?"""
        simulator, folder = self.problem.declared.simulator, self.file.folder
        written = written_by_program(self.trial.reports, self.problem.declared.outputs)
        names = [n for n in loose_files(simulator, folder) if n not in written]
        if not names:
            if not self._say_stem():
                self._say_deck()
            return
        self._path = found = found_beside(simulator, folder, names[0], ask.start(self.file.place))
        pattern, self._alike = alike(simulator, folder, names[0])
        self._together = False
        if pattern and found is not None:
            self._say_alike(pattern)
            return
        more = "…" if found is None else ""
        self.say(
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
        self.say(
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
            self.clear()
            return False
        word, name, self._path = found[0]
        self._alike, self._together = [], False
        lies = f" It lies in {one_line(str(self._path.parent), 60)}." if self._path is not None else ""
        more = "…" if self._path is None else ""
        self.say(
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
        fits = [path for path in decks if path.name in named and not is_script(path) and path not in self._settled]
        if not fits:
            return
        self._path, self._alike, self._together = fits[0], [], False
        self.say(
            "info",
            f"“{one_line(fits[0].name, 60)}” holds numbers: do unknown ones stand in it?",
            "Opened as an input file, they are marked in it, and each run gets a copy with its own values.",
            "It has un&known numbers",
            "It &never changes",
        )

    def _answered(self) -> None:
        if self._together:
            self._never_changes()
        else:
            self.template_wanted.emit(self._path)

    def _never_changes(self) -> None:
        if self._path is None:
            self.files_wanted.emit([])
        elif str(self._path) in self.problem.declared.simulator.command:  # it is found where it lies
            self._settled.add(self._path)
            self.refresh()
        else:
            self.files_wanted.emit([self._path.parent / name for name in self._alike or [self._path.name]])
