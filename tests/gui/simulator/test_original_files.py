"""A command that names the very file an input file was opened from: parameters would never reach the program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from data_pages import click
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.files.original_files import originals, with_copies
from bayescope.gui.pages.simulator.page import SimulatorPage


def deck(folder: Path, name: str = "case.inp") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("length 1.5\n")
    return folder / name


def test_words_that_name_the_original_are_found_and_the_copy_takes_their_place(tmp_path: Path) -> None:
    path = deck(tmp_path / "study")
    command = ("mopac", str(path), "study/case.inp", "case.inp", "other/case.inp", "case")
    simulator = d.Simulator(command=command, templates=(d.TemplateFile(target="case.inp", text="length @l@\n"),))
    assert originals(simulator, tmp_path) == {1: "case.inp", 2: "case.inp"}
    assert with_copies(simulator, tmp_path).command == ("mopac", "case.inp", "case.inp", "case.inp", "other/case.inp", "case")
    fixed = msgspec.structs.replace(simulator, working_folder="/somewhere")
    assert originals(fixed, tmp_path) == {}


@pytest.fixture
def page(show: Callable[..., None], real_controller: SessionController) -> SimulatorPage:
    page = SimulatorPage(real_controller)
    show(page, 1280, 720)
    return page


def set_up(controller: SessionController, path: Path, *words: str) -> None:
    """A program that prints what stands in the file that its arguments name."""
    template = d.TemplateFile(target=path.name, text="length @l@\n", original=path.read_text())
    length = d.Parameter(name="l", prior=d.Uniform(low=1.0, high=2.0))
    simulator = d.Simulator(command=words, templates=(template,))
    assert controller.problem.edit("x", simulator=simulator, parameters=(length,))


def test_a_test_run_on_the_original_says_so_and_its_button_gives_the_program_the_copy(
    qtbot: QtBot, page: SimulatorPage, real_controller: SessionController, tmp_path: Path
) -> None:
    path = deck(tmp_path / "study")
    set_up(real_controller, path, "cat", str(path))
    panel = page.panel
    click(qtbot, panel.run_button)
    qtbot.waitUntil(lambda: "parameters do not reach it" in panel.message.words(), timeout=20_000)
    click(qtbot, next(b for b in panel.message.findChildren(QPushButton) if "run's copy" in b.text()))
    assert real_controller.problem.declared.simulator.command == ("cat", "case.inp")
    assert "parameters do not reach it" not in panel.message.words()


def test_outputs_that_do_not_depend_on_the_parameters_are_no_green_test_run(
    qtbot: QtBot, page: SimulatorPage, real_controller: SessionController, tmp_path: Path
) -> None:
    set_up(real_controller, deck(tmp_path / "study"), "echo", "done")
    click(qtbot, page.panel.run_button)
    qtbot.waitUntil(lambda: "printed the same at other values" in page.panel.message.words(), timeout=20_000)


def test_f5_takes_what_is_being_typed(
    qtbot: QtBot, page: SimulatorPage, real_controller: SessionController, tmp_path: Path
) -> None:
    set_up(real_controller, deck(tmp_path / "study"), "echo", "old")
    field = page.program.arguments
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "new @l@")
    QTest.keyClick(field, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: page.trial.report is not None and page.trial.report.stdout.startswith("new"), timeout=20_000)


def test_a_fixed_file_that_is_opened_for_parameters_is_no_longer_copied(
    page: SimulatorPage, real_controller: SessionController, tmp_path: Path
) -> None:
    path, other = deck(tmp_path / "study"), deck(tmp_path / "study", "mesh.dat")
    files = (d.ExtraFile(path=str(path)), d.ExtraFile(path=str(other)))
    assert real_controller.problem.edit("x", simulator=d.Simulator(command=("cat", "case.inp"), extra_files=files))
    page.inputs.templates.open_file(path)
    simulator = real_controller.problem.declared.simulator
    assert [t.target for t in simulator.templates] == ["case.inp"]
    assert [f.path for f in simulator.extra_files] == [str(other)]
    assert real_controller.problem.findings("simulator.templates", "error") == []
