"""From an empty analysis to an exported CSV through the real pages, with the real engine, by mouse and keyboard."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.window.main_window import MainWindow

pytestmark = [pytest.mark.window, pytest.mark.journeys, pytest.mark.timeout(300)]
PATIENCE = 150_000  # ms; the machine may be busy
BUDGET = 18

# prints chi2 of two parameters given as arguments; nothing but a number to be marked
ARGUMENTS = """import sys
a, b = float(sys.argv[2]), float(sys.argv[4])
print("fit of 8 points")
print("chi2 = %r after 3 steps" % (((a - 1.5) / 0.2) ** 2 + ((b + 0.5) / 0.1) ** 2))
"""
# reads a deck, writes a table of a straight line
TEMPLATE = """import re
deck = dict(re.findall(r"(\\w+)\\s+(\\S+)", open("deck.txt").read()))
slope, offset = float(deck["slope"]), float(deck["offset"])
with open("result.txt", "w") as f:
    f.write("x y\\n")
    for i in range(6):
        f.write("%g %.12g\\n" % (i, slope * i + offset))
"""


@pytest.fixture
def window(open_window: Callable[..., tuple[MainWindow, Any, Any]]) -> MainWindow:
    window, _, _ = open_window(1280, 720)
    window.go("welcome")
    return window


def press(qtbot: QtBot, button: QPushButton) -> None:
    qtbot.waitUntil(lambda: button.isVisible() and button.isEnabled(), timeout=10_000)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def type_text(qtbot: QtBot, field: Any, text: str) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def click_on(qtbot: QtBot, pane: Any, what: str, nth: int = 0) -> None:
    """One click with the mouse on a text shown in a pane."""
    text, start = pane.text(), -1
    for _ in range(nth + 1):
        start = text.index(what, start + 1)
    cursor = pane.textCursor()
    cursor.setPosition(start + max(1, len(what) // 2))
    pane.setTextCursor(cursor)
    pane.ensureCursorVisible()
    qtbot.mouseClick(pane.viewport(), Qt.MouseButton.LeftButton, pos=pane.cursorRect().center())


def try_out(qtbot: QtBot, page: Any) -> None:
    press(qtbot, page.panel.run_button)
    qtbot.waitUntil(
        lambda: not page.trial.running and (page.trial.report is not None or bool(page.trial.words)), timeout=PATIENCE
    )
    assert page.trial.words == ""
    assert page.trial.report.outcome == "ok", page.trial.report.reason


def finish(qtbot: QtBot, window: MainWindow, tmp_path: Path, names: list[str]) -> np.ndarray:
    """Run with a small budget, look at the results, export the samples; their mean comes back."""
    controller = window.controller
    assert controller.problem.findings(level="error") == []
    settings = d.Settings(max_evaluations=BUDGET, workers=2, seed=1)
    assert controller.problem.edit("Few runs", settings=settings)
    assert controller.file.save_as(tmp_path / "journey.bayescope")
    window.go("run")
    run: Any = window.page("run")
    press(qtbot, run.strip.start)
    qtbot.waitUntil(lambda: controller.run.data.outcome is not None and not controller.run.active, timeout=PATIENCE)
    assert controller.run.data.n_failed == 0
    assert controller.run.n_runs >= BUDGET
    window.go("results")
    results: Any = window.page("results")
    qtbot.waitUntil(lambda: results.summary.rowCount() == len(names), timeout=30_000)
    assert results.banner.words()
    results.tabs.setCurrentWidget(results.exporter)
    target = tmp_path / "samples.csv"
    results.exporter.count.setValue(2000)
    qtbot.waitUntil(lambda: results.exporter.buttons["samples"].isEnabled(), timeout=10_000)
    with qtbot.waitSignal(results.exporter.finished, timeout=20_000) as done:
        results.exporter.write("samples", target)
    assert done.args == [True], results.exporter.message.words()
    rows = list(csv.reader(target.open()))
    assert rows[0] == names
    return np.array(rows[1:], dtype=float)


def test_a_program_with_arguments_from_nothing_to_a_csv(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    script = tmp_path / "fit.py"
    script.write_text(ARGUMENTS)
    welcome: Any = window.page("welcome")
    press(qtbot, welcome.new_button)
    assert window.current == "simulator"
    page: Any = window.page("simulator")
    type_text(qtbot, page.program.program, f'"{sys.executable}" "{script}" -a 1.0 -b 0.25')
    for text, name in (("1.0", "a"), ("0.25", "b")):
        arguments = page.program.arguments
        arguments.setSelection(arguments.text().rindex(text), len(text))
        qtbot.waitUntil(lambda: page.program.maker.isVisible(), timeout=5000)
        type_text(qtbot, page.program.maker.name, name)
    assert [p.name for p in window.controller.problem.declared.parameters] == ["a", "b"]
    try_out(qtbot, page)
    page.tabs.setCurrentWidget(page.outputs)
    shown = page.outputs.picker.text.text()
    click_on(qtbot, page.outputs.picker.text, shown.split("chi2 = ")[1].split()[0])
    press(qtbot, page.outputs.picker.take)
    assert window.controller.problem.declared.outputs[0].extractor == d.LabelledNumber(label="chi2")
    press(qtbot, page.outputs.check_button)
    qtbot.waitUntil(lambda: page.trial.other is not None, timeout=PATIENCE)
    assert "found at other values" in page.outputs.message.words()
    page.tabs.setCurrentWidget(page.meaning)
    page.meaning.buttons["minus_two_log_likelihood"].click()
    window.go("parameters")
    parameters: Any = window.page("parameters")
    for row, prior in ((0, "normal(1, 1)"), (1, "normal(0, 1)")):
        assert parameters.model.setData(parameters.model.index(row, parameters.model.column_of("prior")), prior)
    draws = finish(qtbot, window, tmp_path, ["a", "b"])
    np.testing.assert_allclose(draws.mean(axis=0), [1.48, -0.495], atol=0.15)  # exact posterior of normal times normal


def test_a_program_with_a_template_from_nothing_to_a_csv(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PySide6.QtWidgets import QFileDialog

    (tmp_path / "line.py").write_text(TEMPLATE)
    (tmp_path / "deck.txt").write_text("slope 2.0\noffset 1.0\n")
    measured = np.array([0.9, 2.6, 4.5, 5.9, 7.6, 9.4])
    (tmp_path / "measured.csv").write_text("x,y\n" + "".join(f"{i},{y}\n" for i, y in enumerate(measured)))
    chosen = {"Input file of your program": "deck.txt", "Measured data": "measured.csv"}
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", lambda parent, title, *rest: (str(tmp_path / chosen[title]), "")
    )
    monkeypatch.setattr(
        QFileDialog, "getOpenFileNames", lambda parent, title, *rest: ([str(tmp_path / chosen[title])], "")
    )
    window.go("simulator")
    page: Any = window.page("simulator")
    type_text(qtbot, page.program.program, sys.executable)
    type_text(qtbot, page.program.arguments, f'"{tmp_path / "line.py"}"')
    page.tabs.setCurrentWidget(page.inputs)
    part = page.inputs.templates
    press(qtbot, part.empty.button)
    for text, name in (("2.0", "slope"), ("1.0", "offset")):
        start = part.editor.toPlainText().index(text)
        part.editor.mark(start, start + 3)
        assert part.maker.name.text() == name
        qtbot.keyClick(part.maker.name, Qt.Key.Key_Return)
    try_out(qtbot, page)
    page.tabs.setCurrentWidget(page.outputs)
    page.outputs.picker.source.choose("result.txt")
    for value, name in (("4", "x"), ("9", "y")):
        click_on(qtbot, page.outputs.picker.text, value)
        qtbot.mouseClick(page.outputs.picker.strip.scopes["column"], Qt.MouseButton.LeftButton)
        assert page.outputs.picker.name.text() == name
        press(qtbot, page.outputs.picker.take)
    assert [o.extractor for o in window.controller.problem.declared.outputs] == [
        d.CsvColumn(column=n, delimiter=" ", header=True) for n in ("x", "y")
    ]
    page.tabs.setCurrentWidget(page.meaning)
    page.meaning.buttons["predictions"].click()
    window.go("data")
    data: Any = window.page("data")
    press(qtbot, data.empty.button)
    press(qtbot, data.importer.use)
    sd = data.noise.form.editor("sd")
    data.tabs.setCurrentIndex(2)
    type_text(qtbot, sd, "0.2")
    meaning = window.controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert [(m.output, m.column, m.key_column) for m in meaning.matches] == [("y", "y", "x")]
    draws = finish(qtbot, window, tmp_path, ["slope", "offset"])
    design = np.column_stack([np.arange(6), np.ones(6)])
    exact = np.linalg.lstsq(design, measured, rcond=None)[0]
    np.testing.assert_allclose(draws.mean(axis=0), exact, atol=0.12)
    sd_exact = 0.2 * np.sqrt(np.diag(np.linalg.inv(design.T @ design)))
    np.testing.assert_allclose(draws.std(axis=0), sd_exact, rtol=0.5)
    QApplication.processEvents()
