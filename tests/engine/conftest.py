from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from bayescope.engine.sampling.mixture import GaussianMixture


@pytest.fixture
def random_mixture() -> Callable[..., GaussianMixture]:
    def make(components: int, dimension: int, seed: int = 0, diagonal: bool = False) -> GaussianMixture:
        rng = np.random.default_rng(seed)
        a = 0.4 * rng.standard_normal((components, dimension, dimension)) + np.eye(dimension)
        covariances = np.matmul(a, np.swapaxes(a, 1, 2))
        if diagonal:
            covariances = covariances * np.eye(dimension)
        weights = rng.dirichlet(3.0 * np.ones(components))
        return GaussianMixture(weights, rng.standard_normal((components, dimension)), covariances)

    return make
