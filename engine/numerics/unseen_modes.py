"""Which second modes the evaluations made rule out: hypothetical normal modes at random places of the plausible box.

A normal mode (centre c, sd w, posterior mass p) beside an answer of evidence Z has the log density
log(p / (1 - p)) + log Z - D log w - (D / 2) log 2 pi - |x - c|^2 / (2 w^2), and no density is below that of one of its parts. A
value below it at an evaluated place rules the mode out. Places are in the plausible box as the unit cube, densities per its unit
of volume. Only what no value hints at is spoken of: a value above what the answer explains has to be followed up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

CENTRES = 2048  # hypothetical modes: shares are exact to about .005
MOST = 500  # evaluations compared with them: the lowest of more tell the most
# of the modes hunted: sd as a share of the plausible ranges, which matters far more than the share of the posterior
WIDTH, MASS = 0.05, 0.1
WIDER = 0.08, 0.12  # hunted where those of WIDTH are out of reach; still wider modes fill the plausible ranges
GOAL = 0.02  # share of them that may stay unseen
PROMISED = 0.3  # share of those left that a hunt has to promise; later looks rule out more than the next
NARROWER, NARROWEST = 0.6, 0.005  # times the width: hunted next where no more than GOAL are left; down to this one
NEIGHBOURS = 3  # of a place whose value is foretold, which is chosen where little is: one alone promises too much
EXCLUDED = 0.05  # share of modes that what is made of the runs excludes wrongly: Bayes factors below it exclude one
UPPER_SDS = 2.0  # of a noisy value, by which it may be too low


@lru_cache(maxsize=8)
def even_places(dimension: int, count: int = CENTRES, seed: int = 0) -> Array:
    """Points (count, D) spread evenly over the unit cube (scrambled Sobol), always the same; count: a power of two."""
    from scipy.stats import qmc

    places = np.asarray(qmc.Sobol(dimension, rng=seed).random(count), dtype=float)
    places.flags.writeable = False
    return places


class UnseenModes:
    """points (n, D) in the unit cube; values (n,) of the log joint there per unit of its volume; sds (n,) of noise on them.

    Failed and impossible runs are no values and are left out: the one tells nothing, and the other not whether a mode begins
    beside it. ``log_z``: of the answer. ``chance`` (M,): that a mode at each of the ``centres`` would not have shown otherwise.
    Raises ValueError where log_z or a value is not finite.
    """

    def __init__(
        self, points: Array, values: Array, log_z: float, sds: Array | None = None, count: int = CENTRES,
        chance: Array | None = None,
    ) -> None:
        if not (np.isfinite(log_z) and np.isfinite(points).all() and np.isfinite(values).all()):
            raise ValueError("unseen modes are judged from finite places, values and log evidence")
        upper = values if sds is None else values + UPPER_SDS * sds
        told_most = np.argsort(upper, kind="stable")[:MOST]
        self.points, self.upper, self.log_z = points[told_most], upper[told_most], float(log_z)
        self.dimension = points.shape[1]
        self._count, self._chance = count, chance
        self._expected: Array | None = None  # (M,) values at the centres

    @property
    def learnt(self) -> bool:
        """Whether modes may have shown otherwise than in a value."""
        return self._chance is not None

    @property
    def centres(self) -> Array:
        return even_places(self.dimension, self._count)

    @cached_property
    def _distances(self) -> Array:
        """Squared, of centres and evaluations (M, n), in single precision: shares are wanted to .01."""
        return squared_distances(self.centres, self.points)

    def _reach(self, width: float, mass: float, values: Array) -> Array:
        """Squared distance within which evaluations of ``values`` (n,) rule out a mode; negative: nowhere."""
        top = peak(width, mass, self.log_z, self.dimension)
        return np.asarray(2.0 * width**2 * (top - values))

    def ruled_out(self, width: float, mass: float) -> NDArray[np.bool_]:
        """(M,) of the modes at ``centres`` with sd ``width`` (of the side of the box) and posterior mass ``mass``."""
        reach = self._reach(width, mass, self.upper)
        telling = reach > 0
        return np.asarray((self._distances[:, telling] < reach[telling].astype(np.float32)).any(1))

    def unseen(self, width: float, mass: float, where: NDArray[np.bool_] | None = None) -> float:
        """Share of such modes that no evaluation rules out, and that do not show otherwise; of those ``where`` (M,), if there are
        some.

        Raises ValueError for a width or mass that makes no sense.
        """
        if not (width > 0 and 0 < mass < 1):
            raise ValueError("a mode has a width above 0 and a mass between 0 and 1")
        left = np.logical_not(self.ruled_out(width, mass)) * (1.0 if self._chance is None else self._chance)
        return float((left if where is None or not where.any() else left[where]).mean())

    def in_reach(
        self,
        looks: int,
        widths: Sequence[float],
        possible: NDArray[np.bool_] | None = None,
        promised: float = PROMISED,
    ) -> float:
        """The first of ``widths`` of which more than GOAL are left, and so many looks, each as telling as the next one, would
        rule out the share ``promised`` of these; 0: there is none. ``possible``: as of ``telling_places``."""
        for width in widths:
            left, gain = self._promise(width, possible)
            if left > GOAL and looks * gain >= promised * left:
                return width
        return 0.0

    def _promise(self, width: float, possible: NDArray[np.bool_] | None) -> tuple[float, float]:
        """Share of the modes of this width, where ``possible``, that is left, and the most that one look would rule out."""
        allowed = _anywhere(self._count) if possible is None or not possible.any() else possible
        left = ~self.ruled_out(width, MASS) & allowed
        share = float(left.sum() / allowed.sum())
        if share <= GOAL:
            return share, 0.0
        foretold = self._foretold(self._distances[left])
        gain = _within(self.centres[left], self.centres[left], np.maximum(self._reach(width, MASS, foretold), 0.0))
        return share, float(gain.max(initial=0) / allowed.sum())

    def telling_places(
        self, count: int, possible: NDArray[np.bool_] | None = None, width: float = WIDTH, worth: Array | None = None
    ) -> Array:
        """(count, D) of the ``centres``, each the one that would rule out most of the modes hunted that are left, were values
        there those of the nearest evaluations (see ``as_followed``); where ``possible`` (M,), if that is anywhere. ``width``: of
        those hunted first. ``worth`` (M,): of a run at each, which may fail and tell nothing; None: of all alike."""
        centres, rows = self.centres, np.arange(self._count)
        allowed = _anywhere(len(rows)) if possible is None or not possible.any() else possible
        foretold = self._foretold(self._distances) if self._expected is None else self._expected
        near = self._distances.min(1)
        left = ~self.ruled_out(width, MASS)
        reach, counted = np.empty(0), np.zeros(0, dtype=bool)  # of this width
        gain: NDArray[np.int64] = np.zeros(0, dtype=np.int64)  # how many of ``counted`` each place would rule out
        chosen: list[int] = []
        for _ in range(count):
            while width > NARROWEST and left.mean() <= GOAL:
                width, counted = width * NARROWER, counted[:0]
                left = ~self.ruled_out(width, MASS)
                for k in chosen:
                    left &= squared_distances(centres[[k]], centres)[0] >= self._reach(width, MASS, foretold[[k]])
            if len(counted):  # of one width fewer and fewer are left: only those gone are counted again
                gain = gain - _within(centres, centres[counted & ~left], reach)
            else:
                reach = np.maximum(self._reach(width, MASS, foretold), 0.0)
                gain = _within(centres, centres[left], reach)
            counted = left.copy()
            asked = rows[allowed & left] if (allowed & left).any() else rows[allowed]
            told = gain[asked] if worth is None else gain[asked] * worth[asked]
            best = asked[told == told.max()]  # none rules out any where values nearby are high: then the farthest
            k = int(best[near[best].argmax()])
            away = squared_distances(centres[[k]], centres)[0]
            near = np.minimum(near, away)
            left &= away >= self._reach(width, MASS, foretold[[k]])
            left[k] = False
            chosen.append(k)
        return np.array(centres[chosen], dtype=float)

    def _foretold(self, distances: Array) -> Array:
        """Values (m,) at places with squared ``distances`` (m, n) to the evaluations: the highest of the NEIGHBOURS nearest."""
        return self._highest_near(distances, self.upper)

    @staticmethod
    def _highest_near(distances: Array, of: Array) -> Array:
        """(m,) the highest ``of`` (n,) the NEIGHBOURS nearest."""
        count = min(NEIGHBOURS, distances.shape[1])
        return np.asarray(of[np.argpartition(distances, count - 1, axis=1)[:, :count]].max(1))

    def as_followed(self, explained: Callable[[Array], Array], followed: Callable[[Array], Array]) -> UnseenModes:
        """For ``telling_places`` where an answer is known: a mode shows only where it exceeds what is followed up, and a place is
        as the answer says, or above that by as much as the evaluations nearby are.

        explained: log density (n,) that the answer states at places (n, D), per unit of volume as the values are; ``followed``:
        the value (n,) above which one is climbed from, where so much is explained (n,).
        """
        told, centres = explained(self.points), explained(self.centres)
        raised = np.maximum(self.upper, followed(told))
        found = UnseenModes(self.points, raised, self.log_z, count=self._count, chance=self._chance)
        found._expected = np.maximum(followed(centres), centres + self._highest_near(self._distances, self.upper - told))
        return found

    def with_places(self, places: Array) -> UnseenModes:
        """As it would be with values at ``places`` (m, D) that are as high as those of evaluations nearby."""
        foretold = self._foretold(squared_distances(places, self.points))
        points, values = np.vstack([self.points, places]), np.concatenate([self.upper, foretold])
        return UnseenModes(points, values, self.log_z, count=self._count, chance=self._chance)


def peak(width: float, mass: float, log_z: float, dimension: int) -> float:
    """Log density at the centre of a normal mode of sd ``width`` that holds ``mass`` of the posterior beside all of ``log_z``."""
    return float(np.log(mass / (1.0 - mass)) + log_z - dimension * (np.log(width) + 0.5 * np.log(2 * np.pi)))


def _anywhere(count: int) -> NDArray[np.bool_]:
    return np.ones(count, dtype=bool)


def _within(places: Array, others: Array, reach: Array) -> NDArray[np.int64]:
    """(m,) how many of ``others`` (n, D) lie within ``reach`` (m,), a squared distance, of each of ``places`` (m, D)."""
    return np.asarray((squared_distances(places, others) < reach[:, None]).sum(1))


def squared_distances(a: Array, b: Array) -> Array:
    """(m, n) between a (m, D) and b (n, D), single precision."""
    near, far = (a - 0.5).astype(np.float32), (b - 0.5).astype(np.float32)
    return np.asarray(np.square(near).sum(1)[:, None] + np.square(far).sum(1) - 2.0 * near @ far.T)
