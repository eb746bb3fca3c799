"""What is still to be said on the Data page, in the order in which it can be answered, and what its picture shows. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import msgspec

from bayescope.engine.problem.data.column_names import same_names, says_where, sd_columns
from bayescope.engine.problem.data.name_words import names_told
from bayescope.engine.problem.definition import GaussianKnown, Match, Predictions, Problem
from bayescope.gui.models.data.counted_dates import UNDO, Counting
from bayescope.gui.models.data.day_doubt import DayDoubt, day_said
from bayescope.gui.models.data.day_pairing import BUTTON as PAIR_BY_DAY
from bayescope.gui.models.data.day_pairing import KEEP_HOUR, ByDay
from bayescope.gui.models.data.day_pairing import UNDO as BY_DAY
from bayescope.gui.models.data.doubtful_errors import doubtful_errors
from bayescope.gui.models.data.echoes import BUTTON as LEAVE_OUT
from bayescope.gui.models.data.echoes import KEEP as KEEP_ECHO
from bayescope.gui.models.data.echoes import UNDO as ECHO_UNDO
from bayescope.gui.models.data.echoes import WHY as ECHO
from bayescope.gui.models.data.echoes import Echo
from bayescope.gui.models.data.error_size import (
    ADDED,
    Stated,
    percent_alone,
    stated_of,
    text_of_size,
    unit_taken_for_said,
    with_proposed_sizes,
    with_size,
    with_sizes,
)
from bayescope.gui.models.data.flagged_rows import HINT as FLAGGED_HINT
from bayescope.gui.models.data.flagged_rows import KEEP as FLAGGED_COUNT
from bayescope.gui.models.data.flagged_rows import OUT as FLAGGED_OUT
from bayescope.gui.models.data.flagged_rows import Flagged
from bayescope.gui.models.data.further_series import further_series
from bayescope.gui.models.data.further_sheets import PASS, FurtherSheet
from bayescope.gui.models.data.grid_keys import Grid
from bayescope.gui.models.data.keyed_instead import Keyed
from bayescope.gui.models.data.lacking_rows import ANOTHER_HAD, LACKING, NONE_HAD, OTHERS
from bayescope.gui.models.data.left_out import matches_of
from bayescope.gui.models.data.meanings import kind_of
from bayescope.gui.models.data.mismatches import UNFIT_HERE
from bayescope.gui.models.data.other_units import OtherUnit
from bayescope.gui.models.data.part_keys import with_keys
from bayescope.gui.models.data.partly import columns_question
from bayescope.gui.models.data.proposal import Proposal
from bayescope.gui.models.data.repeated_places import HINT as REPEATED_HINT
from bayescope.gui.models.data.repeated_places import REPEATS, Repeated
from bayescope.gui.models.data.special_row import MEASURED, WHY, ToldRow
from bayescope.gui.models.data.split_table import Split
from bayescope.gui.models.data.summary_faults import KEEP, button
from bayescope.gui.models.data.taking_part import NO_COUNT, NO_COUNT_ALL, Idle, idle_summary_words, listed
from bayescope.gui.models.data.untold_names import untold
from bayescope.gui.models.data.unused_sds import unused_sds
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.step_status import meaning_open

if TYPE_CHECKING:
    from bayescope.engine.problem.checks.validate import Finding

TABLE, COMPARISON, ERRORS = 0, 1, 2  # tabs
IN_ORDER = "The order is right"
NO_SPLIT = "It does not"
MARK_IT = "&Mark it"  # on the Simulator page
KEEP_UNITS = "The factor is right"
UNITS = "Predictions are compared in the unit of the data: it is the output that is multiplied."
OF_FILE = "Are the errors those of the file?"
OUTPUTS = "outputs"  # a field that is on the Simulator page
SHEET = "sheet"  # what is asked for is a further table of the file
TEST = "test"  # ... or a test run
INTERPOLATE = "Interpolate between rows"
MOST_PAIRS = 6  # told in a hint
MOST_TOLD = 3  # columns named in a question
_PLACE = re.compile(r"meaning\.matches\[([0-9]+)\](?:\.(output|column|(?:second_)?key_(?:output|column)|left_out|sd_column))?")

_SUMMARY = re.compile(
    r"meaning\.summaries\[([0-9]+)\](?:\.(output|column|statistic|(?:key|error)_(?:output|column|sd|percent)))?.*"
)


@dataclass(frozen=True)
class Step:
    """A question or a fault, where it is settled, and the words of the button that leads there.

    ``row``: the comparison it is about; ``field``: of its form, '' for the list of rows that do not fit. ``dismiss``: words of
    the other button, with which ``aside`` (outputs and columns) do not count any more.
    """

    tab: int
    question: str
    hint: str
    button: str
    level: Literal["info", "warning", "error"] = "info"
    row: int | None = None
    field: str = ""
    dismiss: str = ""
    aside: tuple[str, ...] = ()
    out: int | None = None  # the summary that the button leaves out
    others: bool = False  # the other button makes a test run at other values
    settled: bool = False  # it is only said: nothing waits for an answer
    mended: Problem | None = None  # what the button makes of the problem
    undo: str = "Compare a further series"  # what that is called
    caption: str = ""  # of the step in the bar, where the question is too long for it
    confirms: str = ""  # what is noted as said by the user: by the button, or by the other one where the button mends


@dataclass(frozen=True)
class Pairing:
    """What test runs tell of the pairing: how many were ``tried``; whether the newest is ``lacking`` rows that others have; the
    first comparison whose order a key contradicts (its number, the problem paired by the key, its column, words); and the problem
    with what names tell of outputs in no comparison. ``split``: with the table split by a column of names; ``proposal``: of what
    names do not tell; ``special``: a row that holds no measurement; ``counting``: dates of the
    first comparison that does not fit, to be counted from a day 0, and the problem with them so."""

    tried: int = 0
    lacking: bool = False
    contradicted: tuple[int, Problem, str, str] | None = None
    by_name: Problem | None = None
    split: Split | None = None
    proposal: Proposal | None = None
    special: ToldRow | None = None
    counting: tuple[Counting, Problem] | None = None
    units: tuple[int, OtherUnit] | None = None  # the first comparison of an output that headings say is in another unit
    lacks: bool = True  # rows that do not fit are some the test run lacks: one at other values may have them
    day: DayDoubt | None = None  # day 0 of dates that nobody confirmed, or that the program contradicts
    by_day: ByDay | None = None  # dates without an hour paired with what a program of hours computes at 0 h
    echo: Echo | None = None  # an output that repeats the column it is compared with
    stated: Stated | None = None  # what the data file says of its errors
    headings: Mapping[str, Stated] = field(default_factory=dict)  # ... and the headings of its columns
    repeated: Repeated | None = None  # a comparison with several measured values at each place
    flagged: Flagged | None = None  # rows that a column of flags says are no good
    sheet: FurtherSheet | None = None  # a table of the file that is not taken yet
    untested: bool = False  # another table came since the last test run that is known
    grid: Grid | None = None  # a list of several dimensions, compared with the only column beside those of its keys
    keyed: Keyed | None = None  # the first comparison that does not fit, in order, paired by a key instead


def open_step(
    problem: Problem,
    errors: Sequence[Finding],
    unfit: tuple[int, str] | None,
    left: Idle | None = None,
    fault: tuple[Finding, int | None] | None = None,
    pairing: Pairing | None = None,
) -> Step | None:
    """The first thing that only the user can say; None: all is said.

    ``errors``: of the comparisons or summaries; ``unfit``: the first one whose rows do not fit the newest test run, and why;
    ``left``: what is in no comparison; ``fault``: what the noise check found wrong with the summaries, and which to leave out.
    """
    meaning, pairing = problem.meaning, pairing or Pairing()
    if problem.data is not None and (special := pairing.special) is not None:
        return Step(
            TABLE, special.words, WHY, special.button, "warning", dismiss=MEASURED, mended=special.problem, undo=special.undo,
            caption=f"Is row {special.row} a measurement?",
        )  # fmt: skip
    if problem.data is None or not problem.outputs:
        return None
    if hasattr(meaning, "summaries"):
        return _open_summary(problem, errors, fault) or _echo_step(pairing) or _idle_summaries(problem, left)
    if not isinstance(meaning, Predictions):
        return None
    if (sheet := pairing.sheet) is not None:
        return Step(TABLE, sheet.question, sheet.hint, sheet.button, field=SHEET, dismiss=PASS,
                    caption=f"Was “{one_line(sheet.title, 30)}” measured too?")  # fmt: skip
    waiting = not all(m.column for m in meaning.matches)
    if (not meaning.matches or waiting) and (step := _paired_step(problem, pairing)) is not None:
        return step
    if (step := _echo_step(pairing)) is not None:
        return step
    if (not meaning.matches or waiting) and pairing.split is not None:
        split = pairing.split
        step = _split_by(split, split.question)
        return replace(step, hint=split.columns_words, dismiss=NO_SPLIT, confirms=split.question)
    if (grid := pairing.grid) is not None:
        return Step(COMPARISON, grid.question, grid.hint, grid.button, mended=grid.problem, undo="Compare by several keys")
    if not meaning.matches:
        return Step(COMPARISON, "Which output predicts which column?", untold(problem), "Say &which")
    if (waiting or errors) and (gone := _gone_step(problem)) is not None:
        return gone
    for i, match in enumerate(meaning.matches):
        if not match.column:
            question = f"Which column holds the measured values of {one_line(match.output, 40)}?"
            hint = f"{untold(problem, match.output)} Choose it under “Measured column”."
            return Step(COMPARISON, question, hint, "Choose &it", row=i, field="column")
    for finding in errors:
        place = _PLACE.fullmatch(finding.where)
        if place is not None:
            row, field = int(place[1]), place[2] or "column"
            if not place[2] and (step := _split_step(problem, row, pairing.split, finding.message)) is not None:
                return step
            if (lost := _lost_output(problem, row, finding)) is not None:
                return lost
            if (unused := unused_sds(problem, None)) is not None and field == "sd_column":
                return Step(ERRORS, unused.question, "Drop it, or keep the errors it stands for.", "Sho&w it", "error")
            return Step(COMPARISON, finding.message, finding.suggestion, "Sho&w it", "error", row, field)
    if unfit is not None and (step := _split_step(problem, unfit[0], pairing.split, unfit[1])) is not None:
        return step
    if pairing.repeated is not None and (pairing.keyed is None or not pairing.keyed.titles):
        return _repeated_step(pairing.repeated)
    if unfit is not None and not pairing.lacking and pairing.counting is not None:
        one, counted = pairing.counting
        return Step(
            COMPARISON, unfit[1], f"{one.words}.", one.button, "error", unfit[0], mended=counted, undo=UNDO, field="day_zero"
        )
    if unfit is not None and pairing.by_day is not None:
        daily = pairing.by_day
        return Step(
            COMPARISON, unfit[1], daily.hint, f"&{PAIR_BY_DAY}", "error", unfit[0], mended=daily.problem, undo=BY_DAY
        )
    if unfit is not None and (keyed := pairing.keyed) is not None:
        return _keyed_step(pairing, keyed, unfit)
    if unfit is not None and not pairing.lacking:
        none = f" {NONE_HAD.format(pairing.tried)}" if pairing.tried > 1 and pairing.lacks else ""
        show = "Sho&w them" if meaning.matches[unfit[0]].keys else "Sho&w it"  # in order, no rows are listed
        others = OTHERS if pairing.lacks else ""
        return Step(COMPARISON, unfit[1], f"{UNFIT_HERE}{none}", show, "error", unfit[0], dismiss=others, others=pairing.lacks)
    if pairing.contradicted is not None:
        row, mended, column, words = pairing.contradicted
        name = one_line(column, 20).replace("&", "&&")
        return Step(
            COMPARISON, words, "The program prints that key beside its values.", f"Pair &by {name}", "warning", row,
            mended=mended, undo="Pair rows by a key", dismiss=IN_ORDER,
        )  # fmt: skip
    if pairing.day is not None and unfit is None:
        return _day_step(pairing.day)
    if pairing.by_day is not None and unfit is None:
        one_day = pairing.by_day
        return Step(
            COMPARISON, one_day.words, f"By the day: {one_day.hint}", f"&{PAIR_BY_DAY}", "warning", one_day.row,
            dismiss=KEEP_HOUR, mended=one_day.problem, undo=BY_DAY, caption="Which value of a day belongs to a date?",
            confirms=one_day.words,
        )  # fmt: skip
    if pairing.flagged is not None:
        told = pairing.flagged
        return Step(
            TABLE, told.words, FLAGGED_HINT, FLAGGED_OUT, "warning", dismiss=FLAGGED_COUNT, mended=told.problem, undo=told.undo,
            caption="Do flagged rows count?", confirms=told.words,
        )  # fmt: skip
    if left is not None and (found := further_series(problem, left)) is not None:
        hint = "With the same outputs, if the conditions were the same. If not, the program needs other outputs."
        words, no = ("it", NO_COUNT) if len(found.columns) == 1 else ("them", NO_COUNT_ALL)
        return Step(
            COMPARISON, found.question, hint, f"Compare &{words} too", dismiss=no, aside=found.columns, mended=found.problem
        )
    if left is not None and left.may_match and (step := _paired_step(problem, pairing)) is not None:
        return step
    if left is not None and left.may_match:
        # numbered times and places, time_298, are asked for last: they rather pair rows
        output = next((o for o in left.outputs if not says_where(re.sub(r"[\s_]*[0-9]+$", "", o))), left.outputs[0])
        name = one_line(output, 24)
        hint = f"{left.words()} Match what belongs together."
        question = f"Which column does {name} predict?"
        return Step(COMPARISON, question, hint, f"&Match {name}", dismiss=NO_COUNT, aside=(output,))
    if left is not None and (doubt := doubtful_errors(problem)) is not None:
        return Step(
            COMPARISON, doubt.question, doubt.hint, doubt.button, "warning", doubt.row, "sd_column", doubt.dismiss, doubt.aside,
            mended=doubt.mended, undo="Use columns of errors",
        )  # fmt: skip
    if pairing.units is not None:
        row, other = pairing.units
        return Step(
            COMPARISON, other.words, other.hint or UNITS, other.button, "warning", row, dismiss=KEEP_UNITS, mended=other.problem,
            undo="Another unit", caption="Is an output in another unit?",
        )  # fmt: skip
    common = [m.column for m in meaning.matches if m.noise is None and not m.sd_column]
    if meaning.noise == GaussianKnown() and common:
        of = f" of {one_line(' and '.join(common), 60)}" if len(common) < len(meaning.matches) else ""
        why = "Those of the measurement: nobody but you knows, and the width of the answer depends on it."
        if (step := _heading_step(problem, pairing.headings, common)) is not None:
            return step
        if pairing.stated is not None and pairing.stated.size not in [said.size for said in pairing.headings.values()]:
            return _stated_step(problem, pairing.stated, of)
        sds = [] if problem.data is None else sd_columns(list(problem.data.columns))
        if set(sds) - set(meaning.aside) - {m.sd_column for m in meaning.matches}:  # there is a column that may hold them
            row = next(i for i, m in enumerate(meaning.matches) if m.noise is None and not m.sd_column)
            return Step(COMPARISON, f"How large are the errors{of}?", why, "Sa&y how large", row=row, field="sd_column")
        return Step(ERRORS, f"How large are the errors{of}?", why, "Sa&y how large")
    if (step := _size_step(problem)) is not None:
        return step
    if left is not None and left.columns:
        question, (more, no) = columns_question(problem, left.columns), _no_output(left.columns)
        return Step(COMPARISON, question, more, "Mark an &output", dismiss=no, aside=left.columns, field=OUTPUTS, settled=True)
    if unfit is not None:
        return Step(
            COMPARISON, unfit[1], LACKING, "Sho&w them", "warning", unfit[0], dismiss=OTHERS, others=True, settled=True
        )
    return _untested_step(problem) if pairing.untested else None


def _gone_step(problem: Problem) -> Step | None:
    """Comparisons of outputs that are marked no more: they are removed, or their outputs marked again; None: there are none."""
    matches, there = matches_of(problem), {o.name for o in problem.outputs}
    kept = tuple(m for m in matches if m.output in there)
    gone = list(dict.fromkeys(m.output for m in matches if m.output not in there))
    if not gone:
        return None
    names = listed(tuple(gone))
    question = f"There is no output called {names}." if len(gone) == 1 else f"Outputs that are compared are gone: {names}."
    those, count = ("It is", "Re&move the comparison") if len(gone) == 1 else ("They are", f"Re&move the {len(gone)} comparisons")
    meaning = msgspec.structs.replace(problem.meaning, matches=kept)
    return Step(
        COMPARISON, question, f"{those} compared with data. Mark {'it' if len(gone) == 1 else 'them'} again, or compare without.",
        count, "error", next(i for i, m in enumerate(matches) if m.output not in there), "output", MARK_IT,
        mended=msgspec.structs.replace(problem, meaning=meaning), undo="Remove comparisons of outputs that are gone",
    )  # fmt: skip


def _keyed_step(pairing: Pairing, keyed: Keyed, unfit: tuple[int, str]) -> Step:
    """A comparison that does not fit, paired by a key or interpolated over its own; the analysis can start as it is where another
    test run had all rows."""
    none = f" {NONE_HAD.format(pairing.tried)}" if pairing.tried > 1 and keyed.lost and not pairing.lacking else ""
    hint = f"{ANOTHER_HAD} {keyed.hint}" if pairing.lacking else f"{keyed.hint}{none}"
    others = OTHERS if keyed.lost else ""
    return Step(
        COMPARISON, unfit[1], hint, keyed.button, "warning" if pairing.lacking else "error", unfit[0], mended=keyed.problem,
        undo=INTERPOLATE if keyed.lost else "Pair rows by a key", dismiss=others, others=bool(others), settled=pairing.lacking,
    )  # fmt: skip


def _lost_output(problem: Problem, row: int, finding: Finding) -> Step | None:
    """The way out where a comparison is paired by an output that is marked no more; None: that is not the fault."""
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    there = {o.name for o in problem.outputs}
    match = matches[row] if row < len(matches) else None
    field = finding.where.rpartition(".")[2]
    if match is None or field not in ("key_output", "second_key_output") or (getattr(match, field) or there) in there:
        return None
    without = problem
    for i, one in enumerate(matches):
        if {output for output, _ in one.keys} - there:
            without = with_keys(without, i, [key for key in one.keys if key[0] in there])
    kept = [key for key in match.keys if key[0] in there]
    button = f"Pair by {one_line(kept[0][1], 20)} alone".replace("&", "&&") if kept else "Pair in &order"
    return Step(
        COMPARISON, finding.message, finding.suggestion, button, "error", row, field, MARK_IT, mended=without,
        undo="Pair rows without a key",
    )  # fmt: skip


def _untested_step(problem: Problem) -> Step | None:
    """A list that is compared in order: only a test run tells how many values it has."""
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    lists = {o.name for o in problem.outputs if o.length is None}
    name = next((m.output for m in matches if not m.keys and m.output in lists), None)
    if name is None:
        return None
    hint = f"It tells whether {one_line(name, 30)}, which is compared in order, has as many values as were measured."
    return Step(COMPARISON, "No test run has been compared with this table yet.", hint, "&Test run", field=TEST, settled=True)


def _no_output(columns: Sequence[str]) -> tuple[str, str]:
    """What to do about ``columns`` that no output predicts, and the words by which they do not count."""
    if len(columns) == 1:
        return "No output predicts it: mark one, or say that the column does not count.", NO_COUNT
    return "No output predicts them: mark some, or say that these columns do not count.", NO_COUNT_ALL


def _stated_step(problem: Problem, stated: Stated, of: str) -> Step:
    """The errors that the data file states in words."""
    question = f"The data file says: “{one_line(stated.words, 90)}”. Are these the errors{of}?"
    size, unsaid = unit_taken_for_said(problem, stated.size)
    try:
        mended = with_size(problem, size)
    except ValueError as error:
        return Step(ERRORS, question, str(error), "Sa&y how large")
    taken = f", in the unit of the data: no column says whether that is {stated.size.unit}" if unsaid else ""
    hint = f"Each measured value then has an error of {text_of_size(size)}{taken}."
    return Step(ERRORS, question, hint, "&Take them", mended=mended, undo="Errors that the file states", caption=OF_FILE)


def _heading_step(problem: Problem, headings: Mapping[str, Stated], common: Sequence[str]) -> Step | None:
    """The errors that headings or notes state of compared columns, of all of which they do so in one step."""
    mine = {column: said for column in common if (said := stated_of(column, headings)) is not None}
    if not mine or not isinstance(problem.meaning, Predictions):
        return None
    if all(stated.remark for stated in mine.values()):
        return _remark_step(problem, mine)
    (first, one), more = next(iter(mine.items())), len(mine) - 1
    question = f"The file says of “{one_line(first, 30)}”: “{one_line(one.words, 40)}”. Are these its errors?"
    if more:
        told = [f"{one_line(column, 20)} {one_line(stated.words, 20)}" for column, stated in mine.items()][:MOST_TOLD]
        every = "; ".join([*told, *(["…"] if len(mine) > MOST_TOLD else [])])
        question = f"The file says the errors of {len(mine)} columns ({every}). Are they so?"
    try:
        mended = with_sizes(problem, {column: stated.size for column, stated in mine.items()})
    except ValueError as error:
        return Step(ERRORS, question, str(error), "Sa&y how large")
    hint = "Each measured value then has the error that the file says."
    if not more:
        hint = f"Each of its values then has an error of {text_of_size(one.size)}."
    return Step(ERRORS, question, hint, "&Take them", mended=mended, undo="Errors that headings state", caption=OF_FILE)


def _remark_step(problem: Problem, mine: Mapping[str, Stated]) -> Step:
    """The errors of columns that lines of words in the file state."""
    lines = dict.fromkeys(stated.words for stated in mine.values())
    said = f"“{one_line(next(iter(lines)), 90)}”{f' and {len(lines) - 1} more' if len(lines) > 1 else ''}"
    names = [one_line(column, 20) for column in mine]
    of = " and ".join(names) if len(names) <= MOST_TOLD else f"{len(names)} columns"
    question = f"The data file says: {said}. Are these the errors of {of}?"
    try:
        mended = with_sizes(problem, {column: stated.size for column, stated in mine.items()})
    except ValueError as error:
        return Step(ERRORS, question, str(error), "Sa&y how large")
    told = [f"{one_line(column, 20)}: {text_of_size(stated.size)}" for column, stated in mine.items()]
    hint = f"{'; '.join(told[:MOST_TOLD])}{'; …' if len(told) > MOST_TOLD else ''}. A percentage is of each measured value."
    hint = hint if any(stated.size.percent for stated in mine.values()) else hint.split(". A percentage")[0] + "."
    return Step(ERRORS, question, hint, "&Take them", mended=mended, undo="Errors that the file states", caption=OF_FILE)


def _day_step(doubt: DayDoubt) -> Step:
    """Whether day 0 of the dates is the program's."""
    return Step(
        COMPARISON, doubt.question, doubt.hint, doubt.button, "warning", doubt.row, "day_zero", doubt.dismiss,
        mended=doubt.mended, undo=day_said(doubt.stated.start) if doubt.stated is not None else "",
        caption="Which date is day 0 of the program?", confirms=day_said(doubt.start),
    )  # fmt: skip


