"""Where runs succeed, for all that their outcomes say: failures may be by place alone, or by chance too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..numerics.map_frame import MapFrame
from .causes import AllByChance
from .hyperparameters import CONTRADICTION, MapFit, contradicted, learnt
from .length_average import LengthAverage
from .sheets import Sheets
from .success_process import Begun, SuccessProcess

Array = NDArray[np.float64]

PRIOR = {False: 0.96, True: 0.02}  # of failures by place alone, and by chance too: programs mostly repeat themselves
PRIOR_SHEET = 0.02  # ... by place alone, in a thin sheet, of which too few runs say nothing
PRIOR_ALONE = 0.02  # ... by chance alone
Explanation = SuccessProcess | LengthAverage | Sheets | AllByChance
GROWTH = 0.1  # share of new runs after which hyperparameters are fitted again
FAILED_GROWTH = 0.25  # ... or of new failures: the second one beside the first says what few lengths can explain
ALIVE = 0.05  # probability of a sheet, and of a region, from which on they are told apart
NEGLIGIBLE = 1e-2  # weight below which an explanation is left out


@dataclass(frozen=True)
class SuccessMap:
    """Explanations of the outcomes, in ``frame``, and how probable each is: weights (k,) summing to one. ``good`` (n, D),
    ``failed`` (m, D): the runs, in the frame; ``by_place``: what was fitted to explain them by place alone."""

    frame: MapFrame
    parts: tuple[Explanation, ...]
    weights: Array
    good: Array
    failed: Array
    by_place: MapFit

    @classmethod
    def of(cls, good: Array, failed: Array, fits: Mapping[bool, MapFit]) -> SuccessMap:
        """Of runs (n, D), (m, D); ``fits``: hyperparameters without and with chance, or without alone."""
        frame = MapFrame.of(good)
        good, failed = frame.into(good), frame.into(failed)
        own = {chance: fit.begun(good, failed, chance) for chance, fit in fits.items()}
        logs = [np.log(PRIOR[chance]) + _evidence(begun) + fits[chance].log_plausible for chance, begun in own.items()]
        all_by_chance = [AllByChance(own[True].good)] if True in own else []
        logs += [np.log(PRIOR_ALONE) + part.evidence for part in all_by_chance]
        sheets = Sheets.of(good, failed, max(logs) + np.log(NEGLIGIBLE / PRIOR_SHEET))
        if sheets is not None:
            logs[list(own).index(False)] += np.log1p(-PRIOR_SHEET / PRIOR[False])
            logs += [np.log(PRIOR_SHEET) + sheets.evidence]
        weights = np.exp(np.array(logs) - max(logs))
        kept = weights >= NEGLIGIBLE * weights.sum()
        explanations: list[Begun | Sheets | AllByChance] = [*own.values(), *all_by_chance, *([] if sheets is None else [sheets])]
        chosen = [part for part, keep in zip(explanations, kept, strict=True) if keep]
        by_place = None if True in fits else fits[False]
        parts = tuple(_settled(part, by_place, good, failed) for part in chosen)
        return cls(frame, parts, weights[kept] / weights[kept].sum(), good, failed, fits[False])

    @property
    def place(self) -> SuccessProcess | None:
        """The most probable explanation; None where that is chance alone. A sheet is shown as a region near which it lies."""
        part = self.parts[int(np.argmax(self.weights))]
        part = self.region if isinstance(part, Sheets) else part
        part = part.likeliest if isinstance(part, LengthAverage) else part
        return part if isinstance(part, SuccessProcess) else None

    @property
    def in_a_sheet(self) -> bool:
        """Whether failures in a thin sheet are among the explanations."""
        return any(isinstance(part, Sheets) for part in self.parts)

    def disputed(self, x: Array) -> Array:
        """(m,) by how much a sheet and a region differ in the probability of success at x (m, D), 0 where one is known."""
        sheets = [(w, part) for w, part in zip(self.weights, self.parts, strict=True) if isinstance(part, Sheets)]
        weight = sum(w for w, part in zip(self.weights, self.parts, strict=True) if part.chance is None)
        if not sheets or not ALIVE <= sheets[0][0] / weight <= 1.0 - ALIVE:
            return np.zeros(len(x))
        z = self.frame.into(x)
        return np.asarray(np.abs(np.exp(sheets[0][1].log_allowed(z)) - np.exp(self.region.log_allowed(z))))

    @cached_property
    def region(self) -> LengthAverage:
        """What explains the runs by place alone, however probable."""
        begun = self.by_place.begun(self.good, self.failed, by_chance=False)
        return LengthAverage.of(begun, self.by_place, self.good, self.failed)

    @property
    def chance_at_all(self) -> float:
        """The probability that some runs fail by chance."""
        return float(sum(w for w, part in zip(self.weights, self.parts, strict=True) if part.chance is not None))

    def log_allowed(self, x: Array) -> Array:
        """log probability (m,) that a run at x (m, D) does not fail for its place."""
        x = self.frame.into(x)
        logs = np.array([p.log_allowed(x) for p in self.parts])
        return np.asarray(special.logsumexp(logs, axis=0, b=self.weights[:, None]))

    def log_success(self, x: Array) -> Array:
        """log probability (m,) that a run at x (m, D) succeeds."""
        x = self.frame.into(x)
        logs = np.array([p.log_success(x) for p in self.parts])
        return np.asarray(special.logsumexp(logs, axis=0, b=self.weights[:, None]))

    def mean_log_odds(self, x: Array) -> Array:
        """Of the most probable explanation (m,): much cheaper."""
        return self.parts[int(np.argmax(self.weights))].mean_log_odds(self.frame.into(x))

    def functions(self, x: Array, count: int, rng: np.random.Generator) -> Array:
        """(count, m) draws of the log odds at x (m, D), jointly; of each explanation in proportion to its weight."""
        x = self.frame.into(x)
        counts = np.diff(np.round(np.append(0.0, np.cumsum(self.weights)) * count).astype(int))
        return np.concatenate([p.functions(x, int(c), rng) for p, c in zip(self._with_moments, counts, strict=True) if c])

    @cached_property
    def _with_moments(self) -> tuple[Explanation, ...]:
        """The explanations, that by place alone by expectation propagation: as sure of a border as it turns out."""
        alone = (isinstance(part, SuccessProcess) and part.chance is None for part in self.parts)
        return tuple(self.region if swap else part for part, swap in zip(self.parts, alone, strict=True))

    @property
    def by_chance(self) -> Array:
        """The probability (m,) of each failed run that it was by chance: most runs there would succeed."""
        return np.asarray(sum(w * p.failed_by_chance for w, p in zip(self.weights, self.parts, strict=True)))


def refitted(good: Array, failed: Array, fits: Mapping[bool, MapFit], kinds: Sequence[bool]) -> dict[bool, MapFit]:
    """``fits`` of ``kinds`` (with chance or without), with those made anew that are wanted: the first, and as the runs grow."""
    found, n, frame = dict(fits), len(good) + len(failed), MapFrame.of(good)
    for chance in kinds:
        before = found.get(chance)
        if before is None or _grown(before, n, len(failed)):
            found[chance] = learnt(frame.into(good), frame.into(failed), chance, before)
    return found


def _grown(before: MapFit, n: int, failed: int) -> bool:
    lost = len(before.odds_failed)
    return n - before.count >= max(1.0, GROWTH * before.count) or failed - lost >= max(1.0, FAILED_GROWTH * lost)


def fitted(good: Array, failed: Array) -> SuccessMap:
    """Of runs (n, D), (m, D), from scratch."""
    return SuccessMap.of(good, failed, refitted(good, failed, {}, (False, True)))


def _settled(
    part: Begun | Sheets | AllByChance, by_place: MapFit | None, good: Array, failed: Array
) -> Explanation:
    """``by_place``: the fit of the one region there is, where nothing can fail by chance."""
    if isinstance(part, Sheets | AllByChance):
        return part
    return part.settled() if by_place is None else LengthAverage.of(part, by_place, good, failed)


def _evidence(begun: Begun) -> float:
    """Its logarithm at the hyperparameters. Without chance a failure among successes needs a region too fine to be seen; an even
    map of ten successes to one failure is none."""
    return begun.mode.evidence + (0.0 if begun.by_chance else CONTRADICTION * contradicted(begun.good, begun.mode))
