"""A second start hands its files to the running application, which opens each in a window of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QDir, QEvent, QPoint, QRect, QSize
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.app.headless import load_example
from bayescope.engine.session.store import SessionStore
from bayescope.gui.dialogs.check_installation import CheckInstallation
from bayescope.gui.dialogs.closing import may_close
from bayescope.gui.system import one_application
from bayescope.gui.system.one_application import (
    MOST_BYTES,
    Door,
    Request,
    code_stamp,
    door_name,
    pass_to_running,
)
from bayescope.gui.window.windows import Windows, beside

pytestmark = pytest.mark.window


@pytest.fixture
def windows(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Windows]:
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    made = Windows()
    made.listen()
    yield made
    for window in list(made.open_ones):
        window.close()
    assert made._door is not None
    made._door.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def session(tmp_path: Path) -> Callable[[str], Path]:
    def make(name: str) -> Path:
        path = tmp_path / f"{name}.bayescope"
        SessionStore.create(path, load_example("ricker"), own=True).close()
        return path

    return make


def start(*arguments: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "bayescope.gui", *map(str, arguments)]
    return subprocess.Popen(command, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})


def test_a_second_start_opens_its_files_in_windows_of_the_first_and_ends(
    windows: Windows, session: Callable[[str], Path], qtbot: QtBot
) -> None:
    one, two = session("one"), session("two")
    windows.take(Request())
    process = start(one, two)
    qtbot.waitUntil(lambda: process.poll() is not None, timeout=20_000)
    assert process.returncode == 0
    qtbot.waitUntil(lambda: [w.controller.file.path for w in windows.open_ones] == [None, one, two], timeout=20_000)
    assert not windows.open_ones[1].controller.file.read_only


def test_a_file_that_is_open_comes_forward_and_is_not_opened_twice(
    windows: Windows, session: Callable[[str], Path], qtbot: QtBot
) -> None:
    one = session("one")
    windows.take(Request((str(one),)))
    qtbot.waitUntil(lambda: windows.open_ones[0].controller.file.path == one)
    windows.open_ones[0].showMinimized()
    windows.take(Request((str(one),)))
    assert len(windows.open_ones) == 1
    assert not windows.open_ones[0].isMinimized()


def test_closing_one_window_leaves_the_others_and_lets_go_of_its_file(
    windows: Windows, session: Callable[[str], Path], qtbot: QtBot
) -> None:
    one, two = session("one"), session("two")
    windows.take(Request((str(one), str(two))))
    qtbot.waitUntil(lambda: all(w.controller.file.path is not None for w in windows.open_ones))
    windows.open_ones[0].close()
    qtbot.waitUntil(lambda: len(windows.open_ones) == 1)
    QApplication.processEvents()
    assert windows.open_ones[0].controller.file.path == two
    with SessionStore.open(one, mode="write") as store:
        assert store.writable


def test_quit_closes_all_windows_and_stops_at_one_that_is_to_stay_while_close_takes_one(
    windows: Windows, session: Callable[[str], Path], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three = (session(name) for name in ("one", "two", "three"))
    windows.take(Request((str(one), str(two), str(three))))
    qtbot.waitUntil(lambda: all(w.controller.file.path is not None for w in windows.open_ones))
    shortcuts = {name: windows.open_ones[0].menus.actions[name].shortcut().toString() for name in ("close", "quit")}
    assert shortcuts == {"close": "Ctrl+W", "quit": "Ctrl+Q"}
    windows.open_ones[2].menus.actions["close"].trigger()
    assert [w.controller.file.path for w in windows.open_ones] == [one, two]
    with monkeypatch.context() as with_a_question:
        stays = "bayescope.gui.window.main_window.may_close"
        with_a_question.setattr(stays, lambda window, controller: controller.file.path != one and may_close(window, controller))
        windows.open_ones[1].menus.actions["quit"].trigger()
    assert [w.controller.file.path for w in windows.open_ones] == [one], "two closes, one has something that is not saved"
    windows.open_ones[0].menus.actions["quit"].trigger()
    assert windows.open_ones == []


@pytest.mark.parametrize("text", [b"not json\n", b'{"unknown": 1}\n', b"x" * (MOST_BYTES + 1)])
def test_a_stranger_at_the_door_is_sent_away(windows: Windows, text: bytes, qtbot: QtBot) -> None:
    socket = QLocalSocket()
    socket.connectToServer(door_name())
    assert socket.waitForConnected(1000)
    socket.write(text)
    qtbot.waitUntil(lambda: socket.state() == QLocalSocket.LocalSocketState.UnconnectedState)
    assert windows.open_ones == []


def test_what_an_application_that_was_killed_left_behind_does_not_stop_the_next(
    windows: Windows, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert windows._door is not None
    windows._door.close()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("s")))  # short: a path, not a name
    assert not pass_to_running(Request())
    (Path(QDir.tempPath()) / door_name()).touch()  # a name alone, where the path is too long, is of a temporary file
    with_leftover = Door()
    assert with_leftover.is_open
    with_leftover.close()


def test_an_application_started_at_the_same_moment_keeps_its_door(windows: Windows) -> None:
    second = Door()
    assert not second.is_open
    assert windows._door is not None
    assert windows._door.is_open


def test_the_door_is_where_it_can_be_made(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A session without a folder of its own and an unwritable /tmp: it lies in the user's folder, private."""
    short = tmp_path_factory.mktemp("s")
    monkeypatch.setenv("BAYESCOPE_HOME", str(short / "h"))
    monkeypatch.setenv("TMPDIR", str(short / "none"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short / "gone"))
    assert Path(door_name()).parent == short / "h" / "run"
    assert Path(door_name()).parent.stat().st_mode & 0o777 == 0o700
    door = Door()
    assert door.is_open
    door.close()
    shared = short / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(shared))
    assert Path(door_name()).parent == short / "h" / "run", "a folder that others may write to is no place for it"
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short))
    assert Path(door_name()).parent == short
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short / "gone"))
    monkeypatch.setenv("BAYESCOPE_HOME", str(short / ("long" * 30)))
    assert not Path(door_name()).is_absolute(), "its path would be too long for a socket: among the temporary files"


