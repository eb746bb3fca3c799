"""What runs that failed share and others do not: up to three bounds on parameters, found by looking at every one.

A rule is told only where it holds for most of those that failed and few others, far better than chance would have it among all
rules of so many bounds (hypergeometric tail, Bonferroni).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from bayescope.engine.problem.numbers.shown_digits import spoken

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

MOST_BOUNDS = 3  # in a rule: more are no words
FEWEST = 3  # runs that failed
RECALL, PRECISION = 0.75, 0.75  # of a rule worth telling
CHANCE = 0.01  # largest probability that some rule as good is found where there is none
GAIN = 0.03  # of the F1 score for which one more bound is told
CUTS = 24  # thresholds tried for each parameter, evenly among those between neighbouring values
KEPT = 24  # rules that a further bound is tried with


@dataclass(frozen=True)
class Bound:
    """``below`` or above ``value``, in the user's units."""

    parameter: int
    below: bool
    value: float

    def holds(self, theta: Array) -> Flags:
        x = theta[:, self.parameter]
        return np.asarray(x < self.value if self.below else x > self.value)


@dataclass(frozen=True)
class Rule:
    """``bounds`` hold together for ``caught`` of ``failed`` runs and for ``good_inside`` of ``good`` ones."""

    bounds: tuple[Bound, ...]
    caught: int
    failed: int
    good_inside: int
    good: int

    def holds(self, theta: Array) -> Flags:
        return np.asarray(np.all([b.holds(theta) for b in self.bounds], axis=0))

    def words(self, names: Sequence[str]) -> str:
        """The bounds alone: "thickness < 1.2 and load > 40"."""
        said = (f"{names[b.parameter]} {'<' if b.below else '>'} " + spoken(b.value).replace("-", "−") for b in self.bounds)
        return " and ".join(said)


def rule_of(theta: Array, failed: Flags) -> Rule | None:
    """From runs (n, D) in the user's units and which of them failed (n,); None where no rule holds."""
    n, bad = len(theta), int(failed.sum())
    if bad < FEWEST or n - bad < FEWEST:
        return None
    bounds = _bounds(theta, failed)
    if not bounds:
        return None
    holds = np.array([b.holds(theta) for b in bounds])
    best: Rule | None = None
    kept = np.ones((1, n), dtype=bool)
    chosen: list[tuple[Bound, ...]] = [()]
    for count in range(1, MOST_BOUNDS + 1):
        caught, inside = (_counts(kept, holds, which) for which in (failed, ~failed))
        looked_at = float(special.comb(len(bounds), count))
        f1 = 2.0 * caught / (caught + inside + bad)
        order = np.argsort(-f1, axis=None, kind="stable")[:KEPT]
        rows, columns = np.unravel_index(order, f1.shape)
        i, j = int(rows[0]), int(columns[0])
        found = Rule((*chosen[i], bounds[j]), int(caught[i, j]), bad, int(inside[i, j]), n - bad)
        if _worth_telling(found, looked_at) and (best is None or _f1(found) > _f1(best) + GAIN):
            best = found
        kept = kept[rows] & holds[columns]
        chosen = [(*chosen[r], bounds[c]) for r, c in zip(rows, columns, strict=True)]
    return None if best is None else _tidied(best, theta)


def _counts(kept: Flags, holds: Flags, which: Flags) -> Array:
    """(k, m) how many of the runs ``which`` (n,) lie in each of ``kept`` (k, n) and ``holds`` (m, n)."""
    return np.asarray(kept[:, which].astype(float) @ holds[:, which].astype(float).T)


def _f1(rule: Rule) -> float:
    return 2.0 * rule.caught / (rule.caught + rule.good_inside + rule.failed)


def _worth_telling(rule: Rule, looked_at: float) -> bool:
    inside = rule.caught + rule.good_inside
    if rule.caught < RECALL * rule.failed or rule.caught < PRECISION * inside:
        return False
    by_chance = float(stats.hypergeom.sf(rule.caught - 1, rule.failed + rule.good, rule.failed, inside))
    return looked_at * by_chance < CHANCE


def _bounds(theta: Array, failed: Flags) -> list[Bound]:
    """Between neighbouring values where what happened changes, both ways."""
    found = []
    for k in range(theta.shape[1]):
        order = np.argsort(theta[:, k], kind="stable")
        x, bad = theta[order, k], failed[order]
        at = np.flatnonzero((bad[1:] != bad[:-1]) & (x[1:] > x[:-1]))
        if len(at) > CUTS:
            at = at[np.unique(np.linspace(0, len(at) - 1, CUTS).round().astype(int))]
        for i in at:
            value = short_between(float(x[i]), float(x[i + 1]))
            found += [Bound(k, True, value), Bound(k, False, value)]
    return found


def _tidied(rule: Rule, theta: Array) -> Rule:
    """Each parameter's bounds side by side, without those that another makes needless."""
    whole = rule.holds(theta)
    bounds = sorted(rule.bounds, key=lambda b: (b.parameter, b.below))
    for b in list(bounds):
        rest = [c for c in bounds if c is not b]
        if rest and np.array_equal(np.all([c.holds(theta) for c in rest], axis=0), whole):
            bounds = rest
    return Rule(tuple(bounds), rule.caught, rule.failed, rule.good_inside, rule.good)


def short_between(low: float, high: float) -> float:
    """The number with the fewest digits in (low, high], nearest to the middle."""
    middle = 0.5 * (low + high)
    power = int(np.ceil(np.log10(max(high - low, 1e-300)))) + 1
    for decimals in range(-power, 18 - power):
        step = 10.0**-decimals
        value = round(round(middle / step) * step, max(decimals, 0))
        if low < value <= high:
            return float(value)
    return high
