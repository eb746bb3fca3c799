"""Stored evaluations against the same made again: identical, within the noise, or different. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scipy import special

from ..answer.predictions.differences import Difference, largest_difference
from ..problem.definition import Problem, free_parameters, is_noisy
from ..problem.numbers.shown_digits import spoken
from ..session.records import EvaluationRecord
from ..session.replayed import LEVEL, ReplayedRun, Result

ROUNDING = 1e-9  # of a log-likelihood, relative: another version of a numerical library sums in another order
MAX_WORDS = 2000  # of one run: what a program said last may be long
SHOWN = 6  # parameters named in a sentence
NEAR_TOP = 10.0  # nats per parameter below the best within which an inferred noise level holds (surrogate/noisy/noise.py)
UNKNOWN_BASE = 1.0  # sd that an inferred scale multiplies where nothing is reported (surrogate/noisy/noise.py)


@dataclass(frozen=True)
class Noise:
    """How random log-likelihoods are. ``scale``: of standard errors, as the analysis inferred it (1: as reported); None: not
    inferred. ``runs``: those that each standard error was computed from; 1: it was reported."""

    declared: bool = False
    scale: float | None = None
    runs: int = 1
    dimension: int = 1
    best: float = math.inf  # largest log-likelihood stored

    @classmethod
    def of(cls, problem: Problem, evaluations: Sequence[EvaluationRecord], diagnostics: Mapping[str, float]) -> Noise:
        found = diagnostics.get("noise_scale")
        scale = found if isinstance(found, (int, float)) and math.isfinite(found) and found > 0.0 else None
        known = [e.log_likelihood for e in evaluations if e.outcome == "ok" and e.log_likelihood is not None]
        runs = int(getattr(problem.meaning, "repeats", 1))
        return cls(is_noisy(problem.meaning), scale, runs, len(free_parameters(problem)), max(known, default=math.inf))

    def sd(self, before: EvaluationRecord, after: EvaluationRecord) -> float | None:
        """Of the difference of the two log-likelihoods; None: not known."""
        scale = max(self.scale or 1.0, 1.0)  # standard errors that are too large make the test milder, not stricter
        if before.noise_sd > 0.0 and after.noise_sd > 0.0:
            return scale * math.hypot(before.noise_sd, after.noise_sd)
        if before.noise_sd > 0.0 or after.noise_sd > 0.0:  # repeats that happened to agree tell nothing of their noise
            return scale * math.sqrt(2.0) * max(before.noise_sd, after.noise_sd)
        near = before.log_likelihood is not None and before.log_likelihood >= self.best - NEAR_TOP * self.dimension
        return None if self.scale is None or not near else math.sqrt(2.0) * UNKNOWN_BASE * self.scale

    def within(self, gap: float, sd: float, comparisons: int) -> bool:
        """Whether two estimates lie ``gap`` apart by chance: two-sided, at LEVEL for all ``comparisons`` together (Bonferroni).

        The normal law, or Student's with the fewest degrees of freedom that Welch's test may have where errors were estimated.
        """
        z = abs(gap) / sd
        tail = special.stdtr(self.runs - 1, -z) if self.runs > 1 else special.ndtr(-z)
        return 2.0 * float(tail) >= LEVEL / comparisons


def verdicts(pairs: Sequence[tuple[EvaluationRecord, EvaluationRecord]], noise: Noise) -> tuple[ReplayedRun, ...]:
    """One for each (stored, made again)."""
    noisy = sum(_is_noisy(before, after, noise) for before, after in pairs)
    return tuple(_verdict(before, after, noise, max(noisy, 1)) for before, after in pairs)


def _is_noisy(before: EvaluationRecord, after: EvaluationRecord, noise: Noise) -> bool:
    return before.outcome == after.outcome == "ok" and (noise.declared or before.noise_sd > 0.0)


def _verdict(before: EvaluationRecord, after: EvaluationRecord, noise: Noise, comparisons: int) -> ReplayedRun:
    change = largest_difference(before.outputs, after.outputs) if before.outputs else None
    result, words = _judged(before, after, change, noise, comparisons)
    text = f"Run {before.index} ({_values(before)}): {words}."[:MAX_WORDS].encode("utf-8", "replace").decode()
    relative = None if change is None or math.isinf(change.relative) else change.relative
    densities = {"before": before.log_likelihood, "after": after.log_likelihood}
    return ReplayedRun(index=before.index, result=result, words=text, relative=relative, **densities)


def _judged(
    before: EvaluationRecord, after: EvaluationRecord, change: Difference | None, noise: Noise, comparisons: int
) -> tuple[Result, str]:
    a, b = before.log_likelihood, after.log_likelihood
    if a is None or b is None:
        return _failed(before, after)
    values = f"log-likelihood {spoken(a, 7)} before, {spoken(b, 7)} after"
    if change is None and math.isclose(a, b, rel_tol=ROUNDING, abs_tol=ROUNDING):
        return "identical", "the same to the last digit" if before.outputs else "the same log-likelihood"
    if change is None and before.outputs:
        changed = "computed from them is another: the file was changed, or another version of Bayescope made it"
        return "different", f"the outputs are the same, but the log-likelihood {changed} ({values})"
    if not _is_noisy(before, after, noise):
        return "different", values if change is None else f"{change.words}; {values}"
    sd = noise.sd(before, after)
    if sd is None:
        unknown = "the program is declared random, and nothing says by how much its values differ there"
        return "unjudged", f"{values}; {unknown}"
    apart = f"{values}, {spoken(abs(b - a) / sd, 2)} standard errors of the difference apart"
    if noise.within(b - a, sd, comparisons):
        return "within_noise", apart
    return "different", f"{apart}: more than the noise explains"


def _failed(before: EvaluationRecord, after: EvaluationRecord) -> tuple[Result, str]:
    reason = after.reason.rstrip(".")
    if after.outcome == "ok":
        return "failed_then", f"{before.outcome} before ({before.reason.rstrip('.')}), and good now"
    if before.outcome == "ok":
        return "failed_now", f"good before, and {after.outcome} now: {reason}"
    if before.outcome == after.outcome:
        return "failed_again", f"{after.outcome}, as before: {reason}"
    return "different", f"{before.outcome} before, {after.outcome} now: {reason}"


def _values(e: EvaluationRecord) -> str:
    shown = [f"{name} = {spoken(value)}" for name, value in list(e.values.items())[:SHOWN]]
    return ", ".join(shown) + (" …" if len(e.values) > SHOWN else "")
