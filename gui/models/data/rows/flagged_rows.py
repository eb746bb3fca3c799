"""Rows that a column of flags says are no good, left out of all comparisons by one button. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from bayescope.engine.problem.data.tables.quality_flags import flags_in
from bayescope.engine.problem.definition import Problem
from bayescope.gui.models.data.rows.left_out import changed, matches_of, measured
from bayescope.gui.models.plain import one_line

OUT, KEEP = "Leave them &out", "They count"
HINT = "Left out, they stay in the table, and can be taken back there."
MOST_TOLD = 3  # texts of flags named in the question


@dataclass(frozen=True)
class Flagged:
    """``words``: how many rows are flagged and as what, a sentence; ``problem``: with them left out, called ``undo``."""

    words: str
    problem: Problem
    undo: str


def flagged(problem: Problem) -> Flagged | None:
    """Of the rows that are compared still; None: there are no such rows."""
    matches = matches_of(problem)
    if problem.data is None or not matches or not all(m.column for m in matches) or (flags := flags_in(problem.data)) is None:
        return None

    def counts(row: int) -> bool:
        return any(measured(problem, m, row) and row not in m.left_out for m in matches)

    left = {text: [row for row in rows if counts(row)] for text, rows in flags.bad.items()}
    left = {text: rows for text, rows in left.items() if rows}
    rows = sorted(row for found in left.values() for row in found)
    if not rows:
        return None
    told = ", ".join(f"“{one_line(t, 16)}” ({len(r)})" for t, r in list(left.items())[:MOST_TOLD])
    more = "" if len(left) <= MOST_TOLD else f" and {len(left) - MOST_TOLD} more"
    how = "One row that is compared is" if len(rows) == 1 else f"{len(rows)} rows that are compared are"
    words = f"{how} flagged in “{one_line(flags.column, 24)}”: {told}{more}."
    undo = f"Leave out row{'s' if len(rows) > 1 else ''} flagged in {one_line(flags.column, 24)}"
    return Flagged(words, changed(problem, rows, True), undo)
