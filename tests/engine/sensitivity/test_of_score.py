"""Indices of a log density that a surrogate knows directly: as those of the function, wider where it is unsure."""

from __future__ import annotations

import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.sensitivity.distribution import over_prior
from bayescope.engine.sensitivity.indices import ScoreDensity, of_score

SLOPE = np.array([3.0, 1.0, 0.0])


def mean(u: np.ndarray) -> np.ndarray:
    """In normal scores of uniform parameters: linear."""
    return np.asarray(u @ SLOPE)


def test_a_density_known_at_its_mean_has_the_indices_of_the_function_and_doubt_widens_them() -> None:
    space = ParameterSpace([d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=1.0)) for n in "abc"])
    at = over_prior(space, 2048, np.random.default_rng(1))
    sure = of_score(ScoreDensity(mean, None), at, "prior", np.random.default_rng(2))
    doubt = lambda u: 1.0 * np.exp(-0.5 * np.square(u[:, None] - u[None]).sum(2))  # noqa: E731
    unsure = of_score(ScoreDensity(mean, doubt), at, "prior", np.random.default_rng(2))
    assert sure is not None
    assert unsure is not None
    np.testing.assert_allclose([f[0] for f in sure.first], [0.9, 0.1, 0.0], atol=0.01)
    np.testing.assert_allclose([t[0] for t in sure.total], [0.9, 0.1, 0.0], atol=0.02)
    assert sure.known == 1.0
    assert abs(unsure.known - 10.0 / 11.0) < 0.03
    widths = [[high - low for _, low, high in i.total] for i in (sure, unsure)]
    assert widths[1][0] > 1.5 * widths[0][0]


def test_a_density_that_is_not_known_in_a_tenth_of_the_places_has_none() -> None:
    space = ParameterSpace([d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=1.0)) for n in "abc"])
    at = over_prior(space, 1024, np.random.default_rng(1))
    nowhere = lambda u: np.where(u[:, 0] > 0.8, -np.inf, mean(u))  # noqa: E731
    assert of_score(ScoreDensity(nowhere, None), at, "prior", np.random.default_rng(2)) is None
