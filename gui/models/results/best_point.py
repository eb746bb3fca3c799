"""What the runs of the program gave at the best point so far, beside what was measured: for random programs. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.answer.digits import with_error
from bayescope.engine.problem.definition import Problem, Summary
from bayescope.gui.analysis.run_data import Evaluation
from bayescope.gui.models.data.summarized import runs_at_keys
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


def _told(summary: Summary, runs: NDArray[np.float64], cells: NDArray[np.float64]) -> str:
    """Of runs (R, L) against the measured values (n,): the summary where it is one number, of single values how many are as
    measured; "": they are not told."""
    if summary.statistic in ("mean", "sd", "log_sd"):
        of_each, measured, name = _statistic(summary, runs), float(_statistic(summary, cells[None])[0]), summary.statistic
        words = "" if runs.shape[1] == 1 and name == "mean" else f", {name.replace('_', ' ')}"
        return f"{words}{_against(of_each, measured)}"
    if summary.statistic != "values" or runs.shape[1] != len(cells):
        return ""
    if len(cells) == 1:
        return _against(runs[:, 0], float(cells[0]))
    mean, sd = np.nanmean(runs, axis=0), np.nanstd(runs, axis=0, ddof=1)
    near = int(np.sum(np.abs(cells - mean) <= 2.0 * sd))
    return f": {near} of {len(cells)} measured values lie within 2 spreads of the mean of the runs"


def _statistic(summary: Summary, runs: NDArray[np.float64]) -> NDArray[np.float64]:
    """(R,) of runs (R, L)."""
    if summary.statistic == "mean":
        return np.asarray(np.nanmean(runs, axis=1))
    sd = np.nanstd(runs, axis=1, ddof=1) if runs.shape[1] > 1 else np.full(len(runs), np.nan)
    return np.asarray(sd if summary.statistic == "sd" else np.log(np.maximum(sd, 1e-12)))


def _against(of_each: NDArray[np.float64], measured: float) -> str:
    """Mean and spread of a number over the runs (R,), and how many spreads the measured one is away."""
    mean, sd = float(np.nanmean(of_each)), float(np.nanstd(of_each, ddof=1))
    if not np.isfinite([mean, sd, measured]).all():
        return ""
    apart = f", {abs(measured - mean) / sd:.1f} spreads away" if sd > 0 else ""
    told = with_error(mean, sd, "\N{MINUS SIGN}") if sd > 0 else number(mean, 4)
    return f": {told}; measured {number(measured, 4)}{apart}"


def best_words(problem: Problem, index: int | None, outputs: Mapping[str, NDArray[np.float64]]) -> str:
    """Mean and spread over the runs of each summary that is one number, against the measured one, and how far apart in spreads;
    of several values how many are near."""
    if index is None:
        return f"{NOT_OVER_DATA}\nWhat the runs at the best point gave appears here when a point has ended."
    data, lines = problem.data, []
    for s in getattr(problem.meaning, "summaries", ()):
        runs = runs_at_keys(problem, s, outputs)
        cells = [v for v in (data.columns.get(s.column, ()) if data is not None else ()) if v is not None]
        if runs.ndim == 2 and len(runs) > 1 and runs.shape[1] and cells and (told := _told(s, runs, np.array(cells))):
            lines.append(f"{one_line(s.output, 30)}{told}")
    if not lines:
        return NOT_OVER_DATA
    more = f"\nand {len(lines) - MOST} more" if len(lines) > MOST else ""
    head = f"At the best point so far (number {index}), mean and spread over its runs:"
    return "\n".join([NOT_OVER_DATA, "", head, *lines[:MOST]]) + more
