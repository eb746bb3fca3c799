"""What a simulator's outputs can mean, as the window offers it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from bayescope.engine.problem import definition as d
from bayescope.gui.models.fields import Field

KEYS = ("t", "time", "x", "frequency", "freq", "position", "depth", "year")  # columns that say where, not what
_OUTPUT = Field("output", "Output", "The output that holds this number.", "output")
_NOISE_SD = Field(
    "noise_sd",
    "Its standard error",
    "For random simulators: the output with the estimate's standard error.",
    "optional_output",
)
_AVERAGES = (("log", "The log-likelihoods"), ("likelihood", "The likelihoods (particle filters)"))
_RANDOM = (
    Field("repeats", "Runs at each point", "More than 1: for random programs; their average counts.", "count"),
    Field("average", "What is averaged", "Over the runs at one point.", "choice", choices=_AVERAGES),
    Field("random", "It is random, and nothing says how much", "The size of its noise is then learned too.", "flag"),
)
_ESTIMATORS = (
    ("unbiased_log", "Unbiased for the log-likelihood (recommended)"),
    ("unbiased", "Unbiased for the likelihood"),
    ("plain", "Plain"),
)
_ERRORS = (("formula", "Formula"), ("bootstrap", "Resampling (bootstrap)"))
_KERNELS = (("gaussian", "Gradual (Gaussian)"), ("epanechnikov", "With a sharp end (Epanechnikov)"))


@dataclass(frozen=True)
class MeaningKind:
    kind: type[Any]
    title: str
    words: str
    fields: tuple[Field, ...] = ()

    @property
    def tag(self) -> str:
        return str(self.kind.__struct_config__.tag)


MEANINGS: tuple[MeaningKind, ...] = (
    MeaningKind(
        d.Predictions,
        "Predictions of what was measured",
        "The program computes what the instrument should have seen. Bayescope compares that with your data table.",
    ),
    MeaningKind(
        d.LogLikelihoodOutput,
        "The log-likelihood",
        "The program compares itself with the data already and prints ln p(data | parameters).",
        (_OUTPUT, _NOISE_SD, *_RANDOM),
    ),
    MeaningKind(
        d.MinusTwoLogLikelihood,
        "−2 × log-likelihood, or χ²",
        "The program prints χ² = −2 ln L; half of it with a minus sign is the log-likelihood.",
        (_OUTPUT,),
    ),
    MeaningKind(
        d.SumOfSquares,
        "A sum of squared deviations",
        "The program prints Σ (measured − computed)²; the errors are normal with a known standard deviation.",
        (
            _OUTPUT,
            Field("sd", "Standard deviation of the errors", "In the unit of the data.", "number"),
            Field(
                "count", "Number of data points", "How many were summed; needed for the evidence. 0: unknown.", "count"
            ),
        ),
    ),
    MeaningKind(
        d.LogPosteriorOutput,
        "The log-posterior (prior included)",
        "The program adds the logarithm of the prior itself. The priors declared here then only say where to look.",
        (_OUTPUT, _NOISE_SD, *_RANDOM),
    ),
    MeaningKind(
        d.SyntheticLikelihood,
        "Random simulations, summarized (synthetic likelihood)",
        "The program is random. It is run many times at each point; summaries of its outputs are taken as normal and compared "
        "with those of the data.",
        (
            Field("repeats", "Runs at each point", "More runs: less noise, more time.", "count"),
            Field("estimator", "Estimator", "How mean and covariance are used.", "choice", choices=_ESTIMATORS),
            Field(
                "shrinkage",
                "Shrink correlations",
                "0: not at all, 1: to none. Only with the plain estimator.",
                "number",
            ),
            Field(
                "standard_error",
                "Standard error by",
                "How the noise of the estimate is found.",
                "choice",
                choices=_ERRORS,
            ),
        ),
    ),
    MeaningKind(
        d.ApproximateBayes,
        "Random simulations near the data (ABC)",
        "The program is random. It is run many times at each point; what counts is how often it comes near the data.",
        (
            Field("repeats", "Runs at each point", "More runs: less noise, more time.", "count"),
            Field("kernel", "What counts as near", "The shape of the limit.", "choice", choices=_KERNELS),
            Field(
                "width", "How near", "In units of the summaries' scales. Empty: from the quantile.", "optional_number"
            ),
            Field(
                "quantile", "Or the nearest share", "The share of runs that counts, when no width is given.", "number"
            ),
        ),
    ),
    MeaningKind(
        d.InverseBinomial,
        "Random responses, trial by trial",
        "The data are responses in trials; the program simulates one per trial and runs until each measured one has come up.",
        (
            Field("output", "Output", "The simulated responses, one for each trial.", "output"),
            Field("column", "Measured responses", "The data column with the responses.", "data_column"),
            Field("most_repeats", "At most so many runs", "Then trials that never matched count as matched.", "count"),
            Field("rounds", "Averaged over", "More rounds: less noise, more time.", "count", "rounds"),
        ),
    ),
)


def kind_of(meaning: d.Meaning) -> MeaningKind:
    return next(k for k in MEANINGS if isinstance(meaning, k.kind))


def compares_with_data(meaning: d.Meaning) -> bool:
    """Whether the data table is needed."""
    return isinstance(meaning, d.Predictions | d.SyntheticLikelihood | d.ApproximateBayes | d.InverseBinomial)


def converted(problem: d.Problem, kind: MeaningKind) -> d.Meaning:
    """The meaning of this kind that keeps what can be kept of the present one."""
    now = problem.meaning
    if kind_of(now) is kind:
        return now
    first = problem.outputs[0].name if problem.outputs else ""
    output = getattr(now, "output", "") or first
    noise_sd = getattr(now, "noise_sd", None)
    made: d.Meaning
    if kind.kind is d.Predictions:
        made = first_predictions(problem)
    elif kind.kind is d.SumOfSquares:
        made = d.SumOfSquares(output=output, sd=1.0)
    elif kind.kind is d.MinusTwoLogLikelihood:
        made = d.MinusTwoLogLikelihood(output=output)
    elif kind.kind is d.LogPosteriorOutput:
        made = d.LogPosteriorOutput(output=output, noise_sd=noise_sd)
    elif kind.kind is d.SyntheticLikelihood:
        made = d.SyntheticLikelihood(summaries=first_summaries(problem))
    elif kind.kind is d.ApproximateBayes:
        made = d.ApproximateBayes(summaries=first_summaries(problem))
    elif kind.kind is d.InverseBinomial:
        columns = list(problem.data.columns) if problem.data else []
        made = d.InverseBinomial(
            output=output, column=output if output in columns else (columns[-1] if columns else "")
        )
    else:
        made = d.LogLikelihoodOutput(output=output, noise_sd=noise_sd)
    return made


def first_summaries(problem: d.Problem) -> tuple[d.Summary, ...]:
    """The summaries there are, else one for each output that a data column is named like."""
    present = getattr(problem.meaning, "summaries", ())
    columns = problem.data.columns if problem.data else {}
    return present or tuple(d.Summary(output=o.name, column=o.name) for o in problem.outputs if o.name in columns)


def first_predictions(problem: d.Problem) -> d.Predictions:
    """Outputs matched with data columns of the same name; a shared time or x column pairs the rows.

    Where names do not tell and one output and one column are left, these two are compared. The size of the errors is left open
    (nobody but the user knows it), except where a column says it by its name.
    """
    columns = list(problem.data.columns) if problem.data else []
    sds = [c for c in columns if _says_sd(c)]
    outputs = [o.name for o in problem.outputs]
    shared = [n for n in outputs if n in columns and n not in sds]
    keys = [n for n in shared if n.lower() in KEYS]
    key = keys[0] if keys and len(outputs) > 1 and len(columns) - len(sds) > 1 else None
    pairs = [(n, n) for n in shared if n != key]
    left = [o for o in outputs if o != key and o not in columns]
    free = [c for c in columns if c != key and c not in outputs and c not in sds]
    if len(left) == 1 and len(free) == 1 and not pairs:
        pairs = [(left[0], free[0])]
    sd = {c: next((s for s in sds if s.lower().startswith(c.lower())), sds[0] if len(pairs) == 1 and sds else None)
          for _, c in pairs}  # fmt: skip
    matches = tuple(d.Match(output=o, column=c, key_output=key, key_column=key, sd_column=sd[c]) for o, c in pairs)
    return d.Predictions(matches=matches, noise=d.GaussianKnown())


def _says_sd(column: str) -> bool:
    """Whether a column's name says that it holds standard deviations: sd, sigma, gain_error."""
    return re.split(r"[^a-z]+", column.lower())[-1] in ("sd", "sigma", "std", "err", "error", "errors", "uncertainty")
