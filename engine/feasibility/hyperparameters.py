"""Hyperparameters of the probability of success: the evidence and their prior, maximized."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize
from scipy.spatial import cKDTree

from ..numerics.success_kernel import HIGHEST, LOWEST, SuccessKernel, log_prior, prior
from .causes import Flags
from .laplace import Mode, Start, slope
from .success_process import Begun, pivoted

Array = NDArray[np.float64]

MOST_FITTED = 120  # runs that hyperparameters are fitted to: more tell little that is new
NEIGHBOURS = 3  # runs nearest to a lonely failure, none of which failed
SHARP = 2.3  # least log sd of the smooth part where no failure is by chance, or a flat map would explain those that are
SHORT = 2.4  # by which log lengths are below their prior mean where the other search begins: two of its sds
CONTRADICTION = float(np.log(0.2))  # for each failure where most runs succeed, if none is by chance
CURVED = 0.2  # step of theta by which the curvature of its evidence is measured
LEAST_CURVATURE = 0.3  # of a direction, in those of the prior: a search that ended early is at no maximum
ITERATIONS = 12  # of the search; each begins where the last one ended


@dataclass(frozen=True)
class MapFit:
    """What a fit leaves for the next ones: theta (D + 2,), and where updates begin, for successes and failures in order of
    arrival: log odds of each, and how probably a failure was by chance. ``log_plausible``: see ``log_plausible``."""

    theta: Array
    odds_good: Array
    odds_failed: Array
    by_chance: Array
    log_plausible: float = 0.0

    @property
    def count(self) -> int:
        """Runs that it was made from."""
        return len(self.odds_good) + len(self.odds_failed)

    def begun(self, good: Array, failed: Array, by_chance: bool, kernel: SuccessKernel | None = None) -> Begun:
        """Of these runs (n, D), (m, D): those it was made from and later ones. ``kernel``: another than that of theta."""
        x, ok = together(good, failed)
        odds, chance = np.zeros(len(x)), np.zeros(len(x))
        old, lost = min(len(self.odds_good), len(good)), min(len(self.odds_failed), len(failed))
        odds[:old], odds[len(good) : len(good) + lost] = self.odds_good[:old], self.odds_failed[:lost]
        chance[len(good) : len(good) + lost] = self.by_chance[:lost]
        return Begun.of(kernel or SuccessKernel.of(self.theta), x, ok, Start(odds, chance), by_chance)

    def to_state(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> MapFit:
        arrays = {k: np.array(state[k], dtype=float) for k in ("theta", "odds_good", "odds_failed", "by_chance")}
        return cls(**arrays, log_plausible=float(state.get("log_plausible", 0.0)))


def learnt(good: Array, failed: Array, by_chance: bool, before: MapFit | None = None) -> MapFit:
    """From successes (n, D) and failures (m, D); ``before``: an earlier fit, to begin from."""
    x, ok = together(good, failed)
    theta = fit(x, ok, by_chance, None if before is None else before.theta)
    begin, lost = best_beginning(SuccessKernel.of(theta), x, ok, by_chance), len(good)
    plausible = log_plausible(theta, *_thinned(x, ok), by_chance)
    return MapFit(theta, begin.log_odds[:lost], begin.log_odds[lost:], begin.by_chance[lost:], plausible)


def together(good: Array, failed: Array) -> tuple[Array, Flags]:
    """All runs (n, D), the successes first, and which are successes (n,)."""
    return np.concatenate([good, failed]), np.arange(len(good) + len(failed)) < len(good)


def best_beginning(kernel: SuccessKernel, points: Array, good: Flags, by_chance: bool) -> Start:
    """Where the best of three beginnings leads: failures are by place, all are by chance, lonely ones are."""
    features, none = pivoted(kernel, points)[0], Start.none(len(points))
    begins = [none]
    if by_chance:
        begins += [Start(none.log_odds, r) for r in (np.ones(len(points)), _lonely(kernel, points, good))]
    best = max((Mode.of(features, good, start, by_chance) for start in begins), key=lambda mode: mode.evidence)
    return Start(best.log_odds, best.by_chance)


def _lonely(kernel: SuccessKernel, points: Array, good: Flags) -> Array:
    """1 where a run failed and its nearest runs did not (n,)."""
    x = points / kernel.lengths
    count = min(1 + NEIGHBOURS, len(x))
    nearest = cKDTree(x).query(x, k=count)[1].reshape(len(x), count)
    return np.asarray((good[nearest].sum(1) == count - 1) & ~good, dtype=float)


def contradicted(good: Flags, mode: Mode) -> int:
    """How many runs failed where most succeed."""
    return int((mode.log_odds[~good] > 0.0).sum())


def fit(points: Array, good: Flags, by_chance: bool, start: Array | None = None) -> Array:
    """theta (D + 2,) of ``SuccessKernel.of``. Long lengths, which see no place in a thin region, and short ones: two maxima."""
    x, ok = _thinned(points, good)
    mean, _ = prior(points.shape[1])
    short = mean - np.append(np.full(points.shape[1], SHORT), np.zeros(2))
    first = _climbed(x, ok, by_chance, mean if start is None else start)
    is_short = first.theta[:-2].mean() < 0.5 * (mean + short)[:-2].mean()
    if not is_short and not first.contradicted:
        return first.theta
    return max(first, _climbed(x, ok, by_chance, mean if is_short else short), key=lambda end: end.value).theta


@dataclass(frozen=True)
class _End:
    """Of a climb: theta, its log posterior (each contradiction counted where nothing fails by chance), and their number."""

    theta: Array
    value: float
    contradicted: int


def _climbed(x: Array, ok: Flags, by_chance: bool, first: Array) -> _End:
    begin = best_beginning(SuccessKernel.of(first), x, ok, by_chance)

    def loss(theta: Array) -> tuple[float, Array]:
        nonlocal begin
        kernel = SuccessKernel.of(theta)
        mode = Mode.of(pivoted(kernel, x)[0], ok, begin, by_chance)
        begin = Start(mode.log_odds, mode.by_chance)
        height, upwards = log_prior(theta)
        return -mode.evidence - height, -slope(kernel, x, ok, mode) - upwards

    bounds = [(LOWEST, HIGHEST)] * len(first)
    bounds[-2] = (LOWEST if by_chance else SHARP, HIGHEST)
    found = optimize.minimize(
        loss, first, jac=True, method="L-BFGS-B", bounds=bounds,
        options={"maxiter": ITERATIONS, "maxfun": 2 * ITERATIONS, "ftol": 1e-4},
    )  # fmt: skip
    theta = np.asarray(found.x, dtype=float)
    lost = contradicted(ok, Mode.of(pivoted(SuccessKernel.of(theta), x)[0], ok, begin, by_chance))
    return _End(theta, -float(found.fun) + (0.0 if by_chance else CONTRADICTION * lost), lost)


def log_plausible(theta: Array, points: Array, good: Flags, by_chance: bool) -> float:
    """What the evidence at the most probable theta (D + 2,) loses by not knowing it: the logarithm of its prior density times the
    volume that the runs leave it, by Laplace (MacKay 1992), of points (n, D). A map so short that each run stands for itself
    explains any outcomes, and one of few lengths among many; either has little prior there."""
    begin = best_beginning(SuccessKernel.of(theta), points, good, by_chance)

    def steepness(at: Array) -> Array:
        kernel = SuccessKernel.of(at)
        return slope(kernel, points, good, Mode.of(pivoted(kernel, points)[0], good, begin, by_chance))

    steps = CURVED * np.eye(len(theta))
    curvature = np.array([steepness(theta - step) - steepness(theta + step) for step in steps]) / (2.0 * CURVED)
    spread = prior(points.shape[1])[1]
    scaled = np.eye(len(theta)) + 0.5 * spread[:, None] * (curvature + curvature.T) * spread
    if not np.isfinite(scaled).all():
        return log_prior(theta)[0]  # the volume is not known
    return log_prior(theta)[0] - 0.5 * float(np.log(np.maximum(np.linalg.eigvalsh(scaled), LEAST_CURVATURE)).sum())


def _thinned(points: Array, good: Flags) -> tuple[Array, Flags]:
    """At most MOST_FITTED runs, points and outcomes: of the rarer outcome all, up to half of them, the rest evenly in order of
    arrival."""
    if len(good) <= MOST_FITTED:
        return points, good
    kinds = [np.flatnonzero(good), np.flatnonzero(~good)]
    few = min(len(k) for k in kinds)
    rare = min(few, MOST_FITTED // 2)
    counts = [rare if len(k) == few else MOST_FITTED - rare for k in kinds]
    rows = np.sort(np.concatenate([k[np.linspace(0, len(k) - 1, c).astype(int)] for k, c in zip(kinds, counts, strict=True)]))
    return points[rows], good[rows]
