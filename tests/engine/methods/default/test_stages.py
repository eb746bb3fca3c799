"""The stages of the default loop, one by one, against independent computations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import optimize, stats

from bayescope.engine.feasibility.classifier import Feasibility
from bayescope.engine.loop_interface import Tell
from bayescope.engine.methods.default import certification, stopping
from bayescope.engine.methods.default.words import without_them
from bayescope.engine.problem.method_options import DefaultOptions, read_options
from bayescope.engine.sampling import guarded_density
from bayescope.engine.sampling import population_monte_carlo as posterior
from bayescope.engine.sampling.proposal import Proposal, base_points, em_step
from bayescope.engine.surrogate.evaluations import outcome_of
from bayescope.engine.surrogate.frames import BoxFrame, Whitening
from bayescope.engine.surrogate.quadratic import hyperparameters
from bayescope.engine.surrogate.quadratic.kernel import (
    AXIS_FREQUENCIES,
    CONSTANT_VARIANCE,
    Frames,
    Kernel,
    axis_sines,
    axis_weights,
    prior_of,
    radial_sines,
    radial_weights,
    sine_series,
)
from bayescope.engine.surrogate.quadratic.posterior import QuadraticSurrogate
from bayescope.engine.surrogate.shaping import EXACT_VALUES, compressed
from bayescope.engine.variational import fit_to_posterior as mixture

D = 3


@pytest.fixture
def frames() -> Frames:
    whitening = Whitening(np.full(D, 0.2), np.random.default_rng(0).normal(size=(D, D)))
    return Frames(whitening, whitening)


def values(n: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    b = np.random.default_rng(seed).normal(size=(n, D)) * 1.5
    return b, -0.7 * np.square(b).sum(1) + np.sin(b[:, 0])


def direct_kernel(theta: np.ndarray, frames: Frames, x: np.ndarray, y: np.ndarray) -> float:
    """The formula of the module's docstring, point by point."""
    l, (sf, s1, s2, s3) = np.exp(theta[:D]), np.exp(theta[D : D + 4])
    assert frames.se is not None
    a, b = frames.se.into(x[None])[0], frames.se.into(y[None])[0]
    k = CONSTANT_VARIANCE + s1**2 * x @ y + s2**2 / 2 * (x**2 - 1) @ (y**2 - 1)
    k += s3**2 * sum(x[i] * x[j] * y[i] * y[j] for i in range(D) for j in range(i))
    k += sf**2 * np.exp(-0.5 * (((a - b) / l) ** 2).sum())
    k += sum(w @ (np.sin(AXIS_FREQUENCIES * (x[i] + 6)) * np.sin(AXIS_FREQUENCIES * (y[i] + 6)))
             for i in range(D) for w in [axis_weights(*theta[D + 4 : D + 6])[0]])  # fmt: skip
    v = radial_weights(*theta[D + 6 : D + 8])[0]
    r = [radial_sines(frames.radial.into(p[None]))[0] for p in (x, y)]
    return float(k + v @ (r[0] * r[1]))


def test_the_kernel_is_its_formula(frames: Frames) -> None:
    theta = prior_of(D)[0] + 0.3
    kernel = Kernel(theta, frames)
    b, _ = values(4)
    c = frames.coordinates(b)
    f = kernel.features(c)
    k = kernel.matrix(c, f, c, f)
    direct = np.array([[direct_kernel(theta, frames, x, y) for y in b] for x in b])
    np.testing.assert_allclose(k, direct, rtol=1e-10)
    np.testing.assert_allclose(kernel.diagonal(c, f), np.diag(direct), rtol=1e-10)


def test_axis_sines_approximate_a_squared_exponential_inside_their_interval() -> None:
    x = np.linspace(-3, 3, 7)[:, None]
    s = axis_sines(x)[:, :, 0]
    k = (s * axis_weights(0.0, 0.5)[0]) @ s.T
    np.testing.assert_allclose(k, np.exp(-0.5 * (x - x.T) ** 2 / np.exp(1.0)), atol=0.02)


def test_clenshaw_sums_the_sine_series() -> None:
    rng = np.random.default_rng(2)
    x, c = rng.uniform(0, np.pi, (5, 2)), rng.normal(size=(12, 2))
    direct = sum(c[m] * np.sin((m + 1) * x) for m in range(12))
    np.testing.assert_allclose(sine_series(x, c), direct, atol=1e-12)


