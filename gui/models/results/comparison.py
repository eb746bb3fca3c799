"""Several saved analyses side by side: evidence, Bayes factors and what they mean in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bayescope.engine.answer.digits import typeset, with_error
from bayescope.engine.problem.data.rows.same_data import measured, other_data
from bayescope.engine.problem.definition import Problem, free_parameters
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column
from bayescope.gui.models.results.summary import evidence_words

if TYPE_CHECKING:
    from bayescope.engine.answer.posterior import StoredPosterior

METHOD_NAMES = {
    "default": "Recommended",
    "bvbmc": "BVBMC",
    "vbmc": "VBMC",
    "svbmc": "SVBMC",
    "laplace": "Laplace",
    "slice": "Slice sampling",
}


class ComparisonError(ValueError):
    """The analysis cannot be compared; the words say why."""


def this_one(title: str) -> str:
    """What the open analysis is called beside others."""
    return f"{title} (this one)"


@dataclass(frozen=True, eq=False)
class Compared:
    """One analysis with its answer; or (``on_same_runs``) what another method makes of the first one's runs, with its reasons."""

    name: str
    path: Path | None
    problem: Problem
    posterior: StoredPosterior
    log_evidence: float
    log_evidence_sd: float
    runs: int
    converged: bool
    method: str = ""
    reasons: tuple[str, ...] = ()
    on_same_runs: str = ""
    seconds: float = 0.0  # that it took, on the same runs


@dataclass(frozen=True)
class ComparedRow:
    """One line of the table; ``factor``: ln of the Bayes factor against the best, its sd, and words. ``distance``: of its
    posterior from the first one's."""

    name: str
    method: str
    distance: str
    evidence: str
    factor: str
    words: str
    probability: str
    runs: str
    verdict: str
    moments: str = "–"
    cost: str = "–"


def load(path: Path) -> Compared:
    """Read a saved analysis. Raises ComparisonError."""
    from bayescope.engine.answer.posterior import StoredPosterior
    from bayescope.engine.problem.errors import ProblemError
    from bayescope.engine.problem.transforms import ParameterSpace
    from bayescope.engine.session.errors import SessionError
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
        path.stem, path, problem, posterior, record.log_evidence, record.log_evidence_sd, runs, record.converged,
        method=problem.settings.method,
    )  # fmt: skip


def of_other_data(analyses: Sequence[Compared]) -> dict[int, str]:
    """Those, by their place, that certainly use other measured data than the first one whose data are known; how, in words."""
    first = next((a.problem for a in analyses if measured(a.problem) is not None), None)
    if first is None:
        return {}
    return {k: said for k, a in enumerate(analyses) if not a.on_same_runs and (said := other_data(first, a.problem))}


def doubts(analyses: Sequence[Compared]) -> tuple[str, str]:
    """Why the evidences may not be compared, and what to do; empty if nothing speaks against it."""
    analyses = [a for a in analyses if not a.on_same_runs]
    if len(analyses) < 2:
        return "", ""
    other = of_other_data(analyses)
    odd = [analyses[k].name for k in other]
    if odd:
        how = f" ({next(iter(other.values()))})" if len(odd) == 1 else ""
        return (
            f"{_listed(odd)} {_verb(odd, 'does', 'do')} not use the same measured data as the others{how}.",
            "Their posteriors can be laid on top of each other; evidences of different data cannot be compared.",
        )
    unknown = [a.name for a in analyses if measured(a.problem) is None]
    if unknown:
        return (
            f"The programs of {_listed(unknown)} compare with the measured data themselves.",
            "Evidences can be compared only if all of these analyses used the same data.",
        )
    open_ends = [a.name for a in analyses if not a.converged]
    if open_ends:
        return (
            f"{_listed(open_ends)} {_verb(open_ends, 'has', 'have')} not converged: "
            "the evidence there may still move by more than its standard deviation says.",
            "Give these analyses more runs before you decide between models.",
        )
    return "", ""


def _verb(names: Sequence[str], one: str, several: str) -> str:
    return one if len(names) == 1 else several


def _listed(names: Sequence[str]) -> str:
    shown = [f"“{one_line(n, 40)}”" for n in names[:3]]
    more = [f"{len(names) - 3} more"] if len(names) > 3 else []
    parts = shown + more
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def distance_words(first: Compared, other: Compared) -> str:
    """Mean total variation of the marginals that both have, as a percentage of the probability; “–” if they have none."""
    from bayescope.engine.answer.distance import mmtv

    distance = mmtv(first.posterior, other.posterior)
    return "–" if math.isnan(distance) else f"{100 * distance:.1f} %"


