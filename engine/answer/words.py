"""What is said about an answer: pure functions of its figures, so that no sentence can contradict them.

Loops fill in ``Figures``; the window, the report and the terminal say what follows from them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .check_titles import not_passed, titles_listed
from .digits import percent, rough
from .doubt import doubt_told
from .failures.kinds import MENDS, NAMES
from .later_reasons import CUT_SHORT, NONE_LEFT, NOT_CHECKED
from .no_effect import told, what_words
from .predictions.judge import IF_RIGHT
from .where_known import CONFIRMED_IN_PART, EDGE_LIMIT, FAILING_LIMIT, known_well

WORTH_SAYING = 0.01  # share from which it is said how much lies where runs fail
NONE_THERE = 0.005  # share below which the posterior "avoids" a place: it rounds to 0 %

NARROWER = "a narrower one would need fewer runs."
MORE_RUNS = " More runs would help."
FIXED_SEED = "scatters_though_exact"  # diagnostic: by how many of the measurement's errors outputs scatter that count as exact
WANTED_RUNS = "more_runs"  # diagnostic of an answer from runs made before: about how many new ones would confirm it, 0: it is
WANTED_LEAST = "more_runs_least"  # diagnostic: 1 where that is the fewest that would do
BEST_FIT_FOUND = "best_fit_found"  # diagnostic of an answer whose runs looked for the best fit alone: 1 or 0
USABLE_K = 0.7  # of Pareto-smoothed importance sampling (Vehtari et al. 2024)
ENDS_AFTER = "ends_after"  # diagnostic: further runs after which it may end, at the fewest, where the stop rule's figures are met
FEWEST_LEFT = "fewest_left"  # diagnostic: ... and where they are not met yet, if they were with the next run
RUN_SECONDS = "run_seconds"  # diagnostic: what a run at a draw of the answer takes, where run times differ

REPAIR = "Repair the program for such values"

Stage = Literal["refining", "exploring", "checking", "refused", "cut short", "unchecked"]
Action = Literal["more_runs", "use_ranges", "posterior", "own_error"]
Level = Literal["ok", "warning"]


@dataclass(frozen=True)
class Figures:
    """``good``, ``failed``, ``impossible``: of ``evaluations``. ``confirmed``: what makes a converged answer one, in words.
    ``far_below``: of the impossible ones, those whose density is finite and as good as zero beside the best.
    ``against``: what the method's own rule holds against the answer. ``failing``, ``walled``, ``edge``: shares of the posterior
    where most runs failed, were impossible, and at the edge of the region explored. ``outside``, ``narrow``: parameters whose
    posterior is outside of, or far narrower than, their plausible range. ``notes``: what else the method found, in words.
    """

    evaluations: int
    budget: int
    good: int
    failed: int = 0
    impossible: int = 0
    far_below: int = 0
    converged: bool = False
    confirmed: str = ""
    in_part: bool = False  # whether it is ``confirmed`` where runs succeed, and too much lies where they fail to be converged
    against: tuple[str, ...] = ()
    stage: Stage = "refining"
    room: bool = True  # whether the budget leaves the evaluations that a check needs
    looks: int = 0  # exploring evaluations: where no other run was near, or more could not be ruled out
    failing: float = 0.0
    failing_interval: tuple[float, float] | None = None  # its 90 % interval
    failing_reasons: tuple[tuple[str, float], ...] = ()  # why runs fail there: shares of the posterior by ``failure_kinds.Kind``
    evidence: float | None = None  # log evidence if the density where runs fail is as near it; None: not known
    walled: float = 0.0
    edge: float = 0.0
    outside: tuple[str, ...] = ()
    narrow: tuple[str, ...] = ()
    flat: bool = False
    notes: tuple[str, ...] = ()

    @property
    def spent(self) -> bool:
        return self.evaluations >= self.budget

    @property
    def no_checks(self) -> bool:
        """Whether the budget leaves none that could confirm the answer."""
        return self.spent or not self.room

    @property
    def usable(self) -> bool:
        """Whether enough of the posterior lies where something is known of it."""
        return known_well(self.failing, self.edge)


def reasons(f: Figures) -> tuple[str, ...]:
    """Why the answer is, or is not, to be trusted; what weighs most comes first."""
    if f.good < 2:
        return (nothing_usable(f.good, f.failed, f.impossible),)
    fails = where_runs_fail(f.failing, f.failing_interval, f.evidence, f.failing_reasons)
    found = [fails] if f.failing > FAILING_LIMIT else []
    found += _converged(f) if f.converged or f.in_part else _not_converged(f)
    found += [*f.notes, *(about_ranges(f.outside, f.narrow) if f.converged or f.spent else ())]
    if f.edge > EDGE_LIMIT:
        found.append(
            f"{percent(f.edge)} of the posterior lies at the edge of the region explored so far; it may go on beyond it. "
            "If the log density hardly changes with the parameters, give them bounds or narrower priors."
        )
    if f.flat:
        found.append(
            "The log density was the same in every run: it does not depend on the parameters as the problem is set up."
        )
    if f.failed:
        found.append(f"{f.failed} of {f.evaluations} runs failed; nothing is known of the density where they did.")
    if f.impossible:
        found.append(_impossible(f))
    if WORTH_SAYING <= f.failing <= FAILING_LIMIT:
        found.append(fails)
    return tuple(found)


def _converged(f: Figures) -> list[str]:
    where = "where no other run was near, or more of the posterior could not be ruled out."
    looks = f" {f.looks} of the {f.evaluations} runs looked elsewhere: {where}" if f.looks else ""
    if f.usable:
        return [f"{f.confirmed[:1].upper()}{f.confirmed[1:]}{looks}"]  # the headline says “Converged”
    if f.in_part:
        return [f"Where runs succeed, {f.confirmed}{looks} Of the rest more runs tell nothing."]
    return ["The checks were passed before, but too much of the posterior now lies where nothing is known of it."]


def _not_converged(f: Figures) -> list[str]:
    found = list(f.against) or _stage(f)
    if f.spent:
        more = MORE_RUNS if f.usable and not f.flat else ""
        found.insert(0, f"The budget of {f.budget} runs is spent.{more}")
    return found


def _stage(f: Figures) -> list[str]:
    """What is still to be done where the method's own rule holds nothing against the answer."""
    if f.stage == "checking" and not f.spent:
        return ["The answer is being checked: fresh runs at draws from the posterior."]
    if f.stage == "exploring":
        there = "There are places where more of the posterior may lie than is known so far"
        return [f"{there}." if f.spent else f"{there}; runs are to be made there."]
    if f.stage == "refused":
        did = "The last check with fresh runs, at draws from the posterior and in its tails, did not confirm the answer"
        return [f"{did} closely enough." if f.no_checks else f"{did} closely enough; more are to be made."]
    if f.stage in ("cut short", "checking"):
        return [CUT_SHORT]
    if not f.usable:
        return []  # that is what has to be mended first, and is said
    if f.no_checks:
        return [NONE_LEFT]
    return [NOT_CHECKED]


