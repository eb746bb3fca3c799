"""Several saved analyses side by side: evidence, Bayes factors and what they mean in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bayescope.engine.problem.definition import Problem, free_parameters
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column
from bayescope.gui.models.summary import evidence_words

if TYPE_CHECKING:
    from bayescope.engine.session.posterior import StoredPosterior


class ComparisonError(ValueError):
    """The analysis cannot be compared; the words say why."""


@dataclass(frozen=True, eq=False)
class Compared:
    """One analysis with its answer."""

    name: str
    path: Path | None
    problem: Problem
    posterior: StoredPosterior
    log_evidence: float
    log_evidence_sd: float
    runs: int
    converged: bool


@dataclass(frozen=True)
class ComparedRow:
    """One line of the table; ``factor``: ln of the Bayes factor against the best, its sd, and words."""

    name: str
    evidence: str
    factor: str
    words: str
    probability: str
    runs: str
    verdict: str


def load(path: Path) -> Compared:
    """Read a saved analysis. Raises ComparisonError."""
    from bayescope.engine.problem.errors import ProblemError
    from bayescope.engine.problem.transforms import ParameterSpace
    from bayescope.engine.session.errors import SessionError
    from bayescope.engine.session.posterior import StoredPosterior
    from bayescope.engine.session.store import SessionStore

    try:
        with SessionStore.open(path, mode="read") as store:
            problem, record, runs = store.problem, store.last_iteration(), store.evaluation_count
        if record is None:
            raise ComparisonError(f"“{path.name}” has no answer yet: run it first.")
        posterior = StoredPosterior.of_iteration(ParameterSpace(free_parameters(problem)), record)
    except SessionError as error:
        raise ComparisonError(f"“{path.name}” cannot be opened: {error.what}") from error
    except (ProblemError, OSError) as error:
        raise ComparisonError(f"“{path.name}” cannot be used: {error}") from error
    return Compared(
        path.stem, path, problem, posterior, record.log_evidence, record.log_evidence_sd, runs, record.converged
    )


def same_data(analyses: Sequence[Compared]) -> bool:
    """Evidences can only be compared for the same measured data."""
    tables = [a.problem.data.columns if a.problem.data else None for a in analyses]
    return all(t == tables[0] for t in tables)


def rows_of(analyses: Sequence[Compared]) -> tuple[ComparedRow, ...]:
    """In the given order, each against the one with the highest evidence; all equally probable beforehand."""
    if not analyses:
        return ()
    best = max(analyses, key=lambda a: a.log_evidence)
    weights = [math.exp(max(a.log_evidence - best.log_evidence, -700.0)) for a in analyses]
    rows = []
    for a, weight in zip(analyses, weights, strict=True):
        difference = best.log_evidence - a.log_evidence
        sd = math.hypot(best.log_evidence_sd, a.log_evidence_sd)
        factor = "best" if a is best else f"{-difference:.2f} ± {sd:.2f}".replace("-", "−")
        rows.append(
            ComparedRow(
                one_line(a.name, 60),
                evidence_words(a.log_evidence, a.log_evidence_sd),
                factor,
                "the data favour this one most" if a is best else against_words(difference, sd),
                percent(weight / sum(weights)),
                str(a.runs),
                "converged" if a.converged else "not converged",
            )
        )
    return tuple(rows)


def against_words(difference: float, sd: float) -> str:
    """How strongly the data speak against it; classes of Kass and Raftery (1995, table of 2 ln B, halved)."""
    if difference < 2 * sd:
        return "not distinguishable from the best, given the uncertainty"
    if difference < 1:
        return "hardly worse"
    if difference < 3:
        return "positive evidence against it"
    if difference < 5:
        return "strong evidence against it"
    return "very strong evidence against it"


def percent(share: float) -> str:
    if share < 0.001:
        return "< 0.1 %"
    return f"{100 * share:.1f} %" if share < 0.995 else f"{min(100 * share, 99.9):.1f} %" if share < 1 else "100 %"


def comparison_columns() -> tuple[Column[ComparedRow], ...]:
    return (
        Column("name", "Analysis", "Its name.", lambda r: r.name),
        Column(
            "evidence",
            "Log evidence",
            "ln p(data | model), with its standard deviation.",
            lambda r: r.evidence,
            None,
            True,
        ),
        Column("factor", "ln Bayes factor", "Log evidence minus that of the best.", lambda r: r.factor, None, True),
        Column(
            "probability",
            "Probability",
            "If all were equally probable before the data.",
            lambda r: r.probability,
            None,
            True,
        ),
        Column("words", "In words", "After Kass and Raftery (1995).", lambda r: r.words),
        Column("runs", "Runs", "Simulator runs.", lambda r: r.runs, None, True),
        Column("verdict", "Verdict", "Whether its answer had settled.", lambda r: r.verdict),
    )
