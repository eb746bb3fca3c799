"""Evidence of a target by WSABI: a Gaussian process on the square root of its density (seed 000 sec 4.3)."""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor

from ..quadrature.wsabi import evidence
from .fit import fit
from .kernels.squared_exponential import SquaredExponential
from .model import Model
from .scaling import OutputScaling

OFFSET_FRACTION = 0.8  # alpha as a fraction of the smallest density seen, as in Gunter et al. 2014
NOISE = 1e-6  # of the largest root density squared: the densities are exact, the covariance needs a floor


def log_evidence(
    x: Tensor,
    log_density: Tensor,
    weights: Tensor,
    means: Tensor,
    covariances: Tensor,
    method: Literal["linear", "moments"] = "moments",
) -> tuple[float, float]:
    """log int exp(l(x)) p(x) dx and its sd (first order), p a Gaussian mixture; x (n, D), l (n,), weights (K,).

    The density is divided by its maximum first. An estimate that is not positive comes back as (-inf, inf).
    """
    top = float(log_density.max())
    density = torch.exp(log_density - top)
    offset = OFFSET_FRACTION * float(density.min())
    root = torch.sqrt(2.0 * (density - offset))
    noise = torch.full_like(root, NOISE)
    # A zero-mean process on values between 0 and sqrt 2: no output scaling.
    surrogate = fit(Model(SquaredExponential.start(x.shape[1]).to(x.device), scaling=OutputScaling()), x, root, noise).surrogate(
        x, root, noise
    )
    kernel = surrogate.model.kernel
    assert isinstance(kernel, SquaredExponential)
    result = evidence(
        x, root, offset, kernel.variance, kernel.log_lengthscales.exp(), surrogate.factor, weights, means, covariances, method
    )
    mean, sd = float(result.mean), float(result.variance.sqrt())
    if not mean > 0.0:
        return -math.inf, math.inf
    return top + math.log(mean), sd / mean
