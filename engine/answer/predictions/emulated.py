"""Learnt outputs as they are stored with an answer: enough to predict them anywhere without torch, and their predictive bands.

Written by ``surrogate.outputs.shown``; the mathematics is that of ``surrogate.outputs.emulator``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from ...numerics.linear_algebra import stable_factors
from ...numerics.radial import Profile, radial_profile
from ...session.stored_arrays import Arrays, NotEmulated, arrays_of, part_of, read_arrays

Array = NDArray[np.float64]

SAME_POINT = 1e-6  # between standardized inputs: of a run that was learnt from
JITTER = 1e-9  # of ``surrogate.outputs.gaussian_processes``
LARGEST_LOGARITHM, LARGEST_SIZE = 690.0, 345.0  # of a number that can be held, and whose square can be
LEAST_VARIANCE = 1e-12
EMULATOR, BANDS = "emulator.", "predicted."  # before the names of the arrays
LOW, HIGH = 0.05, 0.95  # ends of every band


@dataclass(frozen=True)
class LightEmulator:
    """Scores of inputs x by K Gaussian processes conditioned on n runs, and cells (L,) by K components.

    Cells t = middle + z directions, in ``unit``, of logarithms where ``log`` is not zero. ``typical`` above 0: sizes and shapes
    are learnt apart, t = exp(z_0 / typical) (middle + z' directions), z' the other scores.
    """

    x: Array  # (n, d) standardized inputs of the runs
    alpha: Array  # (K, n) covariance^-1 scores
    extra: Array  # (K, n) variance of a run beyond the nugget
    theta: Array  # (K, d + 4) logarithms of lengths, amplitudes and nugget sd
    centre: Array  # (d,) of the inputs
    width: Array  # (d,)
    size: Array  # (K,) of the scores
    middle: Array  # (L,)
    directions: Array  # (K, L), of shapes (K - 1, L)
    unit: Array  # (L,)
    log: Array  # (L,)
    rough: Array  # (1,) not zero: Matern 5/2
    inflation: Array  # (1,) of the variances
    typical: Array  # (1,) size in units; 0: sizes and shapes are learnt together, as in the files of earlier versions

    @classmethod
    def of(cls, arrays: Arrays, inputs: int, cells: int) -> Self:
        """From what ``arrays`` gives, of a problem with so many inputs and cells. Raises NotEmulated."""
        found = {f.name: np.asarray(arrays.get(EMULATOR + f.name, np.nan)) for f in fields(cls)}
        found["typical"] = np.asarray(arrays.get(EMULATOR + "typical", np.zeros(1)))
        n, k = (found[name].shape[0] if found[name].ndim == 2 else 0 for name in ("x", "alpha"))
        directions = k - int(found["typical"].shape == (1,) and found["typical"][0] > 0.0)
        shapes = {
            "x": (n, inputs), "alpha": (k, n), "extra": (k, n), "theta": (k, inputs + 4), "centre": (inputs,),
            "width": (inputs,), "size": (k,), "middle": (cells,), "directions": (directions, cells), "unit": (cells,),
            "log": (cells,), "rough": (1,), "inflation": (1,), "typical": (1,),
        }  # fmt: skip
        if n == 0 or k == 0 or any(found[name].shape != shape for name, shape in shapes.items()):
            raise NotEmulated("the learnt outputs are not of this problem")
        if not all(np.isfinite(a).all() for a in found.values()) or not (found["width"] > 0.0).all():
            raise NotEmulated("the learnt outputs hold numbers that are not finite")
        return cls(**{name: a.astype(float) for name, a in found.items()})

    def arrays(self) -> dict[str, Array]:
        return arrays_of(self, EMULATOR)

    @property
    def profile(self) -> Profile:
        return "rough" if self.rough[0] else "smooth"

    def amplitudes(self) -> Array:
        """a^2, b^2, c^2, each (K, 1, 1)."""
        d = self.x.shape[1]
        return np.exp(2.0 * self.theta[:, d : d + 3]).T[:, :, None, None]

    def covariance(self, one: Array, other: Array) -> Array:
        """Prior covariance (K, n, m) of standardized scores at standardized inputs (n, d), (m, d)."""
        a2, b2, c2 = self.amplitudes()
        inverse = np.exp(-self.theta[:, None, : self.x.shape[1]])
        p, q = one * inverse, other * inverse
        norms = (p**2).sum(-1)[:, :, None] + (q**2).sum(-1)[:, None, :]
        distance = np.maximum(norms - 2.0 * p @ q.transpose(0, 2, 1), 0.0)
        inner = one @ other.T
        return np.asarray(a2 * radial_profile(distance, self.profile)[0] + b2 * (1.0 + inner) + c2 * inner**2)

    def prior_variance(self, at: Array) -> Array:
        """Of standardized scores (K, m) at standardized inputs (m, d), before any run."""
        square = (at**2).sum(1)
        a2, b2, c2 = self.amplitudes()[:, :, :, 0]
        return np.asarray(a2 + b2 * (1.0 + square) + c2 * square**2)

    def covariance_of_runs(self, rows: NDArray[np.intp] | slice = slice(None)) -> Array:
        """Covariance (K, n, n) of the standardized scores of the runs ``rows``, their nuggets in it."""
        x, noise = self.x[rows], np.exp(2.0 * self.theta[:, -1:]) + self.extra[:, rows] + JITTER
        return self.covariance(x, x) + noise[:, :, None] * np.eye(len(x))

    def learnt_from(self, inputs: Array) -> NDArray[np.intp]:
        """Which of ``inputs`` (N, d) each of the runs was learnt from (n,); -1: of none."""
        at = (inputs - self.centre) / self.width
        away = np.array([np.abs(at - x).max(axis=1) for x in self.x])  # (n, N)
        away = np.where(np.isfinite(away), away, np.inf)
        nearest = away.argmin(axis=1)
        return np.where(away[np.arange(len(nearest)), nearest] < SAME_POINT, nearest, -1)

    @cached_property
    def factors(self) -> Array:
        return stable_factors(self.covariance_of_runs())

    def scores(self, x: Array) -> tuple[Array, Array]:
        """Mean and variance (m, K) of the scores at inputs x (m, d)."""
        at = (x - self.centre) / self.width
        cross = self.covariance(self.x, at)
        mean = np.einsum("kn,knm->mk", self.alpha, cross)
        explained = np.stack([linalg.solve_triangular(f, c, lower=True) for f, c in zip(self.factors, cross, strict=True)])
        variance = np.maximum(self.prior_variance(at) - (explained**2).sum(1), LEAST_VARIANCE).T
        return mean * self.size, variance * self.size**2 * self.inflation[0]

    def band(self, x: Array) -> tuple[Array, Array, Array]:
        """The cells (m, L) at inputs x (m, d): low, middle and high end of what the emulator thinks possible."""
        return self.band_of(*self.scores(x))

    def band_of(self, mean: Array, variance: Array) -> tuple[Array, Array, Array]:
        """As ``band``, of scores with this mean and variance (m, K)."""
        middle, spread = self._cells(mean), variance[:, self._first :] @ self.directions**2
        if self._first:
            spread = self._times(mean) ** 2 * spread + variance[:, :1] * (middle / self.typical[0]) ** 2
        reach = special.ndtri(HIGH) * np.sqrt(spread)
        return self._back(middle - reach), self._back(middle), self._back(middle + reach)

    def cells(self, scores: Array, of: NDArray[np.intp] | slice = slice(None)) -> Array:
        """The cells ``of`` (..., L) of scores (..., K)."""
        return self._back(self._cells(scores, of), of)

    @property
    def _first(self) -> int:
        """Of the scores that are no sizes."""
        return int(self.typical[0] > 0.0)

    def _times(self, scores: Array) -> Array:
        """What shapes are multiplied by (..., 1)."""
        return np.asarray(np.exp(np.minimum(scores[..., :1] / self.typical[0], LARGEST_SIZE)))

    def _cells(self, scores: Array, of: NDArray[np.intp] | slice = slice(None)) -> Array:
        t = self.middle[of] + scores[..., self._first :] @ self.directions[:, of]
        return np.asarray(self._times(scores) * t if self._first else t)

    def _back(self, t: Array, of: NDArray[np.intp] | slice = slice(None)) -> Array:
        scaled = t * self.unit[of]
        return np.where(self.log[of] > 0.0, np.exp(np.minimum(scaled, LARGEST_LOGARITHM)), scaled)


@dataclass(frozen=True)
class OutputBands:
    """Posterior predictive of L cells: what the program would return, and what would be measured; ends at LOW and HIGH.

    ``noise`` (L,): half the range that holds 68 % of the noise. ``checks`` (outputs, 2): share of the data sets drawn from the
    posterior predictive that are scattered at least as far about the predictions as the measured ones, and whose neighbouring
    residuals are at least as alike; NaN where nothing was checked, or there are too few cells. ``replicates`` (1,): how many data
    sets were drawn.
    """

    low: Array  # (L,)
    middle: Array
    high: Array
    measured_low: Array
    measured_high: Array
    noise: Array
    checks: Array
    replicates: Array

    @classmethod
    def of(cls, arrays: Arrays, cells: int, outputs: int) -> Self:
        """Raises NotEmulated."""
        lines = ("low", "middle", "high", "measured_low", "measured_high", "noise")
        shapes = {**dict.fromkeys(lines, (cells,)), "checks": (outputs, 2), "replicates": (1,)}
        found = read_arrays(cls, arrays, BANDS, shapes, ("checks",))
        if not found.replicates[0] >= 1.0 or ((found.checks < 0.0) | (found.checks > 1.0)).any():
            raise NotEmulated("the checks are no shares")
        return found

    def part(self, cells: slice, output: int) -> Self:
        """Of one output."""
        return part_of(self, cells, output, ("checks",), ("replicates",))

    def arrays(self) -> dict[str, Array]:
        return arrays_of(self, BANDS)
