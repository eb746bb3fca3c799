"""Likelihoods of random simulators: repeats, summaries, kernels, and whether the program is given a seed."""

from __future__ import annotations

import math

from .. import definition as d
from ..findings import Finding, Findings, listed, shorten
from ..numbers.shown_digits import spoken
from ..placeholders import SEED, find
from ..runs_a_point import FEW_PER_NUMBER, FEWEST, PER_NUMBER, numbers_of
from .check_noise import check_column, check_scaling, positive
from .check_simulator import texts_with_placeholders

MANY_RUNS = 100_000
FEW_REPEATS = 5
FEW_SHRUNK = 6  # runs at a point: with fewer the noise of a log-likelihood whose correlations are shrunk has no finite size


def check_random(
    findings: Findings,
    meaning: d.SyntheticLikelihood | d.ApproximateBayes | d.InverseBinomial,
    problem: d.Problem,
    outputs: dict[str, d.Output],
) -> set[str]:
    """Findings about ``meaning``; the names of the outputs it uses."""
    if problem.data is None:
        findings.error("data", "There are no measured data to compare the simulations with.", "Load a data table.")
    _check_seed(findings, problem)
    if isinstance(meaning, d.InverseBinomial):
        return _check_trials(findings, meaning, problem, outputs)
    used, numbers = _check_summaries(findings, meaning.summaries, problem, outputs)
    _check_count(findings, "meaning.repeats", "number of repeats", meaning.repeats)
    if isinstance(meaning, d.SyntheticLikelihood):
        _check_synthetic(findings, meaning, numbers)
    else:
        _check_abc(findings, meaning)
    return used


def check_repeats(
    findings: Findings, meaning: d.LogLikelihoodOutput | d.LogPosteriorOutput, problem: d.Problem
) -> None:
    """Repeats of a noisy log-likelihood."""
    _check_count(findings, "meaning.repeats", "number of repeats", meaning.repeats)
    if meaning.repeats > 1:
        _check_seed(findings, problem)
        if meaning.repeats < FEW_REPEATS and meaning.noise_sd is None:
            findings.warning(
                "meaning.repeats", f"The spread of {meaning.repeats} runs tells little about their noise.",
                f"Use at least {FEW_REPEATS}; the noise check shows how many are worth it.",
            )  # fmt: skip
    if meaning.random and (meaning.noise_sd is not None or meaning.repeats > 1):
        findings.warning(
            "meaning.random", "The noise is said to be unknown, but a standard error or repeats are given too; they are used.",
            "Take the unknown noise away.",
        )  # fmt: skip


def check_scattered(findings: Findings, meaning: d.Predictions, problem: d.Problem) -> None:
    """Predictions with a statistical error of their own: only learnt outputs average it out."""
    settings = problem.settings
    if meaning.random and (settings.method != "default" or settings.options.get("learn") == "score"):
        findings.error(
            "meaning.random", "The outputs have a statistical error of their own, which is only averaged out where the outputs "
            "are learnt; the method chosen takes the log-likelihood of each run for exact.",
            "Choose the recommended method (Run, Settings), and do not let it learn the log density alone.",
        )  # fmt: skip


def seeded_but_exact(problem: d.Problem) -> Finding | None:
    """A program that gets a fresh random seed in every run, but whose values are declared as exact; None: it is not so."""
    places = [] if d.is_noisy(problem.meaning) else seed_places(problem)
    if not places or problem.settings.max_evaluations == 0:  # nothing is run then
        return None
    where, place = places[0]
    return Finding(
        "error", where, f"The program gets a new random seed in every run (@{SEED}@ in {place}), but its values are declared as "
        "exact: they would be believed to the last digit.", ways_out(problem.meaning), first=True,
    )  # fmt: skip


