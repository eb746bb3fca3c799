"""Computes posterior curves off the window's thread. What was begun is finished, then the newest request comes next.

Giving up what was begun for every newer answer would show nothing at all while answers come faster than curves are computed.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from PySide6.QtCore import QObject, Qt, Signal

from bayescope.engine import protocol
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.session.errors import SessionError
from bayescope.gui.analysis.posteriors import posterior_of
from bayescope.gui.analysis.reports import report_of
from bayescope.gui.analysis.run_data import Answer

NOT_LOST = "Nothing of the analysis is lost. If it happens again, send these details, or the support bundle (Help)."


def fault(what: str, error: Exception) -> protocol.Report:
    """That a file could not be read, or else that ``what`` came to nothing by a fault of this program."""
    if isinstance(error, (SessionError, OSError)):
        return report_of("The session file could not be read.", error)
    said = f"{what} ({type(error).__name__}: {error})."
    details = "".join(traceback.format_exception(error))
    return protocol.Report(level="error", what=said, suggestion=NOT_LOST, details=details)


class CurveReader(QObject):
    """``ready`` carries a ``curves.PosteriorCurves``; ``failed`` a protocol.Report of what could not be read or worked out."""

    ready = Signal(object)
    failed = Signal(object)
    loaded = Signal(object)  # what a ``load`` brought
    _found = Signal(int, object, object)  # (age, which of the signals above, what it carries)
    painted = Signal(object, object)  # (done, result) of ``paint``

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="curves")
        self._painter = ThreadPoolExecutor(1, thread_name_prefix="pictures")  # not to wait behind slow curves
        self._next: tuple[ParameterSpace, Answer, bool, int] | None = None
        self._closed = False
        self._age = 0  # how often it was told to forget
        self._found.connect(self._pass_on, Qt.ConnectionType.QueuedConnection)
        self.painted.connect(lambda done, result: done(result), Qt.ConnectionType.QueuedConnection)
        self._lock = threading.Lock()

    def request(self, space: ParameterSpace, answer: Answer, with_pairs: bool) -> None:
        """Compute the curves of ``answer``; an older request that has not begun is dropped."""
        with self._lock:
            waiting, self._next = self._next is not None, (space, answer, with_pairs, self._age)
        if not waiting:
            self._pool.submit(self._work)

    def forget(self) -> None:
        """Another analysis is shown: nothing that was asked for until now is told of, pictures apart."""
        self._age += 1
        with self._lock:
            self._next = None

    def _pass_on(self, age: int, signal: object, found: object) -> None:
        if age == self._age and not self._closed:
            getattr(self, str(signal)).emit(found)

    def load(self, fetch: Callable[[], object]) -> None:
        """Run ``fetch`` (a read of the session file) in the same thread and emit ``loaded`` with what it returns."""
        self._pool.submit(self._load, fetch, self._age)

    def paint(self, job: Callable[[], object], done: Callable[[object], None]) -> None:
        """Run ``job`` in a thread of its own and ``done`` with its result in the window's thread; None if it failed."""
        self._painter.submit(self._paint, job, done)

    def _paint(self, job: Callable[[], object], done: Callable[[object], None]) -> None:
        try:
            self.painted.emit(done, job())
        except Exception as error:
            self.failed.emit(fault("A plot could not be drawn", error))
            self.painted.emit(done, None)

    def release(self) -> None:
        """No more results; waits for the computation in progress to give up."""
        self._closed = True
        self._painter.shutdown(wait=True, cancel_futures=True)
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _work(self) -> None:
        from bayescope.gui.plots.curves import Superseded, compute

        with self._lock:
            wanted, self._next = self._next, None
        if wanted is None or self._closed:
            return
        space, answer, with_pairs, age = wanted
        try:
            found = compute(
                posterior_of(space, answer), answer.iteration, with_pairs, lambda: self._closed or age != self._age,
                arrays=answer.slices, sketch=answer.trace.warm_up,
            )  # fmt: skip
        except Superseded:
            return
        except Exception as error:
            self._found.emit(age, "failed", fault(f"The answer of iteration {answer.iteration} could not be drawn", error))
            return
        self._found.emit(age, "ready", found)

    def _load(self, fetch: Callable[[], object], age: int) -> None:
        if self._closed or age != self._age:
            return
        try:
            self._found.emit(age, "loaded", fetch())
        except Exception as error:
            self._found.emit(age, "failed", fault("The results could not be worked out", error))
