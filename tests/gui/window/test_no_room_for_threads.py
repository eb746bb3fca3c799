"""Where the computer gives no further thread, the window says so and waits for nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.archive.archive import Newest
from bayescope.gui.pages.results.export import ExportTab

pytestmark = pytest.mark.window


@pytest.fixture
def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)


def test_an_export_that_gets_no_thread_is_said_and_another_can_follow(
    qtbot: QtBot, make_controller: Callable[[], SessionController], tmp_path: Path, no_room: None
) -> None:
    controller = make_controller()
    assert controller.file.open_example("contamination")
    assert controller.file.save_as(tmp_path / "a.bayescope")
    tab = ExportTab(controller.file, controller.run)
    qtbot.addWidget(tab)
    with qtbot.waitSignal(tab.finished, timeout=5000) as ended:
        tab.write("samples", tmp_path / "samples.csv")
    assert ended.args == [False]
    assert "no room for another thread" in tab.message.words()
    assert not tab._writing


def test_a_table_that_gets_no_thread_is_said(no_room: None) -> None:
    found: list[tuple[int, object]] = []
    Newest(lambda number, result: found.append((number, result))).run(lambda: 1)
    assert "no room for another thread" in str(found[0][1])


def test_a_fault_of_ours_while_a_table_is_read_does_not_leave_the_dialog_waiting() -> None:
    over, found = threading.Event(), []
    Newest(lambda number, result: (found.append(result), over.set())).run(lambda: {}["missing"])
    assert over.wait(10)
    assert "KeyError" in str(found[0])