def ways_out(meaning: d.Meaning) -> str:
    """What to do with a random program that is declared as exact: say that it is random, or take its randomness away."""
    if isinstance(meaning, (d.LogLikelihoodOutput, d.LogPosteriorOutput)):
        how = (
            "say on the Simulator page, tab Meaning, that it is random (several runs at each point, the output with its standard "
            "error, or nothing says how much; in a problem file: repeats, noise_sd or random)"
        )
    elif isinstance(meaning, d.Predictions):
        how = (
            "say on the Simulator page, tab Meaning, that the outputs have a statistical error of their own, if what was "
            "measured is their average (Monte Carlo, molecular dynamics; in a problem file: random), or choose a meaning for "
            "random simulations there, if it scatters as they do (synthetic likelihood or ABC; in a problem file: kind "
            "synthetic_likelihood or abc)"
        )
    else:
        how = (
            "let it print the log-likelihood, choose that on the Simulator page, tab Meaning, and say there that it is random "
            "(in a problem file: kind log_likelihood with repeats, noise_sd or random)"
        )
    return f"Either {how}; or fix its seed: one number that stays the same, so that the same values give the same result."


def seed_places(problem: d.Problem) -> list[tuple[str, str]]:
    """(where, the place in words) of every text that asks for a random seed."""
    texts = texts_with_placeholders(problem.simulator)
    return [(where, place) for where, place, text in texts if any(name == SEED for name, _, _ in find(text))]


def _check_seed(findings: Findings, problem: d.Problem) -> None:
    if not seed_places(problem):
        findings.warning(
            "simulator.command", "The program is run several times at the same values, but gets no random seed.",
            f"If it takes a seed, write @{SEED}@ in its place: a new number in every run. If it seeds itself, all is well.",
        )  # fmt: skip


def _check_count(findings: Findings, where: str, words: str, count: int) -> None:
    if not 1 <= count <= MANY_RUNS:
        findings.error(where, f"The {words} is {count}; it must be between 1 and {MANY_RUNS:,}.")


def _check_summaries(
    findings: Findings, summaries: tuple[d.Summary, ...], problem: d.Problem, outputs: dict[str, d.Output]
) -> tuple[set[str], int | None]:
    """Outputs used; how many numbers the summaries are (None: not known before a run)."""
    used: set[str] = set()
    total: int | None = 0
    if not summaries:
        findings.error("meaning.summaries", "No output is compared with the data.", "Choose at least one summary.")
    for i, s in enumerate(summaries):
        where = f"meaning.summaries[{i}]"
        used.add(s.output)
        if s.output not in outputs:
            known = listed(list(outputs))
            findings.error(
                f"{where}.output", f"There is no output called “{shorten(s.output)}”.", f"Choose one of: {known}."
            )
        if problem.data is not None:
            check_column(findings, f"{where}.column", s.column, problem.data.columns)
        check_scaling(findings, where, s)
        used |= _check_key(findings, where, s, problem, outputs)
        _check_error(findings, where, s, summaries[:i], problem)
        count = _numbers_of(findings, where, s, problem)
        total = None if total is None or count is None else total + count
        if any(not (math.isfinite(v) and v > 0.0) for v in s.scale):
            findings.error(
                f"{where}.scale",
                "A scale of the summaries is not greater than zero.",
                "Run the noise check to get scales.",
            )
        elif count is not None and len(s.scale) not in (0, 1, count):
            findings.error(f"{where}.scale", f"The summary has {count} numbers, but {len(s.scale)} scales are given.")
    return used, total


def _check_key(
    findings: Findings, where: str, s: d.Summary, problem: d.Problem, outputs: dict[str, d.Output]
) -> set[str]:
    """The key of one summary, both sides of it; the output that it uses."""
    if (s.key_output is None) != (s.key_column is None):
        side = "key_column" if s.key_column is None else "key_output"
        findings.error(f"{where}.{side}", "A key needs an output and a data column.", "Give both, or none.")
    if s.key_output is not None and s.key_output not in outputs:
        findings.error(f"{where}.key_output", f"There is no output called “{shorten(s.key_output)}”.", "Choose another key.")
    if s.key_column is not None and problem.data is not None:
        check_column(findings, f"{where}.key_column", s.key_column, {**problem.data.columns, **problem.data.texts})
        if s.key_column in (*problem.data.columns, *problem.data.texts) and s.column in problem.data.columns:
            cells = problem.data.texts.get(s.key_column) or problem.data.columns.get(s.key_column, ())
            row = next((i for i, (y, k) in enumerate(zip(problem.data.columns[s.column], cells, strict=False), start=1)
                        if y is not None and k is None), None)  # fmt: skip
            if row is not None:
                findings.error(f"{where}.key_column", f"Row {row} was measured, but has no “{shorten(s.key_column)}”.")
    return {s.key_output} if s.key_output is not None else set()


