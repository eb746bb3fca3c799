"""An archive of earlier evaluations as SVBMC uses it: cleaned, duplicates merged, trimmed (seed 001 section 3.3, B.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from bayescope.engine.loop_interface import Archive, Tell
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.engine.surrogate import trimming
from bayescope.engine.surrogate.evaluations import NOISE_VARIANCE
from bayescope.engine.surrogate.levels import Levels, levels
from bayescope.engine.surrogate.shaping import compressed
from bayescope.engine.surrogate.values import Values

Array = NDArray[np.float64]

MOST_POINTS = 200_000  # evaluations a surrogate is built from (a minute); the best half and a regular thinning of the rest
CELL = 0.1  # evaluations closer than this, in posterior widths and in log density, are one
BY_PLACE = 0.25  # share of a selection of evaluations that is chosen by where they are
CELLS = 64  # places spread over where the posterior may be, from each of which as many are taken
MOST_IMPOSSIBLE = 500  # impossible points remembered, the nearest to the best evaluations


@dataclass(frozen=True)
class Prepared:
    """u (n, D), y (n,), noise variance (n,), its levels, impossible (i, D); ``notes``: what was left out, in sentences."""

    u: Array
    y: Array
    noise: Array
    levels: Levels
    impossible: Array
    given: int
    notes: tuple[str, ...]

    def too_few(self, needed: int) -> str:
        """A sentence for an archive with fewer points than ``needed``."""
        if self.given == 0:
            return "There is no archive of earlier evaluations; SVBMC starts from one. Import one, or choose another method."
        return (
            f"Only {len(self.y)} of the {self.given:,} archived evaluations can be used; at least {needed} different points "
            "are needed. Allow some new runs, or check the columns of the import."
        )


def prepare(archive: Archive | None, dimension: int, trim: float) -> Prepared:
    """Raises ValueError if the arrays do not fit together."""
    if archive is None:
        nothing = np.zeros((0, dimension))
        return Prepared(nothing, np.zeros(0), np.zeros(0), Levels(np.zeros(0), np.zeros(0)), nothing, 0, ())
    u = np.asarray(archive.points, dtype=float).reshape(-1, dimension)
    y, sd = np.asarray(archive.values, dtype=float).ravel(), np.asarray(archive.sds, dtype=float).ravel()
    if not len(u) == len(y) == len(sd):
        raise ValueError(f"The archive has {len(u)} points, {len(y)} values and {len(sd)} standard deviations.")
    given, notes = len(u), []
    placed = np.isfinite(u).all(axis=1)
    known = placed & np.isfinite(y) & np.isfinite(sd) & (sd >= 0)
    impossible = u[placed & (y == -np.inf)]
    unusable = given - int(known.sum()) - len(impossible)
    if unusable:
        notes.append(f"{unusable:,} rows of the archive hold no finite value and were left out.")
    u, y, sd = merged(u[known], y[known], sd[known])
    if len(u) < known.sum():
        notes.append(f"{int(known.sum()) - len(u):,} repeated evaluations of the archive were merged.")
    if len(u):
        keep = trimming.keep(torch.as_tensor(y), torch.as_tensor(sd), dimension, drop=trim * dimension).numpy()
        if not keep.all():
            notes.append(
                f"{int((~keep).sum()):,} evaluations far below the best (by more than {spoken(trim * dimension)} in log density) "
                "were left out: they say nothing about the posterior."
            )
        u, y, sd = u[keep], y[keep], sd[keep]
    noise = NOISE_VARIANCE + sd**2
    level = levels(u, y, noise)
    if len(u) > MOST_POINTS:
        chosen = thinned(level.value, MOST_POINTS)
        notes.append(
            f"Of {len(u):,} evaluations the best and a regular selection of the others, {MOST_POINTS:,}, were used."
        )
        u, y, noise, level = u[chosen], y[chosen], noise[chosen], level.where(chosen)
    return Prepared(u, y, noise, level, _nearest(impossible, u, level.value), given, tuple(notes))


def merged(u: Array, y: Array, sd: Array) -> tuple[Array, Array, Array]:
    """Equal points joined: noisy ones by inverse variance, exact ones by their mean. Order of first appearance."""
    if len(u) == 0:
        return u, y, sd
    _, first, group = np.unique(u, axis=0, return_index=True, return_inverse=True)
    if len(first) == len(u):
        return u, y, sd
    group = group.ravel()
    weight = 1.0 / np.maximum(sd, 1e-6) ** 2
    total = np.bincount(group, weight)
    # Relative to each group's first value, so that large log densities lose no digits.
    offset = np.bincount(group, weight * (y - y[first][group])) / total
    noise = np.where(np.bincount(group, sd) > 0, 1.0 / np.sqrt(total), 0.0)
    order = np.argsort(first)
    return u[first][order], (y[first] + offset)[order], noise[order]


def thinned(level: Array, count: int) -> Array:
    """Indices of ``count`` evaluations: the best half of them and every k-th of the others by level."""
    order = np.argsort(-level, kind="stable")
    best, rest = order[: count // 2], order[count // 2 :]
    picks = np.linspace(0, len(rest) - 1, count - len(best)).round().astype(int)
    return np.sort(np.concatenate([best, rest[np.unique(picks)]]))


def covering(x: Array, level: Array, count: int, relevant: float) -> NDArray[np.intp]:
    """Indices of ``count`` of the evaluations x (n, D): most by ``thinned``, and a ``BY_PLACE`` of them by where they are.

    By level alone, a basin that was sampled a thousand times less than another is thinned as that is, and gone. Those at most
    ``relevant`` nats below the best are parted into cells around points spread over them; each cell gives as many as any other,
    its best and a regular selection of its others.
    """
    if len(level) <= count:
        return np.arange(len(level))
    near = np.flatnonzero(level >= level.max() - relevant)
    centres = farthest(x[near], min(CELLS, count // 8))
    cell = cKDTree(x[near[centres]]).query(x[near])[1]
    each = max(1, int(BY_PLACE * count) // len(centres))
    placed = []
    for k in range(len(centres)):
        rows = near[cell == k]
        placed.append(rows if len(rows) <= each else rows[thinned(level[rows], each)])
    by_place = np.concatenate(placed)
    left = np.setdiff1d(np.arange(len(level)), by_place)
    return np.sort(np.concatenate([by_place, left[thinned(level[left], count - len(by_place))]]))


def crowded(x: Array, y: Array, noise: Array) -> NDArray[np.bool_]:
    """Mask (n,) of exact evaluations that repeat another, better one: same cell of ``CELL`` in x (n, D, posterior widths) and y.

    An optimizer that has converged leaves thousands of them; they would drown the rest of the archive.
    """
    cells = np.column_stack([np.round(x / (2.5 * CELL)), np.round(y / CELL)])
    order = np.argsort(-y, kind="stable")
    _, first = np.unique(cells[order], axis=0, return_index=True)
    kept = np.zeros(len(y), dtype=bool)
    kept[order[first]] = True
    result: NDArray[np.bool_] = ~kept & (noise < CELL**2)
    return result


def farthest(x: Array, count: int) -> Array:
    """Indices of ``count`` points spread evenly over where the points x (n, D) are, whatever their density; the first is 0."""
    chosen = [0]
    distance = ((x - x[0]) ** 2).sum(axis=1)
    while len(chosen) < min(count, len(x)):
        chosen.append(int(distance.argmax()))
        distance = np.minimum(distance, ((x - x[chosen[-1]]) ** 2).sum(axis=1))
    return np.asarray(chosen)


def without(archive: Prepared, mask: NDArray[np.bool_]) -> Prepared:
    keep = ~mask
    return replace(
        archive, u=archive.u[keep], y=archive.y[keep], noise=archive.noise[keep], levels=archive.levels.where(keep)
    )


def joined(archive: Archive, more: Archive) -> Archive:
    """Both, as given."""
    names = ("points", "values", "sds")
    return Archive(*(np.concatenate([np.asarray(getattr(a, n), dtype=float) for a in (archive, more)]) for n in names))


def longer(archive: Prepared, more: Prepared) -> Prepared:
    """``more`` behind the archive."""
    u, y, noise, impossible = _both(archive, more, "u", "y", "noise", "impossible")
    return Prepared(
        u, y, noise, archive.levels.then(more.levels), impossible, archive.given + more.given, archive.notes
    )


def seen_from(archive: Prepared, arrived: Prepared) -> Prepared:
    """``arrived`` with its levels by the archive's evaluations too."""
    u, y, noise = _both(archive, arrived, "u", "y", "noise")
    return replace(arrived, levels=levels(u, y, noise, start=len(archive.y)))


