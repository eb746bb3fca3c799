"""Following up values that are higher than all others imply: they may lie on the flank of a mode that no draw has reached.

    a value that leave-one-out finds too high, far above what the known posterior says there -> climb, one run at a time, in a
    ball that grows with success and shrinks with failure, away from what is known -> the top of a mode, or no more gain
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import spatial

from ..loop_interface import State
from ..sampling.guarded_density import Hull
from ..sampling.proposal import Proposal
from ..surrogate.log_joint import LogJoint
from .local_climb import newton_draw

Array = NDArray[np.float64]
Known = Callable[[Array], Array]  # (n, D) -> (n,): log density that the known posterior explains, relative to its top

MOST = 6  # ascents in a run
MOST_FAR = 12  # ... with those from strays
ODD_NATS, ODD_SDS = 2.0, 2.0  # how much too high by leave-one-out, in nats and in its own sds
FOREIGN, AWAY = 4.0, 6.0  # nats above what the known posterior says, of a start and of steps: they lead away from it
# how far above normal modes of the answer a value is odd: nats, and share of their fall, of which variances are known to as much
STRAY_NATS, STRAY_SHARE = 3.0, 0.2
MOST_OF_FALL = 0.5  # the share in a space that the surrogate covers: bent ends and heavy tails are often by 20 %
LEFT_OF_SHARE = 0.75  # of the share, below which a climb under way is given up
SAME = 1e-18  # squared distance
APART = 0.3  # over sqrt D: places nearer to one that was visited are not followed up again
RADIUS, GROW, SHRINK = 0.8, 1.6, 0.5  # box frame
GAIN, CLEAR_GAIN = 0.1, 0.5  # nats: what counts as a step up, and what makes up for failures
FAILURES = 4  # steps that found nothing higher before an ascent is given up
LOCAL_RADIUS, LOCAL_SHRINK = 1.5, 0.8  # a step that tells of a new direction often leads down
DRAWS = 8  # places tried for one that is away from what is known
STEP_SHRINK, SHRUNK = 0.5, 2  # where none is, nearer ones are tried, so often
CANDIDATES = 1024


@dataclass
class Ascent:
    """One climb. ``best`` (D,) in the box frame with its log joint ``value``; ``asked``: the step under way, if any."""

    best: Array
    value: float
    radius: float = RADIUS
    steps: int = 0
    failures: int = 0
    gain: float = np.inf  # nats that the last step went up
    asked: Array | None = None
    local: bool = False  # on a quadratic of its own, far from the answer

    def take(self, place: Array, value: float | None) -> None:
        """The outcome of a step; None: no value came back."""
        self.steps, self.asked = self.steps + 1, None
        self.gain = -np.inf if value is None else value - self.value
        if value is None or self.gain <= GAIN:
            self.failures += 1
            self.radius *= LOCAL_SHRINK if self.local else SHRINK
            return
        self.best, self.value = place, value
        self.failures = 0 if self.gain > CLEAR_GAIN else self.failures
        self.radius = min(LOCAL_RADIUS if self.local else RADIUS, GROW * self.radius)

    def ended(self, top: float) -> bool:
        """Whether it has found a mode and hardly goes higher, or is given up; ``top``: the best log joint."""
        arrived = self.found(top) and self.gain <= CLEAR_GAIN
        given_up = self.failures >= (len(self.best) if self.local else FAILURES)
        return arrived or given_up or self.steps >= (4 if self.local else 3) * len(self.best)

    def found(self, top: float) -> bool:
        """Whether it has come as high as the posterior itself."""
        return self.value > top + high(len(self.best))

    def to_state(self) -> State:
        return {**vars(self), "best": self.best.copy()}

    @classmethod
    def of_state(cls, s: State) -> Ascent:
        asked = None if s["asked"] is None else np.array(s["asked"], dtype=float)
        best = np.array(s["best"], dtype=float)
        numbers = float(s["value"]), float(s["radius"]), int(s["steps"]), int(s["failures"]), float(s.get("gain", np.inf))
        return cls(best, *numbers, asked, bool(s.get("local", False)))


def high(dimension: int) -> float:
    """The log density, relative to the top, from which on a place will be found by the posterior's own draws."""
    return -1.0 - 0.25 * dimension


