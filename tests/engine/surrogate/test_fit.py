from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor

from bayescope.engine.surrogate.fit import fit
from bayescope.engine.surrogate.kernels.base import NormalPrior
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.means import NegativeQuadratic
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.priors import HyperPrior
from bayescope.engine.surrogate.scaling import OutputScaling

Data = Callable[..., tuple[Tensor, Tensor, Tensor]]


def _model(y: Tensor, d: int) -> Model:
    return Model(SquaredExponential.start(d), NegativeQuadratic.start(d), OutputScaling.of(y, "zeromax"))


def test_hyperparameters_that_made_the_data_are_found_again() -> None:
    g = torch.Generator().manual_seed(2)
    x = 6 * torch.rand(150, 2, generator=g, dtype=torch.float64) - 3
    truth = SquaredExponential(torch.tensor(0.7).double(), torch.tensor([-0.4, 0.6]).double())
    noise = torch.full((150,), 0.01).double()
    covariance = truth.matrix(x, x) + torch.diag(noise)
    y = torch.linalg.cholesky(covariance) @ torch.randn(150, generator=g, dtype=torch.float64)
    found = fit(Model(SquaredExponential.start(2)), x, y, noise).model.kernel
    assert isinstance(found, SquaredExponential)
    np.testing.assert_allclose(found.log_lengthscales.numpy(), [-0.4, 0.6], atol=0.2)
    assert float(found.log_scale) == pytest.approx(0.7, abs=0.4)


def test_a_misreported_noise_is_repaired_by_the_noise_scale(data: Data) -> None:
    x, y, noise = data(150, 2)
    model = Model(SquaredExponential.start(2), NegativeQuadratic.start(2), fit_noise_scale=True)
    found = fit(model, x, y, noise / 4.0).model
    assert found.log_noise_scale == pytest.approx(np.log(2.0), abs=0.25)


def test_more_starts_never_end_lower_and_a_warm_start_needs_fewer_steps(data: Data) -> None:
    x, y, noise = data(40, 2)
    model = _model(y, 2)
    cold = fit(model, x, y, noise, restarts=1, warm=False)
    several = fit(model, x, y, noise, rng=np.random.default_rng(1), restarts=4)
    assert several.objective >= cold.objective - 1e-6
    warm = fit(several.model, x, y, noise, restarts=0)
    assert warm.evaluations < cold.evaluations
    assert warm.objective >= several.objective - 1e-6


def test_a_fixed_hyperparameter_stays_where_it_is(data: Data) -> None:
    x, y, noise = data(30, 2)
    model = _model(y, 2)
    prior = HyperPrior.default(model, x, y, {"kernel.log_scale": NormalPrior(0.3, 1.0, 0.3, 0.3)})
    found = fit(model, x, y, noise, prior).model.kernel
    assert isinstance(found, SquaredExponential)
    assert float(found.log_scale) == 0.3
    with pytest.raises(ValueError, match="No hyperparameter begins"):
        HyperPrior.default(model, x, y, {"kernel.length": NormalPrior(0.0, 1.0, -1.0, 1.0)})


def test_the_same_seed_gives_the_same_fit(data: Data) -> None:
    x, y, noise = data(20, 2)
    first, second = (fit(_model(y, 2), x, y, noise, rng=np.random.default_rng(5), restarts=3) for _ in range(2))
    assert torch.equal(first.model.hyperparameters(), second.model.hyperparameters())
