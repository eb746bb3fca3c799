"""Laplace's approximation: climb to a maximum of the log density, measure the curvature there, take it for a Gaussian.

Seed 000 section 2.4.2; D. J. C. MacKay, Information Theory, Inference, and Learning Algorithms (2003), chapter 27. Derivatives
come from differences over a good part of the posterior's width, so that digits lost in printing do little harm.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.linear_algebra import stable_factors, stable_solve

Array = NDArray[np.float64]
Values = Generator[Array, Array, "LaplaceFit"]  # yields points (n, D), is sent log densities (n,), -inf: none there

CLIMBS = 60  # gradient steps at most
STEP = 0.3  # of the assumed standard deviation, between the points of a difference
GAIN = 0.005  # nats that a Newton step must promise to be taken
DROP, LEAST_DROP, MOST_DROP = 0.1, 0.03, 0.4  # nats below the maximum where curvature is measured
ROUNDS = 8  # of curvature and Newton step
HALVINGS = 6
WEAKEST, STRONGEST = 0.3, 3.0  # curvature in the assumed units between which no second look is needed
WIDENED, NARROWED = 0.01, 100.0  # curvature by which the frame is changed at most in a round: ten times as wide or narrow
FLAT = 0.02  # curvature below which a direction is followed no farther than over a whole plausible range


@dataclass(frozen=True)
class LaplaceFit:
    """``mode`` (D,), ``log_density`` there, ``covariance`` (D, D): inverse of the negative Hessian.

    ``definite`` False: along some direction it does not fall over a whole plausible range, and its width is then only assumed.
    ``settled`` False: the climb did not end at a maximum.
    """

    mode: Array
    log_density: float
    covariance: Array
    definite: bool
    settled: bool

    @property
    def log_evidence(self) -> float:
        """log p(mode) + D/2 log 2 pi + 1/2 log |covariance| (MacKay 2003, eq 27.4)."""
        return self.log_density + 0.5 * (
            len(self.mode) * float(np.log(2 * np.pi)) + float(np.linalg.slogdet(self.covariance)[1])
        )


def laplace_of(log_density: Callable[[Array], Array], start: Array, width: Array) -> LaplaceFit:
    """Of a cheap function of points (n, D) -> (n,), from ``start`` (D,); ``width`` (D,): of the plausible box."""
    return _drive(search(start, float(log_density(start[None])[0]), width), log_density)


def _drive(steps: Values, log_density: Callable[[Array], Array]) -> LaplaceFit:
    try:
        points = next(steps)
        while True:
            points = steps.send(log_density(points))
    except StopIteration as end:
        fit: LaplaceFit = end.value
        return fit


def search(x: Array, f: float, width: Array) -> Values:
    """From ``x`` (D,) with log density ``f``: quasi-Newton climb, then curvature and Newton steps until they gain nothing.

    Curvature is measured in a frame in which it is about one: where it is not, the frame is made wider or narrower and it is
    measured again, so that long directions of correlated parameters are measured over their own length.
    """
    width = np.asarray(width, dtype=float)
    x, f, inverse, settled = yield from _climb(np.asarray(x, dtype=float), f, width)
    root = stable_factors(inverse)
    definite = False
    for _ in range(ROUNDS):
        gradient, hessian = yield from _curvature(x, f, root)
        values, vectors = np.linalg.eigh(-hessian)
        usable = np.clip(values, WIDENED, NARROWED)
        axes = root @ vectors / np.sqrt(usable)
        longer = np.where(values > FLAT, 1.0, np.maximum(np.max(np.abs(axes) / width[:, None], axis=0), 1.0))
        axes, usable = axes / longer, usable * np.square(longer)
        definite, followed = bool(np.all(values > FLAT)), longer > 1.0
        slope = vectors.T @ gradient
        step = root @ vectors @ (slope / usable)
        promised = 0.5 * float(slope @ (slope / usable))
        root = axes
        looks_right = bool(np.all((values > WEAKEST) & (values < STRONGEST) | followed))
        if promised < GAIN:
            if looks_right:
                return LaplaceFit(x, f, root @ root.T, definite, True)
            continue
        there = x + step
        value = float((yield there[None])[0])
        if value <= f:
            settled = promised < 0.1
            if looks_right:
                break
            continue
        x, f = there, value
        settled = True
    return LaplaceFit(x, f, root @ root.T, definite, settled)


def _climb(x: Array, f: float, width: Array) -> Generator[Array, Array, tuple[Array, float, Array, bool]]:
    """Quasi-Newton (BFGS) ascent with central differences: the best point, its value, the inverse Hessian, whether it settled."""
    d = len(x)
    inverse = np.diag(np.square(0.125 * width))
    before: tuple[Array, Array] | None = None
    share = STEP
    for _ in range(CLIMBS):
        h = share * np.sqrt(np.diag(inverse))
        star = np.concatenate([x + np.diag(h), x - np.diag(h)])
        values = yield star
        gradient, curvature = _differences(f, values[:d], values[d:], h)
        if before is None:
            known = np.where(curvature > 1.0 / width**2, 1.0 / np.maximum(curvature, 1e-300), np.diag(inverse))
            inverse = np.diag(np.clip(known, np.square(1e-6 * width), np.square(width)))
        else:
            inverse = _updated(inverse, x - before[0], before[1] - gradient)
        step = inverse @ gradient
        promised = 0.5 * float(gradient @ step)
        step = step * min(1.0, float(np.min(0.5 * width / np.maximum(np.abs(step), 1e-300))))
        if promised < GAIN and values.max() <= f + GAIN:
            return x, f, inverse, True
        before = (x, gradient)
        moved = yield from _line(x, f, step, float(gradient @ step))
        best = int(np.argmax(values))
        if moved is None or values[best] > moved[1]:
            moved = (star[best], float(values[best])) if values[best] > f else None
        if moved is None:
            share /= 3.0
            if share < 0.01:
                return x, f, inverse, promised < 0.1
            before = None
            continue
        x, f = moved
    return x, f, inverse, False


def _differences(f: float, up: Array, down: Array, h: Array) -> tuple[Array, Array]:
    """Gradient and negative second derivatives along the axes; one-sided next to points without a density."""
    both = np.isfinite(up) & np.isfinite(down)
    above, below = np.where(np.isfinite(up), up, f), np.where(np.isfinite(down), down, f)
    gradient = np.where(both, (above - below) / (2 * h), (above - below) / h)
    return gradient, np.where(both, -(above + below - 2 * f) / h**2, 0.0)


def _updated(inverse: Array, s: Array, y: Array) -> Array:
    """BFGS update of the inverse Hessian of the negative log density; left alone where the curvature is not that of a maximum."""
    sy = float(s @ y)
    if sy <= 1e-3 * float(np.sqrt((s @ stable_solve(inverse, s)) * (y @ inverse @ y))):
        return inverse
    left = np.eye(len(s)) - np.outer(s, y) / sy
    return np.asarray(left @ inverse @ left.T + np.outer(s, s) / sy)


def _line(x: Array, f: float, step: Array, slope: float) -> Generator[Array, Array, tuple[Array, float] | None]:
    """Backtracking; None if nothing along the step is better."""
    t = 1.0
    for _ in range(HALVINGS):
        value = float((yield (x + t * step)[None])[0])
        if value >= f + 1e-4 * t * slope:
            return x + t * step, value
        lost = f + t * slope - value
        t *= float(np.clip(0.5 * t * slope / lost if np.isfinite(lost) else 0.2, 0.1, 0.5))
    return None


def _curvature(x: Array, f: float, root: Array) -> Generator[Array, Array, tuple[Array, Array]]:
    """Gradient (D,) and Hessian (D, D) in coordinates z, u = x + root z, over steps that cost about ``DROP`` nats.

    Off the diagonal: f(+i +j) and f(-i -j) beside the values along the axes (Abramowitz and Stegun 25.3.27).
    """
    d = len(x)
    h = np.full(d, np.sqrt(2.0 * DROP))
    values = np.empty((2, d))
    wrong, drop = np.ones(d, dtype=bool), np.zeros(d)
    for attempt in range(4):
        axes = np.flatnonzero(wrong)
        if attempt:
            factor = np.sqrt(DROP / np.maximum(drop, 1e-4))
            h = np.where(wrong, np.clip(h * np.clip(factor, 0.1, 4.0), 1e-3, 10.0), h)
        steps = (h * np.eye(d))[axes] @ root.T
        got = yield np.concatenate([x + steps, x - steps])
        values[:, axes] = got.reshape(2, -1)
        drop = f - 0.5 * values.sum(axis=0)
        wrong = ~((drop > LEAST_DROP) & (drop < MOST_DROP))
        if not wrong.any():
            break
    up, down = np.where(np.isfinite(values), values, f - 50.0)
    hessian = np.diag((up + down - 2 * f) / h**2)
    pairs = [(i, j) for i in range(d) for j in range(i)]
    if pairs:
        steps = np.array([h[i] * root[:, i] + h[j] * root[:, j] for i, j in pairs])
        corners = yield np.concatenate([x + steps, x - steps])
        corners = np.where(np.isfinite(corners), corners, f - 50.0).reshape(2, -1).sum(axis=0)
        for (i, j), both in zip(pairs, corners, strict=True):
            mixed = (both - up[i] - down[i] - up[j] - down[j] + 2 * f) / (2 * h[i] * h[j])
            hessian[i, j] = hessian[j, i] = mixed
    return (up - down) / (2 * h), hessian