def _both(first: Prepared, second: Prepared | Values, *names: str) -> list[Array]:
    return [np.concatenate([getattr(first, n), getattr(second, n)]) for n in names]


def repeated(arrived: Prepared, archive: Prepared) -> NDArray[np.bool_]:
    """Mask of exact evaluations that the archive holds already: the same file imported twice."""
    both = np.concatenate([archive.u, arrived.u])
    _, first = np.unique(both, axis=0, return_index=True)
    old = np.ones(len(both), dtype=bool)
    old[first] = False
    result: NDArray[np.bool_] = old[len(archive.u) :] & (arrived.noise <= NOISE_VARIANCE)
    return result


def _nearest(impossible: Array, u: Array, y: Array) -> Array:
    if len(impossible) <= MOST_IMPOSSIBLE or len(u) == 0:
        return impossible[:MOST_IMPOSSIBLE]
    best = u[np.argsort(-y)[: max(10, len(u) // 20)]]
    scaled = (impossible - best.mean(axis=0)) / (best.std(axis=0) + 1e-12)
    return impossible[np.argsort((scaled**2).sum(axis=1))[:MOST_IMPOSSIBLE]]


def together(archive: Prepared, told: list[Tell], dimension: int) -> Values:
    """The archive's evaluations followed by those of this run."""
    new = Values.of(told, dimension, shaped_noise=False)  # as the archive's: shaped noise is no noise of the values
    u, y, noise = _both(archive, new, "u", "y", "noise")
    found = archive.levels.then(levels(u, y, noise, start=len(archive.y)))
    return Values(
        u,
        y,
        np.asarray(sum(compressed(y, dimension))) if len(y) else y,
        noise,
        new.failed,
        np.concatenate([archive.impossible, new.impossible]),
        found if found.sd.any() else None,
    )
