"""What a program misses, as a Gaussian process over a key whose amplitude and length are averaged over (numpy).

Kennedy and O'Hagan 2001, section 4.1: data = program + delta(key) + noise, delta with a constant mean. Covariance a^2 (1 + k(d /
l)): an offset as large as the bends, and the Matern 5/2 kernel; a squared exponential, all of whose derivatives exist, is too
sure of how the curve goes on. The amplitude a is exponential beforehand, which keeps it small (the penalized complexity prior of
Simpson et al. 2017, section 3.3), the length l log-uniform. Both are averaged over nodes, so that neither is one more unknown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .radial import radial_profile
from .whitened import in_units

Array = NDArray[np.float64]

AMPLITUDES, LENGTHS = 28, 12  # nodes: steps below the width of the likelihood in either logarithm, about 0.2 at the least
SMALLEST, LARGEST = 1e-3, 8.0  # amplitudes, in their prior mean: 0.1 % and 0.03 % of the prior lie beyond
SHORTEST, LONGEST = 0.1, 1.0  # lengths, in the range of the keys: what bends more often is noise, what bends less a straight line
PER_LENGTH = 32  # places for each length by which the process is known to 1e-6
LEAST = 1e-8  # eigenvalues, in the largest, that are kept
LOG_2PI = float(np.log(2.0 * np.pi))


@dataclass(frozen=True)
class Discrepancy:
    """Residuals in ``units`` have covariance s^2 I + a^2 Q diag(values) Q', Q (L, r) the ``vectors`` of each length.

    ``units``: sds (L,) of independent noise, or the lower Cholesky factor (L, L) of the noise's covariance.
    ``amplitudes`` (A,) and ``lengths`` (B,) are the nodes, ``log_prior`` (A,) that of the amplitudes; lengths are equally
    probable.
    """

    units: Array
    amplitudes: Array
    log_prior: Array
    lengths: Array
    vectors: tuple[Array, ...]
    values: tuple[Array, ...]

    @classmethod
    def of(cls, x: Array, units: Array, size: float, length: float | None = None, apart_from: Array | None = None) -> Discrepancy:
        """Of residuals at keys x (L,) whose noise has the sds ``units`` (L,), or their covariance's factor (L, L), times s.

        ``size``: prior mean of the amplitude. ``length``: None where it is not known. ``apart_from`` (K, L): directions that the
        process has no part in, weighed by the noise's precision (Plumlee 2017, eq 3.3, with sums over the data as integrals).
        """
        span = float(np.ptp(x))
        edges = np.linspace(np.log(SHORTEST * span), np.log(LONGEST * span), LENGTHS + 1)
        lengths = np.exp(0.5 * (edges[1:] + edges[:-1])) if length is None else np.array([length])
        bounds = np.geomspace(SMALLEST, LARGEST, AMPLITUDES + 1)
        beyond = np.exp(-np.concatenate([[0.0], bounds[1:-1], [np.inf]]))
        roots = [in_units(units, _root(x, one).T).T for one in lengths]
        if apart_from is not None and len(apart_from):
            roots = [_without(root, in_units(units, apart_from)) for root in roots]
        parts = [_principal(root) for root in roots]
        return cls(
            units, size * np.sqrt(bounds[1:] * bounds[:-1]), np.log(beyond[:-1] - beyond[1:]), lengths,
            tuple(q for q, _ in parts), tuple(v for _, v in parts),
        )  # fmt: skip

    def log_densities(self, residuals: Array, s: float = 1.0) -> Array:
        """log N(residuals; 0, covariance) + log prior of every node (B, A)."""
        e = in_units(self.units, residuals)
        found = []
        for q, values in zip(self.vectors, self.values, strict=True):
            z = q.T @ e
            v = s**2 + self.amplitudes[:, None] ** 2 * values
            rest, more = max(float(e @ e - z @ z), 0.0) / s**2, 2.0 * (e.size - z.size) * np.log(s)
            found.append(-0.5 * (rest + more + (z**2 / v + np.log(v)).sum(1)))
        scales = self.units if self.units.ndim == 1 else np.diag(self.units)
        constant = np.log(scales).sum() + 0.5 * LOG_2PI * e.size + np.log(len(self.lengths))
        return np.asarray(np.array(found) + self.log_prior - constant)

    def log_density(self, residuals: Array, s: float = 1.0) -> float:
        """Amplitude and length averaged over."""
        from scipy.special import logsumexp  # slow to import, and declaring a problem needs none of it

        return float(logsumexp(self.log_densities(residuals, s)))

    def whitened(self, residuals: Array, s: float = 1.0) -> Array:
        """Independent residuals (L,) of standard deviation 1, each as near to its own as possible, at the most probable node."""
        k, a = np.unravel_index(int(np.argmax(self.log_densities(residuals, s))), (len(self.lengths), len(self.amplitudes)))
        q, values = self.vectors[k], self.values[k]
        e = in_units(self.units, residuals)
        z = q.T @ e
        return np.asarray((e - q @ z) / s + q @ (z / np.sqrt(s**2 + self.amplitudes[a] ** 2 * values)))


def _root(x: Array, length: float) -> Array:
    """C (L, r) with C C' = 1 + the kernel between keys x (L,), through places dense enough to know the whole process."""
    places = np.unique(x)
    count = int(np.ceil(PER_LENGTH * (places[-1] - places[0]) / length)) + PER_LENGTH
    if count < len(places):
        places = np.linspace(places[0], places[-1], count)
    value, vector = np.linalg.eigh(_kernel(places, places, length))
    good = value > LEAST * value[-1]
    bends = _kernel(x, places, length) @ (vector[:, good] / np.sqrt(value[good]))
    return np.concatenate([np.ones((len(x), 1)), bends], 1)


def _kernel(x: Array, y: Array, length: float) -> Array:
    return np.asarray(radial_profile(((x[:, None] - y) / length) ** 2, "rough")[0])


def _without(root: Array, directions: Array) -> Array:
    """The root of the process conditioned on having no part in ``directions`` (K, L)."""
    u, size, _ = np.linalg.svd(root.T @ directions.T, full_matrices=False)
    basis = u[:, size > LEAST * max(float(size.max()), 1e-300)]
    return np.asarray(root - (root @ basis) @ basis.T)


def _principal(root: Array) -> tuple[Array, Array]:
    """Eigenvectors (L, r) and eigenvalues (r,) of root root'."""
    q, size, _ = np.linalg.svd(root, full_matrices=False)
    kept = size**2 > LEAST * max(float(size[0]) ** 2, 1e-300)
    return np.asarray(q[:, kept]), np.asarray(size[kept] ** 2)
