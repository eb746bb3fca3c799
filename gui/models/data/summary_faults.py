"""What the newest noise check says of the summaries now: which of them make every point fail. Pure."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem.definition import Problem, SyntheticLikelihood
from bayescope.engine.problem.findings import Finding
from bayescope.engine.protocol import NoiseReport, SummaryFault
from bayescope.gui.models.plain import one_line

SINGULAR = "Then the covariance of the summaries is singular, and every point would fail."
FLAT = "If it never changes, the covariance of the summaries is singular and every point fails."
MISSED = (
    "At the values of this noise check the program never gives what was measured. Check it at other values (Parameters, "
    "plausible ranges), and whether this output is what the column holds."
)
KEEP = "Keep all"


def stale(problem: Problem, then: Problem | None) -> bool:
    """Whether what a noise check of ``then`` was of has been changed since; another number of runs per point changes nothing."""
    if then is None:
        return False
    return _checked(problem) != _checked(then)


def _checked(problem: Problem) -> tuple[object, ...]:
    meaning = problem.meaning
    if hasattr(meaning, "repeats"):
        meaning = msgspec.structs.replace(meaning, repeats=1)
    if hasattr(meaning, "summaries"):
        meaning = msgspec.structs.replace(meaning, summaries=tuple(_unscaled(problem)))
    return problem.simulator, problem.outputs, meaning, problem.data


def _unscaled(problem: Problem) -> list[object]:
    """Scales come from the noise check itself, so they make it no older."""
    return [msgspec.structs.replace(s, scale=()) for s in getattr(problem.meaning, "summaries", ())]


def summary_finding(
    problem: Problem, then: Problem | None, report: NoiseReport | None, kept: frozenset[str]
) -> tuple[Finding, int | None] | None:
    """The first fault that is still there, at the summary to leave out, and which one that is; ``kept``: words passed over."""
    meaning = problem.meaning
    if report is None or then is None or not isinstance(meaning, SyntheticLikelihood):
        return None
    if (problem.simulator, problem.outputs, problem.data) != (then.simulator, then.outputs, then.data):
        return None
    before, now = _unscaled(then), _unscaled(problem)
    for fault in report.faults:
        if fault.words in kept or (fault.certain and meaning.shrinkage > 0.0):
            continue
        if all(i < len(before) and before[i] in now for i in fault.summaries):
            out = None if fault.leave_out is None else now.index(before[fault.leave_out])
            at = now.index(before[fault.summaries[0]]) if out is None else out
            return _finding(fault, at), out
    return None


def _finding(fault: SummaryFault, at: int) -> Finding:
    hint = f"{SINGULAR} Leave one of them out, or use shrinkage." if fault.certain else f"{FLAT} Leave it out."
    hint = MISSED if fault.missed else hint
    return Finding("error" if fault.certain else "warning", f"meaning.summaries[{at}].statistic", fault.words, hint, first=True)


def left_out(problem: Problem, index: int) -> Problem:
    """Without the summary ``index``."""
    rows = tuple(s for i, s in enumerate(getattr(problem.meaning, "summaries", ())) if i != index)
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, summaries=rows))


def button(problem: Problem, index: int) -> str:
    """Of leaving out the summary ``index``."""
    return f"&Leave {one_line(getattr(problem.meaning, 'summaries', ())[index].output, 24)} out"
