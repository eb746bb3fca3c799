"""The open session file of one window: reading and writing it. No Qt; raises, ``AnalysisFile`` words it.

The window holds it open for writing (a second window is then told that it can only read); the engine that it starts is its
child and joins the lock, so nothing has to be handed over when a run begins or ends.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from bayescope.engine.answer.failures.set_aside import set_aside_of
from bayescope.engine.problem.definition import Problem
from bayescope.engine.session import settled
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.settled import Settled, settled_of
from bayescope.engine.session.trust.consent import UNSIGNED, Signed
from bayescope.gui.analysis import session_files
from bayescope.gui.analysis.jobs_there import earlier_attempts, ran_elsewhere
from bayescope.gui.analysis.run_data import Answer, RunData
from bayescope.gui.analysis.session_consent import SessionConsent

if TYPE_CHECKING:
    from bayescope.engine.archive.additions import Addition, Known
    from bayescope.engine.archive.interpret import Imported
    from bayescope.engine.archive.output_runs import ImportedRuns
    from bayescope.engine.session.store import SessionStore
    from bayescope.engine.session.watched import Watched


@dataclass(frozen=True)
class Agreement:
    """``confined``: run in a sandbox. ``quietly``: changes of the program's own files need not be asked about until the window
    is closed."""

    confined: bool
    quietly: bool = False


class SessionFile(SessionConsent):
    """``path`` None: nothing on disk yet.

    ``made_from``: the consent to the analysis this one was made from; None: it is declared here. ``beside``: the folder of the
    analysis it is a copy of.
    """

    def __init__(self, made_from: Signed | None = None, beside: Path | None = None) -> None:
        super().__init__(made_from)
        self._beside = beside
        self._runs_of: Path | None = None
        self._first: Problem | None = None  # of which those runs are
        self.texts_free = False  # the user said that texts beside placeholders may change with the runs kept
        self.settled = Settled()  # what was answered while setting up; stored with the problem

    @property
    def runs_of(self) -> Path | None:
        """The analysis whose runs answer this one; None: it makes its own."""
        return self._runs_of

    @runs_of.setter
    def runs_of(self, path: Path) -> None:
        self._runs_of, self._first = path, None
        if self._store is not None and self._store.writable:
            self._store.runs_of = path

    def needs_runs(self, problem: Problem) -> tuple[str, ...]:
        """Why those runs do not answer ``problem``, sentences; nothing is said while they cannot be looked at."""
        from bayescope.engine.problem.checks.without_runs import needs_runs
        from bayescope.engine.session.store import SessionStore

        if self._runs_of is None:
            return ()
        if self._first is None:
            try:
                with SessionStore.open(self._runs_of, mode="read") as store:
                    self._first = store.problem
            except SessionError:
                return ()
        return needs_runs(self._first, problem, self._runs_of.parent, self.folder)

    @property
    def is_draft(self) -> bool:
        return self.path is not None and session_files.is_draft(self.path)

    @property
    def place(self) -> Path:
        """Where a dialog about its files begins."""
        return self._beside or self.folder if self.path is None or self.is_draft else self.path.parent

    @property
    def read_only_words(self) -> str:
        """Why it cannot be written (another window holds it, no permission), a sentence; empty if it can."""
        return "" if self._store is None or self._store.writable else self._store.read_only_reason

    def open(self, path: Path) -> Problem:
        """Open for writing, or for reading if somebody else writes. Raises SessionError; the file is untouched then."""
        from bayescope.engine.session.ledger import Ledger
        from bayescope.engine.session.store import SessionStore

        self._store = SessionStore.open(path, mode="write")
        self.path, self._runs_of = self._store.path, self._store.runs_of
        self.where = Ledger(self._store).where
        self._given, self.settled = None, settled_of(self._store)
        return self._store.problem

    def load(self, data: RunData) -> None:
        """Evaluations, trace and newest answer into ``data``."""
        if self._store is None:
            return
        data.load(self._store.evaluations(), self._store.iterations())
        with contextlib.suppress(SessionError):  # earlier attempts alone: no run and no answer waits for them
            data.set_aside = tuple(set_aside_of(self._store))
        data.elapsed_s = self._store.elapsed_s
        data.ran = ran_elsewhere(self._store)
        with contextlib.suppress(SessionError):  # a damaged list of jobs; the next run says so
            data.earlier = earlier_attempts(self._store)
        last = self._store.last_iteration()
        if last is not None:
            data.answer = Answer.of_record(last)

    def reload_problem(self) -> Problem | None:
        """The problem as the engine left it (a new budget); None while nothing is on disk."""
        return None if self._store is None else self._store.reload_problem()

    def write(self, problem: Problem) -> None:
        """Write the declaration; the first time into a new draft."""
        if self._store is None:
            self._store = self._make(session_files.new_draft_path(problem.name), problem)
            self.path, self._given = self._store.path, None
        else:
            self._store.save_problem(problem, keeps_runs=self.texts_free)
            settled.note(self._store, self.settled)

    def import_archive(self, found: Imported | ImportedRuns, problem: Problem, check: Callable[[], None]) -> Problem:
        """Store imported evaluations, all in one commit; the problem as it is then. May be called from any thread; ``check`` is
        called before and may raise. Raises SessionError."""
        from bayescope.engine.archive.interpret import Imported
        from bayescope.engine.archive.store import store_archive, store_runs

        check()
        self.write(problem)
        assert self._store is not None
        if isinstance(found, Imported):
            store_archive(self._store, found, check)
        else:
            store_runs(self._store, found, check)
        return self._store.reload_problem()

    @property
    def only_imported(self) -> bool:
        """Whether there are runs, all of them imported, as far as can be read."""
        with contextlib.suppress(SessionError):
            return self._store is not None and not self._store.has_own_runs and self._store.evaluation_count > 0
        return False

    @property
    def all_taken_in(self) -> bool:
        """Whether the newest answer's method knows all imported evaluations, as far as can be read."""
        from bayescope.engine.session.imported import known_part

        with contextlib.suppress(SessionError):
            if self._store is None or self._store.arrived_runs():
                return self._store is None
            return (known_part(self._store.checkpoint()) or 0) >= self._store.newest_part or not self._store.newest_part
        return True

    @property
    def takes_in(self) -> Literal["values", "outputs", ""]:
        """What further evaluations made elsewhere are given by; "": none can be added, or it cannot be read."""
        from bayescope.engine.session.imported import LEARNS_OUTPUTS, STARTS_FROM_ARCHIVES

        with contextlib.suppress(SessionError):
            method = "" if self._store is None else self._store.problem.settings.method
            if self._store is not None and method == STARTS_FROM_ARCHIVES and self._store.newest_part:
                return "values"
            if self._store is not None and method == LEARNS_OUTPUTS and self._store.has_imported_runs:
                return "outputs"
        return ""

    def known(self) -> Known:
        """What the analysis knows; may be called from any thread. Raises SessionError."""
        from bayescope.engine.archive.additions import known_of

        assert self._store is not None
        return known_of(self._store)

    def add_evaluations(self, found: Addition, watched: Watched | None) -> None:
        """Store what is new of them, with how far a watched file was read; may be called from any thread. Raises SessionError."""
        from bayescope.engine.archive.store import store_addition

        assert self._store is not None
        if found.count:
            store_addition(self._store, found)
        if watched is not None:
            self._store.watched = watched

    @property
    def watched(self) -> Watched | None:
        """The file or folder that is looked at for new rows."""
        return None if self._store is None else self._store.watched

    @watched.setter
    def watched(self, watched: Watched | None) -> None:
        if self._store is not None and self._store.writable:
            self._store.watched = watched

    def _make(self, path: Path, problem: Problem) -> SessionStore:
        from bayescope.engine.session.ledger import Ledger
        from bayescope.engine.session.store import SessionStore

        own = self._made_from is None
        made = SessionStore.create(path, problem, own=own, consent=self._made_from or UNSIGNED)
        if self._runs_of is not None:
            made.runs_of = self._runs_of
        if self.where:
            Ledger(made).where = self.where
        settled.note(made, self.settled)
        return made

    def save_as(self, path: Path, problem: Problem) -> Problem:
        """Go on under another name: a draft is moved, a saved analysis copied, both with their run folders and jobs elsewhere.

        Returns the problem as it reads from the new folder (relative paths follow their files).

        ``path`` may exist: the user has been asked. It is replaced only by a complete copy.
        """
        from bayescope.engine.session.job_owner import take_along

        if self._store is None or self.path is None:
            session_files.replace_by_copy(lambda part: self._make(part, problem).close(), None, path)
            self.open(path)
            return problem
        if not self.read_only_words:
            self._store.save_problem(problem, keeps_runs=self.texts_free)
            settled.note(self._store, self.settled)
        old, was_draft, store = self.path, self.is_draft, self._store
        session_files.replace_by_copy(store.copy_to, old, path)
        self.open(path)
        with contextlib.suppress(SessionError):  # then they stay with the old one, which the next run says
            take_along(store, self._store)
        store.close()
        if was_draft:  # no file of the user's lies among the drafts: nothing there is to be followed
            session_files.delete_session(old)
        else:
            self._store.follow_files(old.parent)
        return self._store.problem

    def export_support_bundle(self, path: Path, with_data: bool) -> None:
        """Logs, versions and the session in words; the session file itself only ``with_data``. Raises SessionError.

        A file of that name is replaced: the user has been asked.
        """
        from bayescope.engine.report.support import export_support_bundle

        export_support_bundle(path, self._store, with_data=with_data, replace=True)

    def close(self) -> None:
        """Let go of the file. An interrupted run has been told by now, and is not told again on every start."""
        if self._store is not None and self._store.writable:
            with contextlib.suppress(SessionError):  # the disk may be gone; being told twice does no harm
                self._store.acknowledge_interruption()
        self._let_go()

    def _let_go(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None


class OpenFile:
    """Which session file is open now; a new ``SessionFile`` takes its place when another analysis is shown."""

    def __init__(self) -> None:
        self.now = SessionFile()
