"""By what outputs must be multiplied to be near what was measured: one factor for the outputs of a file that are compared in one
unit, with the sign of each. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.rows.across import known_sds
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match
from bayescope.engine.problem.data.units.size_ratio import common_power, powers_of_large
from bayescope.engine.problem.data.units.unit_scales import conversion, is_temperature, no_temperature, times
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.units.compared_parts import parts_of
from bayescope.gui.models.data.units.heading_units import CLOSE, Implied, implied, percent_of_shares, unit_of_output
from bayescope.gui.models.data.units.molar_factors import Molar, is_mass, molar
from bayescope.gui.models.data.units.offsets import CLEAR, common_offset

Array = NDArray[np.float64]

LEAST = 1.9  # powers of ten between every prediction and its measured value; nearer ones may be parameters far from the answer
USUAL = np.array([2.0, 3.0, 4.0, 5.0, 6.0, 9.0, 12.0, 15.0])  # powers of ten between units: per cent, milli, bar and GPa, micro
NEARER = 0.5  # powers of ten that another unit must bring predictions nearer to what was measured
ALIKE = 1.1  # powers of ten that a factor may be off the one beside it: units lie further apart, parameters of a test run do not
NEARLY_ALL = 0.8  # of the values that are off by the middle factor: a row or two may be off by themselves, as before a season
NEAR = 0.5  # powers of ten from the middle one within which a value is off by that factor
_SEPARATORS = re.compile(r"[\W_]+")
OPPOSITE = 0.9  # of the sum of sizes that was measured with the other sign: where both pass through zero, some may agree


@dataclass(frozen=True)
class Change:
    """Of the output, to have the unit and the sign of the data: ``times`` it, plus ``offset``; or ``units``: as headings say.

    ``alike``: the comparison of the same file and unit that tells the factor, where its own values are too near zero to.
    ``mate``: a comparison of the same output, in the same unit, that tells it. ``molar``: the substance whose molar mass is the
    factor. ``seen``: how many times larger what was measured is; 0: not told. ``nearly``: not all of the values are off so.
    """

    times: float = 1.0
    offset: float = 0.0
    units: Implied | None = None
    alike: int | None = None
    mate: int | None = None
    molar: Molar | None = None
    seen: float = 0.0
    nearly: bool = False

    @property
    def turned(self) -> bool:
        return self.times < 0.0 or (self.units is not None and self.units.turned)

    def of(self, match: d.Match) -> d.Match:
        if self.molar is not None:
            return msgspec.structs.replace(match, factor=self.molar.factor)
        if self.units is not None:
            return self.units.of(match)
        factor, offset = float(f"{match.factor * self.times:.12g}"), float(f"{match.offset * self.times + self.offset:.15g}")
        return msgspec.structs.replace(match, factor=factor, offset=offset)


@dataclass(frozen=True)
class Sides:
    """What was measured and what is predicted for it (m,), and which values are ``clear`` of zero, beyond their errors (m,)."""

    measured: Array
    predicted: Array
    clear: NDArray[np.bool_]
    sized: bool  # the errors of all of them are known
    sds: Array | None = None  # (m,) of their errors, NaN where they are not

    @property
    def powers(self) -> Array:
        """Of ten, between what was measured and what is predicted, of values that are clear of zero."""
        return np.log10(np.abs(self.measured[self.clear] / self.predicted[self.clear]))

    @property
    def larger(self) -> Array:
        """``powers`` where both sides are far from zero."""
        return powers_of_large(self.measured[self.clear], self.predicted[self.clear])

    @property
    def power(self) -> float | None:
        """Of ten, the middle one between both sides; None: their curves are too unlike for one to be told."""
        return common_power(self.measured[self.clear], self.predicted[self.clear])

    @property
    def opposite(self) -> bool:
        measured, predicted = self.measured[self.clear], self.predicted[self.clear]
        sizes = np.abs(measured)
        return bool(len(sizes)) and float(sizes[measured * predicted < 0.0].sum()) >= OPPOSITE * float(sizes.sum())


def changes_of(problem: d.Problem, report: TrialRunReport | None) -> dict[int, Change]:
    """The comparisons, by number, whose output should be changed: as units in headings say, or as the newest test run shows."""
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    both = {i: sides_of(problem, i, report) for i in range(len(matches))}
    own = {i: c for i in both if (c := _own_change(problem, i, both[i])) is not None}
    groups: dict[tuple[str, str], list[int]] = {}
    sources = {o.name: o.source for o in problem.outputs}
    for i, match in enumerate(matches):
        if both[i] is not None and (unit := unit_in(match.column)) and match.output in sources and not match.offset:
            groups.setdefault((unit, sources[match.output]), []).append(i)
    for group in groups.values():
        told = {i: side for i in group if (side := both[i]) is not None}
        own |= _of_one_factor(matches, told, own)
    return dict(sorted((own | _of_one_output(matches, both, own)).items()))


def opposite(problem: d.Problem, index: int, report: TrialRunReport | None) -> bool:
    """Whether what is predicted in comparison ``index`` has the opposite sign to what was measured, beyond the errors."""
    sides = sides_of(problem, index, report)
    return sides is not None and sides.opposite


def sides_of(problem: d.Problem, index: int, report: TrialRunReport | None) -> Sides | None:
    """Both sides of comparison ``index`` in the newest test run, without rows of which a limit is known only; None: not known."""
    found = compared(problem, index, report)
    if found is None:
        return None
    match, data, outputs, _ = found
    try:
        comparison = compare_match(match, data, outputs)
    except ComparisonError:
        return None
    there = comparison.present & ~comparison.limited
    measured, predicted = comparison.data[there], comparison.prediction[there]
    sds = known_sds(problem, match, len(there))[there]
    beyond = np.abs(measured) > CLEAR * np.nan_to_num(sds, nan=0.0)
    clear = (measured != 0.0) & (predicted != 0.0) & beyond
    return Sides(measured, predicted, clear, bool(np.isfinite(sds).all()), sds)


def _own_change(problem: d.Problem, index: int, sides: Sides | None) -> Change | None:
    """What would bring the predictions near the measured values, or is said by units in headings; None: neither, or not known."""
    if (parts := parts_of(problem, index)) is not None and parts[0] != parts[1]:
        return None  # no factor makes a real part of decibels
    assert isinstance(problem.meaning, d.Predictions)
    match = problem.meaning.matches[index]
    unit, units = unit_in(match.column), implied(problem, index)
    signed = conversion(unit, "K") is None  # zero is no mere mark on a scale, so that a sign may be a direction
    if units is not None:
        units = units.signed(match, signed and sides is not None and sides.opposite)
        if _doubted(problem, index, units, sides):
            return Change(units=units)
    if sides is None:
        return None
    if units is None and (share := percent_of_shares(problem, match, sides.measured, sides.predicted)) is not None:
        return Change(units=share)
    substance = None if match.offset else molar(problem, match)
    if substance is not None and match.factor > 0.0:
        if math.isclose(match.factor, substance.factor, rel_tol=CLOSE):
            return None
        seen = bool(len(sides.larger)) and substance.confirmed(match.factor * 10.0 ** float(np.median(sides.larger)))
        if seen and (substance.said or not substance.confirmed(match.factor)):
            return Change(times=float(f"{substance.factor / match.factor:.12g}"), molar=substance)
    both = (unit, unit_of_output(problem, match.output))
    degrees = False if any(no_temperature(u) for u in both) else True if any(is_temperature(u) for u in both) else None
    return _far_off(sides, degrees, signed)


def _doubted(problem: d.Problem, index: int, units: Implied, sides: Sides | None) -> bool:
    """Whether the factor that ``units`` imply is not the present one, and nothing that a test run shows speaks against it.

    Without a test run, units of two columns say only that one of the two is multiplied: the later one.
    """
    assert isinstance(problem.meaning, d.Predictions)
    match = problem.meaning.matches[index]
    if match.offset or not match.factor or not units.differs(match):
        return False
    if sides is None:
        others = [m for m in problem.meaning.matches[:index] if times(unit_in(m.column), unit_in(match.column)) is not None]
        return units.sure or any(m.factor == match.factor for m in others)
    measured, predicted = sides.measured, sides.predicted
    if units.offset and len(measured):
        meant = predicted * (units.factor / match.factor) + units.offset
        return bool(np.median(np.abs(measured - meant)) <= np.median(np.abs(measured - predicted)))
    some = (measured != 0.0) & (predicted != 0.0)
    if not some.any():
        return units.sure
    power = float(np.median(np.log10(np.abs(measured[some] / predicted[some]))))
    gain = abs(power) - abs(power - np.log10(abs(units.factor / match.factor)))
    return bool(gain > (-NEARER if units.sure else NEARER))


def _far_off(sides: Sides, degrees: bool | None, signed: bool) -> Change | None:
    """``degrees``: both are temperatures; None: they may be. ``signed``: a sign may be a direction."""
    sds = sides.sds if sides.sds is not None else np.full(len(sides.measured), np.nan)
    if (offset := common_offset(sides.measured, sides.predicted, sds, degrees)) is not None:
        return Change(offset=offset)
    power, sign = sides.power, -1.0 if signed and sides.opposite else 1.0
    if power is not None:
        every = bool(np.all(sides.powers > LEAST) or np.all(sides.powers < -LEAST))
        most = abs(power) > LEAST and float(np.mean(np.abs(sides.powers - power) < NEAR)) >= NEARLY_ALL
        if every or most:
            return Change(times=sign * 10.0 ** _usual(power), seen=10.0**power, nearly=not every)
    return Change(times=sign) if sign < 0.0 else None


def _usual(power: float) -> float:
    """The power of ten between two units that is nearest to ``power``."""
    return math.copysign(float(USUAL[np.argmin(np.abs(USUAL - abs(power)))]), power)


def _of_one_factor(
    matches: tuple[d.Match, ...], sides: Mapping[int, Sides], own: Mapping[int, Change]
) -> dict[int, Change]:
    """What becomes of the ``own`` changes of comparisons in one unit whose outputs are in one file (``sides``): one factor for
    all that are off the same way, also for those whose values are too near zero to tell."""
    plain = {i: own[i] for i in sides if i in own and own[i].units is None and own[i].molar is None and not own[i].offset}
    off = {i: change for i, change in plain.items() if abs(change.times) != 1.0}
    fit = [i for i in sides if len(sides[i].powers) and i not in off and (i not in own or i in plain)]
    made = {}
    for i, change in off.items():
        power, now = _middle([sides[i]]), abs(matches[i].factor)
        theirs = [abs(matches[k].factor) / now for k in fit if now and abs(matches[k].factor) != now and _shared(matches[k])]
        near = [by for by in theirs if by and abs(math.log10(by) - power) < ALIKE]  # those beside it that are multiplied already
        pooled = _usual(_middle([sides[k] for k in off if abs(matches[k].factor) == now]))
        by = near[0] if near else 10.0**pooled if abs(pooled - power) < ALIKE else abs(change.times)
        made[i] = replace(change, times=math.copysign(by, change.times))
    told = {i: change.of(matches[i]).factor for i, change in made.items()} | {i: _turned(matches[i], own.get(i)) for i in fit}
    told = {i: factor for i, factor in told.items() if _shared(matches[i], factor)}
    silent = [i for i in sides if i not in told and i not in own and not len(sides[i].powers) and matches[i].factor]
    return made | _as_beside(matches, silent, told)


def _of_one_output(
    matches: tuple[d.Match, ...], both: Mapping[int, Sides | None], own: Mapping[int, Change]
) -> dict[int, Change]:
    """The changes of comparisons of one output in one unit, as of repeated measurements: it has one factor, also beside values of
    which some are near enough. One that its values contradict stays as it is."""
    groups: dict[tuple[str, str], list[int]] = {}
    for i, match in enumerate(matches):
        if both.get(i) is not None and match.factor and not match.offset:
            groups.setdefault((match.output, unit_in(match.column)), []).append(i)
    made: dict[int, Change] = {}
    for group in (of for of in groups.values() if len(of) > 1):
        powers = {i: _middle([side]) for i in group if (side := both[i]) is not None and len(side.powers)}
        changed = [i for i in group if i in own and not own[i].offset and own[i].molar is None and own[i].alike is None]
        fit = [i for i in powers if i not in own]
        if len({own[i].of(matches[i]).factor for i in changed}) > 1 or not (changed or fit):
            continue
        tells = changed[0] if changed else min(fit, key=lambda i: abs(powers[i]))
        factor = own[tells].of(matches[tells]).factor if changed else matches[tells].factor
        tells = next((i for i in fit if matches[i].factor == factor), tells)  # one that is multiplied so already
        made |= {i: replace(own[i], mate=tells) for i in changed if i != tells}
        for i in (i for i in fit if matches[i].factor != factor):
            times_it = float(f"{factor / matches[i].factor:.12g}")
            if abs(powers[i] - math.log10(abs(times_it))) < min(abs(powers[i]), ALIKE):
                like = own[tells] if tells in own and own[tells].units is not None else Change(times_it)
                made[i] = replace(like, mate=tells)
    return made


def _shared(match: d.Match, factor: float | None = None) -> bool:
    """Whether the factor may be one of several outputs: between amounts and masses each substance has its own."""
    size = abs(match.factor if factor is None else factor)
    power = math.log10(size) if size > 0.0 else 0.5
    return not is_mass(unit_in(match.column)) or math.isclose(power, round(power), abs_tol=1e-9)


def _middle(sides: Sequence[Sides]) -> float:
    return float(np.median([np.median(side.larger if len(side.larger) else side.powers) for side in sides]))


def _as_beside(matches: tuple[d.Match, ...], silent: Sequence[int], told: Mapping[int, float]) -> dict[int, Change]:
    """The changes of comparisons whose values tell nothing (``silent``) to the one factor, signs aside, of those ``told``."""
    sizes = {abs(factor) for factor in told.values()}
    made = {}
    for i in silent if len(sizes) == 1 else ():
        size = next(iter(sizes))
        if abs(matches[i].factor) != size:
            sign, tells = _sign_of_mates(matches, i, told)
            made[i] = Change(times=float(f"{sign * size / matches[i].factor:.12g}"), alike=tells)
    return made


def _turned(match: d.Match, change: Change | None) -> float:
    return match.factor if change is None else change.of(match).factor


def _sign_of_mates(matches: tuple[d.Match, ...], index: int, told: Mapping[int, float]) -> tuple[float, int]:
    """The sign of a factor among those ``told``, by comparison, and one that tells it: the one of all, or else of those whose
    names have the same word at a place that tells signs apart: D4_LF2 as D4_LF1, where others of LF1 have another sign."""
    first = next(iter(told))
    if len({np.sign(factor) for factor in told.values()}) == 1:
        return float(np.sign(told[first])), first
    words = {i: _SEPARATORS.split(matches[i].output) for i in (index, *told)}
    found: list[tuple[float, int]] = []
    for place, word in enumerate(words[index]):
        signs: dict[str, dict[float, int]] = {}  # by the word at this place: each sign, and one comparison that has it
        for k in (k for k in told if place < len(words[k])):
            signs.setdefault(words[k][place], {}).setdefault(float(np.sign(told[k])), k)
        if word in signs and all(len(of) == 1 for of in signs.values()):  # the words here tell the sign
            found += signs[word].items()
    if len({sign for sign, _ in found}) == 1:
        return found[0]
    return 1.0, next(k for k, factor in told.items() if factor > 0.0)
