"""The maximum of the surrogate as it is stored with an answer, and what a run there gave; inference space.

Which run was made there is noted by the engine when the next answer comes: with what was predicted before, so that it can be
read again at any time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ..problem.transforms import ParameterSpace
from ..session.records import EvaluationRecord, IterationRecord
from .digits import rough, with_error

Array = NDArray[np.float64]

PREFIX = "peak."  # before the names of the arrays
SAME = 0.02  # sds of the posterior, in each parameter, within which a run is one at the maximum: it changes nothing by 1e-3 nats
AS_SAID = 2.0  # sds that a found value may be from the predicted one
LEAST = 0.01  # nats: the climb ends where a step gains no more, so less than that is no difference between two places
EXACT = 0.001  # nats: as much may a run ``SAME`` as the maximum differ from it
LUCKY = "the highest of many is likely to be a lucky one"  # of runs whose log densities are random
PRINTED = 0.005  # half of the last digit of a level in words


@dataclass(frozen=True)
class SurrogatePeak:
    """``place`` (D,); ``predicted`` (2,): log density in the user's units there and its sd. ``checked`` (3,) of the newest run at
    a maximum, this one or an earlier answer's: its index, and what was predicted of it with its sd; empty (0,): none was made."""

    place: Array
    predicted: Array
    checked: Array

    @classmethod
    def of(cls, arrays: Mapping[str, Array], dimension: int) -> Self | None:
        """None where none is stored; a file may be damaged or come from a stranger."""
        found = cls(*(np.asarray(arrays.get(PREFIX + f.name, ()), dtype=float) for f in fields(cls)))
        shapes = found.place.shape == (dimension,) and found.predicted.shape == (2,) and found.checked.shape in ((0,), (3,))
        if not shapes or not all(np.isfinite(getattr(found, f.name)).all() for f in fields(cls)):
            return None
        return found if found.predicted[1] >= 0.0 and (found.checked[2:] >= 0.0).all() else None

    def arrays(self) -> dict[str, Array]:
        return {PREFIX + f.name: np.asarray(getattr(self, f.name), dtype=float) for f in fields(self)}

    def run_at(self, runs: Sequence[EvaluationRecord], sds: Array) -> EvaluationRecord | None:
        """The newest of ``runs`` that was made here; ``sds`` (D,) of the posterior."""
        here = [r for r in runs if r.u.shape == self.place.shape and (np.abs(r.u - self.place) <= SAME * sds).all()]
        return here[-1] if here else None


def peak_place(arrays: Mapping[str, Array], otherwise: Array) -> Array:
    """(D,) where the surrogate has its maximum, inference space; ``otherwise`` (D,) where none is among ``arrays``."""
    found = SurrogatePeak.of(arrays, len(otherwise))
    return otherwise if found is None else found.place


class HasMixture(Protocol):
    """weights (K,), means (K, D), covariances (K, D, D) in inference space."""

    @property
    def weights(self) -> Array: ...
    @property
    def means(self) -> Array: ...
    @property
    def covariances(self) -> Array: ...


def sds_of(answer: HasMixture) -> Array:
    """(D,) of the answer's mixture in inference space."""
    mean = answer.weights @ answer.means
    spread = np.diagonal(answer.covariances, axis1=1, axis2=2) + np.square(answer.means - mean)
    return np.asarray(np.sqrt(np.maximum(answer.weights @ spread, 0.0)))


def with_check(
    record: IterationRecord, before: IterationRecord | None, runs: Sequence[EvaluationRecord]
) -> IterationRecord:
    """``record`` with the newest run at a surrogate's maximum: one of ``runs``, which the answer ``before`` did not know, at
    the maximum of that, or else what ``before`` says of an earlier one."""
    d = record.means.shape[1]
    now = SurrogatePeak.of(record.slices, d)
    then = None if before is None else SurrogatePeak.of(before.slices, d)
    if now is None or then is None or before is None:
        return record
    run = then.run_at(runs, sds_of(before))
    checked = then.checked if run is None else np.array([run.index, *then.predicted])
    return replace(record, slices={**record.slices, **replace(now, checked=checked).arrays()})


