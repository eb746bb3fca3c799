"""A declaration leaves the window as a problem file and comes back, with its program."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import files
from bayescope.engine.problem.definition import ExtraFile, Normal, Parameter, Simulator
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.problem_export import export_problem


@pytest.fixture
def declared(make_controller: Callable[..., SessionController], tmp_path: Path) -> SessionController:
    controller = make_controller()
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "solver").write_text("")
    controller.problem.edit("Rename", name="Mine", parameters=(Parameter(name="a", prior=Normal(mean=0, sd=1)),))
    assert controller.file.save_as(tmp_path / "here" / "mine.bayescope")
    simulator = Simulator(command=("./solver", "@a@"), extra_files=(ExtraFile(path="grid.dat"),))
    controller.problem.edit("Choose program", simulator=simulator)
    return controller


def test_a_problem_file_is_written_and_opened_again_with_paths_that_still_hold(
    declared: SessionController, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "there" / "copy.json"
    path.parent.mkdir()
    assert export_problem(declared.problem, declared.file, path)
    written = files.load(path)
    assert written.parameters == declared.problem.declared.parameters
    assert written.simulator.command == (os.path.join("..", "here", "solver"), "@a@")
    assert declared.file.open(path)
    simulator = declared.problem.declared.simulator
    assert simulator.command == (str(tmp_path / "here" / "solver"), "@a@")
    assert simulator.extra_files[0].path == str(tmp_path / "here" / "grid.dat")


def test_a_folder_that_is_not_there_is_said_in_words(declared: SessionController, tmp_path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(declared.reports.reported) as heard:
        assert not export_problem(declared.problem, declared.file, tmp_path / "nowhere" / "x.json")
    assert "could not be written" in heard.args[0].what
