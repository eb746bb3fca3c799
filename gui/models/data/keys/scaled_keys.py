"""Keys of an output that are those of a data column times a constant: the length of four cells, seconds beside minutes. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.rows.comparison import column as column_of
from bayescope.engine.problem.data.rows.comparison import (
    key_codes,
    key_values,
    measured_values,
)
from bayescope.engine.problem.data.rows.pairing import swept_outwards, tolerance
from bayescope.engine.problem.data.rows.text_keys import FIRST_LABEL
from bayescope.engine.problem.data.units.unit_scales import conversion
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, fits, with_match
from bayescope.gui.models.data.dates.clock_units import clock_unit, unit_of_times
from bayescope.gui.models.data.keys.key_candidates import Pair, paired_by
from bayescope.gui.models.data.keys.part_keys import match_of
from bayescope.gui.models.data.keys.possible_keys import able_columns, possible_keys
from bayescope.gui.models.data.keys.rows_outside import outside_words, without_outside
from bayescope.gui.models.data.units.heading_units import unit_of_output
from bayescope.gui.models.plain import one_line

Array = NDArray[np.float64]
Scale = tuple[float, float]  # what keys of the output are multiplied by, and what is added
FEWEST = 3  # different keys that one factor brings together: of two, any factor brings one
MOST_KEYS = 2_000  # of an output or a column, while the window waits: each may be the partner of the largest
MOST_DIGITS = 9  # of a factor: computed numbers have more
SAME = 1e-9  # relative: such factors are one
BUTTON = "&Pair them so"
UNDO = "Pair by a key times a factor"


@dataclass(frozen=True)
class ScaledKey:
    """``problem`` with a comparison paired by ``output``, times a factor plus an offset, and ``column``; ``words``: how the two
    hang together, a sentence. ``units``: the two units, where these tell it."""

    problem: d.Problem
    output: str
    column: str
    words: str
    units: tuple[str, str] | None = None
    factor: float = 1.0
    offset: float = 0.0

    @property
    def pair(self) -> Pair:
        return self.output, self.column


def scaled_key(problem: d.Problem, index: int, report: TrialRunReport | None) -> ScaledKey | None:
    """The key of comparison ``index``, or one that it may have, by which every measured row finds its partner once the output is
    multiplied by what the units of the two say, or by the one factor that brings all keys together; None: there is none."""
    found = compared(problem, index, report)
    if found is None or len(found[0].keys) > 1:
        return None
    match, data, outputs, _ = found
    n = len(outputs[match.output])
    fits = [o for o in possible_keys(problem, index, report) if len(outputs.get(o, ())) == n]
    own = [key for key in match.keys if key[1] in data.columns]
    others = [pair for pair in product(fits, able_columns(problem)) if pair[1] in data.columns and pair[1] != match.column]
    for pair in dict.fromkeys((*own, *others)):
        if (one := _scaled(problem, index, pair, match, data, outputs)) is not None:
            return one
    return None


def by_other_units(problem: d.Problem, index: int, report: TrialRunReport | None) -> ScaledKey | None:
    """The key of comparison ``index`` in the unit of its column, where the units of the two are others than its factor says;
    None: they are not, or are not known, or with them rows would find no partner."""
    found = compared(problem, index, report)
    if found is None or len(found[0].keys) != 1:
        return None
    match, data, outputs, _ = found
    scale, units = _by_units(problem, match.keys[0])
    if scale is None or np.allclose(scale, (match.key_factor, match.key_offset), rtol=SAME):
        return None
    changed = _paired(match, match.keys[0], scale, data, outputs)
    return None if changed is None else _found(problem, index, changed, units)


def _scaled(
    problem: d.Problem, index: int, pair: Pair, match: d.Match, data: d.DataTable, outputs: Mapping[str, Array]
) -> ScaledKey | None:
    now = (match.key_factor, match.key_offset) if pair in match.keys else (1.0, 0.0)
    scale, units = _by_units(problem, pair)
    if scale is not None and scale != now and (changed := _paired(match, pair, scale, data, outputs)) is not None:
        return _found(problem, index, changed, units)
    codes = key_codes(data, pair[1])[~np.isnan(measured_values(match, data))]
    factor = common_factor(codes, outputs[pair[0]])
    if factor is None or (factor, 0.0) == now:
        return None
    trial = _with(match, pair, (factor, 0.0))
    return _found(problem, index, trial, None) if fits(trial, data, outputs) else None


def _by_units(problem: d.Problem, pair: Pair) -> tuple[Scale | None, tuple[str, str] | None]:
    """What the units of an output and a column say, and the two units; of times also words: day beside hours."""
    output = next((o for o in problem.outputs if o.name == pair[0]), None)
    in_words = "" if output is None else clock_unit(output), unit_of_times(pair[1])
    for units in ((unit_of_output(problem, pair[0]), unit_in(pair[1])), in_words):
        scale = conversion(*units) if all(units) else None
        if scale is not None:
            return scale, units
    return None, None


def common_factor(keys: Array, places: Array) -> float | None:
    """The one factor by which the ``places`` (m,) of an output are to be multiplied so that all ``keys`` (n,) are among them.

    None: there is none but 1, there are several, or the keys are too few or no numbers. Of two of different sign the positive
    one is taken.
    """
    usable = np.isfinite(keys) & (keys < FIRST_LABEL)
    wanted, found = np.unique(keys), np.unique(places[np.isfinite(places) & (places < FIRST_LABEL)])
    if not usable.all() or not FEWEST <= len(wanted) <= len(found) <= MOST_KEYS:
        return None
    largest = wanted[np.argmax(np.abs(wanted))]
    with np.errstate(divide="ignore", over="ignore"):
        tried = largest / found[found != 0.0]
    fits = _fitting(tried[np.isfinite(tried) & (tried != 0.0)], wanted, found)
    one = [float(f) for f in fits if f > 0.0] or [float(f) for f in fits]
    if len(one) != 1 or np.isclose(one[0], 1.0, rtol=SAME):
        return None
    most = max(2.0 * _apart(wanted, found, one[0]), SAME * abs(float(largest)))  # twice what rounding leaves
    return next((f for f in _plainer(one[0]) if _apart(wanted, found, f) <= most), one[0])


def _plainer(factor: float) -> Iterator[float]:
    """It and its inverse with few digits first: 0.25, 1 / 60."""
    for digits in range(1, MOST_DIGITS + 1):
        yield float(f"{factor:.{digits}g}")
        yield 1.0 / float(f"{1.0 / factor:.{digits}g}")


def _apart(wanted: Array, places: Array, factor: float) -> float:
    """How far the furthest of the keys (n,) is from the nearest of the ordered places (m,) times the factor."""
    return float(_nearest(np.array(factor), wanted, places).max())


def _nearest(factors: Array, keys: Array | float, places: Array) -> Array:
    """How far keys are from the nearest of the ordered places (m,) times factors; one of the two may be many."""
    at = np.clip(np.searchsorted(places, keys / factors), 1, len(places) - 1)
    return np.minimum(np.abs(factors * places[at] - keys), np.abs(factors * places[at - 1] - keys))


def _fitting(factors: Array, wanted: Array, places: Array) -> Array:
    """Those of the factors (k,) by which each of the keys (n,) is among the ordered places (m,); few are left after few keys."""
    for key, near in zip(wanted, tolerance(match_of(), wanted), strict=True):
        factors = factors[_nearest(factors, key, places) <= near]
    return factors


def _with(match: d.Match, pair: Pair, scale: Scale) -> d.Match:
    return msgspec.structs.replace(paired_by(match, [pair]), key_factor=scale[0], key_offset=scale[1])


def _paired(match: d.Match, pair: Pair, scale: Scale, data: d.DataTable, outputs: Mapping[str, Array]) -> d.Match | None:
    """By the pair so scaled: row by row, else interpolated between the output's rows; None: neither fits."""
    trial = _with(match, pair, scale)
    if fits(trial, data, outputs):
        return trial
    between = without_outside(msgspec.structs.replace(trial, interpolate=True), data, outputs)
    swept = between is not None and swept_outwards(key_values(trial, outputs)[0])
    return between[0] if between is not None and swept and fits(between[0], data, outputs) else None