@dataclass(frozen=True)
class PeakCheck:
    """A run at a surrogate's maximum; ``found``: its log density in the user's units, None: it failed. ``noise_sd`` of that.

    ``since``: how many runs were made after it."""

    index: int
    predicted: float
    sd: float
    found: float | None
    noise_sd: float
    reason: str
    since: int = 0

    @property
    def off(self) -> float:
        """Found less predicted, in sds; not a number where nothing was found."""
        if self.found is None:
            return math.nan
        return (self.found - self.predicted) / math.hypot(self.sd, self.noise_sd, EXACT)

    def words(self, noun: str, here: bool = True) -> str:
        """``here``: at the maximum that the surrogate has now; else at an earlier one."""
        level = _level(self.predicted, self.sd)
        made = f"{noun.capitalize()} {self.index} was made at the surrogate's maximum: {level} predicted, "
        if not here:
            ago = f" ({self.since} {noun}{'s' if self.since != 1 else ''} ago)" if self.since else ""
            made = f"{noun.capitalize()} {self.index}{ago} was made where the surrogate had its maximum then: {level} predicted, "
        if self.found is None:
            return f"{made}but it gave no value. {self.reason}".strip()
        side = "above" if self.off > 0.0 else "below"
        how = "as predicted" if abs(self.off) <= AS_SAID else f"{abs(self.off):.1f} sd {side} that"
        found = with_error(self.found, self.noise_sd) if self.noise_sd > 0.0 else f"{self.found:.2f}"
        return f"{made}{found} found, {how}."


@dataclass(frozen=True)
class PeakFound:
    """``values`` of all parameters at the surrogate's maximum, in the user's units; ``log_density`` predicted there and its
    ``sd``; ``run``: index of a run that was made just there, None: there is none; ``best``: the log density of the best run."""

    values: Mapping[str, float]
    log_density: float
    sd: float
    best: float
    run: int | None
    check: PeakCheck | None

    def words(self, noun: str, imported: bool = False, random: bool = False) -> tuple[str, ...]:
        """``imported``: the best of all is an evaluation that was imported, and no ``noun``; ``random``: log densities are."""
        said = () if self.check is None else (self.check.words(noun, self.check.index == self.run),)
        if self.run is not None:
            known = self.check is not None and self.check.index == self.run
            return said if known else (*said, f"The surrogate has its maximum where {noun} {self.run} was made.")
        rise = self.log_density - self.best
        best = "imported evaluation" if imported else noun
        found = f"The surrogate has its maximum, {_level(self.log_density, self.sd)}, at another point (in the table)"
        if rise < -LEAST and random:
            return (*said, f"{found}, noise averaged out; the best {best} came out {rough(-rise)} higher.")
        if rise < -LEAST:
            return (*said, f"{found}; the best {best} came out {rough(-rise)} higher, so none better is expected there.")
        return (*said, f"{found}: {f'{rough(rise)} above' if rise > LEAST else 'as high as'} the best {best}.")


def peak_found(
    runs: Sequence[EvaluationRecord], answer: IterationRecord | None, best: float, space: ParameterSpace
) -> PeakFound | None:
    """Of the newest ``answer``; None where it has none. ``best``: the log density of the best of ``runs``."""
    found = None if answer is None else SurrogatePeak.of(answer.slices, space.dimension)
    if found is None or answer is None:
        return None
    try:
        with np.errstate(all="ignore"):
            values = space.values(found.place)
    except ValueError:  # a file may hold absurd numbers
        return None
    here = found.run_at(runs, sds_of(answer))
    log_density, sd = found.predicted.tolist()
    return PeakFound(values, log_density, sd, best, None if here is None else here.index, _check(found, runs))


def _check(found: SurrogatePeak, runs: Sequence[EvaluationRecord]) -> PeakCheck | None:
    if not len(found.checked):
        return None
    index, predicted, sd = found.checked.tolist()
    run = next((r for r in runs if r.index == int(index)), None)
    if run is None:
        return None
    value = None if run.log_likelihood is None else run.log_likelihood + run.log_prior
    good = value is not None and math.isfinite(value)
    since = sum(r.order > run.order for r in runs)
    return PeakCheck(run.index, predicted, sd, value if good else None, run.noise_sd, run.reason, since)


def _level(value: float, sd: float) -> str:
    return with_error(value, max(sd, PRINTED))
