"""Two commands pasted as one line: told, run one after the other at one click, and their files asked about as before."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.files.loose_files import loose_files
from bayescope.gui.pages.simulator.page import SimulatorPage

PROBLEM = d.Problem(
    name="x", parameters=(), simulator=d.Simulator(command=()), outputs=(), meaning=d.LogLikelihoodOutput(output="")
)


def pasted(text: str, show: Callable[..., None], controller: SessionController, qtbot: QtBot) -> SimulatorPage:
    controller.file.adopt(PROBLEM)
    page = SimulatorPage(controller)
    show(page, 1000, 700)
    page.program.program.setFocus()
    page.program.program.setText(text)
    qtbot.keyClick(page.program.program, Qt.Key.Key_Return)
    QApplication.processEvents()
    return page


@pytest.mark.skipif(sys.platform == "win32", reason="the script is one for sh")
@pytest.mark.parametrize("sign", [" &&", ";"])
def test_two_commands_become_a_script_whose_files_are_asked_about(
    qtbot: QtBot, show: Callable[..., None], make_controller: Callable[[], SessionController], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, sign: str,
) -> None:  # fmt: skip
    from bayescope.gui.dialogs.file_questions import ask

    monkeypatch.setattr(ask, "start", lambda folder: tmp_path)
    for name, text in (("drift.py", "import sys\n"), ("bin2txt.py", "import sys\n"), ("drift.yaml", "k: 1.0\n")):
        (tmp_path / name).write_text(text)
    controller = make_controller()
    line = f"python3 drift.py drift.yaml{sign} python3 bin2txt.py drift.yaml"
    page = pasted(line, show, controller, qtbot)
    several = page.program.several
    assert "These are 2 commands" in several.words()
    assert not page.program.loose.words(), "one question at a time"
    assert any(sign.strip() in f.message for f in controller.problem.findings("simulator.command"))
    qtbot.mouseClick(several._button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    simulator = controller.problem.declared.simulator
    assert simulator.command == ("sh", "commands.sh")
    assert not several.isVisible()
    assert loose_files(simulator, tmp_path) == ["drift.py", "drift.yaml", "bin2txt.py"]
    assert "drift.py" in page.program.loose.words()
    assert not controller.problem.findings("simulator.command")


def test_a_change_of_the_folder_sets_the_working_folder(
    qtbot: QtBot, show: Callable[..., None], make_controller: Callable[[], SessionController], tmp_path: Path
) -> None:
    controller = make_controller()
    page = pasted(f"cd {tmp_path.as_posix()} && python3 model.py", show, controller, qtbot)
    qtbot.mouseClick(page.program.several._button, Qt.MouseButton.LeftButton)
    simulator = controller.problem.declared.simulator
    assert (simulator.command, simulator.working_folder) == (("python3", "model.py"), tmp_path.as_posix())
    assert not simulator.templates
