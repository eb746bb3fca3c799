"""What is asked on the Data page about which output predicts which column, and which row. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from bayescope.engine.problem.data.names.column_names import same_names
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.rows.order_places import Unproved
from bayescope.engine.problem.definition import Match, Predictions, Problem
from bayescope.gui.models.data.dates.day_doubt import DayDoubt, day_said
from bayescope.gui.models.data.echoes import BUTTON as LEAVE_OUT
from bayescope.gui.models.data.echoes import KEEP as KEEP_ECHO
from bayescope.gui.models.data.keys.by_places import ByPlaces
from bayescope.gui.models.data.keys.clock_shift import CAPTION as CLOCK_CAPTION
from bayescope.gui.models.data.keys.clock_shift import KEEP as CLOCK_KEEP
from bayescope.gui.models.data.keys.clock_shift import UNDO as CLOCK_UNDO
from bayescope.gui.models.data.keys.clock_shift import ClockShift
from bayescope.gui.models.data.keys.keyed_instead import Keyed
from bayescope.gui.models.data.keys.mirrored_key import MIRROR_KEPT, Mirrored
from bayescope.gui.models.data.keys.other_file import FILE_KEPT, OtherFile
from bayescope.gui.models.data.keys.part_keys import with_keys
from bayescope.gui.models.data.keys.same_shift import CAPTION as SHIFT_CAPTION
from bayescope.gui.models.data.keys.same_shift import HINT as SHIFT_HINT
from bayescope.gui.models.data.keys.same_shift import ON_PURPOSE, OtherShift
from bayescope.gui.models.data.keys.same_shift import UNDO as SAME_SHIFT
from bayescope.gui.models.data.proposal import NONE_OF_THESE
from bayescope.gui.models.data.rows.ending_table import HINT as ENDING_HINT
from bayescope.gui.models.data.rows.ending_table import KEEP as ENDING_KEEP
from bayescope.gui.models.data.rows.ending_table import Ending
from bayescope.gui.models.data.rows.lacking_rows import ANOTHER_HAD, NONE_HAD, OTHERS
from bayescope.gui.models.data.rows.left_out import matches_of
from bayescope.gui.models.data.tables.repeated_places import HINT as REPEATED_HINT
from bayescope.gui.models.data.tables.repeated_places import REPEATS, Repeated
from bayescope.gui.models.data.tables.split_table import Split
from bayescope.gui.models.data.taking_part import listed
from bayescope.gui.models.plain import one_line, one_name
from bayescope.gui.pages.data.step import COMPARISON, INTERPOLATE, MARK_IT, MOST_TOLD, TEST, Pairing, Step

if TYPE_CHECKING:
    from bayescope.engine.problem.checks.validate import Finding

IN_ORDER = "The order is right"
MOST_PAIRS = 6  # told in a hint


def gone_step(problem: Problem) -> Step | None:
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


def clock_step(clock: ClockShift) -> Step:
    """What the data file says of the clock that pairs rows."""
    return Step(
        COMPARISON, clock.words, clock.hint, clock.button, "warning", clock.row, dismiss=CLOCK_KEEP, mended=clock.problem,
        undo=CLOCK_UNDO, caption=CLOCK_CAPTION, confirms=clock.words,
    )  # fmt: skip


def keyed_step(pairing: Pairing, keyed: Keyed, unfit: tuple[int, str]) -> Step:
    """A comparison that does not fit, paired by a key or interpolated over its own; the analysis can start as it is where another
    test run had all rows."""
    none = f" {NONE_HAD.format(pairing.tried)}" if pairing.tried > 1 and keyed.lost and not pairing.lacking else ""
    hint = f"{ANOTHER_HAD} {keyed.hint}" if pairing.lacking else f"{keyed.hint}{none}"
    others = OTHERS if keyed.lost else ""
    return Step(
        COMPARISON, unfit[1], hint, keyed.button, "warning" if pairing.lacking else "error", unfit[0], mended=keyed.problem,
        undo=INTERPOLATE if keyed.lost else "Pair rows by a key", dismiss=others, others=bool(others), settled=pairing.lacking,
    )  # fmt: skip


def order_step(doubt: ByPlaces) -> Step:
    """Rows in order at other places than those of the data: paired by these, or the order is said to be right. Or a key that may
    count the other way, or stand in another file."""
    if isinstance(doubt, OtherFile):
        return Step(
            COMPARISON, doubt.words, doubt.hint, doubt.button, "warning", doubt.row, dismiss=FILE_KEPT, mended=doubt.problem,
            undo="Pair by the key of the same file", caption="A key of another file?", confirms=doubt.words,
        )  # fmt: skip
    if isinstance(doubt, Mirrored):
        return Step(
            COMPARISON, doubt.words, doubt.hint, doubt.button, "warning", doubt.row, dismiss=MIRROR_KEPT, mended=doubt.problem,
            undo="Pair by the key mirrored", caption="Does a key count the other way?", confirms=doubt.words,
        )  # fmt: skip
    return Step(
        COMPARISON, doubt.words, doubt.hint, doubt.button, "warning", doubt.row, "key_output" if doubt.problem is None else "",
        dismiss=IN_ORDER, mended=doubt.problem, undo="Pair rows by a key", caption="Which rows belong together?",
    )  # fmt: skip


def ending_step(ending: Ending) -> Step:
    """Whether rows near the end of a table whose length depends on the parameters count."""
    button, dismiss = (ending.button, ENDING_KEEP) if ending.problem is not None else (ENDING_KEEP, "")
    return Step(
        COMPARISON, ending.words, ENDING_HINT, button, "warning", ending.row, dismiss=dismiss, mended=ending.problem,
        undo="Leave out rows beyond a table", caption="The program's table ends at different places", confirms=ending.words,
    )  # fmt: skip


def lost_output(problem: Problem, row: int, finding: Finding) -> Step | None:
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


def untested_step(problem: Problem) -> Step | None:
    """A list that is compared in order: only a test run tells how many values it has."""
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    lists = {o.name for o in problem.outputs if o.length is None}
    name = next((m.output for m in matches if not m.keys and m.output in lists), None)
    if name is None:
        return None
    hint = f"It tells whether {one_line(name, 30)}, which is compared in order, has as many values as were measured."
    return Step(COMPARISON, "No test run has been compared with this table yet.", hint, "&Test run", field=TEST, settled=True)


def unproved_step(unproved: Unproved) -> Step:
    """A test run tells whether the rows in order are those of the places of the data."""
    return Step(
        COMPARISON, unproved.words, "A test run tells.", "&Test run", "warning", unproved.row, TEST, dismiss=IN_ORDER,
        caption="Are the rows in the right order?",
    )  # fmt: skip


def day_step(doubt: DayDoubt) -> Step:
    """Whether day 0 of the dates is the program's."""
    return Step(
        COMPARISON, doubt.question, doubt.hint, doubt.button, "warning", doubt.row, "day_zero", doubt.dismiss,
        mended=doubt.mended, undo=day_said(doubt.stated.start) if doubt.stated is not None else "",
        caption="Which date is day 0 of the program?", confirms=day_said(doubt.start),
    )  # fmt: skip


