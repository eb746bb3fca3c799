"""By what an output must be multiplied as the units in headings and names say it. Pure."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import loose_name, scale_in, unit_in
from bayescope.engine.problem.data.names.difference_words import says_difference
from bayescope.engine.problem.data.names.percent_names import is_percent
from bayescope.engine.problem.data.units.unit_names import LETTER_UNIT_WORDS
from bayescope.engine.problem.data.units.unit_scales import conversion, error_times, head_of_water, times
from bayescope.gui.models.plain import one_line, shown

NEAR = 0.2  # degrees, days: such offsets are one (273 and 273.15)
NEARER = 0.3  # powers of ten from where on a hundred times a fraction is clearly nearer: half of a hundred, and some more
SHORTEST_STEM = 3  # letters before one that may be a unit, or that such names have in common: x1, x2, x_m
CLOSE = 0.005  # relative: such factors are one (3.6 and 3.6008), those of atm and bar are not


@dataclass(frozen=True)
class Implied:
    """``factor`` of the output, and ``offset`` then added, where its unit is as ``words`` say. ``sure``: the output's own name or
    heading says its unit; else the column of another output has another one, and a program seldom writes two units for one
    quantity. ``turned``: its sign becomes the other one."""

    factor: float
    words: str
    sure: bool
    offset: float = 0.0
    turned: bool = False

    def differs(self, match: d.Match) -> bool:
        if self.offset:
            same_offset = abs(self.offset - match.offset) <= NEAR  # 273, but not the zero of another count of days
            return not same_offset or not math.isclose(self.factor, match.factor, rel_tol=CLOSE)
        return not math.isclose(self.factor, match.factor, rel_tol=CLOSE)

    def signed(self, match: d.Match, opposite: bool) -> Implied:
        """With the sign that ``match`` has, or the other one where what is predicted has the ``opposite`` sign to what was
        measured. Where the size of its factor is right already, its sign is no question of units."""
        if self.offset or not match.factor:
            return self
        size = abs(self.factor)
        if math.isclose(size, abs(match.factor), rel_tol=CLOSE):
            return replace(self, factor=match.factor)
        if not (opposite and self.sure):
            return replace(self, factor=math.copysign(size, match.factor))
        words = f"{self.words.removesuffix('.')}, with the opposite sign."
        return replace(self, factor=math.copysign(size, -match.factor), words=words, turned=True)

    def of(self, match: d.Match) -> d.Match:
        return msgspec.structs.replace(match, factor=self.factor, offset=self.offset)


def sign_matters(match: d.Match) -> bool:
    """Whether a sign may be a direction: zero of what was measured is no mere mark on a scale."""
    return conversion(unit_in(match.column), "K") is None


def implied(problem: d.Problem, index: int) -> Implied | None:
    """For the comparison ``index``; None: nothing is said of two units of one kind."""
    meaning = problem.meaning
    if not isinstance(meaning, d.Predictions) or not 0 <= index < len(meaning.matches):
        return None
    match = meaning.matches[index]
    unit = scale_in(match.column)
    if not unit:
        return None
    column, output = one_line(match.column, 30), one_line(match.output, 30)
    own, sibling = unit_or_siblings(problem, match.output)
    sure = bool(own)
    if own := own or unit_beside(problem, match.output, unit):
        scale = scale_between(own, unit, match.output, match.column)
        says = f"“{one_line(sibling, 30)}” beside it says" if sibling else "it says"
        is_in = f"is in {own}, as {says}," if sure else f"is called as if it were in {own},"
        words = f"“{output}” {is_in} and “{column}” was measured in {unit}."
        if scale is None and (head := head_of_water(own, unit)) is not None:
            return Implied(head, f"{words} As a column of water, 1 {own} is {shown(head)} {unit}.", True)
        return None if scale is None else Implied(scale[0], words, sure, scale[1])
    for other in meaning.matches:
        if other.column == match.column or unit_of_output(problem, other.output):
            continue
        factor = times(unit_in(other.column), unit)
        if factor is not None and not math.isclose(factor, 1.0, rel_tol=CLOSE):
            words = (
                f"“{column}” was measured in {unit} and “{one_line(other.column, 30)}” in {unit_in(other.column)}. Does the "
                "program write both in the same unit?"
            )
            return Implied(float(f"{other.factor * factor:.12g}"), words, False)
    return None


def scale_between(own: str, unit: str, *names: str) -> tuple[float, float] | None:
    """As ``conversion`` of ``own`` to ``unit``, but without what is added where one of the ``names`` says that it is a
    difference: 1 K of an anomaly is 1 °C."""
    if any(says_difference(name) for name in names):
        factor = error_times(own, unit)
        return None if factor is None else (factor, 0.0)
    return conversion(own, unit)


def percent_of_shares(
    problem: d.Problem, match: d.Match, measured: NDArray[np.float64], predicted: NDArray[np.float64]
) -> Implied | None:
    """For percentages, ``measured`` (m,), of which numbers from 0 to 1, ``predicted`` (m,), are about a hundredth. None: they
    are not, or the output says a unit of its own."""
    unit, some = unit_in(match.column), (measured > 0.0) & (predicted > 0.0)
    plain = match.factor == 1.0 and not match.offset and not unit_of_output(problem, match.output)
    if not plain or not is_percent(unit) or not some.any() or np.any((predicted < 0.0) | (predicted > 1.0)):
        return None
    if float(np.median(np.log10(measured[some] / predicted[some]))) < 1.0 + NEARER:
        return None
    column, output = one_line(match.column, 30), one_line(match.output, 30)
    words = f"“{column}” was measured in {unit}, and all values of “{output}” lie between 0 and 1: are they fractions?"
    return Implied(100.0, words, False)


def unit_or_siblings(problem: d.Problem, name: str) -> tuple[str, str]:
    """``unit_of_output`` and ''; where it says none, the one unit that outputs say which are read from the same file and are
    called alike but for numbers (head_1, head_2), and one of these; '' twice: none does."""
    if own := unit_of_output(problem, name):
        return own, ""
    source = next((o.source for o in problem.outputs if o.name == name), None)
    stem = _stem(name)
    beside = [o.name for o in problem.outputs if o.source == source and o.name != name and _stem(o.name) == stem]
    units = {o: unit for o in beside if (unit := unit_of_output(problem, o))}
    told = len(set(units.values())) == 1 and sum(c.isalpha() for c in stem) >= SHORTEST_STEM
    return (next(iter(units.values())), next(iter(units))) if told else ("", "")


def _stem(name: str) -> str:
    return re.sub(r"\d+", "#", loose_name(name))


def unit_beside(problem: d.Problem, name: str, unit: str) -> str:
    """``unit_of_output``, else a letter behind an underscore at the end of the name, where that is a unit of the kind of the
    ``unit`` in which it was measured: m of depth_m beside km; '' if none."""
    if own := unit_of_output(problem, name):
        return own
    stem, _, letter = name.strip().rpartition("_")
    letters = letter in LETTER_UNIT_WORDS and len(stem) >= SHORTEST_STEM
    return letter if letters and times(letter, unit) is not None else ""


def unit_of_output(problem: d.Problem, name: str) -> str:
    """The unit in an output's name, or in the heading or label in the program's text that it is read by; '' if none."""
    output = next((o for o in problem.outputs if o.name == name), None)
    extractor = output.extractor if output is not None else None
    read_by = [getattr(extractor, part, None) for part in ("column", "label")]
    if output is not None and output.unit:
        return output.unit
    said = [name, *(text.rstrip(" :=") for text in read_by if isinstance(text, str))]
    return next((unit for text in said if (unit := scale_in(text)) and conversion(unit, unit) is not None), "")