def _found(problem: d.Problem, index: int, match: d.Match, units: tuple[str, str] | None) -> ScaledKey:
    output, column = match.keys[0]
    assert isinstance(problem.meaning, d.Predictions)
    assert problem.data is not None
    now, n = problem.meaning.matches[index].left_out, int((~np.isnan(column_of(problem.data, match.column))).sum())
    out = outside_words(len(set(match.left_out) - set(now)), n)
    changed, words = with_match(problem, index, match), f"{_words(match, units)} {out}".strip()
    return ScaledKey(changed, output, column, words, units, match.key_factor, match.key_offset)


def _words(match: d.Match, units: tuple[str, str] | None) -> str:
    output, column = (f"“{one_line(name, 30)}”" for name in match.keys[0])
    between = " Between the rows of the output it is interpolated." if match.interpolate else ""
    if units is not None and match.key_offset:
        return f"{output} is in {units[0]} and {column} in {units[1]}.{between}"
    inverse, factor = 1.0 / match.key_factor, match.key_factor
    plainer = abs(inverse) >= 1.0 if units is not None else len(f"{inverse:.9g}") <= len(f"{factor:.9g}")
    told = f"{output} is {inverse:.6g} times {column}" if plainer else f"{column} is {factor:.6g} times {output}"
    return f"{told}{f', as {units[0]} are against {units[1]}' if units is not None else ''}.{between}"
