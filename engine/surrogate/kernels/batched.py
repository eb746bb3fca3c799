"""Correlations by squared distance, for batches of any shape (torch)."""

from __future__ import annotations

import torch
from torch import Tensor

from ...numerics.arrays import LOG2_E, decay
from ...numerics.radial import Profile


def correlation(q: Tensor, profile: Profile) -> Tensor:
    """At squared scaled distance q, which is used up."""
    if profile == "smooth":
        return q.mul_(-0.5 * LOG2_E).exp2_()
    r = torch.sqrt(q.mul_(5.0))
    fall = decay(r)
    return torch.addcmul(fall, fall, r.add_(q, alpha=1.0 / 3.0))
