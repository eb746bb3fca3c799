"""Local maxima of a function from several starts at once, within limits: projected BFGS, all starts in one call.

A step goes to where the quadratic model is highest on the face of the limits that the slope leads out at, along straight lines
from limit to limit (Nocedal and Wright 2006, 6.1 and 16.5): a step that is only clipped need not lead up at all.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..numerics.linear_algebra import stable_inverse

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
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
    alike = np.eye(x.shape[1])  # a step along the slope itself
    slope, inverse = np.zeros_like(x), np.repeat((alike if metric is None else metric)[None], len(x), axis=0)
    if going.any():
        slope[going] = slope_of(x[going])
    first, again = going.copy(), np.zeros_like(going)
    for _ in range(steps):
        active = np.flatnonzero(going)
        if len(active) == 0:
            break
        room = lower - x[active], upper - x[active]
        direction = _model_steps(inverse[active], slope[active], *room)
        down = np.einsum("mi,mi->m", direction, slope[active]) <= 0.0
        if down.any():
            at = active[down]
            inverse[at], first[at] = alike, True
            direction[down] = _model_steps(inverse[at], slope[at], room[0][down], room[1][down])
        trial = np.clip(x[active][:, None] + LENGTHS[:, None] * direction[:, None], lower, upper)
        found = f(trial.reshape(-1, x.shape[1])).reshape(len(direction), -1)
        best = found.argmax(1)
        row = np.arange(len(direction))
        gain = found[row, best] - value[active]
        small = active[gain <= LEAST_GAIN]
        going[small] = ~again[small]  # once more, along the slope itself, before it ends
        again[active] = gain <= LEAST_GAIN
        inverse[small], first[small] = alike, True
        up = gain > 0.0
        at, to = active[up], trial[row, best][up]
        if len(at) == 0:
            continue
        step = to - x[at]
        x[at], value[at] = to, found[row, best][up]
        new = slope_of(x[at])
        _update(inverse, at, step, slope[at] - new, first)
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


def _model_steps(inverse: Array, slope: Array, low: Array, high: Array) -> Array:
    """(m, D): to the maximum of models with ``slope`` (m, D) and negative curvature ``inverse``^-1 (m, D, D), as far as ``low``
    and ``high`` (m, D) leave room, at most LONGEST. A limit that a step comes to holds it for the rest of its way."""
    held = ((low >= 0.0) & (slope < 0.0)) | ((high <= 0.0) & (slope > 0.0))
    newton = np.einsum("mij,mj->mi", inverse, slope)
    step, ahead = np.zeros_like(slope), _on_face(inverse, newton, held)
    longer = np.maximum(np.abs(ahead).max(1, keepdims=True) / LONGEST, 1.0)
    newton, ahead = newton / longer, ahead / longer  # as if it were so much more curved
    going = np.arange(len(slope))
    for _ in range(slope.shape[1] + 1):  # each but the last comes to a limit
        room = np.where(ahead > 0.0, high[going] - step[going], low[going] - step[going])
        share = np.divide(room, ahead, out=np.full_like(ahead, np.inf), where=ahead != 0.0)
        part = np.minimum(share.min(1, keepdims=True), 1.0)
        met = share <= part
        step[going] = step[going] + np.where(met, room, part * ahead)
        held[going] |= met
        stopped = part[:, 0] < 1.0
        going = going[stopped]
        if len(going) == 0:
            break
        ahead = _on_face(inverse[going], newton[going] - step[going], held[going])
    return np.asarray(step / np.maximum(np.abs(step).max(1, keepdims=True) / LONGEST, 1.0))


def _on_face(inverse: Array, newton: Array, held: Flags) -> Array:
    """Steps (m, D) to the maximum of a model where coordinates are ``held`` (m, D), from those without (m, D): its curvature
    restricted to the free ones, by the block inverse."""
    if not held.any():
        return newton
    both = held[:, :, None] & held[:, None, :]
    pull = stable_inverse(np.where(both, inverse, np.eye(held.shape[1]))) @ np.where(held, newton, 0.0)[:, :, None]
    return np.where(held, 0.0, newton - (inverse @ np.where(held[:, :, None], pull, 0.0))[:, :, 0])


def _update(inverse: Array, at: NDArray[np.intp], step: Array, fall: Array, first: Flags) -> None:
    """BFGS for the inverse of the negative curvature (D, D) of the starts ``at``; ``fall``: of the slope over the step."""
    product = np.einsum("mi,mi->m", step, fall)
    curved = product > 1e-10 * np.linalg.norm(step, axis=1) * np.linalg.norm(fall, axis=1)
    at, s, y, product = at[curved], step[curved], fall[curved], product[curved]
    new, begins = inverse[at], first[at]
    scale = np.einsum("mi,mij,mj->m", y[begins], new[begins], y[begins])
    new[begins] *= (product[begins] / scale)[:, None, None]
    first[at] = False
    left = np.eye(step.shape[1]) - s[:, :, None] * y[:, None] / product[:, None, None]
    inverse[at] = left @ new @ left.transpose(0, 2, 1) + s[:, :, None] * s[:, None] / product[:, None, None]
