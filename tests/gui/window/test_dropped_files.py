"""Files dropped on the window go where they belong: an analysis is opened, data are imported, input files become templates."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.session.store import SessionStore
from bayescope.gui.pages.page import ReadOnlyNotice

pytestmark = pytest.mark.window
PROBLEM = d.Problem(
    name="One",
    parameters=(d.Parameter(name="a", prior=d.Normal(mean=0.0, sd=1.0)),),
    simulator=d.Simulator(command=("true", "@a@")),
    outputs=(d.Output(name="l", source="stdout", extractor=d.LastNumber()),),
    meaning=d.LogLikelihoodOutput(output="l"),
)
LEFT, NONE, COPY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction


def drop(window: QMainWindow, *paths: Path) -> None:
    dragged = QMimeData()
    dragged.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    enter = QDragEnterEvent(QPoint(400, 300), COPY, dragged, LEFT, NONE)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(400, 300), COPY, dragged, LEFT, NONE))


def test_each_file_goes_to_the_page_it_is_dropped_on(open_window: Callable, qtbot: QtBot, tmp_path: Path) -> None:
    window, controller, _ = open_window(1024, 700)
    table, deck = tmp_path / "measured.csv", tmp_path / "deck.in"
    table.write_text("t,u\n0,1.5\n1,2.5\n")
    deck.write_text("rate 1.5\n")
    window.go("parameters")
    drop(window, table)
    assert "Drop data on the Data page" in window.statusBar().currentMessage()
    window.go("data")
    drop(window, table)
    page = window.page("data")
    assert page.stack.currentWidget() is page.importer
    qtbot.mouseClick(page.importer.use, LEFT)
    assert list(controller.problem.declared.data.columns) == ["t", "u"]
    window.go("simulator")
    simulator = window.page("simulator")
    drop(window, Path(sys.executable))
    assert controller.problem.declared.simulator.command == (sys.executable,)
    simulator.tabs.setCurrentWidget(simulator.inputs)
    drop(window, deck)
    assert [t.target for t in controller.problem.declared.simulator.templates] == ["deck.in"]


def test_an_analysis_is_opened_wherever_it_is_dropped(open_window: Callable, tmp_path: Path) -> None:
    window, controller, _ = open_window(1024, 700)
    SessionStore.create(tmp_path / "dropped.bayescope", PROBLEM, own=True).close()
    window.go("data")
    drop(window, tmp_path / "beside.txt", tmp_path / "dropped.bayescope")
    assert controller.file.path == tmp_path / "dropped.bayescope"


def test_a_read_only_analysis_is_saved_under_another_name_by_the_button_beside_the_reason(
    open_window: Callable, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, controller, _ = open_window(1024, 700)
    SessionStore.create(tmp_path / "held.bayescope", PROBLEM, own=True).close()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine.bayescope"), ""))
    with SessionStore.open(tmp_path / "held.bayescope"):
        assert controller.file.open(tmp_path / "held.bayescope")
        assert controller.file.read_only
        window.go("run")
        notice = window.page("run").findChild(ReadOnlyNotice)
        button = next(b for b in notice.findChildren(QPushButton) if b.isVisible())
        assert button.text() == "Save as…"
        qtbot.mouseClick(button, LEFT)
    assert controller.file.path == tmp_path / "mine.bayescope"
    assert not controller.file.read_only