def test_the_hyperparameter_gradient_agrees_with_finite_differences(frames: Frames) -> None:
    b, y = values(15)
    objective = hyperparameters.MapObjective(frames.coordinates(b), y, np.full(15, 1e-2))
    theta = prior_of(D)[0] + 0.4 * np.random.default_rng(3).normal(size=D + 8)
    numeric = optimize.approx_fprime(theta, lambda t: objective(t)[0], 1e-6)
    np.testing.assert_allclose(objective(theta)[1], numeric, atol=1e-4 * np.abs(numeric).max())


def test_the_map_objective_is_the_gaussian_log_density(frames: Frames) -> None:
    b, y = values(6)
    theta, sd = prior_of(D)
    c = frames.coordinates(b)
    kernel = Kernel(theta + 0.1, frames)
    f = kernel.features(c)
    law = stats.multivariate_normal(-0.5 * np.square(b).sum(1), kernel.matrix(c, f, c, f) + 0.1 * np.eye(6))
    prior = 0.5 * np.square(0.1 / sd).sum()
    value = hyperparameters.MapObjective(c, y, np.full(6, 0.1))(theta + 0.1)[0]
    assert value == pytest.approx(-law.logpdf(y) - 3 * np.log(2 * np.pi) + prior)


def test_the_surrogate_is_the_textbook_gaussian_process(frames: Frames) -> None:
    b, y = values(12)
    x, _ = values(5, seed=4)
    kernel = Kernel(prior_of(D)[0], frames)
    surrogate = QuadraticSurrogate(kernel, b, y, np.full(12, 1e-3))
    theta = kernel.theta
    k = np.array([[direct_kernel(theta, frames, p, q) for q in b] for p in b]) + 1e-3 * np.eye(12)
    cross = np.array([[direct_kernel(theta, frames, p, q) for q in b] for p in x])
    own = np.array([[direct_kernel(theta, frames, p, q) for q in x] for p in x])
    mean = cross @ np.linalg.solve(k, y + 0.5 * np.square(b).sum(1)) - 0.5 * np.square(x).sum(1)
    cov = own - cross @ np.linalg.solve(k, cross.T)
    found, variance = surrogate.predict(x)
    np.testing.assert_allclose(found, mean, atol=1e-6)
    np.testing.assert_allclose(variance, np.diag(cov), rtol=1e-3, atol=1e-6)
    one, other = surrogate.conditioned(x[:2]), surrogate.conditioned(x[2:])
    np.testing.assert_allclose(surrogate.covariance(one, other), cov[:2, 2:], atol=1e-6)
    w = np.full(5, 0.2)
    assert surrogate.mean_functional_variance(x, w) == pytest.approx(w @ cov @ w, rel=1e-3, abs=1e-6)


def test_pending_points_change_variances_and_not_means(frames: Frames) -> None:
    b, y = values(12)
    surrogate = QuadraticSurrogate(Kernel(prior_of(D)[0], frames), b, y, np.full(12, 1e-5))
    x = np.full((1, D), 2.5)
    conditioned = surrogate.with_pending(x)
    assert conditioned.predict(x)[1][0] < 0.01 * surrogate.predict(x)[1][0]
    np.testing.assert_allclose(conditioned.mean(b + 0.3), surrogate.mean(b + 0.3), atol=1e-3)


def test_values_are_compressed_only_far_below_the_best_and_stay_in_order() -> None:
    y = np.array([3.0, 0.0, -70.0, -500.0, -1e6])
    shaped, top = compressed(y, 2)
    assert top == 3.0
    np.testing.assert_allclose(shaped[:3], [0.0, -3.0, -73.0])
    assert shaped[3] == pytest.approx(-80 * (1 + np.log(503 / 80)))
    assert np.all(np.diff(shaped) < 0)


def test_values_far_below_the_best_bind_less_the_lower_they_are() -> None:
    shaped = -np.array([0.0, 9.9, 10.0, 12.0, 300.0])
    np.testing.assert_allclose(np.sqrt(EXACT_VALUES.variance(-shaped, 2)), [0.0, 0.0, 0.0, 0.4, 58.0])


@pytest.mark.parametrize(
    ("y", "impossible", "kind"),
    [(1.0, False, "ok"), (None, False, "failed"), (np.nan, False, "failed"), (np.inf, False, "failed"),
     (-np.inf, False, "impossible"), (None, True, "impossible"), (-1e12, False, "impossible")],
)  # fmt: skip
def test_every_outcome_has_a_kind(y: float | None, impossible: bool, kind: str) -> None:
    assert outcome_of(Tell(0, np.zeros(1), y, impossible=impossible), top=0.0) == kind


