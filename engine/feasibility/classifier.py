"""Where the density is zero and where runs fail: the probability of either, and what follows from it for an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.spatial import cKDTree

from ..numerics.randomness import generator
from ..numerics.remembered import Remembered
from ..surrogate.evaluations import Evaluations
from ..surrogate.frames import Whitening
from ..surrogate.log_joint import LogJoint
from ..surrogate.run_times import RunTimes
from . import success_map
from .border_choice import Borders, telling, telling_of_share
from .hyperparameters import MapFit
from .outcomes import CHANCE, outcomes, own_fits
from .reasons import Reasons
from .share import INTERVAL, Share
from .success_map import SuccessMap
from .success_process import SuccessProcess
from .unseen import Nearest

Array = NDArray[np.float64]

STEEP = 4.0  # the density ends where the mean log odds are 0, over a quarter of a nat of them
UNLIKELY = -1.0  # log probability of being possible below which a place is not looked at again
FAILS_BELOW = -1.0  # log chance of running under which a place counts as one where runs fail
LIKELY = float(np.log(0.5))  # log chance of running above which a place is worth a look; the price is its power
SURELY = 3.0  # power of the probability that a run gives a value (tests/benchmarks/README.md)
AFFORDED = 0.1  # share of runs without a value, by their places, above which the power grows with it: a border is found by few
SURE_SHARE = 0.05  # probability that the share is smaller
MOST_AFFORDED = 0.2  # ... above which no run is made for the border alone; the evidence depends on that of a zero density
IN_QUESTION = 0.05, 0.98  # probability of chance at all within which runs near failed ones tell; a region is not to be missed
QUIET = 0.05  # posterior sds around a failed run within which none is asked: programs repeat themselves
LOOKS, NEAR = 2, 1.5  # runs near a failed one that tell what made it fail, and how near, in units of BESIDE
BESIDE = 0.1  # ... from one to the run that tells whether a region made it fail: what is finer hides nothing of the density
SAME = 0.01  # ... within which, in units of BESIDE, it is the failed run itself but for rounding, or repeats it
UNFORESEEN = 0.05  # probability of an outcome below which it refutes the map that gave it
UNREACHED = -20.0  # log probability of being possible below which draws say nothing of the border
DRAWS, FUNCTIONS = 300, 200  # posterior draws at which the map is drawn, and how often
DISPUTED = 0.5, 0.02  # difference of probabilities at a share of the draws with which a run first tells a sheet from a region
IMPOSSIBLE = "impossible"  # the reason of ``failure_kinds`` where the density is zero


@dataclass(frozen=True)
class Feasibility:
    """Points in the box frame: good (n, D), impossible (i, D), failed (f, D), for ``reasons`` (f,).

    ``fits``: hyperparameters known from before; those missing are fitted. ``times``: where runs take longer, None: nowhere.
    """

    whitening: Whitening
    good: Array
    impossible: Array
    failed: Array
    fits: Mapping[str, MapFit] = field(default_factory=dict)
    times: RunTimes | None = None
    reasons: tuple[str, ...] = ()
    _last: Remembered[Borders | None] = field(init=False, repr=False, default_factory=Remembered)
    _last_share: Remembered[Share] = field(init=False, repr=False, default_factory=Remembered)
    _possible: SuccessMap | None = field(init=False, repr=False)
    _runs: SuccessMap | None = field(init=False, repr=False)

    @classmethod
    def of(cls, known: Evaluations, whitening: Whitening | None = None, fits: Mapping[str, MapFit] | None = None) -> Feasibility:
        """What ``known``, in the box frame, says; ``whitening``: of the posterior, None while there is none."""
        white = whitening or Whitening.none(known.impossible.shape[1])
        t = known.times
        times = None if t is None else RunTimes.of(t.points, t.seconds, t.stopped)
        return cls(white, known.points, known.impossible, known.failed, fits or {}, times, known.reasons)

    def __post_init__(self) -> None:
        for name, (good, bad) in outcomes(self.good, self.impossible, self.failed).items():
            found = None
            if len(bad):
                own = own_fits(self.fits, name)
                missing = [chance for chance in CHANCE[name] if chance not in own]
                found = SuccessMap.of(good, bad, success_map.refitted(good, bad, own, missing))
            object.__setattr__(self, f"_{name}", found)

    @property
    def runs_map(self) -> SuccessMap | None:
        """Of where runs give a value; None where none failed."""
        return self._runs

    @property
    def possible_map(self) -> SuccessMap | None:
        """Of where the density is not zero; None where it nowhere is."""
        return self._possible

    @cached_property
    def why(self) -> Reasons | None:
        """Why runs give no value, in the frame and with the kernel of ``place``; None where none is known."""
        if self.place is None or len(self.reasons) < len(self.failed):
            return None
        known, part = self.place
        weights = np.append(1.0 - self.by_chance, np.ones(len(self.impossible)))
        points = known.frame.into(np.concatenate([self.failed, self.impossible]))
        return Reasons.of(part.kernel, points, (*self.reasons, *[IMPOSSIBLE] * len(self.impossible)), weights)

    @property
    def place(self) -> tuple[SuccessMap, SuccessProcess] | None:
        """The map whose likeliest explanation is the place, with that; of where runs fail before where the density is zero."""
        for known in (self._runs, self._possible):
            if known is not None and (part := known.place) is not None:
                return known, part
        return None

    def log_possible(self, b: Array) -> Array:
        """log probability that the density at b (m, D) is not zero, decided by the mean log odds, steeply: (m,)."""
        if self._possible is None:
            return np.zeros(len(b))
        return np.asarray(special.log_expit(STEEP * self._possible.mean_log_odds(b)))

    def may_be_possible(self, b: Array) -> NDArray[np.bool_]:
        """Where the density is not known to be zero (m,): what may be worth a look."""
        return np.asarray(self.log_possible(b) > UNLIKELY)

    def surely_possible(self, b: Array) -> NDArray[np.bool_]:
        """Where the map has no doubt that the density is not zero (m,): a run without any refutes it, and not a border alone."""
        if self._possible is None:
            return np.ones(len(b), dtype=bool)
        return np.asarray(self._possible.log_allowed(b) > np.log1p(-UNFORESEEN))

    def may_give_value(self, b: Array) -> NDArray[np.bool_]:
        """Where a run is worth a look (m,): the density not known to be zero, and likelier than not that it does not fail for its
        place, or surer where many have. What lies where runs fail is no matter of more of them."""
        return np.asarray(self.may_be_possible(b) & (self.price * self.log_runs(b) > LIKELY))

    def log_runs(self, b: Array) -> Array:
        """log probability that a run at b (m, D) does not fail for its place; very negative next to a failed one: (m,)."""
        if self._runs is None:
            return np.zeros(len(b))
        distance = cKDTree(self.whitening.into(self.failed)).query(self.whitening.into(b))[0]
        return np.asarray(self._runs.log_allowed(b) - 20.0 * np.exp(-0.5 * np.square(distance / QUIET)))

    def log_worth(self, b: Array) -> Array:
        """What a run at b (m, D) is worth of what it would be if it surely gave a value, as a logarithm (m,)."""
        possible = np.zeros(len(b)) if self._possible is None else self._possible.log_allowed(b)
        return SURELY * (max(1.0, self.wasted / MOST_AFFORDED) * possible + self.price * self.log_runs(b))

    def log_cost(self, b: Array) -> Array:
        """Logarithm of the seconds that runs at b (m, D) take, relative to the quickest; 0 where all take as long."""
        return np.zeros(len(b)) if self.times is None else self.times.log_seconds(b) - self.times.ends[0]

    def runs_fail(self, b: Array) -> NDArray[np.bool_]:
        """Where runs fail (m,), more probably than not. One that failed by chance among good ones does not count."""
        if self._runs is None:
            return np.zeros(len(b), dtype=bool)
        return np.asarray(self._runs.mean_log_odds(b) < 0.0)

    @property
    def walled(self) -> bool:
        """Whether the density is zero somewhere."""
        return self._possible is not None

    @property
    def scarce(self) -> bool:
        """Whether fewer than a third of the runs gave a value."""
        return 0 < 2 * len(self.good) < len(self.failed) + len(self.impossible)

    @property
    def wasted(self) -> float:
        """Share of the runs that gave no value for their places, surely: few runs fail by chance as well (Jeffreys' interval)."""
        lost = len(self.failed) - float(self.by_chance.sum()) + len(self.impossible)
        runs = len(self.good) + len(self.failed) + len(self.impossible)
        return float(special.betaincinv(lost + 0.5, runs - lost + 0.5, SURE_SHARE))

    @property
    def price(self) -> float:
        """Of a run without a value, 1 or more: it grows with the share there is more than can be afforded."""
        return max(1.0, self.wasted / AFFORDED)

    @property
    def affordable(self) -> bool:
        """Whether runs may be made for where a border is alone."""
        return self.wasted < MOST_AFFORDED

    @property
    def by_chance(self) -> Array:
        """The probability (f,) of each failed run that chance and not its place made it fail."""
        return np.zeros(0) if self._runs is None else self._runs.by_chance

    def walled_mass(self, b: Array, weights: Array) -> float:
        """Posterior mass that may be impossible for all that is known, from draws b (n, D) with weights (n,)."""
        return _share(self._possible, b, weights).mean

    def failing_mass(self, b: Array, weights: Array) -> float:
        """Posterior mass where runs fail, from draws b (n, D) with weights (n,): nothing is known of the density there."""
        return _share(self._runs, b, weights).mean

    def failing_share(self, b: Array, weights: Array) -> Share:
        """The same with its 90 % interval, by where the border may be, and why runs would fail there."""
        return self._last_share((b, weights), lambda: _share(self._runs, b, weights, self.why))

    def share_told(self, surrogate: LogJoint, b: Array, weights: Array) -> Share:
        """The same, and by how high the density may be where runs fail: what ``surrogate`` says there is told from afar."""
        return self.widened(self.failing_share(b, weights), surrogate, b, weights)

    def widened(self, share: Share, surrogate: LogJoint, b: Array, weights: Array) -> Share:
        """``share_told`` of ``failing_share``."""
        if self._runs is None or share.high <= 0.0:
            return share
        x = b[generator(len(b), "density where runs fail").choice(len(b), DRAWS, p=weights / weights.sum())]
        fails = special.expit(-self._runs.mean_log_odds(x))
        if not 0.0 < fails.sum() < len(x):
            return share
        apart = fails / fails.sum() - (1.0 - fails) / (1.0 - fails).sum()
        return share.widened(float(np.sqrt(max(surrogate.mean_functional_variance(x, apart), 0.0))))

    def place_in_question(self, b: Array, weights: Array, rng: np.random.Generator) -> Array | None:
        """The posterior's draw, of b (n, D), whose outcome tells most of how much of it lies where runs fail, times the
        probability of a value to one more than the price; None where runs fail nowhere, or all is known."""
        if self._runs is None:
            return None
        x = b[rng.choice(len(b), DRAWS, p=weights / weights.sum())]
        if _worth_telling(asked := self._runs.disputed(x)):
            return np.asarray(x[int(np.argmax(asked))])
        works = self._runs.functions(x, FUNCTIONS, rng) > 0.0
        tells = telling_of_share if self._runs.in_a_sheet else telling  # which of them it is matters more than where one ends
        worth = tells(works) * works.mean(0) ** (1.0 + self.price)
        return np.asarray(x[int(np.argmax(worth))]) if worth.any() else None

    def cause_in_question(self, b: Array) -> Array | None:
        """The failed run (D,) with the fewest runs near it, LOOKS at most, and of those the nearest to the posterior's draws b
        (n, D), while their places and chance explain the failed runs both; None where they do not. What is begun is ended however
        sure chance seems: one side alone says nothing of a region that ends there. See ``beside``."""
        chance = 0.0 if self._runs is None else self._runs.chance_at_all
        if not chance > IN_QUESTION[0]:
            return None
        failed = self.whitening.into(self.failed)
        near = np.array([len(self._near(x)) for x in self.failed])
        apart = np.asarray(cKDTree(self.whitening.into(b)).query(failed)[0])
        sure, begun = chance >= IN_QUESTION[1], (near > 0) & (near < LOOKS)
        if sure and not begun.any():
            return None
        first = int(np.lexsort((apart, near, ~begun & sure))[0])
        return self.failed[first] if near[first] < LOOKS else None

    def beside(self, failed: Array, rng: np.random.Generator) -> Array:
        """A place (D,) near a failed run (D,), and opposite to the runs near it: one of two such lies in the same region, if that
        matters; in a pattern finer than that, in which the program repeats itself as well, hardly ever."""
        near, away = self._near(failed), rng.standard_normal(len(failed))
        away = away if not len(near) else -near.sum(0)
        return self.whitening.back(self.whitening.into(failed[None])[0] + BESIDE * away / np.linalg.norm(away))

    def _near(self, failed: Array) -> Array:
        """Where runs (k, D) near a failed run (D,) lie from there, in posterior sds."""
        away = self.whitening.into(np.concatenate([self.good, self.impossible, self.failed])) - self.whitening.into(failed[None])
        square = np.square(away).sum(1)
        return np.asarray(away[(square < (NEAR * BESIDE) ** 2) & (square > (SAME * BESIDE) ** 2)])

    def doubt(self, b: Array) -> Array:
        """p (1 - p) of being possible, the log odds' own uncertainty averaged in: largest at the unknown edge (m,)."""
        if self._possible is None:
            return np.zeros(len(b))
        p = np.exp(self._possible.log_allowed(b))
        return np.asarray(p * (1.0 - p))

    def tells_of_border(self, b: Array, waiting: Array, rng: np.random.Generator) -> Array:
        """(m,) how much runs at draws b (m, D) tell of where the density is zero, those at ``waiting`` (p, D) known, times the
        root of the probability of a value."""
        if self._possible is None:
            return np.zeros(len(b))
        under_way, asked = np.split(self._possible.disputed(np.concatenate([waiting, b])), [len(waiting)])
        if _worth_telling(asked) and not (under_way >= DISPUTED[0]).any():
            return asked
        inside = self._possible.functions(np.concatenate([waiting, b]), FUNCTIONS, rng) > 0.0
        return np.asarray(telling(inside, len(waiting)) * np.sqrt(inside[:, len(waiting) :].mean(0)))

    def evidence_sd(self, b: Array, log_weights: Array) -> float:
        """sd of log Z from not knowing where the impossible region begins, at draws b (n, D) of log weights (n,)."""
        found = self._borders(b, log_weights)
        return 0.0 if found is None else found.sd(self._borderless)

    def left_open(self, b: Array, log_weights: Array) -> float:
        """The larger of ``evidence_sd`` and of the posterior mass expected on the wrong side of the border: what is wrongly out
        and what is wrongly in may leave log Z as it is, but not the marginals."""
        found = self._borders(b, log_weights)
        return 0.0 if found is None else max(found.sd(self._borderless), found.wrong)

    @property
    def _borderless(self) -> float:
        """Share of the runs of zero density for which no border accounts: so much of the posterior may lie in such places."""
        lost = 0.0 if self._possible is None else float(self._possible.by_chance.sum())
        return lost / max(len(self.good) + len(self.impossible), 1)

    def _borders(self, b: Array, log_weights: Array) -> Borders | None:
        """At draws as the surrogate has them without a border; None where the density is zero nowhere, or no draw is near."""
        return self._last((b, log_weights), lambda: self._bordered(b, log_weights))

    def _bordered(self, b: Array, log_weights: Array) -> Borders | None:
        if self._possible is None:
            return None
        held = self.log_possible(b)
        log_w = np.where(held > UNREACHED, log_weights - held, -np.inf)
        if not np.isfinite(log_w.max()):
            return None
        rng = generator(len(b), "border")
        w = np.exp(log_w - log_w.max())
        chosen = rng.choice(len(b), DRAWS, p=w / w.sum())
        inside, probability = self._possible.functions(b[chosen], FUNCTIONS, rng) > 0.0, np.exp(held[chosen])
        runs = self.whitening.into(np.concatenate([self.good, self.impossible]))
        nearest = Nearest.of(self.whitening.into(b[chosen]), np.full(DRAWS, 1.0 / DRAWS), runs)
        least, mean = nearest.share_without_value((np.arange(len(runs)) >= len(self.good)).astype(float))
        left_out = 1.0 - float(probability.mean())
        return Borders(inside, probability, mean - left_out if left_out < least else 0.0)

    def nearest_runs(self, b: Array, weights: Array) -> Nearest:
        """Which run, with a value or without, is nearest to each of the posterior's draws b (n, D) with weights (n,)."""
        runs = np.concatenate([self.good, self.impossible, self.failed])
        return Nearest.of(self.whitening.into(b), weights, self.whitening.into(runs))


def _worth_telling(disputed: Array) -> bool:
    """Whether sheet and region differ (m,) at so many of the posterior's draws that it matters which of them it is."""
    return bool((disputed >= DISPUTED[0]).mean() >= DISPUTED[1])


def _share(found: SuccessMap | None, b: Array, weights: Array, why: Reasons | None = None) -> Share:
    """Of the draws, how much lies where most runs fail: by chance some do anywhere."""
    if found is None:
        return Share()
    rng = generator(len(b), "share")
    x = b[rng.choice(len(b), DRAWS, p=weights / weights.sum())]
    fails = found.functions(x, FUNCTIONS, rng) < 0.0
    shares = fails.mean(1)
    low, high = np.quantile(shares, INTERVAL)
    told: dict[str, float] = {}
    if why is not None and high > 0.0 and (kinds := [k for k in why.kinds if k != IMPOSSIBLE]):
        p = why.probabilities(found.frame.into(x))[:, [why.kinds.index(k) for k in kinds]]
        told = dict(zip(kinds, fails.mean(0) @ (p / p.sum(1, keepdims=True)) / len(x), strict=True))
    reasons = tuple((k, float(v)) for k, v in sorted(told.items(), key=lambda item: -item[1]))
    return Share(float(shares.mean()), float(low), float(high), reasons)
