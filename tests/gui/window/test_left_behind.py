"""Analyses that were never saved and whose window was killed are offered at the next start, whatever it opens."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from bayescope.engine.session.attempts import AttemptRecord
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.profiles import Profile
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.session_files import drafts_folder, load_example, new_draft_path
from bayescope.gui.system.one_application import Request
from bayescope.gui.system.user_settings import settings
from bayescope.gui.window.left_behind import DISCARD, LATER, OPEN, SHOW, TOLD, _Row
from bayescope.gui.window.main_window import MainWindow
from bayescope.gui.window.windows import Windows
from hands.dialogs import Hands

pytestmark = pytest.mark.window


@pytest.fixture
def begun() -> list[Windows]:
    return []


@pytest.fixture
def start(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, begun: list[Windows]
) -> Iterator[Callable[..., MainWindow]]:
    """The first window of a start; an earlier one is gone by then."""
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path / "home"))
    settings().remove(TOLD)

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
        assert words.startswith("Never saved, but kept: “Ricker map” (ricker, not run yet, today "), words
    window = start(Request(example="contamination"))
    Hands(window).click(OPEN)
    assert window.controller.file.on_disk == draft.resolve()
    assert not window.left_behind.isVisible()


def test_a_draft_that_a_window_holds_is_not_offered(start: Callable) -> None:
    with SessionStore.open(a_draft("held")):
        assert not start(Request(example="contamination")).left_behind.words()


def test_several_are_listed_each_with_a_way_to_open_it_or_throw_it_away(start: Callable) -> None:
    drafts = [a_draft(f"film{k}") for k in range(6)]
    window = start(Request(example="contamination"))
    hands = Hands(window)
    assert window.left_behind.words().startswith("6 analyses were never saved, but are kept. The newest: ")
    hands.click(SHOW)
    assert len(window.left_behind.findChildren(_Row)) == 6
    hands.click_and_answer(DISCARD, "Keep it")
    assert all(draft.exists() for draft in drafts)
    hands.click_and_answer(DISCARD, "Throw away")
    assert window.left_behind.words().startswith("5 analyses")
    hands.click(OPEN)
    assert window.left_behind.words().startswith("4 analyses")
    assert window.controller.file.on_disk in drafts
    assert sum(draft.exists() for draft in drafts) == 5


def test_a_further_window_offers_what_was_left_behind_since(
    start: Callable, begun: list[Windows], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bayescope.gui.window.left_behind.LOOKS", 0)
    first = start(Request(example="contamination"))
    qtbot.waitUntil(lambda: not first.left_behind.looks, timeout=5000)
    a_draft("film")
    second = begun[0].open(None, "ricker")
    qtbot.waitUntil(lambda: bool(second.left_behind.words()), timeout=20_000)
    assert not first.left_behind.words()


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


def window_process(what: str, argument: str, display: str = "") -> subprocess.Popen[str]:
    """A window of its own process; ``display``: of an X server, else of none."""
    command = [sys.executable, str(Path(__file__).parents[3] / "tests/support/killed_window.py"), what, argument]
    environment = {**os.environ, "QT_QPA_PLATFORM": "xcb" if display else "offscreen", "DISPLAY": display}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def killed(what: str, argument: str) -> None:
    """A window of its own process, which is killed."""
    with window_process(what, argument) as process:
        assert process.wait() == -signal.SIGKILL


@pytest.mark.journeys
def test_the_runs_of_a_window_that_was_killed_are_offered_and_opened(start: Callable, qtbot: QtBot) -> None:
    killed("runs", "6")
    window = start(Request(example="contamination"))
    qtbot.waitUntil(lambda: "ever saved" in window.left_behind.words(), timeout=20_000)
    assert "interrupted" in window.left_behind.words()
    assert re.search(r"\(contamination, \d+ runs, ", window.left_behind.words()), "what it is, and how much is in it"
    Hands(window).click(OPEN)
    assert window.current == "run"
    assert len(window.controller.run.data.evaluations) >= 6
    assert list(drafts_folder().glob("*.bayescope")) == [window.controller.file.on_disk]


@pytest.mark.journeys
def test_a_copy_without_runs_of_a_window_that_was_killed_is_offered_and_opened(start: Callable, qtbot: QtBot) -> None:
    killed("copy", "sand copied")
    window = start(Request(example="contamination"))
    qtbot.waitUntil(lambda: "ever saved" in window.left_behind.words(), timeout=20_000)
    assert "“sand copied” (" in window.left_behind.words()
    Hands(window).click(OPEN)
    assert window.controller.problem.declared.name == "sand copied"


@pytest.mark.journeys
def test_what_a_living_window_holds_is_offered_when_that_window_has_been_killed(start: Callable, qtbot: QtBot) -> None:
    with window_process("hold", "sand held") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        window = start(Request(example="contamination"))
        assert not window.left_behind.words(), "its window lives"
        process.kill()
        process.wait()
    qtbot.waitUntil(lambda: "“sand held” (" in window.left_behind.words(), timeout=20_000)


@pytest.mark.journeys
@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="there is no X server to be killed")
def test_what_a_window_held_whose_x_server_died_is_offered(start: Callable, qtbot: QtBot) -> None:
    with subprocess.Popen(["Xvfb", "-displayfd", "1"], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        with window_process("hold", "sand held", f":{server.stdout.readline().strip()}") as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            server.kill()
            process.wait()
    window = start(Request(example="contamination"))
    qtbot.waitUntil(lambda: "“sand held” (" in window.left_behind.words(), timeout=20_000)


@pytest.mark.journeys
def test_who_types_without_a_break_is_written_too(start: Callable, qtbot: QtBot) -> None:
    killed("typing", "sand")
    window = start(Request(example="contamination"))
    qtbot.waitUntil(lambda: "“sand " in window.left_behind.words(), timeout=20_000)


def a_draft_with_a_job(token: str, folder: Path, pid: int) -> Path:
    path = a_draft("film")
    place = msgspec.json.encode(Profile(name="box", queue="", folder=str(folder))).decode()
    with SessionStore.open(path) as store:
        ledger = Ledger(store)
        ledger.where = "box"
        ledger.save(AttemptRecord(token, 0, "00000:1", 0, place, token, "queued", job=str(pid)))
    return path


@pytest.mark.journeys
def test_jobs_of_one_that_was_left_behind_are_picked_up_or_cancelled(start: Callable, tmp_path: Path) -> None:
    token = "bs0123456789ab"
    there = tmp_path / token
    there.mkdir()
    (there / "job.sh").write_text("sleep 60 & wait\n")
    start(Request(example="contamination"))  # the home folder is the test's from here on
    with subprocess.Popen(["sh", "job.sh", token], cwd=there) as job:
        draft = a_draft_with_a_job(token, tmp_path, job.pid)
        window = start(Request(example="contamination"))
        assert "(ricker, not run yet, 1 job elsewhere, " in window.left_behind.words()
        Hands(window).click(OPEN)
        assert window.controller.run.words.startswith("One job is at “box”: waiting, running, or over and not collected yet")
        window = start(Request(example="contamination"))
        assert job.poll() is None
        Hands(window).click_and_answer(DISCARD, "Cancel the job and throw away")
        assert job.wait(20) != 0
    assert not draft.exists()
    assert not window.left_behind.words()
