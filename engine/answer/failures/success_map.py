"""Where runs succeed, and why they fail elsewhere, as it is stored with an answer: to know either anywhere without the engine.

Written by ``feasibility.shown``; the mathematics is that of ``feasibility.success_process``, of the likeliest explanation alone,
and of ``feasibility.reasons``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ...numerics.map_frame import MapFrame
from ...numerics.parts import in_parts
from ...numerics.success_kernel import SuccessKernel
from ...problem.transforms import ParameterSpace
from ..posterior import StoredPosterior
from .kinds import KINDS, Kind

Array = NDArray[np.float64]

PREFIXES = ("succeeds.", "possible.")  # of the maps: where runs give a value, and where the density is not zero
DEEP = 0.02  # probability of success below which a run that fails teaches nothing of the border
OTHERS = 12  # draws of the other parameters over which a pair's probability is averaged
BORDER = 0.5  # probability of success at which the border is drawn
WITHIN = 1500  # draws of the answer at which it is asked whether they lie where runs fail


def reason_prefix(kind: str) -> str:
    """... of the map of how probable that reason is where runs fail, beside the others'."""
    return f"fails.{kind}."


@dataclass(frozen=True)
class LightMap:
    """Log odds at u: mean k(u, z) weights, variance k(u, u) - k(u, z) narrowing k(z, u), in the frame of a box frame."""

    pivots: Array  # z (M, D)
    weights: Array  # (M,)
    narrowing: Array  # (M, M)
    kernel: Array  # (D + 2,): lengths, sd of the smooth part, of the straight ones
    box: Array  # (2, D): middle and scale
    frame: Array  # (2, D): centre and scale in the box frame
    works: Array  # (1,): probability that a run does not fail by chance

    @classmethod
    def of(cls, arrays: Mapping[str, Array], prefix: str, dimension: int) -> Self | None:
        """None where there is none, or what there is does not fit: a file may be damaged or come from a stranger."""
        found = {f.name: np.asarray(arrays.get(prefix + f.name, np.nan), dtype=float) for f in fields(cls)}
        m, d = len(np.atleast_1d(found["weights"])), dimension
        shapes = {
            "pivots": (m, d), "weights": (m,), "narrowing": (m, m), "kernel": (d + 2,), "box": (2, d), "frame": (2, d),
            "works": (1,),
        }  # fmt: skip
        good = all(found[name].shape == shape and np.isfinite(found[name]).all() for name, shape in shapes.items())
        good = good and all(np.all(part > 0.0) for part in (found["box"][1], found["frame"][1], found["kernel"]))
        return cls(**found) if good else None

    def arrays(self, prefix: str) -> dict[str, Array]:
        return {prefix + f.name: np.asarray(getattr(self, f.name), dtype=float) for f in fields(self)}

    def probability(self, u: Array) -> Array:
        """Of success at u (m, D) of inference space: (m,)."""
        d = u.shape[1]
        kernel = SuccessKernel(self.kernel[:d], float(self.kernel[d]), float(self.kernel[d + 1]))
        found = np.empty(len(u))
        for part in in_parts(len(u)):
            x = MapFrame(*self.frame).into((u[part] - self.box[0]) / self.box[1])
            k = kernel(x, self.pivots)
            variance = np.maximum(kernel.diagonal(x) - np.einsum("im,im->i", k @ self.narrowing, k), 0.0)
            found[part] = special.expit(k @ self.weights / np.sqrt(1.0 + np.pi * variance / 8.0))
        return found * float(self.works[0])


def beyond_border(arrays: Mapping[str, Array], space: ParameterSpace, theta: Array) -> int:
    """How many of the failed runs theta (n, D), user's units, lie so deep where runs fail that the border needs none of them."""
    light = LightMap.of(arrays, PREFIXES[0], space.dimension)
    if light is None or not len(theta):
        return 0
    u = np.array([space.to_inference(row) for row in theta])
    return int((light.probability(u) < DEEP).sum())


