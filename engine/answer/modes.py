"""The separate modes of an answer as things: named, with their mass, their moments, their best run and how they differ.

Made from the answer alone, whatever method found it; the count is the one of every claim (``unseen``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..numerics.mixture_modes import log_parts, modes_of, squared_distances
from ..problem.definition import with_names
from ..problem.transforms import ParameterSpace
from .axis import effective_size
from .digits import plain
from .known_runs import known_runs
from .mode_symmetry import SameAnswer, same_answers
from .posterior import StoredPosterior

if TYPE_CHECKING:
    from ..session.store import SessionStore

Array = NDArray[np.float64]
Labels = NDArray[np.intp]

GAPS = 2.0  # times the covariances, for counting modes: along a thin ridge a mixture has gaps that the posterior has not
FIRST_GUESS = 1.0  # sd of a log evidence above which modes are not told apart: their masses would be anything
APART = 2.0  # sds between the means of two modes from which a parameter is named as different
MOST_NAMED = 3  # parameters in a sentence
OUTSIDE = 1e-3  # of a component's mass: a run farther out belongs to no mode
LEAST_DRAWS = 50.0  # effective draws in a mode: its moments come from its components where there are fewer
ALIKE = 12  # decimals of a weight: a mixture scaled otherwise is the same
ROUNDING = 1e-9  # of a mass
CHUNK = 20_000  # points labelled at once: bounds the memory


@dataclass(frozen=True)
class Best:
    """The best run inside a mode: its values (D,) and log density = log-likelihood + log prior, in the user's units."""

    theta: Array
    log_density: float


@dataclass(frozen=True, eq=False)
class Mode:
    """``name``: 1, 2, 3 ... ``posterior``: the answer within this mode. ``differs``: from 1 (1: from 2) in words; '' for a
    single mode. ``best``: None where no run was inside it.

    ``mass_sd`` holds the chance of the weighted draws, and the answer's own doubt about its log evidence as if the log
    density were off by an amount of its own in each mode. It does not hold what nothing has shown yet: a mode whose
    surrogate is wrong without knowing it.
    """

    name: str
    mass: float
    mass_sd: float
    posterior: StoredPosterior
    differs: str = ""
    best: Best | None = None

    @property
    def mean(self) -> Array:
        """(D,) in the user's units."""
        return self.posterior.mean()

    @property
    def sd(self) -> Array:
        """(D,) in the user's units."""
        return self.posterior.sd()

    @property
    def mass_words(self) -> str:
        """``0.52 ± 0.03``."""
        return f"{self.mass:.2f} ± {max(self.mass_sd, 0.005):.2f}"


@dataclass(frozen=True, eq=False)
class Modes:
    """All modes of ``posterior``, the heaviest first. ``groups``: the components of each."""

    posterior: StoredPosterior
    groups: tuple[Labels, ...]
    modes: tuple[Mode, ...]

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.modes)

    def __len__(self) -> int:
        return len(self.modes)

    @property
    def several(self) -> bool:
        return len(self.modes) > 1

    @cached_property
    def same(self) -> tuple[SameAnswer, ...]:
        """Which modes are images of others by an exchange or a change of sign of parameters."""
        return same_answers([(m.name, m.mass, m.mass_sd, m.mean, m.posterior.covariance()) for m in self.modes])

    @property
    def words(self) -> tuple[str, ...]:
        """Sentences of the modes: where each differs, and which are the same answer; none for a single mode."""
        if not self.several:
            return ()
        known = any(m.best is not None for m in self.modes)
        best = [f"; best run: {best_words(m)}" if known else "" for m in self.modes]
        said = [
            f"Mode {m.name}: {m.mass_words} of the posterior; {m.differs}{words}."
            for m, words in zip(self.modes, best, strict=True)
        ]
        return (*said, *self.same_words)

    @property
    def same_words(self) -> tuple[str, ...]:
        """One sentence for each mode that is the same answer as an earlier one."""
        called = titles(self.posterior.space)
        return tuple(s.words(called) for s in self.same)

    def labels(self, u: Array) -> Labels:
        """(n,) which mode each point (n, D) of inference space belongs to: the one whose density is highest there."""
        parts = [_nearest(self.posterior, self.groups, u[k : k + CHUNK]) for k in range(0, len(u), CHUNK)]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.intp)

    def labels_of_runs(self, theta: ArrayLike) -> Labels:
        """(n,) the same for runs (n, D) in the user's units; -1 where one lies outside all modes."""
        return _labels_of_runs(self.posterior, self.groups, np.asarray(theta, dtype=float))

    def shares(self, i: int, u: Array) -> Array:
        """(modes, m) of the marginal density of parameter i at ``u`` (m,) of inference space: they sum to 1."""
        p = self.posterior
        sds = np.sqrt(p.covariances[:, i, i])
        each = np.log(p.weights) - np.log(sds) - 0.5 * np.square((u[:, None] - p.means[:, i]) / sds)
        return _shares(each, self.groups).T

    def owners(self, i: int, j: int, u: Array, v: Array) -> NDArray[np.intp]:
        """(a, b) which mode is highest at (u[a], v[b]) of parameters i and j, inference space."""
        p, both = self.posterior, [i, j]
        points = np.stack(np.meshgrid(u, v, indexing="ij"), axis=-1).reshape(-1, 2)
        means, covariances = p.means[:, both], p.covariances[:, both][:, :, both]
        each = log_parts(np.log(p.weights), covariances, squared_distances(points, means, covariances))
        found: Labels = _shares(each, self.groups).argmax(axis=1).reshape(len(u), len(v))
        return found


