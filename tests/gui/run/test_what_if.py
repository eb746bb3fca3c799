"""Predictions of learnt outputs in the real window, from a session that a real run left: looked at, dragged, reopened."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.latest import posterior_of
from bayescope.engine.answer.predictions.check_words import odds
from bayescope.engine.answer.predictions.predictive import emulated
from bayescope.engine.app import cli
from bayescope.engine.problem.definition import Normal
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.report.export import summary_rows
from bayescope.engine.session.store import SessionStore
from bayescope.resources.examples.contamination.contamination_source import solve

pytestmark = [pytest.mark.window, pytest.mark.timeout(120)]
RUNS = 14


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled example after a few runs."""
    path = tmp_path_factory.mktemp("what_if") / "plume.bayescope"
    assert cli.main(["example", "contamination", str(path)]) == 0
    cli.main(["run", str(path), "--trust", "--evaluations", str(RUNS), "--workers", "2"])
    return path


def visited(open_window: Callable, qtbot: QtBot, path: Path, width: int = 1280, height: int = 720):
    window, controller, page = open_window(width, height)
    assert controller.file.open(path)
    page.show_view("predictions")
    view = page.view("predictions")
    qtbot.waitUntil(lambda: bool(view.plot.columns) and view.plot.columns[0].shown is not None, timeout=10_000)
    return window, controller, view


def within(column, values: np.ndarray) -> bool:
    """Whether they are in the view."""
    low, high = column.plot.getViewBox().viewRange()[1]
    return bool(low < values.min() <= values.max() < high)


