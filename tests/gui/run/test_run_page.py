"""The run page on recorded messages: what each part shows, and that it shows nothing wrong before there is something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QApplication, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.answer.words import ENDS_AFTER, FEWEST_LEFT
from bayescope.gui.analysis.countdown import Remaining
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.run.page import RunPage
from bayescope.gui.pages.run.strip_words import LATER, remaining_words
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.notices import Notice

pytestmark = pytest.mark.window


@dataclass
class Setting:
    controller: SessionController
    page: RunPage
    engine: Any
    center: np.ndarray
    run: Callable[[int], None]  # feed so many finished runs, every seventh failed
    answer: Callable[[int], None]  # feed the answer of an iteration


@pytest.fixture
def setting(
    make_controller: Callable,
    engines: list,
    evaluation_done: Callable,
    snapshot_ready: Callable,
    qtbot: QtBot,
    request: Any,
) -> Any:
    controller: SessionController = make_controller()
    assert controller.file.open_example("contamination")
    page = RunPage(controller)
    page.resize(1200, 640)
    page.show()
    assert controller.run.start()
    engine = engines[-1]
    engine.message.emit(protocol.StateChanged(state="running"))
    space = controller.problem.space
    assert space is not None
    center = np.mean(space.plausible_box(), axis=0)
    rng = np.random.default_rng(0)

    def run(n: int) -> None:
        first = len(controller.run.data.evaluations)
        for k in range(first, first + n):
            values = space.values(center + 0.3 * rng.normal(size=space.dimension))
            bad = k % 7 == 3
            engine.message.emit(evaluation_done(k, values, None if bad else -5.0 - 0.1 * k, "It broke." if bad else ""))

    def answer(k: int) -> None:
        engine.message.emit(snapshot_ready(k, len(controller.run.data.evaluations), center, warm_up=k < 2))

    yield Setting(controller, page, engine, center, run, answer)
    page.release()
    page.hide()
    page.deleteLater()
    request.node.funcargs.pop("setting", None)


def curve(setting: Setting, k: int = 0) -> np.ndarray:
    drawn = setting.page.view("overview").marginals.cells[k].item.curve
    return np.empty((0, 2)) if drawn is None else np.stack([drawn.x, drawn.density], axis=1)


def test_before_the_first_answer_every_plot_says_why_it_is_empty(setting: Setting, qtbot: QtBot) -> None:
    overview = setting.page.view("overview")
    assert "first answer" in overview.elbo.empty_words
    assert "as soon as there are runs" in overview.points.empty_words
    assert len(curve(setting)) == 0
    assert len(overview.marginals.cells[0].item.prior_x) > 50, "the prior is there from the start"
    assert "first runs" in setting.page.strip.reason.text()
    for key in ("surrogate", "predictions"):
        setting.page.show_view(key)
        assert setting.page.view(key).plot.empty_words


def test_curves_are_the_mixture_in_the_users_units(setting: Setting, qtbot: QtBot) -> None:
    setting.run(8)
    setting.answer(0)
    qtbot.waitUntil(lambda: len(curve(setting)) > 50, timeout=10_000)
    posterior = setting.controller.run.posterior()
    assert posterior is not None
    x, density = posterior.marginal(0)
    drawn = curve(setting)
    np.testing.assert_allclose(drawn[:, 1], density, rtol=1e-6)
    np.testing.assert_allclose(drawn[:, 0], x, rtol=1e-6)
    area = np.trapezoid(drawn[:, 1], drawn[:, 0])
    assert area == pytest.approx(1.0, abs=0.02), "a density in the user's units has area one"


def test_a_first_sketch_has_neither_numbers_nor_an_interval_and_says_that_it_will_move(setting: Setting, qtbot: QtBot) -> None:
    setting.run(8)
    plot = setting.page.view("overview").marginals
    for k, sketch in ((0, True), (2, False)):
        setting.answer(k)
        qtbot.waitUntil(lambda k=k: plot.curves is not None and plot.curves.iteration == k, timeout=10_000)
        assert [cell.item.sketch for cell in plot.cells] == [sketch] * len(plot.cells)
        assert [bool(cell.item.words) for cell in plot.cells] == [not sketch] * len(plot.cells)
        assert ("first sketch" in plot._hint.text()) == sketch


def test_curves_come_while_answers_arrive_faster_than_they_are_computed(setting: Setting, qtbot: QtBot) -> None:
    setting.run(8)
    setting.page.show_view("pairs")
    drawn: list[int] = []
    setting.page.reader.ready.connect(lambda curves: drawn.append(curves.iteration))
    for k in range(40):
        setting.answer(k)
        setting.page._redraw(force=True)
        qtbot.wait(20)
    assert drawn, "what was begun is finished, however many answers come meanwhile"
    qtbot.waitUntil(lambda: bool(drawn) and drawn[-1] == 39, timeout=10_000)
    assert drawn == sorted(drawn)
    assert len(drawn) == len(set(drawn))


def test_the_posterior_is_painted_in_its_colour(setting: Setting, qtbot: QtBot) -> None:
    setting.run(8)
    setting.answer(0)
    qtbot.waitUntil(lambda: len(curve(setting)) > 50, timeout=10_000)
    qtbot.wait(100)
    canvas = setting.page.view("overview").marginals._canvas
    image = canvas.grab().toImage()
    cell = setting.page.view("overview").marginals.cells[0]
    top = curve(setting)[curve(setting)[:, 1].argmax()]
    at = canvas.mapFromScene(cell.plot.getViewBox().mapViewToScene(QPointF(*top)))
    near = [image.pixelColor(at.x() + dx, at.y() + dy) for dx in range(-2, 3) for dy in range(-2, 3)]
    wanted = QColor(theme.colours.posterior)
    assert min(abs(c.red() - wanted.red()) + abs(c.blue() - wanted.blue()) for c in near) < 60


def test_failed_runs_have_their_own_mark(setting: Setting, qtbot: QtBot) -> None:
    setting.run(20)
    points = setting.page.view("overview").points
    qtbot.waitUntil(lambda: len(points.points.data) + len(points.failures.data) == 20, timeout=5000)
    assert len(points.failures.data) == 3
    assert points.failures.opts["symbol"] == "x"


def test_runs_whose_values_the_answer_doubts_are_ringed_and_their_tip_says_why(setting: Setting, qtbot: QtBot) -> None:
    setting.run(12)
    points = setting.page.view("overview").points
    qtbot.waitUntil(lambda: len(points.points.data) >= 10, timeout=5000)
    points.show_doubted([5, 7])
    theta = setting.controller.run.data.theta.view()
    assert sorted(points.doubts.data["x"]) == pytest.approx(sorted([theta[5][0], theta[7][0]]))
    points._on_move(points.plot.getViewBox().mapViewToScene(QPointF(theta[5][0], theta[5][1])))
    assert "further off the others than its noise explains" in points.tip.text()
    points.show_doubted([])
    assert len(points.doubts.data) == 0


def test_hovering_a_point_shows_its_run_and_a_click_opens_it_in_the_table(setting: Setting, qtbot: QtBot) -> None:
    setting.run(12)
    points = setting.page.view("overview").points
    qtbot.waitUntil(lambda: len(points.points.data) >= 10, timeout=5000)
    theta = setting.controller.run.data.theta.view()[5]
    scene = points.plot.getViewBox().mapViewToScene(QPointF(theta[0], theta[1]))
    points._on_move(scene)
    assert points.tip.isVisible()
    assert points.tip.text().startswith("run 5")
    assert points.tip.window().rect().contains(points.tip.geometry()), "the box is not cut"
    points._canvas.left.emit()
    assert not points.tip.isVisible(), "nothing stays when the mouse has gone"
    points.point_clicked.emit(3)
    assert setting.page.current_view is setting.page.view("runs")
    assert setting.page.view("runs").table.details.head.text() == "Run 3: failed"
    assert "It broke." in setting.page.view("runs").table.details.words.text()


def test_a_zoom_stays_while_answers_come_until_it_is_reset(setting: Setting, qtbot: QtBot) -> None:
    setting.run(12)
    setting.answer(0)
    overview = setting.page.view("overview")
    qtbot.waitUntil(lambda: len(curve(setting)) > 50, timeout=10_000)
    setting.page.show_view("surrogate")
    slices = setting.page.view("surrogate").plot.slices
    setting.page.show_view("overview")
    cell, points = overview.marginals.cells[0], overview.points
    places = [(cell.plot, "x"), (points.plot, "both"), (overview.elbo.plot, "both"), (slices[0].plot, "both")]
    for plot, _ in places:
        plot.getViewBox().scaleBy((0.2, 0.2))
        plot.getViewBox().sigRangeChangedManually.emit(plot.getViewBox().state["mouseEnabled"])
    zoomed = [plot.viewRange()[0] for plot, _ in places]
    setting.run(6)
    setting.answer(1)
    qtbot.waitUntil(lambda: len(points.points.data) + len(points.failures.data) == 18, timeout=5000)
    qtbot.waitUntil(lambda: overview.marginals.curves.iteration == 1, timeout=10_000)
    setting.page.show_view("surrogate")
    for (plot, _), x_range in zip(places, zoomed, strict=True):
        np.testing.assert_allclose(plot.viewRange()[0], x_range, rtol=1e-6)
    for panel in (overview.marginals, points, overview.elbo, setting.page.view("surrogate").plot):
        panel.reset()
    for (plot, _), x_range in zip(places, zoomed, strict=True):
        low, high = plot.viewRange()[0]
        assert high - low > 2 * (x_range[1] - x_range[0]), "reset shows everything again"


def test_the_trace_shows_all_answers_and_marks_the_warm_up(setting: Setting, qtbot: QtBot) -> None:
    for k in range(5):
        setting.run(4)
        setting.answer(k)
    elbo = setting.page.view("overview").elbo
    qtbot.waitUntil(lambda: len(elbo.trace) == 5, timeout=5000)
    np.testing.assert_allclose(elbo.line.getData()[0], [4, 8, 12, 16, 20])
    assert elbo.warm_up.isVisible()
    assert elbo.band.polygon().count() == 10


def test_the_pairs_are_one_widget_with_every_run_in_every_pair(setting: Setting, qtbot: QtBot) -> None:
    setting.run(30)
    setting.answer(0)
    setting.page.show_view("pairs")
    widget = setting.page.view("pairs").plot.widget
    qtbot.waitUntil(lambda: widget._shown is not None and widget._shown.wanted.curves is not None, timeout=15_000)
    theta = setting.controller.run.data.theta.view()
    at = widget._cells.place(2, 1, widget._ranges, theta[0, 1], theta[0, 2])
    assert at is not None
    found = widget.nearest(at)
    assert found is not None
    np.testing.assert_allclose(theta[found, [1, 2]], theta[0, [1, 2]], rtol=0.2)
    qtbot.mouseMove(widget, at.toPoint())
    widget.mouseDoubleClickEvent  # noqa: B018 - it exists
    widget.pair_opened.emit(1, 2)
    assert setting.page.current_view is setting.page.view("points")
    assert setting.page.view("points").plot._x.currentIndex() == 1


def test_the_strip_tells_state_budget_failures_and_remaining_time(setting: Setting, qtbot: QtBot) -> None:
    setting.run(10)
    setting.answer(3)
    progress = protocol.Progress(
        evaluations=10,
        failed=1,
        budget=140,
        running=2,
        elapsed_s=65.0,
        remaining_s=(120.0, 300.0),
        activity="Exploring",
    )
    setting.engine.message.emit(protocol.EvaluationStarted(index=10, values={}))
    setting.engine.message.emit(progress)
    strip = setting.page.strip
    qtbot.waitUntil(lambda: strip.runs.value.text() == "10 of 140", timeout=5000)
    qtbot.waitUntil(lambda: strip.remaining.value.text() == "up to 5 min", timeout=5000)
    assert strip.failed.value.text() == "1"
    assert strip.elapsed.value.text().startswith("1 min 0")
    assert "Exploring" in strip.activity.whole
    assert "1 simulator run under way" in strip.activity.whole
    assert strip.verdict.text() == "Not converged yet"
    assert "posterior still changes" in strip.reason.text()
    assert not strip.start.isVisible()
    assert strip.pause.isVisible()


@pytest.mark.parametrize(
    ("whole", "said"), [((840.0, 1200.0), "soon – 20 min"), ((84_000.0, 120_000.0), "58 min – 33 h")]
)
def test_while_the_answer_is_being_checked_what_remains_begins_with_soon(
    setting: Setting, whole: tuple[float, float], said: str
) -> None:
    setting.run(20)
    setting.answer(3)
    run = setting.controller.run
    answer = run.data.answer
    assert answer is not None
    assert remaining_words(run, Remaining(whole, 120))[1] == "", "nothing is known of its end"
    run.data.answer = replace(answer, diagnostics={**answer.diagnostics, ENDS_AFTER: 5.0})
    shown, near = remaining_words(run, Remaining(whole, 120))
    assert shown == said
    assert near == "The figures asked for are met: it may end as soon as 5 more runs confirm the answer"
    assert remaining_words(run, Remaining(whole, 5))[0].startswith("up to"), "all that are allowed are needed"


@pytest.mark.parametrize(
    ("whole", "said"),
    [((1800.0, 2700.0), "3 – 45 min"), ((84_000.0, 120_000.0), "2 – 33 h"), ((120.0, 300.0), "up to 5 min")],
)
def test_before_the_figures_are_met_what_remains_begins_with_the_fewest_runs_it_takes(
    setting: Setting, whole: tuple[float, float], said: str
) -> None:
    setting.run(20)
    setting.answer(3)
    run = setting.controller.run
    answer = run.data.answer
    assert answer is not None
    run.data.answer = replace(answer, diagnostics={**answer.diagnostics, FEWEST_LEFT: 12.0})
    shown, why = remaining_words(run, Remaining(whole, 120))
    assert shown == said
    assert ("12 more runs" in why) is ("–" in said)
    assert remaining_words(run, Remaining(whole, 12))[0].startswith("up to")


def test_what_remains_counts_down_between_arrivals_and_says_when_it_is_later_than_thought(setting: Setting) -> None:
    setting.run(20)
    run, whole = setting.controller.run, (1000.0, 1200.0)  # ten runs, two at a time: 120 s a run at most
    said = [remaining_words(run, Remaining(whole, 10, 2, since)) for since in (0.0, 100.0, 239.0, 250.0)]
    assert [words for words, _ in said] == ["up to 20 min", "up to 18 min", "up to 16 min", "over 16 min"]
    assert "nothing has come back for 4 min 10 s" in said[-1][1]
    assert remaining_words(run, Remaining(whole, 10, 10, 5000.0))[0] == LATER


def test_the_slider_goes_back_and_the_newest_button_follows_again(setting: Setting, qtbot: QtBot) -> None:
    for k in range(4):
        setting.run(4)
        setting.answer(k)
    scrubber = setting.page.scrubber
    qtbot.waitUntil(lambda: scrubber.slider.maximum() == 3, timeout=5000)
    scrubber.slider.setValue(1)
    assert scrubber.iteration == 1
    assert setting.page.view("overview").elbo.marker.isVisible()
    setting.run(4)
    setting.answer(4)
    qtbot.waitUntil(lambda: scrubber.slider.maximum() == 4, timeout=5000)
    assert scrubber.iteration == 1, "a look back is not disturbed by new answers"
    qtbot.mouseClick(scrubber.newest, Qt.MouseButton.LeftButton)
    assert scrubber.iteration is None
    assert scrubber.slider.value() == 4


def test_a_look_back_rewinds_every_view_and_says_what_is_not_kept(
    setting: Setting, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, controller = setting.page, setting.controller
    for k in range(4):
        setting.run(5)
        setting.answer(k)
    qtbot.waitUntil(lambda: len(page.view("overview").points.points.data) == 17, timeout=5000)
    old = controller.run.data.answer
    assert old is not None
    stored = replace(old, trace=controller.run.data.trace[1], slices={}, preferred="draws", means=old.means + 0.1)
    monkeypatch.setattr(controller.run.stored, "past_answer", lambda k: stored)
    newest = curve(setting)
    page.scrubber.slider.setValue(1)
    qtbot.waitUntil(lambda: page.on_show[1] is stored, timeout=5000)
    qtbot.waitUntil(lambda: not np.array_equal(curve(setting)[:20], newest[:20]), timeout=5000)
    points = page.view("overview").points
    assert len(points.points.data) + len(points.failures.data) == 10, "only runs known then"
    assert page.view("overview").elbo.veil.isVisible()
    assert "answer 1 of 3" in page.looking_back.words()
    assert "10 runs" in page.looking_back.words()
    assert "draws are not kept" in page.looking_back.suggestion()
    page.show_view("runs")
    table = page.view("runs").table
    assert table.model.rowCount() == 10
    assert table.count.text().startswith("10 runs")
    setting.run(5)
    page._redraw(force=True)
    assert table.model.rowCount() == 10, "a look back is not disturbed by new runs"
    page.show_run(4)
    assert table.details.head.text().startswith("Run 4")
    page.show_view("points")
    assert len(page.view("points").plot._at) == 10
    page.show_view("surrogate")
    assert "not kept" in page.view("surrogate").plot._hint.text()
    assert page.view("surrogate").plot.title == "Posterior mixture through its peak"
    assert not page.view("surrogate").plot.empty_words
    page.show_view("pairs")
    widget = page.view("pairs").plot.widget
    assert len(widget._data.evaluations) == 10
    page.looking_back.pressed.emit()
    assert page.on_show == (controller.run.data, controller.run.data.answer)
    assert not page.looking_back.isVisible()
    page.show_view("runs")
    assert table.model.rowCount() == 25
    page.show_view("surrogate")
    assert page.view("surrogate").plot.title.startswith("Surrogate"), "the newest answer has its slices"


def test_long_reasons_and_a_look_back_leave_the_plots_where_and_as_high_as_they_are(
    setting: Setting, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, controller = setting.page, setting.controller
    page.resize(960, 486)  # what a screen of 1440 x 900 at 150 % leaves for it

    def plots() -> tuple[int, int, int]:
        page._redraw(force=True)
        page.strip.refresh()
        QApplication.processEvents()
        return page.tabs.y(), page.tabs.height(), page.scrubber.slider.width()

    setting.run(8)
    setting.answer(2)
    setting.answer(3)
    qtbot.waitUntil(lambda: page.scrubber.slider.maximum() == 1, timeout=5000)
    before = plots()
    assert before[1] >= 300
    long = "The posterior lies at the edge of the region explored so far, and it may go on beyond it. " * 6
    controller.run.data.trace[-1] = replace(controller.run.data.trace[-1], reasons=(long,) * 5)
    assert plots() == before
    assert page.strip.reason.text() == long
    assert page.strip.reason.shown != page.strip.reason.whole, "cut at the end of a sentence"
    assert page.strip.why.isVisible()
    stored = replace(controller.run.data.answer, trace=controller.run.data.trace[0])
    monkeypatch.setattr(controller.run.stored, "past_answer", lambda k: stored)
    page.scrubber.slider.setValue(0)
    qtbot.waitUntil(lambda: page.on_show[1] is stored, timeout=5000)
    assert page.looking_back.isVisible()
    assert plots() == before


def test_another_file_with_the_same_parameters_ends_a_look_back(
    setting: Setting, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, controller = setting.page, setting.controller
    for k in range(3):
        setting.run(4)
        setting.answer(k)
    stored = replace(controller.run.data.answer, trace=controller.run.data.trace[0])
    monkeypatch.setattr(controller.run.stored, "past_answer", lambda k: stored)
    qtbot.waitUntil(lambda: page.scrubber.slider.maximum() == 2, timeout=5000)
    page.scrubber.slider.setValue(0)
    qtbot.waitUntil(lambda: page.on_show[1] is stored, timeout=5000)
    setting.engine.message.emit(protocol.StateChanged(state="stopped"))
    assert controller.file.duplicate()
    qtbot.waitUntil(lambda: page._owner is controller.run.data, timeout=5000)
    assert page.on_show == (controller.run.data, None)
    assert not page.looking_back.isVisible()
    assert len(curve(setting)) == 0


def test_the_theme_changes_existing_plots(setting: Setting, qtbot: QtBot) -> None:
    setting.run(8)
    setting.answer(0)
    for key in ("pairs", "points", "predictions", "surrogate", "runs", "overview"):
        setting.page.show_view(key)
    before = theme.choice
    try:
        theme.choose("dark")
        canvas = setting.page.view("overview").elbo._canvas
        assert canvas.backgroundBrush().color() == QColor(theme.colours.plot_background)
        assert setting.page.view("overview").marginals.cells[0].item.curve_pen.color() == QColor(
            theme.colours.posterior
        )
    finally:
        theme.choose(before)


def test_every_control_can_be_reached_by_keyboard_and_has_a_name(setting: Setting, qtbot: QtBot) -> None:
    setting.run(8)
    setting.answer(0)
    for key in ("pairs", "points", "predictions", "surrogate", "runs", "overview"):
        setting.page.show_view(key)
    for kind in (QAbstractButton, QComboBox, QLineEdit, QAbstractSlider):
        for control in setting.page.findChildren(kind):
            inner = control.objectName().startswith("qt_") or control.parent().metaObject().className() in (
                "QTableView", "QScrollArea", "QComboBoxPrivateContainer", "QHeaderView", "QTabBar", "QPlainTextEdit", "QLineEdit",
                "QComboBoxListView", "PlotItem",
            )  # fmt: skip
            if inner or control.metaObject().className() == "QScrollBar" or control.window() is not setting.page:
                continue
            if isinstance(control.parent(), Notice) and control.isHidden():
                continue  # a note that has nothing to offer now
            name = control.accessibleName() or getattr(control, "text", str)() or control.toolTip()
            assert name, (
                f"{control.metaObject().className()} in {control.parent().metaObject().className()} has no name"
            )
            assert control.focusPolicy() & Qt.FocusPolicy.TabFocus, f"{name} cannot be reached by keyboard"


def test_messages_of_every_kind_before_start_do_no_harm(make_controller: Callable, qtbot: QtBot) -> None:
    controller: SessionController = make_controller()
    page = RunPage(controller)
    page.show()
    assert page.status()[0] == "locked"
    assert not page.strip.start.isEnabled()
    assert "Not ready to start" in page.strip.activity.whole
    for key in ("overview", "pairs", "points", "predictions", "surrogate", "runs"):
        page.show_view(key)
    page.release()
    page.hide()
    page.deleteLater()


def test_the_pairs_count_the_runs_outside_and_show_them_on_demand(setting: Setting, qtbot: QtBot) -> None:
    setting.run(12)
    space = setting.controller.problem.space
    assert space is not None
    far = space.values(np.max(space.plausible_box(), axis=0) + 0.2)
    setting.engine.message.emit(
        protocol.EvaluationDone(
            index=50, values=far, outcome="ok", log_joint=-90.0, log_likelihood=-90.0, noise_sd=0.0, duration_s=0.1,
            started_at=1.8e9,
        )
    )  # fmt: skip
    setting.answer(0)
    setting.page.show_view("pairs")
    plot = setting.page.view("pairs").plot
    qtbot.waitUntil(lambda: "run" in plot._outside.text() and "of 13" in plot._outside.text(), timeout=15_000)
    assert plot.widget.outside[0] >= 1
    qtbot.mouseClick(plot._all, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: plot.widget.outside == (0, 13), timeout=15_000)
    assert plot._outside.text() == ""
    qtbot.mouseClick(plot._all, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: plot.widget.outside[0] >= 1, timeout=15_000)


def test_every_parameter_has_its_column_after_another_analysis_was_shown(setting: Setting, qtbot: QtBot) -> None:
    from bayescope.gui.analysis.run_data import RunData
    from bayescope.gui.pages.run.table import RunTable

    table = RunTable()
    qtbot.addWidget(table)
    table.refresh(RunData(), None)
    table.refresh(RunData(["a", "b", "c", "d"]), None)
    shown = [
        table.model.headerData(c, Qt.Orientation.Horizontal)
        for c in range(table.model.columnCount())
        if not table.view.isColumnHidden(c)
    ]
    assert [name for name in shown if name in "abcd"] == ["a", "b", "c", "d"]


def test_the_moment_each_run_began_is_read_whole(setting: Setting, qtbot: QtBot) -> None:
    setting.run(4)
    setting.page.show_view("runs")
    table = setting.page.view("runs").table
    view, model = table.view, table.model
    began = model.index(0, model.columnCount() - 1)
    assert model.data(began)
    assert view.columnWidth(began.column()) >= view.sizeHintForIndex(began).width()


def test_the_points_fill_their_plot_also_after_a_reset(setting: Setting, qtbot: QtBot) -> None:
    points = setting.page.view("overview").points
    points.reset()
    setting.run(12)
    qtbot.waitUntil(lambda: len(points.points.data) + len(points.failures.data) == 12, timeout=5000)
    qtbot.wait(50)
    low, high = points.plot.viewRange()[1]
    y = setting.controller.run.data.theta.view()[:, 1]
    assert high - low < 1.5 * (y.max() - y.min())


def test_a_converged_end_fills_the_bar_and_the_list_of_runs_shows_its_last_heading(
    setting: Setting, snapshot_ready: Callable, qtbot: QtBot
) -> None:
    setting.run(10)
    found = snapshot_ready(3, 10, setting.center, warm_up=False)
    setting.engine.message.emit(msgspec.structs.replace(found, converged=True))
    setting.page.show_view("runs")
    table = setting.page.view("runs").table
    setting.page.resize(1700, 900)  # four parameters
    header = table.view.horizontalHeader()
    qtbot.waitUntil(lambda: header.length() <= table.view.viewport().width(), timeout=5000)  # no heading is cut
    assert table.details.width() >= 300
    setting.engine.message.emit(protocol.RunEnded(outcome="converged", words="Converged."))
    setting.engine.message.emit(protocol.StateChanged(state="finished"))
    bar = setting.page.strip.bar
    qtbot.waitUntil(lambda: bar.value() == bar.maximum() > 10, timeout=5000)


def test_once_more_runs_are_allowed_nothing_beside_the_figure_says_that_the_budget_is_spent(
    setting: Setting, snapshot_ready: Callable, qtbot: QtBot
) -> None:
    strip, controller = setting.page.strip, setting.controller
    setting.run(10)
    found = snapshot_ready(3, 10, setting.center, warm_up=False)
    spent = ("The budget of 10 runs is spent. More runs would help.", "The evidence is still uncertain.")
    setting.engine.message.emit(msgspec.structs.replace(found, reasons=spent))
    setting.engine.message.emit(protocol.RunEnded(outcome="budget", words="The budget of 10 runs is used up."))
    setting.engine.message.emit(protocol.StateChanged(state="finished"))
    settings = controller.problem.declared.settings
    qtbot.waitUntil(lambda: not controller.run.active, timeout=5000)
    for allowed in (10, 30):
        assert controller.problem.edit("Budget", settings=msgspec.structs.replace(settings, max_evaluations=allowed))
        strip.refresh()
        said = f"{strip.activity.whole} {' '.join(strip.reasons.reasons)}"
        assert strip.runs.value.text() == f"10 of {allowed}"
        assert ("The budget of 10 runs is used up." in said) == (allowed == 10)
        assert ("is spent" in said) == (allowed == 10)
        assert "The evidence is still uncertain." in said
    assert strip.activity.whole == "10 of 30 runs are done; Resume makes the others"
    assert strip.start.text().replace("&", "") == "Resume"
