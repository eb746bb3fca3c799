"""Rows of the data that no value of the newest test run belongs to, and the ways to mend it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data import day_zero
from bayescope.engine.problem.data.clock_zones import OneSided, by_the_clock, by_utc, in_doubt
from bayescope.engine.problem.data.comparison import (
    ComparisonError,
    compare_match,
    key_codes,
    key_values,
    measured_values,
    unpaired,
)
from bayescope.engine.problem.data.pairing import Unpaired
from bayescope.engine.problem.data.text_keys import FIRST_LABEL
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, fits, with_match
from bayescope.gui.models.data.dates.day_doubt import day_doubt, stated_start
from bayescope.gui.models.data.dates.day_pairing import by_day
from bayescope.gui.models.data.dates.day_zero import day_zero_words, key_day_zero, other_day, with_day_zero
from bayescope.gui.models.data.dates.month_doubt import month_doubt
from bayescope.gui.models.data.keys.compared_key import compared_key
from bayescope.gui.models.data.keys.distances import Distance, distance
from bayescope.gui.models.data.keys.key_candidates import Key, candidates, paired_by
from bayescope.gui.models.data.keys.part_keys import pair_all, part_key, with_key
from bayescope.gui.models.data.keys.possible_keys import key_columns_left, possible_keys, to_mark
from bayescope.gui.models.data.keys.rows_between import between_words, interpolated, run_lacks
from bayescope.gui.models.data.keys.scaled_keys import scaled_key
from bayescope.gui.models.data.keys.short_labels import short_labels
from bayescope.gui.models.data.keys.unread_keys import unread_key
from bayescope.gui.models.data.rows.lost_rows import Row, lost_rows, outside
from bayescope.gui.models.data.rows.row_advice import advice, fits_in_order, measured_words, passed_over
from bayescope.gui.models.data.rows.special_row import told_rows
from bayescope.gui.models.data.tables.label_rows import labelled
from bayescope.gui.models.data.tables.split_outputs import split
from bayescope.gui.models.data.tables.table_outputs import outputs_of_tables
from bayescope.gui.models.plain import one_line

Array = NDArray[np.float64]
ONE_STEP = 0.99  # of the spacing of keys
MOST_PAIRS = 60  # pairs of keys that are tried, while the window waits
UNFIT = "Every run like this would fail. On the Data page, the tab Comparison says what does not fit, with the ways to mend it."
UNFIT_HERE = "Every run like this would fail. The tab Comparison says what does not fit, with the ways to mend it."  # on its page
MONTH = "Either number may be the month: until it is said these dates pair with the same texts only."
ROOM = 1.001  # a tolerance is a little wider than the distance it must bridge


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
    passed_over: tuple[tuple[int, d.Problem], ...] = ()  # rows without a value, one of which the program gives none for


def first_unfit(problem: d.Problem, report: TrialRunReport) -> tuple[int, str] | None:
    """The first comparison that cannot be made with the newest test run, and why, a sentence."""
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    words = (unfit_words(problem, index, report) for index in range(len(matches)))
    return next(((index, why) for index, why in enumerate(words) if why), None)


def unfit_words(problem: d.Problem, index: int, report: TrialRunReport | None) -> str:
    """Why comparison ``index`` cannot be made with the newest test run, a sentence; empty: it can, or it is not known."""
    found = compared(problem, index, report)
    return "" if found is None else unfit(*found)[0]


def mismatch(problem: d.Problem, index: int, report: TrialRunReport | None) -> Mismatch | None:
    """What does not fit between the data and the newest test run in comparison ``index``; None: nothing, or not known."""
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
    other, (near, far) = other_key(problem, index, report), _near(problem, index, lost, outputs, texts, report)
    scaled = scaled_key(problem, index, report)
    if other is not None and scaled is not None and scaled.units is None and scaled.pair not in match.keys:
        scaled = None  # a key that fits as it is
    if scaled is not None:
        other = near = far = None
    best = _most_rows(problem, index, report, n - len(lost) if match.keys else 0) if other is None and scaled is None else None
    own_key = compared_key(problem, index, report) if other is None and scaled is None and best is None else None
    between = interpolated(problem, index, outputs) if scaled is None else None
    first = between is not None and other is None and run_lacks(len(lost), n)
    counts, stated = key_day_zero(match) if lost else None, stated_start(problem, match, report)
    doubt_of_day = day_doubt(problem, index, report, (), ()) if stated is not None else None
    counts = None if stated is not None and doubt_of_day is None else counts  # it is the program's: nothing is to be tried
    day = other_day(match, data, outputs, n - len(lost)) if counts is not None else None
    start, said = day.start if day is not None else None, None
    more = [day_zero_words(counts, day)] if counts is not None else []
    if counts is not None and stated is not None and doubt_of_day is not None and not stated.zoned:
        start, said, more = stated.start, doubt_of_day.mended, [doubt_of_day.question]
    rows = labelled(problem, index, report)
    rows = split(problem, index, report) or rows if rows is None or rows.problem is None else rows
    if rows is None and other is None and scaled is None:
        rows = outputs_of_tables(problem, index, report)
    more += [] if rows is None else [rows.words]
    given = len(outputs[match.output])
    more += [] if match.keys or rows is not None or fits_in_order(match, data, given) else [advice(problem, match, given)]
    by_label = None if rows is None else rows.problem
    asked = () if match.keys else passed_over(problem, index, given)
    daily = by_day(problem, index, report) if lost else None
    daily = None if daily is None or len(_lost(daily.problem, index, report)) == len(lost) else daily
    more = [daily.hint, *more] if daily is not None else more
    led = bool(asked) or any(x is not None for x in (scaled, other, best, own_key, by_label, next(told_rows(problem), None)))
    unread = None
    if not led and counts is None and daily is None:
        unread = short_labels(problem, index, report) or unread_key(problem, index, report)
    mark = "" if led or unread is not None else to_mark(problem, index, report)
    more += [mark] if mark and rows is None else []  # what labels tell is said already
    more = [unread.words, *more] if unread is not None else more
    more += [best[2]] if best is not None else []
    more = [own_key.words] if own_key is not None else more
    more = [scaled.words] if scaled is not None else more
    more = [between_words(len(lost)), *more] if first else more
    return Mismatch(
        words,
        tuple(lost_rows(match, data, outputs, texts, lost)),
        in_order=_in_order(problem, index, outputs) if match.keys else None,
        left_out=_left_out(problem, index, lost, n) if match.keys else None,  # which row is missing, no order tells
        nearest=near,
        between=between,
        between_first=first,
        other_key=other[0] if other else best[0] if best else None if own_key is None else own_key.problem,
        other_words=other[1] if other else best[1] if best else "" if own_key is None else own_key.column,
        other_button="" if own_key is None else own_key.button,
        partly=best is not None,
        suggestion=" ".join([*more, *([f"With the nearest key: {far.words}"] if far is not None and far.far else [])]),
        nearest_words=f"up to {far.size} away" if far is not None else "",
        dates=counts is not None,
        from_day=None if start is None else said if said is not None else with_day_zero(problem, start),
        day_words="" if start is None else day_zero.written(start),
        by_label=None if rows is None else rows.problem,
        label_words="" if rows is None else rows.button,
        mark=bool(mark),
        by_day=None if daily is None else daily.problem,
        passed_over=asked,
        scaled=None if scaled is None else scaled.problem,
        read=None if unread is None else unread.problem,
        read_words="" if unread is None else unread.button,
        keyless=not match.keys and not (possible_keys(problem, index, report) and key_columns_left(problem)),
    )


def _lost(problem: d.Problem, index: int, report: TrialRunReport | None) -> list[Unpaired]:
    found = compared(problem, index, report)
    return [] if found is None else unfit(*found)[1]


def unfit(
    match: d.Match, data: d.DataTable, outputs: dict[str, Array], texts: dict[str, tuple[str, ...]]
) -> tuple[str, list[Unpaired]]:
    """Why the comparison cannot be made, and the rows without a partner; an empty sentence if it can."""
    if (doubt := in_doubt(data, match, texts)) is not None:
        return doubt.words, []
    try:
        compare_match(match, data, outputs)
        return "", []
    except ComparisonError as error:
        reason = error.what
    given, n = len(outputs[match.output]), int((~np.isnan(measured_values(match, data))).sum())
    if match.keys:
        lost = []
        if all(len(outputs[output]) == given for output, _ in match.keys):
            lost = unpaired(match, data, outputs, texts.get(match.keys[0][0], ()))
        many = f"{len(lost)} of {n} measured rows {'has' if len(lost) == 1 else 'have'}"
        key, beyond = "day" if match.by_day else "key", outside(match, data, outputs, lost)
        return (f"{many} no row of {_called(match.output)} with the same {key}.{beyond}" if lost else reason), lost
    if fits_in_order(match, data, given):
        return reason, []  # the numbers are at fault, not how many there are
    return measured_words(match, data, given), []


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


def better_key(problem: d.Problem, index: int, report: TrialRunReport | None) -> tuple[d.Problem, str] | None:
    """Labels by which rows now taken in order could be paired, and the column's name; None: no need or no way."""
    found = compared(problem, index, report)
    if found is None or report is None or found[0].keys or not found[1].texts:
        return None
    return other_key(problem, index, report, labels_only=True)


