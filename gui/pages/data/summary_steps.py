"""What is asked on the Data page about summaries of data and outputs. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bayescope.engine.problem.definition import Problem
from bayescope.gui.models.data.summary_faults import KEEP, button
from bayescope.gui.models.data.summary_keys import SummaryMend
from bayescope.gui.models.data.taking_part import Idle, idle_summary_words
from bayescope.gui.pages.data.step import COMPARISON, Step

if TYPE_CHECKING:
    from bayescope.engine.problem.checks.validate import Finding

_SUMMARY = re.compile(
    r"meaning\.summaries\[([0-9]+)\](?:\.(output|column|statistic|(?:key|error)_(?:output|column|sd|percent)))?.*"
)


def open_summary(
    problem: Problem, errors: Sequence[Finding], fault: tuple[Finding, int | None] | None, mend: SummaryMend | None = None
) -> Step | None:
    """The first fault of the summaries. ``mend``: what pairs the values of the one that does not fit."""
    if fault is not None and all(f == fault[0] for f in errors):
        finding, out = fault
        words = button(problem, out) if out is not None else ""
        return Step(COMPARISON, finding.message, finding.suggestion, words, "warning", dismiss=KEEP, out=out)
    for finding in errors:
        place = _SUMMARY.fullmatch(finding.where)
        if finding.where == "meaning.summaries" and mend is not None:
            return Step(COMPARISON, finding.message, mend.hint, mend.button, "error", mended=mend.problem, undo=mend.undo)
        if finding.where == "meaning.summaries":
            return Step(COMPARISON, finding.message, finding.suggestion, "Choose a &summary", "error")
        if place is not None and mend is not None and finding.first:
            row = int(place[1])
            return Step(COMPARISON, finding.message, mend.hint, mend.button, "error", row, mended=mend.problem, undo=mend.undo)
        if place is not None:
            return Step(COMPARISON, finding.message, finding.suggestion, "Sho&w it", "error", int(place[1]), place[2] or "")
    return None


def idle_summaries(problem: Problem, left: Idle | None) -> Step | None:
    """Outputs that could be compared with columns, but are not."""
    question = idle_summary_words(problem, left) if left is not None else ""
    if left is None or not question:
        return None
    hint = f"{left.words('In none')} Add a summary of those that tell something of the parameters."
    return Step(
        COMPARISON, question, hint, "&Add summary", dismiss="They are not needed", aside=(*left.outputs, *left.columns)
    )