def bimodal_log_density(x: np.ndarray) -> np.ndarray:
    parts = [
        stats.multivariate_normal([m, 0.0], np.eye(2) * 0.3).logpdf(x) + np.log(w) for m, w in ((-2, 0.3), (2, 0.7))
    ]
    return np.logaddexp(*parts)


def found_bimodal() -> tuple[posterior.PosteriorDraws, np.ndarray]:
    base = base_points(2, 8000, 0)
    start = Proposal(np.ones(1), np.zeros((1, 2)), np.eye(2)[None] * 4.0)
    rng = np.random.default_rng(5)
    moved = posterior.move(lambda x, q: bimodal_log_density(x), start, base, rng)
    return posterior.sample(lambda x, q: bimodal_log_density(x), moved, base, rng), base


def test_population_monte_carlo_finds_evidence_and_moments_of_a_bimodal_density() -> None:
    draws, _ = found_bimodal()
    assert draws.log_z == pytest.approx(0.0, abs=0.02)
    assert draws.ess > 0.5
    mean, covariance = draws.moments()
    np.testing.assert_allclose(mean, [0.8, 0.0], atol=0.04)
    assert covariance[0, 0] == pytest.approx(0.3 + 4.0 - 0.64, rel=0.03)


def test_a_thin_crescent_gets_a_proposal_of_more_components() -> None:
    def crescent(x: np.ndarray, _: np.ndarray) -> np.ndarray:
        radius, angle = np.hypot(*x.T), np.arctan2(x[:, 1], x[:, 0])
        return stats.norm(1.0, 0.015).logpdf(radius) + stats.norm(0.0, 0.8).logpdf(angle) - np.log(radius + 1e-300)

    base, rng = base_points(2, 8000, 0), np.random.default_rng(5)
    moved = posterior.move(crescent, Proposal(np.ones(1), np.zeros((1, 2)), np.eye(2)[None]), base, rng)
    draws = posterior.sample(crescent, moved, base, rng)
    assert len(moved.weights) > posterior.COMPONENTS
    assert draws.ess > 0.2
    assert draws.log_z == pytest.approx(0.0, abs=0.03)


def test_a_mode_that_the_draws_have_lost_is_noticed_at_its_evaluations_and_won_back() -> None:
    def far_apart(x: np.ndarray, _: np.ndarray) -> np.ndarray:
        left, right = (stats.multivariate_normal([m, 0.0], np.eye(2) * 0.01).logpdf(x) for m in (-3, 3))
        return np.logaddexp(left + np.log(0.3), right + np.log(0.7))

    base, rng = base_points(2, 8000, 0), np.random.default_rng(5)
    start = Proposal(np.ones(1), np.array([[3.0, 0.0]]), np.eye(2)[None] * 0.01)
    draws = posterior.sample(far_apart, posterior.move(far_apart, start, base, rng), base, rng)
    assert draws.log_z == pytest.approx(np.log(0.7), abs=0.02), "a third of the mass is missing"
    assert draws.ess > 0.8, "... and the draws cannot know"
    evaluated = np.array([[3.0, 0.1], [0.0, 0.0], [-3.1, 0.0], [2.9, -0.1], [-3.0, 0.05]])
    lost = posterior.overlooked(far_apart, draws, evaluated)
    assert set(lost.tolist()) == {2, 4}
    whole = posterior.search(far_apart, start, base, rng, lambda p: posterior.sample(far_apart, p, base, rng), evaluated)
    assert whole.log_z == pytest.approx(0.0, abs=0.03)
    assert len(posterior.overlooked(far_apart, whole, evaluated)) == 0


def test_the_mixtures_elbo_is_below_the_evidence_and_close_to_it() -> None:
    draws, base = found_bimodal()
    rng = np.random.default_rng(6)
    fitted = mixture.fit_mixture(draws, None, 12, lambda x, q: bimodal_log_density(x), base, rng)
    assert -0.05 < fitted.elbo < 3 * fitted.elbo_sd + 0.005
    again = mixture.fit_mixture(draws, fitted.components, 12, lambda x, q: bimodal_log_density(x), base, rng)
    assert len(again.components.weights) == len(fitted.components.weights)


def test_a_mixture_is_found_although_one_draw_holds_all_the_weight() -> None:
    base = base_points(2, 8000, 0)
    points = np.random.default_rng(8).normal(size=(4000, 2))
    log_weights = np.full(4000, -800.0)
    log_weights[3] = 0.0
    start = Proposal(np.ones(1), np.zeros((1, 2)), np.eye(2)[None])
    draws = posterior.PosteriorDraws(points, log_weights, log_weights, 0.0, 1 / 4000, 1.0, start)
    rng = np.random.default_rng(9)
    fitted = mixture.fit_mixture(draws, None, 12, lambda x, q: -0.5 * np.square(x).sum(1), base, rng)
    assert np.isfinite(fitted.elbo)
    np.testing.assert_allclose(fitted.components.means[0], points[3], atol=1e-6)


