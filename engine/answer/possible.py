"""Possible posteriors: marginals of functions drawn from the surrogate, as stored with an answer; how far they lie from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PREFIX = "possible."  # before the names of the arrays
HINT = "thin lines: posteriors of functions drawn from the surrogate, which fit the runs as well"


@dataclass(frozen=True)
class Possible:
    """Of F functions: ``ratio`` (F, D, G) of their marginal density to the answer's at inference coordinates ``u`` (D, G),
    increasing; ``variation`` (F,): mean marginal total variation from the answer."""

    u: Array
    ratio: Array
    variation: Array

    @classmethod
    def of(cls, arrays: Mapping[str, Array], dimension: int) -> Self | None:
        """None where none are stored; a file may be damaged or come from a stranger."""
        found = [np.asarray(arrays.get(PREFIX + f.name, np.nan), dtype=float) for f in fields(cls)]
        u, ratio, variation = found
        if u.ndim != 2 or u.shape[0] != dimension or ratio.shape != (len(np.atleast_1d(variation)), *u.shape) or not u.shape[1]:
            return None
        if not all(np.isfinite(a).all() for a in found) or (ratio < 0.0).any() or (np.diff(u, axis=1) <= 0.0).any():
            return None
        return cls(u, ratio, variation)

    def arrays(self) -> dict[str, Array]:
        return {PREFIX + f.name: np.asarray(getattr(self, f.name), dtype=float) for f in fields(self)}

    def lines(self, i: int, u: Array, x: Array, density: Array) -> Array:
        """(F, m): the marginals of parameter i at x (m,), whose inference coordinates are u; ``density`` (m,) is the answer's."""
        drawn = np.stack([np.interp(u, self.u[i], ratio[i]) for ratio in self.ratio]) * density
        mass = np.asarray(np.trapezoid(drawn, x, axis=1))[:, None]
        return np.asarray(drawn * float(np.trapezoid(density, x)) / np.maximum(mass, 1e-300))

    @property
    def expected_variation(self) -> float:
        return float(self.variation.mean())
