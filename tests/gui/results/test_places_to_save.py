"""A place where nothing can be written is told when it is chosen, and another one can be chosen at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from bayescope.engine.app import cli
from bayescope.engine.session import atomic
from bayescope.engine.session.errors import SessionError
from bayescope.gui.dialogs.file_questions import FileQuestions

pytestmark = pytest.mark.window


def test_a_place_that_takes_no_file_is_said_in_words_and_nothing_is_left_there(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    for path, words in (
        (tmp_path / "gone" / "x.csv", "is not there"),
        (tmp_path / ("n" * 300 + ".csv"), "too long"),
        (tmp_path / "a\0b.csv", "can have that name"),
        (tmp_path / "folder.csv", "the name of a folder"),
        (Path("/proc/x.csv") if Path("/proc").is_dir() else tmp_path / "gone" / "x.csv", "folder “"),
    ):
        with pytest.raises(SessionError) as told:
            atomic.refuse_unwritable(path)
        assert words in told.value.what
    atomic.refuse_unwritable(tmp_path / "fine.csv")
    assert [p.name for p in tmp_path.iterdir()] == ["folder.csv"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_leave_to_write_is_said(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(SessionError, match="may not write"):
            atomic.refuse_unwritable(tmp_path / "x.csv")
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("again", [True, False])
def test_the_dialog_says_it_at_once_and_asks_for_another_place(
    show: Callable[..., None], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    window = QWidget()
    show(window, 300, 200)
    chosen = iter([tmp_path / "gone" / "x", tmp_path / ("n" * 260), tmp_path / "x"])
    begun: list[str] = []
    said: list[str] = []

    def dialog(_: Any, __: str, start: str, ___: str) -> tuple[str, str]:
        begun.append(start)
        return str(next(chosen)), ""

    def press() -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            said.append(box.text())
            next(b for b in box.buttons() if ("Another" in b.text()) == again).click()

    monkeypatch.setattr(QFileDialog, "getSaveFileName", dialog)
    timer = QTimer(interval=20)
    timer.timeout.connect(press)
    timer.start()
    found = FileQuestions().target(window, "Save figure", tmp_path / "marginals.png", "", [".png"])
    timer.stop()
    assert "is not there" in said[0]
    if again:
        assert found == tmp_path / "x.png"
        assert "too long" in said[1]
        assert begun == [str(tmp_path / "marginals.png")] * 3
    else:
        assert found is None
        assert len(said) == 1


def test_the_command_line_says_it_before_it_works(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = tmp_path / "plume.bayescope"
    assert cli.main(["example", "contamination", str(session)]) == 0
    assert cli.main(["export", str(session), "--report", str(tmp_path / "gone" / "r.html")]) != 0
    said = capsys.readouterr().err
    assert "is not there" in said
    assert "Nothing was written" in said