def _check_error(
    findings: Findings, where: str, s: d.Summary, others: tuple[d.Summary, ...], problem: d.Problem
) -> None:
    """The measurement error of one summary; summaries of the same measured values share it."""
    if s.error_sd is not None and s.error_column is not None:
        findings.error(f"{where}.error_sd", "The measurement error is given in 2 ways.", "Keep the number or the column.")
    positive(findings, f"{where}.error_sd", "measurement error", s.error_sd)
    positive(findings, f"{where}.error_percent", "percentage of the measurement error", s.error_percent)
    columns = problem.data.columns if problem.data is not None else {}
    if s.error_column is not None and problem.data is not None:
        check_column(findings, f"{where}.error_column", s.error_column, columns)
        given, measured = columns.get(s.error_column, ()), columns.get(s.column, ())
        for row, (y, sd) in enumerate(zip(measured, given, strict=False), start=1):
            if y is not None and not (sd is not None and math.isfinite(sd) and sd > 0.0):
                shown = "missing" if sd is None else spoken(sd)
                findings.error(
                    f"{where}.error_column", f"Row {row} of column “{shorten(s.error_column)}” is {shown}; the measurement error "
                    "of a measured value must be greater than zero.", "Correct the table.",
                )  # fmt: skip
                break
    same = next((o for o in others if o.column == s.column), None)
    if same is not None and _error(same) != _error(s):
        findings.error(
            f"{where}.error_sd", f"Another summary of the column “{shorten(s.column)}” has another measurement error.",
            "The measured values have one error each: give all summaries of a column the same.",
        )  # fmt: skip


def _error(s: d.Summary) -> tuple[object, ...]:
    return s.error_sd, s.error_column, s.error_percent


def _numbers_of(findings: Findings, where: str, s: d.Summary, problem: d.Problem) -> int | None:
    match s.statistic:
        case "quantiles" if not s.levels or any(not 0.0 <= q <= 1.0 for q in s.levels):
            findings.error(
                f"{where}.levels", "Quantile levels must be numbers between 0 and 1.", "For example 0.1, 0.5, 0.9."
            )
        case "autocorrelation" if s.lags < 1:
            findings.error(f"{where}.lags", f"The number of lags is {s.lags}; it must be 1 or more.")
        case "histogram" if len(s.edges) < 2 or any(b <= a for a, b in zip(s.edges, s.edges[1:], strict=False)):
            findings.error(f"{where}.edges", "A histogram needs two or more bin edges, in rising order.")
        case "histogram" if len(s.edges) > 2:
            findings.warning(
                f"{where}.edges", "The shares of all bins add up to one or nearly so; the covariance can become singular.",
                "Leave the last bin out.",
            )  # fmt: skip
    return numbers_of(s, problem.data)