def tails_missed(k: float) -> tuple[str, ...]:
    """What a Pareto k̂ of the importance weights holds against the draws; nothing where it is usable or not known."""
    if not k >= USABLE_K:
        return ()
    return (f"The draws may miss part of the tails of the posterior (Pareto k̂ {k:.2f}; below {USABLE_K:g} is usable).",)


def draws_miss(share: float, most: float) -> tuple[str, ...]:
    """What it holds against an answer that ``share`` of the posterior was found where hardly any of its draws is; nothing up to
    ``most``."""
    if share <= most:
        return ()
    lost = f"about {rough(100 * share)} % lies where hardly any is"
    return (f"The draws miss some of the posterior: {lost}; {percent(most)} may.",)


def _impossible(f: Figures) -> str:
    ruled_out, runs = f.impossible - f.far_below, f"of {f.evaluations} runs"
    said = f"{ruled_out} {runs} were impossible (density zero)" if ruled_out else ""
    if f.far_below:
        said = f"{said} and {f.far_below}" if said else f"{f.far_below} {runs}"
        said += " fit so badly that the density there counts as zero"
    if f.walled >= NONE_THERE:
        return f"{said}; about {percent(f.walled)} of the posterior lies close to them: its edge there is known roughly only."
    return f"{said}; the posterior avoids those places." if f.failing < NONE_THERE else f"{said}."


