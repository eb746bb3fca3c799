"""How noisy the value of each run is, as it is stored with an answer where that changes from place to place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
INDEX, SD = "noise.index", "noise.sd"  # names of the arrays


def arrays(index: NDArray[np.intp], sd: Array) -> dict[str, Array]:
    """Of runs (n,) with the sds (n,) of their log densities."""
    return {INDEX: index.astype(float), SD: sd}


def noise_of(stored: Mapping[str, Any]) -> dict[int, float]:
    """By index; empty where nothing is stored, or what is makes no sense: a file may come from a stranger."""
    index, sd = (np.asarray(stored.get(name, ()), dtype=float) for name in (INDEX, SD))
    sound = index.ndim == 1 and index.shape == sd.shape and bool(np.isfinite([index, sd]).all() and (sd > 0.0).all())
    return dict(zip(index.astype(int).tolist(), sd.tolist(), strict=True)) if sound else {}
