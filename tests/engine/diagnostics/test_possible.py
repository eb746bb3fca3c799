"""Marginals of functions drawn from a surrogate, against exact Gaussian posteriors of exact functions."""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from bayescope.engine.answer.possible import Possible
from bayescope.engine.diagnostics.possible import possible_marginals


class Slopes:
    """A surrogate of f whose doubt is one unknown slope along the first axis: f = mean + s a b_0, s ~ N(0, 1)."""

    def __init__(self, slope: float) -> None:
        self.slope = slope

    def joint_covariance(self, b: np.ndarray) -> np.ndarray:
        return self.slope**2 * np.outer(b[:, 0], b[:, 0])


class Frame:
    def back(self, b: np.ndarray) -> np.ndarray:
        return 3.0 + 2.0 * b


def drawn(slope: float) -> Possible:
    points = stats.qmc.MultivariateNormalQMC(np.zeros(2), seed=1).random(4096)
    return possible_marginals(Slopes(slope), Frame(), points, np.full(4096, 1 / 4096), np.random.default_rng(2))


def test_a_doubtful_slope_moves_the_mean_of_a_normal_and_leaves_the_other_parameter() -> None:
    # N(0, 1) times exp(s a b) is N(s a, 1): means of the drawn marginals, in units of u, scatter by 2 a
    found = drawn(0.25)
    x = found.u[0]
    own = stats.norm.pdf(x, 3.0, 2.0)
    lines = found.lines(0, x, x, own)
    means = np.trapezoid(lines * x, x, axis=1) / np.trapezoid(lines, x, axis=1)
    assert 0.25 < means.std() < 0.9  # 0.5, of sixteen functions
    assert abs(means.mean() - 3.0) < 0.5
    other = found.lines(1, found.u[1], found.u[1], own)
    assert np.abs(other - own).max() < 0.1 * own.max()


def test_the_expected_variation_is_that_of_the_shifted_normals() -> None:
    # total variation of N(m, 1) from N(0, 1) is 2 Phi(|m| / 2) - 1; m ~ N(0, .25^2); the other parameter has none
    s = np.abs(stats.norm.ppf((np.arange(1000) + 0.5) / 1000)) * 0.25
    exact = 0.5 * float(np.mean(2.0 * stats.norm.cdf(s / 2.0) - 1.0))
    assert abs(drawn(0.25).expected_variation - exact) < 0.5 * exact


def test_without_doubt_all_lines_are_the_answer() -> None:
    found = drawn(0.0)
    assert np.allclose(found.ratio, 1.0, atol=1e-6)
    assert found.expected_variation < 1e-6


class Waves:
    """Doubt that is smooth in the user's units: sd .6, length .1, of a place between the bounds 0 and 1."""

    def joint_covariance(self, b: np.ndarray) -> np.ndarray:
        x = special.expit(b[:, 0])
        return 0.36 * np.exp(-0.5 * np.square((x[:, None] - x) / 0.1))


class Same:
    def back(self, b: np.ndarray) -> np.ndarray:
        return b


def test_beside_a_hard_bound_the_lines_are_as_smooth_as_the_functions() -> None:
    # evenly spread between 0 and 1, a logit apart from inference space: within .01 a function changes by .06 (sd)
    points = stats.logistic.ppf(stats.qmc.Sobol(1, seed=3).random(4096))
    found = possible_marginals(Waves(), Same(), points, np.full(4096, 1 / 4096), np.random.default_rng(4))
    x = np.concatenate([np.linspace(0.0005, 0.01, 30), np.linspace(0.99, 0.9995, 30)])
    ratios = np.stack([np.interp(special.logit(x), found.u[0], r[0]) for r in found.ratio])
    for side in (ratios[:, :30], ratios[:, 30:]):
        assert (side.max(1) / side.min(1)).max() < 1.2


def test_arrays_of_a_stranger_are_no_lines() -> None:
    arrays = drawn(0.1).arrays()
    back = Possible.of(arrays, 2)
    assert back is not None
    assert np.array_equal(back.ratio, drawn(0.1).ratio)
    assert Possible.of(arrays, 3) is None
    assert Possible.of({}, 2) is None
    for name, damaged in (("u", np.zeros((2, 48))), ("ratio", -arrays["possible.ratio"]), ("variation", np.full(16, np.nan))):
        assert Possible.of({**arrays, f"possible.{name}": damaged}, 2) is None
