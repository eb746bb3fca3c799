"""The map of failure: against Gibbs sampling of the augmented model, scikit-learn, finite differences, and random regions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from polya_gamma import polya_gamma
from scipy import special

from bayescope.engine.feasibility import causes, success_map
from bayescope.engine.feasibility.hyperparameters import MapFit
from bayescope.engine.feasibility.laplace import Mode, Start, polya_gamma_mean, slope
from bayescope.engine.feasibility.success_process import Begun, pivoted
from bayescope.engine.numerics.success_kernel import SuccessKernel, prior

Array = np.ndarray


def gibbs(k: Array, y: Array, sweeps: int, rng: np.random.Generator) -> Array:
    """(sweeps, n) draws of f | y of the model augmented with Polya-Gamma variables; y: +1 or -1."""
    f, inverse, kept = np.zeros(len(y)), np.linalg.inv(k + 1e-6 * np.eye(len(k))), []
    for _ in range(sweeps):
        omega = polya_gamma(f, rng)
        covariance = np.linalg.inv(inverse + np.diag(omega))
        f = covariance @ (y / 2) + np.linalg.cholesky(covariance) @ rng.standard_normal(len(y))
        kept.append(f)
    return np.array(kept[sweeps // 10 :])


def circle(n: int, d: int = 2, seed: int = 0) -> tuple[Array, np.ndarray]:
    x = np.random.default_rng(seed).uniform(-2, 2, (n, d))
    return x, np.linalg.norm(x[:, :2] - 1.0, axis=1) > 0.9


def test_the_probabilities_agree_with_gibbs_sampling_of_the_augmented_model() -> None:
    rng = np.random.default_rng(1)
    x = rng.uniform(-2, 2, (40, 2))
    kernel = SuccessKernel(np.array([1.0, 1.5]), 2.0, 0.5)
    good = rng.random(40) < special.expit(3 * x[:, 0])
    f = gibbs(kernel(x, x), np.where(good, 1.0, -1.0), 3000, rng)
    begun = Begun.of(kernel, x, good, by_chance=False)
    for process in (begun.settled(), begun.with_moments()):
        assert np.exp(process.log_allowed(x)) == pytest.approx(special.expit(f).mean(0), abs=0.06)
    drawn = process.functions(x, 4000, rng)
    assert drawn.mean(0) == pytest.approx(process.log_odds(x)[0], abs=0.15)
    assert drawn.std(0) == pytest.approx(process.log_odds(x)[1], rel=0.1)


def test_the_mean_of_a_polya_gamma_variable_is_that_of_its_draws() -> None:
    c = np.array([0.0, 0.5, 2.0, 8.0])
    drawn = np.array([polya_gamma(c, np.random.default_rng(i), 500) for i in range(2000)]).mean(0)
    assert polya_gamma_mean(c) == pytest.approx(drawn, rel=0.04)


def test_the_slope_of_the_evidence_is_that_of_finite_differences() -> None:
    x, good = circle(30)
    theta = prior(2)[0] + 0.2

    def evidence(t: Array) -> Mode:
        start = Start.none(len(x))
        for _ in range(8):  # to the last digit
            mode = Mode.of(pivoted(SuccessKernel.of(t), x)[0], good, start, by_chance=False)
            start = Start(mode.log_odds, mode.by_chance)
        return mode

    step = 1e-4 * np.eye(4)
    numeric = [(evidence(theta + e).evidence - evidence(theta - e).evidence) / 2e-4 for e in step]
    assert slope(SuccessKernel.of(theta), x, good, evidence(theta)) == pytest.approx(numeric, abs=2e-3)


def test_five_failures_in_a_corner_are_a_place_and_the_rest_of_the_box_is_not() -> None:
    rng = np.random.default_rng(3)
    corner, rest = rng.uniform(1.0, 2.0, (5, 2)), rng.uniform(-2, 2, (60, 2))
    rest = rest[~np.all(rest > 0.8, axis=1)]
    found = success_map.fitted(rest, corner)
    assert np.exp(found.log_allowed(np.array([[1.5, 1.5]])))[0] < 0.2
    assert np.exp(found.log_allowed(np.array([[-1.5, -1.5], [0.0, 0.0]]))).min() > 0.95
    assert found.by_chance.max() < 0.2


def test_a_tenth_that_fails_anywhere_is_by_chance_and_has_no_place() -> None:
    rng = np.random.default_rng(4)
    x = rng.uniform(-2, 2, (120, 2))
    failed = rng.random(120) < 0.1
    found = success_map.fitted(x[~failed], x[failed])
    assert found.by_chance.mean() > 0.8
    assert np.exp(found.log_success(x)).mean() == pytest.approx(1 - failed.mean(), abs=0.05)


def test_chance_beside_a_place_is_told_from_it() -> None:
    x, good = circle(200)
    chance = np.random.default_rng(5).random(200) < 0.08
    found = success_map.fitted(x[good & ~chance], x[~(good & ~chance)])
    lonely = (good & chance)[~(good & ~chance)]
    assert found.by_chance[lonely].mean() > found.by_chance[~lonely].mean() + 0.2


@pytest.mark.parametrize("ring", [True, False])
def test_runs_right_beside_failed_ones_tell_a_thin_ring_from_chance(ring: bool) -> None:
    rng = np.random.default_rng(8)
    x = np.concatenate([0.5 * rng.standard_normal((40, 2)), rng.uniform(-2, 2, (10, 2))])
    good = np.abs(np.linalg.norm(x, axis=1) - 0.65) > 0.04
    assert 3 <= (~good).sum() <= 8
    beside = x[~good][:3] + 1e-5
    whole, fine = np.concatenate([x, beside]), np.append(good, np.full(3, not ring))
    before, after = success_map.fitted(x[good], x[~good]), success_map.fitted(whole[fine], whole[~fine])
    assert after.chance_at_all < min(before.chance_at_all, 0.2) if ring else after.chance_at_all > max(before.chance_at_all, 0.8)


def half_plane(x: Array) -> Array:
    return x[:, 0] + 0.5 * x[:, 1] > 0.7


def beyond_a_time(x: Array) -> Array:
    return 0.8 * x[:, 0] + 0.5 * np.square(x[:, 1]) > 0.8


@pytest.mark.parametrize("fails", [half_plane, beyond_a_time, lambda x: np.linalg.norm(x - 0.8, axis=1) < 1.0])
def test_probabilities_are_calibrated_and_better_than_scikit_learns(fails: Callable[[Array], Array]) -> None:
    classifier = pytest.importorskip("sklearn.gaussian_process")
    rng = np.random.default_rng(6)
    x, at = rng.uniform(-2, 2, (100, 2)), rng.uniform(-2, 2, (3000, 2))
    good, there = ~fails(x), ~fails(at)
    p = np.exp(success_map.fitted(x[good], x[~good]).log_success(at))
    other = classifier.GaussianProcessClassifier(10.0 * classifier.kernels.RBF(1.0)).fit(x, good).predict_proba(at)[:, 1]
    ours, theirs = (np.log(np.clip(np.where(there, q, 1 - q), 1e-3, 1)).mean() for q in (p, other))
    assert ours > theirs
    bins = np.minimum((p * 10).astype(int), 9)
    error = sum(abs(p[bins == b].mean() - there[bins == b].mean()) * np.mean(bins == b) for b in np.unique(bins))
    assert error < 0.05


def test_many_runs_are_known_through_pivots_nearly_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    x, good = circle(140)
    kernel = SuccessKernel(np.array([1.0, 1.0]), 8.0, 1.0)
    whole = Begun.of(kernel, x, good).settled().log_allowed(x)
    monkeypatch.setattr("bayescope.engine.feasibility.success_process.MOST_PIVOTS", 60)
    assert np.exp(Begun.of(kernel, x, good).settled().log_allowed(x)) == pytest.approx(np.exp(whole), abs=0.1)


def test_a_fit_is_kept_and_read_back_and_gives_the_same_map() -> None:
    x, good = circle(60)
    fits = success_map.refitted(x[good], x[~good], {}, (False, True))
    again = {chance: MapFit.of_state(fit.to_state()) for chance, fit in fits.items()}
    one, two = (success_map.SuccessMap.of(x[good], x[~good], f).log_allowed(x) for f in (fits, again))
    assert np.array_equal(one, two)
    assert success_map.refitted(x[good], x[~good], fits, (False, True)) == fits  # nothing new: nothing is fitted again


def test_all_outcomes_alike_are_no_error() -> None:
    x = np.random.default_rng(7).uniform(-2, 2, (12, 3))
    found = success_map.fitted(np.empty((0, 3)), x)
    assert np.exp(found.log_success(x)).max() < 0.5
    assert causes.AllByChance(np.ones(5, dtype=bool)).evidence < 0.0
