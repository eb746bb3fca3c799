"""Trimming of archives: points far below the best one say nothing about the posterior (seed 001 B.1)."""

from __future__ import annotations

import torch
from torch import Tensor

CONFIDENCE = 1.96


def keep(y: Tensor, sd: Tensor | None, dimension: int, drop: float | None = None, beta: float = CONFIDENCE) -> Tensor:
    """Mask (n,) of the points to keep: those whose upper confidence bound is within ``drop`` (20 D) of the best lower one."""
    eta = 20.0 * dimension if drop is None else drop
    width = torch.zeros_like(y) if sd is None else beta * sd
    return (y - width).max() - (y + width) <= eta
