"""A command that names the very file an input file was opened from: parameters would never reach the program."""

from __future__ import annotations

import sys
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
from bayescope.engine.problem.command_list import CommandList, commands_of, with_commands
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
    assert originals(simulator, tmp_path) == {str(path): "case.inp", "study/case.inp": "case.inp"}
    assert with_copies(simulator, tmp_path).command == (
        "mopac",
        "case.inp",
        "case.inp",
        "case.inp",
        "other/case.inp",
        "case",
    )
    fixed = msgspec.structs.replace(simulator, working_folder="/somewhere")
    assert originals(fixed, tmp_path) == {}


def scripts(folder: Path) -> tuple[Path, Path]:
    """Two that change to their own folder; the second reads what the first one writes."""
    folder.mkdir(exist_ok=True)
    texts = ("k=1\ncat table.txt > out.txt\necho $k >> out.txt\n", "cat out.txt\n")
    for name, text in zip(("first.sh", "second.sh"), texts, strict=True):
        (folder / name).write_text(f'#!/bin/sh\ncd "$(dirname "$0")" || exit 1\n{text}')
        (folder / name).chmod(0o755)
    (folder / "table.txt").write_text("5\n")
    return folder / "first.sh", folder / "second.sh"


def listed(*commands: tuple[str, ...]) -> d.Simulator:
    return with_commands(d.Simulator(command=()), CommandList(commands, None, ";"), False)


def test_scripts_of_a_list_of_commands_are_the_run_s_copies_too(tmp_path: Path) -> None:
    first, second = scripts(tmp_path / "study")
    template = d.TemplateFile(target="first.sh", text="echo @k@\n")
    plain = listed((str(first), "-v"), (str(second), ">", "table"))
    simulator = msgspec.structs.replace(plain, templates=(*plain.templates, template))
    assert originals(plain, tmp_path) == {}
    assert originals(simulator, tmp_path) == {str(first): "first.sh"}
    copied = with_copies(simulator, tmp_path)
    assert commands_of(copied) == (("/bin/sh", "first.sh", "-v"), ("/bin/sh", "second.sh", ">", "table"))
    assert copied.extra_files == (d.ExtraFile(path=str(second)),), "it reads what the first one writes"
    assert copied.templates[0].text.startswith(plain.templates[0].text[:20])
    alone = d.Simulator(command=(str(first),), templates=(template,))
    assert with_copies(alone, tmp_path).command == ("/bin/sh", "first.sh")


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
    qtbot.waitUntil(
        lambda: page.trial.report is not None and page.trial.report.stdout.startswith("new"), timeout=20_000
    )


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


@pytest.mark.skipif(sys.platform == "win32", reason="scripts for sh")
def test_a_list_that_runs_an_original_beside_a_marked_copy_is_mended_with_one_click(
    qtbot: QtBot, page: SimulatorPage, real_controller: SessionController, tmp_path: Path
) -> None:
    first, second = scripts(tmp_path / "study")
    made = listed((str(first),), (str(second),))
    template = d.TemplateFile(
        target="first.sh", text=first.read_text().replace("k=1", "k=@k@"), original=first.read_text()
    )
    simulator = msgspec.structs.replace(made, templates=(*made.templates, template))
    k = d.Parameter(name="k", prior=d.Uniform(low=2.0, high=3.0))
    assert real_controller.problem.edit("x", simulator=simulator, parameters=(k,), outputs=())
    real_controller.file.ask_consent = lambda *_: True
    message = page.panel.message
    click(qtbot, page.panel.run_button)
    qtbot.waitUntil(lambda: "names the original file: parameters do not reach it" in message.words(), timeout=20_000)
    assert "take it out" not in message.suggestion(), "the line is right in a copy"
    assert "out.txt" in message.suggestion()
    click(qtbot, message._button)
    mended = real_controller.problem.declared.simulator
    assert commands_of(mended) == (("/bin/sh", "first.sh"), ("/bin/sh", "second.sh"))
    assert sorted(Path(f.path).name for f in mended.extra_files) == ["second.sh", "table.txt"]
    click(qtbot, page.panel.run_button)
    qtbot.waitUntil(lambda: page.trial.report is not None and page.trial.report.stdout == "5\n2.5\n", timeout=20_000)


@pytest.mark.skipif(sys.platform == "win32", reason="scripts for sh")
def test_a_list_of_scripts_that_write_beside_themselves_runs_copies_of_all_of_them_after_one_click(
    qtbot: QtBot, page: SimulatorPage, real_controller: SessionController, tmp_path: Path
) -> None:
    first, second = scripts(tmp_path / "study")
    assert real_controller.problem.edit("x", simulator=listed((str(first),), (str(second),)), parameters=(), outputs=())
    real_controller.file.ask_consent = lambda *_: True
    message = page.panel.message
    click(qtbot, page.panel.run_button)
    qtbot.waitUntil(lambda: "beside the script" in message.words(), timeout=20_000)
    click(qtbot, message._button)
    mended = real_controller.problem.declared.simulator
    assert commands_of(mended) == (("/bin/sh", "first.sh"), ("/bin/sh", "second.sh"))
    assert sorted(Path(f.path).name for f in mended.extra_files) == ["first.sh", "second.sh", "table.txt"]