def other_key(
    problem: d.Problem, index: int, report: TrialRunReport, labels_only: bool = False
) -> tuple[d.Problem, str] | None:
    """The problem with a key that pairs every measured row of comparison ``index``, and the key column's name.

    The key is an output that is read already, or labels that stand beside the values in the program's table.
    """
    found = compared(problem, index, report)
    if found is None:
        return None
    match, data, outputs, _texts = found
    every = list(candidates(problem, match, data, outputs, report, labels_only))
    alone = [(key,) for key in every if key.pair not in match.keys]
    # one key is not enough where it stands in several rows: the present one with another, else any two
    present = [Key(*match.keys[0])] if match.keys and not match.second_key_output else []
    both = [] if labels_only else [*product(present, every), *combinations(every, 2)][:MOST_PAIRS]
    for keys in (*alone, *both):
        if len({k.output for k in keys}) < len(keys) or len({k.column for k in keys}) < len(keys):
            continue
        trial = paired_by(match, [key.pair for key in keys])
        codes = {k.output: k.codes for k in keys if k.codes is not None}
        if not _pairs_all(trial, data, {**outputs, **codes}, labels_only):
            continue
        added = tuple(k.declared for k in keys if k.declared is not None)
        read = msgspec.structs.replace(problem, outputs=(*problem.outputs, *added))
        return with_match(read, index, trial), " and ".join(k.column for k in keys)
    return None