def components_of(weights: Array, means: Array, covariances: Array, log_evidence_sd: float = 0.0) -> list[Labels]:
    """Components of each separate mode, the heaviest first: at least one. Every count of modes comes from here.

    A first guess has none: its components lie apart because nothing is known between them.
    """
    if log_evidence_sd > FIRST_GUESS:
        return [np.arange(len(weights))]
    share = np.round(weights / weights.sum(), ALIKE)
    parts = (np.asarray(a, dtype=float).tobytes() for a in (share, means, covariances))
    return list(_components(*parts, np.shape(means)))


@lru_cache(maxsize=8)  # claim, curves and list of modes ask for the same answer
def _components(share: bytes, means: bytes, covariances: bytes, shape: tuple[int, int]) -> tuple[Labels, ...]:
    w, m, c = (np.frombuffer(a) for a in (share, means, covariances))
    try:
        with np.errstate(all="ignore"):
            found = modes_of(w, m.reshape(shape), GAPS * c.reshape(*shape, shape[1]))
    except np.linalg.LinAlgError:  # a file may hold absurd numbers
        found = []
    return tuple(found) or (np.arange(len(w)),)


def find_modes(posterior: StoredPosterior, theta: ArrayLike = (), log_density: ArrayLike = ()) -> Modes:
    """theta (n, D) and log_density (n,) of the runs in the user's units, NaN where one failed: the best in each mode is told."""
    kept = np.flatnonzero(posterior.weights > 0)
    if len(kept) < len(posterior.weights):
        posterior = _part(posterior, kept, np.ones(0 if posterior.draws is None else len(posterior.draws), dtype=bool))
    groups = components_of(posterior.weights, posterior.means, posterior.covariances, posterior.evidence_sd)
    if len(groups) == 1:
        one = (np.arange(len(posterior.weights)),)
        best = _best(posterior, one, theta, log_density)
        return Modes(posterior, one, (Mode(mode_name(0), 1.0, 0.0, posterior, "", best[0]),))
    groups = _complete(posterior, groups)
    labels = None if posterior.draws is None else _nearest(posterior, groups, posterior.draws)
    masses, sds = _masses(posterior, groups, labels)
    parts = [_part(posterior, g, None if labels is None else labels == k) for k, g in enumerate(groups)]
    order = _order(masses, sds, [p.moments_in_inference()[0] for p in parts])
    groups, parts = [groups[k] for k in order], [parts[k] for k in order]
    best = _best(posterior, groups, theta, log_density)
    modes = [
        Mode(mode_name(n), float(masses[k]), float(sds[k]), parts[n], _differs(parts, n), best[n])
        for n, k in enumerate(order)
    ]
    return Modes(posterior, tuple(groups), tuple(modes))


