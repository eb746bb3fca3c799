"""What the runs of the program gave at the best point so far, beside what was measured: for random programs. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.answer.digits import with_error
from bayescope.engine.problem.definition import Problem
from bayescope.gui.analysis.run_data import Evaluation
from bayescope.gui.models.plain import one_line
from bayescope.gui.style.words import number

MOST = 12  # summaries told one by one
NOT_OVER_DATA = (
    "The summaries of a random program are compared with the data, so no single line is drawn over them; “What if…” is not "
    "there either, since no outputs are learnt."
)


def best_index(evaluations: Sequence[Evaluation]) -> int | None:
    """Of the good point with the highest log density; None: there is none."""
    good = [e for e in evaluations if e.outcome == "ok" and e.log_density is not None]
    return max(good, key=lambda e: e.log_density or 0.0).index if good else None


def best_words(problem: Problem, index: int | None, outputs: Mapping[str, NDArray[np.float64]]) -> str:
    """Mean and spread over the runs of each summary that is one value, against the measured one; how far apart in spreads."""
    if index is None:
        return f"{NOT_OVER_DATA}\nWhat the runs at the best point gave appears here when a point has ended."
    data, lines = problem.data, []
    for s in getattr(problem.meaning, "summaries", ()):
        runs = np.asarray(outputs.get(s.output, np.empty(0)), dtype=float)
        cells = [v for v in (data.columns.get(s.column, ()) if data is not None else ()) if v is not None]
        if s.statistic not in ("values", "mean") or runs.ndim != 2 or runs.shape[1] != 1 or len(runs) < 2 or len(cells) != 1:
            continue
        mean, sd = float(np.nanmean(runs)), float(np.nanstd(runs, ddof=1))
        apart = f", {abs(cells[0] - mean) / sd:.1f} spreads away" if sd > 0 else ""
        told = with_error(mean, sd, "\N{MINUS SIGN}") if sd > 0 else number(mean, 4)
        lines.append(f"{one_line(s.output, 30)}: {told}; measured {number(cells[0], 4)}{apart}")
    if not lines:
        return NOT_OVER_DATA
    more = f"\nand {len(lines) - MOST} more" if len(lines) > MOST else ""
    head = f"At the best point so far (number {index}), mean and spread over its runs:"
    return "\n".join([NOT_OVER_DATA, "", head, *lines[:MOST]]) + more