def where_runs_fail(
    share: float,
    interval: tuple[float, float] | None = None,
    evidence: float | None = None,
    by_reason: Sequence[tuple[str, float]] = (),
) -> str:
    """``interval``: of the share, 90 %; ``evidence``: its logarithm if the density there is as nearby; ``by_reason``: parts of
    the share by ``failure_kinds.Kind``, the largest first."""
    mend = MENDS.get(by_reason[0][0], REPAIR) if by_reason else REPAIR
    said = (
        f"About {percent(share)} of the posterior, perhaps more, lies where most runs failed: nothing is known of the density "
        f"there. {mend}; or, if they are impossible, say so under Limits on the Simulator page."
    )
    if by_reason:
        told = [f"{NAMES[kind]} ({percent(part)})" for kind, part in by_reason if part >= NONE_THERE]
        said += f" Why they fail there: {', '.join(told)}." if told else ""
    if interval is not None:
        said += f" The share is between {100 * interval[0]:.0f} and {percent(interval[1])} (90 %)."
    if evidence is not None and share < 1.0:
        impossible = evidence_if_impossible(evidence, share)
        said += (
            f" If the density goes on there as nearby, the log evidence is {evidence:.2f}; if those values are impossible, "
            f"{impossible:.2f}."
        ).replace("-", "−")
    return said


def evidence_if_impossible(evidence: float, share: float) -> float:
    """log evidence without the share of the posterior where runs fail."""
    return evidence + math.log1p(-min(share, 1.0 - 1e-9))


def nothing_usable(good: int, failed: int, impossible: int) -> str:
    total = good + failed + impossible
    if good == 0 and total:
        return (
            f"None of the {total} runs gave a usable value ({failed} failed, {impossible} impossible). "
            "Check the simulator with a test run, and that the plausible ranges hold values it can run with."
        )
    return f"Only {good} of {total} runs gave a usable value; at least two are needed for an answer."


def about_ranges(outside: Sequence[str], narrow: Sequence[str]) -> list[str]:
    found = []
    if outside:
        found.append(
            f"The posterior lies outside the plausible range of {_listed(outside)}: check the range and the units; "
            "a better range needs fewer runs."
        )
    if narrow:
        found.append(
            f"The plausible range of {_listed(narrow)} is more than 25 times wider than the posterior; "
            f"{NARROWER}"
        )
    return found


# ---------------------------------------------------------------- the verdict


def headline(
    converged: bool,
    warm_up: bool,
    evaluations: int,
    diagnostics: Mapping[str, float],
    noun: str = "run",
    made: int = 0,
    poor: Sequence[str] = (),
    left_out: int = 0,
    unlikely: bool = False,
) -> tuple[Level, str]:
    """The verdict in one sentence. ``diagnostics``: "failing_mass" and "edge_mass", where a method knows them. ``noun``: of an
    evaluation, a "point" where it takes several runs of the program; ``made``: how many there are now, ``left_out``: of them;
    ``poor``: titles of the checks that are not passed; ``unlikely``: chance would hardly give the data."""
    failing, edge = diagnostics.get("failing_mass", 0.0), diagnostics.get("edge_mass", 0.0)
    some = f"{evaluations} of {made}" if made > evaluations else f"{evaluations}"
    runs = f"after {some} {noun}{'s' if max(evaluations, made) != 1 else ''}"
    runs += f", {left_out} of them left out" if left_out else ""
    if BEST_FIT_FOUND in diagnostics:
        if diagnostics[BEST_FIT_FOUND]:
            return "ok", f"The best fit is found {runs}; the posterior was not asked for, and is a rough one."
        return "warning", f"The best fit is not found yet {runs}."
    if (doubt := doubt_told(diagnostics)) in ("far", "out of reach"):
        advice = "do not rely on it yet" if doubt == "far" else "look for a mistake first"
        return "warning", f"{'Converged' if converged else 'Not converged'} {runs}, far from the data: {advice}."
    if failing > FAILING_LIMIT and diagnostics.get(CONFIRMED_IN_PART, 0.0):
        return "warning", f"Confirmed {runs} where they succeed; about {percent(failing)} of the answer lies where they fail."
    if failing > FAILING_LIMIT:
        return "warning", f"Not to be relied on {runs}: about {percent(failing)} of the answer lies where runs fail."
    if edge > EDGE_LIMIT:
        return "warning", f"Not to be relied on {runs}: {percent(edge)} of the answer lies at the edge of what was explored."
    if idle := told(diagnostics):
        state = "Converged" if converged else "Not converged"
        return "warning", f"{state} {runs}, but {what_words(idle)}: does the program read {'it' if len(idle) == 1 else 'them'}?"
    if converged and poor:
        return "warning", f"Converged {runs}, but {not_passed(poor)}: {titles_listed(poor)} (see Why trust this)."
    if converged and unlikely:
        return "warning", f"Converged {runs}, and {IF_RIGHT}."
    if converged:
        return "ok", f"Converged {runs}: you can use this answer."
    if wanted := runs_to_confirm(converged, diagnostics):
        least = "at least" if diagnostics.get(WANTED_LEAST, 0.0) else "about"
        return "warning", f"Not confirmed yet {runs} made before: {least} {wanted} new ones are needed to confirm this answer."
    if warm_up:
        return "warning", f"Still warming up {runs}: these numbers are a first guess only."
    return "warning", f"Not converged {runs}: treat these numbers as preliminary."