def modes_of_store(store: SessionStore) -> Modes | None:
    """Of the newest answer of a session; None where there is no posterior."""
    record, space = store.last_iteration(), ParameterSpace(store.problem.parameters)
    if record is None or not len(record.weights) or not np.isfinite(record.log_evidence):
        return None
    theta, y, _ = known_runs(store, record, space)
    return find_modes(StoredPosterior.of_iteration(space, record), theta, y)


def titles(space: ParameterSpace) -> list[str]:
    """What the user calls the parameters."""
    return [p.label or p.name for p in with_names(space.parameters)] or list(space.names)


def best_words(mode: Mode) -> str:
    """The best run inside a mode: ``log density -3.21 at Thickness 1.2, k 3.4``."""
    if mode.best is None:
        return "no run was inside it yet"
    space, widths = mode.posterior.space, mode.sd
    values = (plain(float(v), float(w)) for v, w in zip(mode.best.theta, widths, strict=True))
    at = ", ".join(f"{called} {v}" for called, v in zip(titles(space), values, strict=True))
    return f"log density {mode.best.log_density:.2f} at {at}"


def differences(part: StoredPosterior, other: StoredPosterior) -> str:
    """Where a mode lies beside another one: ``larger Thickness, smaller Stiffness``, the most different parameter first."""
    (mean, sd), (at, width) = part.moments_in_inference(), other.moments_in_inference()
    away = (mean - at) / np.maximum(np.sqrt(0.5 * (sd**2 + width**2)), 1e-300)
    size = np.round(np.abs(away))  # whole sds: noise does not change the order
    apart = sorted(np.flatnonzero(np.abs(away) > APART), key=lambda i: (-size[i], i))
    names = titles(part.space)
    said = [f"{'larger' if away[i] > 0 else 'smaller'} {names[i]}" for i in apart[:MOST_NAMED]]
    if not said:
        return "alike in each parameter alone, different in several together"
    more = len(apart) - len(said)
    return ", ".join(said) + (f" and {more} more" if more else "")


def _differs(parts: Sequence[StoredPosterior], n: int) -> str:
    """Of mode n, from the first; which one is meant has to be said where there are more than two."""
    said = differences(parts[n], parts[0 if n else 1])
    return said if len(parts) == 2 else f"{said} than mode {mode_name(0 if n else 1)}" if "alike" not in said else said


def mode_name(n: int) -> str:
    """1, 2, 3 ...: letters are what people call their quantities."""
    return str(n + 1)


def _shares(each: Array, groups: Sequence[Labels]) -> Array:
    """(n, modes) from the log densities (n, K) of the components."""
    of_modes = np.stack([np.logaddexp.reduce(each[:, g], axis=1) for g in groups], axis=1)
    share = np.exp(of_modes - of_modes.max(axis=1, keepdims=True))
    return np.asarray(share / share.sum(axis=1, keepdims=True), dtype=float)


def _nearest(p: StoredPosterior, groups: Sequence[Labels], u: Array) -> Labels:
    """(n,) the mode whose density is highest at u (n, D)."""
    each = log_parts(np.log(p.weights), p.covariances, squared_distances(u, p.means, p.covariances))
    return np.asarray(_shares(each, groups).argmax(axis=1), dtype=np.intp)


def _labels_of_runs(p: StoredPosterior, groups: Sequence[Labels], theta: Array) -> Labels:
    from scipy.special import chdtri

    found = np.full(len(theta), -1, dtype=np.intp)
    usable = np.flatnonzero(np.all((theta > p.space.lower) & (theta < p.space.upper), axis=1))
    if not len(usable):
        return found
    u = p.space.to_inference(theta[usable])
    squares = squared_distances(u, p.means, p.covariances)
    nearest = _shares(log_parts(np.log(p.weights), p.covariances, squares), groups).argmax(axis=1)
    least = np.stack([squares[:, g].min(axis=1) for g in groups], axis=1)[np.arange(len(u)), nearest]
    found[usable] = np.where(least <= chdtri(p.space.dimension, OUTSIDE), nearest, -1)
    return found


