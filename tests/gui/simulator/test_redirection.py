"""Command lines as they are typed into a shell, whose signs no shell reads here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.files.redirection import redirection
from bayescope.gui.pages.simulator.page import SimulatorPage

PROBLEM = d.Problem(
    name="x",
    parameters=(),
    simulator=d.Simulator(command=()),
    outputs=(),
    meaning=d.LogLikelihoodOutput(output=""),
)


@pytest.mark.parametrize(
    ("typed", "words", "left", "read"),
    [
        (("xfoil", "<", "a.in"), "< a.in", ("xfoil",), "a.in"),
        (("xfoil", "<a.in", ">", "a.log", "2>&1"), "<a.in > a.log 2>&1", ("xfoil",), "a.in"),
        (("sh", "run", ">>log.txt"), ">>log.txt", ("sh", "run"), ""),
        (("awk", "<"), "<", ("awk",), ""),
    ],
)
def test_what_a_shell_would_take_out_is_found(
    typed: tuple[str, ...], words: str, left: tuple[str, ...], read: str
) -> None:
    found = redirection(typed)
    assert found is not None
    assert (found.words, found.command, found.read) == (words, left, read)


def test_other_words_are_left_alone() -> None:
    assert redirection(("awk", "$1>2", "a<b", "-x", "--n=3", "@k@")) is None


def test_a_file_behind_a_less_than_sign_becomes_the_standard_input(
    qtbot: QtBot, show: Callable[..., None], make_controller: Callable[[], SessionController], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    from bayescope.gui.dialogs.file_questions import ask

    monkeypatch.setattr(ask, "start", lambda folder: tmp_path)
    (tmp_path / "naca.in").write_text("NACA 2412\nOPER\nVISC 1e6\n")
    controller = make_controller()
    controller.file.adopt(PROBLEM)
    page = SimulatorPage(controller)
    show(page, 1000, 700)
    qtbot.keyClicks(page.program.program, "cat < naca.in")
    qtbot.keyClick(page.program.program, Qt.Key.Key_Return)
    assert page.program.redirect.words() == "“< naca.in” is for a shell, and none reads this command."
    assert not page.program.loose.words(), "one question at a time"
    button = next(b for b in page.program.redirect.findChildren(QPushButton) if b.text() == "Give it “naca.in”")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    simulator = controller.problem.declared.simulator
    assert (simulator.command, simulator.stdin) == (("cat",), "NACA 2412\nOPER\nVISC 1e6\n")
    assert page.inputs.stdin.isVisible()
    assert "Double-click a number" in page.inputs.stdin_hint.text()
    assert not page.program.redirect.words()
