"""What is still to be said on the Data page, in the order in which it can be answered, and what its picture shows. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bayescope.engine.problem.data.names.column_names import says_where, sd_columns
from bayescope.engine.problem.definition import GaussianKnown, Predictions, Problem
from bayescope.gui.models.data.dates.counted_dates import UNDO
from bayescope.gui.models.data.dates.day_pairing import BUTTON as PAIR_BY_DAY
from bayescope.gui.models.data.dates.day_pairing import KEEP_HOUR
from bayescope.gui.models.data.dates.day_pairing import UNDO as BY_DAY
from bayescope.gui.models.data.errors.doubtful_errors import doubtful_errors
from bayescope.gui.models.data.errors.limit_columns import NO as NO_LIMITS
from bayescope.gui.models.data.errors.limit_columns import USE as USE_LIMITS
from bayescope.gui.models.data.errors.limit_columns import limit_columns
from bayescope.gui.models.data.errors.unused_sds import unused_sds
from bayescope.gui.models.data.meanings import kind_of
from bayescope.gui.models.data.partly import columns_question
from bayescope.gui.models.data.rows.lacking_rows import LACKING, NONE_HAD, OTHERS
from bayescope.gui.models.data.rows.special_row import MEASURED, WHY
from bayescope.gui.models.data.rows.unfit import UNFIT_HERE
from bayescope.gui.models.data.tables.further_series import further_series
from bayescope.gui.models.data.tables.further_sheets import PASS
from bayescope.gui.models.data.taking_part import NO_COUNT, NO_COUNT_ALL, Idle
from bayescope.gui.models.data.units.other_units import SIGN_LATER, OtherUnit, columns_changed
from bayescope.gui.models.data.units.untold_signs import CAPTION as UNTOLD_SIGN
from bayescope.gui.models.data.untold_names import untold
from bayescope.gui.models.plain import and_last, one_line
from bayescope.gui.models.step_status import meaning_open
from bayescope.gui.pages.data.error_steps import (
    SAY,
    doubtful_size_step,
    heading_step,
    limits_step,
    same_size_step,
    seed_step,
    size_step,
    stated_of_some,
    stated_step,
    suspicious_step,
    unsized_step,
)
from bayescope.gui.pages.data.pairing_steps import (
    IN_ORDER,
    clock_step,
    day_step,
    echo_step,
    ending_step,
    gone_step,
    keyed_step,
    lost_output,
    order_step,
    paired_step,
    repeated_step,
    shifted_step,
    split_by,
    split_step,
    unproved_step,
    untested_step,
)
from bayescope.gui.pages.data.step import COMPARISON, ERRORS, FACTOR, OUTPUTS, SHEET, TABLE, TEST, Pairing, Step
from bayescope.gui.pages.data.summary_steps import idle_summaries, open_summary

if TYPE_CHECKING:
    from bayescope.engine.problem.checks.validate import Finding

MOST_COLUMNS = 3  # in a question
NO_SPLIT = "It does not"
KEEP_UNITS = "The factor is right"
KEEP_SIGN = "The sign is right"
UNITS = "Predictions are compared in the unit of the data: it is the output that is multiplied."
_PLACE = re.compile(r"meaning\.matches\[([0-9]+)\](?:\.(output|column|(?:second_)?key_(?:output|column)|left_out|sd_column))?")


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
        day = None if pairing.day is None else day_step(pairing.day)
        at_first = open_summary(problem, errors, fault, pairing.summary) or day or echo_step(pairing)
        return at_first or _summary_unit_step(problem, pairing, idle_summaries(problem, left))
    if not isinstance(meaning, Predictions):
        return None
    if (sheet := pairing.sheet) is not None:
        return Step(TABLE, sheet.question, sheet.hint, sheet.button, field=SHEET, dismiss=PASS,
                    caption=f"Was “{one_line(sheet.title, 30)}” measured too?")  # fmt: skip
    waiting = not all(m.column for m in meaning.matches)
    if (not meaning.matches or waiting) and (step := paired_step(problem, pairing)) is not None:
        return step
    if (step := echo_step(pairing)) is not None:
        return step
    if (not meaning.matches or waiting) and pairing.split is not None:
        split = pairing.split
        step = split_by(split, split.question)
        return replace(step, hint=split.columns_words, dismiss=NO_SPLIT, confirms=split.question)
    if (grid := pairing.grid) is not None:
        return Step(COMPARISON, grid.question, grid.hint, grid.button, mended=grid.problem, undo="Compare by several keys")
    if not meaning.matches:
        return Step(COMPARISON, "Which output predicts which column?", untold(problem), "Say &which")
    if (waiting or errors) and (gone := gone_step(problem)) is not None:
        return gone
    for i, match in enumerate(meaning.matches):
        if not match.column:
            question = f"Which column holds the measured values of {one_line(match.output, 40)}?"
            hint = f"{untold(problem, match.output)} Choose it under “Measured column”."
            return Step(COMPARISON, question, hint, "Choose &it", row=i, field="column")
    limits = limit_columns(problem)
    if limits is not None and limits.taken:
        return Step(
            ERRORS, limits.question, limits.hint, f"&{USE_LIMITS}", "error", mended=limits.mended, undo="Use limits as errors"
        )
    for finding in errors:
        place = _PLACE.fullmatch(finding.where)
        if place is not None:
            row, field = int(place[1]), place[2] or "column"
            if not place[2] and (step := split_step(problem, row, pairing.split, finding.message)) is not None:
                return step
            if (lost := lost_output(problem, row, finding)) is not None:
                return lost
            if (limited := limits_step(problem, row, finding)) is not None:
                return limited
            if (unused := unused_sds(problem, None)) is not None and field == "sd_column":
                return Step(ERRORS, unused.question, "Drop it, or keep the errors it stands for.", "Sho&w it", "error")
            return Step(COMPARISON, finding.message, finding.suggestion, "Sho&w it", "error", row, field)
    if unfit is not None and (step := split_step(problem, unfit[0], pairing.split, unfit[1])) is not None:
        return step
    if pairing.repeated is not None and (pairing.keyed is None or not pairing.keyed.adds):
        return repeated_step(pairing.repeated)
    if unfit is not None and pairing.clock is not None and pairing.clock_mends:
        hint = f"{pairing.clock.words} {pairing.clock.hint}"
        return replace(clock_step(pairing.clock), question=unfit[1], hint=hint, level="error")
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
        return keyed_step(pairing, keyed, unfit)
    if unfit is not None and not pairing.lacking and (asked := pairing.factor) is not None:
        return Step(COMPARISON, unfit[1], asked.hint, asked.button, "error", unfit[0], FACTOR)
    if unfit is not None and not pairing.lacking:
        none = f" {NONE_HAD.format(pairing.tried)}" if pairing.tried > 1 and pairing.lacks else ""
        show = "Sho&w them" if meaning.matches[unfit[0]].keys else "Sho&w it"  # in order, no rows are listed
        others = OTHERS if pairing.lacks else ""
        return Step(COMPARISON, unfit[1], f"{UNFIT_HERE}{none}", show, "error", unfit[0], dismiss=others, others=pairing.lacks)
    if pairing.shifted is not None:
        return shifted_step(pairing.shifted)
    if pairing.contradicted is not None:
        return order_step(pairing.contradicted)
    if pairing.clock is not None:
        return clock_step(pairing.clock)
    if pairing.day is not None and unfit is None:
        return day_step(pairing.day)
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
            TABLE, told.words, told.hint, told.button, "warning" if told.against else "info", dismiss=told.keep,
            mended=told.problem, undo=told.undo, caption=told.caption, confirms=told.words,
        )  # fmt: skip
    if left is not None and (found := further_series(problem, left)) is not None:
        words, no = ("it", NO_COUNT) if len(found.columns) == 1 else ("them", NO_COUNT_ALL)
        return Step(
            COMPARISON, found.question, found.hint, f"Compare &{words} too", dismiss=no, aside=found.columns, mended=found.problem
        )
    if left is not None and left.may_match and (step := paired_step(problem, pairing)) is not None:
        return step
    if limits is not None:
        return Step(
            COMPARISON, limits.question, limits.hint, f"&{USE_LIMITS}", "warning", dismiss=NO_LIMITS, aside=limits.aside,
            mended=limits.mended, undo="Use limits as errors",
        )  # fmt: skip
    if left is not None and left.may_match and (last := pairing.last) is not None:
        return Step(
            COMPARISON, last.question, last.hint, "Compare &them", dismiss=NO_COUNT, aside=(last.output,), mended=last.problem,
            undo="Compare the last output",
        )  # fmt: skip
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
        return _unit_step(problem, *pairing.units)
    if pairing.sizes is not None:
        return suspicious_step(pairing.sizes)
    common = [m.column for m in meaning.matches if m.noise is None and not m.sd_column]
    if meaning.noise == GaussianKnown() and common:
        of = f" of {_some(common)}" if len(common) < len(meaning.matches) else ""
        why = "Those of the measurement: nobody but you knows, and the width of the answer depends on it."
        if (step := heading_step(problem, pairing.headings, common)) is not None:
            return step
        if pairing.stated is not None and pairing.stated.size not in [said.size for said in pairing.headings.values()]:
            whom = stated_of_some(problem, pairing.stated, common)
            if whom != "none":
                return stated_step(problem, pairing.stated, of) if whom == "all" else whom
        sds = [] if problem.data is None else sd_columns(list(problem.data.columns))
        if set(sds) - set(meaning.aside) - {m.sd_column for m in meaning.matches}:  # there is a column that may hold them
            row = next(i for i, m in enumerate(meaning.matches) if m.noise is None and not m.sd_column)
            return Step(COMPARISON, f"How large are the errors{of}?", why, SAY, row=row, field="sd_column")
        question = f"How large are the errors{of}?"
        return same_size_step(problem, question, why) or Step(ERRORS, question, why, SAY)
    size = size_step(problem)
    if size is not None and not size.settled:
        return size
    if (step := unsized_step(problem, errors)) is not None:
        return step
    if pairing.far_off is not None and pairing.far_off[1].known:  # what waits for an answer comes before what is only said
        return _unit_step(problem, *pairing.far_off)
    if pairing.unproved is not None:
        return unproved_step(pairing.unproved)
    if pairing.untold is not None:
        row, said = pairing.untold
        return Step(COMPARISON, said, "", "&Test run", "warning", row, TEST, dismiss=KEEP_SIGN, caption=UNTOLD_SIGN)
    if pairing.doubtful is not None:
        return doubtful_size_step(pairing.doubtful)
    if pairing.far_off is not None:  # at the values of a test run, which may be far from the answer: the start asks about it too
        return _unit_step(problem, *pairing.far_off)
    if size is not None:
        return size
    if pairing.ending is not None:
        return ending_step(pairing.ending)
    if pairing.seed is not None:
        return seed_step(pairing.seed)
    if left is not None and left.columns:
        question, (more, no) = columns_question(problem, left.columns), _no_output(left.columns)
        return Step(COMPARISON, question, more, "Mark an &output", dismiss=no, aside=left.columns, field=OUTPUTS, settled=True)
    if unfit is not None:
        return Step(
            COMPARISON, unfit[1], LACKING, "Sho&w them", "warning", unfit[0], dismiss=OTHERS, others=True, settled=True
        )
    if pairing.alike is not None:
        row, alike = pairing.alike
        return Step(
            COMPARISON, alike.words, "In order they fit too.", f"Pair all &by {one_line(alike.columns, 20).replace('&', '&&')}",
            row=row, dismiss=IN_ORDER, mended=alike.problem, undo=f"Pair all by {one_line(alike.columns, 30)}", settled=True,
        )  # fmt: skip
    return untested_step(problem) if pairing.untested else None


def _summary_unit_step(problem: Problem, pairing: Pairing, idle: Step | None) -> Step | None:
    """Whether an output of the summaries is in another unit, where nothing that is ``idle`` comes first."""
    if (told := pairing.units or (pairing.far_off if pairing.far_off and pairing.far_off[1].known else None)) is not None:
        return _unit_step(problem, *told)
    if idle is not None or pairing.far_off is None:
        return idle
    return _unit_step(problem, *pairing.far_off)


def _some(columns: Sequence[str]) -> str:
    """The first of them, and how many more they are."""
    more = len(columns) - MOST_COLUMNS
    named = ", ".join(one_line(column, 30) for column in columns[:MOST_COLUMNS])
    return f"{named} and {more} more" if more > 0 else and_last(named)


def _unit_step(problem: Problem, row: int, other: OtherUnit) -> Step:
    """Whether an output is in another unit than what it is compared with."""
    hint = UNITS if not other.field and not other.turns and (other.same is not None or not other.hint) else other.hint
    hint = f"{hint} {SIGN_LATER}" if other.hint == SIGN_LATER != hint else hint
    if (columns := columns_changed(problem, other.same)):
        hint = f"{hint} The button changes what is compared with {columns}."
    mends = bool(other.same_button or other.button)
    return Step(
        COMPARISON, other.words, hint, other.same_button or other.button or ("Type the &factor" if other.field else "Sho&w it"),
        "warning", row, other.field, dismiss=other.keep or (KEEP_SIGN if other.only_sign else KEEP_UNITS),
        mended=other.same or other.problem if mends else None,
        undo="Opposite sign" if other.only_sign else "Another unit", caption=other.caption,
        confirms=other.words if other.keep and mends else "",
    )  # fmt: skip


def _no_output(columns: Sequence[str]) -> tuple[str, str]:
    """What to do about ``columns`` that no output predicts, and the words by which they do not count."""
    if len(columns) == 1:
        return "No output predicts it: mark one, or say that the column does not count.", NO_COUNT
    return "No output predicts them: mark some, or say that these columns do not count.", NO_COUNT_ALL


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