def moments_words(analysis: Compared, parameter: str) -> str:
    """Mean ± sd of one parameter; “–” if it has none."""
    q = analysis.posterior
    if parameter not in q.names:
        return "–"
    i = q.names.index(parameter)
    step = float(q.resolution()[i])
    return f"{typeset(float(q.mean()[i]), step)} ± {typeset(float(q.sd()[i]), step)}"


def rows_of(analyses: Sequence[Compared], distances: Sequence[str] = (), parameter: str = "") -> tuple[ComparedRow, ...]:
    """In the given order, each against the one with the highest evidence; all equally probable beforehand.

    Analyses of other data than the first one's take no part in the evidences.
    """
    different = of_other_data(analyses)
    fair = [a for k, a in enumerate(analyses) if k not in different and not a.on_same_runs]
    if not fair:
        return ()
    best = max(fair, key=lambda a: a.log_evidence)
    weights = {id(a): math.exp(max(a.log_evidence - best.log_evidence, -700.0)) for a in fair}
    whole = sum(weights.values())
    rows = []
    for k, a in enumerate(analyses):
        difference = best.log_evidence - a.log_evidence
        sd = math.hypot(best.log_evidence_sd, a.log_evidence_sd)
        factor = "best" if a is best else with_error(-difference, sd, "−")
        said = "the data favour this one most" if a is best else against_words(difference, sd)
        if len(fair) == 1 and a is best:
            others = any(other.on_same_runs for other in analyses)
            factor, said = "–", "what the others are set beside" if others else "nothing to compare with yet"
        if k in different:
            said = f"of other data: {different[k]}"
        elif a.on_same_runs:
            said = a.reasons[0] if a.reasons else ""
        verdict = ("passed its checks", "not to be relied on") if a.on_same_runs else ("converged", "not converged")
        rows.append(
            ComparedRow(
                one_line("same runs" if a.on_same_runs else a.name, 60),
                METHOD_NAMES.get(a.method, a.method),
                distances[k] if k < len(distances) else "–",
                evidence_words(a.log_evidence, a.log_evidence_sd),
                factor if a in fair else "–",
                said,
                "–" if a not in fair or len(fair) == 1 else percent(weights[id(a)] / whole),
                str(a.runs),
                verdict[0] if a.converged else verdict[1],
                moments_words(a, parameter),
                f"{a.seconds:.1f} s" if a.on_same_runs else "–",
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


def comparison_columns(parameter: str = "") -> tuple[Column[ComparedRow], ...]:
    """``parameter``: what the one whose moments are shown is called."""
    moments = f"{one_line(parameter, 24)}, mean ± sd" if parameter else "Mean ± sd"
    return (
        Column(
            "name", "Analysis", "Its name; “same runs”: another method on the runs of the first one.", lambda r: r.name
        ),
        Column("method", "Method", "How its posterior was found.", lambda r: r.method),
        Column("runs", "Runs", "Simulator runs.", lambda r: r.runs, None, True),
        Column(
            "evidence",
            "Log evidence",
            "ln p(data | model), with its standard deviation.",
            lambda r: r.evidence,
            None,
            True,
        ),
        Column(
            "distance",
            "Distance",
            "How far its posterior is from the first one's: mean total variation of the marginals. 0 %: the same.",
            lambda r: r.distance,
            None,
            True,
        ),
        Column("moments", moments, "Of the parameter that is drawn below.", lambda r: r.moments, None, True),
        Column("cost", "Cost", "Of another method on the same runs: seconds of computing.", lambda r: r.cost, None, True),
        Column("factor", "ln Bayes factor", "Log evidence minus that of the best.", lambda r: r.factor, None, True),
        Column(
            "probability",
            "Probability",
            "If all were equally probable before the data.",
            lambda r: r.probability,
            None,
            True,
        ),
        Column(
            "verdict",
            "Verdict",
            "Whether its answer had settled, or passed the method's own checks.",
            lambda r: r.verdict,
        ),
        Column("words", "In words", "Evidences after Kass and Raftery (1995).", lambda r: r.words),
    )
