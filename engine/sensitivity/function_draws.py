"""Functions drawn from the Gaussian processes of learnt outputs, at as many points as are wanted.

Pathwise (Wilson et al. 2020; seed 002 appendix A): functions drawn from the prior, then moved to what the runs say.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special
from scipy.stats import qmc

from ..answer.predictions.emulated import JITTER, LightEmulator
from ..numerics.parts import in_parts
from .prior_functions import AT_ONCE, PriorFunctions, rough_spread

Array = NDArray[np.float64]

FREQUENCIES = 1024  # of the radial part, each with a cosine and a sine: the variance that runs leave open is met to about .1


@dataclass(frozen=True)
class DrawnScores:
    """F functions of each of the K scores: ``prior``, as drawn before the runs; ``pull`` (K, n, F): what the runs say of them."""

    emulator: LightEmulator
    prior: tuple[PriorFunctions, ...]
    pull: Array

    @classmethod
    def of(cls, emulator: LightEmulator, count: int, rng: np.random.Generator) -> DrawnScores:
        """``count`` functions."""
        k, (n, d) = len(emulator.theta), emulator.x.shape
        a, b, c = np.exp(emulator.theta[:, d : d + 3]).T
        frequencies = _frequencies(k, d, emulator.rough[0] > 0.0, rng) * np.exp(-emulator.theta[:, None, :d])
        radial = (a / np.sqrt(FREQUENCIES))[:, None, None] * rng.standard_normal((k, 2 * FREQUENCIES, count))
        linear = b[:, None, None] * rng.standard_normal((k, 1 + d, count))
        square = c[:, None, None] * rng.standard_normal((k, d * d, count))
        prior = tuple(map(PriorFunctions, frequencies, radial, linear, square))
        noise = np.sqrt(np.exp(2.0 * emulator.theta[:, -1:]) + emulator.extra + JITTER)
        at_runs = np.stack([one.at(emulator.x) for one in prior]) + noise[:, :, None] * rng.standard_normal((k, n, count))
        pull = np.stack([-linalg.cho_solve((f, True), y) for f, y in zip(emulator.factors, at_runs, strict=True)])
        return cls(emulator, prior, pull)

    def at(self, x: Array) -> Array:
        """Scores (F, m, K) at inputs x (m, d)."""
        e = self.emulator
        found = np.empty((self.pull.shape[2], len(x), len(e.theta)))
        for part in in_parts(len(x), AT_ONCE):
            here = (x[part] - e.centre) / e.width
            cross = e.covariance(here, e.x)  # (K, m, n)
            mean = np.einsum("kmn,kn->km", cross, e.alpha)[:, :, None]
            away = (np.stack([one.at(here) for one in self.prior]) + cross @ self.pull) * np.sqrt(e.inflation[0])
            found[:, part] = ((mean + away) * e.size[:, None, None]).transpose(2, 1, 0)
        return found


def _frequencies(count: int, d: int, rough: bool, rng: np.random.Generator) -> Array:
    """(count, M, d) from the spectral density of the squared exponential or Matern 5/2, unit length, low-discrepancy points."""
    uniform = np.stack([np.clip(qmc.Sobol(d + 1, rng=rng).random(FREQUENCIES), 1e-9, 1.0 - 1e-9) for _ in range(count)])
    normal = special.ndtri(uniform[:, :, :d])
    if not rough:
        return np.asarray(normal)
    return np.asarray(normal * rough_spread(uniform[:, :, d:]))
