"""How random is the simulator? Runs at one point: the spread of the log-likelihood, how well it is known.

For meanings that need many runs per likelihood (synthetic likelihood, ABC) the same runs also give the spread of every summary,
which serves as its scale.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..answer.digits import plain, rough, with_error
from ..likelihood import inverse_binomial, summaries
from ..likelihood.evaluate import LikelihoodError, log_likelihood, measured_responses, synthetic_estimate
from ..problem import definition as d
from ..problem.checks.check_random import ways_out
from ..problem.data.rows.compared import predictions
from ..problem.data.rows.comparison import ComparisonError
from ..problem.findings import shorten
from ..problem.numbers.shown_digits import spoken
from ..protocol import NoiseReport
from ..session import trial_folders
from ..session.trust.consent import Permit
from .repeated import Plan, repeat_seed, run_repeated
from .run_result import Cancel
from .runner import Attempt
from .summary_faults import faults_of

Array = NDArray[np.float64]

RUNS = 20
GOOD_ENOUGH = 1.5  # sd of the log-likelihood that needs no more repeats
NOT_GAUSSIAN = 0.01  # p-value of the Shapiro-Wilk test below which the noise is not called Gaussian
RELIABLE_RUNS = 8
STATED_OFF = 1.5  # beyond the interval of the measured spread, from which on a stated standard error is another one
MOST_TIMES = 1e6
MUCH_SCATTER = 2.0  # times the measurement's error, from which on most runs are made to average the scatter out
LEARNT = "One run at each point will do: the scatter is learnt from all runs, and averaged out over them."
LONGER = (
    "It is large: longer averages inside the program (more steps, more samples) may pay off, for a run that scatters half as "
    "much counts as four."
)


def noise_check(
    problem: d.Problem,
    values: Mapping[str, float],
    base: Path,
    runs: int = RUNS,
    *,
    permit: Permit,
    cancel: Cancel | None = None,
    progress: Callable[[int, int], None] | None = None,
    attempt: Attempt | None = None,
) -> NoiseReport:
    """``runs`` runs of the simulator of ``problem`` at ``values`` (user's units). Never raises for a simulator's fault.

    ``progress`` gets the number of runs that have ended and how many there will be at most; ``attempt`` as for ``run_once``.
    """
    everything = {p.name: p.fixed for p in problem.parameters if p.fixed is not None} | dict(values)
    runs = max(1, runs)
    measured = None
    if isinstance(problem.meaning, d.InverseBinomial):
        runs = max(runs, problem.meaning.most_repeats)
        try:
            measured = measured_responses(problem, problem.meaning.column)
        except LikelihoodError as error:
            return NoiseReport(runs=0, good=0, words=(str(error),))
    rounds = getattr(problem.meaning, "rounds", 1)
    plan = Plan(runs, 1, getattr(problem.meaning, "output", ""), measured, rounds)
    result = run_repeated(
        problem.simulator, problem.outputs, everything, plan=plan, permit=permit, folder=trial_folders.new() / "noise", base=base,
        seed=repeat_seed(problem.settings.seed, runs), cancel=cancel, progress=progress,
        attempt=attempt,
    )  # fmt: skip
    if result.outcome != "ok":
        return NoiseReport(runs=runs, good=0, words=(result.reason,))
    outputs = {name: np.atleast_2d(v) for name, v in result.outputs.items()}
    good = len(next(iter(outputs.values()))) if outputs else 0
    report = NoiseReport(runs=result.attempts, good=good, duration_s=result.duration_s, words=result.notes)
    if good > 1 and all(summaries.identical(np.nan_to_num(v, nan=0.0)) for v in outputs.values()):
        return msgspec.structs.replace(report, identical=True, words=(*report.words, summaries.same_in_all(good)))
    try:
        report = _judged(problem, everything, outputs, report)
    except (LikelihoodError, ComparisonError) as error:
        return msgspec.structs.replace(report, words=(*report.words, str(error)))
    if report.sd and not d.is_noisy(problem.meaning):
        said = f"The program is random, but its values are declared as exact. {ways_out(problem.meaning)}"
        return msgspec.structs.replace(report, words=(said, *report.words))
    return report


def _judged(
    problem: d.Problem, values: Mapping[str, float], outputs: dict[str, Array], report: NoiseReport
) -> NoiseReport:
    meaning = problem.meaning
    if isinstance(meaning, (d.SyntheticLikelihood, d.ApproximateBayes)):
        return _of_summaries(problem, meaning, outputs, report)
    if isinstance(meaning, d.InverseBinomial):
        runs = outputs[meaning.output]
        value, sd = inverse_binomial.log_likelihood(runs, measured_responses(problem, meaning.column), meaning.rounds)
        rounds = needed(sd, meaning.rounds)
        words = (f"The log-likelihood is {with_error(value, sd)} (one standard error) from {len(runs)} runs.",)
        return msgspec.structs.replace(
            report, values=(value,), sd=sd, repeats_needed=rounds,
            words=(*report.words, *words, _advice(sd, meaning.rounds, rounds, "rounds")),
        )  # fmt: skip
    if d.is_scattered(meaning):
        return _of_predictions(problem, values, outputs, report)
    found = _of_values(np.array(_each_run(problem, values, outputs, report.good)), report)
    return _beside_stated(meaning, outputs, found)


def _of_predictions(
    problem: d.Problem, values: Mapping[str, float], outputs: dict[str, Array], report: NoiseReport
) -> NoiseReport:
    """How much the values themselves scatter, beside the measurement's error: they are learnt, each from one run."""
    runs = [predictions(problem, {n: v[i][~np.isnan(v[i])] for n, v in outputs.items()}, values) for i in range(report.good)]
    if len(runs) < 2:
        return report
    found = []
    for same in zip(*runs, strict=True):
        rows = same[0].present
        size = _rms(np.array([c.prediction[rows] for c in same]).std(0, ddof=1))
        error = None if same[0].sd is None else _rms(same[0].sd[rows])
        found.append((same[0].match.column, size, error))
    ratio = max((size / error for _, size, error in found if error), default=0.0)
    of = [""] if len(found) == 1 else [f" of “{shorten(column)}”" for column, _, _ in found]
    said = [
        f"a value{what} scatters by {rough(size)}" + (f", the measurement's error is {rough(error)}" if error else "")
        for what, (_, size, error) in zip(of, found, strict=True)
    ]
    words = f"By {len(runs)} runs at one point {'; '.join(said)}."
    advice = LEARNT if ratio < MUCH_SCATTER else f"{LEARNT} {LONGER}"
    return msgspec.structs.replace(report, scatter=words, scatter_is_large=ratio >= MUCH_SCATTER, words=(*report.words, advice))


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(np.square(values)))) if len(values) else 0.0


