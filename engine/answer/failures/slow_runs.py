"""Where the time goes: what slow runs share, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...problem.definition import Parameter, Problem, free_parameters
from ..digits import rough
from .failures import Finished
from .kinds import kind_of
from .rule import Rule, rule_of

Array = NDArray[np.float64]
FEWEST, SLOWER = 12, 3.0  # runs, and times longer, from which on it is told
LEAST_S = 0.5  # s: quicker runs are not worth a word


class Timed(Finished, Protocol):
    """... with the seconds it took."""

    @property
    def duration_s(self) -> float: ...


@dataclass(frozen=True)
class SlowRuns:
    """``slow`` and ``quick``: median seconds of those that the rule holds for, and of the others. ``stopped``: some of the former
    were, by the limit: they would take longer still."""

    rule: Rule
    slow: float
    quick: float
    stopped: bool
    parameters: tuple[Parameter, ...]

    @property
    def words(self) -> str:
        names = [p.label or p.name for p in self.parameters]
        times = f"{'at least ' if self.stopped else 'about '}{rough(self.slow / self.quick)} times longer"
        return f"Runs with {self.rule.words(names)} take {times}: {_time(self.slow)} against {_time(self.quick)}."


def slow_runs(problem: Problem, runs: Sequence[Timed]) -> SlowRuns | None:
    """None: all take about as long, or nothing that the slow ones share is worth telling."""
    parameters = tuple(free_parameters(problem))
    timed = [e for e in runs if e.outcome != "failed" or kind_of(e.outcome, e.reason) == "time"]
    theta = np.array([[e.values.get(p.name, np.nan) for p in parameters] for e in timed]).reshape(len(timed), len(parameters))
    seconds = np.array([e.duration_s for e in timed])
    known = np.isfinite(theta).all(axis=1) & (seconds > 0.0)
    if known.sum() < FEWEST:
        return None
    theta, seconds = theta[known], seconds[known]
    stopped = np.array([e.outcome == "failed" for e in timed], dtype=bool)[known]
    slow = seconds > _cut(seconds)
    rule = rule_of(theta, slow)
    if rule is None:
        return None
    inside = rule.holds(theta)
    medians = [float(np.median(seconds[which])) for which in (inside, ~inside) if which.any()]
    if len(medians) < 2 or medians[0] < max(LEAST_S, SLOWER * medians[1]):
        return None
    return SlowRuns(rule, medians[0], medians[1], bool(stopped[inside].any()), parameters)


def _cut(seconds: Array) -> float:
    """Between quick and slow: what parts the logarithms into two groups that are most apart (Otsu's threshold)."""
    logs = np.sort(np.log(seconds))
    n = np.arange(1, len(logs))
    left = np.cumsum(logs)[:-1] / n
    right = (logs.sum() - np.cumsum(logs)[:-1]) / (len(logs) - n)
    k = int(np.argmax(n * (len(logs) - n) * np.square(right - left)))
    return float(np.exp(0.5 * (logs[k] + logs[k + 1])))


def _time(seconds: float) -> str:
    for size, unit in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2.0 * size:
            return f"{rough(seconds / size)} {unit}"
    return f"{rough(seconds)} s"