def _echo_step(pairing: Pairing) -> Step | None:
    """Whether an output that repeats the data is compared with them."""
    if (echo := pairing.echo) is None:
        return None
    out = echo.row if echo.problem is None else None
    return Step(
        COMPARISON, echo.words, ECHO, LEAVE_OUT, "warning", echo.row, dismiss=KEEP_ECHO, out=out, mended=echo.problem,
        undo=ECHO_UNDO, caption="An output repeats the data", confirms=echo.words,
    )  # fmt: skip


def _repeated_step(repeated: Repeated) -> Step:
    """Whether several measured values at one place were measured under other conditions."""
    split = repeated.split
    return Step(
        COMPARISON, repeated.words, REPEATED_HINT, f"&{split.button.replace('&', '&&')}", "warning", repeated.index,
        dismiss=REPEATS, mended=split.problem, undo=split.button, caption="Which of several values at a place?",
        confirms=repeated.words,
    )  # fmt: skip


def _size_step(problem: Problem) -> Step | None:
    """Whether a percentage of values near zero is all of their error."""
    proposed, finding = with_proposed_sizes(problem), percent_alone(problem)
    if proposed is None or finding is None:
        return None
    button = f"&Add {proposed[1].replace('&', '&&')}"
    return Step(
        ERRORS, finding.message, finding.suggestion, button, finding.level, mended=proposed[0], undo=ADDED,
        settled=finding.level == "warning", caption="Is a percentage all of the error?",
    )  # fmt: skip


