"""Correlations by squared distance, for batches of any shape (torch)."""

from __future__ import annotations

import torch
from torch import Tensor

from ...numerics.arrays import LOG2_E, decay
from ...numerics.radial import Profile


def correlation(q: Tensor, profile: Profile, log_times: Tensor | None = None) -> Tensor:
    """At squared scaled distance q, which is used up; times exp of ``log_times``: one pass over all of them less."""
    if profile == "smooth":
        return _power(q, 0.5 * LOG2_E, log_times)
    r = torch.sqrt(q.mul_(5.0))
    fall = decay(r) if log_times is None else _power(r, LOG2_E, log_times)
    return torch.addcmul(fall, fall, r.add_(q, alpha=1.0 / 3.0))


def _power(x: Tensor, rate: float, log_times: Tensor | None) -> Tensor:
    """2 to the -rate x, times exp of ``log_times``."""
    return (x * -rate if log_times is None else torch.sub(log_times * LOG2_E, x, alpha=rate)).exp2_()
