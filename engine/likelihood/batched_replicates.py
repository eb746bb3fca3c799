"""What would be measured if it were measured again: draws of each noise model, and residuals of unit size (torch).

For posterior predictive checks (Gelman, Meng and Stern 1996). Shapes as in ``batched_noise``: f (m, L), p (m, P).
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .batched_limits import Limited
from .batched_noise import (
    TINY,
    Autoregressive,
    Covariance,
    Gaussian,
    LogNormal,
    NegativeBinomial,
    Noise,
    Poisson,
    SharedVariance,
    StudentT,
    level,
)

Array = NDArray[np.float64]

MOST_COUNTED = 1e15  # mean of counts: more are drawn as that


def settled(noise: Noise, f: Tensor, rng: np.random.Generator) -> Noise:
    """The noise with what it integrates over drawn given the data and f: one for all m predictions, same shapes.

    The one variance of ``SharedVariance`` given residuals r: InverseGamma(shape + L / 2, scale + r.r / 2).
    """
    if not isinstance(noise, SharedVariance):
        return noise
    rate = noise.scale + 0.5 * ((noise.y - f) ** 2).sum(1, keepdim=True)
    gamma = _like(f, rng.gamma(noise.shape + 0.5 * f.shape[1], size=(len(f), 1)))
    return Gaussian(noise.y, torch.sqrt(rate / gamma))


def measured_again(noise: Noise, f: Tensor, p: Tensor, rng: np.random.Generator) -> Tensor:
    """Measurements (m, L) with the means (medians, of log-normal noise) f; where only a limit is known, values too."""
    match noise:
        case Limited(noise=own):
            return measured_again(own, f, p, rng)
        case Gaussian(sd=sd):
            return f + level(sd, p) * _normal(f, rng)
        case StudentT(scale=scale, dof=dof):
            return f + level(scale, p) * _like(f, rng.standard_t(dof, f.shape))
        case LogNormal(log_sd=sd):
            return f.clamp_min(TINY) * torch.exp(level(sd, p) * _normal(f, rng))
        case Poisson():
            return _like(f, rng.poisson(_mean(f)))
        case NegativeBinomial(size=size):
            k = np.asarray(torch.as_tensor(level(size, p), dtype=f.dtype).expand_as(f).cpu())
            return _like(f, rng.poisson(np.minimum(_mean(f) * rng.gamma(k) / k, MOST_COUNTED)))
        case Autoregressive():
            memory, spread = noise.scales(p, f)
            residual = spread * _normal(f, rng)
            for i in range(1, f.shape[1]):
                residual[:, i] += memory[:, i - 1] * residual[:, i - 1]
            return f + residual
        case Covariance(factor=factor):
            return f + _normal(f, rng) @ factor.T
    raise TypeError(f"no draws of {type(noise).__name__}; it must be settled first")


def standardized(noise: Noise, y: Tensor, f: Tensor, p: Tensor) -> Tensor:
    """Residuals (m, L) of measurements y (m, L) or (L,): independent, mean 0 and variance 1 where the noise is normal.

    Pearson's for counts; of a Student-t the signed root of its deviance, since its variance may be infinite. Of an autoregressive
    or correlated noise each residual is less what those before it tell of it. A limit has none: 0, whatever is measured.
    """
    match noise:
        case Limited():
            return torch.zeros_like(f)
        case Gaussian(sd=sd):
            return (y - f) / level(sd, p)
        case StudentT(scale=scale, dof=dof):
            z = (y - f) / level(scale, p)
            return torch.sign(z) * torch.sqrt((dof + 1.0) * torch.log1p(z * z / dof))
        case LogNormal(log_sd=sd):
            return (torch.log(y.clamp_min(TINY)) - torch.log(f.clamp_min(TINY))) / level(sd, p)
        case Poisson():
            return (y - f) / torch.sqrt(f.clamp_min(TINY))
        case NegativeBinomial(size=size):
            mean = f.clamp_min(TINY)
            return (y - f) / torch.sqrt(mean + mean * mean / level(size, p))
        case Autoregressive():
            return noise.innovations(y - f, *noise.scales(p, f))
        case Covariance():
            return noise.whitened(y - f)
    raise TypeError(f"no residuals of {type(noise).__name__}; it must be settled first")


def _like(f: Tensor, values: Array | NDArray[np.int64]) -> Tensor:
    return torch.as_tensor(np.asarray(values, dtype=float), device=f.device)


def _normal(f: Tensor, rng: np.random.Generator) -> Tensor:
    return _like(f, rng.standard_normal(f.shape))


def _mean(f: Tensor) -> Array:
    return np.asarray(f.clamp(0.0, MOST_COUNTED).cpu(), dtype=float)
