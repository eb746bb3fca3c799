"""Sensitivity indices of functions whose indices are known in closed form, and over the distributions they are taken over."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.numerics.sobol_indices import rank_bases, variances
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.sensitivity.distribution import Moved, over_posterior, over_prior

Array = np.ndarray
ISHIGAMI = ([0.3139, 0.4424, 0.0], [0.5576, 0.4424, 0.2437])  # a = 7, b = 0.1
HEAVY = np.array([0.0, 1.0, 4.5, 9.0])


def ishigami(x: Array) -> Array:
    return np.asarray(np.sin(x[..., 0]) + 7.0 * np.sin(x[..., 1]) ** 2 + 0.1 * x[..., 2] ** 4 * np.sin(x[..., 0]))


def g_function(x: Array) -> Array:
    return np.asarray(np.prod((np.abs(4.0 * x - 2.0) + HEAVY) / (1.0 + HEAVY), axis=-1))


def of_g_function() -> tuple[Array, Array]:
    """Saltelli and Sobol 1995."""
    own = 1.0 / (3.0 * (1.0 + HEAVY) ** 2)
    whole = np.prod(1.0 + own) - 1.0
    return own / whole, own * np.prod(1.0 + own) / (1.0 + own) / whole


def uniform(low: float, high: float, count: int) -> ParameterSpace:
    return ParameterSpace([d.Parameter(name=f"x{k}", prior=d.Uniform(low=low, high=high)) for k in range(count)])


def indices(f, at: Moved, space: ParameterSpace) -> tuple[Array, Array]:
    base, moved = f(space.to_user(at.points)), np.stack([f(space.to_user(m)) for m in at.moved])
    return variances(base[:, None], moved[:, :, None], rank_bases(at.points)).indices()


@pytest.mark.parametrize(
    ("f", "space", "expected"),
    [(ishigami, uniform(-np.pi, np.pi, 3), ISHIGAMI), (g_function, uniform(0.0, 1.0, 4), of_g_function())],
)
def test_over_the_prior_indices_are_those_in_closed_form(f, space: ParameterSpace, expected) -> None:
    first, total = indices(f, over_prior(space, 4096, np.random.default_rng(2)), space)
    np.testing.assert_allclose(first, expected[0], atol=0.01)
    np.testing.assert_allclose(total, expected[1], atol=0.02)


def mixture(weights, means, covariances) -> StoredPosterior:
    count = np.shape(means)[1]
    space = ParameterSpace([d.Parameter(name=f"x{k}", prior=d.Normal(mean=0.0, sd=1.0)) for k in range(count)])
    return StoredPosterior(space, weights, means, covariances)


def test_of_dependent_parameters_a_linear_output_has_the_indices_of_conditional_normals() -> None:
    root = np.array([[1.0, 0.0, 0.0], [0.8, 0.6, 0.0], [-0.5, 0.3, 0.4]])
    covariance, slope = root @ root.T, np.array([1.0, -2.0, 0.5])
    at = over_posterior(mixture([1.0], np.zeros((1, 3)), covariance[None]), 8192, np.random.default_rng(3))
    f = lambda u: u @ slope  # noqa: E731
    first, total = variances(
        f(at.points)[:, None], np.stack([f(m) for m in at.moved])[:, :, None], rank_bases(at.points)
    ).indices()
    whole = slope @ covariance @ slope
    np.testing.assert_allclose(first, (covariance @ slope) ** 2 / np.diag(covariance) / whole, atol=0.04)
    np.testing.assert_allclose(total, slope**2 / np.diag(np.linalg.inv(covariance)) / whole, atol=0.03)


def test_what_is_drawn_anew_has_the_distribution_of_the_mixture_given_the_others() -> None:
    means = np.array([[-2.0, 0.0], [2.0, 1.0]])
    covariances = np.array([[[0.5, 0.3], [0.3, 0.4]], [[0.2, -0.1], [-0.1, 0.3]]])
    posterior = mixture([0.3, 0.7], means, covariances)
    at = over_posterior(posterior, 40_000, np.random.default_rng(4))
    exact = posterior.covariance()
    for moved in (at.points, *at.moved):
        np.testing.assert_allclose(moved.mean(0), posterior.mean(), atol=0.05)
        np.testing.assert_allclose(np.cov(moved.T), exact, atol=0.06)
    assert (at.moved[0][:, 1] == at.points[:, 1]).all()
    beside = np.abs(at.points[:, 1] - 0.9) < 0.05  # both modes reach there: 0.9 of what lies there is of the second
    was, now = at.points[beside, 0], at.moved[0][beside, 0]
    assert now.mean() == pytest.approx(was.mean(), abs=0.15)
    assert (now > 0.0).mean() == pytest.approx((was > 0.0).mean(), abs=0.04)
    assert abs(np.corrcoef(was, now)[0, 1]) < 0.08  # anew


def test_several_functions_together_count_by_their_variances() -> None:
    space = uniform(-np.pi, np.pi, 3)
    at = over_prior(space, 2048, np.random.default_rng(2))
    both = lambda x: np.stack([3.0 * x[..., 0], ishigami(x)], -1)  # noqa: E731
    found = variances(
        both(space.to_user(at.points)), np.stack([both(space.to_user(m)) for m in at.moved]), rank_bases(at.points)
    )
    first, total = found.each()
    np.testing.assert_allclose(first[:, 0], [1.0, 0.0, 0.0], atol=0.01)
    np.testing.assert_allclose(found.indices()[1], total @ found.whole / found.whole.sum(), rtol=1e-9)


def test_a_prior_that_is_endless_or_far_wider_than_plausible_is_replaced_by_the_plausible_range() -> None:
    space = ParameterSpace(
        [
            d.Parameter(name="cauchy", prior=d.HalfCauchy(scale=1.0)),
            d.Parameter(name="wide", prior=d.Normal(mean=0.0, sd=100.0), plausible=(-1.0, 1.0)),
            d.Parameter(name="own", prior=d.Normal(mean=2.0, sd=0.5)),
        ]
    )
    at = over_prior(space, 1024, np.random.default_rng(5))
    assert at.plausible == ("cauchy", "wide")
    theta = space.to_user(at.points)
    assert np.abs(theta[:, 1]).max() <= 1.0
    assert theta[:, 2].std() == pytest.approx(0.5, rel=0.02)