def _best(p: StoredPosterior, groups: Sequence[Labels], theta: ArrayLike, log_density: ArrayLike) -> list[Best | None]:
    x, y = np.asarray(theta, dtype=float).reshape(-1, p.space.dimension), np.asarray(log_density, dtype=float)
    inside = _labels_of_runs(p, groups, x)
    found: list[Best | None] = []
    for k in range(len(groups)):
        here = np.flatnonzero((inside == k) & np.isfinite(y))
        top = here[np.argmax(y[here])] if len(here) else -1
        found.append(Best(x[top], float(y[top])) if len(here) else None)
    return found


def _complete(p: StoredPosterior, groups: Sequence[Labels]) -> list[Labels]:
    """Components too light for a mode of their own go to the one that is highest at their mean."""
    rest = np.setdiff1d(np.arange(len(p.weights)), np.concatenate(groups))
    if not len(rest):
        return list(groups)
    at = _nearest(p, groups, p.means[rest])
    return [np.sort(np.concatenate([g, rest[at == k]])) for k, g in enumerate(groups)]


def _part(p: StoredPosterior, group: Labels, drawn: NDArray[np.bool_] | None) -> StoredPosterior:
    """The answer within some components; by its draws ``drawn`` (n,) if there are enough."""
    mixture = p.weights[group], p.means[group], p.covariances[group]
    if p.draws is None or drawn is None or not drawn.any():
        return StoredPosterior(p.space, *mixture, evidence_sd=p.evidence_sd)
    w = p.draw_weights[drawn]
    if w.sum() <= 0 or effective_size(w / w.sum()) < LEAST_DRAWS:
        return StoredPosterior(p.space, *mixture, evidence_sd=p.evidence_sd)
    return StoredPosterior(p.space, *mixture, p.draws[drawn], w, "draws", p.evidence_sd)


def _masses(p: StoredPosterior, groups: Sequence[Labels], labels: Labels | None) -> tuple[Array, Array]:
    """Masses (modes,) and their sds (modes,); see ``Mode``.

    Of self-normalised weights w of draws: sum w^2 (1 - p)^2 over those inside, and p^2 over the others (the delta method;
    draws that repeat count as one). Of the log evidence, known to s: s^2 = sum p^2 e^2 with an error e of the log density of
    each mode, alike and independent, moves the mass p by p e sqrt((1 - p)^2 + sum of the others' p^2).
    """
    count = len(groups)
    if labels is None or p.draws is None:
        masses, variance = np.array([p.weights[g].sum() for g in groups]), np.zeros(count)
    else:
        _, first, which = np.unique(p.draws[:, 0], return_index=True, return_inverse=True)
        w = np.bincount(which.ravel(), p.draw_weights)
        inside = labels[first][:, None] == np.arange(count)
        masses = w @ inside
        variance = np.square(w) @ np.square(inside - masses)
    squares = np.square(masses)
    error = p.evidence_sd / np.sqrt(squares.sum()) if np.isfinite(p.evidence_sd) else np.inf
    moved = masses * error * np.sqrt(np.square(1 - masses) + squares.sum() - squares)
    most = np.sqrt(masses * (1 - masses))  # of any share
    return masses, np.minimum(np.sqrt(variance + np.square(np.nan_to_num(moved, nan=0.0, posinf=1.0))), most)


def _order(masses: Array, sds: Array, means: Sequence[Array]) -> list[int]:
    """The heaviest first. Those that follow each other within the sd of their masses stand by their place, so that no name
    changes with the noise of the masses: by the first parameter that tells them apart."""
    left = sorted(range(len(masses)), key=lambda k: -float(masses[k]))
    found: list[int] = []
    while left:
        tied = [left.pop(0)]
        while left and masses[tied[-1]] - masses[left[0]] <= ROUNDING + np.hypot(sds[tied[-1]], sds[left[0]]):
            tied.append(left.pop(0))
        places = np.stack([means[k] for k in tied])
        spread = np.ptp(places, axis=0)
        by = int(np.argmax(spread >= 0.5 * spread.max()))
        found += [tied[n] for n in np.argsort(places[:, by], kind="stable")]
    return found
