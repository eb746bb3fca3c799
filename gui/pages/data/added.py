"""A banner that says which outputs came with a table of data, with the button that takes them out again."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bayescope.engine.problem.definition import Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.added_outputs import UNDO, added_outputs, added_words, without_added
from bayescope.gui.widgets.notices import Notice

KEEP = "&Keep"


class AddedOutputs(Notice):
    """``mended`` carries the problem without them, and words for undo."""

    mended = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problem: Problem | None = None
        self._names: tuple[str, ...] = ()
        self._report: TrialRunReport | None = None
        self.pressed.connect(self._take_out)
        self.dismissed.connect(self.forget)

    def note(self, before: Problem, after: Problem, report: TrialRunReport | None = None) -> None:
        """Say what ``after`` has that ``before`` had not. ``report``: of the newest test run."""
        if names := added_outputs(before, after):
            self._names, self._report = names, report
            self.follow(after, locked=False)

    def follow(self, problem: Problem, locked: bool) -> None:
        """They may be gone, by undo or by hand, or the table with which they came."""
        self._problem = problem
        there = {o.name for o in problem.outputs}
        self._names = tuple(name for name in self._names if name in there) if problem.data and not locked else ()
        if not self._names:
            self.forget()
            return
        words, why, button = added_words(problem, self._names, self._report)
        self.say("info", words, why, button, KEEP)

    def forget(self) -> None:
        """They are known now; nothing moves under the pointer."""
        self._names = ()
        if self.level is not None:
            self.rest()

    def away(self) -> None:
        """Another view is shown: it keeps no room."""
        self.forget()
        self.let_go()

    def _take_out(self) -> None:
        if self._problem is not None:
            self.mended.emit(without_added(self._problem, self._names), UNDO)
