"""Analyses that were never saved and whose window was killed are offered at the next start, whatever it opens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.session_files import drafts_folder, load_example, new_draft_path
from bayescope.gui.system.one_application import Request
from bayescope.gui.system.user_settings import settings
from bayescope.gui.window.left_behind import LATER, OPEN, SHOW, TOLD
from bayescope.gui.window.main_window import MainWindow
from bayescope.gui.window.windows import Windows
from hands.dialogs import Hands

pytestmark = pytest.mark.window


@pytest.fixture
def start(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., MainWindow]]:
    """The first window of a start; an earlier one is gone by then."""
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path / "home"))
    settings().remove(TOLD)
    begun: list[Windows] = []

    def end() -> None:
        for windows in begun:
            for window in list(windows.open_ones):
                window.controller.file.close(discard_draft=window.controller.file.untouched_example)
                window.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        begun.clear()

    def begin(request: Request) -> MainWindow:
        end()
        begun.append(Windows())
        begun[0].take(request)
        window = begun[0].open_ones[0]
        qtbot.waitUntil(lambda: window.left_behind._look.isActive(), timeout=20_000)
        return window

    yield begin
    end()


def a_draft(name: str) -> Path:
    path = new_draft_path(name)
    SessionStore.create(path, load_example("ricker"), own=True).close()
    return path


def test_a_draft_nobody_holds_is_offered_when_the_example_or_a_file_is_opened(start: Callable, tmp_path: Path) -> None:
    draft = a_draft("film")
    saved = tmp_path / "mine.bayescope"
    SessionStore.create(saved, load_example("ricker"), own=True).close()
    for request in (Request(example="contamination"), Request((str(saved),)), Request()):
        words = start(request).left_behind.words()
        assert "was never saved, and its window is gone. It is kept: not run yet, today" in words
    window = start(Request(example="contamination"))
    Hands(window).click(OPEN)
    assert window.controller.file.on_disk == draft.resolve()
    assert not window.left_behind.isVisible()


def test_a_draft_that_a_window_holds_is_not_offered(start: Callable) -> None:
    with SessionStore.open(a_draft("held")):
        assert not start(Request(example="contamination")).left_behind.words()


def test_several_are_counted_and_shown_on_the_welcome_page_all_of_them(start: Callable) -> None:
    for k in range(6):
        a_draft(f"film{k}")
    window = start(Request(example="contamination"))
    assert window.left_behind.words().startswith("6 analyses were never saved, and their windows are gone.")
    Hands(window).click(SHOW)
    assert window.current == "welcome"
    assert sum(r.draft for r in window.page("welcome").model.rows) == 6
    assert not window.left_behind.isVisible()


def test_who_does_not_want_it_now_is_not_asked_again_unless_it_has_changed(start: Callable) -> None:
    draft = a_draft("film")
    Hands(start(Request(example="contamination"))).click(LATER)
    assert not start(Request(example="contamination")).left_behind.words()
    os.utime(draft, (1e9, 1e9))
    assert start(Request(example="contamination")).left_behind.words()


def test_one_that_is_thrown_away_elsewhere_is_told_of_no_more(start: Callable, qtbot: QtBot) -> None:
    draft = a_draft("film")
    window = start(Request(example="contamination"))
    draft.unlink()
    qtbot.waitUntil(lambda: not window.left_behind.isVisible(), timeout=5000)


def killed(what: str, argument: str) -> None:
    """A window of its own process, which is killed."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    root = Path(__file__).parents[2]
    process = subprocess.run(
        [sys.executable, root / "tests/support/killed_window.py", what, argument], env=environment, check=False
    )
    assert process.returncode == -signal.SIGKILL


@pytest.mark.journeys
def test_the_runs_of_a_window_that_was_killed_are_offered_and_opened(start: Callable, qtbot: QtBot) -> None:
    killed("runs", "6")
    window = start(Request(example="contamination"))
    qtbot.waitUntil(lambda: "never saved" in window.left_behind.words(), timeout=20_000)
    assert "interrupted" in window.left_behind.words()
    Hands(window).click(OPEN)
    assert window.current == "run"
    assert len(window.controller.run.data.evaluations) >= 6
    assert list(drafts_folder().glob("*.bayescope")) == [window.controller.file.on_disk]


@pytest.mark.journeys
def test_a_copy_without_runs_of_a_window_that_was_killed_is_offered_and_opened(start: Callable, qtbot: QtBot) -> None:
    killed("copy", "sand copied")
    window = start(Request(example="contamination"))
    qtbot.waitUntil(lambda: "never saved" in window.left_behind.words(), timeout=20_000)
    assert "“sand copied” was never saved" in window.left_behind.words()
    Hands(window).click(OPEN)
    assert window.controller.problem.declared.name == "sand copied"
