"""Files that an input file names and that lie beside it: runs begin in a fresh folder, so they are offered for it."""

from __future__ import annotations

from pathlib import Path

import msgspec
from PySide6.QtWidgets import QWidget

from bayescope.engine.problem.definition import ExtraFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.plain import and_last, in_quotes, one_line
from bayescope.gui.models.simulator.files.included import included, may_be
from bayescope.gui.models.simulator.files.loose_files import companions, put_there, written_by_program
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.widgets.notices import Notice


class CompanionNotice(Notice):
    """Below the text of an input file, from its opening until answered; what a test run of ``trial`` wrote is not asked about."""

    def __init__(self, problem: DeclaredProblem, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.trial = problem, trial
        self._found: dict[str, Path] = {}  # name in the run's folder -> where it lies
        self._named_by: dict[str, str] = {}  # name -> the file that names it
        self._opened, self._read_in = "", frozenset[str]()  # the file that was opened; the names that its statements read in
        self.pressed.connect(self._put)
        self.dismissed.connect(self.forget)
        trial.changed.connect(self.refresh)

    def look(self, path: Path, text: str) -> None:
        """Into an input file that was just opened."""
        self._named_by = companions(path, text)
        self._found = {name: path.parent / name for name in self._named_by}
        self._opened, self._read_in = path.name, frozenset(name for said in included(text) for name in may_be(said))
        self.refresh()

    def forget(self) -> None:
        self._found = {}
        self.clear()

    def refresh(self) -> None:
        names = self._missing()
        if not names or self.problem.locked or self.problem.declared.simulator.working_folder is not None:
            self.clear()
            return
        said = in_quotes(names)
        if self._read_in.issuperset(names):
            them, lie = ("it", "lies") if len(names) == 1 else ("them", "lie")
            self.say(
                "info",
                f"“{one_line(self._opened, 40)}” reads {said}, which {lie} beside it: take {them} along?",
                f"Each run begins in a fresh folder. If unknown numbers stand in {them}, open {them} as an input file too.",
                f"Take {them} along",
                "Not needed",
            )
            return
        them, lie, hold = ("it", "lies", "it holds") if len(names) == 1 else ("them", "lie", "one holds")
        self.say(
            "info",
            f"{said}, named in {self._where(names)}, {lie} beside it. "
            f"Each run begins in a fresh folder: does the program read {them}?",
            f"If the program writes {them}, nothing is needed. If {hold} unknown numbers, open it as an input file too.",
            f"Put {them} into each run",
            "Not needed",
        )

    def _where(self, names: list[str]) -> str:
        """The files that name these: this one, or others that it names."""
        by = dict.fromkeys(self._named_by[name] for name in names)
        return and_last(", ".join("this file" if one == self._opened else f"“{one_line(one, 40)}”" for one in by))

    def _missing(self) -> list[str]:
        simulator = self.problem.declared.simulator
        put, started = put_there(simulator), {Path(word) for word in simulator.command if "\0" not in word}
        mine = written_by_program(self.trial.reports, self.problem.declared.outputs)
        return [name for name, path in self._found.items() if name not in {*put, *mine} and path not in started]

    def _put(self) -> None:
        simulator = self.problem.declared.simulator
        rows = (ExtraFile(str(self._found[n]), n if "/" in n else "") for n in self._missing())
        extended = msgspec.structs.replace(simulator, extra_files=(*simulator.extra_files, *rows))
        self.problem.edit("Add input files", simulator=extended)
