"""Checks of a Gaussian process surrogate by the values it has not seen: leave-one-out, weighted by posterior mass (METHODS 7)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class LeaveOneOut:
    """residual: y_i - m_(-i); variance: predictive, noise included; z: residual / sd. All (n,)."""

    residual: Array
    variance: Array

    @property
    def z(self) -> Array:
        return np.asarray(self.residual / np.sqrt(self.variance))


def posterior_weight(y: Array) -> Array:
    """min(1, exp(y - ymax + 2)): low values matter little to the posterior (n,)."""
    return np.asarray(np.exp(np.minimum(0.0, y - y.max() + 2.0)))


def weighted_rms(check: LeaveOneOut, y: Array) -> float:
    """RMS leave-one-out residual where the posterior is."""
    return rms_near(check.residual, y)


def rms_near(errors: Array, y: Array) -> float:
    """RMS of errors (n,) where the posterior is."""
    w = posterior_weight(y)
    return float(np.sqrt(w @ np.square(errors) / w.sum()))


def calibration(check: LeaveOneOut, y: Array) -> float:
    """RMS of z where the posterior is: near 1 the surrogate's own error bars can be believed, well above 1 they are too small."""
    w = posterior_weight(y)
    return float(np.sqrt(w @ np.square(check.z) / w.sum()))
