"""Local maxima of a function from several starts at once: BFGS, all starts in one call (Nocedal and Wright 2006, 6.1)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Function = Callable[[Array], Array]  # (m, D) -> (m,), or (m, D) of a gradient

STEPS = 30
DIFFERENCE = 1e-4  # of the coordinates, for central differences
LENGTHS = np.array([1.0, 0.4, 0.1, 0.02, 0.003])  # of the step that BFGS proposes: the best is taken
LONGEST = 1.0  # of a step, in any coordinate
LEAST_GAIN = 0.01  # in a step; when no start gains more it ends


def maxima(
    f: Function, starts: Array, lower: Array, upper: Array, steps: int = STEPS, slope_of: Function | None = None,
    metric: Array | None = None,
) -> tuple[Array, Array]:
    """Where ascents from ``starts`` (m, D) within lower, upper (D,) end (m, D), and the values (m,) there.

    -inf counts as very low; a start whose value is not finite stays where it is. ``slope_of``: (m, D) -> (m, D), the gradient;
    by differences of f where it is not given. ``metric`` (D, D): inverse of what the curvature is thought to be, positive
    definite: without one an ascent takes many steps along a narrow ridge.
    """  # fmt: skip
    slope_of = slope_of or (lambda x: gradients(f, x))
    x = np.clip(starts, lower, upper)
    value = f(x)
    going = np.isfinite(value)
    usual = np.eye(x.shape[1]) if metric is None else metric
    slope, inverse = np.zeros_like(x), np.repeat(usual[None], len(x), axis=0)
    if going.any():
        slope[going] = slope_of(x[going])
    first, again = going.copy(), np.zeros_like(going)
    for _ in range(steps):
        if not going.any():
            break
        direction = np.einsum("mij,mj->mi", inverse[going], slope[going])
        uphill = np.einsum("mi,mi->m", direction, slope[going]) > 0.0
        direction = np.where(uphill[:, None], direction, slope[going])
        direction /= np.maximum(np.abs(direction).max(1, keepdims=True) / LONGEST, 1.0)
        trial = np.clip(x[going][:, None] + LENGTHS[:, None] * direction[:, None], lower, upper)
        found = f(trial.reshape(-1, x.shape[1])).reshape(len(direction), -1)
        best = found.argmax(1)
        row, active = np.arange(len(direction)), np.flatnonzero(going)
        gain = found[row, best] - value[active]
        small = active[gain <= LEAST_GAIN]
        going[small] = ~again[small]  # once more, along the slope itself, before it ends
        again[active] = gain <= LEAST_GAIN
        inverse[small], first[small] = usual, True
        up = gain > 0.0
        at, step = active[up], trial[row, best][up] - x[active[up]]
        if len(at) == 0:
            continue
        x[at] += step
        value[at] = found[row, best][up]
        new = slope_of(x[at])
        _update(inverse, at, step, slope[at] - new, first, usual)
        slope[at] = new
    return x, value


def gradients(f: Function, x: Array) -> Array:
    """(m, D) by central differences; 0 in coordinates where a neighbour has no finite value."""
    m, d = x.shape
    near = DIFFERENCE * np.eye(d)
    around = np.concatenate([x[:, None] + near, x[:, None] - near], 1)
    found = f(around.reshape(-1, d)).reshape(m, 2, d)
    slope = (found[:, 0] - found[:, 1]) / (2.0 * DIFFERENCE)
    return np.where(np.isfinite(slope), slope, 0.0)


def _update(
    inverse: Array, at: NDArray[np.intp], step: Array, fall: Array, first: NDArray[np.bool_], usual: Array
) -> None:
    """BFGS for the inverse of the negative curvature (D, D) of the starts ``at``; ``fall``: of the slope over the step."""
    for k, i in enumerate(at):
        s, y = step[k], fall[k]
        product = float(s @ y)
        if product <= 1e-10 * float(np.linalg.norm(s) * np.linalg.norm(y)):
            continue
        if first[i]:
            inverse[i] = product / float(y @ usual @ y) * usual
            first[i] = False
        left = np.eye(len(s)) - np.outer(s, y) / product
        inverse[i] = left @ inverse[i] @ left.T + np.outer(s, s) / product
