"""Cubic and quartic shapes in the noisy surrogate, with amplitudes of their own.

    k = k of the default loop + s3^2 (s s')^3 / 6 + s4^2 (s s')^4 / 24,   s the coordinates of its SE part

Under noise a kernel flexible enough for a banana by its SE part alone also allows every shape of degree 5 and more, and what it
lets through is noise. Homogeneous polynomials are the next terms after the quadratic; where the data do not ask for them their
amplitudes go to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Values
from ..quadratic.hyperparameters import MapObjective
from ..quadratic.kernel import Coordinates, Frames, Kernel
from ..quadratic.posterior import QuadraticSurrogate

Array = NDArray[np.float64]

BLOCKS = 2
MIDDLE = np.array([-2.0, -2.5])  # prior means and sds of the log amplitudes
SPREAD = np.array([2.0, 2.0])
LOWEST, HIGHEST = -8.0, 5.0
FACTORIALS = (6.0, 24.0)


def powers(inner: Values) -> tuple[Values, Values]:
    """(s s')^3 / 6 and (s s')^4 / 24 of inner products of any shape."""
    square = inner * inner
    return square * inner / FACTORIALS[0], square * square / FACTORIALS[1]


@dataclass(frozen=True)
class QuarticKernel(Kernel):
    """``theta`` (D + 8,) as in the default loop; ``amplitudes`` (2,): log s3, log s4."""

    amplitudes: Array

    @classmethod
    def of(cls, theta: Array, frames: Frames) -> QuarticKernel:
        """From all the hyperparameters (D + 10,)."""
        return cls(theta[:-BLOCKS], frames, theta[-BLOCKS:])

    def polynomial(self, s1: Values, s2: Values) -> Values:
        """The two blocks (n, m) between SE coordinates s1 (n, D) and s2 (m, D)."""
        return self._weighed(s1 @ s2.T)

    def matrix(self, c1: Coordinates, f1: Values, c2: Coordinates, f2: Values) -> Values:
        k = super().matrix(c1, f1, c2, f2)
        k += self.polynomial(c1.s, c2.s)
        return k

    def diagonal(self, c: Coordinates, f: Values) -> Values:
        return super().diagonal(c, f) + self._weighed((c.s * c.s).sum(1))

    def _weighed(self, inner: Values) -> Values:
        cubic, quartic = powers(inner)
        third, fourth = np.exp(2.0 * self.amplitudes)
        cubic *= float(third)
        quartic *= float(fourth)
        cubic += quartic
        return cubic


class QuarticSurrogate(QuadraticSurrogate):
    """The default loop's surrogate with the polynomial blocks in its mean."""

    def mean_given(self, b: Values, rows: Values) -> Values:
        value = super().mean_given(b, rows)
        assert isinstance(self.kernel, QuarticKernel)
        s = b if self.frames.se is None else self.frames.se.into(b)
        value += self.kernel.polynomial(s, self.coordinates.s) @ self.alpha
        return value


class QuarticObjective(MapObjective):
    """MAP objective over (kernel hyperparameters (D + 8,), log s3, log s4)."""

    def __init__(self, c: Coordinates, y: Array, noise: Array) -> None:
        super().__init__(c, y, noise)
        self.blocks = np.stack(powers(c.s @ c.s.T))

    def __call__(self, theta: Array) -> tuple[float, Array]:
        own = theta[-BLOCKS:]
        w = np.exp(2.0 * own)
        self.added = w[0] * self.blocks[0] + w[1] * self.blocks[1]
        value, gradient = super().__call__(theta[:-BLOCKS])
        z = (own - MIDDLE) / SPREAD
        slope = z / SPREAD
        if self.outer is not None:
            slope -= w * (self.blocks.reshape(BLOCKS, -1) @ self.outer.ravel())
        return value + 0.5 * float(z @ z), np.append(gradient, slope)
