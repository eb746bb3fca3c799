"""Cyclic garbage is collected in the window's thread only: a widget destroyed in another one would bring the program down."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from bayescope.gui.system import garbage

pytestmark = pytest.mark.window


@pytest.fixture
def timer(qtbot: QtBot) -> Iterator[garbage.GarbageTimer]:
    parent = QObject()
    yield garbage.GarbageTimer(parent)
    gc.enable()
    parent.deleteLater()


def test_garbage_of_a_busy_thread_is_collected_in_the_windows_thread(timer: garbage.GarbageTimer, qtbot: QtBot) -> None:
    threads: set[str] = set()

    def note(phase: str, info: dict[str, Any]) -> None:
        threads.add(threading.current_thread().name)

    def work() -> None:
        for _ in range(20_000):
            cycle: list[Any] = []
            cycle.append(cycle)

    gc.callbacks.append(note)
    try:
        worker = threading.Thread(target=work)
        worker.start()
        worker.join()
        assert threads == set(), "nothing is collected where the garbage was made"
        before = gc.get_count()[0]
        assert before > garbage.THRESHOLDS[0]
        qtbot.waitUntil(lambda: gc.get_count()[0] < before, timeout=5000)
        assert threads == {threading.main_thread().name}
    finally:
        gc.callbacks.remove(note)
