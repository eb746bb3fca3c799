"""Whether an archive belongs to the problem: its best row, and another if that disagrees, recomputed by the simulator."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from ..archive.interpret import Imported
from ..archive.sample_rows import rows_to_check
from ..problem.definition import LogPosteriorOutput, Problem
from ..problem.numbers.shown_digits import spoken
from ..problem.transforms import ParameterSpace
from ..protocol import ArchivedRow
from ..session.trust.consent import Permit
from ..simulator.run_result import Cancel
from ..simulator.trial_run import trial_run

SIGMAS = 4.0
ROUNDING = 0.01  # nats that printed digits may cost
Meaning = Literal["log_likelihood", "log_posterior"]


def recompute(found: Imported, problem: Problem, base: Path, permit: Permit) -> tuple[bool, str]:
    """True and a sentence if the simulator gives the archived value again; else False and what differs, what to try."""
    agrees, words = check_rows(rows_to_check(found, problem), found.record.meaning, problem, base, permit)
    return bool(agrees), words


def check_rows(
    rows: Sequence[ArchivedRow],
    meaning: Meaning,
    problem: Problem,
    base: Path,
    permit: Permit,
    cancel: Cancel | None = None,
) -> tuple[bool | None, str]:
    """``recompute`` for rows at hand, the best one first. None: the simulator gave no value, so nothing is known."""
    best = rows[0]
    gap, tolerance, words = _gap(best, meaning, problem, base, permit, cancel)
    if cancel is not None and cancel.is_set():
        return None, "The check was cancelled."
    if gap is None:
        return None, f"The check could not be made: the simulator failed at the best archived point. {words}"
    if abs(gap) <= tolerance:
        return (
            True,
            f"Checked: a simulator run at the best point gives the archived value again (difference {spoken(gap, 2)}).",
        )
    where = ", ".join(f"{n} = {spoken(v)}" for n, v in best.values.items())
    said = (
        f"The archive disagrees with the simulator: at {where} the archive has {spoken(float(words) - gap)}, the simulator gives "
        f"{words}."
    )
    second = _gap(rows[1], meaning, problem, base, permit, cancel)[0] if len(rows) > 1 else None
    if second is not None and abs(second - gap) <= 2.0 * tolerance:
        return (
            False,
            f"{said} Another row differs as much, so a constant was left out: add {spoken(gap)} to the archived values.",
        )
    return False, f"{said} Check that the columns are not swapped, their units, and what the values mean."


def _gap(
    row: ArchivedRow, meaning: Meaning, problem: Problem, base: Path, permit: Permit, cancel: Cancel | None
) -> tuple[float | None, float, str]:
    """Simulator's value minus the archived one, what is tolerable, and the simulator's value (or why there is none)."""
    report = trial_run(problem, row.values, base, permit=permit, cancel=cancel)
    if report.outcome != "ok" or report.log_likelihood is None:
        return None, 0.0, report.reason
    space = ParameterSpace(problem.parameters)
    archived, prior = row.value, float(space.log_prior(np.array([row.values[n] for n in space.names])))
    has_prior = isinstance(problem.meaning, LogPosteriorOutput)
    if meaning == "log_posterior" and not has_prior:
        archived -= prior
    if meaning == "log_likelihood" and has_prior:
        archived += prior
    noise = float(np.hypot(row.sd, report.noise_sd or 0.0))
    tolerance = SIGMAS * noise + ROUNDING + 1e-5 * abs(archived)
    return report.log_likelihood - archived, tolerance, f"{report.log_likelihood:.6g}"
