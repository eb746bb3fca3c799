"""A new parameter for the size of the measurement errors: its name, its first prior, and the noise model that uses it. Pure."""

from __future__ import annotations

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem import placeholders, priors
from bayescope.engine.problem.checks.check_simulator import texts_with_placeholders
from bayescope.engine.problem.data.errors.measured_spread import spread
from bayescope.gui.models.parameters import fresh_name
from bayescope.gui.models.plain import one_line

# other ways to say it; a parameter replaces them
_SIZES = ("sd", "sd_column", "log_sd", "size", "scale", "scale_column", "percent")


def noise_of(problem: d.Problem, row: int | None) -> d.NoiseModel | None:
    """The noise model of the comparison ``row``; the common one for None."""
    if not isinstance(problem.meaning, d.Predictions):
        return None
    return problem.meaning.noise if row is None else problem.meaning.matches[row].noise


def proposed(problem: d.Problem, row: int | None) -> d.Parameter | None:
    """The parameter that could be made for the noise model of ``row`` (None: the common one); None if it learns none."""
    noise = noise_of(problem, row)
    taken = [p.name for p in problem.parameters] + _in_program(problem)
    match noise:
        case d.GaussianInferred() | d.StudentTNoise():
            prior: d.Prior = d.HalfNormal(scale=_spread(problem, row))
            name, label = "sigma", "Size of the measurement errors"
        case d.LogNormalNoise():
            prior = d.HalfNormal(scale=0.5)  # errors of some ten per cent, hardly more than a factor
            name, label = "sigma", "Size of the measurement errors (logarithm)"
        case d.NegativeBinomialNoise():
            prior = d.LogUniform(low=0.1, high=1000.0)  # from wild scatter to nearly Poisson
            name, label = "size", "Size of the negative binomial"
        case _:
            return None
    return d.Parameter(name=fresh_name(taken, name), label=label, prior=prior)


def with_new_parameter(problem: d.Problem, row: int | None) -> d.Problem:
    """``problem`` with the proposed parameter, which then is what the noise model of ``row`` learns."""
    parameter, noise, meaning = proposed(problem, row), noise_of(problem, row), problem.meaning
    if parameter is None or noise is None or not isinstance(meaning, d.Predictions):
        return problem
    learned = learning(noise, parameter.name)
    if row is None:
        meaning = msgspec.structs.replace(meaning, noise=learned)
    else:
        matches = list(meaning.matches)
        matches[row] = msgspec.structs.replace(matches[row], noise=learned)
        meaning = msgspec.structs.replace(meaning, matches=tuple(matches))
    return msgspec.structs.replace(problem, parameters=(*problem.parameters, parameter), meaning=meaning)


def learning(noise: d.NoiseModel, parameter: str) -> d.NoiseModel:
    """The model with its size as a ``parameter``, whatever else said how large it is."""
    others = {name: None for name in noise.__struct_fields__ if name in _SIZES}
    return msgspec.structs.replace(noise, parameter=parameter, **others)


def prior_words(problem: d.Problem, noise: d.NoiseModel) -> str:
    """What is believed of the parameter that ``noise`` learns, a sentence; empty if it learns none."""
    found = next((p for p in problem.parameters if p.name == getattr(noise, "parameter", None)), None)
    if found is None or found.fixed is not None:
        return ""
    return f"Prior of {one_line(found.name, 30)}: {priors.describe(found.prior)}. Change it on the Parameters page."


def _in_program(problem: d.Problem) -> list[str]:
    """Names that the program's input asks for, declared or not."""
    return [name for _, _, text in texts_with_placeholders(problem.simulator) for name, _, _ in placeholders.find(text)]


def _spread(problem: d.Problem, row: int | None) -> float:
    """How far the measured values are from each other, a size that their errors hardly exceed; two digits."""
    columns = problem.data.columns if problem.data is not None else {}
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    chosen = [m for m in matches if m.noise is None] if row is None else [matches[row]]
    spreads = [spread(np.array(columns[m.column], dtype=float)) for m in chosen if m.column in columns]
    return float(f"{max(spreads, default=1.0):.2g}")