def test_a_start_of_code_that_was_updated_meanwhile_is_a_new_application(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "gui").mkdir()
    code = tmp_path / "gui" / "page.py"
    code.write_text("a = 1\n")
    before, now = code_stamp.__wrapped__(tmp_path), door_name()
    os.utime(code, (2e9, 2e9))
    after = code_stamp.__wrapped__(tmp_path)
    assert before != after
    assert door_name() == now, "a running application keeps its door"
    monkeypatch.setattr(one_application, "code_stamp", lambda: after)
    assert door_name() != now


def test_a_further_window_is_whole_on_the_screen() -> None:
    area = QRect(0, 30, 1440, 870)
    wide = beside(QPoint(40, 30), QSize(1360, 860), area)
    assert area.contains(wide)
    assert wide.topLeft() == QPoint(72, 62)
    small = beside(QPoint(100, 100), QSize(900, 600), area)
    assert small == QRect(132, 132, 900, 600)
    low = beside(QPoint(600, 400), QSize(1000, 700), area)
    assert low == QRect(0, 30, 1000, 700), "no room below: from the corner again"
    assert area.contains(beside(QPoint(0, 30), QSize(2000, 2000), area))


def test_the_check_of_the_installation_reports_line_by_line_and_can_be_copied(windows: Windows, qtbot: QtBot) -> None:
    windows.take(Request(check=True))
    qtbot.waitUntil(lambda: bool(windows.open_ones[0].findChildren(CheckInstallation)))
    (dialog,) = windows.open_ones[0].findChildren(CheckInstallation)
    qtbot.waitUntil(lambda: "Computes on: " in dialog.as_text(), timeout=30_000)
    dialog.copy_button.click()
    copied = QApplication.clipboard().text()
    assert copied.startswith("Window: Qt 6")
    assert "Bayescope" in copied
    dialog.close()