def known_density(mixture: Proposal) -> Known:
    """Log density of the Gaussian mixture alone, relative to its highest centre: (n, D) -> (n,)."""

    def of(points: Array) -> Array:
        return np.asarray(np.logaddexp.reduce(mixture.log_parts(points), axis=1))

    top = float(of(mixture.means).max())
    return lambda points: of(points) - top


@dataclass(frozen=True)
class LocalClimbs:
    """Climbs on quadratics fitted to the ``values`` (n,), relative to the top, at ``points`` (n, D) that the modes of the answer
    do not explain: ``explained``, and ``precision``, the inverse variance of the heaviest. ``region`` is not left. No climb
    begins at what the answer accounts for otherwise: ``held`` (n,); None: nothing. ``share``: see ``unexplained_from``."""

    points: Array
    values: Array
    explained: Known
    precision: float
    region: Hull
    held: NDArray[np.bool_] | None = None
    share: float = STRAY_SHARE

    @classmethod
    def of(cls, points: Array, values: Array, mixture: Proposal, region: Hull, share: float = STRAY_SHARE) -> LocalClimbs:
        return cls(points, values, explained_density(mixture), narrowness(mixture), region, share=share)

    @cached_property
    def _own(self) -> NDArray[np.bool_]:
        return np.asarray(self.values > self.explained(self.points) + STRAY_NATS / 2)

    def start(self, visited: list[Array], top: float, rng: np.random.Generator) -> Ascent | None:
        """A climb with its first step, from the highest stray that has one; None: there is none. ``visited``: where those before
        began and ended, in turn; none begins twice at the same place.

        Where all steps lead to what the answer explains, there is nothing to find, and the next stray may tell more.
        """
        for row in self.left(visited)[:MOST_FAR]:
            climb = Ascent(self.points[row], float(self.values[row] + top), radius=self.precision**-0.5, local=True)
            climb.asked = self.step(climb, top, rng)
            if climb.asked is not None:
                return climb
        return None

    def left(self, visited: list[Array]) -> NDArray[np.intp]:
        """Rows of the strays that no climb began at, in the order of ``strays``."""
        begun = np.array(visited[::2]).reshape(-1, self.points.shape[1])
        rows = strays(self.points, self.values, self.explained, visited, self.held, self.share)
        return rows[~(spatial.distance.cdist(self.points[rows], begun, "sqeuclidean") < SAME).any(1)]

    def step(self, ascent: Ascent, top: float, rng: np.random.Generator) -> Array | None:
        """The next place (D,) of ``ascent``; None: all that were drawn are explained."""
        self._take_up(ascent, top)
        value, low, high = ascent.value - top, np.minimum(self.region.lower, -2.0), np.maximum(self.region.upper, 2.0)
        points, values = self.points[self._own], self.values[self._own]
        for shrunk in np.repeat(ascent.radius * STEP_SHRINK ** np.arange(SHRUNK + 1), DRAWS):
            place = newton_draw(points, values, ascent.best, value, -value, self.precision, shrunk, rng)
            place = np.clip(place, low, high)
            if self.explained(place[None])[0] < value - STRAY_NATS:
                return place
        return None

    def _take_up(self, ascent: Ascent, top: float) -> None:
        """Its own step that was in doubt when it came, and has come again since; or any run as near that is a stray too."""
        if not ascent.failures:
            return
        near = np.square(self.points - ascent.best).sum(1) < (1.01 * ascent.radius / LOCAL_SHRINK) ** 2
        stray = self.values > unexplained_from(self.explained(self.points), self.share)
        higher = np.flatnonzero(near & stray & (self.values > ascent.value - top + GAIN))
        if len(higher):
            row = higher[self.values[higher].argmax()]
            ascent.best, ascent.value, ascent.failures = self.points[row], float(self.values[row] + top), 0


def narrowness(mixture: Proposal) -> float:
    """Inverse variance of the heaviest mode, the geometric mean over its axes."""
    covariance = mixture.separate_modes[0][1].covariance()
    return float(np.exp(-np.linalg.slogdet(covariance)[1] / len(covariance)))


