"""Computes posterior curves off the window's thread. The newest request wins; a stale one is given up half-way."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from PySide6.QtCore import QObject, Qt, Signal

from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.gui.posteriors import posterior_of
from bayescope.gui.run_data import Answer


class CurveReader(QObject):
    """``ready`` carries a ``curves.PosteriorCurves``; ``failed`` the words why an answer could not be drawn."""

    ready = Signal(object)
    failed = Signal(str)
    loaded = Signal(object)  # what a ``load`` brought
    painted = Signal(object, object)  # (done, result) of ``paint``

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="curves")
        self._wanted = 0
        self.painted.connect(lambda done, result: done(result), Qt.ConnectionType.QueuedConnection)
        self._lock = threading.Lock()

    def request(self, space: ParameterSpace, answer: Answer, with_pairs: bool) -> None:
        """Compute the curves of ``answer``; older requests not begun or not finished are dropped."""
        with self._lock:
            self._wanted += 1
            ticket = self._wanted
        self._pool.submit(self._work, ticket, space, answer, with_pairs)

    def load(self, fetch: Callable[[], object]) -> None:
        """Run ``fetch`` (a read of the session file) in the same thread and emit ``loaded`` with what it returns."""
        self._pool.submit(self._load, fetch)

    def paint(self, job: Callable[[], object], done: Callable[[object], None]) -> None:
        """Run ``job`` in the reader thread and ``done`` with its result in the window's thread."""
        self._pool.submit(self._paint, job, done)

    def _paint(self, job: Callable[[], object], done: Callable[[object], None]) -> None:
        try:
            self.painted.emit(done, job())
        except Exception as error:
            self.failed.emit(f"A plot could not be drawn: {error}")

    def release(self) -> None:
        """No more results; waits for the computation in progress to give up."""
        with self._lock:
            self._wanted += 1
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _stale(self, ticket: int) -> bool:
        return ticket != self._wanted

    def _work(self, ticket: int, space: ParameterSpace, answer: Answer, with_pairs: bool) -> None:
        from bayescope.gui.plots.curves import Superseded, compute

        if self._stale(ticket):
            return
        try:
            found = compute(posterior_of(space, answer), answer.iteration, with_pairs, lambda: self._stale(ticket))
        except Superseded:
            return
        except Exception as error:
            self.failed.emit(f"The answer of iteration {answer.iteration} could not be drawn: {error}")
            return
        if not self._stale(ticket):
            self.ready.emit(found)

    def _load(self, fetch: Callable[[], object]) -> None:
        try:
            self.loaded.emit(fetch())
        except Exception as error:
            self.failed.emit(f"The session file could not be read: {error}")
