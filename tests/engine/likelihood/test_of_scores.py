"""The likelihood as a function of the scores against the same by way of all predictions, for every noise model."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bayescope.engine.likelihood import batched_noise as n
from bayescope.engine.likelihood.batched import BatchedLikelihood, Block, NormalLogarithms, OnLogarithms, joined
from bayescope.engine.likelihood.of_scores import Linear, ScoreLikelihood, Through
from bayescope.engine.likelihood.of_sizes import SizedLikelihood

RNG = np.random.default_rng(6)
COUNT, SCORES = 9, 3
Y = torch.as_tensor(RNG.normal(1.0, 0.6, COUNT))
ROOT = torch.as_tensor(np.linalg.cholesky(np.cov(RNG.normal(size=(COUNT, 40)))))
COUNTS = torch.as_tensor(RNG.poisson(4.0, COUNT).astype(float))
NOISES: dict[str, n.Noise] = {
    "one sd": n.Gaussian(Y, 0.4),
    "an sd for each": n.Gaussian(Y, torch.as_tensor(RNG.uniform(0.1, 2.0, COUNT))),
    "inferred sd": n.Gaussian(Y, n.Parameter(1)),
    "logarithms": NormalLogarithms(n.Gaussian(Y, n.Parameter(0))),
    "covariance": n.Covariance(Y, ROOT),
    "integrated": n.SharedVariance(Y, 2.0, 0.7),
    "Student-t": n.StudentT(Y, n.Parameter(0), 4.0),
    "AR(1)": n.Autoregressive(Y, torch.ones(COUNT - 1).double(), 0.5, n.Parameter(1)),
    "counts": OnLogarithms(n.Poisson(COUNTS)),
}
BY_SQUARES = ("one sd", "an sd for each", "inferred sd", "logarithms", "covariance", "integrated")


@pytest.mark.parametrize("silent", [False, True], ids=["all scores matter", "a score that does not matter"])
@pytest.mark.parametrize("name", NOISES)
def test_density_slope_and_curvature_are_those_of_the_predictions(name: str, silent: bool) -> None:
    directions = torch.as_tensor(RNG.normal(size=(SCORES, COUNT + 2)))
    if silent:
        directions[1] = 0.0
    linear = Linear(torch.as_tensor(RNG.normal(size=COUNT + 2)), directions)
    cells = torch.arange(2, COUNT + 2)
    beside = Block(torch.arange(2), n.Gaussian(torch.zeros(2).double(), 1.5))
    likelihood = BatchedLikelihood((Block(cells, NOISES[name]), beside))
    found = ScoreLikelihood.of(likelihood, linear)
    assert isinstance(found.blocks[0], Through) is (name not in BY_SQUARES)
    assert found.widest == (1 if name in BY_SQUARES else COUNT)
    assert likelihood.needed == (0 if name in BY_SQUARES else COUNT)
    assert found.quadratic is likelihood.quadratic
    z, p = torch.as_tensor(RNG.normal(size=(5, SCORES))), torch.as_tensor(RNG.uniform(0.2, 0.8, (5, 2)))
    f = linear.values(z)
    np.testing.assert_allclose(found.log_density(z, p), likelihood.log_density(f, p), rtol=1e-10)
    np.testing.assert_allclose(found.slope(z, p), likelihood.slope(f, p) @ directions.T, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.curvature(z, p), likelihood.curvature(f, p, directions), rtol=1e-9, atol=1e-9)


def test_far_predictions_of_many_values_keep_their_digits() -> None:
    count = 10_000
    t = torch.linspace(0, 1, count).double()
    linear = Linear(torch.sin(20 * t) * 1e4, torch.stack([t, t**2]))
    noise = n.Gaussian(torch.sin(20 * t) * 1e4 + 3.0 * t, 0.01)
    likelihood = BatchedLikelihood((Block(torch.arange(count), noise),))
    z = torch.tensor([[3.0, 0.0], [3.0001, 0.0], [-50.0, 80.0]]).double()
    found = ScoreLikelihood.of(likelihood, linear).log_density(z, torch.zeros(3, 0).double())
    np.testing.assert_allclose(found, likelihood.log_density(linear.values(z), torch.zeros(3, 0).double()), rtol=1e-9)


@pytest.mark.parametrize("name", NOISES)
def test_of_sizes_and_shapes_slope_and_curvature_follow_from_the_chain_rule(name: str) -> None:
    typical = 3.0
    shapes = Linear(torch.zeros(COUNT).double(), torch.as_tensor(RNG.normal(size=(SCORES, COUNT))))
    likelihood = BatchedLikelihood((Block(torch.arange(COUNT), NOISES[name]),))
    found = SizedLikelihood(ScoreLikelihood.of(likelihood, shapes), typical)

    def cells(z: torch.Tensor) -> torch.Tensor:
        return torch.exp(z[:, :1] / typical) * (shapes.directions[0] + z[:, 1:] @ shapes.directions[1:])

    z, p = torch.as_tensor(RNG.normal(size=(5, SCORES))), torch.as_tensor(RNG.uniform(0.2, 0.8, (5, 2)))
    np.testing.assert_allclose(found.log_density(z, p), likelihood.log_density(cells(z), p), rtol=1e-10)
    jacobian = torch.autograd.functional.jacobian(lambda at: cells(at).sum(0), z).permute(1, 2, 0)  # (m, K, L)
    slope = (jacobian @ likelihood.slope(cells(z), p)[:, :, None])[:, :, 0]
    np.testing.assert_allclose(found.slope(z, p), slope, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.curvature(z, p), likelihood.curvature(cells(z), p, jacobian), rtol=1e-9, atol=1e-9)


def test_blocks_whose_noise_is_known_and_alike_are_one_and_say_the_same() -> None:
    students = [n.StudentT(Y[:3], 0.4, 4.0), n.StudentT(Y[3:5], 0.7, 4.0), n.StudentT(Y[5:6], n.Parameter(0), 4.0)]
    normals = [n.Gaussian(Y[6:7], 0.3), n.Gaussian(Y[7:], torch.tensor([0.2, 0.9]).double())]
    cells = torch.arange(COUNT).split([3, 2, 1, 1, 2])
    likelihood = BatchedLikelihood(tuple(Block(c, noise) for c, noise in zip(cells, [*students, *normals], strict=True)))
    assert [len(block.cells) for block in joined(likelihood.blocks)] == [5, 1, 3]
    linear = Linear(torch.as_tensor(RNG.normal(size=COUNT)), torch.as_tensor(RNG.normal(size=(SCORES, COUNT))))
    z, p = torch.as_tensor(RNG.normal(size=(5, SCORES))), torch.as_tensor(RNG.uniform(0.2, 0.8, (5, 2)))
    found, f = ScoreLikelihood.of(likelihood, linear), linear.values(z)
    np.testing.assert_allclose(found.log_density(z, p), likelihood.log_density(f, p), rtol=1e-10)
    np.testing.assert_allclose(found.curvature(z, p), likelihood.curvature(f, p, linear.directions), rtol=1e-9, atol=1e-9)
