"""Where the inducing points of a sparse GP go, and which points seed its hyperparameters (seed 001 B.2)."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .kernels.base import Kernel, spreads

TRACE_ERROR = 1e-5
FEWEST = 200
SEED_POINTS = 300
STRATA = 5


@dataclass(frozen=True)
class Selection:
    """indices (M,) into the training points, in the order chosen; trace_error: tr((K - Q) D^-1) / tr(K D^-1) reached."""

    indices: Tensor
    trace_error: float


def most_inducing_points(new_evaluations: int) -> int:
    """Upper bound 300 + 2 sqrt(N_f) on the number of inducing points after N_f active evaluations."""
    return 300 + int(2.0 * math.sqrt(new_evaluations))


def select(
    kernel: Kernel,
    x: Tensor,
    noise_variance: Tensor,
    most: int = 300,
    fewest: int = FEWEST,
    trace_error: float = TRACE_ERROR,
) -> Selection:
    """Greedy weighted variance selection (eq S16) by a pivoted partial Cholesky factor, O(N M^2) time, O(N M) memory.

    Each step takes the point with the largest prior variance given those chosen, divided by its noise variance.
    """
    n = x.shape[0]
    most = min(most, n)
    prior = kernel.diagonal(x).detach().clone()
    remaining = prior.clone()
    precision = 1.0 / noise_variance
    whole = float(prior @ precision)
    copies = 1e-9 * prior  # what is left of the variance of a copy, to working precision, of those chosen
    rows = x.new_empty(most, n)
    chosen: list[int] = []
    error = 1.0
    with torch.no_grad():
        for m in range(most):
            worth = remaining * precision
            j = int(worth.argmax())
            if float(worth[j]) <= 0.0:
                break  # every other point is a copy, to working precision, of those chosen
            row = kernel.matrix(x[j : j + 1], x).squeeze(0) - rows[:m, j] @ rows[:m]
            rows[m] = row / remaining[j].sqrt()
            remaining = remaining - rows[m] ** 2
            remaining[remaining <= copies] = 0.0
            chosen.append(j)
            error = float(remaining @ precision) / whole
            if error < trace_error and m + 1 >= fewest:
                break
    return Selection(torch.tensor(chosen, dtype=torch.long, device=x.device), error)


def stratified_subset(
    x: Tensor, y: Tensor, rng: np.random.Generator, count: int = SEED_POINTS, strata: int = STRATA
) -> Tensor:
    """Indices of about ``count`` points like the whole set in space and in value: k-means within strata of y (B.2)."""
    from scipy.cluster.vq import kmeans2

    n = x.shape[0]
    if n <= count:
        return torch.arange(n, device=x.device)
    order = torch.argsort(y).cpu().numpy()
    scaled = (x / x.new_tensor(spreads(x))).cpu().numpy()
    chosen: list[int] = []
    for group in np.array_split(order, strata):
        share = math.ceil(count / strata)
        if len(group) <= share:
            chosen.extend(int(i) for i in group)
            continue
        points = scaled[group]
        # Lloyd's iterations need no more than a few thousand points to place the centres.
        sample = points if len(points) <= 4000 else points[rng.choice(len(points), 4000, replace=False)]
        centres = np.unique(sample, axis=0)
        if len(centres) > share:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an empty cluster only means one seed point fewer
                centres, _ = kmeans2(sample, share, iter=8, minit="points", rng=rng)
        distances = torch.cdist(torch.as_tensor(centres), torch.as_tensor(points))
        chosen.extend(int(group[i]) for i in torch.unique(distances.argmin(1)))
    best = int(y.argmax())
    return torch.tensor(sorted({*chosen, best}), dtype=torch.long, device=x.device)