def test_one_em_step_on_gaussian_draws_recovers_the_gaussian() -> None:
    rng = np.random.default_rng(7)
    x = rng.multivariate_normal([1.0, -1.0], [[1.0, 0.6], [0.6, 2.0]], 20_000)
    start = Proposal(np.ones(1), np.zeros((1, 2)), np.eye(2)[None])
    moved = em_step(start, x, np.full(len(x), 1 / len(x)), start.log_parts(x))
    np.testing.assert_allclose(moved.means[0], [1.0, -1.0], atol=0.05)
    np.testing.assert_allclose(moved.covariances[0], [[1.0, 0.6], [0.6, 2.0]], atol=0.08)


def test_proposal_density_integrates_to_one() -> None:
    proposal = Proposal(np.array([0.4, 0.6]), np.array([[0.0], [3.0]]), np.array([[[1.0]], [[0.2]]]))
    grid = np.linspace(-200, 200, 400_001)[:, None]
    assert np.trapezoid(np.exp(proposal.log_density(grid)), grid[:, 0]) == pytest.approx(1.0, abs=1e-3)


def test_the_guard_removes_a_far_peak_that_the_surrogate_is_unsure_of() -> None:
    value = np.array([0.0, -1.0, 30.0])
    sd = np.array([0.1, 0.2, 13.0])
    guarded = guarded_density.guarded(value.copy(), np.zeros(3), lambda which: sd[which])
    assert guarded[2] < -50
    np.testing.assert_allclose(guarded[:2], [0.0, -1.0])


def test_the_guard_reaches_every_layer_of_a_surrogate_that_explodes_far_away() -> None:
    far = np.linspace(20.0, 20_000.0, 3000)  # many times what is looked at layer by layer
    value = np.concatenate([[0.0, -1.0], far])
    sd = np.concatenate([[0.1, 0.2], 3.0 * far])
    guarded = guarded_density.guarded(value.copy(), np.zeros(len(value)), lambda which: sd[which])
    assert np.argmax(guarded) == 0
    assert guarded[2:].max() < -50


def test_the_hull_does_not_follow_a_flat_target_for_ever() -> None:
    b = np.array([[0.0], [1.0], [1000.0]])
    hull = guarded_density.Hull.of(b, np.zeros(3))
    assert hull.upper[0] < 50
    assert guarded_density.Hull.of(b, np.array([9.0, 9.0, 0.0])).upper[0] > 1000


def checked(residuals: list[float]) -> certification.Certification:
    c = certification.Certification.of(np.zeros((len(residuals), 2)), np.zeros((0, 2)))
    for position, residual in enumerate(residuals):
        c.add(position, residual)
    return c


def test_certification_accepts_small_residuals_and_refuses_a_biased_surrogate() -> None:
    good = checked([0.01, -0.02, 0.0, 0.03, -0.01])
    accepted, correction, se = good.verdict(2)
    assert accepted
    assert correction == pytest.approx(np.log(np.mean(np.exp(good.residuals))))
    assert se < 0.02
    assert not checked([0.3, 0.2, 0.4, 0.3, 0.3]).verdict(2)[0]


def test_a_check_that_turns_out_impossible_counts_as_lost_mass() -> None:
    one_of_five = checked([0.0, 0.0, 0.0, 0.0, -np.inf])
    accepted, correction, _ = one_of_five.verdict(2)
    assert not accepted
    assert correction == pytest.approx(np.log(0.8))


def test_the_stop_rule_names_what_is_missing() -> None:
    fine = stopping.Fresh(0.01, 1.0, -3.0, 0.01, 0.8, 1.0)
    history = [fine] * 8
    assert stopping.unmet(history, 30, 2, 0.3, 0.05, 0.1) == []
    surprised = [*history[:-1], stopping.Fresh(2.0, 1.0, -3.0, 0.01, 0.8, 1.0)]
    assert "not come out as predicted" in stopping.unmet(surprised, 30, 2, 0.3, 0.05, 0.1)[0]
    moved = [*history[:-1], stopping.Fresh(0.0, 1.0, -2.0, 0.01, 0.8, 1.0)]
    assert "still moves" in stopping.unmet(moved, 30, 2, 0.3, 0.05, 0.1)[0]


