"""Texts of test runs put under the mouse: reports of an engine, clicks and drags in the pane of the Outputs tab."""

from __future__ import annotations

from typing import Any

import msgspec
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.simulator.page import SimulatorPage

LEFT = Qt.MouseButton.LeftButton
STATUS = " step 1 done\n total CPU time 0.31\n"


def echoing(controller: SessionController) -> SessionController:
    """With a program of one parameter."""
    simulator = d.Simulator(command=("sh", "-c", "echo @k@"))
    prior = d.Uniform(low=0.0, high=2.0)
    assert controller.problem.edit("x", simulator=simulator, parameters=(d.Parameter(name="k", prior=prior),))
    return controller


def outputs_page(qtbot: QtBot, controller: SessionController) -> SimulatorPage:
    """Its Outputs tab, in sight."""
    page = SimulatorPage(controller)
    qtbot.addWidget(page)
    page.resize(1280, 760)
    page.show()
    page.tabs.setCurrentWidget(page.outputs)
    return page


def ran(engines: list[Any], k: float, stdout: str = STATUS, **files: str) -> None:
    """The engine's report of a test run at ``k`` that left these files (``job_dat`` is job.dat)."""
    made = tuple(
        protocol.TrialFile(name=name.replace("_", "."), role="produced", text=text, size=len(text))
        for name, text in files.items()
    )
    report = protocol.TrialRunReport(outcome="ok", stdout=stdout, files=made, values={"k": k}, exit_code=0)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    QApplication.processEvents()


def at(picker: Any, what: str, nth: int = 0, inside: int = 2) -> QPoint:
    """Where a character of ``what`` is drawn, brought into sight."""
    text, start = picker.text.text(), -1
    for _ in range(nth + 1):
        start = text.index(what, start + 1)
    cursor = picker.text.textCursor()
    cursor.setPosition(start + inside)
    picker.text.setTextCursor(cursor)
    picker.text.ensureCursorVisible()
    return QPoint(picker.text.cursorRect(cursor).center())


def click(picker: Any, what: str, nth: int = 0) -> None:
    QTest.mouseClick(picker.text.viewport(), LEFT, pos=at(picker, what, nth))


def drag(picker: Any, first: str, last: str, nth: int = 0) -> None:
    at(picker, last, nth)
    start, end = at(picker, first), picker.text.cursorRect(_cursor(picker, last, nth)).center()
    QTest.mousePress(picker.text.viewport(), LEFT, pos=start)
    QTest.mouseMove(picker.text.viewport(), (start + end) / 2)
    QTest.mouseMove(picker.text.viewport(), end)
    QApplication.processEvents()
    QTest.mouseRelease(picker.text.viewport(), LEFT, pos=end)


def _cursor(picker: Any, what: str, nth: int) -> QTextCursor:
    start = -1
    for _ in range(nth + 1):
        start = picker.text.text().index(what, start + 1)
    cursor = picker.text.textCursor()
    cursor.setPosition(start + len(what) - 2)
    return QTextCursor(cursor)


def shown_spans(picker: Any) -> list[str]:
    return [picker.text.text()[a:b] for a, b in picker.text.highlights()]
