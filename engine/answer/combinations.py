"""Combinations of parameters that an answer knows much better than each alone: a product, a ratio, a sum, a difference.

From the generalized eigenproblem S v = lambda P v of the posterior covariance S against the prior covariance P: the smallest
lambda belongs to what the data fix best, the largest to what they leave open; in logarithms for positive parameters, as values
else. What is told is the simplest combination near the eigenvector, and every figure is of the combination as told.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..problem.data.units.unit_scales import raised
from .digits import rough, typeset

Array = NDArray[np.float64]

MUCH = 3.0  # times better known than its best known part, in sds: two parameters correlated by 0.94
SIMPLE = 1.5  # factor of sd by which a simpler combination may be worse than the best one
SMALL = 0.2  # of the largest part of a combination of all parameters: less is left out of it
HARDLY = 1.2  # ratio of prior to posterior sd below which people would see no difference
FACTOR = 0.5  # sd of a logarithm from which it is told as a factor, not as per cent
LARGEST_POWER = 3  # whole powers beyond it are rare in formulas


@dataclass(frozen=True)
class Group:
    """``powers`` of each of ``members``: x^p y^q if ``logarithmic``, else p x + q y. ``sd``: of its logarithm or value;
    ``times``: prior sd / posterior sd."""

    members: tuple[int, ...]
    powers: tuple[float, ...]
    logarithmic: bool
    sd: float
    times: float

    def words(self, titles: Sequence[str], sds: Sequence[float] = ()) -> str:
        """``the product k1 × k2``. ``sds`` of the members: of values in different units, each is counted in its own sd, because
        metres and watts have no sum."""
        named = [titles[i] for i in self.members]
        if sds and not self.logarithmic:
            size = np.array(self.powers) * np.array(sds) / (self.powers[0] * sds[0])
            return f"the combination {_sum(named, [float(f'{p:.2g}') for p in size])}, each in standard deviations of its own,"
        text = _product(named, self.powers) if self.logarithmic else _sum(named, self.powers)
        plus = [p for p in self.powers if p > 0]
        kind = "combination"
        if all(abs(p) == 1.0 for p in self.powers):
            if len(plus) == len(self.powers):
                kind = "product" if self.logarithmic else "sum"
            elif len(self.powers) == 2:
                kind = "ratio" if self.logarithmic else "difference"
        return f"the {kind} {text}"


@dataclass(frozen=True)
class Combination:
    """``fixed``: what the data know; ``alone``: posterior sd of each member, ``alone_times``: prior sd / posterior sd of each;
    ``better``: how many times better it is known than its best known part. ``open``: what is left open, where that is simple."""

    fixed: Group
    alone: tuple[float, ...]
    alone_times: tuple[float, ...]
    better: float
    open: Group | None

    def _mixed(self, units: Sequence[str]) -> Sequence[float]:
        """The sds in which the members of a sum are counted; none: they have one unit, or their logarithms are meant."""
        several = len({units[i] for i in self.fixed.members}) > 1
        return self.alone if several and not self.fixed.logarithmic else ()

    def name(self, titles: Sequence[str], units: Sequence[str]) -> str:
        return self.fixed.words(titles, self._mixed(units))

    def words(self, titles: Sequence[str], units: Sequence[str], best: bool = True) -> str:
        """``titles``, ``units`` of all parameters. ``best``: no other one is known better."""
        fixed, members = self.fixed, self.fixed.members
        unit = [units[i] for i in members]
        same = unit[0] if len(set(unit)) == 1 and not fixed.logarithmic else ""
        each = [_sd_words(s, fixed.logarithmic, u) for s, u in zip(self.alone, unit, strict=True)]
        if len(set(each)) == 1:
            alone = f"each alone to {each[0]}"
        else:
            alone = ", ".join(f"{titles[i]} alone to {e}" for i, e in zip(members, each, strict=True))
        mixed = self._mixed(units)
        what, to = fixed.words(titles, mixed), _sd_words(fixed.sd, fixed.logarithmic, same)
        if mixed:
            to = f"±{_two_digits(fixed.sd / abs(fixed.powers[0] * mixed[0]))} of them"
        said = f"{what[0].upper()}{what[1:]} is known {'best' if best else 'well too'}, to {to}; {alone}."
        if self.open is not None:
            least, times = self.open.words(titles, mixed).removesuffix(","), times_words(self.open.times)
            hardly = self.open.times < HARDLY
            if hardly:
                said += f" Left open is {least}: {times}."
            elif self.open.times <= min(self.alone_times):  # else a part by itself is less sure
                said += f" Even {least}, the least sure combination of these {len(members)}, is {times}."
        return said


def times_words(times: float) -> str:
    """How much better something is known: ``times`` = prior sd / posterior sd."""
    if times >= HARDLY:
        return f"known {rough(times)} times better than before"
    return "hardly known better than before" if times > 1.0 / HARDLY else "known less well than before"


def find_combinations(
    theta: Array, weights: Array, prior: Array, prior_of_logs: Array
) -> tuple[Combination, ...]:
    """Of posterior draws theta (n, D) with weights (n,) that sum to one, the best known first.

    ``prior``, ``prior_of_logs`` (D,): variances of values and of logarithms; NaN where there is none or it is not finite.
    """
    scales = []
    for logarithmic, variances in ((True, prior_of_logs), (False, prior)):
        usable = np.flatnonzero(np.isfinite(variances) & (variances > 0))
        if len(usable) >= 2:
            values = np.log(theta[:, usable]) if logarithmic else theta[:, usable]
            away = values - weights @ values
            scales.append(_Scale(logarithmic, tuple(usable.tolist()), (away * weights[:, None]).T @ away, variances[usable]))
    found = []
    for pair in combinations(range(theta.shape[1]), 2):
        found.append(_simplest([s.part(pair) for s in scales if set(pair) <= set(s.members)]))
    if theta.shape[1] > 2:
        parts = [p for s in scales if len(p := s.reduced()) > 2]
        found.append(_simplest([s.part(p) for s, p in ((s, p) for s in scales for p in parts) if set(p) <= set(s.members)]))
    kept = [c for c in found if c is not None]
    return tuple(sorted(kept, key=lambda c: -c.better))


@dataclass(frozen=True)
class _Scale:
    """Posterior covariance (m, m) and prior variances (m,) of some parameters' logarithms or values."""

    logarithmic: bool
    members: tuple[int, ...]
    covariance: Array
    prior: Array

    def part(self, members: tuple[int, ...]) -> _Scale:
        at = [self.members.index(i) for i in members]
        return _Scale(self.logarithmic, members, self.covariance[np.ix_(at, at)], self.prior[at])

    @property
    def sds(self) -> Array:
        return np.sqrt(np.maximum(np.diagonal(self.covariance), 1e-300))

    def better(self, powers: Array) -> float:
        """The smallest of its parts' sds in its own."""
        return float((np.abs(powers) * self.sds).min() / self.sd(powers))

    def sd(self, powers: Array) -> float:
        return math.sqrt(max(float(powers @ self.covariance @ powers), 1e-300))

    def times(self, powers: Array) -> float:
        return math.sqrt(float(powers**2 @ self.prior)) / self.sd(powers)

    def extremes(self) -> tuple[Array, Array]:
        """Directions (m,) of the least and the largest posterior variance, as shares of the prior's."""
        root = np.sqrt(self.prior)
        _, vectors = np.linalg.eigh(self.covariance / np.outer(root, root))
        return vectors[:, 0] / root, vectors[:, -1] / root

    def reduced(self) -> tuple[int, ...]:
        """The members that the best known direction of all is made of."""
        size = np.abs(self.extremes()[0]) * self.sds
        return tuple(i for i, s in zip(self.members, size, strict=True) if s >= SMALL * size.max())

    def group(self, powers: Array) -> Group:
        return Group(self.members, tuple(powers.tolist()), self.logarithmic, self.sd(powers), self.times(powers))


