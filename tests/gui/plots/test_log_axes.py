"""Where a prior is spread by factors, axes are logarithmic: places, densities, ticks; against closed forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from scipy.stats import multivariate_normal, norm

from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.problem.definition import LogNormal, LogUniform, Parameter, Uniform
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.gui.analysis.run_data import Evaluation, RunData
from bayescope.gui.models.scales import LN10, columns_on_axes, is_logarithmic, log_ticks, on_axis
from bayescope.gui.models.tick_words import shared
from bayescope.gui.plots.acquired_points import AcquiredPoints
from bayescope.gui.plots.curves import compute, curve_on_axis, curves_on_axes, prior_curve
from bayescope.gui.plots.marginals import MarginalsPlot
from bayescope.gui.plots.overlaid import NamedCurve, OverlaidPlot
from bayescope.gui.plots.pairs_widget import PairsWidget
from bayescope.gui.widgets.prior_preview import PriorPreview

pytestmark = pytest.mark.window
PARAMETERS = (
    Parameter(name="k", prior=LogNormal(log_mean=-2.0, log_sd=1.5)),
    Parameter(name="a", prior=Uniform(low=-1e3, high=1e3)),
    Parameter(name="d", prior=LogUniform(low=1e-6, high=1e4)),
)
MEAN, SD = np.array([-1.0, 0.3]), np.array([0.4, 0.2])


def lognormal_pair() -> tuple[StoredPosterior, Any]:
    """The posterior of two log-normal parameters: in the logarithms a correlated Gaussian; and that Gaussian."""
    space = ParameterSpace(
        tuple(Parameter(name=n, prior=LogNormal(log_mean=0.0, log_sd=2.0)) for n in ("p", "q"))
    )
    covariance = np.array([[SD[0] ** 2, 0.5 * SD[0] * SD[1]], [0.5 * SD[0] * SD[1], SD[1] ** 2]])
    means = space.to_inference(np.exp(MEAN)[None])
    slope = np.diag(space.to_inference(np.exp(MEAN + np.diag([1e-6, 1e-6]))) - means) / 1e-6
    assert np.allclose(space.to_user(means + 2.0 * slope), np.exp(MEAN + 2.0)), "the scale of the search is the logarithm"
    made = StoredPosterior(space, [1.0], means, (covariance * np.outer(slope, slope))[None])
    return made, multivariate_normal(MEAN, covariance)


def test_the_axis_follows_the_prior() -> None:
    assert [is_logarithmic(p) for p in PARAMETERS] == [True, False, True]


def test_a_marginal_on_a_log_axis_is_the_density_of_the_logarithm() -> None:
    posterior, _ = lognormal_pair()
    curve = compute(posterior, 1, False).marginals[0]
    shown = curve_on_axis(curve, True)
    np.testing.assert_allclose(shown.density, norm(MEAN[0] / LN10, SD[0] / LN10).pdf(shown.x), rtol=1e-6)
    assert np.trapezoid(shown.density, shown.x) == pytest.approx(1.0, abs=0.01)
    assert 10**shown.median == pytest.approx(np.exp(MEAN[0]))
    for (a, b), (low, high) in zip(shown.intervals, curve.intervals, strict=True):
        assert (10**a, 10**b) == pytest.approx((low, high))
    assert curve_on_axis(curve, False) is curve


def shown_of(decades: np.ndarray, with_draws: bool) -> tuple[np.ndarray, np.ndarray]:
    """The curve on its axis of a log-uniform parameter over 0.01 to 1 whose posterior has these draws (n,), in decades."""
    space = ParameterSpace((Parameter(name="k", prior=LogUniform(low=1e-2, high=1.0)),))
    u = space.to_inference(10.0 ** decades[:, None])
    draws, weights = (u, np.full(len(u), 1.0 / len(u))) if with_draws else (None, None)
    mean, covariance = u.mean(0)[None], np.cov(u.T).reshape(1, 1, 1)
    posterior = StoredPosterior(space, [1.0], mean, covariance, draws, weights, "draws" if with_draws else "mixture")
    curve = curve_on_axis(compute(posterior, 1, False).marginals[0], True)
    return curve.x, curve.density


@pytest.mark.parametrize("with_draws", [True, False])
def test_a_flat_posterior_lies_on_its_log_uniform_prior_up_to_both_ends(with_draws: bool) -> None:
    decades = np.random.default_rng(1).uniform(-2.0, 0.0, 20_000)
    x, density = shown_of(decades, with_draws)
    prior_x, prior = prior_curve(Parameter(name="k", prior=LogUniform(low=1e-2, high=1.0)))
    np.testing.assert_allclose(prior, 0.5, rtol=1e-6)
    assert (x[0], x[-1]) == pytest.approx((prior_x[0], prior_x[-1]), abs=1e-4)
    np.testing.assert_allclose(density, 0.5, atol=0.02)


def test_what_is_high_beside_a_bound_of_a_log_axis_is_drawn_as_high_as_it_is() -> None:
    rising = -2.0 + 0.5 * np.abs(np.random.default_rng(2).standard_normal(40_000))
    x, density = shown_of(rising[rising < 0.0], True)
    truth = 2.0 * norm(-2.0, 0.5).pdf(x)
    np.testing.assert_allclose(density, truth, atol=0.05 * truth.max())


def test_a_pair_on_log_axes_is_the_density_of_the_logarithms() -> None:
    posterior, wanted = lognormal_pair()
    x, y, density = posterior.pair(0, 1, 48, (True, True))
    np.testing.assert_allclose(np.diff(np.log(x)), np.diff(np.log(x))[0], rtol=1e-9)
    at = np.stack(np.meshgrid(np.log(x), np.log(y), indexing="ij"), axis=-1)
    np.testing.assert_allclose(density, wanted.pdf(at), atol=0.005 * wanted.pdf(MEAN))  # the grid leaves tails out
    picture = compute(posterior, 1, True).pairs[1, 0]
    assert picture.x[0] < MEAN[0] / LN10 < picture.x[1]


def test_the_prior_of_a_log_uniform_parameter_is_flat_and_that_of_a_log_normal_one_a_bell() -> None:
    x, flat = prior_curve(PARAMETERS[2])
    assert (x[0], x[-1]) == pytest.approx((-6.0, 4.0))
    np.testing.assert_allclose(flat, 0.1, rtol=1e-6)
    x, bell = prior_curve(PARAMETERS[0])
    np.testing.assert_allclose(bell, norm(-2.0 / LN10, 1.5 / LN10).pdf(x), rtol=1e-6)


def test_ticks_are_powers_of_ten_and_round_numbers_where_less_than_that_is_shown() -> None:
    assert log_ticks(-6, 4, 10)[:3] == [(-6.0, "10⁻⁶"), (-5.0, "10⁻⁵"), (-4.0, "10⁻⁴")]
    assert len(log_ticks(-6, 4, 4)) <= 4
    assert [text for _, text in log_ticks(-0.1, 2.2, 4)] == ["10⁰", "10¹", "10²"]
    assert [text for _, text in log_ticks(np.log10(20), 3, 6)] == ["20", "50", "100", "200", "500", "1000"]
    assert [text for _, text in log_ticks(np.log10(20), 3, 4)] == ["30", "100", "300", "1000"]
    assert [text for _, text in log_ticks(np.log10(20), 3, 3)] == ["10²", "10³"], "no room for more"
    for place, text in log_ticks(0.1, 0.5, 3):
        assert 10**place == pytest.approx(float(text))
    assert len(log_ticks(0.1, 0.5, 3)) >= 2
    assert log_ticks(1.0, 1.0) == []
    assert log_ticks(float("nan"), 1.0) == []


def test_values_that_are_not_positive_stand_nowhere_on_a_log_axis() -> None:
    theta = np.array([[1e-3, -5.0], [0.0, 2.0], [-1.0, 3.0]])
    shown = columns_on_axes(theta, (True, False))
    np.testing.assert_array_equal(shown[:, 1], theta[:, 1])
    assert shown[0, 0] == pytest.approx(-3.0)
    assert np.isnan(shown[1:, 0]).all()
    assert columns_on_axes(theta, (False, False)) is theta


def runs() -> RunData:
    data = RunData(["p", "q"])
    for k in range(20):
        values = {"p": float(np.exp(MEAN[0] + 0.1 * (k - 10))), "q": float(np.exp(MEAN[1] + 0.02 * (k - 10)))}
        data.add_evaluation(Evaluation(k, values, "ok", -0.1 * k, -0.1 * k, 0.0, 0.1, 0.0))
    return data


def test_pairs_draw_runs_and_densities_at_their_logarithms(show: Callable[..., None], qtbot: QtBot) -> None:
    posterior, _ = lognormal_pair()
    parameters, data, widget = posterior.space.parameters, runs(), PairsWidget()
    show(widget, 500, 400)
    widget.show_problem(parameters, [prior_curve(p)[0][[0, -1]].tolist() for p in parameters])
    curves = compute(posterior, 1, True)
    widget.update_content(curves, data)
    widget.grab()
    assert widget.outside == (0, 20)
    low, high = widget._ranges[0]
    assert low < on_axis(data.theta.view()[10, 0], True) < high
    at = widget._cells.place(1, 0, widget._ranges, *(float(v) for v in on_axis(data.theta.view()[10], True)))
    assert at is not None
    assert widget.nearest(at) == 10
    shown = widget._shown
    assert shown is not None
    image = shown.densities
    ratio = image.devicePixelRatio()
    assert image.pixelColor(int(at.x() * ratio), int(at.y() * ratio)).alpha() > 40, "the run lies in the posterior's middle"
    assert curves_on_axes(curves, (True, True)).marginals[0].median == pytest.approx(MEAN[0] / LN10)


def test_plots_have_powers_of_ten_on_the_axes_of_log_parameters_alone(show: Callable[..., None], qtbot: QtBot) -> None:
    marginals, points = MarginalsPlot(), AcquiredPoints()
    show(marginals, 900, 300)
    marginals.show_problem(PARAMETERS)
    assert [cell.plot.getAxis("bottom").powers for cell in marginals.cells] == [True, False, True]
    marginals.grab()
    axis = marginals.cells[2].plot.getAxis("bottom")
    ((_, places),) = axis.tickValues(-6.0, 4.0, 250.0)
    assert all(text.startswith("10") for text in axis.tickStrings(places, 1.0, 1.0))
    show(points, 900, 300)
    points.show_problem(lognormal_pair()[0].space.parameters)
    data = runs()
    points.update_points(data)
    np.testing.assert_allclose(points._at[:, 0], np.log10(data.theta.view()[:, 0]))
    assert points.plot.getAxis("bottom").powers
    points._y.setCurrentIndex(2)
    assert not points.plot.getAxis("left").powers, "the log density is no parameter"


def test_the_preview_of_a_prior_has_powers_of_ten(show: Callable[..., None]) -> None:
    preview = PriorPreview()
    show(preview, 360, 190)
    preview.show_parameter(PARAMETERS[2])
    x, y = preview.curve()
    np.testing.assert_allclose(y, y[0], rtol=1e-6)
    low, high = np.log(x[0]), np.log(x[-1])
    ticks = preview._shown_ticks(float(low), float(high))
    assert all(-1e-9 <= share <= 1.0 + 1e-9 and text.startswith("10") for share, text in ticks)
    assert len(ticks) >= 3
    preview.show_parameter(PARAMETERS[0])
    assert preview._log, "also where the lower limit is zero"
    preview.show_parameter(PARAMETERS[1])
    assert not preview._log
    preview.grab()


def test_round_numbers_on_a_narrow_log_axis_differ() -> None:
    ticks = [text for _, text in log_ticks(float(np.log10(412.9)), float(np.log10(413.1)))]
    assert ticks == ["412.9", "412.95", "413", "413.05", "413.1"]


@pytest.mark.parametrize(
    ("prior", "shown", "words"),
    [
        (Uniform(low=412.9, high=413.1), ["412.9", "413", "413.1"], ""),
        (Uniform(low=0.0, high=1.0), ["0", "0.5", "1"], ""),
        (Uniform(low=413.0 - 2e-5, high=413.0 + 2e-5), ["−2", "0", "2"], " − 413, in 10⁻⁵"),
        (LogUniform(low=412.9, high=413.1), ["412.9", "412.95", "413", "413.05", "413.1"], ""),
    ],
)
def test_the_numbers_below_a_narrow_prior_differ(show: Callable[..., None], prior: Any, shown: list[str], words: str) -> None:
    preview = PriorPreview()
    show(preview, 360, 190)
    preview.show_parameter(Parameter(name="T", prior=prior))
    x, _ = preview.curve()
    low, high = (preview._scaled(float(v)) for v in (x[0], x[-1]))
    assert [text for _, text in preview._shown_ticks(low, high)] == shown
    assert not words or shared(low, high).words == words
    preview.grab()


def test_compared_posteriors_stand_on_a_log_axis_if_every_prior_asks_for_it(qtbot: QtBot) -> None:
    posterior, _ = lognormal_pair()
    x, density = posterior.marginal(0)
    plot = OverlaidPlot()
    qtbot.addWidget(plot)
    plot.show_curves([NamedCurve("one", x, density)], "p", logarithmic=True)
    assert plot.plot.getAxis("bottom").powers
    (curve,) = plot.plot.listDataItems()
    np.testing.assert_allclose(curve.yData, norm(MEAN[0] / LN10, SD[0] / LN10).pdf(curve.xData), rtol=1e-6)
    plot.show_curves([NamedCurve("one", x, density)], "p")
    assert not plot.plot.getAxis("bottom").powers
    np.testing.assert_array_equal(plot.plot.listDataItems()[0].xData, x)


def test_parameters_with_one_label_are_told_apart_on_the_axes_of_their_runs(show: Callable[..., None]) -> None:
    prior = Uniform(low=0.0, high=1.0)
    points = AcquiredPoints()
    points.show_problem([Parameter(name=name, label="against Na", prior=prior) for name in ("KX", "CaX")])
    show(points, 500, 400)
    said = [points.plot.getAxis(side).labelText for side in ("bottom", "left")]
    assert said == ["against Na (KX)", "against Na (CaX)"]
