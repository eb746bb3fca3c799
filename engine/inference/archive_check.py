"""Whether an archive belongs to the problem: its best row, and another if that disagrees, recomputed by the simulator."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..archive.interpret import Imported
from ..problem.definition import LogPosteriorOutput, Problem
from ..problem.transforms import ParameterSpace
from ..simulator.trial_run import trial_run

SIGMAS = 4.0
ROUNDING = 0.01  # nats that printed digits may cost


def recompute(found: Imported, problem: Problem, base: Path) -> tuple[bool, str]:
    """True and a sentence if the simulator gives the archived value again; else False and what differs, what to try."""
    record, space = found.record, ParameterSpace(problem.parameters)
    joint = record.values + (space.log_prior(record.points) if record.meaning == "log_likelihood" else 0.0)
    order = np.argsort(-joint, kind="stable")
    order = order[np.isfinite(joint[order])]
    best = int(order[0])
    gap, tolerance, words = _gap(found, problem, space, base, best)
    if gap is None:
        return False, f"The check could not be made: the simulator failed at the best archived point. {words}"
    if abs(gap) <= tolerance:
        return (
            True,
            f"Checked: a simulator run at the best point gives the archived value again (difference {gap:.2g}).",
        )
    where = ", ".join(f"{n} = {v:.6g}" for n, v in zip(record.names, record.points[best], strict=True))
    said = f"The archive disagrees with the simulator: at {where} the archived value is {-gap:+.6g} from the simulator's {words}."
    other = int(order[len(order) // 2])
    second = _gap(found, problem, space, base, other)[0] if other != best else None
    if second is not None and abs(second - gap) <= 2.0 * tolerance:
        return (
            False,
            f"{said} Another row differs as much, so a constant was left out: add {gap:.6g} to the archived values.",
        )
    return False, f"{said} Check that the columns are not swapped, their units, and what the values mean."


def _gap(
    found: Imported, problem: Problem, space: ParameterSpace, base: Path, row: int
) -> tuple[float | None, float, str]:
    """Simulator's value minus the archived one, what is tolerable, and the simulator's value (or why there is none)."""
    record = found.record
    theta = record.points[row]
    report = trial_run(problem, dict(zip(record.names, theta.tolist(), strict=True)), base)
    if report.outcome != "ok" or report.log_likelihood is None:
        return None, 0.0, report.reason
    archived, prior = float(record.values[row]), float(space.log_prior(theta))
    has_prior = isinstance(problem.meaning, LogPosteriorOutput)
    if record.meaning == "log_posterior" and not has_prior:
        archived -= prior
    if record.meaning == "log_likelihood" and has_prior:
        archived += prior
    noise = float(np.hypot(record.sds[row], getattr(report, "noise_sd", 0.0) or 0.0))
    tolerance = SIGMAS * noise + ROUNDING + 1e-5 * abs(archived)
    return report.log_likelihood - archived, tolerance, f"{report.log_likelihood:.6g}"