def _paired_step(problem: Problem, pairing: Pairing) -> Step | None:
    """Whether outputs in no comparison are compared with the columns that names tell, or like it is proposed."""
    if pairing.proposal is not None:
        return Step(COMPARISON, pairing.proposal.question, "", "Sho&w them")
    if pairing.by_name is None or not isinstance(pairing.by_name.meaning, Predictions):
        return None
    present = {(m.output, m.column) for m in problem.meaning.matches} if isinstance(problem.meaning, Predictions) else set()
    made = tuple(m for m in pairing.by_name.meaning.matches if m.column and (m.output, m.column) not in present)
    names = [one_line(m.column, 24 if len(made) > 1 else 48) for m in made]
    told = " and ".join(names) if len(names) <= MOST_TOLD else f"{len(names)} columns"
    question, hint = _named_alike(made)
    return Step(
        COMPARISON, question.format(told), hint, "&Compare by name", mended=pairing.by_name,
        undo="Compare outputs and columns by name",
        caption=f"Compare {len(made)} columns by name?" if len(made) > 1 else "",
    )  # fmt: skip


def _named_alike(matches: Sequence[Match]) -> tuple[str, str]:
    """The question whether columns are compared with the outputs that names tell (with {} for the columns), and a hint."""
    pairs = [(m.output, m.column) for m in matches]
    one = len(pairs) == 1
    if len(same_names([o for o, _ in pairs], [c for _, c in pairs])) == len(pairs):
        question = "Is {} compared with the output" if one else "Are {} compared with the outputs"
        hint = "Output and column have the same name." if one else "Outputs and columns have the same names."
        return f"{question} of the same name?", hint
    shown = ", ".join(f"{one_line(o, 16)} with {one_line(c, 30)}" for o, c in pairs[:MOST_PAIRS])
    more = f" and {len(pairs) - MOST_PAIRS} more" if len(pairs) > MOST_PAIRS else ""
    if one and not names_told([pairs[0][0]], [pairs[0][1]]):
        return "Is {} compared with the one output that is left?", f"{shown}: their names do not tell."
    question = "Is {} compared with the output that is named alike?" if one else "Are {} compared with the outputs named alike?"
    return question, f"{shown}{more}."


