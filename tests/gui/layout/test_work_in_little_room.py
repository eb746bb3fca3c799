"""What is asked, answered or marked comes into sight in a window of 1024 x 700, and on a 1440 x 900 screen at 200 %."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from marked_texts import click, echoing, ran
from page_views import AT_200_PERCENT, in_sight, settle
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.step_status import _EMPTY
from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.window.main_window import LEAST, MainWindow

pytestmark = pytest.mark.window
LEFT = Qt.MouseButton.LeftButton
DECK = "* Input filter of the receiver, board 7, as it was measured\n" + "".join(f"R{k} {k} 0 {k}.5k\n" for k in range(1, 13))
BODE = "#Freq       vdb(3)     vp(3)      v(4)\n" + "".join(
    f" {f}   -0.0916{k}  -0.2{k}    0.0205{k}\n" for k, f in enumerate(("100.", "891.25", "1.K   ", "1.122K"))
)
LEAST_LINES = 4  # of a text in which numbers are marked


@pytest.fixture
def window(
    make_controller: Callable[[], SessionController], put_away: Callable[[list[MainWindow]], None], engines: list[Any]
) -> Iterator[MainWindow]:
    """On the Simulator page, with a program of one parameter and an input file."""
    controller = echoing(make_controller())
    template = d.TemplateFile(target="filter.ckt", text=DECK)
    simulator = d.Simulator(command=("sh", "-c", "echo @k@"), templates=(template,))
    assert controller.problem.edit("Add input file", simulator=simulator)
    made = [MainWindow(controller)]
    made[0].resize(*AT_200_PERCENT)
    made[0].show()
    made[0].go("simulator")
    settle()
    yield made[0]
    put_away(made)


def whole(widget: QWidget) -> bool:
    return bool(in_sight(widget).size() == widget.size())


def test_how_a_test_run_went_is_in_sight_and_its_button_leads_to_the_text(
    window: MainWindow, engines: list[Any], qtbot: QtBot
) -> None:
    page: Any = window.page("simulator")
    page.tabs.setCurrentWidget(page.inputs)
    settle()
    page.panel.run_button.click()
    ran(engines, 1.0, BODE)
    qtbot.waitUntil(lambda: whole(page.panel.message))
    qtbot.mouseClick(page.panel.message._button, LEFT)
    qtbot.waitUntil(lambda: whole(page.outputs.picker.text))
    assert window.focusWidget() is page.outputs.picker.text, "the keyboard is where the numbers are"


def test_a_run_that_nobody_pressed_for_moves_nothing(window: MainWindow, engines: list[Any], qtbot: QtBot) -> None:
    page: Any = window.page("simulator")
    page.panel.run_button.click()
    ran(engines, 1.0, BODE)
    qtbot.waitUntil(lambda: whole(page.panel.message))
    page.tabs.setCurrentWidget(page.outputs)
    page.outputs.picker.text.setFocus()
    settle()
    area: Any = page.parentWidget().parentWidget()
    area.verticalScrollBar().setValue(0)
    page.outputs.check_button.click()
    ran(engines, 1.2, BODE)
    settle()
    assert area.verticalScrollBar().value() == 0


@pytest.mark.parametrize("state", ["read", "a number is marked", "it is a parameter"])
def test_some_lines_of_an_input_file_are_seen_at_once(window: MainWindow, state: str) -> None:
    page: Any = window.page("simulator")
    page.tabs.setCurrentWidget(page.inputs)
    part = page.inputs.templates
    if state != "read":
        assert part.maker.offer(DECK, DECK.index("3.5k"), DECK.index("3.5k") + 3)
        settle()
    if state == "it is a parameter":
        part.maker.accept()
    settle()
    for width in (AT_200_PERCENT[0], LEAST[0]):
        window.resize(width, AT_200_PERCENT[1])
        settle()
        deck_is_whole(page, part)


def deck_is_whole(page: Any, part: Any) -> None:
    first, last = part.editor.lines_seen()
    assert last - first + 1 >= LEAST_LINES
    assert page.tabs.rect().contains(QRect(part.deck.mapTo(page.tabs, QPoint(0, 0)), part.deck.size())), "its frame is whole"
    hint = part.deck.uses.findChild(ElidedLabel)
    assert hint is not None
    assert "…" not in hint.shown


def test_marking_a_number_makes_no_part_wider(window: MainWindow) -> None:
    window.resize(1024, 700)
    page: Any = window.page("simulator")
    page.tabs.setCurrentWidget(page.inputs)
    settle()
    before = page.panel.mapTo(window, page.panel.rect().topLeft())
    assert page.inputs.templates.maker.offer(DECK, DECK.index("12.5k"), DECK.index("12.5k") + 4)
    settle()
    assert page.panel.mapTo(window, page.panel.rect().topLeft()) == before


def test_a_file_that_the_command_names_is_asked_about_in_sight(window: MainWindow, qtbot: QtBot) -> None:
    page: Any = window.page("simulator")
    program = page.program
    assert page.problem.edit("Choose program", simulator=d.Simulator(command=("cat", "@k@")))
    page.tabs.setCurrentWidget(program)
    settle()
    program.arguments.setFocus()
    program.arguments.clear()
    qtbot.keyClicks(program.arguments, "-b circuit.cir")
    qtbot.keyClick(program.arguments, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: program.loose.isVisible() and whole(program.loose))
    assert window.focusWidget() is program.arguments, "typing goes on where it was"


@pytest.mark.parametrize("scope", ["column", "table"])
def test_letters_for_powers_of_ten_and_the_check_are_said_uncut_at_1024_pixels(
    window: MainWindow, engines: list[Any], scope: str
) -> None:
    window.resize(1024, 700)
    page: Any = window.page("simulator")
    page.tabs.setCurrentWidget(page.outputs)
    page.panel.run_button.click()
    ran(engines, 1.0, BODE)
    page.outputs.check_button.click()
    ran(engines, 1.2, BODE.replace("-0.0916", "-0.0851").replace("-0.2", "-0.3"))
    picker = page.outputs.picker
    click(picker, "vdb(3)")
    picker.strip.scopes[scope].click()
    settle()
    assert "…" not in picker.strip.check.shown.strip(), picker.strip.check.shown
    assert picker.strip.check.shown
    if scope == "table":
        assert "“1.K” is 1000" in picker.reads.shown
    else:
        assert picker.reads.shown.startswith("Reads 4 numbers: ")


def test_what_the_locked_steps_wait_for_is_whole_at_200_percent(
    make_controller: Callable[[], SessionController], put_away: Callable[[list[MainWindow]], None]
) -> None:
    made = [MainWindow(make_controller())]
    made[0].resize(*AT_200_PERCENT)
    made[0].show()
    settle()
    shown = {key: " ".join(button.shown_lines()) for key, button in made[0].bar.buttons.items()}
    put_away(made)
    assert set(shown) == set(_EMPTY)
    assert not [words for words in shown.values() if "…" in words or not words]
