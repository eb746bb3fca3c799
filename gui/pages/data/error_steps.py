"""What is asked on the Data page about the errors of the measured values. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from bayescope.engine.problem.checks.check_limits import LIMITED, limited_rows
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.units.unit_scales import of_other_kind, times
from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.gui.models.data.errors.error_size import (
    ADDED,
    percent_alone,
    said_of_size,
    text_of_size,
    unit_taken_for_said,
    with_proposed_sizes,
    with_size,
    with_sizes,
)
from bayescope.gui.models.data.errors.factor_size import is_decibel
from bayescope.gui.models.data.errors.of_one_quantity import sized_alike
from bayescope.gui.models.data.errors.own_scatter import KEEP_SEED, NEW_SEED, SEED_CAPTION, SeedDoubt
from bayescope.gui.models.data.errors.size_doubts import SizeDoubt
from bayescope.gui.models.data.errors.stated_sizes import Stated, stated_of
from bayescope.gui.models.data.errors.suspicious_sizes import CAPTION as SIZES_CAPTION
from bayescope.gui.models.data.errors.suspicious_sizes import PERCENT, RIGHT, SuspiciousSize
from bayescope.gui.models.data.errors.suspicious_sizes import UNDO as PERCENT_UNDO
from bayescope.gui.models.data.rows.left_out import changed
from bayescope.gui.models.plain import one_line
from bayescope.gui.pages.data.step import COMPARISON, ERRORS, MOST_TOLD, NOISE, Step

if TYPE_CHECKING:
    from bayescope.engine.problem.checks.validate import Finding

_OWN_NOISE = re.compile(r"meaning\.matches\[([0-9]+)\]\.noise")

NOT_THESE = "They are &not"
SAY = "Sa&y how large"
ELSEWHERE = "It stands beside another table, or in one of several files. "
LEAVE = "&Leave them out"
OF_FILE = "Are the errors those of the file?"


def stated_step(problem: Problem, stated: Stated, of: str) -> Step:
    """The errors that the data file states in words."""
    question = f"The data file says: “{one_line(stated.words, 90)}”. Are these the errors{of}?"
    doubt = f"It names “{one_line(stated.other, 40)}”. " if stated.other else ELSEWHERE if stated.elsewhere else ""
    size, unsaid = unit_taken_for_said(problem, stated.size)
    try:
        mended = with_size(problem, size)
    except ValueError as error:
        return Step(ERRORS, question, f"{doubt}{error}", SAY)
    taken = f", in the unit of the data: no column says whether that is {stated.size.unit}" if unsaid else ""
    first = next((m.column for m in problem.meaning.matches if m.column), "") if isinstance(problem.meaning, Predictions) else ""
    hint = f"{doubt}Each measured value then has an error of {said_of_size(size, first)}{stated.level}{taken}."
    if size.log_sd is not None and stated.factor == 1.0:
        hint = f"{hint} It is read as one standard deviation."
    return Step(
        ERRORS, question, hint, "&Take them", "warning" if doubt else "info", dismiss=NOT_THESE, mended=mended,
        undo="Errors that the file states", caption=OF_FILE, confirms=stated.words,
    )  # fmt: skip


def stated_of_some(problem: Problem, stated: Stated, common: Sequence[str]) -> Step | Literal["all", "none"]:
    """Of the ``common`` columns, whose errors are not said yet, those of which the stated errors may be by their units: a step
    for these where the others are in units of another kind; else whether it may be of all or of none."""
    unit = stated.size.unit
    mine = [column for column in common if not unit or not of_other_kind(unit, unit_in(column))]
    levels = [column for column in common if is_decibel(unit) and is_decibel(unit_in(column))]
    if levels and len(levels) < len(common):  # 0.5 dB are of the levels
        return _remark_step(problem, dict.fromkeys(levels, stated))
    if not mine:
        return "none"
    fit = [column for column in mine if times(unit, unit_in(column)) is not None]
    return "all" if len(mine) == len(common) or len(fit) < len(mine) else _remark_step(problem, dict.fromkeys(mine, stated))


def heading_step(problem: Problem, headings: Mapping[str, Stated], common: Sequence[str]) -> Step | None:
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
        return Step(ERRORS, question, str(error), SAY)
    hint = f"Each measured value then has the error that the file says{one.level}."
    if not more:
        hint = f"Each of its values then has an error of {said_of_size(one.size)}{one.level}."
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
        return Step(ERRORS, question, str(error), SAY)
    told = [f"{one_line(column, 20)}: {said_of_size(stated.size, column)}{stated.level}" for column, stated in mine.items()]
    hint = f"{'; '.join(told[:MOST_TOLD])}{'; …' if len(told) > MOST_TOLD else ''}. A percentage is of each measured value."
    hint = hint if any(stated.size.percent for stated in mine.values()) else hint.split(". A percentage")[0] + "."
    return Step(ERRORS, question, hint, "&Take them", mended=mended, undo="Errors that the file states", caption=OF_FILE)


def same_size_step(problem: Problem, question: str, why: str) -> Step | None:
    """Errors that are not said yet, of outputs measured elsewhere, in the same unit, with errors of a size that is said."""
    found = sized_alike(problem)
    if found is None:
        return None
    hint = f"Those of “{one_line(found.column, 30)}” are {text_of_size(found.size)}. {why}"
    return Step(ERRORS, question, hint, f"The &same: {text_of_size(found.size)}", dismiss=SAY, mended=found.problem,
                undo="Errors as large as the others")  # fmt: skip


def limits_step(problem: Problem, row: int, finding: Finding) -> Step | None:
    """Cells that give a limit only, of which the errors of comparison ``row`` have no use."""
    meaning, data = problem.meaning, problem.data
    if not isinstance(meaning, Predictions) or data is None or LIMITED not in finding.message:
        return None
    rows = limited_rows(meaning.matches[row], data)
    if not rows:
        return None
    mended = changed(problem, rows, True, row)
    return Step(ERRORS, finding.message, finding.suggestion, LEAVE, finding.level, row, mended=mended, undo="Leave limits out")


def suspicious_step(sizes: SuspiciousSize) -> Step:
    """Whether numbers of a column of errors are percentages."""
    button, dismiss = (PERCENT, RIGHT) if sizes.mended is not None else (RIGHT, "")
    return Step(
        COMPARISON, sizes.words, sizes.hint, button, "warning", sizes.row, "sd_column", dismiss, mended=sizes.mended,
        undo=PERCENT_UNDO, caption=SIZES_CAPTION, confirms=sizes.words,
    )  # fmt: skip


def doubtful_size_step(doubt: SizeDoubt) -> Step:
    """Whether one size is of columns in several units, or one that nobody typed is right."""
    return Step(
        ERRORS, doubt.words, doubt.hint, doubt.button, "info", dismiss=doubt.dismiss, mended=doubt.mended,
        undo="Errors of one unit", caption=doubt.caption, confirms=doubt.words,
    )  # fmt: skip


def seed_step(seed: SeedDoubt) -> Step:
    """Whether a random seed is to be the same in every run."""
    return Step(
        ERRORS, seed.words, seed.hint, f"&{NEW_SEED}", "warning", dismiss=KEEP_SEED, mended=seed.mended, undo=NEW_SEED,
        caption=SEED_CAPTION, confirms=seed.words,
    )  # fmt: skip


def unsized_step(problem: Problem, errors: Sequence[Finding]) -> Step | None:
    """What is still wrong with the errors of one comparison that has its own."""
    for finding in errors:
        if (own := _OWN_NOISE.match(finding.where)) is not None and isinstance(problem.meaning, Predictions):
            row = int(own[1])
            of = one_line(problem.meaning.matches[row].column, 30)
            return Step(COMPARISON, f"{of}: {finding.message}", finding.suggestion, SAY, finding.level, row, NOISE)
    return None


def size_step(problem: Problem) -> Step | None:
    """Whether a percentage of values near zero is all of their error."""
    proposed, finding = with_proposed_sizes(problem), percent_alone(problem)
    if proposed is None or finding is None:
        return None
    button = f"&Add {proposed[1].replace('&', '&&')}"
    return Step(
        ERRORS, finding.message, finding.suggestion, button, finding.level, mended=proposed[0], undo=ADDED,
        settled=finding.level == "warning", caption="Is a percentage all of the error?",
    )  # fmt: skip
