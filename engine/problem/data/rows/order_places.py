"""Rows taken in order though the data say where they were measured: what only a run can tell, and what one tells against it.

No window is needed for this: what is looked at are outputs, and the first column of the table that an output is read from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from ... import definition as d
from ...findings import shorten
from ...numbers.shown_digits import among
from ..names.column_names import same_names, says_where, sd_columns, unit_in
from ..units.spectral_keys import spectral
from ..units.unit_scales import conversion
from .comparison import ComparisonError, key_codes, measured_values
from .key_scale import AS_IT_IS, Scale
from .own_rows import in_order
from .pairing import swept_outwards
from .place_columns import may_say_where
from .text_keys import FIRST_LABEL, UNITS

Array = NDArray[np.float64]
Read = Callable[[d.Output], Array | None]  # an output in a run; None: it cannot be read
FEWEST = 3  # measured places: fewer agree by chance
POWERS = (3, 6, 9, 12)  # of ten, by which units of one quantity differ: Hz and GHz
SAME = 0.05  # of the step to the next place: nearer ones are the same, printed with other decimals
DIGITS, OF_DIGITS = 1e-3, 0.25  # relative rounding of printed places, as far as that is a small part of the step
AGAINST = "The order of the rows contradicts “{}”"  # how a contradiction begins


@dataclass(frozen=True)
class Unproved:
    """Comparison ``row`` is taken in order, and the data ``column`` says where its values were measured."""

    row: int
    output: str
    column: str

    @property
    def words(self) -> str:
        """The same for all comparisons beside that column: one answer is of all."""
        column = shorten(self.column, 30)
        return f"Rows are compared in order, and no test run has shown that the program's are those of “{column}”."

    @property
    def against(self) -> str:
        """How a sentence begins that tells against it."""
        return AGAINST.format(shorten(self.column, 30))


def unproved_orders(problem: d.Problem) -> Iterator[Unproved]:
    """The comparisons of lists in order beside a column that says where, in every measured row, and is compared with nothing."""
    data, meaning = problem.data, problem.meaning
    if data is None or not isinstance(meaning, d.Predictions):
        return
    lists = {o.name for o in problem.outputs if o.length != 1}
    used = {m.column for m in meaning.matches} | set(sd_columns(list(data.columns))) | set(meaning.aside)
    places = [c for c in data.columns if c not in used and may_say_where(data, c)]
    for row, match in enumerate(meaning.matches):
        if match.keys or match.rows or match.output not in lists or match.column not in data.columns:
            continue
        there = ~np.isnan(measured_values(match, data))
        for column in places if int(there.sum()) >= FEWEST else ():
            codes = key_codes(data, column)
            if len(codes) == len(there) and (np.isfinite(codes[there]) & (codes[there] < FIRST_LABEL)).all():
                yield Unproved(row, match.output, column)
                break


def against_order(problem: d.Problem, one: Unproved, read: Read) -> str:
    """What a run tells against the order of a comparison: the program prints other places beside its values. A sentence; '' where
    it prints none, or the same ones, in whatever unit."""
    assert isinstance(problem.meaning, d.Predictions)
    assert problem.data is not None
    match, output = problem.meaning.matches[one.row], next(o for o in problem.outputs if o.name == one.output)
    values = read(output)
    at = None if values is None else in_order(len(values), match, problem.data)
    if values is None or at is None:
        return ""
    try:
        there = np.flatnonzero(~np.isnan(measured_values(match, problem.data)) & (at >= 0))
        codes = key_codes(problem.data, one.column)[there]
    except ComparisonError:
        return ""
    words = ""
    for key in _places(problem, output, one.column):
        places = read(key)
        if places is None or len(places) != len(values) or not swept_outwards(places) or np.array_equal(places, values):
            continue
        beside = places[at[there]]
        wrong = [apart(scale.of(beside), codes) for scale in _scales(key, one.column)]
        if any(not other.any() for other in wrong):
            return ""
        if wrong and not words:
            k = int(np.argmax(wrong[0]))
            mine, theirs = among(float(codes[k]), codes), among(float(beside[k]), places)
            words = order_words(one.column, int(there[k]) + 1, mine, theirs)
    return words


def order_words(column: str, row: int, mine: str, theirs: str) -> str:
    """That ``row`` of the table, where ``column`` is ``mine``, is compared with what the program prints at ``theirs``."""
    return (
        f"{AGAINST.format(shorten(column, 30))}: row {row}, where it is {mine}, is compared with the value beside which the "
        f"program prints {theirs}."
    )


def apart(places: Array, keys: Array) -> NDArray[np.bool_]:
    """Which of the places (n,) are others than the keys (n,) beside them, but for their digits."""
    ordered, at = np.unique(keys, return_inverse=True)
    gaps = np.concatenate([[np.inf], np.diff(ordered), [np.inf]])
    step = np.minimum(gaps[:-1], gaps[1:])[at]
    rounded = DIGITS * np.abs(keys)
    near = np.where(np.isfinite(step), np.maximum(SAME * step, np.minimum(rounded, OF_DIGITS * step)), rounded)
    return np.asarray(np.abs(places - keys) > near)


def usual_factors(times: bool) -> tuple[float, ...]:
    """By what places may be multiplied where their unit is not known; ``times``: also between units of time."""
    factors = [10.0**p for power in POWERS for p in (-power, power)]
    if times:
        seconds = [s for s in UNITS.values() if s != 1.0]
        factors += [f for s in (*seconds, 24.0, 1440.0) for f in (1.0 / s, s)]
    return tuple(dict.fromkeys(factors))


def _places(problem: d.Problem, output: d.Output, column: str) -> list[d.Output]:
    """Outputs that say where the values of ``output`` are: of the column's name, or that say where; else the first column of its
    own table."""
    assert isinstance(problem.meaning, d.Predictions)
    taken = {m.output for m in problem.meaning.matches if m.column}
    free = [o for o in problem.outputs if o.name not in taken and o.name != output.name and o.source == output.source]
    named = same_names([o.name for o in free], [column])
    told = [o for o in free if o.name in named or says_where(o.name)]
    return told or list(_first_column(output))


def _first_column(output: d.Output) -> Iterator[d.Output]:
    extractor = output.extractor
    if isinstance(extractor, d.CsvColumn) and extractor.axis == "column" and extractor.row is None and extractor.column != 0:
        yield msgspec.structs.replace(output, unit="", extractor=msgspec.structs.replace(extractor, column=0))
    elif isinstance(extractor, d.TableBlock | d.Region) and extractor.columns and extractor.columns != (1,):
        yield msgspec.structs.replace(output, unit="", extractor=msgspec.structs.replace(extractor, columns=(1,)))


def _scales(key: d.Output, column: str) -> list[Scale]:
    """What may be between the places of an output and those of a column."""
    own, its = key.unit or unit_in(key.name), unit_in(column)
    if own and its:
        if (found := conversion(own, its)) is not None:
            return [Scale(*found)]
        if (kinds := spectral(key.name, column, own, its)) is not None:
            return [Scale(kinds.factor, inverse=kinds.inverse)]
        if conversion(own, own) is not None and conversion(its, its) is not None:
            return []
    times = bool(its) and conversion(its, "s") is not None
    return [AS_IT_IS, *(Scale(factor) for factor in usual_factors(times or not its))]
