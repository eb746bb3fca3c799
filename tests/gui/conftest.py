"""What every test of the window needs: a platform, a home of its own, and the certainty that nothing is left behind."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QThread, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import getCppPointer, isValid

from bayescope.engine import protocol
from bayescope.gui.style.theme import theme
from hands.windows import empty_window, hands_on, python_with  # noqa: F401  fixtures of journeys


@pytest.fixture(autouse=True)
def application_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Drafts, recent list and settings of a test go to a folder of its own."""
    home = tmp_path / "application-home"
    monkeypatch.setenv("BAYESCOPE_HOME", str(home))
    return home


_seen = 0  # modules that were there when the collector last set aside what stays


def _things() -> tuple[set[int], set[int], set[int]]:
    """Running QThreads, active QTimers, top-level widgets (by where they are in C++: their Python objects come and go)."""
    threads, timers = set(), set()
    kinds = _with_subclasses(QThread) | _with_subclasses(QTimer)  # looked up: asking each of all objects takes long
    for thing in [thing for thing in gc.get_objects() if type(thing) in kinds]:
        try:
            if isinstance(thing, QTimer):
                if thing.isActive():
                    timers.add(id(thing))
            elif thing.isRunning():
                threads.add(id(thing))
        except RuntimeError:  # the C++ part is gone already
            continue
    return threads, timers, {_place(w) for w in _windows()}


def _with_subclasses(kind: type) -> set[type]:
    return {kind}.union(*(_with_subclasses(k) for k in kind.__subclasses__()))


def _place(widget: QWidget) -> int:
    return int(getCppPointer(widget)[0])


def _windows() -> list[QWidget]:
    return [w for w in QApplication.topLevelWidgets() if w.parent() is None]


@pytest.fixture
def put_away() -> Callable[[list[Any]], None]:
    """Takes a main window down, given as a list of one, so that nothing holds it when the check for leftovers looks."""

    def take_down(made: list[Any]) -> None:
        for page in made[0]._pages.values():
            if hasattr(page, "release"):
                page.release()
        made[0]._pages.clear()  # pytest holds the window until the check for leftovers is over
        made[0].hide()
        made[0].deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        made.clear()

    return take_down


@pytest.fixture
def nothing_left_behind(qapp: QApplication) -> Iterator[None]:
    """Fails a test that leaves a running QThread, an active QTimer, a window or a thread of its own."""
    global _seen
    before = _things()
    choice, colours = theme.choice, theme.colours
    threads_before = set(threading.enumerate())
    yield
    deadline, rounds = time.monotonic() + 3.0, 0
    while True:
        rounds += 1  # on a busy machine one round may take seconds, and widgets let go of each other in several
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        qapp.processEvents()
        gc.collect()
        after = _things()
        left = [a - b for a, b in zip(after, before, strict=True)]
        own = [t for t in threading.enumerate() if t not in threads_before and not t.daemon and t.is_alive()]
        if (not any(left) and not own) or (time.monotonic() > deadline and rounds >= 8):
            break
        time.sleep(0.05)
    names = [f"{type(w).__name__} {w.windowTitle()!r}" for w in _windows() if _place(w) in left[2]]
    assert not left[0], "a QThread is still running"
    assert not left[1], "a QTimer is still active"
    assert not names, f"windows were left behind: {names}"
    assert not own, f"threads were left behind: {own}"
    if (theme.choice, theme.colours) != (choice, colours):
        theme.choose(choice)
    if len(sys.modules) > _seen:
        _seen = len(sys.modules)
        gc.freeze()  # what this test was the first to import stays; looking at it after every other one takes long


@pytest.fixture
def qtbot(nothing_left_behind: None, qtbot: object) -> object:
    """pytest-qt's, torn down before the check for leftovers."""
    return qtbot


@pytest.fixture
def show(qtbot: object) -> Iterator[Callable[[QWidget, int, int], None]]:
    """Shows a page; at the end it is closed, deleted, and emptied: pytest itself keeps a reference to what fixtures made."""
    shown: list[QWidget] = []

    def show_it(widget: QWidget, width: int = 1180, height: int = 640) -> None:
        shown.append(widget)
        widget.resize(width, height)
        widget.show()

    yield show_it
    for widget in shown:
        release = getattr(widget, "release", None)
        if release is not None:
            release()
        widget.hide()
        widget.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        vars(widget).clear()


class RecordedEngine(QObject):
    """Stands in for the engine process where a test is about the window alone: messages are fed by hand."""

    message = Signal(object)
    died = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.running = False
        self.sent: list[protocol.Command] = []

    def start(self) -> None:
        self.running = True

    def is_running(self) -> bool:
        return self.running

    def send(self, message: protocol.Command) -> None:
        self.sent.append(message)

    def shut_down(self) -> None:
        self.running = False

    def die(self, words: str) -> None:
        self.running = False
        self.died.emit(words)