def _each_run(problem: d.Problem, values: Mapping[str, float], outputs: dict[str, Array], good: int) -> list[float]:
    """The log-likelihood of every run by itself."""
    if isinstance(problem.meaning, (d.LogLikelihoodOutput, d.LogPosteriorOutput)):
        problem = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, repeats=1))
    return [
        log_likelihood(problem, {n: v[i][~np.isnan(v[i])] for n, v in outputs.items()}, values)[0] for i in range(good)
    ]


def _of_values(x: Array, report: NoiseReport) -> NoiseReport:
    """Spread of single log-likelihoods, its 95 % interval by the chi-square law, normality, repeats for an sd near 1."""
    from scipy import stats

    n = len(x)
    if n < 2:
        alone = "One good run shows nothing of the noise; make the check with at least 8 runs."
        return msgspec.structs.replace(report, values=tuple(x.tolist()), words=(*report.words, alone))
    sd = float(x.std(ddof=1))
    low, high = (sd * math.sqrt((n - 1) / float(stats.chi2(n - 1).ppf(p))) for p in (0.975, 0.025))
    gaussian: bool | None = None
    words = [
        f"The log-likelihood varies by ± {spoken(sd, 3)} from run to run (mean {plain(float(x.mean()), sd)}, {n} runs). "
        f"The true spread lies between {spoken(low, 2)} and {spoken(high, 2)} with 95 % probability."
    ]
    if n >= RELIABLE_RUNS and sd > 0.0:
        gaussian = bool(stats.shapiro(x).pvalue >= NOT_GAUSSIAN)
        words.append(
            "The noise of the log-likelihood looks normal, as the method assumes."
            if gaussian
            else _not_gaussian(float(stats.skew(x)))
        )
    elif n < RELIABLE_RUNS:
        words.append(f"{n} runs are too few to see whether the noise is normal; {RUNS} would do.")
    repeats = needed(sd, 1)
    words.append(_advice(sd, 1, repeats, "repeats"))
    return msgspec.structs.replace(
        report, values=tuple(x.tolist()), sd=sd, sd_low=low, sd_high=high, gaussian=gaussian, repeats_needed=repeats,
        words=(*report.words, *words),
    )  # fmt: skip


def _beside_stated(meaning: d.Meaning, outputs: Mapping[str, Array], report: NoiseReport) -> NoiseReport:
    """With the standard error that the program states (rms over the runs), and what is wrong with it, where it is far from the
    spread that the runs have."""
    name: str | None = getattr(meaning, "noise_sd", None)
    sd, low, high = report.sd, report.sd_low, report.sd_high
    if name is None or name not in outputs or sd is None or low is None or high is None:
        return report
    stated = _rms(outputs[name][np.isfinite(outputs[name])])
    report = msgspec.structs.replace(report, stated=stated)
    if sd == 0.0 or low / STATED_OFF <= stated <= high * STATED_OFF:
        return report
    times = stated / sd if stated > sd else sd / max(stated, 1e-300)
    size = f"{rough(times)} times too {'large' if stated > sd else 'small'}" if times < MOST_TIMES else "far too small"
    said = f"(“{shorten(name)}”, {spoken(stated, 3)})"
    words = f"The standard error that the program states {said} is {size}: its values scatter by "
    return msgspec.structs.replace(report, stated_off=f"{words}{rough(sd)} from run to run.")


