"""Why a noisy answer is, or is not, to be trusted: sentences for people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..default_loop.words import NOT_EXCLUDED, _about_the_box, _nothing_usable
from ..interface import LoopSettings
from . import stopping
from .memory import NoisyMemory
from .noise import ReportedNoise
from .options import NoisyOptions

Array = NDArray[np.float64]

SCALE_WARNING = np.log(1.5)  # |log a| above which the sd given is called wrong
SURE = 4.0  # ... and which must also be this many sds of log a, 1 / sqrt(2 n), from zero
WELL_KNOWN = 40  # evaluations from which a noise level is called high


@dataclass(frozen=True)
class Counts:
    ok: int
    failed: int
    impossible: int


def activity(memory: NoisyMemory) -> str:
    if memory.converged:
        return "Converged"
    if memory.theta_box is None:
        return "Evaluating the first points"
    if memory.last_ess < 0.05:
        return "Looking for the bulk of the posterior"
    return "Averaging out the noise where it matters"


def reasons(
    settings: LoopSettings,
    options: NoisyOptions,
    memory: NoisyMemory,
    counts: Counts,
    reported: ReportedNoise | None,
    log_scale: float,
    repeated: int,
    off: int,
    mean: Array,
    covariance: Array,
    edge: float,
) -> tuple[str, ...]:
    """mean (D,), covariance (D, D) in the box frame. ``repeated``: evaluations made at a place evaluated before; ``off``:
    values much further from the surrogate than their noise explains; ``edge``: mass at the edge of the trusted region.
    """
    if counts.ok < 2 or reported is None:
        return (_nothing_usable(counts.ok, counts.failed, counts.impossible),)
    found: list[str] = []
    if memory.converged:
        last = memory.checks[-1]
        found.append(
            "Converged: posteriors that fit the noisy values equally well differ from the answer by only about "
            f"{100 * last.variation:.0f} % of their mass, and three checks in a row agreed."
        )
    else:
        settled = NOT_EXCLUDED if memory.doubtful else "The answer looks settled; it is checked once more."
        found += stopping.unmet(memory.checks, options, memory.dimension) or [settled]
        if len(memory.told) >= memory.budget:
            found.insert(
                0, f"Not converged: the budget of {memory.budget} evaluations is spent. More evaluations would help."
            )
    found += about_noise(reported, log_scale, len(memory.told), options)
    if off and memory.lambdas is not None:
        found.append(f"{off} of {counts.ok} values lie far from the rest and count less, as chosen in the run settings.")
    elif off > 0.03 * counts.ok and off >= 2:
        found.append(
            f"{off} of {counts.ok} values lie much further off than their noise explains: the noise has heavy tails. "
            "The run settings of the next analysis can let such values count less (option “robust”)."
        )
    if repeated:
        found.append(f"{repeated} of {counts.ok} evaluations repeat an earlier place, to average its noise out.")
    found += _about_the_box(settings, mean, covariance)
    if edge > 0.0:
        found.append(
            f"{100 * edge:.0f} % of the posterior lies at the edge of the region explored so far; it may go on beyond it. "
            "If the log density hardly changes with the parameters, give them bounds or narrower priors."
        )
    total = len(memory.told)
    if counts.failed:
        found.append(f"{counts.failed} of {total} evaluations failed; nothing is known of the density where they did.")
    if counts.impossible:
        found.append(
            f"{counts.impossible} of {total} evaluations were impossible (density zero); the posterior avoids those places."
        )
    return tuple(found)


def about_noise(reported: ReportedNoise, log_scale: float, n: int, options: NoisyOptions) -> list[str]:
    """What was found out about the noise, as far as it concerns the user."""
    found = []
    if not reported.known:
        level = float(np.exp(log_scale) * np.median(reported.sd))
        found.append(f"No standard error was given, so the noise was inferred: about {level:.2g} in log density.")
    elif abs(log_scale) > max(SCALE_WARNING, SURE / np.sqrt(2.0 * max(n, 1))):
        factor = float(np.exp(abs(log_scale)))
        words = "smaller" if log_scale > 0 else "larger"
        found.append(
            f"The standard errors given are about {factor:.1f} times {words} than the scatter seen; "
            "the answer uses the scatter. Check how they are computed."
        )
    if reported.raised:
        found.append(
            f"{reported.raised} evaluations gave a standard error of (nearly) zero, unlike the others; "
            "they were given a tenth of the usual one."
        )
    if reported.missing:
        found.append(f"{reported.missing} evaluations gave no usable standard error; they were given the usual one.")
    middle = float(np.median(reported.sd) * np.exp(log_scale))
    if reported.known and n >= WELL_KNOWN and middle > 8.0:
        found.append(
            f"The log density is very noisy (± {middle:.2g}). More repeats per evaluation would help: "
            "a value near 1 to 3 is economical."
        )
    return found
