"""The ngspice example set up from nothing as a new user does: typing, clicking and the real file dialogs, up to a posterior."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.window.main_window import MainWindow

pytestmark = [
    pytest.mark.journeys,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("ngspice") is None, reason="ngspice is not installed"),
]
PATIENCE = 60_000  # ms; the machine may be busy
EXAMPLE = Path(__file__).parents[3] / "resources" / "examples" / "ngspice_filter"
# as an engineer writes it: scale letters behind the values, nothing of Bayescope in it
NETLIST = """* RLC low-pass filter with a load of 1 kOhm
V1 in 0 AC 1
R1 in a 110
L1 a out 11m
C1 out 0 90n
RLOAD out 0 1k
.ac dec 10 100 100k
.control
set wr_singlescale
set wr_vecnames
run
wrdata curve.txt vdb(out)
quit
.endc
.end
"""


@pytest.fixture
def window(qtbot: QtBot, open_window: Callable[..., tuple[MainWindow, Any, Any]]) -> MainWindow:
    window, _, _ = open_window(1380, 830)
    window.go("welcome")
    qtbot.waitActive(window, timeout=10_000)
    return window


def press(qtbot: QtBot, button: QPushButton) -> None:
    qtbot.waitUntil(lambda: button.isVisible() and button.isEnabled(), timeout=10_000)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def answer_dialog(qtbot: QtBot, path: Path) -> list[str]:
    """Type ``path`` into the next file dialog; the list that comes back holds its title once it was answered."""
    answered: list[str] = []

    turns = iter(range(60))

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QFileDialog):
            if answered:
                timer.stop()
            return
        if next(turns, None) is None:  # a test that fails is better than one that waits for ever
            timer.stop()
            dialog.reject()
            return
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        if field.text() != str(path):
            field.clear()
            qtbot.keyClicks(field, str(path))
            return  # Return only on a later turn: the dialog takes in what was typed before
        answered[:] = [dialog.windowTitle()]
        qtbot.keyClick(field, Qt.Key.Key_Return)

    timer = QTimer(QApplication.instance(), interval=200)
    timer.timeout.connect(look)
    timer.start()
    return answered


def place(pane: Any, what: str, nth: int = 0) -> QPoint:
    """Where a text stands in a pane, in the coordinates of its viewport."""
    text, start = pane.text(), -1
    for _ in range(nth + 1):
        start = text.index(what, start + 1)
    cursor = pane.textCursor()
    cursor.setPosition(start + len(what) // 2)
    pane.setTextCursor(cursor)
    pane.ensureCursorVisible()
    return pane.cursorRect().center() + QPoint(2, 0)  # type: ignore[no-any-return]


def types_into(widget: Any) -> bool:
    """Whether it is the place in its window where typing goes (a window without a manager need not be the active one)."""
    return widget.window().focusWidget() is widget  # type: ignore[no-any-return]


def mark(qtbot: QtBot, part: Any, what: str, name: str) -> None:
    """Double-click a number, type a name, press Return."""
    at = place(part.editor, what)
    for action in (qtbot.mouseDClick, qtbot.mouseRelease):
        action(part.editor.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert part.maker.isVisible()
    assert types_into(part.maker.name)
    qtbot.keyClicks(part.maker.name, name)
    qtbot.keyClick(part.maker.name, Qt.Key.Key_Return)


def test_the_ngspice_filter_from_nothing_to_a_posterior(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "filter.cir").write_text(NETLIST)
    shutil.copy(EXAMPLE / "measured_curve.csv", tmp_path)
    controller = window.controller

    # the program: Return begins, the whole command line is typed where the cursor already is
    welcome: Any = window.page("welcome")
    assert types_into(welcome.new_button)
    qtbot.keyClick(welcome.new_button, Qt.Key.Key_Return)
    page: Any = window.page("simulator")
    assert window.current == "simulator"
    assert types_into(page.program.program)
    qtbot.keyClicks(page.program.program, "ngspice -b filter.cir")
    qtbot.keyClick(page.program.program, Qt.Key.Key_Return)
    assert controller.problem.declared.simulator.command == ("ngspice", "-b", "filter.cir")
    assert "filter.cir" in page.program.loose.words()

    # its input file, and the three unknown numbers in it
    asked = answer_dialog(qtbot, tmp_path / "filter.cir")
    press(qtbot, page.program.loose.findChildren(QPushButton)[0])
    assert asked == ["Input file of your program"]
    part = page.inputs.templates
    assert page.tabs.currentWidget() is page.inputs
    for what, name in (("110", "R"), ("11m", "L"), ("90n", "C")):
        mark(qtbot, part, what, name)
    assert "R1 in a @R@\nL1 a out @L@m\nC1 out 0 @C@n\n" in controller.problem.declared.simulator.templates[0].text
    assert page.trial.values() == {"R": 110.0, "L": 11.0, "C": 90.0}

    # what it computes: the curve is shown at once, two columns are clicked
    press(qtbot, page.panel.run_button)
    qtbot.waitUntil(lambda: page.trial.report is not None and not page.trial.running, timeout=PATIENCE)
    assert page.trial.report.outcome == "ok", page.trial.report.reason
    press(qtbot, page.panel.message.findChildren(QPushButton)[0])  # Mark numbers
    assert page.tabs.currentWidget() is page.outputs
    picker = page.outputs.picker
    assert picker.source.key() == "curve.txt"
    row = picker.text.text().splitlines()[3].split()
    for cell in reversed(row):
        qtbot.mouseClick(picker.text.viewport(), Qt.MouseButton.LeftButton, pos=place(picker.text, cell))
        qtbot.mouseClick(picker.strip.scopes["column"], Qt.MouseButton.LeftButton)
        press(qtbot, picker.take)
    assert [o.name for o in controller.problem.declared.outputs] == ["vdb_out", "frequency"]

    # what was measured: the import, the question that only the user can answer
    qtbot.mouseClick(window.bar.buttons["data"], Qt.MouseButton.LeftButton)
    data: Any = window.page("data")
    asked = answer_dialog(qtbot, tmp_path / "measured_curve.csv")
    assert types_into(data.empty.button)
    qtbot.keyClick(data.empty.button, Qt.Key.Key_Return)
    assert asked == ["Measured data"]
    assert types_into(data.importer.use)
    qtbot.keyClick(data.importer.use, Qt.Key.Key_Return)
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.matches == (
        d.Match(output="vdb_out", column="gain", key_output="frequency", key_column="frequency"),
    )
    assert data.status() == ("todo", "How large are the errors?")
    press(qtbot, data.message.findChildren(QPushButton)[0])
    sd = data.noise.form.editor("sd")
    assert types_into(sd)
    qtbot.keyClicks(sd, "0.3")
    qtbot.keyClick(sd, Qt.Key.Key_Return)
    press(qtbot, data.test_button)
    qtbot.waitUntil(lambda: not page.trial.running and bool(page.trial.report.outputs), timeout=PATIENCE)
    assert "newest test run" in data.test_words.text()

    # what is known before: the first guesses are called guesses
    qtbot.mouseClick(window.bar.buttons["parameters"], Qt.MouseButton.LeftButton)
    parameters: Any = window.page("parameters")
    assert "not settled yet: " in parameters.guesses.words()
    to = parameters.panel.fields[1]
    qtbot.mouseDClick(to, Qt.MouseButton.LeftButton)
    to.selectAll()
    qtbot.keyClicks(to, "300")
    qtbot.keyClick(to, Qt.Key.Key_Return)
    assert controller.problem.declared.parameters[0].prior == d.Uniform(low=0.0, high=300.0)
    assert "L, C" in parameters.guesses.words()

    # run
    assert controller.problem.findings(level="error") == []
    assert controller.problem.edit("Few runs", settings=d.Settings(max_evaluations=16, workers=2, seed=1))
    qtbot.mouseClick(window.bar.buttons["run"], Qt.MouseButton.LeftButton)
    run: Any = window.page("run")
    press(qtbot, run.strip.start)
    qtbot.waitUntil(lambda: controller.run.data.outcome is not None and not controller.run.active, timeout=PATIENCE)
    assert controller.run.data.n_failed == 0
    assert controller.run.data.answer is not None
