"""Before anything says "converged": fresh evaluations at draws from the posterior (RECIPE, certification) and in its tails."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...acquisition.probes import tail_excess
from ...answer.where_known import HIDDEN, draws_that_show
from ...loop_interface import State
from . import stopping

Array = NDArray[np.float64]

TAIL_DROP = 5.0  # nats below the top of a line through the bulk at which tails are checked
LIMIT = 0.10  # nats of log Z, of |correction| + standard error: an answer that is off by more counts as wrong
TAIL_LIMIT = 0.06  # posterior mass that the tails may seem to lack
PAUSE_AFTER_REFUSAL = 5  # evaluations before the next attempt
LEAST, CLEAR = 5, 1 / 3  # draws told, and share of the limits kept to at half of the points, to be accepted without the rest
FEWEST, PERFECT = 4, 0.1  # the same, where hardly any misfit shows
EARLIEST = 0.5  # share of the points that must have been told before anything is accepted
RESERVE = 2  # times as many draws, with which the chance of a check can be lowered by the square root of three
VAGUE = 0.6  # of the largest stated sd: with a larger standard error the rest is asked, or all would be checked again
MOST_RETURNS = 3  # to the tails of one check
FRESH = math.ceil(draws_that_show(HIDDEN))  # draws where some failed: runs keep away from there, and count as fewer than they are
REST = np.linspace(-1.0, 1.0, 41)  # what the draws still out might miss by
AGREED = float(np.sqrt(0.4))  # share of a check's standard error stated where the answer agrees with it (``shrunk_error``)
AS_STATED = 3.0  # so many draws that missed by just the surrogate's sd are assumed beforehand, as of emulators
WORTH = 9.0  # times as many draws as were checked, that a surrogate's own sd of the evidence may count for at most
AT_ODDS = 2.5  # sds by which draws and surrogate may differ on the evidence; beyond, its own sd tells nothing


def checks_wanted(dimension: int, walled: bool = False) -> int:
    """5 up to D = 4, 10 from D = 8; where the density is zero somewhere (``walled``) twice as many, and ``FRESH``."""
    wanted = int(np.clip(dimension + 2, 5, 10)) if dimension > 4 else 5
    return max(2 * wanted, FRESH) if walled else wanted


def evidence_limit(dimension: int, walled: bool = False) -> float:
    """Largest sd of the log evidence that may be stated as converged: .07 up to D = 6, .09 from D = 10; more where ``walled``.

    Answers that were wrong by .1 after all had stated .08 or so (tests/benchmarks/README.md).
    """
    return float(np.hypot(np.interp(dimension, [6, 10], [0.07, 0.09]), stopping.EDGE_SD_LIMIT if walled else 0.0))


def tails_wanted(dimension: int) -> int:
    """2 up to D = 3, 6 from D = 10: no posterior draw shows that tails are missing."""
    return int(np.clip((dimension + 2) // 2, 2, 6))


def fewest_wanted(dimension: int, walled: bool = False) -> int:
    """Evaluations with which a certification may be accepted: it ends early where hardly any misfit shows (``_clear``)."""
    draws, tails = checks_wanted(dimension, walled), tails_wanted(dimension)
    tail = Certification.of(np.zeros((draws, 1)), np.zeros((tails, 1))).tail
    drawn = np.cumsum(~tail)  # draws among the first points asked
    enough = (drawn >= (draws if walled else FEWEST)) & (np.arange(1, len(tail) + 1) >= EARLIEST * len(tail))
    return int(np.argmax(enough)) + 1


@dataclass(frozen=True)
class Checked:
    """What a check says: the log evidence with its correction of the answer checked, the standard error of that, by how much the
    surrogate's own sds are to be multiplied (1 or more), the posterior mass that the tails lack, and ``own``, the surrogate's sd
    of the evidence checked, multiplied already (NaN: it says nothing)."""

    log_z: float
    se: float
    scale: float
    excess: float
    own: float = float("nan")

    def to_state(self) -> list[float]:
        return [self.log_z, self.se, self.scale, self.excess, self.own]


def at_odds(correction: float, se: float, own: float) -> bool:
    """Whether draws and surrogate differ on the evidence, or the surrogate says nothing of it."""
    return not np.isfinite(own + se) or abs(correction) > AT_ODDS * np.hypot(own, se)


def both(correction: float, se: float, own: float) -> tuple[float, float]:
    """By how much an answer is off in log Z, and the sd of that, of what draws say, ``correction`` with standard error ``se``,
    and a surrogate that is off by 0 with sd ``own``: two normal estimates of one error. The draws' alone where the surrogate's is
    NaN, or where the two are at odds."""
    if at_odds(correction, se, own):
        return correction, se
    least = max(own**2, se**2 / WORTH)
    share = least / max(least + se**2, 1e-300)
    return share * correction, float(np.sqrt(share) * se)


@dataclass
class Certification:
    """One attempt: the points in the order they are asked, and ``residuals`` y - mean of the surrogate that has not seen them.

    ``tail`` (V + T,) tells which points are tail points; the others are draws from the posterior as it stood. ``least`` is how
    many draws must have been told before a clear answer may be accepted without the rest. ``share`` (V + T,): of the posterior
    that a draw stands for, relative to the others. ``log_z``: of the answer that is checked; NaN: not kept. ``misses``: residuals
    in units of the surrogate's sd there, where there is a value. ``reserve``: how many draws at the end are asked only if chance
    alone speaks against the answer. ``own``: the surrogate's sd of ``log_z``, where draws show its scale; NaN: it is not asked.
    ``passed``: draws that were not asked, since runs fail there, for each that is. ``returns``: how often ``again_in_tails``.
    ``refuted``: a draw was without density where that was known to be there: what else is as wrong no share of the others tells.
    """

    points: Array  # (V + T, D) box frame
    tail: NDArray[np.bool_]
    least: int = LEAST
    asked: int = 0
    told: int = 0
    residuals: list[float] = field(default_factory=list)  # of the draws; -inf where the density turned out to be zero
    tail_residuals: list[float] = field(default_factory=list)
    share: Array = field(default_factory=lambda: np.ones(0))
    drawn: list[int] = field(default_factory=list)  # which point each of the residuals is of
    log_z: float = float("nan")
    misses: list[float] = field(default_factory=list)
    reserve: int = 0
    own: float = float("nan")
    passed: float = 0.0
    returns: int = 0
    refuted: bool = False

    def __post_init__(self) -> None:
        if len(self.share) != len(self.points):
            self.share = np.ones(len(self.points))

    @classmethod
    def of(cls, drawn: Array, far: Array, all_draws: bool = False, share: Array | None = None) -> Certification:
        """Draws (V, D), which stand for ``share`` (V,), and tail points (T, D): evenly mixed, so that either kind can settle it
        early unless ``all_draws``."""
        at = np.concatenate([(np.arange(len(p)) + 0.5) / max(1, len(p)) for p in (drawn, far)])
        order = np.argsort(at, kind="stable")
        tail = np.arange(len(at)) >= len(drawn)
        shares = np.concatenate([np.ones(len(drawn)) if share is None else share, np.ones(len(far))])[order]
        least = len(drawn) if all_draws else LEAST
        return cls(np.concatenate([drawn, far])[order], tail[order], least, share=shares)

    def with_reserve(self, points: Array, share: Array) -> Certification:
        """And draws (R, D), which stand for ``share`` (R,)."""
        tail = np.append(self.tail, np.zeros(len(points), dtype=bool))
        points, reserve = np.vstack([self.points, points]), self.reserve + len(points)
        return replace(self, points=points, tail=tail, share=np.append(self.share, share), reserve=reserve)

    def again_in_tails(self, far: Array) -> Certification:
        """The same check at other tail points (T, D), of an answer that has learnt from those told: what is told of draws stays,
        those still out are asked, those under way are not waited for."""
        draws = np.flatnonzero(~self.tail)
        later = [i for i in draws if self.asked <= i < self.wanted]
        mixed = Certification.of(self.points[later], far, share=self.share[later])
        rows = [*self.drawn, *draws[draws >= self.wanted]]
        told, spare = self.points[rows], len(rows) - len(self.drawn)
        points = np.concatenate([told[: len(self.drawn)], mixed.points, told[len(self.drawn) :]])
        tail = np.concatenate([np.zeros(len(self.drawn), dtype=bool), mixed.tail, np.zeros(spare, dtype=bool)])
        shares = np.concatenate([self.share[rows[: len(self.drawn)]], mixed.share, self.share[rows[len(self.drawn) :]]])
        known = len(self.drawn)
        return replace(
            self, points=points, tail=tail, share=shares, asked=known, told=known, drawn=list(range(known)), tail_residuals=[],
            reserve=spare, returns=self.returns + 1,
        )  # fmt: skip

    def lacks_tails_alone(self, dimension: int) -> bool:
        """Whether nothing but its tails speaks against the answer, and these have not been returned to too often."""
        lacking = tail_excess(np.array(self.tail_residuals), TAIL_DROP, dimension) >= TAIL_LIMIT
        return lacking and self.returns < MOST_RETURNS and not self._draws_hopeless(dimension)

    @property
    def wanted(self) -> int:
        return len(self.points) - self.reserve

    @property
    def complete(self) -> bool:
        return self.told >= self.wanted

    def go_on(self, dimension: int, room: int, beside: float) -> None:
        """Ask as many more draws, up to ``room``, as it takes to be sure, if all are in and only their chance is too large: for
        the correction, or, ``beside`` the rest of the sd that is to be stated, for the evidence.

        To begin anew with as many as before, of a surrogate that is hardly better, would find the same again.
        """
        if not self.complete or not self.reserve or len(self.residuals) < 2:
            return
        off, sd, excess = self._left_off(dimension)
        vague = max(0.0, evidence_limit(dimension) ** 2 - beside**2 - excess**2)
        left = min(LIMIT - abs(off), float(np.sqrt(vague)) / AGREED)
        if excess >= TAIL_LIMIT or not 0.0 < left <= sd:
            return
        more = int(np.ceil(len(self.residuals) * ((sd / left) ** 2 - 1.0))) + 1
        if more <= min(self.reserve, room):
            self.reserve -= more

    def add(self, position: int, residual: float | None, sd: float | None = None) -> None:
        """The outcome of point ``position``, where the surrogate stated ``sd``; None: the run failed, or nothing was stated."""
        self.told += 1
        if residual is None:
            return
        if self.tail[position]:
            self.tail_residuals.append(residual)
        else:
            self.residuals.append(residual)
            self.drawn.append(position)
            if sd is not None and np.isfinite(residual):
                self.misses.append(residual / sd)

    def decided(self, dimension: int) -> bool:
        """Whether no more outcomes are needed: all are in, or those that are in are clearly good, or beyond hope."""
        return self.complete or self._clear(dimension) or self._hopeless(dimension)

    def _clear(self, dimension: int) -> bool:
        """Half of the points told, and both misfits a third of what is accepted at the end; the share grows with the points."""
        told, draws = self.told / self.wanted, len(self.residuals)
        if told < EARLIEST or draws < (FEWEST if self.least == LEAST else self.least):
            return False
        off, sd, excess = self._left_off(dimension)
        share = np.interp(told, [EARLIEST, 1.0], [CLEAR, 1.0]) if draws >= self.least else PERFECT
        precise = np.hypot(sd, excess) < VAGUE * evidence_limit(dimension)
        return bool(precise and abs(off) + sd < share * LIMIT and excess < share * TAIL_LIMIT)

    def _misfit(self, dimension: int) -> tuple[float, float, float]:
        """Correction of log Z, its standard error, and the mass that the tails lack."""
        found = _correction(self.residuals, self._shares, self._asks_surrogate)
        return *found, tail_excess(np.array(self.tail_residuals), TAIL_DROP, dimension)

    def _left_off(self, dimension: int) -> tuple[float, float, float]:
        """By how much the log evidence is off as far as is known, the sd of that, and the mass that the tails lack."""
        correction, se, excess = self._misfit(dimension)
        return *both(correction, se, self._own_sd), excess

    @property
    def _asks_surrogate(self) -> bool:
        return bool(np.isfinite(self.own))

    @property
    def _own_sd(self) -> float:
        """The surrogate's sd of ``log_z``, by the mean of the variance that the draws leave possible."""
        squares = float(np.square(self.misses).sum())
        return self.own * float(np.sqrt(max(1.0, (AS_STATED + squares) / (AS_STATED + len(self.misses) - 2.0))))

    @property
    def _shares(self) -> Array:
        """(V,) of the residuals."""
        known = self.share[self.drawn]
        return known if len(known) == len(self.residuals) else np.ones(len(self.residuals))

    def _hopeless(self, dimension: int) -> bool:
        """Whether it would be refused even if all other draws, those in reserve too, missed by the same amount, and no other tail
        had any mass."""
        tails_left = int(self.tail.sum()) - len(self.tail_residuals)
        lightest = np.array(self.tail_residuals + [-np.inf] * tails_left)
        return tail_excess(lightest, TAIL_DROP, dimension) >= TAIL_LIMIT or self._draws_hopeless(dimension)

    def _draws_hopeless(self, dimension: int) -> bool:
        """The same by the draws alone."""
        if self.refuted or not self.residuals:
            return self.refuted
        draws_left = len(self.points) - int(self.tail.sum()) - len(self.residuals)
        shares = np.append(self._shares, np.full(draws_left, self._shares.mean()))
        rest = (_correction(self.residuals + [r] * draws_left, shares, self._asks_surrogate) for r in REST)
        best = min(sum(np.abs(both(*found, self._own_sd))) for found in rest)
        return bool(best >= LIMIT)

    def verdict(self, dimension: int) -> tuple[bool, float, float]:
        """(accepted, l, se): l = log mean exp(r), an unbiased correction of Z; se = sd(r) / sqrt V and the tails' excess."""
        if len(self.residuals) < 2:
            return False, float("nan"), float("nan")
        enough = len(self.residuals) >= max(3, int(np.ceil((~self.tail[: self.wanted]).sum() / 2)))
        correction, se, excess = self._misfit(dimension)
        off, sd = both(correction, se, self._own_sd)
        accepted = enough and not self.refuted and abs(off) + sd < LIMIT and excess < TAIL_LIMIT
        return accepted, correction, float(np.hypot(se, excess))

    def checked(self, dimension: int) -> Checked | None:
        """What it says so far; None: too little.

        ``scale``: posterior mean of the variance of the misses, inverse chi-square with AS_STATED degrees of freedom
        before. Of the surrogate's shape nothing is said by so few draws, of its scale much: each of them tells of that. Below 1
        of outputs alone, whose emulator states more than it misses by as often as less.
        """
        if len(self.residuals) < 2:
            return None
        correction, se, excess = self._misfit(dimension)
        squares = float(np.square(self.misses).sum())
        scale = np.sqrt(max(0.0 if self._asks_surrogate else 1.0, (AS_STATED + squares) / (AS_STATED + len(self.misses))))
        return Checked(self.log_z + correction, se, float(scale), excess, self._own_sd)

    def to_state(self) -> State:
        return {
            "points": self.points.copy(),
            "tail": self.tail.copy(),
            "least": self.least,
            "asked": self.asked,
            "told": self.told,
            "share": self.share.copy(),
            "drawn": list(self.drawn),
            "log_z": self.log_z,
            "misses": list(self.misses),
            "reserve": self.reserve,
            "residuals": list(self.residuals),
            "tail_residuals": list(self.tail_residuals),
            "own": self.own,
            "passed": self.passed,
            "returns": self.returns,
            "refuted": self.refuted,
        }

    @classmethod
    def of_state(cls, s: State) -> Certification:
        """States of earlier versions had their tail points at the end, or none."""
        points = np.array(s["points"], dtype=float)
        last = np.arange(len(points)) >= len(points) - int(s.get("tails", 0))
        return cls(
            points,
            np.array(s.get("tail", last), dtype=bool),
            int(s.get("least", len(points))),
            int(s["asked"]),
            int(s["told"]),
            [float(r) for r in s["residuals"]],
            [float(r) for r in s.get("tail_residuals", [])],
            np.array(s.get("share", np.ones(len(points))), dtype=float),
            [int(i) for i in s.get("drawn", [])],
            float(s.get("log_z", "nan")),
            [float(z) for z in s.get("misses", [])],
            int(s.get("reserve", 0)),
            float(s.get("own", "nan")),
            float(s.get("passed", 0.0)),
            int(s.get("returns", 0)),
            bool(s.get("refuted", False)),
        )


def _correction(residuals: list[float], share: Array, plain: bool = False) -> tuple[float, float]:
    """log mean exp(r), r counting as ``share`` (V,) says, and its standard error; (-inf, nan) where no draw has any density.

    ``plain``: by the spread of the exp(r), not by that of the r, where none is infinite, which is larger where some are far too
    low and smaller where some are far too high.
    """
    ratio = np.exp(np.minimum(np.array(residuals), 50.0))
    weight = share / share.sum() if len(share) else share
    mean = float(weight @ ratio)
    if mean <= 0.0:
        return float("-inf"), float("nan")
    if len(ratio) < 2:
        return float(np.log(mean)), 0.0
    finite = bool(np.all(ratio > 0.0)) and not plain
    values = np.log(ratio) if finite else ratio / mean
    away = weight * (values - weight @ values)
    return float(np.log(mean)), float(np.sqrt(np.square(away).sum() * len(ratio) / (len(ratio) - 1)))
