"""Sensitivities of methods whose surrogate draws no functions: drawn through the runs themselves."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.numerics.randomness import generator
from bayescope.engine.problem.definition import Parameter, Uniform
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.sensitivity.distribution import over_prior
from bayescope.engine.sensitivity.indices import ScoreDensity, of_score
from bayescope.engine.sensitivity.possible_functions import PossibleFunctions
from bayescope.engine.sensitivity.run_values import RunValues

SPACE = ParameterSpace(tuple(Parameter(name=n, prior=Uniform(low=0.0, high=1.0)) for n in "ab"))


def values(count: int, seed: int = 0) -> RunValues:
    theta = np.random.default_rng(seed).uniform(0.02, 0.98, (count, 2))
    y = -8.0 * (theta[:, 0] - 0.5) ** 2 - 2.0 * theta[:, 1]
    y[1] = np.nan
    found = RunValues.of(theta, y, np.zeros(count), SPACE)
    assert found is not None
    return found


def test_failed_runs_do_not_count_and_very_low_values_count_less() -> None:
    found = values(30)
    assert len(found.y) == 29
    assert found.few
    assert not values(9).few
    assert not values(300).few
    low = RunValues(found.u, np.where(np.arange(29) == 3, -5000.0, found.y), found.sds, found.box)
    _, shaped, variances = low.shaped
    assert shaped[3] > -1000.0
    assert variances[3] > 1.0
    np.testing.assert_allclose(np.delete(shaped, 3), np.delete(found.y, 3))
    beyond = found.box.back(np.array([[60.0, 0.0], [0.0, 0.0]]))
    assert np.isfinite(found.trusted(beyond)).tolist() == [False, True]


def test_their_intervals_hold_the_exact_indices() -> None:
    """Of -8 (a - 1/2)^2 - 2 b, uniform: variances 64 / 180 and 4 / 12, no interaction."""
    found, exact = values(24), np.array([64.0 / 180.0, 4.0 / 12.0])
    functions = PossibleFunctions.of_values(*found.shaped, generator(0, "functions"), lambda: None)
    at = over_prior(SPACE, 256, generator(0, "prior"))
    made = of_score(ScoreDensity(found.trusted, None, functions), at, "prior", generator(0, "x"))
    assert made is not None
    for share, first, total in zip(exact / exact.sum(), made.first, made.total, strict=True):
        assert first[1] - 0.02 <= share <= first[2] + 0.02
        assert total[0] == pytest.approx(share, abs=0.1)
