"""Places that the program prints beside its values and between which the measured ones lie: there it is interpolated. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import msgspec
import numpy as np

from bayescope.engine.problem.data.names.column_names import same_names, without_unit
from bayescope.engine.problem.data.rows.comparison import key_codes, measured_values
from bayescope.engine.problem.data.rows.pairing import swept_outwards
from bayescope.engine.problem.data.rows.place_columns import may_say_where
from bayescope.engine.problem.definition import (
    CsvColumn,
    Output,
    Predictions,
    Problem,
    Region,
    TableBlock,
)
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, fits, with_match
from bayescope.gui.models.data.keys.key_candidates import Array, Key, keys_beside, may_pair, paired_by
from bayescope.gui.models.data.keys.own_table import same_table
from bayescope.gui.models.data.keys.possible_keys import able_columns, has_entries
from bayescope.gui.models.data.keys.rows_outside import MOST_OUTSIDE, outside_words, without_outside
from bayescope.gui.models.data.keys.running_numbers import counts, only_numbers
from bayescope.gui.models.plain import one_line

LEAST_SHARE = 0.25  # of the program's places that the measured ones cover: less is another quantity, or another unit
FEWEST = 3  # measured places; fewer lie between any numbers
MOST_COLUMNS = 3  # of the data looked at: the program's table is read for each


@dataclass(frozen=True)
class BetweenKey:
    """``problem`` with the comparison interpolated at the places in ``column``; ``places`` (m,) of the output ``key``; of the
    ``measured`` rows those ``out`` are left out."""

    problem: Problem
    column: str
    key: str
    places: Array
    out: int = 0
    measured: int = 0

    @property
    def button(self) -> str:
        return f"&Interpolate over {one_line(without_unit(self.column), 20).replace('&', '&&')}"

    @property
    def hint(self) -> str:
        where = "which those" if self.out else "which all those"
        told = f"The program prints places beside its values, between {where} of “{one_line(self.column, 24)}” lie"
        return f"{told}: there it is interpolated. {outside_words(self.out, self.measured)}".strip()


def between_keys(
    problem: Problem, index: int, report: TrialRunReport | None, marked: Collection[str] = ()
) -> list[BetweenKey]:
    """The ways to interpolate comparison ``index``, which has no key, over a column of the program's table: of data columns that
    were said to be keys (``marked``), else that say where, else of those that only rise or only fall and cover a good part of
    it."""
    found = compared(problem, index, report)
    if found is None or report is None or found[0].keys or not isinstance(problem.meaning, Predictions):
        return []
    match, data, outputs, _ = found
    said = [c for c in data.columns if c != match.column and c in marked]
    told = [c for c in data.columns if c != match.column and may_say_where(data, c) and may_pair(data, c)]
    told = [c for c in told if has_entries(data, c, match.column)]
    ways = [way for column in said for way in _over(problem, index, report, column, outputs)]
    ways = ways or [way for column in told for way in _over(problem, index, report, column, outputs)]
    rising = [c for c in able_columns(problem, match.column) if c in data.columns and c != match.column and c not in told]
    for column in () if ways else [c for c in rising if may_pair(data, c)][:MOST_COLUMNS]:
        ways += _over(problem, index, report, column, outputs, LEAST_SHARE)
    whole = [way for way in ways if not way.out]
    return whole or ways


def _over(
    problem: Problem, index: int, report: TrialRunReport, column: str, outputs: dict[str, Array], least: float = 0.0
) -> Iterator[BetweenKey]:
    assert isinstance(problem.meaning, Predictions)
    assert problem.data is not None
    match, data = problem.meaning.matches[index], problem.data
    measured, n, codes = ~np.isnan(measured_values(match, data)), len(outputs[match.output]), key_codes(data, column)
    if len(codes) != len(measured):
        return
    taken = {m.output for m in problem.meaning.matches if m.column}
    named, declared = same_names(list(outputs), [column]), {o.name: o for o in problem.outputs}
    read = [
        (Key(name, column), values) for name, values in outputs.items()
        if name not in taken and (not least or name in named or stands_first(declared[name]))
        and not only_numbers(data, column, values)
    ]  # fmt: skip
    beside = [
        (key, key.codes) for key in keys_beside(problem, match, report, column)
        if key.declared is not None and key.codes is not None and (not least or stands_first(key.declared))
        and not only_numbers(data, column, key.codes)
        and not any(np.array_equal(key.codes, outputs[name]) for name in taken if name in outputs)
    ]  # fmt: skip
    every = [(key, places) for key, places in (*read, *beside) if _spans(places, n, codes[measured], least)]
    table = [*outputs.values(), *(places for _, places in beside)]
    if any(_holds_all(places, n, codes[measured]) for places in table):  # what leaves rows out is no place, if it only counts
        every = [one for one in every if not counts(one[1]) or one[0].output in named or _holds_all(one[1], n, codes[measured])]
    for key in one_of_each(problem, match.output, every):
        changed = msgspec.structs.replace(paired_by(match, (key.pair,)), interpolate=True)
        added = () if key.declared is None else (key.declared,)
        places = outputs[key.output] if key.codes is None else key.codes
        found = without_outside(changed, data, {**outputs, key.output: places})
        if found is not None and fits(found[0], data, {**outputs, key.output: places}):
            whole = with_match(msgspec.structs.replace(problem, outputs=(*problem.outputs, *added)), index, found[0])
            yield BetweenKey(whole, column, key.output, places, found[1], int(measured.sum()))


def stands_first(output: Output) -> bool:
    """Whether it is the first column of a table, where places stand."""
    extractor = output.extractor
    if isinstance(extractor, CsvColumn):
        return extractor.column == 0
    return isinstance(extractor, Region | TableBlock) and extractor.columns == (1,)


def one_of_each(problem: Problem, output: str, keys: Iterable[tuple[Key, Array]]) -> list[Key]:
    """Of keys with the same places the one that stands in the table of ``output``, else the first."""
    declared = {o.name: o for o in problem.outputs}
    found: dict[bytes, Key] = {}
    for key, places in keys:
        mine = key.output in declared and same_table(declared[key.output], declared[output])
        if places.tobytes() not in found or mine:
            found[places.tobytes()] = key
    return list(found.values())


def _holds_all(values: Array, n: int, wanted: Array) -> bool:
    """Whether these ``n`` places are a sweep between whose ends all those ``wanted`` lie."""
    swept = len(values) == n and bool(np.isfinite(values).all()) and swept_outwards(values)
    return swept and bool(values.min() <= wanted.min()) and bool(wanted.max() <= values.max())


def _spans(values: Array, n: int, wanted: Array, least: float) -> bool:
    """Whether these ``n`` places are a sweep between whose ends those ``wanted`` lie, most of them, and of which they cover so
    much."""
    if len(values) != n or not len(wanted) or not np.isfinite(wanted).all() or not np.isfinite(values).all():
        return False
    there = wanted[(values.min() <= wanted) & (wanted <= values.max())]
    inside = swept_outwards(values) and len(there) > MOST_OUTSIDE * len(wanted)
    return inside and (not least or (len(there) >= FEWEST and float(np.ptp(there)) >= least * float(np.ptp(values))))
