"""How far runs lie from the data, in units of the noise: nothing where a value lies on its side of a limit."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

T = TypeVar("T", Tensor, NDArray[np.float64])


def distances(f: T, measured: T, units: T, sides: T) -> T:
    """(n, L) of cells f (n, L); ``sides`` (L,): as in ``PredictedCells``."""
    z = (f - measured) / units
    return z * (sides * z <= 0.0)
