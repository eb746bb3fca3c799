"""Functions drawn from the Gaussian processes of learnt outputs, at as many points as are wanted.

Pathwise (Wilson et al. 2020; seed 002 appendix A): a function drawn from the prior with random Fourier features and, exactly, its
linear and quadratic parts; then moved to what the runs say.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from ..numerics.parts import in_parts
from ..session.emulated import JITTER, LightEmulator

Array = NDArray[np.float64]

FEATURES = 768  # of the radial part: its covariance to 1 / sqrt(FEATURES); only what the runs leave open is drawn from it
MATERN_DOF = 5  # of the Student-t spectral density of Matern 5/2
AT_ONCE = 512  # points: their waves, in single precision, stay in the processor's cache


@dataclass(frozen=True)
class DrawnScores:
    """F functions of each of the K scores. ``frequencies`` (K, M, d), ``phases`` (K, M), ``radial`` (K, M, F), ``linear``
    (K, 1 + d, F) and ``square`` (K, d^2, F): coefficients of the prior's; ``pull`` (K, n, F): of the runs."""

    emulator: LightEmulator
    frequencies: Array
    phases: Array
    radial: Array
    linear: Array
    square: Array
    pull: Array

    @classmethod
    def of(cls, emulator: LightEmulator, count: int, rng: np.random.Generator) -> DrawnScores:
        """``count`` functions."""
        k, (n, d) = len(emulator.theta), emulator.x.shape
        a, b, c = np.exp(emulator.theta[:, d : d + 3]).T
        frequencies = rng.standard_normal((k, FEATURES, d))
        if emulator.profile == "rough":
            frequencies *= np.sqrt(MATERN_DOF / rng.chisquare(MATERN_DOF, (k, FEATURES)))[:, :, None]
        frequencies *= np.exp(-emulator.theta[:, None, :d])
        phases = 2.0 * np.pi * rng.random((k, FEATURES))
        radial = (a * np.sqrt(2.0 / FEATURES))[:, None, None] * rng.standard_normal((k, FEATURES, count))
        linear = b[:, None, None] * rng.standard_normal((k, 1 + d, count))
        square = c[:, None, None] * rng.standard_normal((k, d * d, count))
        prior = cls(emulator, frequencies, phases, radial, linear, square, np.zeros((k, n, count)))
        noise = np.sqrt(np.exp(2.0 * emulator.theta[:, -1:]) + emulator.extra + JITTER)
        at_runs = prior._prior(emulator.x) + noise[:, :, None] * rng.standard_normal((k, n, count))
        pull = np.stack([-linalg.cho_solve((f, True), y) for f, y in zip(emulator.factors, at_runs, strict=True)])
        return cls(emulator, frequencies, phases, radial, linear, square, pull)

    def at(self, x: Array) -> Array:
        """Scores (F, m, K) at inputs x (m, d)."""
        e = self.emulator
        found = np.empty((self.pull.shape[2], len(x), len(e.theta)))
        for part in in_parts(len(x), AT_ONCE):
            here = (x[part] - e.centre) / e.width
            cross = e.covariance(here, e.x)  # (K, m, n)
            mean = np.einsum("kmn,kn->km", cross, e.alpha)[:, :, None]
            away = (self._prior(here) + cross @ self.pull) * np.sqrt(e.inflation[0])
            found[:, part] = ((mean + away) * e.size[:, None, None]).transpose(2, 1, 0)
        return found

    def _prior(self, here: Array) -> Array:
        """(K, m, F) at standardized inputs (m, d)."""
        one = np.concatenate([np.ones((len(here), 1)), here], axis=1)
        two = (here[:, :, None] * here[:, None, :]).reshape(len(here), -1)
        found = one @ self.linear + two @ self.square
        for k, radial in enumerate(self.radial):
            waves = np.cos((here @ self.frequencies[k].T + self.phases[k]).astype(np.float32))
            found[k] += waves @ radial.astype(np.float32)
        return found