def _split_step(problem: Problem, row: int, split: Split | None, fault: str) -> Step | None:
    """The way out where all rows of a table of several quantities are compared with one output."""
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    if split is None or not row < len(matches) or not split.of(matches[row]):
        return None
    return _split_by(split, fault, "error", row)


def _split_by(split: Split, question: str, level: Literal["info", "error"] = "info", row: int | None = None) -> Step:
    button = f"&{split.button.replace('&', '&&')}"
    return Step(COMPARISON, question, split.hint, button, level, row, mended=split.problem, undo=split.button)


def _open_summary(problem: Problem, errors: Sequence[Finding], fault: tuple[Finding, int | None] | None) -> Step | None:
    """The first fault of the summaries."""
    if fault is not None and all(f == fault[0] for f in errors):
        finding, out = fault
        words = button(problem, out) if out is not None else ""
        return Step(COMPARISON, finding.message, finding.suggestion, words, "warning", dismiss=KEEP, out=out)
    for finding in errors:
        place = _SUMMARY.fullmatch(finding.where)
        if finding.where == "meaning.summaries":
            return Step(COMPARISON, finding.message, finding.suggestion, "Choose a &summary", "error")
        if place is not None:
            return Step(COMPARISON, finding.message, finding.suggestion, "Sho&w it", "error", int(place[1]), place[2] or "")
    return None


def _idle_summaries(problem: Problem, left: Idle | None) -> Step | None:
    """Outputs that could be compared with columns, but are not."""
    question = idle_summary_words(problem, left) if left is not None else ""
    if left is None or not question:
        return None
    hint = f"{left.words('In none')} Add a summary of those that tell something of the parameters."
    return Step(
        COMPARISON, question, hint, "&Add summary", dismiss="They are not needed", aside=(*left.outputs, *left.columns)
    )


def not_needed_words(problem: Problem) -> tuple[str, str, str]:
    """What is shown in place of a table that the meaning of the outputs does not ask for: words, hint, button."""
    if meaning_open(problem):
        return (
            "Are there data to compare with?",
            "It is not said yet what the outputs mean (Simulator, tab Meaning). If they predict what was measured, "
            "a table is needed here; if the program compares itself with the data, it is not.",
            "They predict what was measured",
        )
    return (
        "No data table is needed",
        f"The outputs mean: {kind_of(problem.meaning).title}. The program compares itself with the data already.",
        "Compare predictions with data instead",
    )
