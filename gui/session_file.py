"""The open session file of one window: reading and writing it. No Qt; raises, the controller words it.

The window holds it open for writing (a second window is then told that it can only read); the engine that it starts is its
child and joins the lock, so nothing has to be handed over when a run begins or ends.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.definition import Problem
from bayescope.engine.session.errors import SessionError
from bayescope.gui import session_files
from bayescope.gui.run_data import Answer, RunData

if TYPE_CHECKING:
    from bayescope.engine.archive.interpret import Imported
    from bayescope.engine.session.store import SessionStore


class SessionFile:
    """``path`` None: nothing on disk yet."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self._store: SessionStore | None = None

    @property
    def is_draft(self) -> bool:
        return self.path is not None and session_files.is_draft(self.path)

    @property
    def folder(self) -> Path:
        return Path.home() if self.path is None else self.path.parent

    @property
    def read_only_words(self) -> str:
        """Why it cannot be written (another window holds it, no permission), a sentence; empty if it can."""
        return "" if self._store is None or self._store.writable else self._store.read_only_reason

    def open(self, path: Path) -> Problem:
        """Open for writing, or for reading if somebody else writes. Raises SessionError; the file is untouched then."""
        from bayescope.engine.session.store import SessionStore

        self._store = SessionStore.open(path, mode="write")
        self.path = path
        return self._store.problem

    def load(self, data: RunData) -> None:
        """Evaluations, trace and newest answer into ``data``."""
        if self._store is None:
            return
        data.load(self._store.evaluations(), self._store.iterations())
        last = self._store.last_iteration()
        if last is not None:
            data.answer = Answer.of_record(last)

    def reload_problem(self) -> Problem | None:
        """The problem as the engine left it (a new budget); None while nothing is on disk."""
        return None if self._store is None else self._store.reload_problem()

    def write(self, problem: Problem) -> None:
        """Write the declaration; the first time into a new draft."""
        if self._store is None:
            self._create(session_files.new_draft_path(problem.name), problem)
        else:
            self._store.save_problem(problem)

    def import_archive(self, found: Imported, problem: Problem) -> Problem:
        """Store imported evaluations; the problem as it is then. Raises SessionError."""
        from bayescope.engine.archive.store import store_archive

        self.write(problem)
        assert self._store is not None
        store_archive(self._store, found)
        return self._store.reload_problem()

    def _create(self, path: Path, problem: Problem) -> None:
        from bayescope.engine.session.store import SessionStore

        self._store = SessionStore.create(path, problem)
        self.path = path

    def save_as(self, path: Path, problem: Problem) -> Problem:
        """Go on under another name: a draft is moved, a saved analysis copied, both with their run folders.

        Returns the problem as it reads from the new folder (relative paths follow their files).

        ``path`` may exist: the user has been asked. It is replaced only by a complete copy.
        """
        if self._store is None or self.path is None:
            session_files.delete_session(path)
            self._create(path, problem)
            return problem
        if not self.read_only_words:
            self._store.save_problem(problem)
        old, was_draft, store = self.path, self.is_draft, self._store
        session_files.replace_by_copy(store.copy_to, old, path)
        self.open(path)
        store.close()
        self._store.follow_files(old.parent)
        if was_draft:
            session_files.delete_session(old)
        return self._store.problem

    @property
    def interrupted_words(self) -> str:
        """What a crash of the last run interrupted and what is saved; empty if it ended in good order."""
        return "" if self._store is None else self._store.interrupted_words

    @property
    def commands_trusted(self) -> bool:
        """False: made by somebody else or elsewhere; its command line must be confirmed before the first run."""
        return self._store is None or self._store.commands_trusted

    def trust_commands(self) -> None:
        if self._store is not None:
            self._store.trust_commands()

    def past_answer(self, iteration: int) -> Answer | None:
        """One older answer: its mixture is kept, draws and slices of the last few only."""
        record = None if self._store is None else self._store.iteration(iteration)
        return None if record is None else Answer.of_record(record)

    def stored_outputs(self) -> dict[int, dict[str, NDArray[np.float64]]]:
        """Outputs of good runs by evaluation index; may be called from any thread."""
        if self._store is None:
            return {}
        return {e.index: e.outputs for e in self._store.evaluations() if e.outcome == "ok" and e.outputs}

    def export_support_bundle(self, path: Path, with_data: bool) -> None:
        """Logs, versions and the session in words; the session file itself only ``with_data``. Raises SessionError."""
        from bayescope.engine.session.support import export_support_bundle

        export_support_bundle(path, self._store, with_data=with_data)

    def close(self) -> None:
        """Let go of the file. An interrupted run has been told by now, and is not told again on every start."""
        if self._store is not None:
            if self._store.writable:
                with contextlib.suppress(SessionError):  # the disk may be gone; being told twice does no harm
                    self._store.acknowledge_interruption()
            self._store.close()
            self._store = None
