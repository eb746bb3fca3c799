"""Sobol indices of every learnt output and of the log density, over prior and posterior, with intervals; no run is made.

Intervals cover what the runs leave open and the sampling (Le Gratiet, Cannamela and Iooss 2014): functions are drawn that fit the
runs (``possible_functions``), and the index of each is taken from half of the points, which scatters about that from all as much
as that does about the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from ..answer.predictions.data_parts import Column
from ..answer.predictions.emulated import HIGH, LOW
from ..answer.sensitivity import LOG_DENSITY, Indices, Kind, Over, finite
from ..numerics.linear_algebra import stable_cholesky
from ..numerics.sobol_indices import Variances, rank_bases, variances
from ..surrogate.outputs.log_joint import EmulatedLogJoint
from ..surrogate.outputs.shown import light
from .distribution import Moved, most_points
from .function_draws import DrawnScores
from .possible_functions import PossibleFunctions

Array = NDArray[np.float64]
Check = Callable[[], None]

FUNCTIONS = 40  # drawn; ends of a 90 % interval are then the second and third of each side
POINTS = 4096  # at most; each is evaluated once more for every parameter
MOST_NUMBERS = 2e7  # scores of all functions at all points: what 160 MB hold
MOST_LIKELIHOODS = 4e8  # cells of all functions at all points: a log density is made of each
OPEN = 0.2  # of the variance that the runs leave open, which a kernel hands to parameters in its own way: an index may differ so
OPEN_OF_SCORE = 0.4  # ... where only a log density was learnt: it has tails that no run may have reached
LARGEST = 1e130  # of a cell: its square can be held
MOST_ROWS = 48  # of a series, evenly spread
SCORE_POINTS = 2048  # at which functions that fit the values are drawn
JOINT = 1200  # points at which functions are drawn from a surrogate of the log density alone


@dataclass(frozen=True)
class Found:
    """Indices (2, F, D) of first order and total of each function drawn, from all points and from half of them; the quantity's
    sd, and the share of its variance that is known."""

    first: Array
    total: Array
    sd: float
    known: float
    open: float = OPEN

    def ranges(self) -> tuple[tuple[tuple[float, float, float], ...], tuple[tuple[float, float, float], ...]]:
        """Median of the indices from all points, ends of 90 % of those from half of them, a share of what is open wider."""
        more = self.open * (1.0 - self.known)
        return _ranges(self.first, more), _ranges(self.total, more)


def _ranges(index: Array, more: float) -> tuple[tuple[float, float, float], ...]:
    middle, (low, high) = np.median(index[0], axis=0), np.quantile(index[1], [LOW, HIGH], axis=0)
    low, high = np.maximum(low - more, 0.0), np.minimum(high + more, 1.0)
    rows = zip(middle, np.minimum(low, middle), np.maximum(high, middle), strict=True)
    return tuple((finite(a), finite(b), finite(c)) for a, b, c in rows)


class Halves:
    """The points (n, D) with their bases, and for each function a random half of them."""

    def __init__(self, at: Moved, rng: np.random.Generator) -> None:
        self.at, self.rng = at, rng
        self.bases = rank_bases(at.points)

    def of(self, f: Array, moved: Array) -> tuple[Variances, Variances]:
        """From all points and from half of them; f (n, q), moved (D, n, q)."""
        half = self.rng.permutation(len(f))[: len(f) // 2]
        return variances(f, moved, self.bases), variances(f[half], moved[:, half], self.bases[:, half])


@dataclass(frozen=True)
class Drawn:
    """Functions drawn of the scores of learnt outputs, (F, 1 + D, n, K), at points and where each of them is moved to."""

    at: Moved
    scores: Array

    @classmethod
    def of(
        cls, surrogate: EmulatedLogJoint, functions: PossibleFunctions | None, at: Moved, rng: np.random.Generator
    ) -> Drawn:
        """``functions``: that fit the runs; None: the emulator's own."""
        inputs = surrogate.cells.into_inputs(at.places)
        if functions is None:
            scores = DrawnScores.of(light(surrogate.emulator), FUNCTIONS, rng).at(inputs)
        else:
            scores = functions.at(inputs, FUNCTIONS, rng)
        return cls(at, scores.reshape(FUNCTIONS, len(at.moved) + 1, len(at.points), -1))


