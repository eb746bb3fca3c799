"""By what one output must be multiplied to be near what was measured, as units in headings say or a test run shows. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import scale_in, unit_in
from bayescope.engine.problem.data.names.difference_words import says_difference
from bayescope.engine.problem.data.units.unit_scales import (
    is_day_count,
    is_temperature,
    no_temperature,
    of_other_kind,
    times,
)
from bayescope.gui.models.data.units.compared_parts import parts_of
from bayescope.gui.models.data.units.heading_units import (
    CLOSE,
    Implied,
    implied,
    percent_of_shares,
    sign_matters,
    unit_beside,
    unit_of_output,
)
from bayescope.gui.models.data.units.molar_factors import Molar, molar
from bayescope.gui.models.data.units.offsets import NEARLY_ALL, common_offset, ice_between
from bayescope.gui.models.data.units.sides import Sides
from bayescope.gui.models.data.units.zeros import from_another_zero

LEAST = 1.9  # powers of ten between every prediction and its measured value; nearer ones may be parameters far from the answer
USUAL = np.array([2.0, 3.0, 4.0, 5.0, 6.0, 9.0, 12.0, 15.0])  # powers of ten between units: per cent, milli, bar and GPa, micro
NEARER = 0.5  # powers of ten that another unit must bring predictions nearer to what was measured
NEAR = 0.5  # powers of ten from the middle one within which a value is off by that factor
APART, APART_IN_OTHERS = 1.0, 0.7  # powers of ten from where on a size is asked about; where units do not tell one another
FEWEST = 5  # values that must be off alike where units say nothing


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
    asked: bool = False  # the size is off by what is no usual factor: only the user knows it
    zero: bool = False  # a constant lies between both sides, of which a test run tells the size alone
    strangers: tuple[str, str] = ("", "")  # the unit of the output and of the data, where none follows from the other

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


def own_change(problem: d.Problem, index: int, sides: Sides | None) -> Change | None:
    """What would bring the predictions near the measured values, or is said by units in headings; None: neither, or not known."""
    if (parts := parts_of(problem, index)) is not None and parts[0] != parts[1]:
        return None  # no factor makes a real part of decibels
    assert isinstance(problem.meaning, d.Predictions)
    match = problem.meaning.matches[index]
    unit, units = unit_in(match.column), implied(problem, index)
    signed = sign_matters(match)
    if (level := _of_level(problem, match, units, sides)) is not None:
        return level
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
    apart = says_difference(match.column) or says_difference(match.output)
    degrees = False if apart or any(no_temperature(u) for u in both) else True if any(is_temperature(u) for u in both) else None
    strangers = (both[1], both[0]) if of_other_kind(*both) else ("", "")
    far = _far_off(sides, degrees, signed)
    if far is not None and (far.offset or abs(far.times) != 1.0):
        return far
    power = _asked_power(sides, bool(strangers[0]))
    return far if power is None else replace(far or Change(), seen=10.0**power, asked=True, strangers=strangers)


def _of_level(problem: d.Problem, match: d.Match, units: Implied | None, sides: Sides | None) -> Change | None:
    """One factor, as units tell it, and a constant between both sides; None: there is none, or it may be one of temperatures."""
    unit, own = scale_in(match.column), unit_beside(problem, match.output, unit_in(match.column))
    marks = any(u and (is_temperature(u) or is_day_count(u)) for u in (unit, own))  # zero is a mere mark on their scales
    if sides is None or match.offset or not match.factor or marks:
        return None
    told = bool(own) and units is not None and not units.offset
    factor = units.factor / match.factor if told and units is not None else 1.0
    sds = sides.sds if sides.sds is not None else np.full(len(sides.measured), np.nan)
    found = from_another_zero(sides.measured, sides.predicted, sds, factor, told)
    return None if found is None else Change(times=float(f"{found[0]:.12g}"), offset=found[1], zero=True)


def _asked_power(sides: Sides, strangers: bool) -> float | None:
    """The power of ten by which nearly all values are off, signs aside, where it is none of a usual unit but too much to be let
    pass; ``strangers``: both sides are in units of two kinds. None: there is none."""
    if len(sides.powers) < FEWEST and not strangers:
        return None
    return size_in_common(sides, APART_IN_OTHERS if strangers else APART)


def size_in_common(sides: Sides, least: float = APART) -> float | None:
    """The power of ten, ``least`` or more, by which nearly all values are off, however few they are; None: there is none."""
    powers = sides.powers
    power = float(np.median(powers)) if len(powers) else 0.0
    common = abs(power) >= least and float(np.mean(np.abs(powers - power) < NEAR)) >= NEARLY_ALL
    return power if common else None


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
    unlike = sign < 0.0 and abs(float(np.median(sides.powers))) >= NEAR
    if unlike and degrees is None and (ice := ice_between(sides.measured, sides.predicted)) is not None:
        return Change(offset=ice)  # below zero degrees: turned round, they would still be far off
    if power is not None:
        every = bool(np.all(sides.powers > LEAST) or np.all(sides.powers < -LEAST))
        most = abs(power) > LEAST and float(np.mean(np.abs(sides.powers - power) < NEAR)) >= NEARLY_ALL
        if every or most:
            return Change(times=sign * 10.0 ** usual(power), seen=10.0**power, nearly=not every)
    return Change(times=sign) if sign < 0.0 else None


def usual(power: float) -> float:
    """The power of ten between two units that is nearest to ``power``."""
    return math.copysign(float(USUAL[np.argmin(np.abs(USUAL - abs(power)))]), power)
