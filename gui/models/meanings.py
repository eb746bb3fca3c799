"""What a simulator's outputs can mean, as the window offers it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bayescope.engine.problem import definition as d
from bayescope.gui.models.fields import Field

_OUTPUT = Field("output", "Output", "The output that holds this number.", "output")
_NOISE_SD = Field(
    "noise_sd",
    "Its standard error",
    "For random simulators: the output with the estimate's standard error.",
    "optional_output",
)


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
        (_OUTPUT, _NOISE_SD),
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
        (_OUTPUT, _NOISE_SD),
    ),
)


def kind_of(meaning: d.Meaning) -> MeaningKind:
    return next(k for k in MEANINGS if isinstance(meaning, k.kind))


def converted(problem: d.Problem, kind: MeaningKind) -> d.Meaning:
    """The meaning of this kind that keeps what can be kept of the present one."""
    now = problem.meaning
    if isinstance(now, kind.kind):
        return now
    first = problem.outputs[0].name if problem.outputs else ""
    output = getattr(now, "output", "") or first
    if kind.kind is d.Predictions:
        return first_predictions(problem)
    if kind.kind is d.SumOfSquares:
        return d.SumOfSquares(output=output, sd=1.0)
    if kind.kind is d.MinusTwoLogLikelihood:
        return d.MinusTwoLogLikelihood(output=output)
    noise_sd = getattr(now, "noise_sd", None)
    if kind.kind is d.LogPosteriorOutput:
        return d.LogPosteriorOutput(output=output, noise_sd=noise_sd)
    return d.LogLikelihoodOutput(output=output, noise_sd=noise_sd)


def first_predictions(problem: d.Problem) -> d.Predictions:
    """Outputs matched with data columns of the same name; a shared time or x column pairs the rows."""
    columns = dict.fromkeys(problem.data.columns) if problem.data else {}
    names = [o.name for o in problem.outputs if o.name in columns]
    keys = [n for n in names if n.lower() in ("t", "time", "x", "frequency", "freq", "position", "depth", "year")]
    key = keys[0] if keys and len(names) > 1 else None
    matches = tuple(d.Match(output=n, column=n, key_output=key, key_column=key) for n in names if n != key)
    return d.Predictions(matches=matches, noise=d.GaussianKnown(sd=1.0))
