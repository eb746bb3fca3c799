"""Rows of the data that no value of the newest test run belongs to, and the ways to mend it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.dates.clock_zones import OneSided, by_the_clock, by_utc, in_doubt
from bayescope.engine.problem.data.rows.comparison import measured_values
from bayescope.engine.problem.data.rows.pairing import Unpaired
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, fits, with_match
from bayescope.gui.models.data.dates.day_doubt import day_doubt, stated_start
from bayescope.gui.models.data.dates.day_pairing import by_day
from bayescope.gui.models.data.dates.day_zero import day_zero_words, key_day_zero, other_day, with_day_zero
from bayescope.gui.models.data.dates.month_doubt import month_doubt
from bayescope.gui.models.data.keys.between_keys import BetweenKey
from bayescope.gui.models.data.keys.by_places import ByPlaces
from bayescope.gui.models.data.keys.clock_shift import told_shift
from bayescope.gui.models.data.keys.compared_key import compared_key
from bayescope.gui.models.data.keys.constant_shift import ConstantShift, constant_shift
from bayescope.gui.models.data.keys.key_candidates import paired_by
from bayescope.gui.models.data.keys.nearest_key import near_key
from bayescope.gui.models.data.keys.other_key import other_key
from bayescope.gui.models.data.keys.over_places import over_places
from bayescope.gui.models.data.keys.part_keys import pair_all, part_key, with_key
from bayescope.gui.models.data.keys.possible_keys import key_columns_left, possible_keys, to_mark
from bayescope.gui.models.data.keys.rows_between import between_words, interpolated, run_lacks
from bayescope.gui.models.data.keys.rows_outside import left_outside
from bayescope.gui.models.data.keys.scaled_keys import scaled_key
from bayescope.gui.models.data.keys.short_labels import short_labels
from bayescope.gui.models.data.keys.unread_keys import unread_key
from bayescope.gui.models.data.rows.lost_rows import Row, lost_rows
from bayescope.gui.models.data.rows.row_advice import advice, fits_in_order, passed_over
from bayescope.gui.models.data.rows.special_row import told_rows
from bayescope.gui.models.data.rows.unfit import unfit
from bayescope.gui.models.data.tables.every_line import every_line
from bayescope.gui.models.data.tables.label_rows import labelled
from bayescope.gui.models.data.tables.rows_of_label import rows_of_label
from bayescope.gui.models.data.tables.split_outputs import split
from bayescope.gui.models.data.tables.table_outputs import outputs_of_tables
from bayescope.gui.models.plain import one_line

Array = NDArray[np.float64]
MONTH = "Either number may be the month: until it is said these dates pair with the same texts only."


@dataclass(frozen=True)
class Mismatch:
    """Why one comparison cannot be made, a sentence; the rows it is about; which of the ways to mend it lead anywhere."""

    words: str
    rows: tuple[Row, ...]
    in_order: d.Problem | None = None
    left_out: d.Problem | None = None
    nearest: d.Problem | None = None
    between: d.Problem | None = None  # the output interpolated at the keys of the data
    between_first: bool = False  # ... which is the best of the ways: the key is right, the run lacks rows
    beyond: int = 0  # ... rows that it leaves out
    measured: int = 0  # ... of so many
    other_key: d.Problem | None = None
    other_words: str = ""  # the key that fits, for the button
    other_button: str = ""  # ... all of its words, where they are others
    partly: bool = False  # it pairs most rows, not all
    suggestion: str = ""
    same_clock: d.Problem | None = None  # a zone is stated on one side only: the data are meant as the other side's clock
    in_utc: d.Problem | None = None  # ... or the side that states none means UTC
    nearest_words: str = ""  # how far rows are from the nearest key, for the button
    dates: bool = False  # the keys count from a day 0, which may be another one
    from_day: d.Problem | None = None  # ... the one that gives most rows a partner
    day_words: str = ""  # ... for the button
    by_label: d.Problem | None = None  # an output for the row of each label
    label_words: str = ""  # ... for the button
    mark: bool = False  # no output can be a key: one is to be marked first
    counted: d.Problem | None = None  # dates counted from a day 0, as the output counts
    count_words: str = ""  # ... for the button
    keyless: bool = False  # nor is there a column that may be one
    by_day: d.Problem | None = None  # dates without an hour paired with a value of their day
    read: d.Problem | None = None  # with an output for the key that the program prints beside the values
    read_words: str = ""  # ... for the button
    months: tuple[tuple[str, d.Problem], ...] = ()  # what a date with slashes may be, for the buttons
    scaled: d.Problem | None = None  # paired by a key times a constant factor, which the suggestion says
    shift: ConstantShift | None = None  # the key lies the same distance beside the data's in every row
    which_rows: str = ""  # the output of which more values are there than were measured: some of its rows may be meant
    passed_over: tuple[tuple[int, d.Problem], ...] = ()  # rows without a value, one of which the program gives none for


def mismatch(
    problem: d.Problem, index: int, report: TrialRunReport | None, marked: Collection[str] = (), lines: Sequence[str] = ()
) -> Mismatch | None:
    """What does not fit between the data and the newest test run in comparison ``index``; None: nothing, or not known.
    ``marked``: columns that were said to be keys; ``lines``: of the data files around their tables."""
    found = compared(problem, index, report)
    if found is None or report is None:
        return None
    match, data, outputs, texts = found
    if (doubt := in_doubt(data, match, texts)) is not None:
        return _one_sided(problem, index, doubt, texts, outputs)
    if (month := month_doubt(problem, match, data, texts)) is not None:
        return Mismatch(month.words, (), _in_order(problem, index, outputs), suggestion=MONTH, months=month.ways)
    words, lost = unfit(*found)
    if not words:
        return None
    n = int((~np.isnan(measured_values(match, data))).sum())
    other = other_key(problem, index, report, marked=marked)
    near, far = near_key(problem, index, lost, outputs, texts, report)
    told = told_shift(problem, index, report, lines)
    scaled = scaled_key(problem, index, report) if told is None else None
    if other is not None and scaled is not None and scaled.units is None and scaled.pair not in match.keys:
        scaled = None  # a key that fits as it is
    if scaled is not None:
        other = near = far = None
    best = _most_rows(problem, index, report, n - len(lost) if match.keys else 0) if other is None and scaled is None else None
    own_key = compared_key(problem, index, report) if other is None and scaled is None and best is None else None
    known = any(x is not None for x in (other, scaled, best, own_key))
    span = None if known else over_places(problem, index, report, marked)
    key: tuple[d.Problem | None, str, str] = (None, "", "") if other is None else (*other, "")
    key = (best[0], best[1], "") if best is not None else key
    key = next(((k.problem, k.column, k.button) for k in (own_key, span) if k is not None and k.problem is not None), key)
    between, beyond = (interpolated(problem, index, outputs) if scaled is None else None) or (None, 0)
    between = between if beyond < len(lost) else None  # else leaving rows out is all that it does
    first = between is not None and other is None and run_lacks(len(lost), n)
    shift = None if scaled is not None else told or _shift(problem, index, report, span)
    counts, stated = key_day_zero(match) if lost else None, stated_start(problem, match, report)
    doubt_of_day = day_doubt(problem, index, report, (), ()) if stated is not None else None
    counts = None if stated is not None and doubt_of_day is None else counts  # it is the program's: nothing is to be tried
    day = other_day(match, data, outputs, n - len(lost)) if counts is not None else None
    start, said = day.start if day is not None else None, None
    more = [day_zero_words(counts, day)] if counts is not None else []
    if counts is not None and stated is not None and doubt_of_day is not None and not stated.zoned:
        start, said, more = stated.start, doubt_of_day.mended, [doubt_of_day.question]
    moved = None if start is None or counts is None else with_day_zero(problem, start, counts.start)
    rows = labelled(problem, index, report)
    rows = split(problem, index, report) or rows if rows is None or rows.problem is None else rows
    rows = rows_of_label(problem, index, report) or rows if rows is None or rows.problem is None else rows
    if rows is None and other is None and scaled is None:
        rows = outputs_of_tables(problem, index, report) or every_line(problem, index, report)
    more += [] if rows is None else [rows.words]
    given = len(outputs[match.output])
    more += [] if match.keys or rows is not None or fits_in_order(match, data, given) else [advice(problem, match, given)]
    by_label = None if rows is None else rows.problem
    asked = () if match.keys else passed_over(problem, index, given)
    daily = by_day(problem, index, report) if lost else None
    daily = None if daily is None or len(_lost(daily.problem, index, report)) == len(lost) else daily
    more = [daily.hint, *more] if daily is not None else more
    led = bool(asked) or any(x is not None for x in (scaled, key[0], by_label, next(told_rows(problem), None)))
    unread = None
    if not led and counts is None and daily is None:
        unread = short_labels(problem, index, report) or unread_key(problem, index, report)
    mark = "" if led or unread is not None else to_mark(problem, index, report)
    more += [mark] if mark and rows is None else []  # what labels tell is said already
    more = [unread.words, *more] if unread is not None else more
    more += [best[2]] if best is not None else []
    more = [own_key.words] if own_key is not None else more
    more = [span.hint] if span is not None else more
    more = [scaled.words] if scaled is not None else more
    more = [shift.words, *more] if shift is not None else more
    more = [between_words(len(lost), beyond, n), *more] if first or (between is not None and beyond) else more
    return Mismatch(
        words,
        tuple(lost_rows(match, data, outputs, texts, lost)),
        in_order=_in_order(problem, index, outputs) if match.keys else None,
        left_out=_left_out(problem, index, lost, n) if match.keys else None,  # which row is missing, no order tells
        nearest=near,
        between=between,
        between_first=first,
        beyond=beyond if between is not None else 0,
        measured=n,
        other_key=key[0],
        other_words=key[1],
        other_button=key[2],
        partly=best is not None,
        suggestion=" ".join([*more, *([f"With the nearest key: {far.words}"] if far is not None and far.far else [])]),
        nearest_words=f"up to {far.size} away" if far is not None else "",
        dates=counts is not None,
        from_day=None if start is None else said if said is not None else moved,
        day_words="" if start is None else day_zero.written(start),
        by_label=None if rows is None else rows.problem,
        label_words="" if rows is None else rows.button,
        mark=bool(mark),
        by_day=None if daily is None else daily.problem,
        which_rows="" if match.keys or not 0 < n < given else match.output,
        passed_over=asked,
        scaled=None if scaled is None else scaled.problem,
        shift=shift,
        read=None if unread is None else unread.problem,
        read_words="" if unread is None else unread.button,
        keyless=not match.keys and not (possible_keys(problem, index, report) and key_columns_left(problem)),
    )


def _shift(
    problem: d.Problem, index: int, report: TrialRunReport, span: BetweenKey | ByPlaces | None
) -> ConstantShift | None:
    """The key that comparison ``index`` has, else that over which it could be interpolated, shifted so that all rows pair."""
    base = problem if now_keyed(problem, index) else None if span is None else span.problem
    found = None if base is None else compared(base, index, report)
    return None if base is None or found is None else constant_shift(base, index, found[0], found[2])


def _lost(problem: d.Problem, index: int, report: TrialRunReport | None) -> list[Unpaired]:
    found = compared(problem, index, report)
    return [] if found is None else unfit(*found)[1]


def _most_rows(problem: d.Problem, index: int, report: TrialRunReport, now: int) -> tuple[d.Problem, str, str] | None:
    """The key that pairs most rows, more than the ``now`` that are paired: the problem, its column, and how many, a sentence."""
    best = part_key(problem, index, report)
    if best is None or best.paired <= now:
        return None
    pair = f"output “{one_line(best.output, 24)}” with column “{one_line(best.column, 30)}”"
    words = f"By {pair}, {best.count} find their partner."
    words = words if best.good else f"No key fits well; the best, {pair}, pairs {best.count}."
    every = pair_all(problem, best.column, report) if best.good and now_keyed(problem, index) else None
    return every or with_key(problem, index, best.pair), best.column, words


def now_keyed(problem: d.Problem, index: int) -> bool:
    return isinstance(problem.meaning, d.Predictions) and bool(problem.meaning.matches[index].keys)


def _one_sided(
    problem: d.Problem, index: int, doubt: OneSided, texts: Mapping[str, Sequence[str]], outputs: Mapping[str, Array]
) -> Mismatch:
    assert problem.data is not None
    assert isinstance(problem.meaning, d.Predictions)
    keys = problem.meaning.matches[index].keys
    printed = next(texts[output] for output, column in keys if column == doubt.column and output in texts)
    clock = by_the_clock(problem.data, doubt, printed)
    more = "Do the two show the same clock, or is the one without a zone UTC?"
    if clock is None:
        more = "Between its zones the clock is put back and shows an hour twice: write the zone behind each time of the data."
    return Mismatch(
        doubt.words,
        (),
        in_order=_in_order(problem, index, outputs),
        suggestion=more,
        same_clock=None if clock is None else msgspec.structs.replace(problem, data=clock),
        in_utc=msgspec.structs.replace(problem, data=by_utc(problem.data, doubt)),
    )


def _in_order(problem: d.Problem, index: int, outputs: Mapping[str, Array]) -> d.Problem | None:
    assert isinstance(problem.meaning, d.Predictions)
    assert problem.data is not None
    plain = paired_by(problem.meaning.matches[index], ())
    return with_match(problem, index, plain) if fits(plain, problem.data, outputs) else None


def _left_out(problem: d.Problem, index: int, lost: list[Unpaired], measured: int) -> d.Problem | None:
    assert isinstance(problem.meaning, d.Predictions)
    if not lost or len(lost) >= measured:
        return None
    match = problem.meaning.matches[index]
    gone = [one.row for one in lost]
    if match.interpolate:  # out only as long as they lie beyond what is interpolated
        return with_match(problem, index, left_outside(match, [*(match.outside or ()), *gone]))
    return with_match(problem, index, msgspec.structs.replace(match, left_out=tuple(sorted({*match.left_out, *gone}))))