def echo_step(pairing: Pairing) -> Step | None:
    """Whether an output that repeats the data, or a column of the sums of others, is compared."""
    if (echo := pairing.echo) is None:
        return None
    out = echo.row if echo.problem is None else None
    return Step(
        COMPARISON, echo.words, echo.hint, LEAVE_OUT, "warning", echo.row, dismiss=KEEP_ECHO, out=out, mended=echo.problem,
        undo=echo.undo, caption=echo.caption, confirms=echo.words,
    )  # fmt: skip


def repeated_step(repeated: Repeated) -> Step:
    """Whether several measured values at one place were measured under other conditions."""
    split = repeated.split
    return Step(
        COMPARISON, repeated.words, REPEATED_HINT, f"&{split.button.replace('&', '&&')}", "warning", repeated.index,
        dismiss=REPEATS, mended=split.problem, undo=split.button, caption="Which of several values at a place?",
        confirms=repeated.words,
    )  # fmt: skip


def shifted_step(shifted: OtherShift) -> Step:
    """Whether comparisons by one clock are shifted alike."""
    return Step(
        COMPARISON, shifted.words, SHIFT_HINT, shifted.button, "warning", shifted.row, dismiss=ON_PURPOSE, mended=shifted.problem,
        undo=SAME_SHIFT, caption=SHIFT_CAPTION, confirms=shifted.words,
    )  # fmt: skip


def paired_step(problem: Problem, pairing: Pairing) -> Step | None:
    """Whether outputs in no comparison are compared with the columns that names tell, or like it is proposed."""
    if pairing.proposal is not None:
        return Step(COMPARISON, pairing.proposal.question, "", "Sho&w them", dismiss=NONE_OF_THESE)
    if pairing.by_name is None or not isinstance(pairing.by_name.meaning, Predictions):
        return None
    present = {(m.output, m.column) for m in problem.meaning.matches} if isinstance(problem.meaning, Predictions) else set()
    made = tuple(m for m in pairing.by_name.meaning.matches if m.column and (m.output, m.column) not in present)
    names = [one_name(m.column, 24 if len(made) > 1 else 48) for m in made]
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
    longest = 40 if one else 16
    shown = ", ".join(f"{one_line(o, longest)} with {one_name(c, 30)}" for o, c in pairs[:MOST_PAIRS])
    more = f" and {len(pairs) - MOST_PAIRS} more" if len(pairs) > MOST_PAIRS else ""
    if one and not names_told([pairs[0][0]], [pairs[0][1]]):
        return "Is {} compared with the one output that is left?", f"{shown}: their names do not tell."
    question = "Is {} compared with the output that is named alike?" if one else "Are {} compared with the outputs named alike?"
    return question, f"{shown}{more}."


def split_step(problem: Problem, row: int, split: Split | None, fault: str) -> Step | None:
    """The way out where all rows of a table of several quantities are compared with one output."""
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    if split is None or not row < len(matches) or not split.of(matches[row]):
        return None
    return split_by(split, fault, "error", row)


def split_by(split: Split, question: str, level: Literal["info", "error"] = "info", row: int | None = None) -> Step:
    button = f"&{split.button.replace('&', '&&')}"
    return Step(COMPARISON, question, split.hint, button, level, row, mended=split.problem, undo=split.button)
