"""Keys of an output that are those of a data column in another unit: seconds beside minutes, wavelength beside energy. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import column as column_of
from bayescope.engine.problem.data.rows.comparison import key_codes, key_values, measured_values
from bayescope.engine.problem.data.rows.key_scale import AS_IT_IS, Scale, scale_of, with_scale
from bayescope.engine.problem.data.rows.pairing import swept_outwards
from bayescope.engine.problem.data.rows.text_keys import unit_of
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, fits, with_match
from bayescope.gui.models.data.keys.common_factor import common_factor
from bayescope.gui.models.data.keys.key_candidates import Pair, paired_by
from bayescope.gui.models.data.keys.key_units import KeyUnits, key_units
from bayescope.gui.models.data.keys.own_table import of_another_table
from bayescope.gui.models.data.keys.possible_keys import able_columns, possible_keys
from bayescope.gui.models.data.keys.rows_outside import outside_words, without_outside
from bayescope.gui.models.plain import one_line

Array = NDArray[np.float64]
BUTTON = "&Pair them so"
UNDO = "Pair by a key times a factor"


@dataclass(frozen=True)
class ScaledKey:
    """``problem`` with a comparison paired by ``output``, as ``scale`` makes it, and ``column``; ``words``: how the two hang
    together, a sentence. ``units``: of the two, where these tell it."""

    problem: d.Problem
    output: str
    column: str
    words: str
    units: KeyUnits | None = None
    scale: Scale = AS_IT_IS

    @property
    def pair(self) -> Pair:
        return self.output, self.column


def scaled_key(problem: d.Problem, index: int, report: TrialRunReport | None) -> ScaledKey | None:
    """The key of comparison ``index``, or one that it may have, by which every measured row finds its partner once the output is
    scaled as the units of the two say, or by the one factor that brings all keys together; None: there is none."""
    found = compared(problem, index, report)
    if found is None or len(found[0].keys) > 1:
        return None
    match, data, outputs, texts = found
    n = len(outputs[match.output])
    declared = {o.name: o for o in problem.outputs}
    fits = [o for o in possible_keys(problem, index, report) if len(outputs.get(o, ())) == n]
    fits = [o for o in fits if o not in declared or not of_another_table(declared[match.output], declared[o])]
    counted = {*data.columns, *(name for name, cells in data.texts.items() if unit_of(cells) == "s")}
    own = [key for key in match.keys if key[1] in counted]
    able = [c for c in able_columns(problem, match.column) if c in counted and c != match.column]
    others = list(product(fits, able))
    for pair in dict.fromkeys((*own, *others)):
        if (one := _scaled(problem, index, pair, match, data, outputs, texts)) is not None:
            return one
    return None


def by_other_units(problem: d.Problem, index: int, report: TrialRunReport | None) -> ScaledKey | None:
    """The key of comparison ``index`` in the unit of its column, where the units of the two are others than its factor says;
    None: they are not, or are not known, or with them rows would find no partner."""
    found = compared(problem, index, report)
    if found is None or len(found[0].keys) != 1:
        return None
    match, data, outputs, texts = found
    every = key_units(problem, match.keys[0], texts)
    now = scale_of(match)
    now = now if len(every) != 1 or every[0].scale.offset else replace(now, offset=0.0)  # a shift of a clock is no unit
    if len(every) != 1 or every[0].scale.is_as(now):
        return None
    changed = paired_so(match, match.keys[0], every[0].scale, data, outputs)
    return None if changed is None else scaled_by(problem, index, changed, every[0])


def _scaled(
    problem: d.Problem, index: int, pair: Pair, match: d.Match, data: d.DataTable, outputs: Mapping[str, Array],
    texts: Mapping[str, Sequence[str]],
) -> ScaledKey | None:  # fmt: skip
    now = scale_of(match) if pair in match.keys else AS_IT_IS
    for units in key_units(problem, pair, texts):
        fresh = units.scale != now or bool(data.texts.get(pair[1]))  # times between others are paired by no other way
        if fresh and (changed := paired_so(match, pair, units.scale, data, outputs)) is not None and changed != match:
            return scaled_by(problem, index, changed, units)
    codes = key_codes(data, pair[1])[~np.isnan(measured_values(match, data))]
    factor = common_factor(codes, outputs[pair[0]])
    if factor is None or Scale(factor) == now:
        return None
    trial = with_scale(paired_by(match, [pair]), Scale(factor))
    return scaled_by(problem, index, trial, None) if fits(trial, data, outputs) else None


def paired_so(match: d.Match, pair: Pair, scale: Scale, data: d.DataTable, outputs: Mapping[str, Array]) -> d.Match | None:
    """By the pair so scaled: row by row, else interpolated between the output's rows; None: neither fits."""
    trial = with_scale(paired_by(match, [pair]), scale)
    if scale.inverse and not _of_one_sign(key_codes(data, pair[1]), outputs[pair[0]]):
        return None
    if fits(trial, data, outputs):
        return trial
    between = without_outside(msgspec.structs.replace(trial, interpolate=True), data, outputs)
    swept = between is not None and swept_outwards(key_values(trial, outputs)[0])
    return between[0] if between is not None and swept and fits(between[0], data, outputs) else None


def _of_one_sign(keys: Array, places: Array) -> bool:
    """Whether keys (n,) and places (m,) are all above zero: a time or a place that starts there is no wavelength or period."""
    return bool((keys[np.isfinite(keys)] > 0.0).all() and (places[np.isfinite(places)] > 0.0).all())


def scaled_by(problem: d.Problem, index: int, match: d.Match, units: KeyUnits | None = None) -> ScaledKey:
    """With comparison ``index`` as ``match``, whose first key is scaled."""
    output, column = match.keys[0]
    assert isinstance(problem.meaning, d.Predictions)
    assert problem.data is not None
    now, n = problem.meaning.matches[index].left_out, int((~np.isnan(column_of(problem.data, match.column))).sum())
    out = outside_words(len(set(match.left_out) - set(now)), n)
    changed, words = with_match(problem, index, match), f"{_words(match, units)} {out}".strip()
    return ScaledKey(changed, output, column, words, units, scale_of(match))


def _words(match: d.Match, units: KeyUnits | None) -> str:
    output, column = (f"“{one_line(name, 30)}”" for name in match.keys[0])
    between = " Between the rows of the output it is interpolated." if match.interpolate else ""
    if units is not None and units.clock:
        return f"The times of {output} are taken as {units.clock}.{between}"
    if units is not None and units.kinds:
        return f"{column} is {scale_of(match).written(output)}: {units.kinds}.{between}"
    if units is not None and (match.key_offset or scale_of(match).plain):
        return f"{output} is in {units.output} and {column} in {units.column}.{between}"
    inverse, factor = 1.0 / match.key_factor, match.key_factor
    plainer = abs(inverse) >= 1.0 if units is not None else len(f"{inverse:.9g}") <= len(f"{factor:.9g}")
    told = f"{output} is {spoken(inverse)} times {column}" if plainer else f"{column} is {spoken(factor)} times {output}"
    return f"{told}{f', as {units.output} are against {units.column}' if units is not None else ''}.{between}"
