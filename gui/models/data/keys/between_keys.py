"""Places that the program prints beside its values and between which the measured ones lie: there it is interpolated. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec
import numpy as np

from bayescope.engine.problem.data.names.column_names import same_names, says_where, without_unit
from bayescope.engine.problem.data.rows.comparison import key_codes, measured_values
from bayescope.engine.problem.data.rows.own_rows import in_order
from bayescope.engine.problem.data.rows.pairing import swept_outwards
from bayescope.engine.problem.definition import (
    CsvColumn,
    DataTable,
    Match,
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
from bayescope.gui.models.data.keys.possible_keys import able_columns
from bayescope.gui.models.data.keys.running_numbers import only_numbers
from bayescope.gui.models.plain import one_line

LEAST_SHARE = 0.25  # of the program's places that the measured ones cover: less is another quantity, or another unit
ROUNDING = 0.05  # of the step between places: nearer ones are the same, printed with other decimals
FEWEST = 3  # measured places; fewer lie between any numbers
MOST_COLUMNS = 3  # of the data looked at: the program's table is read for each


@dataclass(frozen=True)
class BetweenKey:
    """``problem`` with the comparison interpolated at the places in ``column``; ``places`` (m,) of the output ``key``."""

    problem: Problem
    column: str
    key: str
    places: Array

    @property
    def button(self) -> str:
        return f"&Interpolate over {one_line(without_unit(self.column), 20).replace('&', '&&')}"


def between_keys(problem: Problem, index: int, report: TrialRunReport | None) -> list[BetweenKey]:
    """The ways to interpolate comparison ``index``, which has no key, over a column of the program's table: of data columns that
    say where, else of those that only rise or only fall and cover a good part of it."""
    found = compared(problem, index, report)
    if found is None or report is None or found[0].keys or not isinstance(problem.meaning, Predictions):
        return []
    match, data, outputs, _ = found
    told = [c for c in data.columns if c != match.column and says_where(c) and may_pair(data, c)]
    ways = [way for column in told for way in _over(problem, index, report, column, outputs)]
    rising = [c for c in able_columns(problem) if c in data.columns and c != match.column and c not in told]
    for column in () if ways else [c for c in rising if may_pair(data, c)][:MOST_COLUMNS]:
        ways += _over(problem, index, report, column, outputs, LEAST_SHARE)
    return ways


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
    for key in _one_of_each(problem, match.output, every):
        changed = msgspec.structs.replace(paired_by(match, (key.pair,)), interpolate=True)
        added = () if key.declared is None else (key.declared,)
        places = outputs[key.output] if key.codes is None else key.codes
        if fits(changed, data, {**outputs, key.output: places}):
            whole = with_match(msgspec.structs.replace(problem, outputs=(*problem.outputs, *added)), index, changed)
            yield BetweenKey(whole, column, key.output, places)


def stands_first(output: Output) -> bool:
    """Whether it is the first column of a table, where places stand."""
    extractor = output.extractor
    if isinstance(extractor, CsvColumn):
        return extractor.column == 0
    return isinstance(extractor, Region | TableBlock) and extractor.columns == (1,)


def _one_of_each(problem: Problem, output: str, keys: Iterable[tuple[Key, Array]]) -> list[Key]:
    """Of keys with the same places the one that stands in the table of ``output``, else the first."""
    declared = {o.name: o for o in problem.outputs}
    found: dict[bytes, Key] = {}
    for key, places in keys:
        mine = key.output in declared and same_table(declared[key.output], declared[output])
        if places.tobytes() not in found or mine:
            found[places.tobytes()] = key
    return list(found.values())


def _spans(values: Array, n: int, wanted: Array, least: float) -> bool:
    """Whether these ``n`` places are a sweep between whose ends all those ``wanted`` lie, and of which they cover so much."""
    if len(values) != n or not len(wanted) or not np.isfinite(wanted).all() or not np.isfinite(values).all():
        return False
    inside = swept_outwards(values) and bool(values.min() <= wanted.min() and wanted.max() <= values.max())
    return inside and (not least or (len(wanted) >= FEWEST and float(np.ptp(wanted)) >= least * float(np.ptp(values))))


def against_order(problem: Problem, index: int, report: TrialRunReport | None) -> tuple[Problem, str, str] | None:
    """The places beside the values of comparison ``index`` that its order contradicts: the problem interpolated over them, their
    data column, and what is wrong, a sentence. None: no order fits, the places agree, or it is not told which they are."""
    found = compared(problem, index, report)
    if found is None or found[0].keys or found[0].rows:
        return None
    match, data, outputs, _ = found
    if not fits(match, data, outputs):
        return None
    ways = [way for way in between_keys(problem, index, report) if _covers(way, match, data)]
    at = in_order(len(outputs[match.output]), match, data)
    if len(ways) != 1 or at is None:
        return None
    way, codes = ways[0], key_codes(data, ways[0].column)
    there = np.flatnonzero(~np.isnan(measured_values(match, data)) & (at >= 0))
    apart = np.abs(way.places[at[there]] - codes[there]) > ROUNDING * float(np.median(np.abs(np.diff(way.places))))
    if not apart.any():
        return None
    row = int(there[np.argmax(apart)])
    words = (
        f"The order of the rows contradicts “{one_line(way.column, 30)}”: row {row + 1}, where it is {codes[row]:.6g}, is "
        f"compared with the value beside which the program prints {way.places[at[row]]:.6g}."
    )
    return way.problem, way.column, words


def _covers(way: BetweenKey, match: Match, data: DataTable) -> bool:
    codes = key_codes(data, way.column)[~np.isnan(measured_values(match, data))]
    return _spans(way.places, len(way.places), codes, LEAST_SHARE)


def first_against_order(problem: Problem, report: TrialRunReport | None) -> tuple[int, Problem, str, str] | None:
    """The first comparison that ``against_order`` tells of: its number, and that with all others that the same column mends."""
    count = len(problem.meaning.matches) if isinstance(problem.meaning, Predictions) else 0
    for i in range(count):
        if (found := against_order(problem, i, report)) is not None:
            whole = found[0]
            for j in range(i + 1, count):
                more = against_order(whole, j, report)
                whole = more[0] if more is not None and more[1] == found[1] else whole
            return i, whole, found[1], found[2]
    return None