def _not_gaussian(skew: float) -> str:
    side = (
        "long tails"
        if abs(skew) < 0.7
        else "a long tail towards low values"
        if skew < 0
        else "a long tail towards high values"
    )
    return (
        f"The noise of the log-likelihood is not normal: it has {side}. Averages of more repeats are closer to normal; "
        "the run settings can let values far off count less (option “robust”)."
    )


def _of_summaries(
    problem: d.Problem,
    meaning: d.SyntheticLikelihood | d.ApproximateBayes,
    outputs: dict[str, Array],
    report: NoiseReport,
) -> NoiseReport:
    from scipy import stats

    c = summaries.compared(problem, meaning, outputs)
    every, names = c.simulated, c.names
    error = np.zeros(len(names)) if c.error is None else np.diag(c.error)
    spread = every.std(0, ddof=1) if len(every) > 1 else np.zeros(every.shape[1])
    words = [
        f"Spread of the summaries over {len(every)} runs: "
        + ", ".join(f"{n} ± {spoken(s, 3)}" for n, s in list(zip(names, spread, strict=True))[:12])
        + "."
    ]
    flat = [n for n, s, e in zip(names, spread, error, strict=True) if s == 0.0 and e == 0.0]
    missed = summaries.never_reached(every, c.measured) & (error == 0.0)
    if missed.any() and len(every) > 1:
        i = int(np.argmax(missed))
        words.append(f"{summaries.same_but(names[i], every[:, i], float(c.measured[i]))} {summaries.OTHER_RANGES}")
    elif flat:
        words.append(f"The {flat[0]} is the same in every run; leave it out, or its covariance will be singular.")
    gaussian: bool | None = None
    if len(every) >= RELIABLE_RUNS and not flat:
        random = [i for i in range(len(names)) if spread[i] > 0.0]
        worst = min(random, key=lambda i: float(stats.shapiro(every[:, i]).pvalue))
        gaussian = bool(stats.shapiro(every[:, worst]).pvalue >= NOT_GAUSSIAN / len(names))
        if isinstance(meaning, d.SyntheticLikelihood):
            words.append(
                "The summaries look normal, as the synthetic likelihood assumes."
                if gaussian
                else f"The {names[worst]} is not normal over the runs, as the synthetic likelihood assumes; "
                "another summary may do better."
            )
    counts = tuple(len(x) for x in summaries.observed(problem, meaning.summaries))
    report = msgspec.structs.replace(
        report, summary_names=tuple(names), summary_spread=tuple(spread.tolist()), gaussian=gaussian, summary_counts=counts,
        faults=faults_of(meaning, every, c.measured, names, error, counts), words=(*report.words, *words),
    )  # fmt: skip
    try:
        if isinstance(meaning, d.SyntheticLikelihood):
            value, sd, bootstrap = synthetic_estimate(problem, meaning, outputs)
            told = f"{spoken(sd, 2)} by its formula, {spoken(bootstrap(), 2)} by bootstrap"
        else:
            value, sd = log_likelihood(problem, outputs, {})
            told = spoken(sd, 2)
    except LikelihoodError as error:
        return msgspec.structs.replace(report, words=(*report.words, str(error)))
    now = sd * math.sqrt(len(every) / meaning.repeats)
    repeats = needed(sd, len(every))
    found = (
        f"From these {len(every)} runs the log-likelihood is {spoken(value, 4)}; standard error {told}. "
        f"With {meaning.repeats} repeats it would be about {spoken(now, 2)}."
    )
    return msgspec.structs.replace(
        report, values=(value,), sd=now, repeats_needed=repeats,
        words=(*report.words, found, _advice(now, meaning.repeats, repeats, "repeats")),
    )  # fmt: skip


def needed(sd: float, repeats: int) -> int:
    """Repeats that bring the sd of the average near 1, if ``repeats`` give ``sd`` (sd falls with their square root)."""
    return max(1, math.ceil(repeats * sd * sd - 1e-9)) if math.isfinite(sd) else 1


def _advice(sd: float, repeats: int, enough: int, noun: str) -> str:
    if sd <= GOOD_ENOUGH:
        return f"That is little enough: {repeats} {noun if repeats > 1 else noun[:-1]} per point will do."
    tail = " That is a lot; a less noisy estimate, or better summaries, would pay off." if enough > 1000 else ""
    return (
        f"About {enough} {noun} per point would bring it near 1. The method also works with a standard error up to about 3 "
        f"({max(1, math.ceil(enough / 9))} {noun}), with more points instead.{tail}"
    )