def paired_alike(problem: d.Problem, index: int, report: TrialRunReport, model: d.Match) -> d.Problem | None:
    """The problem with comparison ``index`` paired by the data columns that pair ``model``; None where they do not pair all rows.

    The keys of ``model``, or those that stand beside the values of ``index`` in its own table.
    """
    found = compared(problem, index, report)
    if found is None:
        return None
    match, data, outputs, _texts = found

    def ways() -> Iterator[Sequence[Key]]:
        yield [Key(*pair) for pair in model.keys]
        every = list(candidates(problem, match, data, outputs, report, labels_only=False))  # reads the table many times
        yield from product(*([key for key in every if key.column == column] for _, column in model.keys))

    for keys in ways():
        codes = {k.output: k.codes for k in keys if k.codes is not None}
        if any(k.output not in outputs and k.output not in codes for k in keys) or match.output in [k.output for k in keys]:
            continue
        trial = msgspec.structs.replace(
            paired_by(match, [key.pair for key in keys]), interpolate=model.interpolate, key_tolerance=model.key_tolerance,
            by_day=model.by_day,
        )
        if keys[0].pair == model.keys[0]:
            trial = msgspec.structs.replace(trial, key_factor=model.key_factor, key_offset=model.key_offset)
        if _pairs_all(trial, data, {**outputs, **codes}, labels_only=False):
            added = tuple(k.declared for k in keys if k.declared is not None)
            read = msgspec.structs.replace(problem, outputs=(*problem.outputs, *added))
            return with_match(read, index, trial)
    return None


