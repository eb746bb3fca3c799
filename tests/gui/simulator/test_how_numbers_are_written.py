"""Inputs page: formats asked for inside placeholders, numbers longer than what stood there, and F1 on each tab."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from PySide6.QtWidgets import QTabBar
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.numbers.number_format import asked_format
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.help_window import page_for
from bayescope.gui.models.simulator.numbers.written_widths import pushed_words, stood
from bayescope.gui.pages.simulator.page import SimulatorPage

DECK = "*DENSITY\n7.85e-9,\n*ELASTIC\n210000.,0.3\n"


@pytest.fixture
def controller(make_controller: Callable[[], SessionController]) -> SessionController:
    made = make_controller()
    text = DECK.replace("7.85e-9", "@rho:.9g@").replace("210000.", "@E@")
    template = d.TemplateFile(target="arm.inp", text=text, original=DECK)
    parameters = tuple(
        d.Parameter(name=name, prior=d.Uniform(low=0.0, high=high)) for name, high in (("rho", 1.6e-8), ("E", 4e5))
    )
    simulator = d.Simulator(command=("ccx", "arm"), templates=(template,))
    assert made.problem.edit("x", simulator=simulator, parameters=parameters)
    return made


@pytest.fixture
def page(qtbot: QtBot, controller: SessionController) -> SimulatorPage:
    made = SimulatorPage(controller)
    qtbot.addWidget(made)
    made.resize(1100, 720)
    made.show()
    made.tabs.setCurrentWidget(made.inputs)
    return made


def test_a_format_in_a_placeholder_is_moved_to_where_formats_are_set(page: SimulatorPage, controller: SessionController) -> None:
    assert "asks for a number format" in controller.problem.findings("simulator.templates")[0].message
    assert page.inputs.hints.words() == "@rho:.9g@: the format belongs elsewhere."
    page.inputs.hints.pressed.emit()
    simulator = controller.problem.declared.simulator
    assert "@rho@," in simulator.templates[0].text
    assert simulator.formats["rho"] == d.NumberFormat(digits=9)
    assert not page.inputs.hints.isVisible()


@pytest.mark.parametrize(
    ("asked", "form"),
    [
        (".9g", d.NumberFormat(digits=9)),
        ("%12.4E", d.NumberFormat(style="exponent", digits=4, width=12)),
        ("d", d.NumberFormat(style="integer")),
        ("8", None),
    ],
)
def test_formats_are_understood_as_python_and_c_write_them(asked: str, form: d.NumberFormat | None) -> None:
    assert asked_format(asked) == form


def test_numbers_longer_than_what_stood_there_are_told_with_what_to_do(
    page: SimulatorPage, controller: SessionController
) -> None:
    part = page.inputs.uses_part
    simulator = controller.problem.declared.simulator
    assert stood(controller.problem.declared, "E") == len("210000.")
    part.uses_table.setCurrentIndex(part.uses.index(1, 0))
    assert "characters; 7 stood here." in part.width_notice.text()
    held = msgspec.structs.replace(simulator, formats={"E": d.NumberFormat(digits=4, max_width=8)})
    controller.problem.edit("x", simulator=held)
    assert part.width_notice.text() == "", "a limit is set: nothing is to be told"


COLUMNS = "    1    6     206000.    0.30    1       1840.\n    7   10      40000.    0.30    1       2120.\n"


def test_remarks_behind_named_numbers_are_no_columns(page: SimulatorPage, controller: SessionController) -> None:
    deck = "arrivals  = 0.50    ! per hour\nmean_stay = 50.0    ! h\nbeds      = 30\n"
    simulator = controller.problem.declared.simulator
    template = d.TemplateFile(target="ward.cfg", text=deck.replace("0.50", "@E@"), original=deck)
    controller.problem.edit("x", simulator=msgspec.structs.replace(simulator, templates=(template,)))
    assert "pushes" not in page.inputs.templates.filled_notice.text()


def test_where_only_a_comment_follows_the_number_nothing_is_pushed_aside(controller: SessionController) -> None:
    original = "    K   -0.7    # Gaines-Thomas\n    X    1.2    # mol\n    Na   0.0    # zero\n"
    template = d.TemplateFile(target="ions.pqi", text=original.replace("-0.7", "@log_k@"), original=original)
    problem = msgspec.structs.replace(
        controller.problem.declared,
        parameters=(d.Parameter(name="log_k", prior=d.Uniform(low=-2.0, high=1.0)),),
        simulator=msgspec.structs.replace(controller.problem.declared.simulator, templates=(template,)),
    )
    assert pushed_words(problem, template) == ""


def test_a_number_that_pushes_columns_aside_is_told_where_the_filled_file_is_shown(
    page: SimulatorPage, controller: SessionController
) -> None:
    simulator = controller.problem.declared.simulator
    template = d.TemplateFile(target="z88i1.txt", text=COLUMNS.replace("206000.", "@E@"), original=COLUMNS)
    controller.problem.edit("x", simulator=msgspec.structs.replace(simulator, templates=(template,)))
    told = page.inputs.templates.filled_notice.text()
    assert "@E@ pushes the rest of its line to the right." in told
    assert "Does the program read columns of a fixed width?" in told
    held = msgspec.structs.replace(controller.problem.declared.simulator, formats={"E": d.NumberFormat(digits=4, max_width=8)})
    controller.problem.edit("x", simulator=held)
    assert page.inputs.templates.filled_notice.text() == ""


@pytest.mark.parametrize("original", ["E = 206000. # of steel\nk = 40000. # of it\n", "E 206000.\n", "206000. 0.3\n4. 0.2\n",
                                      "  206000.,  0.3,  0.1\n  950000., -0.1,  0.2\n"])  # fmt: skip
def test_a_deck_that_is_in_no_columns_is_not_told_to_be(controller: SessionController, original: str) -> None:
    template = d.TemplateFile(target="z88i1.txt", text=original.replace("206000.", "@E@"), original=original)
    problem = controller.problem.declared
    simulator = msgspec.structs.replace(problem.simulator, templates=(template,))
    assert pushed_words(msgspec.structs.replace(problem, simulator=simulator), template) == ""


def test_every_digit_is_told_and_twelve_are_one_click_away(page: SimulatorPage, controller: SessionController) -> None:
    simulator = controller.problem.declared.simulator
    controller.problem.edit("as a problem file has it", simulator=msgspec.structs.replace(simulator, formats={}))
    part = page.inputs.uses_part
    assert part.every_notice.words().startswith("E: written with every digit, up to 24 characters.")
    part.every_notice.pressed.emit()
    assert controller.problem.declared.simulator.formats == {"E": d.NumberFormat(digits=12)}
    assert part.every_notice.words() == ""


def test_help_on_a_tab_is_that_of_the_tab_wherever_the_mouse_is(page: SimulatorPage) -> None:
    assert page_for(page.inputs.uses_part) == "inputs"
    assert page_for(page.tabs.findChild(QTabBar)) == "inputs"
    assert page_for(page) == "inputs"
