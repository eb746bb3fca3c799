"""Steps up to a mode far from the answer, on a quadratic of its own: a surrogate of all values is shaped by the modes it knows.

Bayesian linear regression of the values near by on gradient and curvature; a step is Newton's on a draw from their posterior
(Thompson sampling), so that directions nothing is known of are tried while those that are known lead upwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ROUGH, ROUGH_SHARE = 0.3, 0.1  # sd of a value about the quadratic: nats, and share of its distance in value from the best
CURVATURE_SD, TWIST_SD = 0.7, 0.3  # prior sds of the curvature along and between axes, of the answer's
FLATTEST = 0.1  # of the answer's curvature
NEAREST = 4  # times D values at most are fitted, the highest
Beliefs = Sequence[tuple[float, float]]
AS_SAID: Beliefs = ((1.0, 1.0),)


@dataclass(frozen=True)
class LocalQuadratic:
    """Bayesian regression of values on gradient and curvature, coordinates in units of a mode's sd ``unit``.

    Coefficients (P,), P = D + D (D + 1) / 2: ``prior_mean`` + ``prior_sd`` * (``mean`` + ``root``^-1 z), z standard normal.
    """

    unit: float
    prior_mean: Array
    prior_sd: Array
    mean: Array
    root: Array

    @classmethod
    def of(
        cls, points: Array, rise: Array, best: Array, fall: float, precision: float, rough_share: float, beliefs: Beliefs
    ) -> LocalQuadratic:
        """Of values ``rise`` (n,) above that of ``best`` (D,) at points (n, D); ``fall``, ``precision`` as for ``newton_draw``.

        ``rough_share``: of a value's distance from the best, what is not quadratic in it. ``beliefs``: what sds of values about
        the quadratic, and of its coefficients beforehand, are multiplied by; evidence chooses the pair.
        """
        d, unit = len(best), precision**-0.5
        apart, diagonal = (points - best) / unit, _rows(d) == _columns(d)
        products = apart[:, _rows(d)] * apart[:, _columns(d)] * np.where(diagonal, -0.5, -1.0)
        design, prior_mean = np.hstack([apart, products]), np.concatenate([np.zeros(d), diagonal.astype(float)])
        steepness = np.full(d, np.sqrt(2.0 * max(fall, 1.0) / d))
        sds = np.concatenate([steepness, np.where(diagonal, CURVATURE_SD, TWIST_SD)])
        rough, left = ROUGH + rough_share * np.abs(rise), rise - design @ prior_mean
        fits = [(wide * sds, *_regression(design * (wide * sds), left, noise * rough)) for noise, wide in beliefs]
        sd, mean, root, _ = max(fits, key=lambda fit: fit[3])
        return cls(unit, prior_mean, sd, mean, root)

    def drawn(self, rng: np.random.Generator) -> tuple[Array, Array, Array]:
        """Of a draw from what is known: the slopes (D,) along the axes of its curvature, the curvatures (D,), the axes (D, D)."""
        chance = np.linalg.solve(self.root, rng.standard_normal(len(self.mean)))
        drawn = self.prior_mean + self.prior_sd * (self.mean + chance)
        d = round(float(np.sqrt(2 * len(drawn) + 2.25)) - 1.5)
        bend = np.zeros((d, d))
        bend[_rows(d), _columns(d)] = drawn[d:]
        size, axes = np.linalg.eigh(bend + np.triu(bend, 1).T)
        return axes.T @ drawn[:d], size, axes

    def doubt(self, axes: Array) -> Array:
        """(D,) sds of the curvatures along the columns of ``axes`` (D, D)."""
        d = len(axes)
        twice = np.where(_rows(d) == _columns(d), 1.0, 2.0)
        along = np.zeros((len(self.mean), d))
        along[d:] = (axes[_rows(d)] * axes[_columns(d)] * twice[:, None]) * self.prior_sd[d:, None]
        return np.asarray(np.sqrt(np.square(np.linalg.solve(self.root.T, along)).sum(0)))


def newton_draw(
    points: Array,
    values: Array,
    best: Array,
    value: float,
    fall: float,
    precision: float,
    radius: float,
    rng: np.random.Generator,
) -> Array:
    """A place (D,) within ``radius`` of ``best`` (D,), with ``value`` there; points (n, D), values (n,): of its mode.

    ``fall``: nats from ``best`` up to where a mode would be; ``precision``: the inverse variance of a mode, about.
    """
    chosen = np.argsort(-values)[: NEAREST * len(best)]
    known = LocalQuadratic.of(points[chosen], values[chosen] - value, best, fall, precision, ROUGH_SHARE, AS_SAID)
    slope, size, axes = known.drawn(rng)
    return within(radius, best, known.unit * axes @ (slope / np.maximum(size, FLATTEST)))


def within(radius: float, best: Array, step: Array) -> Array:
    """(D,) ``step`` (D,) from ``best`` (D,), or as far as ``radius`` in its direction."""
    return np.asarray(best + step * min(1.0, radius / max(float(np.linalg.norm(step)), 1e-12)), dtype=float)


def _regression(design: Array, y: Array, sd: Array) -> tuple[Array, Array, float]:
    """Standard normal coefficients (P,) of ``design`` (n, P) given y (n,) with errors ``sd`` (n,): mean, root of the precision
    (P, P, upper), log evidence without its constant. By QR: the squares of sds that differ by millions lose all digits."""
    rows = np.vstack([design / sd[:, None], np.eye(design.shape[1])])
    given = np.concatenate([y / sd, np.zeros(design.shape[1])])
    turn, root = np.linalg.qr(rows)
    mean = np.linalg.solve(root, turn.T @ given)
    misfit = float(np.square(given - rows @ mean).sum())
    return mean, root, -0.5 * misfit - float(np.log(np.abs(np.diag(root))).sum() + np.log(sd).sum())


def _rows(d: int) -> NDArray[np.intp]:
    return np.triu_indices(d)[0]


def _columns(d: int) -> NDArray[np.intp]:
    return np.triu_indices(d)[1]
