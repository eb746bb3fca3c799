"""The open session file of one window: who holds it, reading and writing it. No Qt; raises, the controller words it.

While a run is active the engine process owns the file (``release``); the window then only makes short reads. Otherwise the
window holds it open for writing, so that a second window is told it can only read.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayescope.engine.problem.definition import Problem
from bayescope.gui import session_files
from bayescope.gui.run_data import Answer, RunData

if TYPE_CHECKING:
    from bayescope.engine.session.store import SessionStore


class SessionFile:
    """``path`` None: nothing on disk yet. ``read_only_words``: why it cannot be written, a sentence."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.read_only_words = ""
        self.confirmed = True  # False: made on another machine, its command line not yet confirmed by the user
        self.released = False  # True: the engine owns it
        self._store: SessionStore | None = None

    @property
    def is_draft(self) -> bool:
        return self.path is not None and session_files.is_draft(self.path)

    @property
    def folder(self) -> Path:
        return Path.home() if self.path is None or self.is_draft else self.path.parent

    def open(self, path: Path) -> Problem:
        """Open for writing, else (another window or engine holds it, or no right to write) for reading."""
        from bayescope.engine.session.store import SessionInUse, SessionStore, this_machine

        try:
            store, words = SessionStore.open(path, mode="write"), ""
        except (SessionInUse, PermissionError) as error:
            store, words = SessionStore.open(path, mode="read"), str(error)
        self.path, self._store, self.read_only_words, self.released = path, store, words, False
        self.confirmed = store.origin_machine in ("", this_machine())
        return store.problem

    def load(self, data: RunData) -> None:
        """Evaluations, trace and newest answer into ``data``."""
        store = self._need_store()
        data.load(store.evaluations(), store.iterations())
        last = store.last_iteration()
        if last is not None:
            data.answer = Answer.of_record(last)

    def write(self, problem: Problem) -> None:
        """Write the declaration; the first time into a new draft."""
        from bayescope.engine.session.store import SessionStore

        if self._store is not None:
            self._store.save_problem(problem)
            return
        path = self.path or session_files.new_draft_path(problem.name)
        self._store = SessionStore.create(path, problem)
        self.path, self.released = path, False

    def save_as(self, path: Path, problem: Problem) -> None:
        """Go on under another name: a draft is moved, a saved analysis copied, both with their run folders."""
        old, was_draft, confirmed = self.path, self.is_draft, self.confirmed
        if old is None:
            self.path = path
            try:
                self.write(problem)
            except BaseException:
                self.path = None
                raise
            return
        if not self.read_only_words:
            self.write(problem)
        self.close()
        try:
            session_files.copy_session(old, path)
        except BaseException:
            self.open(old)
            raise
        self.open(path)
        self.confirmed = confirmed
        if was_draft:
            session_files.delete_session(old)

    def release(self) -> Path | None:
        """Close it so that the engine can open it."""
        self.close()
        self.released = self.path is not None
        return self.path

    def take_back(self) -> Problem:
        """Open it again after a run; the problem may hold a new budget."""
        assert self.path is not None
        confirmed = self.confirmed
        problem = self.open(self.path)
        self.confirmed = confirmed
        return problem

    def past_answer(self, iteration: int) -> Answer | None:
        """A short read; safe while the engine writes."""
        from bayescope.engine.session.store import SessionStore

        if self.path is None:
            return None
        if self._store is not None:
            record = self._store.iteration(iteration)
            return None if record is None else Answer.of_record(record)
        with SessionStore.open(self.path, mode="read") as store:
            record = store.iteration(iteration)
            return None if record is None else Answer.of_record(record)

    def stored_outputs(self) -> dict[int, dict[str, Any]]:
        """Outputs of good runs by evaluation index. Opens a connection of its own: usable from any thread."""
        from bayescope.engine.session.store import SessionStore

        if self.path is None or not self.path.exists():
            return {}
        with SessionStore.open(self.path, mode="read") as store:
            return {e.index: e.outputs for e in store.evaluations() if e.outcome == "ok" and e.outputs}

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def _need_store(self) -> SessionStore:
        if self._store is None:
            raise RuntimeError("the session file is not open")
        return self._store
