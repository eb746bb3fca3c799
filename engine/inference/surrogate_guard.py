"""The surrogate mean as far as it can be trusted: less where the surrogate is unsure, nothing outside the region of the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from bayescope.engine.surrogate.interface import Surrogate

Array = NDArray[np.float64]

TRUSTED_SD = 1.5  # surrogate sd beyond which its mean is held against it
GUARD = 3.0  # nats per unit of sd beyond (RECIPE 5: 2 beyond 2; steeper where mixtures follow the mean)
NEGLIGIBLE = 20.0  # nats below the best; the sd there is not looked at
SHARPNESS = 8.0


@dataclass(frozen=True)
class GuardedMean:
    """x (n, D) -> (n,), working coordinates. ``box``: outside, minus infinity. ``impossible`` (i, D): density zero there."""

    surrogate: Surrogate
    box: tuple[Array, Array]
    impossible: Array

    def __call__(self, x: Array) -> Array:
        inside = np.all((x >= self.box[0]) & (x <= self.box[1]), axis=1)
        with torch.no_grad():
            value: Array = self.surrogate.predict_mean(torch.as_tensor(x)).numpy()
            relevant = inside & (value > value[inside].max(initial=-np.inf) - NEGLIGIBLE)
            if np.any(relevant):
                _, variance = self.surrogate.predict(torch.as_tensor(x[relevant]))
                value[relevant] -= GUARD * np.maximum(0.0, np.sqrt(variance.numpy()) - TRUSTED_SD)
        return np.where(inside, value, -np.inf) + self._log_possible(x)

    def _log_possible(self, x: Array) -> Array:
        """About 0 where the nearest evaluation had a density, very negative where it was impossible."""
        if len(self.impossible) == 0:
            return np.zeros(len(x))
        no = cKDTree(self.impossible).query(x)[0]
        yes = cKDTree(self.surrogate.train_inputs.numpy()).query(x)[0]
        result: Array = -np.logaddexp(0.0, SHARPNESS * (np.log(yes + 1e-12) - np.log(no + 1e-12)))
        return result
