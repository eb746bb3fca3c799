"""One undoable edit of the problem. The problem is an immutable record, so an edit is a pair: before, after."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from bayescope.engine.problem.definition import Problem

MERGE_SECONDS = 2.0
_EDIT_ID = 1


class ProblemEdit(QUndoCommand):
    """Replace the problem. Edits with the same ``merge_key`` in quick succession (typing in one field) become one."""

    def __init__(
        self, before: Problem, after: Problem, text: str, apply: Callable[[Problem], None], merge_key: str
    ) -> None:
        super().__init__(text)
        self._before, self._after, self._apply = before, after, apply
        self._merge_key, self._at = merge_key, time.monotonic()

    def id(self) -> int:
        return _EDIT_ID if self._merge_key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, ProblemEdit) or other._merge_key != self._merge_key:
            return False
        if other._at - self._at > MERGE_SECONDS:
            return False
        self._after, self._at = other._after, other._at
        return True

    def redo(self) -> None:
        self._apply(self._after)

    def undo(self) -> None:
        self._apply(self._before)