def of_outputs(
    surrogate: EmulatedLogJoint, columns: Sequence[Column], drawn: Drawn, over: Over, rng: np.random.Generator, check: Check
) -> list[Indices]:
    """Of each output over all its rows and of each row, at most MOST_ROWS of them."""
    emulator = light(surrogate.emulator)
    halves, found = Halves(drawn.at, rng), []
    for column in columns:
        if len(column.rows) == 0:
            continue
        which = np.unique(np.linspace(0, len(column.rows) - 1, min(MOST_ROWS, len(column.rows))).round().astype(int))
        cells = [np.clip(emulator.cells(scores, column.cells.start + which), -LARGEST, LARGEST) for scores in drawn.scores]
        both = [halves.of(f[0], f[1:]) for f in cells]
        doubt = np.var([f[0] for f in cells], axis=0).mean(0)
        together = [[v.indices() for v in pair] for pair in both]
        found.append(_indices(column.name, "output", over, together, _size(both), doubt.sum()))
        check()
        if len(which) == 1:
            continue
        for k, row in enumerate(which):
            alone = [[_one(v, k) for v in pair] for pair in both]
            sizes = [(_only(a, k), _only(b, k)) for a, b in both]
            place = column.place(int(row))
            found.append(_indices(column.name, "output", over, alone, _size(sizes), doubt[k], int(column.rows[row]), place))
    return found


def of_log_density(
    surrogate: EmulatedLogJoint, prior: Callable[[Array], Array], drawn: Drawn, over: Over, rng: np.random.Generator,
    check: Check,
) -> Indices:  # fmt: skip
    """Log-likelihood of outputs drawn, plus ``prior``: points u (n, D) -> log prior density (n,) in the user's units."""
    cells, each = len(surrogate.cells.measured), len(drawn.at.moved) + 1
    at = drawn.at.first(most_points(len(drawn.at.points), MOST_LIKELIHOODS / (cells * FUNCTIONS * each)))
    count = len(at.points)
    base, p = prior(at.places), torch.as_tensor(surrogate.cells.noise_values(at.places))
    device = surrogate.emulator.centre.device
    values = np.empty((FUNCTIONS, each * count))
    with torch.no_grad():
        for k, scores in enumerate(drawn.scores):
            z = torch.as_tensor(scores[:, :count].reshape(each * count, -1), device=device)
            values[k] = surrogate.likelihood.log_density(z, p.to(device)).cpu().numpy() + base
            check()
    return _of_values(values.reshape(FUNCTIONS, each, count), at, over, rng)


def _of_values(values: Array, at: Moved, over: Over, rng: np.random.Generator, left_open: float = OPEN) -> Indices:
    """``values`` (F, 1 + D, n) of the log density."""
    values = np.clip(np.nan_to_num(values, nan=-1e100, neginf=-1e100), -1e100, None)
    halves = Halves(at, rng)
    both = [halves.of(v[0][:, None], v[1:][:, :, None]) for v in values]
    doubt = float(np.var(values[:, 0], axis=0).mean())
    shares = [[v.indices() for v in pair] for pair in both]
    return _indices(LOG_DENSITY, "log density", over, shares, _size(both), doubt, left_open=left_open)


@dataclass(frozen=True)
class ScoreDensity:
    """A surrogate of the log density itself. ``mean``: points u (n, D) -> (n,), in the user's units; ``covariance`` (m, m) of it
    at points (m, D), None: not known. ``functions``: that fit its values in inference space, None: there are too many."""

    mean: Callable[[Array], Array]
    covariance: Callable[[Array], Array] | None
    functions: PossibleFunctions | None = None


