"""Points and runs of the program: one and the same, unless each point takes several runs. In words; pure."""

from __future__ import annotations

from collections.abc import Mapping

from bayescope.engine.problem.definition import InverseBinomial, Problem, runs_per_point
from bayescope.gui.analysis.forecast import program_counts, program_seconds, seconds_ahead
from bayescope.gui.style.words import duration, duration_range

TWICE = "One more, not counted, shows whether the program is random"
MOST_INSIDE = 3  # points under way whose progress is told one by one


def noun(problem: Problem) -> str:
    """What is counted: "points" where each takes several runs of the program, else "runs"."""
    return "points" if runs_per_point(problem.meaning) > 1 else "runs"


def title(problem: Problem) -> str:
    return "Points" if runs_per_point(problem.meaning) > 1 else "Simulator runs"


def each_words(problem: Problem) -> str:
    """``50 runs of the program at each``; "" where a point is one run."""
    each = runs_per_point(problem.meaning)
    most = "up to " if isinstance(problem.meaning, InverseBinomial) else ""
    return f"{most}{each:,} runs of the program at each" if each > 1 else ""


def total_words(problem: Problem, points: int) -> str:
    """``140 points, 50 runs of the program at each: 7,000 runs``; "" where a point is one run."""
    each = runs_per_point(problem.meaning)
    if each <= 1:
        return ""
    most = "up to " if isinstance(problem.meaning, InverseBinomial) else ""
    return f"{points:,} points, {each_words(problem)}: {most}{points * each:,} runs"


def ahead_words(problem: Problem, points: int, workers: int, seconds: float | None, here: bool = True) -> str:
    """What ``points`` cost at most, if a run of the program takes ``seconds`` (None: not known): "" where nothing can be said.

    ``here``: the runs happen on this computer."""
    total = total_words(problem, points)
    if seconds is None or seconds <= 0.0:
        return total
    how = f"at {duration(seconds)} a run" + (f" and {workers} at a time" if workers > 1 else "")
    return f"{total or f'{points:,} runs'}, {time_words(problem, points, workers, seconds, here)}: {how}"


def brief_words(
    problem: Problem, points: int, workers: int, seconds: float | None, here: bool = True, apart: bool = True, first: bool = False
) -> str:
    """``ahead_words`` for one line: "140 points × 50 = 7,000 runs, 3 – 5 h in all"; "" where nothing can be said.

    ``apart``: the time in the program is told too where the computing matters; ``first``: ``seconds`` are of a first run, than
    which others may be quicker."""
    each = runs_per_point(problem.meaning)
    total = f"{points:,} points × {each:,} = {points * each:,} runs" if each > 1 else f"{points:,} runs"
    if seconds is None or seconds <= 0.0:
        return total if each > 1 else ""
    if first:
        slowest = duration_range(*[seconds_ahead(problem, points, workers, seconds, here)[1]] * 2)
        return f"{total}, {slowest.replace('about', 'up to')} in all"
    words = time_words(problem, points, workers, seconds, here)
    return f"{total}, {words if apart else words.partition(', ')[0]}"


def time_words(problem: Problem, points: int, workers: int, seconds: float, here: bool = True) -> str:
    """``20 s – 3 min in all, 2.1 s of it in the program``: the program is told apart where the computing matters."""
    whole = f"{duration_range(*seconds_ahead(problem, points, workers, seconds, here))} in all"
    if not program_counts(problem, points, workers, seconds):
        whole += f", {duration(program_seconds(problem, points, workers, seconds))} of it in the program"
    return whole


def inside_words(done: int, within: Mapping[int, int], under_way: int, problem: Problem) -> str:
    """``point 3: 12 of 50 runs`` of the points under way, ``done`` points being finished; "" where a point is one run."""
    each = runs_per_point(problem.meaning)
    if each <= 1 or not under_way:
        return ""
    if under_way > MOST_INSIDE:
        return f"{under_way} points under way, {sum(within.values()):,} of their {under_way * each:,} runs done"
    counts = sorted((*within.values(), *(0,) * (under_way - len(within))), reverse=True)[:under_way]
    return "; ".join(f"point {done + 1 + k}: {count} of {each} runs" for k, count in enumerate(counts))
