"""How the runs of an analysis ended, and when going on would only burn the budget."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..answer.failures.kinds import kind_of
from ..session.records import EvaluationRecord

SETUP_FAILURES = 3  # in a row: the next run would fail too
# points of many runs each where the same summaries are made of each other: they are so everywhere, while one that does not
# change from run to run (nobody survives) may do so elsewhere
ALWAYS, MADE_OF_OTHERS = "is singular: ", 3
HOPELESS_SAME, HOPELESS = 10, 20  # failures without any success: all for one reason, for several


class Outcomes:
    """``count`` every evaluation; ``hopeless`` says why to give up, if so. ``best``: of the highest log density, the first.

    ``noun``: what an evaluation is called, a point where it takes several runs of the program."""

    def __init__(self, noun: str = "run") -> None:
        self.noun = noun
        self.counts = {"ok": 0, "failed": 0, "impossible": 0}
        self._reasons: set[str] = set()
        self._setup_failures = 0
        self.best: EvaluationRecord | None = None

    @property
    def without_value(self) -> int:
        return self.counts["failed"] + self.counts["impossible"]

    def count(self, record: EvaluationRecord) -> None:
        self.counts[record.outcome] += 1
        if record.outcome != "ok":
            self._reasons.add(record.reason)
        elif _density(record) > (-math.inf if self.best is None else _density(self.best)):
            self.best = record

    def hopeless(self, record: EvaluationRecord, cause: str) -> str:
        """After the run ``record``, which has been counted and ended by ``cause``: why to give up, a sentence, or ""."""
        self._setup_failures = self._setup_failures + 1 if cause == "setup" else 0
        if self._setup_failures >= SETUP_FAILURES:
            return f"The last {SETUP_FAILURES} {self.noun}s could not be carried out at all. {record.reason}"
        most = HOPELESS_SAME if len(self._reasons) == 1 else HOPELESS
        if len(self._reasons) == 1 and kind_of(record.outcome, record.reason) == "likelihood" and ALWAYS in record.reason:
            most = MADE_OF_OTHERS
        if self.counts["ok"] or self.without_value < most:
            return ""
        return (
            f"None of the first {self.without_value} {self.noun}s gave a usable result. The last one: {record.reason} "
            "Try a test run on the simulator page, and check that the plausible ranges are where the program works."
        )


def best_of(records: Iterable[EvaluationRecord]) -> EvaluationRecord | None:
    """The first of the highest log density among the good ones; None: none was good."""
    return max((r for r in records if r.outcome == "ok"), key=_density, default=None)


def _density(record: EvaluationRecord) -> float:
    return -math.inf if record.log_likelihood is None else record.log_likelihood + record.log_prior
