from __future__ import annotations

import numpy as np
import torch

from bayescope.engine.surrogate.kernels.additive import Additive


def points(n: int, seed: int) -> torch.Tensor:
    return torch.as_tensor(np.random.default_rng(seed).standard_normal((n, 3)))


def test_the_kernel_is_a_sum_of_one_dimensional_ones_with_and_without_gradients():
    kernel, a, b = Additive.start(1.3, 0.8), points(5, 0), points(4, 1)
    direct = sum(1.3**2 * torch.exp(-((a[:, d, None] - b[:, d]) ** 2) / (2 * 0.8**2)) for d in range(3))
    torch.testing.assert_close(kernel.matrix(a, b), direct)
    torch.testing.assert_close(kernel.matrix(a.requires_grad_(True), b).detach(), direct)
    torch.testing.assert_close(kernel.diagonal(b), torch.diagonal(kernel.matrix(b, b)))


def test_integrals_agree_with_monte_carlo():
    kernel, x = Additive.start(1.0, 0.7), points(4, 2)
    rng = np.random.default_rng(3)
    root = rng.standard_normal((2, 3, 3))
    means, covariances = torch.as_tensor(rng.standard_normal((2, 3))), torch.as_tensor(root @ root.transpose(0, 2, 1))
    first, second = (torch.as_tensor(rng.multivariate_normal(means[k], covariances[k], 100_000)) for k in range(2))
    sampled = kernel.matrix(first, x)
    error = sampled.std(0) / 100_000**0.5
    assert ((kernel.kernel_mean(x, means, covariances)[0] - sampled.mean(0)).abs() < 4 * error).all()
    pairs = torch.stack([torch.exp(-((first[:, d] - second[:, d]) ** 2) / (2 * 0.49)) for d in range(3)]).sum(0)
    assert abs(kernel.double_integral(means, covariances)[0, 1] - pairs.mean()) < 4 * pairs.std() / 100_000**0.5
    variances = covariances.diagonal(dim1=-2, dim2=-1)
    torch.testing.assert_close(kernel.kernel_mean(x, means, variances), kernel.kernel_mean(x, means, covariances))


def test_hand_gradients_agree_with_finite_differences():
    kernel, x = Additive.start(0.9, 1.1), points(6, 4)
    g = torch.as_tensor(np.random.default_rng(5).standard_normal((6, 6)))
    bound, flat = kernel.bind(x), kernel.hyperparameters()
    k, pullback = bound(flat)
    torch.testing.assert_close(k, kernel.matrix(x, x))
    gradient = pullback(g)
    for i in range(2):
        step = torch.zeros(2, dtype=torch.float64)
        step[i] = 1e-6
        numeric = ((bound(flat + step)[0] - bound(flat - step)[0]) * g).sum() / 2e-6
        assert abs(float(gradient[i] - numeric)) < 1e-6
