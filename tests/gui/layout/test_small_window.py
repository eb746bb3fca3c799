"""In a window of 960 x 600: every button shows its whole text, nothing lies over another, all can be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTableView,
    QTabWidget,
    QToolButton,
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
SHOWN = (QPushButton, QToolButton, QLabel, QLineEdit, QComboBox, QPlainTextEdit, QTableView)
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


def settle() -> None:
    for _ in range(4):
        QApplication.processEvents()


def each_view(page: QWidget) -> Iterator[str]:
    """Show every tab of every visible tab widget in turn, those inside others too."""
    yield "as it opens"
    done: set[int] = set()
    while waiting := [t for t in page.findChildren(QTabWidget) if t.isVisible() and id(t) not in done]:
        tabs = waiting[0]
        done.add(id(tabs))
        for k in range(tabs.count()):
            tabs.setCurrentIndex(k)
            settle()
            yield tabs.tabText(k)
            for inner in tabs.currentWidget().findChildren(QTabWidget):
                if inner.isVisible() and id(inner) not in done:
                    done.add(id(inner))
                    for i in range(inner.count()):
                        inner.setCurrentIndex(i)
                        settle()
                        yield f"{tabs.tabText(k)}, {inner.tabText(i)}"


def narrow_buttons(page: QWidget) -> list[str]:
    """Buttons that are smaller than their text needs, or than their row is high."""
    buttons = [b for kind in (QPushButton, QToolButton) for b in page.findChildren(kind) if b.isVisible() and b.text()]
    return [b.text() for b in buttons if b.width() < b.sizeHint().width() or b.height() < b.sizeHint().height() - 1]


def overlaps(page: QWidget) -> list[str]:
    """Pairs of controls in one part of the page that lie over each other."""
    found = []
    for part in [page, *page.findChildren(QWidget)]:
        if not part.isVisible() or part.layout() is None:
            continue
        inside = [c for c in part.children() if isinstance(c, SHOWN) and c.isVisible()]
        for a, b in combinations(inside, 2):
            common = a.geometry() & b.geometry()
            if common.width() > 1 and common.height() > 1:
                found.append(f"{name_of(a)} / {name_of(b)}")
    return found


def name_of(widget: QWidget) -> str:
    text = getattr(widget, "text", None)
    return f"{type(widget).__name__} {widget.accessibleName() or (text() if callable(text) else '')!r}"


def seen(widget: QWidget) -> bool:
    """Whether all of a widget is inside the visible part of the areas and the window it lies in."""
    return bool(widget.visibleRegion().boundingRect() == widget.rect())


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
