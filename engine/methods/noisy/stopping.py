"""When a noisy answer may be called converged: three stop checks in a row (RECIPE, last part)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from bayescope.engine.answer.digits import rough, rough_beside
from bayescope.engine.answer.words import draws_miss
from bayescope.engine.problem.method_options import NoisyOptions
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.engine.sampling.walkers import MOST_MISSED

IN_A_ROW = 3


@dataclass(frozen=True)
class Check:
    """One stop check: number of evaluations, expected MMTV, log evidence and its sd, sampling efficiency."""

    n: int
    variation: float
    log_z: float
    log_z_sd: float
    ess: float


def least(dimension: int) -> int:
    """Evaluations before which a stop is not believed: three times the coefficients of a quadratic, and 10. With fewer the
    surrogate's own doubt, at fixed hyperparameters, is too small (correlated Gaussian 6-D, sd 1: of three runs that stopped
    at 72 evaluations, twice the coefficients, one had gsKL 1.2, the others .3; those that went on to 92 and more .1)."""
    return 3 * (dimension + 1) * (dimension + 2) // 2 + 10


def is_good(check: Check, o: NoisyOptions) -> bool:
    """Whether a check taken alone speaks for stopping."""
    return check.variation < o.variation_limit and check.log_z_sd < o.evidence_sd_limit


def evidence_range(checks: list[Check]) -> float:
    """How far the log evidence moved over the last checks."""
    values = [c.log_z for c in checks[-IN_A_ROW:]]
    return max(values, default=0.0) - min(values, default=0.0)


def stated(log_z: float, sd: float, checks: list[Check], converged: bool) -> tuple[float, float]:
    """Log evidence and its sd as shown: until it has settled with what it moved, which the surrogate's doubt knows nothing of."""
    return log_z, sd if converged else float(np.hypot(sd, evidence_range(checks)))


def unmet(
    checks: list[Check], o: NoisyOptions, dimension: int, shown_sd: float | None = None, missed: float = 0.0,
    differs: float = 0.0,
) -> list[str]:  # fmt: skip
    """What still speaks against stopping, in words; empty: converged. ``shown_sd``: of the log evidence as it is shown;
    ``missed``: share of the posterior that walkers find missed by the draws; ``differs``: from the emulated posterior."""
    recent = checks[-IN_A_ROW:]
    if len(recent) < IN_A_ROW or recent[-1].n < least(dimension):
        return ["Too few runs so far to judge the answer."]
    found = []
    worst = max(c.variation for c in recent)
    if not worst < o.variation_limit:
        found.append(_variation_words(recent[-1].variation, worst, o.variation_limit))
    if differ(differs, o):
        found.append(_difference_words(differs, o))
    found += _evidence_words(checks, o, shown_sd)
    found += draws_miss(missed, MOST_MISSED)
    if not min(c.ess for c in recent) > 0.2:
        found.append("The posterior implied by the surrogate cannot be sampled reliably yet.")
    return found


def differ(variation: float, o: NoisyOptions) -> bool:
    """Whether the answer and the emulated one are farther apart than two that may each be off by the largest variation."""
    return not variation < most_between(o)


def most_between(o: NoisyOptions) -> float:
    return math.sqrt(2.0) * o.variation_limit


def _difference_words(differs: float, o: NoisyOptions) -> str:
    return (
        f"Two ways to learn from the same runs differ by {100 * differs:.0f} % of their mass on average "
        f"({100 * most_between(o):.0f} % is the limit): the noisy values, which the answer is made from, and the means of the "
        "summaries. The next runs are made where they differ most; more of them show which is right."
    )


def _variation_words(now: float, worst: float, limit: float) -> str:
    """Of the newest check, and of the worst one where the newest alone would be good enough."""
    who, most = "Posteriors that fit the noisy values equally well", f"{100 * limit:.0f} %"
    if not now < limit:
        return f"{who} still differ from the answer by {100 * now:.0f} % of their mass on average ({most} is the limit)."
    return (
        f"{who} differ from the answer by {100 * now:.0f} % of their mass on average at the newest check, but by "
        f"{100 * worst:.0f} % at one of the last {IN_A_ROW} (below {most} at all of them is wanted)."
    )


def _evidence_words(checks: list[Check], o: NoisyOptions, shown_sd: float | None) -> list[str]:
    """Its own error, what it moved, and how both make up the error that is shown: one sentence, or none."""
    recent, moved = checks[-IN_A_ROW:], evidence_range(checks)
    now, sd = recent[-1].log_z_sd, max(c.log_z_sd for c in recent)
    most = o.evidence_range_limit
    steps = f"by {rough_beside(moved, most)} over the last {IN_A_ROW} checks ({spoken(most)} is the limit)"
    moves, unknown = not moved < o.evidence_range_limit, not sd < o.evidence_sd_limit
    if unknown:
        when = "" if sd == now else f" at one of the last {IN_A_ROW} checks"
        said = f"The log evidence is not known well enough yet: ± {rough_beside(sd, o.evidence_sd_limit)}{when}"
        said += f" ({spoken(o.evidence_sd_limit)} is the limit)" + (f", and it moved {steps}" if moves else "")
    elif moves:
        said = f"The log evidence still moves: {steps}"
    else:
        return []
    shown = float(np.hypot(now, moved)) if shown_sd is None else shown_sd
    return [f"{said}; both make up the ± {rough(shown)}." if rough(shown) != rough(sd) else f"{said}."]
