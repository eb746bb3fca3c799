"""Writes into the session that wait while it takes nothing, and the copy that takes what the session's file never took."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

from .. import protocol
from ..session.errors import DuplicateRow, SessionError, SessionGone
from ..session.records import EvaluationRecord
from ..session.store import SessionStore
from .control import Control

Observer = Callable[[protocol.Event], None]

SAVE_RETRY_SECONDS = 2.0  # between two tries while the disk is full or gone


class DurableWrites:
    """``set_activity`` gets words for what is done."""

    def __init__(self, store: SessionStore, control: Control, observer: Observer, set_activity: Callable[[str], None]) -> None:
        self._store, self._control, self._observe, self._set_activity = store, control, observer, set_activity
        self._copy: Path | None = None  # of the session, with what its own file did not take
        self._in_copy = self._lost = 0

    def save(self, write: Callable[[], None], what: str = "the state of the analysis") -> bool:
        """Write, again and again while the disk is full or gone. False: the run was stopped before it could be saved."""
        told = False
        while True:
            try:
                write()
            except DuplicateRow:
                if not told:
                    raise
                break  # it was written in the moment before the file was taken away
            except SessionError as error:
                if not told and not self._control.over:
                    told = True
                    suggestion = (
                        f"{error.suggestion} The analysis waits and tries again; nothing new is started meanwhile."
                    )
                    self._observe(protocol.Report(level="error", what=f"{error.what}, so {what} is not saved yet.",
                                                  where=error.where, suggestion=suggestion))  # fmt: skip
                    self._set_activity("Waiting until the session can be written again")
                with self._control.changed:
                    if self._control.over:
                        return False
                    self._control.changed.wait(SAVE_RETRY_SECONDS)
            else:
                break
        if told:
            self._observe(protocol.Report(level="info", what="The session can be written again; nothing was lost."))
        return True

    def save_evaluation(self, record: EvaluationRecord) -> tuple[bool, bool]:
        """Whether the session's file took it, and whether that or a copy did."""
        write = partial(self._write, record)
        saved = self._copy is None and self.save(write, "a run that has finished")
        return saved, saved or self._into_copy(record)

    def _write(self, record: EvaluationRecord) -> None:
        try:
            self._store.add_evaluation(record)
        except SessionGone:
            with contextlib.suppress(SessionError):  # at once: nobody knows whether the file comes back
                self._store.rescue([record])
            raise

    def _into_copy(self, record: EvaluationRecord) -> bool:
        """The run ends, and the session takes nothing more: whether a copy took what has finished."""
        try:
            self._copy = self._store.rescue([record])
        except SessionError:
            self._lost += 1
            return False
        self._in_copy += 1
        return True

    def note_end(self, words: str, elapsed_s: float | None) -> None:
        """The end of the run goes into the log; ``elapsed_s``: None if it had not begun. What cannot be written is told."""
        try:
            self._store.log("info", words)
            if elapsed_s is not None:
                self._store.note_run(False, elapsed_s)
        except SessionError as error:
            self._observe(protocol.Report(level="warning", what=error.what, where=error.where, suggestion=error.suggestion))

    def rescue_words(self) -> str:
        """A sentence for the end of the run; "" if the session's file has everything."""
        said, n = "", self._in_copy
        if n:
            runs = "One finished run" if n == 1 else f"{n} finished runs"
            said += (
                f" {runs} could not be written into the session's file. A copy with everything in it is {self._copy}: "
                "continue with that file."
            )
        if self._lost:
            runs = "One finished run" if self._lost == 1 else f"{self._lost} finished runs"
            said += f" {runs} could not be written anywhere and must be run again."
        return said
