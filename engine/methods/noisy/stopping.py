"""When a noisy answer may be called converged: three stop checks in a row (RECIPE, last part)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bayescope.engine.problem.method_options import NoisyOptions
from bayescope.engine.session.digits import rough_beside

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


def unmet(checks: list[Check], o: NoisyOptions, dimension: int) -> list[str]:
    """What still speaks against stopping, in words; empty: converged."""
    recent = checks[-IN_A_ROW:]
    if len(recent) < IN_A_ROW or recent[-1].n < least(dimension):
        return ["Too few runs so far to judge the answer."]
    found = []
    worst = max(c.variation for c in recent)
    if not worst < o.variation_limit:
        found.append(
            f"Posteriors that fit the noisy values equally well still differ from the answer by {100 * worst:.0f} % of "
            f"their mass on average ({100 * o.variation_limit:.0f} % is the limit)."
        )
    sd = max(c.log_z_sd for c in recent)
    when = "" if sd == recent[-1].log_z_sd else f" at one of the last {IN_A_ROW} checks"
    if not sd < o.evidence_sd_limit:
        found.append(
            f"The log evidence is not known well enough yet: ± {rough_beside(sd, o.evidence_sd_limit)}"
            f"{when} ({o.evidence_sd_limit:g} is the limit)."
        )
    moved = evidence_range(checks)
    if not moved < o.evidence_range_limit:
        found.append(f"The log evidence still moves (by {moved:.2g} over the last {IN_A_ROW} checks).")
    if not min(c.ess for c in recent) > 0.2:
        found.append("The posterior implied by the surrogate cannot be sampled reliably yet.")
    return found