def test_a_low_value_that_surprises_does_not_block_the_stop() -> None:
    low = stopping.Fresh(-5.0, float(np.exp(-20.0)), -3.0, 0.01, 0.8, 1.0)
    assert stopping.unmet([low] * 8, 30, 2, 0.3, 0.05, 0.1) == []


def test_a_place_found_hundreds_of_nats_below_its_prediction_makes_the_evidence_unknown_not_absurd() -> None:
    low = stopping.Fresh(-1700.0, 1.0, -3.0, 0.01, 0.8, 1.0)
    assert stopping.unmet([low] * 8, 30, 2, 0.3, 0.05, 0.1)
    assert stopping.residual_rms([low] * 8, 2) == stopping.LARGEST_RESIDUAL


@pytest.mark.parametrize(
    "refuted", [stopping.Fresh(-4500.0, 1.0, 25.0, 2.0, 0.8, 1.0), stopping.Fresh(0.0, 1.0, 25.0, 2.0, 0.0, 0.3)]
)
def test_the_evidence_of_an_answer_that_runs_refute_is_unsure_by_how_far_it_lies_from_the_last_they_did_not(
    refuted: stopping.Fresh,
) -> None:
    """A surrogate that states 25 for hundreds of runs, each of which it foretells wrongly (or whose draws mean nothing)."""
    right = stopping.Fresh(0.1, 1.0, -7.0, 0.1, 0.8, 1.0)
    history: list[stopping.Fresh] = []
    for fresh in [right] * 50 + [refuted] * 200:
        history = stopping.kept([*history, fresh], 3)
    assert len(history) <= stopping.KEPT_HISTORY + stopping.window_length(3)
    assert stopping.evidence_range(history, 3) == 32.0
    for _ in range(stopping.window_length(3)):
        assert stopping.evidence_range(history, 3) == 32.0
        history = stopping.kept([*history, right], 3)
    assert stopping.evidence_range(history, 3) == 0.0


def test_the_classifier_learns_a_straight_edge_and_avoids_failed_places() -> None:
    rng = np.random.default_rng(8)
    x = rng.uniform(-2, 2, (60, 2))
    good = x[:, 0] > 0.3
    feasibility = Feasibility(Whitening.none(2), x[good], x[~good], np.array([[1.5, 1.5]]))
    test = rng.uniform(-2, 2, (500, 2))
    clear = np.abs(test[:, 0] - 0.3) > 0.4
    said = feasibility.log_possible(test) > np.log(0.5)
    assert np.mean(said[clear] == (test[clear, 0] > 0.3)) > 0.97
    assert feasibility.log_runs(np.array([[1.5, 1.5]]))[0] < -10
    at = feasibility.doubt(np.array([[0.3, 0.0], [1.8, 0.0]]))
    assert at[0] > 5 * at[1]


@pytest.mark.parametrize(
    ("fails", "share"),
    [(lambda x, _: x[:, 0] > 0.5, 0.31), (lambda _, chance: chance < 0.1, 0.0)],
    ids=["beyond an edge", "by chance"],
)
def test_the_mass_where_runs_fail_is_that_beyond_their_edge_and_not_that_of_failures_by_chance(
    fails: Callable[[np.ndarray, np.ndarray], np.ndarray], share: float
) -> None:
    rng = np.random.default_rng(11)
    x, draws, nobody = rng.standard_normal((80, 2)) * 1.5, rng.standard_normal((4000, 2)), np.empty((0, 2))
    failed = fails(x, rng.random(80))
    feasibility = Feasibility(Whitening.none(2), x[~failed], nobody, x[failed])
    assert feasibility.failing_mass(draws, np.full(4000, 1 / 4000)) == pytest.approx(share, abs=0.08)
    assert Feasibility(Whitening.none(2), x, nobody, nobody).failing_mass(draws, np.full(4000, 1 / 4000)) == 0.0


def test_a_box_without_width_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="plausible box"):
        BoxFrame.of(np.zeros(2), np.array([1.0, 0.0]))


def test_whitening_gives_unit_moments() -> None:
    x = np.random.default_rng(9).multivariate_normal([3.0, -1.0], [[2.0, 1.2], [1.2, 1.0]], 50_000)
    z = Whitening.of_moments(x.mean(0), np.cov(x.T)).into(x)
    np.testing.assert_allclose(np.cov(z.T), np.eye(2), atol=1e-5)


def test_an_unknown_option_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="exploration"):
        read_options(DefaultOptions, {"explorationn": 1.0})


def test_what_the_confirming_runs_changed_is_told_in_two_digits() -> None:
    assert without_them(-0.03204, 0.0086) == "(they moved the log evidence by 0.0320 ± 0.0086)"
