"""An R script whose parameters stand at its top, taken as the input file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem.definition import Simulator, Uniform
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.files.script_inputs import with_numbers
from bayescope.gui.pages.simulator.page import SimulatorPage

pytestmark = pytest.mark.window
SCRIPT = """# SEIR
beta   <- 0.35        # transmission rate, 1/day
sigma  <- 0.25        # rate of becoming infectious, 1/day
0.2 -> gamma
cat(beta / gamma, "\\n")
"""


@pytest.fixture
def page(qtbot: QtBot, controller: SessionController, show: Callable[..., None], tmp_path: Path) -> SimulatorPage:
    """With the script opened as an input file."""
    made = SimulatorPage(controller)
    show(made, 1280, 700)
    made.tabs.setCurrentWidget(made.inputs)
    (tmp_path / "model.R").write_text(SCRIPT)
    made.inputs.templates.open_file(tmp_path / "model.R")
    QApplication.processEvents()
    return made


def test_a_number_behind_an_arrow_becomes_a_parameter_with_its_label_and_unit(page: SimulatorPage) -> None:
    part = page.inputs.templates
    at = part.editor.text().index("35 ")
    part.editor.mark(at, at + 2)
    assert (part.maker.name.text(), part.maker.words.text()) == ("beta", "0.35 is the parameter")
    assert not part.said.isVisible(), "the strip has its room"
    part.maker.accept()
    (beta,) = page.problem.declared.parameters
    assert (beta.name, beta.label, beta.unit) == ("beta", "transmission rate", "1/day")
    assert page.trial.values() == {"beta": 0.35}
    assert "beta   <- @beta@  " in part.editor.text()
    assert part.said.isVisible()


def test_names_typed_by_hand_keep_the_numbers_that_stood_there_and_nothing_moves(page: SimulatorPage, qtbot: QtBot) -> None:
    part = page.inputs.templates
    before = part.editor.mapTo(page, QPoint(0, 0))
    part.deck.edit_button.click()
    for number, name in (("0.35", "beta"), ("0.25", "sigma")):
        at = part.editor.text().index(number)
        part.editor.select(at, at + len(number))
        qtbot.keyClicks(part.editor, f"@{name}@")
        part.editor.commit()
        QApplication.processEvents()
        assert part.editor.mapTo(page, QPoint(0, 0)) == before
    assert page.inputs.missing.isVisible()
    assert not part.notice.isVisible(), "it is said once, beside the button"
    assert not part.filled_notice.isVisible()
    qtbot.mouseClick(page.inputs.missing._button, Qt.MouseButton.LeftButton)
    assert [(p.name, p.prior, p.unit) for p in page.problem.declared.parameters] == [
        ("beta", Uniform(low=0.0, high=0.7), "1/day"),
        ("sigma", Uniform(low=0.0, high=0.5), "1/day"),
    ]
    assert page.trial.values() == {"beta": 0.35, "sigma": 0.25}
    assert page.trial.answers.open_guesses() == ["beta", "sigma"]


def test_a_script_named_in_the_command_is_offered_as_the_input_file(
    controller: SessionController, show: Callable[..., None], tmp_path: Path, qtbot: QtBot
) -> None:
    script = tmp_path / "model.R"
    script.write_text(SCRIPT)
    page = SimulatorPage(controller)
    show(page, 1280, 700)
    assert page.program.take_program(script)
    assert "is a script that cannot be started by itself" in page.program.found.text()
    assert page.program.found.property("role") == "warning"
    qtbot.mouseClick(page.program.script._button, Qt.MouseButton.LeftButton)
    assert controller.problem.declared.simulator.command == ("Rscript", str(script))
    assert not page.program.script.isVisible()
    page.tabs.setCurrentWidget(page.inputs)
    part = page.inputs.templates
    assert part.named_button.text() == "Open “model.R”"
    qtbot.mouseClick(part.named_button, Qt.MouseButton.LeftButton)
    assert [t.target for t in part.templates] == ["model.R"]
    assert controller.problem.declared.simulator.command == ("Rscript", "model.R")
    assert not part.named_button.isVisible()


def test_a_double_click_with_the_mouse_on_either_half_of_the_number_marks_all_of_it(page: SimulatorPage) -> None:
    part = page.inputs.templates
    for character in (0, 3):
        part.maker.hide()
        cursor = part.editor.textCursor()
        cursor.setPosition(part.editor.text().index("0.25") + character)
        place = part.editor.cursorRect(cursor).center() + QPoint(2, 0)
        QTest.mouseClick(part.editor.viewport(), Qt.MouseButton.LeftButton, pos=place)
        QTest.mouseDClick(part.editor.viewport(), Qt.MouseButton.LeftButton, pos=place)
        QTest.mouseRelease(part.editor.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert part.maker.isVisible()
        assert part.maker.name.text() == "sigma"
        assert part.editor.text()[slice(*part.editor.selection())] == "0.25"


@pytest.mark.parametrize("named", [True, False], ids=["in the command", "in the script"])
def test_a_file_of_parameters_is_offered_before_the_script_that_reads_it(
    controller: SessionController, show: Callable[..., None], tmp_path: Path, named: bool
) -> None:
    (tmp_path / "model.m").write_text("tol = 1e-6;\np = load('aquifer.par');\ndisp(p(1))\n")
    (tmp_path / "aquifer.par").write_text("K  1.5e-4\nS  0.02 ! storage\n")
    (tmp_path / "notes.txt").write_text("a remark\n")
    arguments = (str(tmp_path / "notes.txt"), str(tmp_path / "aquifer.par")) if named else ()
    simulator = Simulator(command=("octave", str(tmp_path / "model.m"), *arguments))
    assert controller.problem.edit("x", simulator=simulator)
    page = SimulatorPage(controller)
    show(page, 1280, 700)
    page.tabs.setCurrentWidget(page.inputs)
    assert page.inputs.templates.named_button.text() == "Open “aquifer.par”"
    assert [path.name for path in with_numbers(simulator, tmp_path)] == ["aquifer.par", "model.m"]


def test_a_deck_named_by_its_path_is_opened_as_an_input_file_by_one_button_of_the_program_tab(
    controller: SessionController, show: Callable[..., None], tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "film.py").write_text("import sys\nprint(open(sys.argv[1]).read())\n")
    deck = tmp_path / "stack.deck"
    deck.write_text("title  as ordered\nlayer  SiO2  95.0  1.452  0.0035  # top\nlayer  TiO2  55.0  2.350\nangles  20 60\n")
    simulator = Simulator(command=(sys.executable, str(tmp_path / "film.py"), str(deck)))
    assert controller.problem.edit("x", simulator=simulator)
    page = SimulatorPage(controller)
    show(page, 1280, 700)
    assert page.program.loose.words() == "“stack.deck” holds numbers: do unknown ones stand in it?"
    qtbot.mouseClick(page.program.loose._button, Qt.MouseButton.LeftButton)
    assert [t.target for t in page.inputs.templates.templates] == ["stack.deck"]
    assert controller.problem.declared.simulator.command[-1] == "stack.deck"
    assert not page.program.loose.isVisible()


def test_a_deck_that_never_changes_is_asked_about_once(
    controller: SessionController, show: Callable[..., None], tmp_path: Path, qtbot: QtBot
) -> None:
    deck = tmp_path / "stack.deck"
    deck.write_text("layer  SiO2  95.0  1.452  0.0035  # top\n")
    assert controller.problem.edit("x", simulator=Simulator(command=("cat", str(deck))))
    page = SimulatorPage(controller)
    show(page, 1280, 700)
    qtbot.mouseClick(page.program.loose._dismiss, Qt.MouseButton.LeftButton)
    assert not page.program.loose.isVisible()
    assert controller.problem.edit("y", simulator=Simulator(command=("cat", "-n", str(deck))))
    assert not page.program.loose.isVisible()
    assert controller.problem.declared.simulator.extra_files == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("frame.deck", "*SECTION\n  ST  3.00E+07  0.0400  $ columns\n"),
        ("frame.inp", "*SPRING\n   1   3   5000.\n"),
        ("minmod.ode", "# a model\npar SG=0.026,p2=0.025\ninit G=279\ndone\n"),
        ("fin.edp", "// a fin\nreal k = 52.0;  // W/(m K)\n"),
        ("case.json", '{\n  "kinetics": {"log10_A": 6.2, "order": 1.0},\n  "title": "batch 17"\n}\n'),
    ],
    ids=["remarks behind a dollar", "a table under a usual ending", "several in a line", "behind their type", "JSON in a line"],
)
def test_a_deck_of_numbers_without_names_is_offered_too(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "mesh.dat").write_text("1 0.5 0.25\n2 1.5 0.75\n")
    (tmp_path / "list.inp").write_text("1 2 3\n! 0.5 is a remark\n")
    (tmp_path / "frame").write_text("#!/usr/bin/env python3\nk = 1.5\n")
    words = (name, "mesh.dat", "list.inp")
    own = Simulator(command=("python3", str(tmp_path / "frame"), *words))
    assert [path.name for path in with_numbers(own, tmp_path)] == [name, "frame"], "a script without an ending comes last"
    assert [path.name for path in with_numbers(Simulator(command=("frame", *words)), tmp_path)] == [name]
