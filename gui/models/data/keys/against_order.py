"""Rows taken in order though they stand at other places in the data than in the program's table: frequencies, times. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.data.rows.comparison import key_codes, measured_values
from bayescope.engine.problem.data.rows.order_places import apart, order_words
from bayescope.engine.problem.data.rows.own_rows import in_order
from bayescope.engine.problem.data.rows.pairing import swept
from bayescope.engine.problem.data.rows.text_keys import FIRST_LABEL
from bayescope.engine.problem.definition import Match, Predictions, Problem
from bayescope.engine.problem.numbers.shown_digits import among, spoken
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, fits
from bayescope.gui.models.data.keys.by_places import FEWEST, MOST_ROWS, ByPlaces, paired_by_place, rank
from bayescope.gui.models.data.keys.copied_pairing import newly_left_out, paired_like
from bayescope.gui.models.data.keys.key_candidates import Array, Key, steady
from bayescope.gui.models.data.keys.key_scales import KeyScale, likely_scale, scales_of
from bayescope.gui.models.data.keys.own_table import same_table
from bayescope.gui.models.data.keys.places_of_rows import place_columns, said_columns, sweeps_beside
from bayescope.gui.models.plain import one_line


def against_order(
    problem: Problem, index: int, report: TrialRunReport | None, second: TrialRunReport | None = None,
    marked: Collection[str] = (),
) -> ByPlaces | None:  # fmt: skip
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
    said = said_columns(data, match, marked, there)
    ways: list[ByPlaces] = []
    for column in place_columns(problem, match, data, said) if len(there) >= FEWEST else ():
        codes = key_codes(data, column)
        if len(codes) != len(at) or not (np.isfinite(codes[there]) & (codes[there] < FIRST_LABEL)).all():
            continue
        turns = column not in said and not swept(codes[there])  # rows in no order: only where nothing is guessed
        for key, places in sweeps_beside(problem, match, report, column, outputs, column in said):
            scales = scales_of(problem, key)
            if any(not apart(scale.of(places[at[there]]), codes[there]).any() for scale in scales):
                return None
            if scales and steady(problem, key, outputs, second):
                way = _way(problem, index, key, places, scales, at)
                ways += [] if turns and not way.sure else [way]
    if ways:
        return min(ways, key=rank)
    if not said or len(there) < 2:
        return None
    words = f"Rows are paired in order, though you said that “{one_line(said[0], 30)}” pairs them."
    return ByPlaces(index, said[0], words, printed=False)


def first_against_order(
    problem: Problem, report: TrialRunReport | None, second: TrialRunReport | None = None, marked: Collection[str] = (),
    kept: Collection[str] = (),
) -> ByPlaces | None:  # fmt: skip
    """The first comparison that ``against_order`` tells of, with all others that the same column mends. ``kept``: what was said
    to be right."""
    count = len(problem.meaning.matches) if isinstance(problem.meaning, Predictions) else 0
    for i in range(count):
        found = against_order(problem, i, report, second, marked)
        if found is not None and found.words not in kept:
            return for_all_alike(found, report, second, marked)
    return None


def for_all_alike(
    found: ByPlaces, report: TrialRunReport | None, second: TrialRunReport | None, marked: Collection[str]
) -> ByPlaces:
    """With the comparisons behind it whose order the same column contradicts; those of the same table are paired alike."""
    whole = found.problem
    if whole is None or not isinstance(whole.meaning, Predictions):
        return found
    first, count, out = whole.meaning.matches[found.row], 1, found.out
    for j, other in enumerate(whole.meaning.matches):
        if j <= found.row or other.keys or other.rows or not other.column:
            continue
        more = _of_the_same_table(whole, j, report, first)
        if more is None:
            way = against_order(whole, j, report, second, marked)
            same = way is not None and way.problem is not None and (way.column, way.scale) == (found.column, found.scale)
            more = (way.problem, way.out) if way is not None and way.problem is not None and same else None
        if more is not None:
            whole, count, out = more[0], count + 1, max(out, more[1])
    return replace(found, problem=whole, count=count, out=out)


def _of_the_same_table(
    problem: Problem, index: int, report: TrialRunReport | None, first: Match
) -> tuple[Problem, int] | None:
    """Comparison ``index`` paired as ``first`` is, in the same table of the program, and how many rows that leaves out."""
    declared = {o.name: o for o in problem.outputs}
    assert isinstance(problem.meaning, Predictions)
    output = declared.get(problem.meaning.matches[index].output)
    if output is None or not same_table(declared[first.output], output):
        return None
    changed = paired_like(problem, index, report, first)
    return None if changed is None else (changed, newly_left_out(problem, changed, index))


def _way(
    problem: Problem, index: int, key: Key, places: Array, scales: list[KeyScale], at: NDArray[np.intp]
) -> ByPlaces:
    """Comparison ``index`` paired by ``key``, row by row or between the ``places``; the rows ``at`` which they are in order."""
    assert isinstance(problem.meaning, Predictions)
    assert problem.data is not None
    match, data = problem.meaning.matches[index], problem.data
    measured = np.flatnonzero(~np.isnan(measured_values(match, data)) & (at >= 0))
    codes = key_codes(data, key.column)
    scale = likely_scale(scales, places, codes[measured])
    told = scale or scales[0]
    row = int(measured[np.argmax(apart(told.of(places[at[measured]]), codes[measured]))])
    times = f" ({told.written('that')})" if told.inverse else "" if told.factor == 1.0 else f" (times {spoken(told.factor)})"
    mine, theirs = among(codes[row], codes), among(places[at[row]], places)
    words = order_words(key.column, row + 1, mine, f"{theirs}{times}")
    return replace(paired_by_place(problem, index, key, places, scale), words=words)
