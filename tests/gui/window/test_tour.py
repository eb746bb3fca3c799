"""The first start: a tour walked by clicks to a converged answer, and the news after an update."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QRect, QSettings, Qt
from PySide6.QtGui import QFontMetrics, QKeySequence
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.gui.models.tour import BUDGET, KNOWN, STEPS, tour_problem
from bayescope.gui.style.theme import Choice, theme
from bayescope.gui.system.user_settings import settings
from bayescope.gui.widgets.bubble import Bubble
from bayescope.gui.window import greeting
from bayescope.gui.window.main_window import MainWindow
from bayescope.gui.window.tour import RUN
from bayescope.gui.window.workflow_bar import WorkflowBar

pytestmark = pytest.mark.window


@pytest.fixture
def window(
    make_controller: Callable, put_away: Callable[[list[MainWindow]], None], qtbot: QtBot
) -> Iterator[MainWindow]:
    made = [MainWindow(make_controller())]
    made[0].resize(1100, 720)
    made[0].show()
    made[0].go("welcome")
    yield made[0]
    made[0].close_reports()
    put_away(made)


def click(qtbot: QtBot, button: QPushButton) -> None:
    assert button.isVisible()
    assert button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def whole(bubble: Bubble) -> bool:
    """Nothing of the bubble is cut off: it lies in the window, and its words have the room that they need."""
    window = bubble.parentWidget()
    assert window is not None
    for found in bubble.findChildren(QLabel):
        needed = QFontMetrics(found.font()).boundingRect(
            QRect(0, 0, found.width(), 10_000), Qt.TextFlag.TextWordWrap, found.text()
        )
        if found.text() and needed.height() > found.height():
            return False
    buttons = [b for b in bubble.findChildren(QPushButton) if b.isVisible()]
    fits = all(b.width() >= b.minimumSizeHint().width() and bubble.rect().contains(b.geometry()) for b in buttons)
    return fits and window.rect().contains(bubble.geometry())


@pytest.fixture
def frame(qtbot: QtBot) -> Iterator[tuple[QMainWindow, WorkflowBar]]:
    """A window with the bar of steps and nothing else: what the bubbles point at."""
    made, bar = QMainWindow(), WorkflowBar()
    theme.dress(made)
    made.setMenuWidget(bar)
    made.resize(1024, 640)
    made.show()
    before = QApplication.font()
    yield made, bar
    QApplication.setFont(before)
    theme.choose("light")
    made.deleteLater()


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_no_bubble_is_cut_off_in_either_theme_at_any_scale(
    frame: tuple[QMainWindow, WorkflowBar], look: Choice, scale: float
) -> None:
    window, bar = frame
    theme.choose(look)
    larger = QApplication.font()
    larger.setPointSizeF(larger.pointSizeF() * scale)
    QApplication.setFont(larger)
    bubble = Bubble(window)
    for text in ("&End the tour", "&Back", "Start the &runs"):
        bubble.add_button(text)
    for step in STEPS:
        bubble.say(step.heading, step.words, "4 of 5")
        bubble.point_at(bar.buttons[step.page])
        QApplication.processEvents()
        assert whole(bubble), (step.page, look, scale)


def test_the_bubbles_point_at_the_steps_and_can_be_walked_back_and_left(window: MainWindow, qtbot: QtBot) -> None:
    window.take_tour()
    tour = window.tour
    assert tour is not None
    assert not tour.back_button.isVisible()
    click(qtbot, tour.next_button)
    assert (tour.at, window.current) == (1, "parameters")
    assert tour.bubble.count.text() == "2 of 5"
    click(qtbot, tour.back_button)
    assert (tour.at, window.current) == (0, "simulator")
    qtbot.keyClick(tour.bubble, Qt.Key.Key_Escape)
    assert tour.at is None
    assert not tour.bubble.isVisible()
    assert window.controller.problem.declared.name == "Tour: contamination source"


def test_while_the_runs_go_on_the_bubble_keeps_the_focus_and_next_has_it_when_they_end(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.take_tour()
    tour = window.tour
    assert tour is not None
    tour._show(RUN)
    strip = window.page("run").strip  # type: ignore[attr-defined]
    at = strip.mapTo(window, strip.rect().topLeft())
    assert not tour.bubble.geometry().intersects(QRect(at, strip.size())), "what is said of the runs stays in sight"
    assert window.focusWidget() is tour.next_button
    run = window.controller.run
    monkeypatch.setattr(type(run), "active", True)
    tour._refresh()
    assert window.focusWidget() is tour.bubble
    assert "Press" not in tour.bubble.words.text()
    monkeypatch.setattr(type(run), "active", False)
    tour._refresh()
    assert window.focusWidget() is tour.next_button


def test_the_tours_example_has_two_unknowns_and_a_small_budget() -> None:
    problem = tour_problem()
    assert {p.name for p in problem.parameters if p.fixed is None} == {"x0", "q0"}
    assert {p.name: p.fixed for p in problem.parameters if p.fixed is not None} == KNOWN
    assert problem.settings.max_evaluations == BUDGET


def test_the_first_start_offers_the_tour_once(window: MainWindow, qtbot: QtBot) -> None:
    kept: QSettings = settings()
    bubble = greeting.greet(window, kept)
    assert bubble is not None
    assert whole(bubble)
    click(qtbot, next(b for b in bubble.findChildren(QPushButton) if "tour" in b.text()))
    assert window.tour is not None
    assert window.tour.at == 0
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert greeting.greet(window, settings()) is None


def test_the_greeting_goes_with_the_page_that_it_stands_on_and_leaves_its_keys_alone(window: MainWindow, qtbot: QtBot) -> None:
    window.go("welcome")
    bubble = greeting.greet(window, settings())
    assert bubble is not None
    keys = [QKeySequence.mnemonic(b.text()).toString() for b in window.findChildren(QPushButton) if b.isVisible()]
    assert sorted(filter(None, keys)) == sorted(set(filter(None, keys))), "no Alt key twice"
    page: Any = window.page("welcome")
    page.new_button.click()
    assert window.current == "simulator"
    assert not bubble.isVisible(), "it would lie over the field for the program"


def test_who_has_analyses_already_is_not_asked_whether_it_is_the_first_time(window: MainWindow, tmp_path: Path) -> None:
    assert window.controller.file.adopt(tour_problem())
    assert window.controller.file.save_as(tmp_path / "mine.bayescope")
    assert greeting.greet(window, settings()) is None


def test_after_an_update_the_news_are_offered_once(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    kept = settings()
    kept.setValue(greeting.SEEN, "0.0.9")
    bubble = greeting.greet(window, kept)
    assert bubble is not None
    assert greeting.own_version() in bubble.heading.text()
    click(qtbot, next(b for b in bubble.findChildren(QPushButton) if "new" in b.text()))
    shown = [w for w in QApplication.topLevelWidgets() if w.windowTitle() == "Bayescope help" and w.isVisible()]
    assert [w.current for w in shown] == ["news"]  # type: ignore[attr-defined]
    assert greeting.greet(window, kept) is None


@pytest.mark.long
@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_tour_walked_by_clicks_ends_at_a_converged_answer(open_window: Callable, qtbot: QtBot, look: Choice) -> None:
    theme.choose(look)
    window, controller, _ = open_window()
    window.take_tour()
    tour = window.tour
    for at in range(3):
        assert (tour.at, whole(tour.bubble)) == (at, True)
        click(qtbot, tour.next_button)
    assert tour.next_button.text() == "Start the &runs"
    click(qtbot, tour.next_button)
    qtbot.waitUntil(lambda: controller.run.active, timeout=30_000)
    assert not tour.next_button.isEnabled()
    qtbot.waitUntil(lambda: not controller.run.active, timeout=600_000)
    assert len(controller.run.data.evaluations) < BUDGET
    assert controller.run.data.answer.trace.converged
    click(qtbot, tour.next_button)
    assert window.current == "results"
    assert whole(tour.bubble)
    click(qtbot, tour.next_button)
    assert tour.at is None
    theme.choose("light")
