"""Correlations by squared distance, for batches of any shape (torch)."""

from __future__ import annotations

import torch
from torch import Tensor

from ...numerics.radial import Profile


def correlation(q: Tensor, profile: Profile) -> Tensor:
    """At squared scaled distance q, which is used up."""
    if profile == "smooth":
        return q.mul_(-0.5).exp_()
    r = q.mul_(5.0).sqrt_()
    fall = torch.exp(-r)
    return r.mul_(r / 3.0 + 1.0).add_(1.0).mul_(fall)
