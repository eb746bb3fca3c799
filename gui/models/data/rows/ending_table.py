"""A table of the program that ends where its parameters say: rows measured near its end have no prediction in some runs. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np

from bayescope.engine.problem.data.rows.comparison import key_codes, measured_values
from bayescope.engine.problem.data.rows.key_scale import scale_of
from bayescope.engine.problem.data.rows.pairing import swept_outwards
from bayescope.engine.problem.definition import Match, Predictions, Problem
from bayescope.engine.problem.numbers.shown_digits import among, in_full
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, with_match
from bayescope.gui.models.data.keys.key_candidates import same_places
from bayescope.gui.models.plain import one_line

FEWEST_LEFT = 0.5  # of the measured rows: an answer from fewer is another one
KEEP = "Leave it &so"
HINT = (
    "A run that ends before a measured row fails, and failed runs teach little: let the program print its table on, if it can. "
    "Without the rows near the end every run counts, but what they tell is lost."
)


@dataclass(frozen=True)
class Ending:
    """The comparison ``row``; ``words``: what two runs tell. ``problem`` without the ``count`` rows that the shorter one lacks;
    None: it lacks none, or most."""

    row: int
    words: str
    problem: Problem | None = None
    count: int = 0

    @property
    def button(self) -> str:
        return f"&Leave {self.count} row{'s' if self.count != 1 else ''} out"


def ending_table(problem: Problem, report: TrialRunReport | None, second: TrialRunReport | None) -> Ending | None:
    """The first interpolated comparison whose table ends elsewhere in the ``second`` run, at other values, than in the test run,
    with rows measured near its end or beyond; and all such without the rows that the shorter table lacks."""
    if report is None or second is None or not isinstance(problem.meaning, Predictions):
        return None
    first, out, count = None, problem, 0
    for i, match in enumerate(problem.meaning.matches):
        ends = _ends(problem, i, match, report, second)
        if ends is None or problem.data is None:
            continue
        (output, column), (short, long) = match.keys[0], ends
        codes = key_codes(problem.data, column)
        there = ~np.isnan(measured_values(match, problem.data))
        top = float(codes[there].max(initial=-np.inf))
        if not top > short - (long - short):
            continue
        every = (long, short, top)
        ends_at = f"{among(long, every)} in one test run and at {among(short, every)} in another"
        words = (
            f"The table of “{one_line(output, 20)}” ends at {ends_at}: where it "
            f"ends depends on the parameters. “{one_line(column, 20)}” was measured up to {in_full(top)}."
        )
        first = first or (i, words)
        gone = np.flatnonzero(there & (codes > short))
        if len(gone) and len(gone) < FEWEST_LEFT * there.sum():
            rows = tuple(sorted({*match.left_out, *(int(k) + 1 for k in gone)}))
            out, count = with_match(out, i, msgspec.structs.replace(match, left_out=rows)), count + len(gone)
    return None if first is None else Ending(*first, out if count else None, count)


def _ends(
    problem: Problem, index: int, match: Match, report: TrialRunReport, second: TrialRunReport
) -> tuple[float, float] | None:
    """The last places of the shorter and of the longer table; None: they are the same, or these are no runs of one sweep."""
    if not match.interpolate or len(match.keys) != 1 or not scale_of(match).plain:
        return None
    runs = [compared(problem, index, one) for one in (report, second)]
    if runs[0] is None or runs[1] is None:
        return None
    here, there = (run[2].get(match.keys[0][0]) for run in runs if run is not None)
    if here is None or there is None or not (swept_outwards(here) and swept_outwards(there)) or not same_places(here, there):
        return None
    short, long = sorted((float(here.max()), float(there.max())))
    return (short, long) if short < long else None