def _simplest(scales: Sequence[_Scale]) -> Combination | None:
    """The simplest that is nearly as well known as the best, of the same parameters in logarithms and as values."""
    exact = [s.extremes() for s in scales]
    best = max((s.better(e[0]) for s, e in zip(scales, exact, strict=True)), default=0.0)
    if best < MUCH:
        return None
    tried = (
        (rank, s.logarithmic, n, s, powers, e[1])
        for s, e in zip(scales, exact, strict=True)
        for n, (rank, powers) in enumerate(_simple(e[0], s.logarithmic))
    )
    for _, _, _, s, powers, widest in sorted(tried, key=lambda t: (t[0], not t[1], t[2])):
        better = s.better(powers)
        if better >= max(MUCH, best / SIMPLE):
            alone = s.sds
            times = tuple((np.sqrt(s.prior) / alone).tolist())
            return Combination(s.group(powers), tuple(alone.tolist()), times, better, _open(s, powers, widest))
    return None


def _open(scale: _Scale, fixed: Array, widest: Array) -> Group | None:
    """The simplest that is nearly as open as the widest direction; none that the fixed one is part of."""
    least = scale.times(widest)
    for _, powers in sorted(_simple(widest, scale.logarithmic), key=lambda t: t[0]):
        parts = np.abs(powers) * np.sqrt(scale.prior)
        real = scale.logarithmic or parts.min() >= SMALL * parts.max()  # else it is one parameter under another name
        if real and scale.times(powers) <= SIMPLE * least and not np.allclose(powers, fixed):
            return scale.group(powers)
    return None