def _check_synthetic(findings: Findings, meaning: d.SyntheticLikelihood, numbers: int | None) -> None:
    if not 0.0 <= meaning.shrinkage <= 1.0:
        findings.error("meaning.shrinkage", f"The shrinkage is {spoken(meaning.shrinkage)}; it must be between 0 and 1.")
    elif meaning.shrinkage > 0.0 and meaning.estimator != "plain":
        findings.warning(
            "meaning.estimator", "With shrinkage the plain estimator is used; the unbiased ones do not allow for it.",
            "Choose the plain estimator, or no shrinkage.",
        )  # fmt: skip
    if numbers is None or meaning.repeats < 1:
        return
    if meaning.shrinkage > 0.0:
        _check_shrunk(findings, meaning, numbers)
    least, better = numbers + (2 if meaning.estimator == "plain" else 4), PER_NUMBER * numbers
    if meaning.shrinkage == 0.0 and meaning.repeats < least:
        findings.error(
            "meaning.repeats", f"{meaning.repeats} runs at each point are too few for the covariance of {numbers} summaries.",
            f"At least {least} are needed, better {better}; or use shrinkage.", better=better,
        )  # fmt: skip
    elif meaning.repeats < FEW_PER_NUMBER * numbers and meaning.shrinkage == 0.0:
        findings.warning(
            "meaning.repeats", f"{meaning.repeats} runs at each point are few for {numbers} summaries: the likelihood will be "
            "very noisy.", f"Better {better}, or fewer summaries.", better=better,
        )  # fmt: skip
    if meaning.repeats == 1:
        findings.error(
            "meaning.repeats", "One run per point cannot show the spread of the summaries.", "Use 50 or more."
        )


def _check_shrunk(findings: Findings, meaning: d.SyntheticLikelihood, numbers: int) -> None:
    """What is given up with the correlations, and that few runs do not tell the spread of each summary either."""
    if 1 < meaning.repeats < FEW_SHRUNK:
        findings.warning(
            "meaning.repeats", f"{meaning.repeats} runs at each point hardly tell the spread of a summary, correlations shrunk "
            "or not: now and then a log-likelihood will be far off, and its standard error with it.",
            f"At least {FEW_SHRUNK}, better {FEWEST} or more.", better=FEWEST,
        )  # fmt: skip
    if meaning.shrinkage == 1.0 and numbers > 1:
        findings.warning(
            "meaning.shrinkage", f"Shrunk by 1, the {numbers} numbers compared count as independent of each other: what several "
            "of them say together counts several times, and the answer may be much too narrow.",
            "Less shrinkage, with more runs at each point; or fewer summaries, which each say something else.",
        )  # fmt: skip


def _check_abc(findings: Findings, meaning: d.ApproximateBayes) -> None:
    positive(findings, "meaning.width", "width of the kernel", meaning.width)
    if meaning.width is None and not 0.0 < meaning.quantile <= 1.0:
        findings.error(
            "meaning.quantile",
            f"The share of runs within the width is {spoken(meaning.quantile)}; it must be between 0 and 1.",
        )
    if meaning.repeats == 1:
        findings.error("meaning.repeats", "One run per point gives no standard error for ABC.", "Use 100 or more.")
    elif meaning.width is None and meaning.repeats * meaning.quantile < 3 <= meaning.repeats:
        findings.warning(
            "meaning.quantile", f"The adaptive width rests on fewer than 3 of the {meaning.repeats} runs.",
            "Raise the repeats or the share.",
        )  # fmt: skip
    if len(meaning.summaries) > 1 and not all(s.scale for s in meaning.summaries):
        findings.warning(
            "meaning.summaries", "The distance adds summaries of different size as they are, because not all have a scale.",
            "Run the noise check: it gives the spread of each summary as its scale.",
        )  # fmt: skip


def _check_trials(
    findings: Findings, meaning: d.InverseBinomial, problem: d.Problem, outputs: dict[str, d.Output]
) -> set[str]:
    if meaning.output not in outputs:
        findings.error(
            "meaning.output", f"There is no output called “{shorten(meaning.output)}”.", "Choose one of the outputs."
        )
    if problem.data is not None:
        check_column(findings, "meaning.column", meaning.column, problem.data.columns)
    _check_count(findings, "meaning.most_repeats", "largest number of repeats", meaning.most_repeats)
    _check_count(findings, "meaning.rounds", "number of rounds", meaning.rounds)
    if meaning.most_repeats < 10:
        findings.warning(
            "meaning.most_repeats", f"With at most {meaning.most_repeats} runs most unlikely responses never come up, and the "
            "likelihood is overestimated.", "Allow 100 or more.",
        )  # fmt: skip
    return {meaning.output}
