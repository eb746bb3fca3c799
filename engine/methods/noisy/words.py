"""Why a noisy answer is, or is not, to be trusted: sentences for people."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...answer import words as answer_words
from ...answer.suggested_ranges import misplaced
from ...answer.where_known import FAILING_LIMIT, confirmed_state
from ...loop_interface import LoopSettings
from ...problem.method_options import NoisyOptions
from ...problem.numbers.shown_digits import spoken
from ...surrogate.evaluations import Counts
from ...surrogate.noisy.noise import ReportedNoise
from ..default.bordering import open_words
from ..default.words import Shares, in_part, name_of
from . import stopping
from .memory import NoisyMemory

Array = NDArray[np.float64]

VARIES = 2.0  # times more noise in the noisiest tenth of the runs than in the quietest, from which on it is said

SCALE_WARNING = np.log(1.5)  # |log a| above which the sd given is called wrong
SURE = 4.0  # ... and which must also be this many sds of log a, 1 / sqrt(2 n), from zero
EARLY = "Until then it may lie elsewhere than the right answer, and its intervals may be many times too narrow."
WELL_KNOWN = 40  # evaluations from which a noise level is called high


def activity(memory: NoisyMemory, in_part: bool = False) -> str:
    if memory.converged:
        return confirmed_state(in_part)
    if memory.theta_box is None:
        return "Evaluating the first points"
    if memory.last_ess < 0.05:
        return "Looking for the bulk of the posterior"
    return "Averaging out the noise where it matters"


def figures(
    settings: LoopSettings,
    options: NoisyOptions,
    memory: NoisyMemory,
    counts: Counts,
    mean: Array,
    covariance: Array,
    shares: Shares,
    notes: tuple[str, ...] = (),
    evidence_sd: float | None = None,
) -> answer_words.Figures:
    """mean (D,), covariance (D, D) in the box frame. ``evidence_sd``: as it is shown."""
    outside, narrow = misplaced(mean, np.sqrt(np.diag(covariance)))
    against = stopping.unmet(memory.checks, options, memory.dimension, evidence_sd, memory.missed, memory.differs)
    against += open_words(shares.border)
    against += [EARLY] if against and not memory.converged else []  # of a stochastic epidemic they were 3 to 10 times
    return answer_words.Figures(
        evaluations=len(memory.log.told),
        budget=memory.log.budget,
        good=counts.ok,
        failed=counts.failed,
        impossible=counts.impossible,
        far_below=counts.far_below,
        converged=memory.converged and shares.failing <= FAILING_LIMIT,
        in_part=in_part(memory.converged, shares),
        confirmed=confirmed(memory) if memory.converged else "",
        against=tuple(against),
        stage="exploring" if memory.doubtful else "unchecked",
        failing=shares.failing,
        failing_interval=shares.interval,
        failing_reasons=shares.reasons,
        evidence=shares.evidence,
        walled=shares.walled,
        edge=shares.edge,
        outside=tuple(name_of(settings, i) for i in outside),
        narrow=tuple(name_of(settings, i) for i in narrow),
        notes=notes,
    )


def confirmed(memory: NoisyMemory) -> str:
    return (
        "posteriors that fit the noisy values equally well differ from the answer by only about "
        f"{100 * memory.checks[-1].variation:.0f} % of their mass, and three checks in a row agreed."
    )


def notes(
    reported: ReportedNoise, log_scale: float, n: int, options: NoisyOptions, good: int, repeated: int, off: int, robust: bool,
    levels: Array | None = None,
) -> tuple[str, ...]:
    """``repeated``: evaluations made at a place evaluated before; ``off``: values much further from the surrogate than
    their noise explains, which count less if ``robust``; ``levels``: precision factors of a noise that varies."""
    found = about_noise(reported, log_scale, n, options, levels)
    if off and robust:
        found.append(f"{off} of {good} values lie far from the rest and count less, as chosen in the run settings.")
    elif off > 0.03 * good and off >= 2:
        found.append(
            f"{off} of {good} values lie much further off than their noise explains: the noise has heavy tails. "
            "The run settings of the next analysis can let such values count less (option “robust”)."
        )
    if repeated:
        found.append(f"{repeated} of {good} runs repeat{'s' * (repeated == 1)} an earlier place, to average its noise out.")
    return tuple(found)


def about_noise(
    reported: ReportedNoise, log_scale: float, n: int, options: NoisyOptions, levels: Array | None = None
) -> list[str]:
    """What was found out about the noise, as far as it concerns the user."""
    found = []
    if not reported.known:
        level = float(np.exp(log_scale) * np.median(reported.sd))
        about, where = f"about {spoken(level, 2)}", ""
        if levels is not None:
            low, high = level / np.sqrt(np.quantile(levels, [0.9, 0.1]))
            if high > VARIES * low:
                about, where = f"from about {spoken(low, 2)} to {spoken(high, 2)}", ", changing from place to place"
        found.append(f"No standard error was given, so the noise was inferred: {about} in log density{where}.")
    elif abs(log_scale) > max(SCALE_WARNING, SURE / np.sqrt(2.0 * max(n, 1))):
        factor = float(np.exp(abs(log_scale)))
        words = "smaller" if log_scale > 0 else "larger"
        found.append(
            f"The standard errors given are about {factor:.1f} times {words} than the scatter seen; "
            "the answer uses the scatter. Check how they are computed."
        )
    if reported.raised:
        who, them = ("1 run", "it was") if reported.raised == 1 else (f"{reported.raised} runs", "they were")
        found.append(f"{who} gave a standard error of (nearly) zero, unlike the others; {them} given a tenth of the usual one.")
    if reported.missing:
        who, them = ("1 run", "it was") if reported.missing == 1 else (f"{reported.missing} runs", "they were")
        found.append(f"{who} gave no usable standard error; {them} given the usual one.")
    middle = float(np.median(reported.sd) * np.exp(log_scale))
    if reported.known and n >= WELL_KNOWN and middle > 8.0:
        found.append(
            f"The log density is very noisy (± {spoken(middle, 2)}). More repeats per run would help: "
            "a value near 1 to 3 is economical."
        )
    return found
