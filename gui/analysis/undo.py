"""Undoable edits of the problem. The problem is an immutable record, so an edit is a pair: before, after."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from bayescope.engine.problem.definition import Problem

MERGE_SECONDS = 2.0
_EDIT_ID = 1


class ProblemEdit(QUndoCommand):
    """Replace the problem. Edits with the same ``merge_key`` in quick succession (typing in one field) become one."""

    def __init__(
        self, before: Problem, after: Problem, text: str, apply: Callable[[Problem], None], merge_key: str
    ) -> None:
        super().__init__(text)
        self.before, self.after, self._apply = before, after, apply
        self._merge_key, self._at = merge_key, time.monotonic()

    def id(self) -> int:
        return _EDIT_ID if self._merge_key else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, ProblemEdit) or other._merge_key != self._merge_key:
            return False
        if other._at - self._at > MERGE_SECONDS:
            return False
        self.after, self._at = other.after, other._at
        return True

    def redo(self) -> None:
        self._apply(self.after)

    def undo(self) -> None:
        self._apply(self.before)


class EditStack(QUndoStack):
    """The edits of one analysis. What ``refusal`` speaks against now (words; none: allowed) is neither undone nor redone."""

    changed = Signal()  # another step would be undone or redone next

    def __init__(self, refusal: Callable[[Problem], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._refusal = refusal

    def undo_refusal(self) -> str:
        """Why the newest step cannot be undone now, a sentence; empty if it can, or if there is none."""
        step = self.command(self.index() - 1) if self.canUndo() else None
        return self._refusal(step.before) if isinstance(step, ProblemEdit) else ""

    def redo_refusal(self) -> str:
        """Why the next step cannot be made again now, a sentence; empty if it can, or if there is none."""
        step = self.command(self.index()) if self.canRedo() else None
        return self._refusal(step.after) if isinstance(step, ProblemEdit) else ""

    def may_undo(self) -> bool:
        return self.canUndo() and not self.undo_refusal()

    def may_redo(self) -> bool:
        return self.canRedo() and not self.redo_refusal()

    def undo(self) -> None:
        if self.may_undo():
            super().undo()
            self.changed.emit()

    def redo(self) -> None:
        if self.may_redo():
            super().redo()
            self.changed.emit()

    def push(self, cmd: QUndoCommand) -> None:
        super().push(cmd)
        self.changed.emit()

    def clear(self) -> None:
        super().clear()
        self.changed.emit()
