"""Outputs that scatter about a smooth surface, a Monte Carlo program's with a fixed seed, by a size that depends on the inputs.

One level for all scores (seed 004 section 7.2.1, ``noisy.heteroscedastic``), looked for where Harvey's test (1976) says that the
size depends on the place: logarithms of squared leave-one-out errors, means over the scores, on the inputs and their squares.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import special
from torch import Tensor

from ..noisy.heteroscedastic import NoiseLevel

Array = NDArray[np.float64]

FEWEST = 3  # runs for each coefficient of the test
UNLIKELY = 0.01  # chance of as much dependence where there is none
FARTHEST = 6.0  # sds of the inputs beyond which the level stays what it is
SMALL = 1e-3  # of a predicted variance: an error of nothing is luck
SMALLEST_WIDTH = 1e-9


@dataclass(frozen=True)
class Scatter:
    """``size``: rms over the cells, in noise units, as two runs right beside each other differ; ``places``: where it is larger
    and smaller, None: it is the same everywhere."""

    size: float
    places: Level | None = None

    def level(self, x: Tensor) -> Tensor:
        """By which the usual variance is multiplied at inputs x (m, d): (m,)."""
        return torch.ones(len(x), dtype=x.dtype, device=x.device) if self.places is None else self.places.at(x)


@dataclass(frozen=True)
class Level:
    """``centre``, ``width`` (d,) of the inputs; ``usual``: geometric mean of the process over the runs it was learnt from."""

    centre: Array
    width: Array
    process: NoiseLevel
    usual: float

    @classmethod
    def learnt(cls, x: Array, left_out: Array, delta: Array, count: float) -> Level | None:
        """From runs at inputs x (n, d): ``left_out`` (n,) mean squared standardized errors by leave-one-out, ``delta`` (n,) mean
        expected squares about the surface in units of the usual variance, over ``count`` scores. None: the same everywhere."""
        centre, width = x.mean(0), np.maximum(x.std(0), SMALLEST_WIDTH)
        z = _standardized(x, centre, width)
        if not _depends(np.log(left_out + SMALL), z):
            return None
        process = NoiseLevel.of(delta, z, count)
        return cls(centre, width, process, float(np.exp(np.log(process.variance(z)).mean())))

    def at(self, x: Tensor) -> Tensor:
        """Relative to the usual variance, at inputs x (m, d): (m,)."""
        z = _standardized(x.cpu().numpy(), self.centre, self.width)
        return torch.as_tensor(self.process.variance(z) / self.usual, device=x.device)

    def to_state(self) -> dict[str, Array | float]:
        return {"centre": self.centre, "width": self.width, "z": self.process.z, "pull": self.process.pull, "usual": self.usual}

    @classmethod
    def of_state(cls, s: dict[str, Array | float]) -> Level:
        centre, width, z, pull = (np.array(s[name], dtype=float) for name in ("centre", "width", "z", "pull"))
        return cls(centre, width, NoiseLevel(z, pull), float(s["usual"]))


def _standardized(x: Array, centre: Array, width: Array) -> Array:
    return np.asarray(np.clip((x - centre) / width, -FARTHEST, FARTHEST))


def _depends(logs: Array, z: Array) -> bool:
    """Whether ``logs`` (n,) depend on z (n, d) or its squares: F test."""
    features = np.column_stack([np.ones(len(z)), z, np.square(z)])
    count = features.shape[1]
    if len(z) < FEWEST * count or not np.isfinite(logs).all():
        return False
    left = float(np.square(logs - features @ np.linalg.lstsq(features, logs, rcond=None)[0]).sum())
    explained = float(np.square(logs - logs.mean()).sum()) - left
    free = len(z) - count
    ratio = (explained / (count - 1)) / max(left / free, 1e-300)
    return bool(special.fdtrc(count - 1, free, ratio) < UNLIKELY)
