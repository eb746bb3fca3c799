"""The ELBO as it may be shown: with draws of its own and a standard deviation that counts every known error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from bayescope.engine.sampling.mixture import MixtureLike
from bayescope.engine.surrogate.interface import Surrogate
from bayescope.engine.variational.entropy import entropy_estimate

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ElboEstimate:
    """``value`` = ``expected_log_joint`` + ``entropy``; ``sd`` joins the surrogate's and the entropy's errors. All in nats."""

    value: float
    sd: float
    expected_log_joint: float
    expected_log_joint_sd: float
    entropy: float
    entropy_sd: float


def elbo_estimate(
    surrogate: Surrogate, mixture: MixtureLike, rng: np.random.Generator, *, draws: int = 8192, diagonal: bool = False
) -> ElboEstimate:
    """Mean w' E and variance w' C w of the expected log joint (seed 000 eqs 5.47, 5.48), entropy by fresh draws."""
    like = surrogate.train_inputs
    spread = np.diagonal(mixture.covariances, axis1=1, axis2=2).copy() if diagonal else mixture.covariances
    with torch.no_grad():
        mean, covariance = surrogate.integrate(
            torch.as_tensor(mixture.means, dtype=like.dtype, device=like.device),
            torch.as_tensor(spread, dtype=like.dtype, device=like.device),
        )
        weights = torch.as_tensor(mixture.weights, dtype=like.dtype, device=like.device)
        expected = float(weights @ mean)
        variance = max(float(weights @ covariance @ weights), 0.0)
    entropy, entropy_sd = entropy_estimate(mixture, rng, draws)
    return ElboEstimate(
        expected + entropy, float(np.sqrt(variance + entropy_sd**2)), expected, float(np.sqrt(variance)), entropy, entropy_sd
    )
