"""Everything that contradicts itself in a problem, said in sentences before anything runs."""

from __future__ import annotations

import math
from pathlib import Path

from .. import definition as d
from ..definition.declared import METHOD_NAMES
from ..errors import ProblemError
from ..findings import MAX_TEXT, Finding, Findings
from ..method_options import OptionError, option_named, record_of
from ..numbers.shown_digits import spoken
from ..transforms import ParameterSpace
from .check_meaning import check_data, check_meaning
from .check_outputs import check_outputs
from .check_parameters import check_parameters
from .check_random import seeded_but_exact
from .check_simulator import check_simulator

__all__ = ["Finding", "check"]

OPTIONS_ARE = "They are in the run settings: Run, Settings, Options of the method."
EXACT_METHODS = {"laplace": "Laplace's approximation", "slice": "Slice sampling"}


def check(problem: d.Problem, folder: Path | None = None) -> list[Finding]:
    """All findings, errors first, in the order of the declaration. ``folder``: where relative paths start (None: files
    are not looked for). Never raises for a wrong problem; an analysis may start if no finding is an error.
    """
    findings = Findings()
    _check_problem(findings, problem)
    check_parameters(findings, problem)
    check_simulator(findings, problem, folder)
    check_outputs(findings, problem)
    check_data(findings, problem)
    check_meaning(findings, problem)
    seeded = seeded_but_exact(problem)
    findings.found += [] if seeded is None else [seeded]
    _check_settings(findings, problem)
    _check_options(findings, problem)
    _check_starts(findings, problem)
    return sorted(dict.fromkeys(findings.found), key=lambda f: f.level != "error")


def _check_problem(findings: Findings, problem: d.Problem) -> None:
    if not problem.name.strip():
        findings.warning("name", "The problem has no name.", "Give it one; it stands on reports.")
    elif len(problem.name) > MAX_TEXT:
        findings.error("name", f"The name of the problem has more than {MAX_TEXT} characters.", "Shorten it.")
    if problem.format_version > d.FORMAT_VERSION:
        findings.error("format_version", "The problem was made with a newer version of Bayescope.", "Update Bayescope.")


def _check_starts(findings: Findings, problem: d.Problem) -> None:
    """Starting points that the first runs can be made at."""
    starts = problem.settings.starts
    if len(starts) > d.MOST_STARTS:
        findings.error("settings.starts", f"There are {len(starts):,} starting points; {d.MOST_STARTS} at most are of use.")
    try:
        space = ParameterSpace(problem.parameters) if starts else None
    except ProblemError:
        return  # what is wrong with the parameters is said of them
    for k, start in enumerate(starts[: d.MOST_STARTS], 1):
        for p, low, high in [] if space is None else zip(space.parameters, space.lower, space.upper, strict=True):
            value = start.get(p.name)
            if value is None or not math.isfinite(value):
                findings.error("settings.starts", f"Starting point {k} has no value of {p.label or p.name}.")
            elif not low < value < high:
                findings.error(
                    "settings.starts",
                    f"Starting point {k}: {p.label or p.name} is {spoken(value)}; it can lie between {spoken(low)} and "
                    f"{spoken(high)}.",
                    "Change the value, or the parameter's bounds.",
                )  # fmt: skip


def _check_options(findings: Findings, problem: d.Problem) -> None:
    """Every option of the method that does not come with it, or cannot be what it is."""
    record = record_of(problem.settings.method, d.is_estimate(problem.meaning))
    if record is None:
        return
    for name, value in problem.settings.options.items():
        try:
            option_named(record, name).checked(value, record.METHOD)
        except OptionError as error:
            findings.error("settings.options", str(error), OPTIONS_ARE)


def _check_settings(findings: Findings, problem: d.Problem) -> None:
    settings = problem.settings
    for field, words, most in (("max_evaluations", "number of runs", 1_000_000), ("workers", "number of runs at once", 256)):
        value = getattr(settings, field)
        least = 0 if field == "max_evaluations" and settings.method == "svbmc" else 1  # imported evaluations may be enough
        if not least <= value <= most:
            findings.error(f"settings.{field}", f"The {words} is {value}; it must be between {least} and {most:,}.")
    if not 0 <= settings.seed < 2**32:
        findings.error("settings.seed", f"The seed {settings.seed} must be between 0 and {2**32 - 1}.")
    if settings.max_hours is not None and not (math.isfinite(settings.max_hours) and settings.max_hours > 0.0):
        findings.error(
            "settings.max_hours", f"The time limit is {spoken(settings.max_hours)} hours; it must be greater than zero."
        )
    if settings.method not in METHOD_NAMES:
        findings.warning(
            "settings.method", f"The method “{settings.method}” does not come with this version of Bayescope.",
            "Choose the recommended method, unless you added this one yourself.",
        )  # fmt: skip
    if settings.goal == "best_fit" and (settings.method != "default" or d.is_noisy(problem.meaning)):
        findings.error(
            "settings.goal", "The best fit alone is looked for by the recommended method, of programs that are not random.",
            "Choose the posterior as the goal; the best fit is shown with every answer.",
        )  # fmt: skip
    if settings.method in EXACT_METHODS and d.is_estimate(problem.meaning):
        findings.warning(
            "settings.method",
            f"{EXACT_METHODS[settings.method]} takes log-likelihoods for exact, and those of this problem are random.",
            "Choose the recommended method; it knows about noise.",
        )  # fmt: skip
    free = len(d.free_parameters(problem))
    if settings.method == "slice" and settings.max_evaluations < 500 * free:
        findings.warning(
            "settings.max_evaluations", f"{settings.max_evaluations} runs are too few for Markov chains, which need thousands.",
            f"Allow {2500 * free:,} or more, or choose the recommended method.",
        )  # fmt: skip
    first = free + 4  # the initial design of the default method
    if settings.method not in ("svbmc", "slice") and 1 <= settings.max_evaluations < 2 * first and free:
        findings.warning(
            "settings.max_evaluations", f"{settings.max_evaluations} runs are few for {free} free parameters: the first {first} "
            "only look around.", f"Allow at least {10 * first} if you can.",
        )  # fmt: skip
