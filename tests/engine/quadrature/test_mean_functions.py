from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from bayescope.engine.quadrature.gaussians import check_shapes
from bayescope.engine.surrogate.means import Constant, Mean, NegativeQuadratic, Zero

QUADRATIC = NegativeQuadratic(
    torch.tensor(1.5).double(), torch.tensor([0.2, -0.4, 1.0]).double(), torch.tensor([-0.1, 0.4, 0.0]).double()
)


@pytest.mark.parametrize("diagonal", [True, False])
@pytest.mark.parametrize("mean", [Zero(), Constant(-20.0), QUADRATIC])
def test_mean_function_integrals_agree_with_monte_carlo(
    mean: Mean, diagonal: bool, gaussians: Callable[..., tuple[Tensor, Tensor]], draws: Callable[..., Tensor]
) -> None:
    means, covariances = gaussians(2, 3, diagonal)
    mean = mean.to(means.device)
    exact = mean.integral(means, covariances)
    for k, x in enumerate(draws(means, covariances, 100_000, 7)):
        values = mean.value(x)
        assert abs(float(exact[k] - values.mean())) <= 3 * float(values.std()) / math.sqrt(100_000) + 1e-12


def test_the_quadratic_mean_integral_has_the_gradient_of_finite_differences(
    gaussians: Callable[..., tuple[Tensor, Tensor]],
) -> None:
    means, covariances = gaussians(2, 3, True)
    mean = QUADRATIC.to(means.device)
    assert torch.autograd.gradcheck(mean.integral, (means.requires_grad_(), covariances.requires_grad_()))


def test_gaussians_of_the_wrong_shape_are_refused_in_words() -> None:
    with pytest.raises(ValueError, match="need means"):
        check_shapes(torch.zeros(3).double(), torch.zeros(3, 3).double())
    with pytest.raises(ValueError, match="need means"):
        check_shapes(torch.zeros(2, 3).double(), torch.zeros(2, 4).double())