@dataclass(frozen=True, eq=False)
class SuccessMaps:
    """The probability that a run gives a value that is not impossible; ``others`` (n, D): draws of the answer. ``reasons``: of
    failing, those that came often enough to have a place."""

    maps: tuple[LightMap, ...]
    posterior: StoredPosterior
    others: Array
    reasons: tuple[tuple[Kind, LightMap], ...] = ()

    @classmethod
    def of(cls, arrays: Mapping[str, Array], posterior: StoredPosterior) -> SuccessMaps | None:
        """None where no run failed for its place."""
        d = posterior.space.dimension
        maps = tuple(m for prefix in PREFIXES if (m := LightMap.of(arrays, prefix, d)) is not None)
        reasons = tuple((k, m) for k in KINDS if (m := LightMap.of(arrays, reason_prefix(k), d)) is not None)
        return cls(maps, posterior, posterior.sample_in_inference(OTHERS, 0), reasons) if maps else None

    def probability(self, u: Array) -> Array:
        """At u (m, D) of inference space: (m,)."""
        return np.asarray(np.prod([m.probability(u) for m in self.maps], axis=0))

    def of_pair(self, i: int, j: int, x: Array, y: Array) -> Array:
        """(len(x), len(y)) where parameter i is x and j is y, in the user's units; the others as the answer has them."""
        a, b = np.meshgrid(x, y, indexing="ij")
        u = self._with_others(i, j, a.ravel(), b.ravel())
        return np.asarray(self.probability(u.reshape(-1, u.shape[2])).reshape(u.shape[:2]).mean(axis=1).reshape(a.shape))

    def why(self, i: int, j: int, x: Array, y: Array) -> Array:
        """(m, len(KINDS)) how probable each reason is where a run fails, parameter i being x (m,) and j being y (m,), the others
        as the answer has them; zeros where none is known."""
        found = np.zeros((len(x), len(KINDS)))
        if not self.reasons:
            return found
        u = self._with_others(i, j, x, y)
        flat = u.reshape(-1, u.shape[2])
        odds = np.stack([m.probability(flat) for _, m in self.reasons], axis=1)
        fails = (1.0 - self.probability(flat)) / odds.sum(axis=1)
        shares = (fails[:, None] * odds).reshape(*u.shape[:2], -1).sum(axis=1)
        found[:, [KINDS.index(kind) for kind, _ in self.reasons]] = shares / shares.sum(axis=1, keepdims=True)
        return found

    def _with_others(self, i: int, j: int, x: Array, y: Array) -> Array:
        """(m, n, D) in inference space: x and y (m,), user's units, beside each of the n draws of the others."""
        transforms = self.posterior.space.transforms
        others = self.others if self.posterior.space.dimension > 2 else self.others[:1]
        u = np.repeat(others[None], len(x), axis=0)
        u[:, :, i], u[:, :, j] = transforms[i].to_inference(x)[:, None], transforms[j].to_inference(y)[:, None]
        return u

    def failing_shares(self, grids: list[Array]) -> list[Array]:
        """For each parameter's values (m,), user's units: which share of the answer's density there lies where runs fail."""
        u = self.posterior.sample_in_inference(WITHIN, 1)
        fails = 1.0 - self.probability(u)
        return [_smoothed(u[:, k], fails, self.posterior.space.transforms[k].to_inference(x)) for k, x in enumerate(grids)]


def _smoothed(at: Array, fails: Array, where: Array) -> Array:
    """Means of ``fails`` (n,) around ``where`` (m,): each of a twentieth of the draws nearest along the axis."""
    order = np.argsort(at, kind="stable")
    sums = np.concatenate([[0.0], np.cumsum(fails[order])])
    half = max(len(at) // 40, 1)
    middle = np.searchsorted(at[order], where)
    low, high = np.clip(middle - half, 0, len(at) - 2 * half), np.clip(middle + half, 2 * half, len(at))
    return np.asarray((sums[high] - sums[low]) / (high - low))
