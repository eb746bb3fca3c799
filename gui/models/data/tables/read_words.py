"""How a file of measured data was read, as far as a person said it, in words. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bayescope.engine.problem.data.files.data_files import ALL_PARTS
from bayescope.engine.problem.data.tables.table_lines import NO_HEADING, Told
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.engine.session.read_files import Answers, ReadFile
from bayescope.gui.models.archive.import_columns import AS_TIME, ERRORS, KEY, LEAVE, MEASURED
from bayescope.gui.models.plain import one_line

_USES = {
    "a key": (KEY,), "measured": (MEASURED,), "errors": (ERRORS,), "left out": (LEAVE,), "as times": tuple(AS_TIME),
}  # fmt: skip
MOST_LISTED = 4  # numbers of lines or columns


def read_words(one: ReadFile) -> str:
    """The table, its heading, what was left out: heading in line 4, lines 7 and 9 left out; '': nothing was said."""
    return ", ".join(_said(one))


def _said(one: ReadFile) -> Iterator[str]:
    if one.part == ALL_PARTS:
        yield "all its tables"
    elif one.title:
        yield f"table “{one_line(one.title, 30)}”"
    if one.turned:
        yield "each line a quantity"
    told = _of_part(one)
    if told.heading is not None:
        yield "no heading" if told.heading == NO_HEADING else f"heading in line {told.heading}"
    if told.errors is not None:
        yield f"errors in line {told.errors}"
    if told.out:
        yield f"{_numbered('line', told.out)} left out"
    if told.kept:
        yield f"{_numbered('line', told.kept)} kept as row{'s' * (len(told.kept) > 1)}"
    for words, uses in _USES.items():
        if columns := sorted(place for place, use in one.used.items() if use in uses):
            yield f"{_numbered('line' if one.turned else 'column', columns)} {words}"
    if one.minutes:
        yield "times in minutes and seconds"
    yield from _answered(one.answers)
    if one.split is not None:
        yield f"split by {_numbered('line' if one.turned else 'column', one.split)}" if one.split else "not split"
    named = sorted(one.names.items())
    for place, name in named[:MOST_LISTED]:
        yield f"{'line' if one.turned else 'column'} {place} called “{one_line(name, 24)}”"
    if len(named) > MOST_LISTED:
        yield f"{len(named) - MOST_LISTED} more names"


def _answered(answers: Answers) -> Iterator[str]:
    """What was answered otherwise than is usual."""
    if answers.day_first is not None:
        yield f"the {'day' if answers.day_first else 'month'} first in dates"
    if answers.coverage not in (None, 1.0):
        yield f"expanded uncertainties divided by {spoken(answers.coverage)}"
    if answers.undivided or answers.coverage == 1.0:
        yield "uncertainties as they are"
    if not answers.intervals:
        yield "intervals as they are"
    if not answers.moments:
        yield "parts of dates apart"
    if answers.limits != "sides":
        yield f"limits {'left out' if answers.limits == 'out' else 'by half'}"
    if answers.marked_out:
        yield "marked values left out"
    if answers.marks_measured:
        yield "marks for missing values measured"
    if not answers.relative:
        yield "percentages of errors as they are"


def _of_part(one: ReadFile) -> Told:
    return one.told if one.part is None or one.part == ALL_PARTS else one.told.of_part(one.part)


def _numbered(what: str, places: Sequence[int]) -> str:
    shown = [str(place) for place in places[:MOST_LISTED]]
    more = " …" if len(places) > MOST_LISTED else ""
    return f"{what}{'s' * (len(places) > 1)} {', '.join(shown)}{more}"
