"""The likelihood of some measured values alone, against dense normal distributions and the noise models themselves."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy import stats

from bayescope.engine.likelihood import batched_noise as n
from bayescope.engine.likelihood.batched import BatchedLikelihood, Block
from bayescope.engine.likelihood.left_out import alone, kept, without

Y = torch.tensor([1.2, 0.7, 2.0, 3.1, 1.9], dtype=torch.float64)
F = torch.tensor([[1.0, 1.0, 2.2, 2.9, 1.5], [0.8, 1.1, 1.7, 3.3, 2.2]], dtype=torch.float64)
P = torch.tensor([[0.5], [0.8]], dtype=torch.float64)
KEEP = torch.tensor([True, False, True, False, True])
SCALES = torch.tensor([0.3, 0.4, 0.5, 0.6, 0.7], dtype=torch.float64)
ROOT = torch.linalg.cholesky(torch.tensor([[0.5 ** abs(i - j) for j in range(5)] for i in range(5)], dtype=torch.float64))


@pytest.mark.parametrize(
    "noise",
    [
        n.Gaussian(Y, n.Parameter(0)), n.Gaussian(Y, SCALES), n.StudentT(Y, SCALES, 4.0), n.LogNormal(Y, 0.3),
        n.Poisson(torch.round(Y)), n.NegativeBinomial(torch.round(Y), n.Parameter(0)),
    ],
)  # fmt: skip
def test_of_independent_errors_the_parts_add_up(noise: n.Noise) -> None:
    parts = kept(noise, KEEP).log_density(F[:, KEEP], P) + kept(noise, ~KEEP).log_density(F[:, ~KEEP], P)
    torch.testing.assert_close(parts, noise.log_density(F, P))


def test_of_errors_that_remember_or_correlate_the_others_are_integrated_out() -> None:
    at = np.array([0.0, 1.0, 3.0, 4.0, 6.0])
    series = n.Autoregressive(Y, torch.as_tensor(np.diff(at)), 0.6, 0.7)
    memory = 0.36 * 0.7 ** np.abs(at[:, None] - at)
    for noise, covariance in ((series, memory), (n.Covariance(Y, ROOT), (ROOT @ ROOT.T).numpy())):
        got = kept(noise, KEEP).log_density(F[:, KEEP], P)
        rows = KEEP.numpy()
        normal = stats.multivariate_normal(np.zeros(3), covariance[np.ix_(rows, rows)])
        np.testing.assert_allclose(got.numpy(), normal.logpdf((Y[KEEP] - F[:, KEEP]).numpy()), rtol=1e-9)
        once = alone(noise, 3).log_density(F[:, 3:4], P)
        np.testing.assert_allclose(
            once.numpy(), stats.norm(0.0, np.sqrt(covariance[3, 3])).logpdf((Y[3] - F[:, 3]).numpy()), rtol=1e-9
        )


def test_a_shared_variance_is_integrated_over_what_is_kept() -> None:
    noise = n.SharedVariance(Y, 2.0, 1.5)
    dense = stats.multivariate_t(np.zeros(3), np.eye(3) * 1.5 / 2.0, df=4.0)
    got = kept(noise, KEEP).log_density(F[:, KEEP], P)
    np.testing.assert_allclose(got.numpy(), dense.logpdf((Y[KEEP] - F[:, KEEP]).numpy()), rtol=1e-9)


def test_blocks_without_a_value_left_go_away() -> None:
    both = BatchedLikelihood((Block(torch.arange(0, 2), n.Gaussian(Y[:2], 0.5)), Block(torch.arange(2, 5), n.Poisson(Y[2:]))))
    left = without(both, torch.tensor([True, True, False, False, True]))
    assert [b.cells.tolist() for b in left.blocks] == [[2, 3]]
    torch.testing.assert_close(left.log_density(F, P), n.Poisson(Y[2:4]).log_density(F[:, 2:4], P))
