"""Why the answer is, or is not, to be trusted: sentences for people."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..interface import LoopSettings
from . import certification, stopping
from .data import outcome_of
from .memory import Memory
from .options import DefaultOptions
from .probes import SMALL

Array = NDArray[np.float64]


NOT_EXCLUDED = "There are places where the surrogate cannot rule out more of the posterior; they are being evaluated."


def count(memory: Memory, kind: str) -> int:
    top = max((t.y for t in memory.told if t.y is not None and np.isfinite(t.y)), default=-np.inf)
    return sum(outcome_of(t, top) == kind for t in memory.told)


def activity(memory: Memory) -> str:
    if memory.converged:
        return "Converged"
    if memory.certification is not None:
        return "Checking the answer with fresh evaluations"
    if not memory.thetas:
        return "Evaluating the first points"
    if memory.trail is not None or memory.chart is not None:
        return "Following up a run that came out higher than all others imply"
    if looking_elsewhere(memory):
        return "Looking where the surrogate cannot rule out more of the posterior"
    if memory.history and memory.history[-1].temperature < 1.0:
        return "Looking for the bulk of the posterior"
    return "Refining the posterior"


def looking_elsewhere(memory: Memory) -> bool:
    return memory.lookout is not None or any(i in memory.pending for i in memory.explored[-8:])


def reasons(
    settings: LoopSettings, options: DefaultOptions, memory: Memory, mean: Array, covariance: Array, edge: float
) -> tuple[str, ...]:
    """mean (D,), covariance (D, D) of the posterior in the box frame, where the plausible box is [-2, 2]^D.

    ``edge``: posterior mass at the edge of the trusted region, 0 if it is nothing to speak of.
    """
    found: list[str] = []
    good = count(memory, "ok")
    failed, impossible = count(memory, "failed"), count(memory, "impossible")
    if good < 2:
        found.append(_nothing_usable(good, failed, impossible))
    elif memory.converged:
        found.append(_converged(memory))
    else:
        found += _not_converged(options, memory, good, impossible > 0)
    if good >= 2:
        found += _about_the_box(settings, mean, covariance)
        if edge > 0.0:
            found.append(
                f"{100 * edge:.0f} % of the posterior lies at the edge of the region explored so far; it may go on beyond it. "
                "If the log density hardly changes with the parameters, give them bounds or narrower priors."
            )
        found += _flat(memory)
    if good >= 2 and failed:
        found.append(
            f"{failed} of {len(memory.told)} evaluations failed; nothing is known of the density where they did."
        )
    if good >= 2 and impossible:
        found.append(
            f"{impossible} of {len(memory.told)} evaluations were impossible (density zero); the posterior avoids those places."
        )
    return tuple(found)


def with_failing(found: tuple[str, ...], share: float, limit: float) -> tuple[str, ...]:
    """The reasons, and how much of the posterior lies where runs fail: first if it is more than ``limit``, last if anything."""
    if not share >= 0.01:
        return found
    said = (
        f"About {100 * share:.0f} % of the posterior, perhaps more, lies where most runs failed: nothing is known of the density "
        "there. Repair the program for such values; or, if they are impossible, say so under Limits on the Simulator page."
    )
    return (said, *found) if share > limit else (*found, said)


def _nothing_usable(good: int, failed: int, impossible: int) -> str:
    total = good + failed + impossible
    if good == 0 and total:
        return (
            f"None of the {total} evaluations gave a usable value ({failed} failed, {impossible} impossible). "
            "Check the simulator with a trial run, and that the plausible ranges hold values it can run with."
        )
    return f"Only {good} of {total} evaluations gave a usable value; at least two are needed for an answer."


def _converged(memory: Memory) -> str:
    assert memory.certified is not None
    correction, se = memory.certified
    around = "once" if memory.looked_around == 1 else f"{memory.looked_around} times"
    elsewhere = f" Parts of the plausible ranges that no other run came near were looked at {around}."
    return (
        "Converged: the last new evaluations were as the surrogate predicted, and fresh evaluations at draws from the "
        f"posterior confirmed it (log evidence confirmed to {correction:+.2f} ± {se:.2g})."
        + (elsewhere if memory.looked_around else "")
        + (" With this many parameters a separate second solution can still hide." if memory.dimension > SMALL else "")
    )


def _not_converged(options: DefaultOptions, memory: Memory, good: int, walled: bool) -> list[str]:
    d = memory.dimension
    checks = certification.checks_wanted(d, walled) + certification.tails_wanted(d)
    unmet = stopping.unmet(memory.history, good, d, *stopping.limits(options, walled))
    if memory.certification is not None:
        unmet = ["The answer looks settled; it is being checked with fresh evaluations at draws from the posterior."]
    elif not unmet and looking_elsewhere(memory):
        unmet = [NOT_EXCLUDED]
    elif not unmet and memory.refusals:
        unmet = [
            "The last check with fresh evaluations, at draws from the posterior and in its tails, did not confirm the answer "
            "closely enough; more are being made."
        ]
    elif not unmet and memory.budget - len(memory.told) < checks:
        unmet = [
            "The answer looks settled, but the budget left no evaluations to check it; raise the budget to have it confirmed."
        ]
    elif not unmet:
        unmet = ["The answer looks settled; it has yet to be checked with fresh evaluations."]
    if len(memory.told) >= memory.budget:
        unmet.insert(
            0, f"Not converged: the budget of {memory.budget} evaluations is spent. More evaluations would help."
        )
    return unmet


def _about_the_box(settings: LoopSettings, mean: Array, covariance: Array) -> list[str]:
    sd = np.sqrt(np.diag(covariance))
    outside = [name_of(settings, i) for i in range(len(mean)) if abs(mean[i]) > 2.0 + sd[i]]
    narrow = [name_of(settings, i) for i in range(len(mean)) if sd[i] < 0.04]
    found = []
    if outside:
        found.append(
            f"The posterior lies outside the plausible range given for {_listed(outside)}: check the range and the units; "
            "a better range needs fewer evaluations."
        )
    if narrow:
        found.append(
            f"The plausible range given for {_listed(narrow)} is more than 25 times wider than the posterior; "
            "a narrower one would need fewer evaluations."
        )
    return found


def _flat(memory: Memory) -> list[str]:
    values = [t.y for t in memory.told if outcome_of(t) == "ok" and t.y is not None]
    if len(values) >= 5 and max(values) - min(values) < 1e-6 * (1.0 + abs(max(values))):
        return [
            "The log density was the same in every evaluation: it does not depend on the parameters as the problem is set up."
        ]
    return []


def name_of(settings: LoopSettings, i: int) -> str:
    return settings.names[i] if i < len(settings.names) else f"parameter {i + 1}"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