def of_score(density: ScoreDensity, at: Moved, over: Over, rng: np.random.Generator) -> Indices | None:
    """From a surrogate of the log density alone: functions that fit its values; or its mean at all points, and functions drawn at
    a few, what they change there.

    None where it is not known at one point of ten or more.
    """
    d = at.points.shape[1]
    mean = density.mean(at.places).reshape(d + 1, -1)
    there = np.isfinite(mean).all(0)
    if there.mean() < 0.9:
        return None
    at, mean = Moved(at.points[there], at.moved[:, there], at.plausible), mean[:, there]
    if density.functions is not None:
        at = at.first(min(len(at.points), SCORE_POINTS))
        values = density.functions.at(at.places, FUNCTIONS, rng)
        return _of_values(values.reshape(FUNCTIONS, d + 1, len(at.points)), at, over, rng, OPEN_OF_SCORE)
    halves = Halves(at, rng)
    pairs = [halves.of(mean[0][:, None], mean[1:][:, :, None]) for _ in range(FUNCTIONS)]
    index = np.array([[v.indices() for v in pair] for pair in pairs])  # (F, 2, 2, D)
    doubt = 0.0
    if density.covariance is not None:
        few = most_points(len(mean[0]), JOINT / (d + 1))
        small = at.first(few)
        root = stable_cholesky(density.covariance(small.places))
        away = (root @ rng.standard_normal((len(root), FUNCTIONS))).T.reshape(FUNCTIONS, d + 1, few)
        doubt = float(np.square(away[:, 0]).mean())
        bases = rank_bases(small.points)
        without = np.array(variances(mean[0, :few, None], mean[1:, :few, None], bases).indices())
        drawn = mean[None, :, :few] + away
        change = np.array([variances(v[0][:, None], v[1:][:, :, None], bases).indices() for v in drawn]) - without
        index = np.clip(index + change[:, None], 0.0, 1.0)
    sd, variance = float(mean[0].std()), float(mean[0].var())
    first, total = index.transpose(2, 1, 0, 3)
    known = variance / max(variance + doubt, 1e-300)
    return _record(LOG_DENSITY, "log density", over, Found(first, total, sd, known, OPEN_OF_SCORE))


def _one(v: Variances, k: int) -> tuple[Array, Array]:
    first, total = v.each()
    return first[:, k], total[:, k]


def _only(v: Variances, k: int) -> Variances:
    return Variances(v.whole[k : k + 1], v.first[:, k : k + 1], v.total[:, k : k + 1])


def _size(both: Sequence[tuple[Variances, Variances]]) -> tuple[float, int]:
    """The variance over points, all values together, mean over functions; and how many values there are."""
    return float(np.mean([full.whole.sum() for full, _ in both])), len(both[0][0].whole)


def _indices(
    name: str, kind: Kind, over: Over, shares: Sequence[Sequence[tuple[Array, Array]]], size: tuple[float, int], doubt: float,
    row: int = 0, place: str = "", left_open: float = OPEN,
) -> Indices:  # fmt: skip
    """``shares``: of each function, from all points and from half of them, first order and total (D,)."""
    first, total = np.array(shares).transpose(2, 1, 0, 3)  # from (F, 2, 2, D)
    whole, count = size
    known = 1.0 - min(doubt / max(whole, 1e-300), 1.0)
    sd = float(np.sqrt(whole / count))
    return _record(name, kind, over, Found(first, total, sd, known, left_open), row, place)


def _record(name: str, kind: Kind, over: Over, found: Found, row: int = 0, place: str = "") -> Indices:
    first, total = found.ranges()
    return Indices(
        name=name, kind=kind, over=over, first=first, total=total,
        known=finite(found.known), sd=finite(min(found.sd, 1e300)), row=row, place=place,
    )  # fmt: skip
