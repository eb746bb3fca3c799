"""Rows taken in order though they stand at other places in the data than in the program's table: frequencies, times. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.data.names.column_names import same_names, says_where, without_unit
from bayescope.engine.problem.data.rows.comparison import key_codes, measured_values
from bayescope.engine.problem.data.rows.own_rows import in_order
from bayescope.engine.problem.data.rows.pairing import swept, swept_outwards
from bayescope.engine.problem.data.rows.text_keys import FIRST_LABEL
from bayescope.engine.problem.definition import DataTable, Match, NumberList, Output, Predictions, Problem
from bayescope.engine.problem.marks.lists.list_offers import label_of_list
from bayescope.engine.problem.numbers.shown_digits import among
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, fits, with_match
from bayescope.gui.models.data.keys.between_keys import one_of_each, stands_first
from bayescope.gui.models.data.keys.key_candidates import Array, Key, keys_beside, may_pair, paired_by, steady
from bayescope.gui.models.data.keys.key_scales import PLAIN, KeyScale, apart, likely_scale, scales_of
from bayescope.gui.models.data.keys.own_table import own_first, same_table
from bayescope.gui.models.data.keys.possible_keys import able_columns
from bayescope.gui.models.data.keys.rows_outside import outside_words, without_outside
from bayescope.gui.models.data.keys.same_pairing import pair_by
from bayescope.gui.models.plain import one_line

FEWEST = 3  # measured places: fewer rise by chance
MOST_COLUMNS = 3  # of the data looked at: the program's table is read for each
MOST_ROWS = 100_000  # of a table, looked at while the window waits
BESIDE = "The program prints places beside its values; between these it is interpolated."
SAME_PLACES = "The program prints that key beside its values."
NOTHING_BESIDE = "Let the program print it beside its values, or say that its rows are those of the data, one by one."
ELSEWHERE = "Let the program print the places that were measured, or choose another key."


@dataclass(frozen=True)
class AgainstOrder:
    """Comparison ``row``, whose order the data ``column`` contradicts: ``words``, a sentence. ``problem``: paired by it, with
    ``count`` comparisons; None: no place of the program fits. ``out``: rows that are left out, of ``measured``."""

    row: int
    column: str
    words: str
    problem: Problem | None = None
    interpolated: bool = False
    scale: KeyScale = PLAIN
    out: int = 0
    measured: int = 0
    count: int = 1
    printed: bool = True  # places beside the values

    @property
    def sure(self) -> bool:
        """Whether nothing is guessed or left out: a column that was said to be the key may pair the rows so at once."""
        exact = not self.interpolated
        return self.problem is not None and not self.out and (exact or self.scale.told or self.scale == PLAIN)

    @property
    def button(self) -> str:
        if self.problem is None:
            return "Sho&w it"
        name = without_unit(self.column)
        return pair_by(name, self.count, "&Interpolate", "over") if self.interpolated else pair_by(name, self.count)

    @property
    def hint(self) -> str:
        if self.problem is None:
            return ELSEWHERE if self.printed else NOTHING_BESIDE
        return f"{BESIDE if self.interpolated else SAME_PLACES} {self.more}".strip()

    @property
    def more(self) -> str:
        """By what its places are multiplied and how many rows are left out, sentences; '' where there is nothing to say."""
        times = "" if self.scale.factor == 1.0 else f"They are multiplied by {self.scale.factor:.6g}."
        return f"{times} {outside_words(self.out, self.measured)}".strip()


def against_order(
    problem: Problem, index: int, report: TrialRunReport | None, second: TrialRunReport | None = None,
    marked: Collection[str] = (),
) -> AgainstOrder | None:  # fmt: skip
    """What contradicts the order of comparison ``index``; None: no order fits, or nothing does.

    A column that was said to be the key (``marked``), else one that says where or when, else one that only rises or falls,
    stands beside places of the program that are others in some row, in any unit. ``second``: a run at other values, where places
    are the same. A marked column contradicts the order also where the program prints no places.
    """
    found = compared(problem, index, report)
    if found is None or report is None or found[0].keys or found[0].rows:
        return None
    match, data, outputs, _ = found
    at = in_order(len(outputs[match.output]), match, data)
    if at is None or len(at) > MOST_ROWS or not fits(match, data, outputs):
        return None
    there = np.flatnonzero(~np.isnan(measured_values(match, data)) & (at >= 0))
    said = _said(data, match, marked, there)
    ways: list[AgainstOrder] = []
    for column in _place_columns(problem, match, data, said) if len(there) >= FEWEST else ():
        codes = key_codes(data, column)
        if len(codes) != len(at) or not (np.isfinite(codes[there]) & (codes[there] < FIRST_LABEL)).all():
            continue
        turns = column not in said and not swept(codes[there])  # rows in no order: only where nothing is guessed
        for key, places in _sweeps(problem, match, report, column, outputs, column in said):
            scales = scales_of(problem, key.output if key.declared is None else "", column)
            if any(not apart(scale.of(places[at[there]]), codes[there]).any() for scale in scales):
                return None
            if scales and steady(problem, key, outputs, second):
                way = _way(problem, index, key, places, scales, at)
                ways += [] if turns and not way.sure else [way]
    if ways:
        return min(ways, key=_rank)
    if not said or len(there) < 2:
        return None
    words = f"Rows are paired in order, though you said that “{one_line(said[0], 30)}” pairs them."
    return AgainstOrder(index, said[0], words, printed=False)


def by_places(
    problem: Problem, index: int, report: TrialRunReport | None, marked: Collection[str] = ()
) -> AgainstOrder | None:  # fmt: skip
    """Comparison ``index``, which has no key and need not fit in order, paired by the places beside its values, in whatever unit;
    None: none fit, or several do equally well."""
    found = compared(problem, index, report)
    if found is None or report is None or found[0].keys or found[0].rows:
        return None
    match, data, outputs, _ = found
    there = np.flatnonzero(~np.isnan(measured_values(match, data)))
    if not FEWEST <= len(there) <= MOST_ROWS:
        return None
    said, ways = _said(data, match, marked, there), []
    for column in _place_columns(problem, match, data, said):
        codes = key_codes(data, column)
        usable = len(codes) > there[-1] and (np.isfinite(codes[there]) & (codes[there] < FIRST_LABEL)).all()
        for key, places in _sweeps(problem, match, report, column, outputs, column in said) if usable else ():
            scales = scales_of(problem, key.output if key.declared is None else "", column)
            ways += [_paired(problem, index, key, places, likely_scale(scales, places, codes[there]))]
    fit = sorted((way for way in ways if way.problem is not None), key=_rank)
    return fit[0] if fit and (len(fit) == 1 or _rank(fit[0]) < _rank(fit[1])) else None


def first_against_order(
    problem: Problem, report: TrialRunReport | None, second: TrialRunReport | None = None, marked: Collection[str] = (),
    kept: Collection[str] = (),
) -> AgainstOrder | None:  # fmt: skip
    """The first comparison that ``against_order`` tells of, with all others that the same column mends. ``kept``: what was said
    to be right."""
    count = len(problem.meaning.matches) if isinstance(problem.meaning, Predictions) else 0
    for i in range(count):
        found = against_order(problem, i, report, second, marked)
        if found is not None and found.words not in kept:
            return for_all_alike(found, report, second, marked)
    return None


def for_all_alike(
    found: AgainstOrder, report: TrialRunReport | None, second: TrialRunReport | None, marked: Collection[str]
) -> AgainstOrder:
    """With the comparisons behind it whose order the same column contradicts; those of the same table are paired alike."""
    whole = found.problem
    if whole is None or not isinstance(whole.meaning, Predictions):
        return found
    first, count, out = whole.meaning.matches[found.row], 1, found.out
    for j, other in enumerate(whole.meaning.matches):
        if j <= found.row or other.keys or other.rows or not other.column:
            continue
        more = _alike(whole, j, report, first)
        if more is None:
            way = against_order(whole, j, report, second, marked)
            same = way is not None and way.problem is not None and (way.column, way.scale) == (found.column, found.scale)
            more = (way.problem, way.out) if way is not None and way.problem is not None and same else None
        if more is not None:
            whole, count, out = more[0], count + 1, max(out, more[1])
    return replace(found, problem=whole, count=count, out=out)


def _said(data: DataTable, match: Match, marked: Collection[str], there: NDArray[np.intp]) -> list[str]:
    """Those of the columns that were said to pair rows, or of their twins in files put below, that have an entry in each of the
    rows ``there``."""
    names = [c for c in (*data.columns, *data.texts) if c in marked or any(c.startswith(f"{key} (") for key in marked)]
    return [c for c in names if c != match.column and np.isfinite(key_codes(data, c)[there]).all()]


def _place_columns(problem: Problem, match: Match, data: DataTable, said: Collection[str]) -> list[str]:
    """The data columns that say where the rows of ``match`` are: those said to, else by their names, else that only rise."""
    if said:
        return [c for c in said if c in data.columns]
    assert isinstance(problem.meaning, Predictions)
    taken = {m.column for m in problem.meaning.matches}
    told = [c for c in data.columns if c not in taken and says_where(c) and may_pair(data, c)]
    rising = [c for c in able_columns(problem) if c in data.columns and c != match.column and may_pair(data, c)]
    return (told or rising)[:MOST_COLUMNS]


def _sweeps(
    problem: Problem, match: Match, report: TrialRunReport, column: str, outputs: dict[str, Array], said: bool
) -> Iterator[tuple[Key, Array]]:
    """Outputs, and columns beside the values that no output reads, that only rise or only fall and may be the places: any where
    the user ``said`` that ``column`` is the key; else they stand first in their table, or their name says it."""
    assert isinstance(problem.meaning, Predictions)
    n, declared = len(outputs[match.output]), {o.name: o for o in problem.outputs}
    taken = [m.output for m in problem.meaning.matches if m.column]
    named, where = same_names(list(outputs), [column]), says_where(column)

    def may_be(output: Output, values: Array, name: str) -> bool:
        usable = len(values) == n and bool((values < FIRST_LABEL).all()) and swept_outwards(values)
        if not usable or any(np.array_equal(values, outputs[o]) for o in taken if o in outputs):
            return False
        told = name in named or says_where(name) or (stands_first(output) and (where or not _numbers(values)))
        return said or told

    every = [
        (Key(name, column), outputs[name])
        for name in own_first(problem, match.output, outputs)
        if name not in taken and may_be(declared[name], outputs[name], name)
    ]
    every += [
        (key, key.codes) for key in keys_beside(problem, match, report, column)
        if key.declared is not None and key.codes is not None and may_be(key.declared, key.codes, _list_name(key.declared))
    ]  # fmt: skip
    places = {key.output: values for key, values in every}
    for key in one_of_each(problem, match.output, every):
        yield key, places[key.output] if key.codes is None else key.codes


def _list_name(output: Output) -> str:
    return label_of_list(output.extractor.name) if isinstance(output.extractor, NumberList) else ""


def _numbers(values: Array) -> bool:
    """Whether values (n,) number rows from 0 or 1."""
    return values[0] in (0.0, 1.0) and bool((np.diff(values) == 1.0).all())


def _way(
    problem: Problem, index: int, key: Key, places: Array, scales: list[KeyScale], at: NDArray[np.intp]
) -> AgainstOrder:
    """Comparison ``index`` paired by ``key``, row by row or between the ``places``; the rows ``at`` which they are in order."""
    assert isinstance(problem.meaning, Predictions)
    assert problem.data is not None
    match, data = problem.meaning.matches[index], problem.data
    measured = np.flatnonzero(~np.isnan(measured_values(match, data)) & (at >= 0))
    codes = key_codes(data, key.column)
    scale = likely_scale(scales, places, codes[measured])
    told = scale or scales[0]
    row = int(measured[np.argmax(apart(told.of(places[at[measured]]), codes[measured]))])
    times = "" if told.factor == 1.0 else f" (times {told.factor:.6g})"
    mine, theirs = among(codes[row], codes), among(places[at[row]], places)
    words = (
        f"The order of the rows contradicts “{one_line(key.column, 30)}”: row {row + 1}, where it is {mine}, is "
        f"compared with the value beside which the program prints {theirs}{times}."
    )
    return replace(_paired(problem, index, key, places, scale), words=words)


def _paired(problem: Problem, index: int, key: Key, places: Array, scale: KeyScale | None) -> AgainstOrder:
    """Comparison ``index`` paired by ``key``, row by row or between the ``places`` so multiplied; None: no factor is known."""
    assert isinstance(problem.meaning, Predictions)
    assert problem.data is not None
    match, data = problem.meaning.matches[index], problem.data
    plain = AgainstOrder(index, key.column, "", measured=int((~np.isnan(measured_values(match, data))).sum()))
    if scale is None:
        return plain
    by = msgspec.structs.replace(paired_by(match, (key.pair,)), key_factor=scale.factor, key_offset=scale.offset)
    outputs = {match.output: np.zeros(len(places)), key.output: places}
    added = () if key.declared is None else (key.declared,)
    wider = msgspec.structs.replace(problem, outputs=(*problem.outputs, *added))
    if fits(by, data, outputs):
        return replace(plain, problem=with_match(wider, index, by), scale=scale)
    between = without_outside(msgspec.structs.replace(by, interpolate=True), data, outputs)
    if between is None or not fits(between[0], data, outputs):
        return plain
    whole = with_match(wider, index, between[0])
    return replace(plain, problem=whole, interpolated=True, scale=scale, out=between[1])


def _alike(problem: Problem, index: int, report: TrialRunReport | None, first: Match) -> tuple[Problem, int] | None:
    """Comparison ``index`` paired as ``first`` is, in the same table of the program, and how many rows that leaves out."""
    found = compared(problem, index, report)
    declared = {o.name: o for o in problem.outputs}
    if found is None or not first.keys or not same_table(declared[first.output], declared[found[0].output]):
        return None
    match, data, outputs, _ = found
    if match.column in [column for _, column in first.keys]:
        return None
    by = msgspec.structs.replace(
        paired_by(match, first.keys), key_factor=first.key_factor, key_offset=first.key_offset, interpolate=first.interpolate
    )
    between = without_outside(by, data, outputs) if by.interpolate else (by, 0)
    if between is None or not fits(between[0], data, outputs):
        return None
    return with_match(problem, index, between[0]), between[1]


def _rank(way: AgainstOrder) -> tuple[bool, bool, int, bool]:
    """The best way first: that there is one, row by row, with few rows left out, in units that are told."""
    return way.problem is None, way.interpolated, way.out, not way.scale.told