def explained_density(mixture: Proposal) -> Known:
    """As ``known_density``, or what a normal of the mean and covariance of each separate mode says, where that is more.

    Components fitted to draws tell little of the tails, 50 nats down, where the evaluations of a first design lie.
    """
    modes = mixture.separate_modes
    weights = np.array([share for share, _ in modes])
    means, covariances = (np.array([f(mode) for _, mode in modes]) for f in (Proposal.mean, Proposal.covariance))
    matched = Proposal(weights / weights.sum(), means, covariances)
    top = float(np.logaddexp.reduce(mixture.log_parts(mixture.means), axis=1).max())
    parts = known_density(mixture)
    return lambda points: np.maximum(parts(points), matched.log_parts(points).max(axis=1) - top)


def strays(
    points: Array,
    values: Array,
    explained: Known,
    visited: list[Array],
    held: NDArray[np.bool_] | None = None,
    share: float = STRAY_SHARE,
) -> NDArray[np.intp]:
    """Rows of the values that lie clearly above what the modes of the answer explain, to climb from, the highest first.

    points (n, D) in the box frame, values (n,) relative to the top, as they came: a surrogate has low ones compressed,
    and does not find odd what it has seen. Those near places that were visited come last. ``held`` (n,): those that the
    answer accounts for otherwise. ``share``: see ``unexplained_from``.
    """
    d = points.shape[1]
    odd = (values < high(d)) & (values > unexplained_from(explained(points), share))
    odd = odd if held is None else odd & ~held
    order = np.lexsort([-values, near(points, visited)])
    return np.asarray(order[odd[order]])


def near(points: Array, visited: list[Array]) -> NDArray[np.bool_]:
    """(n,) which ``points`` (n, D) in the box frame are near one of the places ``visited`` (D,)."""
    if not visited:
        return np.zeros(len(points), dtype=bool)
    return np.asarray(spatial.distance.cdist(points, np.array(visited)).min(1) <= APART * np.sqrt(points.shape[1]))


def unexplained_from(explained: Array, share: float = STRAY_SHARE) -> Array:
    """Log density (n,), relative to the top, above which a value is a stray where the answer explains ``explained`` (n,)."""
    return explained + np.maximum(STRAY_NATS, -share * explained)


def origin(
    surrogate: LogJoint, known: Known, visited: list[Array], level: float, held: NDArray[np.bool_] | None = None
) -> int | None:
    """Row of the value to climb from; None if every value is about as high as the others imply. ``held`` (n,): see ``strays``.

    Where an earlier ascent began or ended (``visited``, (D,) each), only if that matters (above ``level``) and still is not
    explained: the values found there explain each other, and leave-one-out no longer shows them. Of new ones, the oddest.
    """
    residual, variance = surrogate.leave_one_out()
    sd = np.sqrt(variance)
    foreign = (surrogate.y < high(surrogate.dimension)) & (known(surrogate.b) < surrogate.y - FOREIGN)
    foreign = foreign if held is None else foreign & ~held
    distance = spatial.distance.cdist(surrogate.b, np.array(visited)).min(1) if visited else np.full(len(sd), np.inf)
    left = np.flatnonzero(foreign & (distance < 1e-9) & (surrogate.y > level))
    if len(left):
        return int(left[surrogate.y[left].argmax()])
    odd = foreign & (residual > np.maximum(ODD_NATS, ODD_SDS * sd)) & (distance > APART * np.sqrt(surrogate.dimension))
    return int(np.where(odd, residual / sd, -np.inf).argmax()) if odd.any() else None


def next_step(
    surrogate: LogJoint,
    known: Known,
    possible: Callable[[Array], Array],
    region: Hull,
    ascent: Ascent,
    top: float,
    rng: np.random.Generator,
) -> Array | None:
    """The place (D,) in the ball of highest mean + sd that the known posterior does not explain; None: there is none.

    ``possible``: log probability that a run has a density at all; ``top``: the best log joint.
    """
    d = len(ascent.best)
    direction = rng.standard_normal((CANDIDATES, d))
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    places = ascent.best + direction * ascent.radius * rng.random((CANDIDATES, 1)) ** (1.0 / d)
    places = np.clip(places, np.minimum(region.lower, -2.0), np.maximum(region.upper, 2.0))
    foreign = known(places) < ascent.value - top - AWAY
    if not foreign.any():
        return None
    mean, variance = surrogate.predict(places)
    score = mean + np.sqrt(variance) + possible(places)
    return np.asarray(places[int(np.where(foreign, score, -np.inf).argmax())], dtype=float)