@pytest.fixture
def engines() -> list[RecordedEngine]:
    """The stand-ins made by ``make_controller``, oldest first."""
    return []


@pytest.fixture
def make_controller(qtbot: object, engines: list[RecordedEngine]) -> Iterator[Callable[[], object]]:
    """Controllers on a recorded engine; shut down at the end."""
    from bayescope.gui.analysis.session_controller import SessionController
    from bayescope.gui.system.user_settings import settings

    made: list[SessionController] = []

    def client(parent: QObject) -> RecordedEngine:
        engines.append(RecordedEngine(parent))
        return engines[-1]

    def make() -> SessionController:
        settings().setValue("second_test_run", "no")  # a stand-in answers what it is asked, one thing at a time
        made.append(SessionController(make_link=client))
        return made[-1]

    yield make
    for controller in made:
        controller.shut_down()
        controller.deleteLater()


@pytest.fixture
def controller(make_controller: Callable[[], object]) -> object:
    """One on a recorded engine, with nothing set up."""
    return make_controller()


@pytest.fixture
def real_controller(qtbot: object) -> Iterator[object]:
    """One on the real engine process."""
    from bayescope.gui.analysis.session_controller import SessionController

    made = SessionController()
    yield made
    made.shut_down()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def evaluation_done() -> Callable[..., protocol.EvaluationDone]:
    """Makes the message of one finished run."""

    def make(
        index: int, values: dict[str, float], log_joint: float | None = -3.0, reason: str = ""
    ) -> protocol.EvaluationDone:
        return protocol.EvaluationDone(
            index=index,
            values=values,
            outcome="ok" if log_joint is not None else "failed",
            log_joint=log_joint,
            log_likelihood=log_joint,
            noise_sd=0.0,
            duration_s=0.1 + 0.01 * index,
            reason=reason,
            started_at=1.8e9 + index,
        )

    return make


@pytest.fixture
def snapshot_ready() -> Callable[..., protocol.SnapshotReady]:
    """Makes the message of one answer: a mixture of two components around ``center`` in inference space."""

    def make(
        iteration: int,
        n_evaluations: int,
        center: np.ndarray,
        spread: float = 0.3,
        warm_up: bool = False,
        converged: bool = False,
    ) -> protocol.SnapshotReady:
        d = len(center)
        means = np.stack([center - 0.2 * spread, center + 0.2 * spread])
        covariances = np.stack([np.eye(d) * spread**2] * 2)
        u = np.linspace(center - 3 * spread, center + 3 * spread, 40).T
        quadratic = -0.5 * ((u - center[:, None]) / spread) ** 2
        return protocol.SnapshotReady(
            iteration=iteration,
            n_evaluations=n_evaluations,
            elbo=-10.0 - 20.0 / (1 + iteration),
            elbo_sd=0.2,
            log_evidence=-9.9,
            log_evidence_sd=0.1,
            converged=converged,
            warm_up=warm_up,
            reasons=("The posterior still changes.", "The evidence is still uncertain."),
            weights=protocol.Blob.of(np.array([0.4, 0.6])),
            means=protocol.Blob.of(means),
            covariances=protocol.Blob.of(covariances),
            slices={
                "center": protocol.Blob.of(center),
                "u": protocol.Blob.of(u),
                "mean": protocol.Blob.of(quadratic),
                "sd": protocol.Blob.of(0.1 + 0 * u),
            },
            elapsed_s=1.0 + iteration,
        )

    return make


@pytest.fixture
def open_window(qtbot: object) -> Iterator[Callable[..., tuple[Any, Any, Any]]]:
    """Windows on the real engine with their controller and run page, put away at the end without questions."""
    from bayescope.gui.analysis.session_controller import SessionController
    from bayescope.gui.window.main_window import MainWindow

    made: list[tuple[Any, Any]] = []

    def make(width: int = 1280, height: int = 720) -> tuple[Any, Any, Any]:
        controller = SessionController()
        window = MainWindow(controller)
        window.resize(width, height)
        window.show()
        made.append((window, controller))
        window.go("run")
        return window, controller, window.page("run")

    yield make
    while made:
        _close(*made.pop())


def _close(window: Any, controller: Any) -> None:
    """What closing does once its questions are answered; closing twice is closing once."""
    if not isValid(window):
        return
    controller.shut_down()
    for page in window._pages.values():
        if hasattr(page, "release"):
            page.release()
    window.hide()
    window.deleteLater()
    controller.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    vars(window).clear()  # pytest keeps a reference to what fixtures made
