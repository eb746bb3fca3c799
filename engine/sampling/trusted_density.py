"""The log density that an answer is made from, at any points: the surrogate's mean as far as it can be trusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

class _Frame(Protocol):
    def into(self, u: Array) -> Array: ...


class _Region(Protocol):
    def contains(self, b: Array) -> NDArray[np.bool_]: ...


class _Surrogate(Protocol):
    def trusted(self, b: Array) -> Array: ...


@dataclass(frozen=True)
class TrustedDensity:
    """u (n, D) in inference space -> (n,), minus infinity where nothing is known.

    ``surrogate``, ``region`` and ``believed`` (points, mean) -> mean work in ``frame``; ``top`` is what values there are below.
    """

    frame: _Frame
    surrogate: _Surrogate
    region: _Region
    believed: Callable[[Array, Array], Array]
    top: float

    def __call__(self, u: Array) -> Array:
        b = np.atleast_2d(self.frame.into(u))
        inside = self.region.contains(b)
        found = np.full(len(b), -np.inf)
        if np.any(inside):
            found[inside] = self.believed(b[inside], self.surrogate.trusted(b[inside])) + self.top
        return found
