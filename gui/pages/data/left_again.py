"""A banner that says which values count again that were left out of the table before, with the button that leaves them out."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bayescope.engine.problem.definition import Problem
from bayescope.gui.models.data.rows.left_again import UNDO, again_words, leaves_out, left_again
from bayescope.gui.widgets.notices import Notice

COUNT = "They &count"


class LeftAgain(Notice):
    """``mended`` carries the problem without them, and words for undo."""

    mended = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before: Problem | None = None  # the last one that left something out
        self._mended: Problem | None = None
        self.pressed.connect(self._leave_out)
        self.dismissed.connect(self.forget)

    def follow(self, problem: Problem, locked: bool) -> None:
        """``problem`` is declared now; what it leaves out is remembered for the next table."""
        before, data = self._before, problem.data
        again = None if before is None or data is None or before.data is data or locked else left_again(before, problem)
        if again is not None:
            self._mended, rows = again
            button = "Leave it &out again" if len(rows) == 1 else "Leave them &out again"
            self.say("warning", again_words(rows), "", button, COUNT if len(rows) > 1 else "It &counts")
            return
        if data is not None and (before is None or before.data is data or leaves_out(problem)):
            self._before = problem if leaves_out(problem) else None
        self._mended = None
        if self.level is not None:
            self.rest()  # nothing moves under the pointer

    def forget(self) -> None:
        """They count: it is not asked again."""
        self._before = self._mended = None
        if self.level is not None:
            self.rest()

    def away(self) -> None:
        """Another view is shown: it keeps no room."""
        self.clear()
        self.let_go()

    def _leave_out(self) -> None:
        if self._mended is not None:
            self.mended.emit(self._mended, UNDO)
