"""Which runs would tell most of an answer from an archive alone: greedy reduction of the posterior's mean variance.

With K the surrogate's covariance at draws x_i of the answer and s the noise, a run at x_j takes sum_i K_ij^2 / (K_jj + s) off the
sum of the variances (integrated variance reduction, equal weights since the draws have the answer's); K is then downdated by it.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from bayescope.engine.answer.needed import NeededRuns
from bayescope.engine.surrogate.interface import Surrogate
from bayescope.engine.variational.whitening import Frame

Array = NDArray[np.float64]

RUNS = 5
CANDIDATES = 512  # draws of the answer among which they are chosen
NOISE = 1e-4  # nats^2: an exact run leaves nothing open where it is made, and K is no better known


def needed_runs(surrogate: Surrogate, draws: Array, frame: Frame) -> NeededRuns:
    """``draws`` (m, D) of the answer, equally weighted, in the working coordinates of ``frame``."""
    x = torch.as_tensor(draws[:CANDIDATES])
    with torch.no_grad():
        k = surrogate.covariance(x, x).numpy().copy()
    unsure = np.sqrt(np.maximum(np.diag(k), 0.0))
    whole, chosen, left = max(float(np.trace(k)), 1e-300), list[int](), list[float]()
    for _ in range(min(RUNS, len(x))):
        gain = (k**2).sum(axis=0) / (np.maximum(np.diag(k), 0.0) + NOISE)
        gain[chosen] = -np.inf
        best = int(gain.argmax())
        chosen.append(best)
        k -= np.outer(k[:, best], k[best]) / (max(k[best, best], 0.0) + NOISE)
        left.append(float(np.clip(np.trace(k) / whole, 0.0, 1.0)))
    u = frame.back(draws[:CANDIDATES])
    return NeededRuns(u[chosen], unsure[chosen], np.array(left), u, unsure)
