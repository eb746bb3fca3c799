"""The exact look-ahead of IMIQR with a sparse GP, against building the surrogate anew with the point in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from bayescope.engine.acquisition.functions import IntegrationPoints, integrated_interquartile_range
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.look_ahead import LookAhead
from bayescope.engine.surrogate.means import NegativeQuadratic
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.scaling import OutputScaling
from bayescope.engine.surrogate.sparse import SparseSurrogate

Data = Callable[..., tuple[Tensor, Tensor, Tensor]]


def _surrogate(data: Data, variant: str = "vfe") -> SparseSurrogate:
    x, y, noise = data(120, 2)
    model = Model(SquaredExponential.start(2, 1.5), NegativeQuadratic.start(2), OutputScaling.of(y, "normalize"))
    return SparseSurrogate.build(model, x[:12], x, y, noise + 0.01, variant)  # type: ignore[arg-type]


@pytest.mark.parametrize("variant", ["vfe", "dtc"])
def test_the_variance_after_an_evaluation_is_that_of_a_surrogate_built_with_it(data: Data, variant: str) -> None:
    sparse = _surrogate(data, variant)
    asked, points = data(5, 2, seed=1)[0], data(9, 2, seed=2)[0]
    found = LookAhead.of(sparse).variance(asked, points, 0.3)
    for i in range(5):
        x = asked[i : i + 1]
        anew = SparseSurrogate.build(
            sparse.model,
            torch.cat([sparse.inducing, x]),
            torch.cat([sparse.train_inputs, x]),
            torch.cat([sparse.train_targets, torch.zeros(1).double()]),
            torch.cat([sparse.noise_variance, torch.tensor([0.3]).double()]),
            sparse.variant,
        )
        torch.testing.assert_close(found[i], anew.predict(points)[1], rtol=1e-6, atol=1e-9)


def test_a_point_that_is_an_inducing_point_already_adds_none(data: Data) -> None:
    sparse = _surrogate(data)
    points = data(9, 2, seed=2)[0]
    x = sparse.inducing[3:5]
    found = LookAhead.of(sparse).variance(x, points, 0.3)
    for i in range(2):
        after = sparse.condition(x[i : i + 1], None, torch.tensor([0.3]).double(), inducing=False)
        torch.testing.assert_close(found[i], after.predict(points)[1], rtol=1e-6, atol=1e-9)


def test_imiqr_sees_more_than_the_plain_formula_where_inducing_points_are_few_and_has_a_gradient(data: Data) -> None:
    sparse = _surrogate(data)
    points = data(50, 2, seed=3)[0]
    where = IntegrationPoints(points, torch.full((50,), 0.02).double())
    x = data(4, 2, seed=4)[0]
    variance = LookAhead.of(sparse).variance(x, points, 0.3)
    _, now = sparse.predict(points)
    _, here = sparse.predict(x)
    plain = now - sparse.covariance(x, points) ** 2 / (here + 0.3).unsqueeze(1)
    assert float((plain - variance).abs().max()) > 1e-3 * float(now.max())
    leaf = x.clone().requires_grad_(True)
    acquisition = integrated_interquartile_range(sparse, where, 0.3)
    (gradient,) = torch.autograd.grad(acquisition(leaf).sum(), leaf)
    step = torch.zeros_like(x)
    step[:, 0] = 1e-5
    with torch.no_grad():
        slope = (acquisition(x + step) - acquisition(x - step)) / 2e-5
    torch.testing.assert_close(gradient[:, 0], slope, rtol=1e-4, atol=1e-7)


def test_fitc_has_no_look_ahead(data: Data) -> None:
    with pytest.raises(ValueError, match="FITC"):
        LookAhead.of(_surrogate(data, "fitc"))
