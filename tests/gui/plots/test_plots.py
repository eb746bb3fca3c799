"""The numbers behind the plots, and figures written to files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from scipy.stats import multivariate_normal

from bayescope.engine.answer.predictions.emulated import OutputBands
from bayescope.engine.answer.predictions.predictive import Predicted
from bayescope.engine.answer.predictions.residuals import Residuals
from bayescope.engine.problem.definition import HalfCauchy, LogNormal, Normal, Parameter, Uniform
from bayescope.gui.analysis.run_data import Evaluation, RunData, TracePoint
from bayescope.gui.plots import curves, export
from bayescope.gui.plots.data_plot import DataPlot, Shown
from bayescope.gui.plots.elbo_trace import ABOVE, BOUND, EVEN, FELL, SO_FAR, ElboTrace, beside_evidence
from bayescope.gui.plots.pairs_widget import PairsWidget
from bayescope.gui.plots.pg import Canvas
from bayescope.gui.plots.predicted_column import PredictedColumn
from bayescope.gui.plots.predictive import PredictivePlot
from bayescope.gui.plots.residuals import ResidualsPlot
from bayescope.gui.style import words
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.elided import ElidedLabel


def turned(canvas: Canvas, modifier: Qt.KeyboardModifier) -> bool:
    """Whether the canvas takes a turn of the wheel with this key held for itself."""
    middle = QPointF(canvas.rect().center())
    turn = QWheelEvent(
        middle, middle, QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, modifier, Qt.ScrollPhase.NoScrollPhase, False
    )
    QApplication.sendEvent(canvas.viewport(), turn)
    return turn.isAccepted()


def test_the_wheel_over_a_plot_scrolls_the_page_and_zooms_with_ctrl_held(qtbot: QtBot) -> None:
    canvas = Canvas()
    qtbot.addWidget(canvas)
    plot = canvas.add_plot(0, 0)
    plot.setRange(xRange=(0, 1), yRange=(0, 1))
    canvas.resize(300, 200)
    canvas.show()
    before = plot.viewRange()
    assert not turned(canvas, Qt.KeyboardModifier.NoModifier)
    assert plot.viewRange() == before
    assert turned(canvas, Qt.KeyboardModifier.ControlModifier)
    assert plot.viewRange() != before


def test_the_word_of_the_warm_up_stands_in_its_band_or_not_at_all(qtbot: QtBot) -> None:
    plot = ElboTrace()
    qtbot.addWidget(plot)
    plot.show()
    trace = [TracePoint(k, 10 + 2 * k, 0.1 * k, 0.1, 0.0, 0.1, k < 5, False, float(k), ()) for k in range(15)]
    for width, shown in ((700, True), (160, False)):
        plot.resize(width, 260)
        plot.update_trace(trace)
        plot.reset()
        qtbot.waitUntil(lambda shown=shown: plot._warm_words.isVisible() == shown, timeout=3000)


def test_the_caption_of_the_bound_says_when_only_the_mixture_got_rougher(qtbot: QtBot) -> None:
    plot = ElboTrace()
    qtbot.addWidget(plot)
    plot.resize(900, 260)
    plot.show()
    elbos = (-4.37, -4.29, -4.295, -4.296, -4.296, -4.305, -4.362)  # of a real run: the log evidence stayed
    sds = (0.1, 0.01, 0.006, 0.005, 0.005, 0.006, 0.023)

    def trace(evidence: float) -> list[TracePoint]:
        known = [-4.268] * (len(elbos) - 1) + [evidence]
        numbers = enumerate(zip(elbos, sds, known, strict=True))
        return [TracePoint(k, 60 + k, e, s, z, 0.012, False, False, 0.0, ()) for k, (e, s, z) in numbers]

    plot.update_trace(trace(-4.268)[:-1])
    assert plot._hint.whole.startswith("now 0.037 nats below the log evidence (dashed)")
    plot.update_trace(trace(-4.268))
    assert plot._hint.whole == FELL
    assert plot.evidence.getData()[1] == pytest.approx(np.full(len(elbos), -4.268)), "the dashed line"
    plot.update_trace(trace(-4.34))
    assert plot._hint.whole == SO_FAR, "the answer itself moved: no word of the mixture"


@pytest.mark.parametrize(
    ("elbo", "warm_up", "converged", "said"),
    [
        (-5.0, False, True, "now 2 nats below the log evidence (dashed)"), (-3.01, False, True, EVEN), (-2.0, False, True, ABOVE),
        (-3.01, False, False, SO_FAR), (-5.0, True, False, BOUND),
    ],
)
def test_the_caption_of_the_bound_says_how_far_below_the_log_evidence_it_is_and_agrees_only_with_an_answer(
    elbo: float, warm_up: bool, converged: bool, said: str
) -> None:
    newest = TracePoint(1, 60, elbo, 0.01, -3.0, 0.01, warm_up, converged, 0.0, ())
    assert beside_evidence(newest).startswith(said)


def test_of_measured_values_nothing_is_drawn_between_the_data(qtbot: QtBot) -> None:
    n = 4
    line, half = np.zeros(n), np.full((1, 2), 0.5)
    bands = OutputBands(line - 1.0, line, line + 1.0, line - 2.0, line + 2.0, line + 1.0, half, np.array([1600.0]))
    p = Predicted(np.arange(float(n)), line, np.zeros((0, n)), np.zeros(0), "t", "T", bands=bands)
    canvas = Canvas()
    qtbot.addWidget(canvas)
    column = PredictedColumn(canvas, canvas.add_plot(0, 0))
    column.show(p)
    path = column.measured_bars.path()
    assert {path.elementAt(k).x for k in range(path.elementCount())} == set(range(n))
    assert path.elementCount() == 2 * n


def test_the_band_of_the_normal_plot_is_in_view_and_said_to_hold_at_each_place(qtbot: QtBot) -> None:
    z = np.linspace(-0.1, 0.1, 12)
    left = Residuals(z, z - 3.0, z + 3.0, np.array([[6.0, 6.0]]), np.full((1, 2), 0.5), np.array([1600.0]))
    plot = ResidualsPlot()
    qtbot.addWidget(plot)
    plot.resize(900, 320)
    plot.show()
    plot.show_column(Predicted(z, z, np.zeros((0, 12)), np.zeros(0), "t", "T", residuals=left))
    QApplication.processEvents()
    low, high = plot.normal.getViewBox().viewRange()[1]
    assert low <= -3.1
    assert high >= 3.1
    assert "at each place 90 %" in plot._hint.whole


def test_mass_contours_hold_the_mass_they_claim() -> None:
    x = np.linspace(-5, 5, 201)
    density = np.exp(-0.5 * (x[:, None] ** 2 + x[None, :] ** 2)) / (2 * np.pi)
    half, most = curves.mass_thresholds(density, (0.5, 0.9))
    # a standard normal in two dimensions: mass above height h is 1 - 2 pi h
    assert half == pytest.approx(0.5 / (2 * np.pi), rel=0.03)
    assert most == pytest.approx(0.1 / (2 * np.pi), rel=0.03)


def test_the_picture_of_a_pair_has_the_first_parameter_across_and_the_second_up() -> None:
    x, y = np.linspace(0, 1, 64), np.linspace(10, 20, 64)
    density = np.zeros((64, 64))
    density[50:60, 5:10] = 1.0  # x large, y small
    pair = curves.pair_density(x, y, density)
    rows, columns = np.nonzero(pair.levels)
    assert rows.min() >= 50, "small y is at the bottom of the picture, whose row 0 is the top"
    assert columns.min() >= 50
    assert pair.y[0] < 10 < 20 < pair.y[1]
    line = np.concatenate(pair.contours[0])
    assert line[:, 0].min() > 0.7
    assert line[:, 1].max() < 12


@pytest.mark.parametrize(
    "prior", [Uniform(low=-2, high=3), Normal(mean=1, sd=2), HalfCauchy(scale=10.0), LogNormal(log_mean=0, log_sd=1)]
)
def test_the_prior_is_drawn_where_most_of_it_lies(prior: Any) -> None:
    x, density = curves.prior_curve(Parameter(name="a", prior=prior))
    area = float(np.trapezoid(density, x))
    assert 0.9 < area <= 1.01
    assert np.all(np.isfinite(density))


@settings(max_examples=40, deadline=None)
@given(
    st.tuples(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6)),
    st.lists(st.tuples(st.floats(-0.02, 0.02), st.floats(0.95, 1.05)), max_size=6),
)
def test_a_range_does_not_jitter_with_small_changes(
    start: tuple[float, float], changes: list[tuple[float, float]]
) -> None:
    low, width = start
    shown = curves.settled_range(None, (low, low + width))
    for shift, stretch in changes:
        inside = (low + max(shift, 0) * width, low + width * min(stretch, 1.0))
        assert curves.settled_range(shown, inside) == shown


def test_slices_of_a_mixture_agree_with_an_independent_density() -> None:
    rng = np.random.default_rng(3)
    weights, means = np.array([0.2, 0.5, 0.3]), rng.normal(size=(3, 2))
    factors = rng.normal(size=(3, 2, 2)) + 1.5 * np.eye(2)
    covariances = factors @ factors.transpose(0, 2, 1)
    found = curves.mixture_slices(weights, means, covariances, log_evidence=-4.0)
    at = np.repeat(found["center"][None], found["u"].shape[1], axis=0)
    at[:, 1] = found["u"][1]
    parts = [multivariate_normal(m, c).pdf(at) for m, c in zip(means, covariances, strict=True)]
    np.testing.assert_allclose(found["mean"][1], np.log(weights @ np.array(parts)) - 4.0, rtol=1e-9)


def test_colours_run_from_the_best_down_and_failures_have_none() -> None:
    positions = curves.colour_positions(np.array([-3.0, -10.5, -400.0, np.nan]), 2)
    np.testing.assert_allclose(positions[:3], [1.0, 0.5, 0.0])
    assert np.isnan(positions[3])


def test_run_data_keeps_the_window_small_over_a_long_run() -> None:
    data = RunData(["a"])
    from bayescope.gui.analysis.run_data import Answer

    for k in range(500):
        trace = TracePoint(k, k, 0.0, 0.1, 0.0, 0.1, False, False, float(k), ())
        data.add_answer(Answer(trace, np.ones(1), np.zeros((1, 1)), np.ones((1, 1, 1))))
    assert len(data.trace) == 500
    assert data.answer is not None
    assert data.answer.iteration == 499
    data.add_answer(
        Answer(TracePoint(300, 1, 0, 0, 0, 0, False, False, 0, ()), np.ones(1), np.zeros((1, 1)), np.ones((1, 1, 1)))
    )
    assert data.trace[-1].iteration == 300, "a resumed run replaces what came after"


@pytest.mark.window
@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_a_figure_is_written_in_each_format(suffix: str, tmp_path: Path, qtbot: QtBot) -> None:
    from bayescope.gui.plots.elbo_trace import ElboTrace

    plot = ElboTrace()
    qtbot.addWidget(plot)
    plot.resize(500, 300)
    plot.show()
    plot.update_trace([TracePoint(k, 5 * k, -5.0 + k, 0.3, 0, 0.1, k < 2, False, float(k), ()) for k in range(8)])
    qtbot.wait(50)
    path = tmp_path / f"figure{suffix}"
    export.write(plot.render_figure, plot.figure_size(), path, "#ffffff", "ELBO")
    data = path.read_bytes()
    assert data[:4] in (b"\x89PNG", b"<?xm", b"%PDF")
    if suffix == ".png":
        image = QImage(str(path))
        assert image.size() == QSize(round(plot.figure_size().width() * 3), round(plot.figure_size().height() * 3))
        colours = {
            image.pixelColor(x, y).name() for x in range(0, image.width(), 5) for y in range(0, image.height(), 5)
        }
        assert len(colours) > 3, "something is drawn"
        assert QColor("#ffffff").name() in colours
        line = QColor(theme.colours.elbo)
        near = [
            abs(c.red() - line.red()) + abs(c.green() - line.green()) + abs(c.blue() - line.blue()) < 30
            for c in (image.pixelColor(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3))
        ]
        assert 0.002 < np.mean(near) < 0.05, "lines are lines: neither lost nor as broad as in data units"
    elif suffix == ".svg":
        widths = [float(w) for w in re.findall(r'stroke-width="([\d.]+)"', data.decode())]
        assert b"non-scaling-stroke" not in data, "a stroke that many programs would draw in data units"
        assert b"clip-path" in data, "what lies outside the axes is cut off"
        assert max(widths) <= 3
    screen = plot.line.curve.opts["pen"]
    assert screen.widthF() == pytest.approx(2.0 * plot.devicePixelRatioF()), "the screen's own pens are back"


def test_an_svg_of_plots_has_its_lines_in_the_units_of_the_page() -> None:
    svg = (
        '<g fill="none" stroke-width="2" transform="matrix(10,0,0,-2,5,100)"\nfont-size="9" >\n'
        '<path vector-effect="non-scaling-stroke" d="M0,10 L1e-1,2 C1,2 3,4 10,30 "/>\n'
        '<text x="1" y="2">M0,10</text>\n</g>\n'
        '<g transform="matrix(1,0,0,1,3,4)"><path d="M1,1 L2,2 "/></g>'
    )
    out = export.without_cosmetic_strokes(svg)
    assert 'd="M5.000,80.000 L6.000,96.000 C15.000,96.000 35.000,92.000 105.000,40.000 "' in out
    assert '<text transform="matrix(10,0,0,-2,5,100)" x="1" y="2">M0,10</text>' in out
    assert out.endswith('<g transform="matrix(1,0,0,1,3,4)"><path d="M1,1 L2,2 "/></g>'), "others stay as they are"
    assert "non-scaling" not in out


@pytest.mark.window
def test_a_figure_that_cannot_be_written_gives_words(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bayescope.gui.plots.elbo_trace import ElboTrace

    plot = ElboTrace()
    qtbot.addWidget(plot)
    plot.show()
    for suffix in (".png", ".svg", ".pdf"):
        monkeypatch.setattr(export, "ask_path", lambda *a, suffix=suffix: tmp_path / "missing" / f"x{suffix}")
        with qtbot.waitSignal(plot.problem) as caught:
            plot.save()
        assert "could not be saved" in caught.args[0].what


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.42, "0.4 s"), (12.2, "12 s"), (59.8, "1 min 00 s"), (185, "3 min 05 s"), (7800, "2 h 10 min"), (None, "–")],
)
def test_durations_are_words(seconds: float | None, text: str) -> None:
    assert words.duration(seconds) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [(100, 290, "2 – 5 min"), (40, 130, "40 s – 2 min"), (178, 185, "about 3 min"), (0, 0, "a moment")],
)
def test_remaining_time_is_a_range_in_words(low: float, high: float, text: str) -> None:
    assert words.duration_range(low, high) == text


def test_numbers_have_sensible_digits_and_a_true_minus() -> None:
    assert words.number(-0.000123456) == "−0.0001235"
    assert words.number(None) == "–"
    assert words.number(float("nan")) == "–"
    assert words.number(-3e-7, 2) == "−3 × 10⁻⁷"


def test_log_densities_line_up_in_their_column() -> None:
    assert [words.aligned(v) for v in (7.139265, -92.3252, 0.0)] == ["7.139", "−92.325", "0.000"]
    assert words.aligned(None) == "–"
    assert words.aligned(-3e12) == "−3 × 10¹²"


def test_no_tick_stands_without_its_number_and_numbers_are_typeset(qtbot: QtBot) -> None:
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.resize(400, 240)
    plot = canvas.add_plot(0, 0, "x", "y")
    plot.setXRange(0.0, 10.0, padding=0.0)  # the numbers of both ends would stand over the ends of the axis
    plot.setYRange(-4e6, 0.0, padding=0.02)
    canvas.show()
    canvas.grab()
    image = QImage(400, 240, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    for side in ("bottom", "left"):
        _, ticks, texts = plot.getAxis(side).generateDrawSpecs(painter)
        assert len(ticks) == len(texts) > 1
    axis = plot.getAxis("bottom")
    axis.setTicks([[(2.0, "2")], [(3.0, ""), (4.0, "")]])  # the steps between powers of ten
    assert len(axis.generateDrawSpecs(painter)[1]) == 3
    painter.end()
    plot.getAxis("left").setTicks([[(2e6, "8.10.2023")], []])
    assert plot.getAxis("left").labelText == "y", "ticks of one's own are not shortened by a power"
    plot.getAxis("left").setTicks(None)
    assert any("−" in text for _, _, text in texts)
    assert plot.getAxis("left").labelText == "y, in 10⁶"
    assert not any("10" in text for _, _, text in texts), "said once, in the name of the axis"


def test_rows_are_counted_in_whole_numbers(qtbot: QtBot) -> None:
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.resize(600, 240)
    plot = canvas.add_plot(0, 0, "row of the data", "FREQ")
    canvas.show()
    axis = plot.getAxis("bottom")
    for low, high in ((15.9, 18.1), (1.0, 1.2), (0.0, 400.0)):
        plot.setXRange(low, high, padding=0.0)
        canvas.grab()
        assert all(float(at).is_integer() for _, values in axis.tickValues(low, high, 500.0) for at in values)
    canvas.label(plot, "bottom", "t / s")
    assert any(at != int(at) for _, values in axis.tickValues(15.9, 18.1, 500.0) for at in values)


def test_many_plots_are_laid_out_once_and_none_over_another(qtbot: QtBot) -> None:
    canvas = Canvas()
    qtbot.addWidget(canvas)
    canvas.resize(800, 600)
    with canvas.at_once():
        plots = [canvas.add_plot(k // 4, k % 4, f"p{k}", left=False) for k in range(12)]
    canvas.show()
    canvas.grab()
    places = {(round(p.x()), round(p.y())) for p in plots}
    assert len(places) == 12
    assert all(p.width() > 50 and p.height() > 50 for p in plots)


NAMED = tuple(
    Parameter(name=name, label=label, unit=unit, prior=Uniform(low=0, high=1))
    for name, label, unit in (("t", "Time constant", "s"), ("d", "", "K"), ("h", "Loss", ""))
)


def pairs_of(qtbot: QtBot, outcomes: list[float | None]) -> PairsWidget:
    """The pairs of three parameters with these runs; None: one that failed."""
    data = RunData([p.name for p in NAMED])
    for k, log_joint in enumerate(outcomes):
        outcome = "failed" if log_joint is None else "ok"
        values = {p.name: 0.3 + 0.1 * k for p in NAMED}
        data.add_evaluation(Evaluation(k, values, outcome, log_joint, log_joint, 0.0, 0.1, 0.0))
    widget = PairsWidget()
    qtbot.addWidget(widget)
    widget.resize(900, 600)
    widget.show_problem(NAMED, [(0.0, 1.0)] * 3)
    widget.update_content(None, data)
    return widget


def texts_in_figure(widget: PairsWidget) -> str:
    svg = export.svg_bytes(widget.paint_figure, widget.size()).decode()
    return "\n".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg))


def test_pairs_name_their_axes_with_units_as_the_marginals_do(qtbot: QtBot) -> None:
    words = texts_in_figure(pairs_of(qtbot, [-3.0])).splitlines()
    for name in ("Time constant [s]", "d [K]", "Loss"):
        assert name in words
    assert "Time constant" not in words


def test_the_legend_of_the_pairs_lists_only_what_is_there(qtbot: QtBot) -> None:
    empty = pairs_of(qtbot, [])
    assert "runs" not in texts_in_figure(empty)
    assert "posterior" not in texts_in_figure(empty)
    words = texts_in_figure(pairs_of(qtbot, [-3.0, -2.0]))
    assert "simulator runs" in words
    assert "failed runs" not in words
    widget = pairs_of(qtbot, [-3.0, None])
    assert "failed runs" in texts_in_figure(widget)
    widget.update_content(None, RunData([p.name for p in NAMED]))
    assert texts_in_figure(widget) == texts_in_figure(empty), "another analysis, nothing run yet"


def test_predictions_over_frequencies_are_drawn_over_their_logarithm(qtbot: QtBot) -> None:
    plot = PredictivePlot()
    qtbot.addWidget(plot)
    x = np.geomspace(100.0, 1e5, 16)
    runs = np.stack([np.sin(x), np.cos(x)])
    plot.update_predictions([Predicted(x, np.zeros(16), runs, np.ones(2), "frequency", "gain")], True)
    np.testing.assert_allclose(plot.columns[0].data_points.getData()[0], np.log10(x))
    assert plot.columns[0].median.getData()[0].max() == pytest.approx(5.0)
    plot.update_predictions([Predicted(x - 100, np.zeros(16), runs, np.ones(2), "time", "gain")], True)
    np.testing.assert_allclose(plot.columns[0].data_points.getData()[0], x - 100)  # zero has no logarithm


def test_the_band_of_scattering_outputs_is_said_to_be_of_their_mean(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    plot = PredictivePlot()
    qtbot.addWidget(plot)
    learnt: Any = Predicted(np.array([1.0]), np.array([1.1]), np.zeros((0, 1)), np.zeros(0), "t", "T", bands=object())  # type: ignore[arg-type]
    said: list[str] = []
    monkeypatch.setattr(plot, "describe", lambda title, words: said.append(words))
    monkeypatch.setattr(plot, "_show", lambda: None)
    for scatters in (False, True):
        plot.update_predictions([learnt], True, 5, scatters=scatters)
    assert said[0].startswith("dark: 90 % of what the program would return;")
    assert said[1].startswith("dark: 90 % of the mean of what the program would return;")


def test_a_single_measured_value_has_what_the_model_gives_beside_it(qtbot: QtBot) -> None:
    plot, data = PredictivePlot(), DataPlot()
    qtbot.addWidget(plot)
    qtbot.addWidget(data)
    runs = np.array([[1.0], [1.4], [1.2]])
    plot.update_predictions([Predicted(np.array([1500.0]), np.array([1.3]), runs, np.full(3, 1 / 3), "t", "T")], True)
    column = plot.columns[0]
    x, y = column.median.getData()
    assert x[0] < 1500.0 < x[1], "a stroke, since a line through one point is not seen"
    assert y.tolist() == [1.2, 1.2]
    assert column.band.polygon().boundingRect().width() > 0.0
    data.show_columns([Shown(np.array([1.0]), np.array([1.3]), np.array([0.1]), np.array([1.5]), "row of the data", "T")])
    assert data.run.getData()[1].tolist() == [1.5, 1.5]
    assert data.no_line == ""


def test_a_click_on_a_measured_point_asks_for_its_row_in_the_table(qtbot: QtBot) -> None:
    data, none = DataPlot(), np.full(2, np.nan)
    qtbot.addWidget(data)
    left_out = np.array([3.0]), np.array([9.9])
    data.show_columns([Shown(np.arange(2.0), np.ones(2), none, None, "x", "T", left_out=left_out, rows=(4, 6), rows_out=(5,))])
    asked: list[tuple[int, str]] = []
    data.row_wanted.connect(lambda row, column: asked.append((row, column)))
    for item in (data.points, data.left_out):
        item.sigClicked.emit(item, item.points()[-1:], None)
    assert asked == [(6, "T"), (5, "T")]


def test_the_words_beside_a_title_are_shown_in_whole_parts_or_not_at_all(qtbot: QtBot) -> None:
    hint = ElidedLabel()
    qtbot.addWidget(hint)
    hint.say("dark: 90 % interval, equal tails; dashed: prior; thin: others", parts="; ")
    shown = set()
    for width in range(400, 20, -7):
        hint.resize(width, 20)
        shown.add(hint.shown)
    whole = "dark: 90 % interval, equal tails"
    assert shown == {f"{whole}; dashed: prior; thin: others", f"{whole}; dashed: prior", whole, "dark: 90 % interval", ""}
    assert "thin: others" in hint.toolTip()
