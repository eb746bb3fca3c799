"""In a window of 960 x 600: every button shows its whole text, nothing lies over another, all can be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from page_views import each_view, name_of, narrow_buttons, overlaps, seen, settle
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.scrolling import VerticalScroll
from bayescope.gui.window.main_window import PAGES, MainWindow

pytestmark = pytest.mark.window
TABLE = "! a long table of the program\n" + "".join(f" {k}.000D+00  {10 + k}.250D+00\n" for k in range(30))


@pytest.fixture
def window(
    make_controller: Callable[[], SessionController],
    engines: list[Any],
    put_away: Callable[[list[MainWindow]], None],
    qtbot: QtBot,
) -> Iterator[MainWindow]:
    """960 x 600, with an analysis that has an input file and a test run behind it."""
    controller = make_controller()
    assert controller.file.open_example("contamination")
    template = d.TemplateFile(target="a rather long name of an input file.nml", text="&heat\n tau = 10.5\n dT = 3\n/\n")
    simulator = msgspec.structs.replace(controller.problem.declared.simulator, templates=(template,))
    assert controller.problem.edit("Add input file", simulator=simulator)
    made = [MainWindow(controller)]
    made[0].show()
    made[0].resize(960, 600)
    simulator_page: Any = made[0].page("simulator")
    simulator_page.panel.run()
    report = protocol.TrialRunReport(outcome="ok", stdout=TABLE, exit_code=0, duration_s=0.1)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    yield made[0]
    put_away(made)
    theme.choose("light")  # restyles no window any more


@pytest.mark.parametrize("look", ["light", "dark"])
def test_every_page_fits_the_smallest_window(window: MainWindow, look: str) -> None:
    theme.choose(look)  # type: ignore[arg-type]
    for key in PAGES:
        window.go(key)
        settle()
        page = window.page(key)
        for view in each_view(page):
            where = f"{key}, {view}"
            least = page.minimumSizeHint()
            assert least.width() <= page.width(), f"{where} needs {least.width()} pixels of {page.width()}"
            assert least.height() <= page.height(), f"{where} needs {least.height()} pixels of {page.height()}"
            assert narrow_buttons(page) == [], where
            assert overlaps(page) == [], where


def test_a_marked_number_can_be_added_in_the_smallest_window(window: MainWindow, qtbot: QtBot) -> None:
    window.go("simulator")
    page: Any = window.page("simulator")
    page.tabs.setCurrentWidget(page.outputs)
    settle()
    picker, before = page.outputs.picker, len(page.outputs.model.rows)
    cursor = picker.text.textCursor()
    cursor.setPosition(TABLE.index("12.250") + 2)
    picker.text.setTextCursor(cursor)
    qtbot.mouseClick(picker.text.viewport(), Qt.MouseButton.LeftButton, pos=picker.text.cursorRect().center())
    settle()
    assert picker.strip.isVisible()
    for part in (picker.ways, picker.reads, picker.name, picker.take):
        assert seen(part), name_of(part)
    assert overlaps(page) == []
    assert picker.text.viewport().rect().intersects(picker.text.cursorRect()), "the marked number stays in sight"
    qtbot.keyClicks(picker.name, "level")
    qtbot.mouseClick(picker.take, Qt.MouseButton.LeftButton)
    assert len(page.outputs.model.rows) == before + 1


def test_the_buttons_of_an_input_file_go_below_its_name_where_there_is_no_room(window: MainWindow) -> None:
    window.go("simulator")
    page: Any = window.page("simulator")
    page.tabs.setCurrentWidget(page.inputs)
    part = page.inputs.templates

    def top(widget: QWidget) -> int:
        return int(widget.mapTo(part, QPoint(0, 0)).y())

    settle()
    assert top(part.open_button) > top(part.target)
    window.resize(1700, 1000)
    settle()
    assert QRect(0, top(part.target), 1, part.target.height()).contains(0, top(part.open_button) + 8), "one row again"
    assert narrow_buttons(page) == []


@pytest.mark.parametrize("begun", [False, True], ids=["nothing entered", "an example"])
def test_what_each_step_asks_for_stands_whole_in_the_bar_at_1024_pixels(
    make_controller: Callable[[], SessionController], put_away: Callable[[list[MainWindow]], None], begun: bool
) -> None:
    controller = make_controller()
    assert not begun or controller.file.open_example("contamination")
    made = [MainWindow(controller)]
    made[0].show()
    made[0].resize(1024, 700)
    settle()
    for key, button in made[0].bar.buttons.items():
        assert button.width() < 200
        assert " ".join(button.shown_lines()), key
        assert "…" not in "".join(button.shown_lines()), key
    put_away(made)


def test_of_two_scrolling_parts_inside_each_other_one_scrolls(qtbot: QtBot) -> None:
    high, page, tall = QWidget(), QWidget(), QWidget()
    tall.setMinimumHeight(400)
    QVBoxLayout(high).addWidget(tall)
    inner = VerticalScroll(high, yields=True)
    box = QVBoxLayout(page)
    head = QWidget()
    head.setMinimumHeight(100)
    box.addWidget(head)
    box.addWidget(inner)
    outer = VerticalScroll(page)
    qtbot.addWidget(outer)
    outer.show()
    for height, scrolls in ((300, inner), (150, outer), (300, inner), (600, None)):
        outer.resize(300, height)
        settle()
        found = [area for area in (inner, outer) if area.verticalScrollBar().maximum() > 0]
        assert found == ([] if scrolls is None else [scrolls]), height