# --------------------------------------------------------------------------- what is there


def _called(name: str) -> str:
    return f"“{one_line(name, 40)}”"


# --------------------------------------------------------------------------- ways to mend it


def _pairs_all(match: d.Match, data: d.DataTable, outputs: Mapping[str, Array], labels_only: bool) -> bool:
    """Whether this key pairs every measured row, each having one."""
    try:
        there = ~np.isnan(measured_values(match, data))
        keys = np.concatenate([key_codes(data, column)[there] for _, column in match.keys])
    except ComparisonError:
        return False
    if not len(keys) or np.isnan(keys).any() or (labels_only and not np.any(keys >= FIRST_LABEL)):
        return False
    return fits(match, data, outputs)


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
    rows = tuple(sorted({*match.left_out, *(one.row for one in lost)}))
    return with_match(problem, index, msgspec.structs.replace(match, left_out=rows))


def nearest_key(problem: d.Problem, index: int, report: TrialRunReport) -> tuple[d.Problem | None, Distance | None]:
    """The problem in which comparison ``index`` pairs by the nearest key, and how far that is; None: no way, or no distance."""
    found = compared(problem, index, report)
    if found is None:
        return None, None
    _, _, outputs, texts = found
    return _near(problem, index, unfit(*found)[1], outputs, texts, report)


def _near(
    problem: d.Problem, index: int, lost: list[Unpaired], outputs: Mapping[str, Array], texts: Mapping[str, tuple[str, ...]],
    report: TrialRunReport,
) -> tuple[d.Problem | None, Distance | None]:  # fmt: skip
    near = _nearest(problem, index, lost, outputs, texts)
    far = None if near is None else distance(near, index, report)
    if far is not None and far.largest > ONE_STEP * far.spacing:
        return None, None  # a whole row away or more: the row is missing, any other would do as well
    return near, far


def _nearest(
    problem: d.Problem,
    index: int,
    lost: list[Unpaired],
    outputs: Mapping[str, Array],
    texts: Mapping[str, tuple[str, ...]],
) -> d.Problem | None:
    """Numbers: a tolerance wide enough. Labels: those of the data written as the program writes them."""
    assert isinstance(problem.meaning, d.Predictions)
    assert problem.data is not None
    match, data = problem.meaning.matches[index], problem.data
    if not lost or not all(one.nearest for one in lost) or match.by_day or match.key_column is None or match.key_output is None:
        return None
    output_key, name = match.key_output, match.key_column
    codes, found = key_codes(data, name), key_values(match, outputs)[0]
    gaps = [abs(float(found[one.nearest[0]] - codes[one.row - 1])) for one in lost if codes[one.row - 1] < FIRST_LABEL]
    if gaps:
        match = msgspec.structs.replace(match, key_tolerance=float(f"{max(gaps) * ROOM:.4g}"))
    labels = texts.get(output_key, ())
    renamed = {one.row - 1: labels[one.nearest[0]] for one in lost if codes[one.row - 1] >= FIRST_LABEL and labels}
    if renamed and name in data.texts:
        cells = tuple(renamed.get(i, t) for i, t in enumerate(data.texts[name]))
        data = msgspec.structs.replace(data, texts={**data.texts, name: cells})
    changed = with_match(msgspec.structs.replace(problem, data=data), index, match)
    return changed if fits(match, data, outputs) else None
