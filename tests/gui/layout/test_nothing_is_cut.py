"""No text has less room than it needs at 100, 150 and 200 %: pages, the tour's bubbles, greetings and dialogs of real windows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QLabel, QListWidget, QPushButton, QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from tests.support.cut_texts import all_cut

pytestmark = [pytest.mark.window, pytest.mark.journeys]
ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("scale", ["1", "1.5", "2"])
def test_no_text_is_cut_on_any_page_bubble_or_dialog(scale: str, tmp_path: Path, application_home: Path) -> None:
    given = {**os.environ, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen", "BAYESCOPE_HOME": str(application_home)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.cut_texts", str(tmp_path)], cwd=ROOT, env=given, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"scale {scale}"]
    assert len(list(tmp_path.glob("tour-*.png"))) == 10, "five bubbles in two themes"


def test_a_text_that_is_cut_is_found(qtbot: QtBot) -> None:
    """The check itself: one of every kind with too little room."""
    room = QWidget()
    qtbot.addWidget(room)
    label, button, box = QLabel("a long label", room), QPushButton("a long button", room), QCheckBox("a long choice", room)
    entries, table = QListWidget(room), QTableWidget(1, 1, room)
    entries.addItem("an entry that is longer than its list")
    table.setHorizontalHeaderLabels(["a heading that is long"])
    for k, each in enumerate((label, button, box)):
        each.setGeometry(0, 30 * k, 30, 25)
    entries.setGeometry(0, 100, 80, 60)
    table.setGeometry(0, 170, 300, 60)
    table.setColumnWidth(0, 40)
    room.show()
    found = "\n".join(all_cut(room))
    for words in ("a long label", "a long button", "a long choice", "an entry", "a heading"):
        assert words in found
