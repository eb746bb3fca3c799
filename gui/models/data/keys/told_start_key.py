"""Keys by a clock paired with a program that counts from a start, which the data file says in its own words. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import product

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.dates.stated_day_zero import Stated
from bayescope.engine.problem.data.dates.told_start import ToldStart, told_starts
from bayescope.engine.problem.data.rows.key_scale import Scale, scale_of
from bayescope.engine.problem.data.rows.text_keys import UNITS, seconds_of, unit_of
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.dates.day_doubt import DayDoubt, day_said
from bayescope.gui.models.data.dates.day_zero import with_day_zero
from bayescope.gui.models.data.keys.key_units import key_units
from bayescope.gui.models.data.keys.possible_keys import able_columns, possible_keys
from bayescope.gui.models.data.keys.scaled_keys import ScaledKey, paired_so, scaled_by
from bayescope.gui.models.plain import one_line

DAY = 86400.0  # s
BY_THE_DATA = "It says when something began: that may be the program's time 0."


def told_start_key(problem: d.Problem, index: int, report: TrialRunReport | None, lines: Sequence[str]) -> ScaledKey | None:
    """A column of times of day beside an output that counts from the start which ``lines`` of the data file tell, the way that
    leaves out the fewest rows; None: they tell none, or with it rows find no partner."""
    starts = told_starts(lines)
    found = compared(problem, index, report) if starts else None
    if found is None or len(found[0].keys) > 1:
        return None
    match, data, outputs, texts = found
    n = len(outputs[match.output])
    clocks = {c for c, cells in data.texts.items() if unit_of(cells) == "s" and _is_clock(cells)}
    able = [c for c in able_columns(problem, match.column) if c in clocks]
    fits = [o for o in possible_keys(problem, index, report) if len(outputs.get(o, ())) == n]
    own = [key for key in match.keys if key[1] in clocks]
    best: ScaledKey | None = None
    for start, pair in product(starts, dict.fromkeys((*own, *product(fits, able)))):
        factors = [one.scale.factor for one in key_units(problem, pair, texts)] or [UNITS["s"], UNITS["min"], UNITS["h"]]
        for factor in factors:
            scale = Scale(factor, start.clock)
            if pair in match.keys and scale.is_as(scale_of(match)):
                continue
            changed = paired_so(match, pair, scale, data, outputs)
            if changed is None or (best is not None and len(changed.left_out) >= _left_out(best, index)):
                continue
            best = replace(scaled_by(problem, index, changed), words=_words(start, pair[0]))
    return best


def with_told_start(problem: d.Problem, doubt: DayDoubt | None, lines: Sequence[str], kept: Collection[str]) -> DayDoubt | None:
    """``doubt`` about a guessed day 0 with the start that the data file tells; as it is where it tells none of that day."""
    if doubt is None or doubt.stated is not None:
        return doubt
    for told in told_starts(lines):
        start = (doubt.start // DAY * DAY if told.day is None else told.day) + told.clock
        if abs(start - doubt.start) < 1.0 or day_said(start) in kept:
            continue
        now, then = day_zero.written(doubt.start), day_zero.written(start)
        return replace(
            doubt, question=f"Times count from {now}, but the data file says “{one_line(told.words, 50)}”.",
            hint=BY_THE_DATA, button=f"Day &0 is {then}", dismiss=f"{now} is right", stated=Stated("", start, told.words),
            mended=with_day_zero(problem, start, doubt.start),
        )  # fmt: skip
    return doubt


def _left_out(key: ScaledKey, index: int) -> int:
    meaning = key.problem.meaning
    return len(meaning.matches[index].left_out) if isinstance(meaning, d.Predictions) else 0


def _is_clock(cells: Sequence[str | None]) -> bool:
    """Whether all times are of one day, as a clock shows them."""
    times = [seconds_of(cell) for cell in cells if cell]
    return bool(times) and all(t is not None and 0.0 <= t < 2.0 * DAY for t in times)


def _words(start: ToldStart, output: str) -> str:
    return f"The data file says “{one_line(start.words, 50)}”: “{one_line(output, 30)}” is counted from then on."