def chip(converged: bool, warm_up: bool, diagnostics: Mapping[str, float]) -> tuple[Level, str]:
    """The same in two or three words."""
    if BEST_FIT_FOUND in diagnostics:
        return ("ok", "Best fit found") if diagnostics[BEST_FIT_FOUND] else ("warning", "Best fit not found yet")
    if doubt_told(diagnostics) in ("far", "out of reach"):
        return "warning", "Far from the data"
    if diagnostics.get(CONFIRMED_IN_PART, 0.0):
        return "warning", "Confirmed in part"
    if not known_well(diagnostics.get("failing_mass", 0.0), diagnostics.get("edge_mass", 0.0)):
        return "warning", "Not to be relied on"
    if idle := told(diagnostics):
        return "warning", f"{len(idle)} without effect"
    if converged:
        return "ok", "Converged"
    if runs_to_confirm(converged, diagnostics):
        return "warning", "Not confirmed yet"
    return ("warning", "Still warming up") if warm_up else ("warning", "Not converged yet")


def runs_to_confirm(converged: bool, diagnostics: Mapping[str, float]) -> int:
    """About how many new runs would confirm an answer from runs made before; 0: none are needed, or that is not known."""
    wanted = diagnostics.get(WANTED_RUNS, 0.0)
    return round(wanted) if not converged and math.isfinite(wanted) and wanted > 0.0 else 0


def actions(
    converged: bool, evaluations: int, budget: int, diagnostics: Mapping[str, float], ranges: bool
) -> tuple[Action, ...]:
    """What the verdict advises and a button can do, the first first. ``ranges``: better plausible ranges are known.

    Neither more runs nor better ranges help where runs fail or the data are out of reach, and more runs do not cure the scatter
    of a random program whose seed is fixed; better ranges do not where the answer
    is converged, and what a run that was stopped early suggests may be far off; nor around a place whose best run misses the data
    by more than chance: the right one may lie elsewhere.
    """
    if diagnostics.get(BEST_FIT_FOUND, 0.0):
        return ("posterior",)
    fixed = FIXED_SEED in diagnostics and not converged
    found: list[Action] = ["own_error"] if fixed else []
    doubt = doubt_told(diagnostics)
    fails = diagnostics.get("failing_mass", 0.0) > FAILING_LIMIT or doubt == "out of reach"
    unreached = bool(tails_missed(diagnostics.get("pareto_k", math.nan)))  # draws are made anew, and further out, with more runs
    if (doubt == "far" or unreached if converged else evaluations >= budget) and not fails and not fixed:
        found.append("more_runs")
    if ranges and not converged and not fails and doubt == "none" and evaluations >= budget:
        found.append("use_ranges")
    return tuple(found)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