def _simple(direction: Array, logarithmic: bool) -> Iterator[tuple[int, Array]]:
    """Rank (0: the simplest) and powers (m,) near a direction, none of them zero; the first is positive."""
    if not (np.isfinite(direction).all() and (direction != 0).all()):
        return
    signs = np.sign(direction) * np.sign(direction[0])
    yield 0, signs
    size = np.abs(direction)
    if logarithmic:
        whole = np.round(size / size.min())
        if whole.max() <= LARGEST_POWER:
            yield 1, signs * whole
        for step in (0.5, 0.1):
            rounded = np.round(size / size.max() / step) * step
            if (rounded > 0).all():
                yield 2, signs * np.round(rounded, 1)
    else:
        for digits in (1, 2):
            yield 2, signs * np.array([float(f"{v:.{digits}g}") for v in size / size[0]])


def _power(p: float) -> str:
    return {1.0: "", 2.0: "²", 3.0: "³"}.get(p, f"^{p:g}")


def _product(names: Sequence[str], powers: Sequence[float]) -> str:
    above = [n + _power(p) for n, p in zip(names, powers, strict=True) if p > 0]
    below = [n + _power(-p) for n, p in zip(names, powers, strict=True) if p < 0]
    text = " × ".join(above)
    if not below:
        return text
    return f"{text} / {below[0]}" if len(below) == 1 else f"{text} / ({' × '.join(below)})"


def _sum(names: Sequence[str], powers: Sequence[float]) -> str:
    text = ""
    for name, p in zip(names, powers, strict=True):
        times = "" if abs(p) == 1.0 else f"{abs(p):g} "
        sign = (" − " if p < 0 else " + ") if text else ""
        text += f"{sign}{times}{name}"
    return text


def _two_digits(size: float) -> str:
    return rough(size) if 1e-3 <= size < 1e6 else typeset(size, size)


def _sd_words(sd: float, logarithmic: bool, unit: str) -> str:
    """One standard deviation: ``3 %``, ``a factor of 2.7``, ``±0.3 mm``."""
    if not logarithmic:
        return f"±{_two_digits(sd)}{f' {raised(unit)}' if unit else ''}"
    return f"{rough(100.0 * sd)} %" if sd < FACTOR else f"a factor of {rough(math.exp(sd))}"
