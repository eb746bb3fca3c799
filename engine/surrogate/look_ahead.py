"""What a sparse GP's variance would be after one more evaluation: the exact look-ahead of IMIQR (seed 001 section 3.4, C.5).

An evaluation at x becomes an inducing point too where the others explain x badly (case 1), as in ``SparseSurrogate.condition``;
there the earlier data are seen through one more inducing point, so that the variance falls by more than the evaluation itself
explains. With a = L^-1 k(Z, x), c^2 = k(x, x) - a'a, R and S of sparse.py and r = (k(x, X) D^-1/2 - a'R) / c:

    S' = [[S + a a'/s2, R r' + a c/s2], [., 1 + r r' + c^2/s2]],   s2 the new evaluation's noise variance
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from .linear_algebra import forward
from .sparse import NEW_INDUCING, SparseSurrogate, noise_of_model


@dataclass(frozen=True)
class LookAhead:
    """``weighted`` R D^-1/2 (M, n) and ``precision`` D^-1 (n,), once for a surrogate. Variants "vfe" and "dtc"."""

    surrogate: SparseSurrogate
    weighted: Tensor
    precision: Tensor

    @classmethod
    def of(cls, surrogate: SparseSurrogate) -> LookAhead:
        """O(n M^2) time, O(n M) memory. Raises ValueError for FITC, where a new inducing point changes every noise."""
        if surrogate.variant == "fitc":
            raise ValueError("FITC has no look-ahead: every noise variance depends on the inducing points.")
        with torch.no_grad():
            precision = 1.0 / noise_of_model(surrogate.model, surrogate.noise_variance)
            cross = surrogate.model.kernel.matrix(surrogate.inducing, surrogate.train_inputs)
            return cls(surrogate, forward(surrogate.factor, cross) * precision, precision)

    def variance(self, x: Tensor, points: Tensor, noise_variance: float) -> Tensor:
        """Latent variance (m, p) at ``points`` (p, D) once x (m, D), one at a time, has been evaluated; differentiable in x."""
        s = self.surrogate
        kernel, factor, inner = s.model.kernel, s.factor, s.inner
        noise = noise_of_model(s.model, x.new_tensor([noise_variance]))
        a, a_there = forward(factor, kernel.matrix(s.inducing, x)), forward(factor, kernel.matrix(s.inducing, points))
        b, b_there = forward(inner, a), forward(inner, a_there)
        prior, prior_there = kernel.diagonal(x), kernel.diagonal(points)
        gain = noise + (b * b).sum(0)  # (m,)
        overlap = b.T @ b_there  # (m, p)
        # Without a new inducing point: S + a a' / noise by Sherman and Morrison.
        kept = (b_there * b_there).sum(0) - overlap**2 / gain.unsqueeze(1)
        before = prior_there - (a_there * a_there).sum(0)
        unexplained = prior - (a * a).sum(0)
        becomes = unexplained > NEW_INDUCING * prior
        c2 = torch.where(becomes, unexplained, torch.ones_like(unexplained)).clamp_min(1e-300)
        to_data = kernel.matrix(x, s.train_inputs)
        seen = self.weighted @ to_data.T  # R D^-1/2 k(X, x), (M, m)
        again = inner @ (inner.T @ a) - a  # R R' a
        # c times the new column R r' + a c / noise, and c^2 times the new corner.
        column = forward(inner, seen - again + a * (c2 / noise))
        corner = (to_data**2 @ self.precision) - 2.0 * (a * seen).sum(0) + (a * again).sum(0)
        along = (column * b).sum(0) / gain
        left = c2 + corner + c2**2 / noise - ((column * column).sum(0) - gain * along**2)
        new = kernel.matrix(x, points) - a.T @ a_there  # c times the new coordinate of each point
        correction = column.T @ b_there - along.unsqueeze(1) * overlap
        change = (new - correction) ** 2 / left.clamp_min(1e-300).unsqueeze(1) - new**2 / c2.unsqueeze(1)
        variance = before + kept + torch.where(becomes.unsqueeze(1), change, torch.zeros_like(change))
        return s.model.scaling.covariance(torch.maximum(variance, 1e-14 * prior_there))
