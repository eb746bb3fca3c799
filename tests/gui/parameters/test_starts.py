"""Known good values, entered by hand and taken from files, in the real dialog."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from pytestqt.qtbot import QtBot

from bayescope.engine.app.headless import load_example
from bayescope.engine.session.store import SessionStore
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.pages.run.settings import RunSettingsDialog
from bayescope.gui.pages.starts import StartsDialog

pytestmark = pytest.mark.window


def test_known_good_values_are_typed_loaded_checked_and_kept(
    qtbot: QtBot, open_window: Callable[..., tuple[Any, Any, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "source.bayescope"
    with SessionStore.create(path, load_example("contamination"), own=True):
        pass
    table = tmp_path / "known.csv"
    table.write_text("x0,ts,q0,rho\n0.4,0.2,7,0.05\n")
    monkeypatch.setattr(ask, "file", lambda *_: table)
    window, controller, _ = open_window()
    assert controller.file.open(path)
    settings = RunSettingsDialog(controller.problem, controller.run, window, tmp_path)
    settings.show()
    assert settings.starts.text() == "None; add some…"
    said = []

    def fill() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, StartsDialog)
        qtbot.mouseClick(dialog.load, Qt.MouseButton.LeftButton)
        qtbot.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        assert dialog.points.rowCount() == 2
        dialog.points.setData(dialog.points.index(1, 2), "-4", Qt.ItemDataRole.EditRole)
        ok = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)  # type: ignore[union-attr]
        qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
        said.append((dialog.isVisible(), dialog.message.isVisible()))
        dialog.points.setData(dialog.points.index(1, 2), "5.5", Qt.ItemDataRole.EditRole)
        qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
        if dialog.isVisible():
            dialog.reject()

    QTimer.singleShot(0, fill)
    qtbot.mouseClick(settings.starts, Qt.MouseButton.LeftButton)
    assert said == [(True, True)], "a strength below zero is refused, in words"
    assert [s["q0"] for s in controller.problem.declared.settings.starts] == [7.0, 5.5]
    assert settings.starts.text() == "2 sets of values…"
    buttons = settings.findChild(QDialogButtonBox)
    qtbot.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)  # type: ignore[union-attr]
    assert [s["q0"] for s in controller.problem.declared.settings.starts] == [7.0, 5.5], "other settings leave them"
