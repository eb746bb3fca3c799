"""The live help pages: runs and Gaussians are dragged with a real mouse, buttons do what they say, in both themes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTextBrowser
from pytestqt.qtbot import QtBot

from bayescope.gui.dialogs.help_window import HelpWindow
from bayescope.gui.models.teaching import DENSITIES, KERNELS, truth
from bayescope.gui.plots.lesson_elbo import BOX, STEPS, ElboLesson
from bayescope.gui.plots.lesson_surrogate import AXIS, HEIGHT, MOST_RUNS, SurrogateLesson
from bayescope.gui.style.theme import theme
from bayescope.gui.window.lessons import offer_lessons

pytestmark = pytest.mark.window


def opened(qtbot: QtBot, page: str) -> Any:
    """The lesson of a help page in a shown help window."""
    offer_lessons()
    window = HelpWindow()
    qtbot.addWidget(window)
    window.resize(1024, 700)
    window.open_page(page)
    qtbot.waitExposed(window)
    QTest.qWait(50)
    kind = {"surrogate": SurrogateLesson, "elbo": ElboLesson}[page]
    found = window.findChild(kind)
    assert found is not None
    found.kept = window  # type: ignore[attr-defined]
    return found


def drag(lesson: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    """With the mouse, from one place of the plot to another, in its own units."""
    view, canvas = lesson._plot.getViewBox(), lesson.canvas
    at, to = (canvas.mapFromScene(view.mapViewToScene(QPointF(*p))) for p in (start, end))
    port = canvas.viewport()
    QTest.mouseMove(port, at)
    QTest.mousePress(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    for share in (0.25, 0.5, 0.75, 1.0):
        QTest.qWait(30)
        QTest.mouseMove(port, at + (to - at) * share)
    QTest.qWait(30)
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, to)
    QTest.qWait(30)


def test_a_run_is_dragged_and_the_surrogate_follows(qtbot: QtBot) -> None:
    lesson = opened(qtbot, "surrogate")
    x, y = lesson.runs[1]
    drag(lesson, (x, y), (x + 0.5, y - 3.0))
    moved = lesson.runs[1]
    assert moved == pytest.approx([x + 0.5, y - 3.0], abs=0.6)
    mean, sd = lesson.process.posterior(*lesson.runs.T, moved[:1])
    assert mean[0] == pytest.approx(moved[1], abs=1e-4)
    assert sd[0] < 0.01


def test_a_run_never_leaves_the_plot(qtbot: QtBot) -> None:
    lesson = opened(qtbot, "surrogate")
    item = lesson._handles.items[0]
    item.setPos(99.0, -99.0)
    assert lesson.runs[0] == pytest.approx([AXIS[-1], HEIGHT[0]])


def test_runs_are_added_where_they_help_until_the_surrogate_is_right_at_the_top(qtbot: QtBot) -> None:
    lesson = opened(qtbot, "surrogate")
    for _ in range(8):
        lesson.add.click()
    runs = lesson.runs
    assert len(runs) == 11
    assert np.allclose(runs[:, 1], truth(runs[:, 0]), atol=1e-9)
    good = AXIS[truth(AXIS) > truth(AXIS).max() - 2.0]
    mean, _ = lesson.process.posterior(*runs.T, good)
    assert np.abs(mean - truth(good)).max() < 0.3
    assert "11 runs" in lesson.words.text()
    for _ in range(MOST_RUNS):
        lesson.add.click()
    assert len(lesson.runs) == MOST_RUNS
    assert not lesson.add.isEnabled()
    lesson.again.click()
    assert len(lesson.runs) == 3
    assert lesson.add.isEnabled()


def test_every_kernel_length_and_noise_can_be_shown(qtbot: QtBot) -> None:
    lesson = opened(qtbot, "surrogate")
    for kernel in KERNELS:
        lesson.kernel.choose(kernel)
        for length in (0, lesson.length.maximum()):
            for noise in (0, lesson.noise.maximum()):
                lesson.length.setValue(length)
                lesson.noise.setValue(noise)
                assert "nan" not in lesson.words.text()
    lesson.fit.click()
    best = lesson.process.log_marginal(*lesson.runs.T)
    lesson.length.setValue(0)
    assert lesson.process.log_marginal(*lesson.runs.T) <= best


def test_a_gaussian_is_dragged_and_the_elbo_falls(qtbot: QtBot) -> None:
    lesson = opened(qtbot, "elbo")
    before, start = lesson.elbo, lesson.mix.means[0].copy()
    drag(lesson, tuple(start), (-2.5, -2.5))
    assert lesson.mix.means[0] == pytest.approx([-2.5, -2.5], abs=0.4)
    assert lesson.elbo < before - 1.0
    assert len(lesson.trace) >= 2
    assert np.abs(lesson.mix.means).max() <= BOX


def test_steps_raise_the_elbo_and_a_fit_ends_by_itself_or_when_it_is_stopped(qtbot: QtBot) -> None:
    lesson = opened(qtbot, "elbo")
    for name in DENSITIES:
        lesson.density.choose(name)
        first = lesson.elbo
        for _ in range(8):
            lesson.step.click()
        assert lesson.elbo > first
        assert len(lesson.trace) == 9
    lesson.density.choose("slanted")
    lesson.count.setValue(1)
    lesson.fit.click()
    assert lesson.fit.text() == "S&top"
    qtbot.waitUntil(lambda: not lesson._timer.isActive(), timeout=30_000)
    assert lesson.elbo == pytest.approx(0.0, abs=0.02)
    assert len(lesson.trace) <= STEPS + 1
    lesson.fit.click()
    lesson.fit.click()
    assert lesson.fit.text() == "&Fit"


def test_what_moves_stops_when_another_page_is_opened_and_a_theme_changes_nothing_but_colours(qtbot: QtBot) -> None:
    lesson = opened(qtbot, "elbo")
    lesson.fit.click()
    lesson.kept.open_page("glossary")
    assert not lesson._timer.isActive()
    assert not lesson.isVisible()
    lesson.kept.open_page("elbo")
    assert lesson.isVisible()
    before = list(lesson.trace)
    for choice in ("dark", "light"):
        theme.choose(choice)  # type: ignore[arg-type]
    assert lesson.trace == before
    text = lesson.kept.findChild(QTextBrowser)
    assert text.isVisible()
    assert text.height() > 150