def drag(qtbot: QtBot, slider: QSlider, across: int) -> None:
    """With the mouse, by its handle."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    control, handle = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
    at = slider.style().subControlRect(control, option, handle, slider).center()
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=at)
    for step in range(1, 6):
        qtbot.mouseMove(slider, at + QPoint(across * step // 5, 0))
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=at + QPoint(across, 0))


@pytest.mark.journeys
def test_a_dragged_parameter_shows_what_the_program_returns_there(ran: Path, open_window: Callable, qtbot: QtBot) -> None:
    _, controller, view = visited(open_window, qtbot, ran)
    assert view.asking.isVisible()
    assert not view.what_if.isVisible()
    assert [column.shown.y_label for column in view.plot.columns] == ["left", "right"]
    qtbot.mouseClick(view.asking, Qt.MouseButton.LeftButton)
    assert view.what_if.isVisible()
    before = [column.curve.getData()[1].copy() for column in view.plot.columns]
    drag(qtbot, view.what_if.sliders.sliders[0], 14)
    drag(qtbot, view.what_if.sliders.sliders[2], -10)
    after = [column.curve.getData()[1] for column in view.plot.columns]
    space = controller.problem.space
    point, start = view.what_if.sliders.point, view.what_if.sliders._range.start
    assert np.flatnonzero(point != start).tolist() == [0, 2]
    readings = np.array(solve(**space.values(point)))
    for k, (was, now) in enumerate(zip(before, after, strict=True)):
        spread = float(np.ptp(readings[:, 1:]))
        assert np.abs(now - was).max() > 0.02 * spread
        np.testing.assert_allclose(now, readings[:, 1 + k], atol=0.15 * spread)
    assert "times the noise" in view.what_if.misfit.text()
    qtbot.mouseClick(view.what_if.back, Qt.MouseButton.LeftButton)
    for was, column in zip(before, view.plot.columns, strict=True):
        np.testing.assert_allclose(column.curve.getData()[1], was)
    qtbot.mouseClick(view.asking, Qt.MouseButton.LeftButton)
    assert not view.what_if.isVisible()
    assert all(column.curve.getData()[1] is None for column in view.plot.columns)


@pytest.mark.loops
def test_a_reopened_session_shows_the_bands_that_were_stored(ran: Path, open_window: Callable, qtbot: QtBot) -> None:
    with SessionStore.open(ran, "read") as store:
        record = store.last_iteration()
        assert record is not None
        stored = emulated(store.problem, record.slices)
    _, _, view = visited(open_window, qtbot, ran)
    for column, p in zip(view.plot.columns, stored, strict=True):
        assert p.bands is not None
        np.testing.assert_array_equal(column.shown.bands.measured_high, p.bands.measured_high)
        outline = column.band.polygon()
        assert max(point.y() for point in outline) == pytest.approx(p.bands.high.max())
        assert np.all(p.bands.measured_low < p.bands.low)
        assert np.all(p.bands.measured_high > p.bands.high)
        assert p.words in view.plot.words.text()


def test_one_of_the_columns_can_be_looked_at_alone_with_its_curve(ran: Path, open_window: Callable, qtbot: QtBot) -> None:
    _, _, view = visited(open_window, qtbot, ran, 1024, 700)
    qtbot.mouseClick(view.asking, Qt.MouseButton.LeftButton)
    both = [column.curve.getData()[1] for column in view.plot.columns]
    view.plot._which.setCurrentIndex(2)
    assert len(view.plot.columns) == 1
    np.testing.assert_array_equal(view.plot.columns[0].curve.getData()[1], both[1])
    assert "right:" not in view.plot.words.text()
    qtbot.waitUntil(lambda: view.what_if.width() + view.plot.width() <= 1024, timeout=2000)


def test_residuals_are_everything_less_the_predicted_median(ran: Path, open_window: Callable, qtbot: QtBot) -> None:
    _, _, view = visited(open_window, qtbot, ran)
    qtbot.mouseClick(view.asking, Qt.MouseButton.LeftButton)
    drag(qtbot, view.what_if.sliders.sliders[0], 12)
    column = view.plot.columns[0]
    whole, p = column.curve.getData()[1].copy(), column.shown
    qtbot.mouseClick(view.plot.residuals, Qt.MouseButton.LeftButton)
    np.testing.assert_allclose(column.curve.getData()[1], whole - p.bands.middle)
    np.testing.assert_allclose(column.data_points.getData()[1], p.measured - p.bands.middle)
    np.testing.assert_array_equal(column.median.getData()[1], 0.0)
    ends = np.concatenate([p.bands.low - p.bands.middle, p.bands.high - p.bands.middle])
    qtbot.waitUntil(lambda: within(column, ends), timeout=5000)
    qtbot.mouseClick(view.plot.residuals, Qt.MouseButton.LeftButton)
    np.testing.assert_allclose(column.curve.getData()[1], whole)


def test_an_answer_without_learnt_outputs_shows_the_runs_made(ran: Path, open_window: Callable, qtbot: QtBot) -> None:
    """As in a session of an earlier version."""
    _, controller, view = visited(open_window, qtbot, ran)
    qtbot.mouseClick(view.asking, Qt.MouseButton.LeftButton)
    answer = controller.run.data.answer
    for name in [n for n in answer.slices if "." in n]:
        del answer.slices[name]
    view._asked_for, view._asked_at = (-1, -1), -100.0  # as after another answer
    view.update_view(controller.run.data, answer, None)
    qtbot.waitUntil(lambda: view.plot.columns[0].shown.bands is None, timeout=5000)
    assert not view.asking.isVisible()
    assert not view.what_if.isVisible()
    assert "“What if…” " in view.plot.words.text()
    assert len(view.plot.columns[0].shown.runs) >= 5


def test_absurd_numbers_in_a_file_leave_the_bands_without_handles(ran: Path, open_window: Callable, qtbot: QtBot) -> None:
    _, controller, view = visited(open_window, qtbot, ran)
    answer = controller.run.data.answer
    answer.slices["emulator.theta"] = answer.slices["emulator.theta"] + 400.0
    view._asked_for, view._asked_at = (-1, -1), -100.0  # as after another answer
    view.update_view(controller.run.data, answer, None)
    qtbot.waitUntil(lambda: not view.asking.isVisible(), timeout=5000)
    assert view.plot.columns[0].shown.bands is not None
    assert "“What if…” is not there" in view.plot.words.text()


@pytest.mark.loops
def test_the_report_states_how_the_data_agree(ran: Path, tmp_path: Path) -> None:
    assert cli.main(["export", str(ran), "--report", str(tmp_path / "plume.html")]) == 0
    page = (tmp_path / "plume.html").read_text(encoding="utf-8")
    assert "with measurement errors (light)" in page
    assert any(f"<li>{words}" in page for words in ("left, right: The data are", "left: The data are", "left: Neighbouring"))


def test_odds_are_round_numbers_and_none_smaller_than_was_drawn() -> None:
    cases = ((0.005, 1024.0), (0.0, 1024.0), (0.02, 1024.0), (0.0123, 400.0), (0.0009, 1024.0))
    assert [odds(*case) for case in cases] == [
        "1 in 200", "less than 1 in 1,000", "1 in 50", "1 in 81", "less than 1 in 1,000",
    ]  # fmt: skip


def test_handles_that_were_not_dragged_stand_at_the_mean_of_each_analysis_and_nothing_is_carried_to_another_one(
    ran: Path, open_window: Callable, qtbot: QtBot, tmp_path: Path
) -> None:
    _, controller, view = visited(open_window, qtbot, ran)
    qtbot.mouseClick(view.asking, Qt.MouseButton.LeftButton)
    sliders, offer = view.what_if.sliders, view.what_if._offer
    with SessionStore.open(ran, mode="read") as store:
        told = [row["mean"] for row in summary_rows(posterior_of(store)[0])]
    np.testing.assert_allclose(controller.problem.space.to_user(sliders.point), told, rtol=1e-6)  # as in the summary
    drag(qtbot, sliders.sliders[0], 14)
    dragged = controller.problem.space.to_user(sliders.point)[0]
    # the same parameters asked again with another prior: another inference space, another mean
    first, second, *rest = controller.problem.declared.parameters
    middle = float(controller.problem.space.to_user(offer.within.start)[1])
    other = ParameterSpace((first, msgspec.structs.replace(second, prior=Normal(mean=middle, sd=abs(middle) + 1.0)), *rest))
    start = other.to_inference(controller.problem.space.to_user(offer.within.start))
    within = replace(offer.within, low=start - 2.0, high=start + 2.0, start=start)
    sliders.offer(other, other.parameters, within)
    np.testing.assert_allclose(other.to_user(sliders.point)[1:], other.to_user(start)[1:])
    assert other.to_user(sliders.point)[0] == pytest.approx(dragged)
    # another analysis, though with the same parameters
    copy = tmp_path / "another.bayescope"
    copy.write_bytes(ran.read_bytes())
    assert controller.file.open(copy)
    again = view.what_if._offer
    qtbot.waitUntil(lambda: view.what_if._offer not in (None, again, offer), timeout=10_000)
    np.testing.assert_allclose(view.what_if.sliders.point, view.what_if._offer.within.start)


@pytest.mark.journeys
def test_bands_and_handles_are_there_while_a_run_goes_on(open_window: Callable, qtbot: QtBot, tmp_path: Path) -> None:
    _, controller, page = open_window()
    assert controller.file.open_example("contamination")
    assert controller.file.save_as(tmp_path / "plume.bayescope")
    page.show_view("predictions")
    qtbot.waitUntil(page.strip.start.isEnabled, timeout=5000)
    qtbot.mouseClick(page.strip.start, Qt.MouseButton.LeftButton)
    view = page.view("predictions")
    qtbot.waitUntil(lambda: bool(view.plot.columns) and view.plot.columns[0].shown.bands is not None, timeout=60_000)
    assert controller.run.active
    qtbot.mouseClick(view.asking, Qt.MouseButton.LeftButton)
    drag(qtbot, view.what_if.sliders.sliders[1], 12)
    assert len(view.plot.columns[1].curve.getData()[1]) == 5
    point = view.what_if.sliders.point[1]
    shown = view.plot.columns[0].shown
    qtbot.waitUntil(lambda: view.plot.columns[0].shown is not shown, timeout=60_000)
    within = view.what_if.sliders._range
    kept = float(np.clip(point, within.low[1], within.high[1]))
    assert view.what_if.sliders.point[1] == pytest.approx(kept), "a newer answer leaves the handles where they are"


def test_the_results_say_how_the_data_agree(ran: Path, open_window: Callable, qtbot: QtBot) -> None:
    window, controller, _ = open_window(1024, 700)
    assert controller.file.open(ran)
    window.go("results")
    page = window.page("results")
    qtbot.waitUntil(page.agreement.isVisible, timeout=10_000)
    assert page.agreement.text().startswith(("left: ", "left, right: "))
    assert "right: " in page.agreement.text()


def test_the_table_of_predictions_has_a_row_for_each_measured_value(ran: Path, tmp_path: Path) -> None:
    assert cli.main(["export", str(ran), "--predictions", str(tmp_path / "p.csv")]) == 0
    with (tmp_path / "p.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(r["column"], r["row"]) for r in rows] == [(c, str(k)) for c in ("left", "right") for k in range(1, 6)]
    for r in rows:
        ends = [float(r[name]) for name in ("measured_low", "low", "median", "high", "measured_high")]
        assert ends == sorted(ends)


@pytest.mark.loops
def test_far_from_every_run_the_curve_is_dashed_and_one_run_of_the_program_is_shown_beside_it(
    ran: Path, open_window: Callable, qtbot: QtBot
) -> None:
    _, controller, view = visited(open_window, qtbot, ran)
    qtbot.mouseClick(view.asking, Qt.MouseButton.LeftButton)
    panel = view.what_if
    for slider in panel.sliders.sliders:
        slider.setValue(slider.maximum())
    curves = view.plot._curves
    assert not curves[0].known
    assert "No run was made near here" in panel.hint.text()
    assert view.plot.columns[0].curve.opts["pen"].style() == Qt.PenStyle.DashLine
    for one, drawn in zip(curves, view.plot.columns, strict=True):
        qtbot.waitUntil(lambda one=one, drawn=drawn: within(drawn, one.middle), timeout=5000)  # the axes grow with the curve
    runs = len(controller.run.data.evaluations)
    qtbot.mouseClick(panel.run_here, Qt.MouseButton.LeftButton)
    column = view.plot.columns[1]
    qtbot.waitUntil(lambda: column.returned.getData()[1] is not None and len(column.returned.getData()[1]) == 5, timeout=60_000)
    readings = np.array(solve(**controller.problem.space.values(panel.sliders.point)))
    np.testing.assert_allclose(column.returned.getData()[1], readings[:, 2], rtol=1e-4)
    inside = [(c.low <= readings[:, 1 + k]) & (readings[:, 1 + k] <= c.high) for k, c in enumerate(curves)]
    assert np.mean(inside) >= 0.5
    assert len(controller.run.data.evaluations) == runs
    qtbot.waitUntil(lambda: within(column, readings[:, 2]), timeout=5000)
    assert "No run was made near here" not in panel.hint.text(), "one was made just now"
    panel.sliders.sliders[0].setValue(10)
    assert len(column.returned.getData()[1]) == 0
    assert "No run was made near here" in panel.hint.text()
