"""A question of the Data page that may spoil the whole answer, said before the start and asked about by it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from bayescope.engine.problem.definition import ApproximateBayes, Predictions, Problem, SyntheticLikelihood
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import read_now
from bayescope.gui.models.data.keys.clock_shift import CAPTION as CLOCK_CAPTION
from bayescope.gui.models.data.keys.clock_shift import first_clock_shift
from bayescope.gui.models.data.rows.flagged_rows import flagged
from bayescope.gui.models.data.units.unit_doubts import first_doubts
from bayescope.gui.models.data.units.untold_signs import CAPTION as UNTOLD
from bayescope.gui.models.data.units.untold_signs import untold_sign
from bayescope.gui.models.plain import one_line

UNREAD = "Press Test run: what does an output read?"


class Question(NamedTuple):
    """``words``: what speaks for asking, a sentence; ``caption``: the question in short."""

    words: str
    caption: str


def open_question(
    problem: Problem,
    report: TrialRunReport | None,
    kept: Collection[str] = (),
    lines: Sequence[str] = (),
    legends: Sequence[str] = (),
    told_by: TrialRunReport | None = None,
) -> Question | None:
    """The first one about units, signs, clocks or rows that are no good, but for those in ``kept``, which are answered.

    ``report``: the newest test run of this window; ``told_by``: one of an earlier window, where there is none. ``lines``: those
    of the data files around their tables, ``legends``: of them those that say what flags mean.
    """
    if problem.data is None or not isinstance(problem.meaning, Predictions | SyntheticLikelihood | ApproximateBayes):
        return None
    for one in flagged(problem, legends):
        if one.words not in kept:
            return Question(one.words, one.caption)
    if (clock := first_clock_shift(problem, lines, kept)) is not None:
        return Question(clock.words, CLOCK_CAPTION)
    told, off = first_doubts(problem, report or told_by, lines, kept)
    if (doubt := told or off) is not None:
        return Question(doubt[1].words, doubt[1].caption)
    if (untold := untold_sign(problem, report or told_by, kept)) is not None:
        return Question(untold[1], UNTOLD)
    return _unread(problem, report)


def _unread(problem: Problem, report: TrialRunReport | None) -> Question | None:
    """Of an output that is compared and that no test run has read, marked since in a file of which the newest one brought the
    beginning alone: it cannot be told whether it is in the unit of the data. None: there is none, or no good test run."""
    if report is None or report.outcome != "ok" or not report.outputs or not isinstance(problem.meaning, Predictions):
        return None
    known = read_now(problem, report)
    name = next((m.output for m in problem.meaning.matches if m.column and m.output not in known), "")
    words = f"“{one_line(name, 30)}” was marked since the newest test run: it is not known whether its unit is that of the data."
    return Question(words, UNREAD) if name else None
