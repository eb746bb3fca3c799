"""Whether the clock that pairs rows is the program's, where the data file says something of it; and with its shift. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.dates.clock_words import SaidClock, said_clock, zoned_clock
from bayescope.engine.problem.data.rows.key_scale import Scale, scale_of, with_scale
from bayescope.engine.problem.data.rows.text_keys import UNITS, unit_of
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import with_match
from bayescope.gui.models.data.keys.constant_shift import ConstantShift, hours
from bayescope.gui.models.data.rows.left_out import matches_of
from bayescope.gui.models.data.rows.unfit import unfit_words
from bayescope.gui.models.plain import one_line

KEEP, CAPTION, UNDO = "The clocks agree", "Is the clock of the data the program's?", "Shift a clock"
_ZONED = re.compile(r"(?:Z|UTC|GMT|[+\-\u2212][0-9]{2}:?[0-9]{2})\s*$")
OTHER = {"winter": "summer", "summer": "winter"}


@dataclass(frozen=True)
class ClockShift:
    """``row``: the first comparison paired by the clock; ``problem``: with all of these shifted."""

    row: int
    words: str
    hint: str
    button: str
    problem: d.Problem


def first_clock_shift(problem: d.Problem, lines: Sequence[str], answered: Collection[str]) -> ClockShift | None:
    """Of the first clock that the ``lines`` of a file say something of, by which comparisons are paired without a shift."""
    matches = matches_of(problem)
    clocks = {m.keys[0][1]: None for m in matches if m.keys and _seconds_in(problem, m.keys[0][1])}
    for column in clocks:
        rows = [i for i, m in enumerate(matches) if m.keys and m.keys[0][1] == column]
        said = said_clock(lines, column, len(clocks) == 1) or _zoned(problem, rows[0], column, lines)
        if said is None or not all(scale_of(matches[i]).plain for i in rows):
            continue
        found = _shifted(problem, column, rows, said)
        if found.words not in answered:
            return found
    return None


def told_shift(problem: d.Problem, index: int, report: TrialRunReport | None, lines: Sequence[str]) -> ConstantShift | None:
    """The shift of the key of comparison ``index`` that a file tells, where it ``mends`` that; None: it does not."""
    found = first_clock_shift(problem, lines, ()) if mends(problem, index, report, lines) else None
    if found is None:
        return None
    by = scale_of(matches_of(found.problem)[index]).offset
    seconds = by * _seconds_in(problem, matches_of(problem)[index].keys[0][1])
    return ConstantShift(found.problem, by, found.words, True, hours(seconds))


def mends(problem: d.Problem, unfit: int, report: TrialRunReport | None, lines: Sequence[str]) -> bool:
    """Whether the comparison ``unfit``, the first whose rows find no partner in the newest test run, is made with the clock
    shifted as the ``lines`` of a file have it."""
    found = first_clock_shift(problem, lines, ())
    if found is None or report is None or matches_of(found.problem)[unfit] == matches_of(problem)[unfit]:
        return False
    return not unfit_words(found.problem, unfit, report)


def _zoned(problem: d.Problem, row: int, column: str, lines: Sequence[str]) -> SaidClock | None:
    """By the zone of times, with their dates or without, that are texts and say none themselves."""
    cells = () if problem.data is None else problem.data.texts.get(column, ())
    if not unit_of(cells) or not any(":" in cell for cell in cells if cell):
        return None  # dates alone have no hour to be shifted
    if any(cell is not None and _ZONED.search(cell) for cell in cells):
        return None
    name = matches_of(problem)[row].keys[0][0]
    output = next((o for o in problem.outputs if o.name == name), None)
    read_by = [getattr(None if output is None else output.extractor, part, None) for part in ("column", "label", "anchor")]
    return zoned_clock(lines, column, [name, *(text for text in read_by if isinstance(text, str))])


def _shifted(problem: d.Problem, column: str, rows: Sequence[int], said: SaidClock) -> ClockShift:
    by = said.shift / _seconds_in(problem, column)
    mended = problem
    for i in rows:
        mended = with_match(mended, i, with_scale(matches_of(mended)[i], Scale(1.0, by)))
    whom = "it" if len(rows) == 1 else "both" if len(rows) == 2 else f"all {len(rows)}"
    name = one_line(column, 24)
    shift = hours(said.shift)
    words = f"The data file says “{one_line(said.words, 140)}”. Is “{name}” another clock than the program's?"
    if said.zone and not said.sure:
        button = f"The program has UTC: &shift {whom} by {shift}"
    elif said.season:
        button = f"The program has {OTHER[said.season]} time: &shift {whom} by {shift}"
    else:
        button = f"&Shift {whom} by {shift}"
    data, program = said.pair if said.pair[0] else _example(said.shift)
    hint = f"Shifted, {data} of “{name}” is compared with {program} of the program."
    return ClockShift(rows[0], words, hint, button, mended)


def _example(shift: float) -> tuple[str, str]:
    noon = 43200.0
    seconds = noon - shift
    behind = f":{seconds % 60:02.0f}" if seconds % 60 else ""
    return "12:00", f"{int(seconds // 3600):02}:{int(seconds % 3600 // 60):02}{behind}"


def _seconds_in(problem: d.Problem, column: str) -> float:
    """How many seconds a unit of the keys of ``column`` is; 0: it is no clock."""
    data, counts = problem.data, day_zero.counted(column)
    if counts is not None:
        return UNITS[counts.unit]
    return 1.0 if data is not None and unit_of(data.texts.get(column, ())) else 0.0
