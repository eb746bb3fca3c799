"""What is handed to ``infer_outputs`` as a problem: every slip is a ValueError in words, before anything is run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, get_args

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..problem import definition as d
from ..problem.checks import validate
from ..problem.checks.check_simulator import noise_parameters
from ..problem.data.rows.censored import Cells, read
from ..problem.findings import shorten
from ..problem.numbers.number_text import value_of
from ..problem.placeholders import normal
from .arguments import numeric

Array = NDArray[np.float64]
ONE = "output"  # the name of the only output, where there is one without a name
Noise = d.NoiseModel | float | Mapping[str, d.NoiseModel | float]
Priors = Mapping[str, d.Prior | tuple[float, float]]


def problem_of(
    data: ArrayLike | Mapping[str, ArrayLike], noise: Noise, priors: Priors, plausible: Mapping[str, tuple[float, float]],
    random: bool = False,
) -> d.Problem:
    """The problem of a function that returns vectors named as in ``data``. Raises ValueError."""
    measured, limits = measured_vectors(data)
    models = _noise(noise, list(measured))
    common = models[next(iter(models))]
    matches = tuple(d.Match(output=n, column=n, noise=None if len(models) == 1 else models[n]) for n in measured)
    longest = max(len(v) for v in measured.values())
    padded = {n: [*v.tolist(), *[math.nan] * (longest - len(v))] for n, v in measured.items()}
    columns = {n: tuple(None if math.isnan(x) else x for x in v) for n, v in padded.items()}
    beyond = {n: (*cells, *[None] * (longest - len(cells))) for n, cells in limits.items()}
    parameters = tuple(_parameter(name, prior, plausible.get(name)) for name, prior in _named(priors, "priors").items())
    meaning = d.Predictions(matches=matches, noise=common, random=random)
    outputs = tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in measured)
    command = ("function",)
    problem = d.Problem(
        name="infer_outputs", parameters=parameters, simulator=d.Simulator(command=command), outputs=outputs, meaning=meaning,
        data=d.DataTable(columns=columns, limits=beyond),
    )  # fmt: skip
    alone = noise_parameters(problem)
    given = tuple(f"@{p.name}@" for p in parameters if normal(p.name) not in alone)
    problem = msgspec.structs.replace(problem, simulator=d.Simulator(command=(*command, *given)))
    for name in plausible:
        if name not in priors:
            raise ValueError(f"plausible: there is no parameter “{name}”; there are {', '.join(priors)}.")
    wrong = [f for f in validate.check(problem) if f.level == "error"]
    if wrong:
        raise ValueError(" ".join(f"{f.where}: {f.message} {f.suggestion}".rstrip() for f in wrong[:3]))
    return problem


def measured_vectors(data: object) -> tuple[dict[str, Array], dict[str, Cells]]:
    """Vectors by name, nan where nothing was measured or only a limit is known ("<0.05", ">200"), and these limits by name, None
    elsewhere. Raises ValueError."""
    named = data if isinstance(data, Mapping) else {ONE: data}
    limits: dict[str, Cells] = {}
    numbers: dict[str, object] = {}
    for name, value in named.items():
        entries = value.tolist() if isinstance(value, np.ndarray) and value.ndim == 1 else value
        if not isinstance(entries, list | tuple) or not any(isinstance(one, str) for one in entries):
            numbers[name] = value
            continue
        numbers[name] = [_number(one) for one in entries]
        limits[str(name)] = tuple(one.strip() if isinstance(one, str) and read(one.strip()) else None for one in entries)
    found = vectors(numbers if isinstance(data, Mapping) else numbers[ONE], "data")
    return found, {name: cells for name, cells in limits.items() if any(cells)}


def _number(entry: object) -> object:
    """What stands for an entry of data among numbers: of a limit nan, of a number in words the number."""
    if not isinstance(entry, str):
        return entry
    if read(entry.strip()) is not None:
        return math.nan
    value = value_of(entry.strip(), False)
    if value is None:
        raise ValueError(f"data: “{shorten(entry, 40)}” is no number, and no limit such as <0.05 or >200.")
    return value


def vectors(found: object, what: str) -> dict[str, Array]:
    """Vectors by name, nan allowed; a single one is called ONE. Raises ValueError."""
    named = found if isinstance(found, Mapping) else {ONE: found}
    if not named:
        raise ValueError(f"{what} is empty.")
    result = {}
    for name, value in named.items():
        array = np.atleast_1d(numeric(value, f"{what} “{name}”" if isinstance(found, Mapping) else what))
        if array.ndim != 1 or not len(array):
            raise ValueError(f"{what}: “{name}” must be one number or a vector; its shape is {array.shape}.")
        result[str(name)] = array
    return result


def _noise(noise: object, names: list[str]) -> dict[str, d.NoiseModel]:
    """By output; a single one under the first name if all share it."""
    if not isinstance(noise, Mapping):
        return {names[0]: _model(noise, "noise")}
    missing = [n for n in names if n not in noise]
    unknown = [str(n) for n in noise if n not in names]
    if missing or unknown:
        of = f"“{missing[0]}” has none" if missing else f"“{unknown[0]}” is not in the data"
        raise ValueError(f"noise must have one entry for each output in the data: {of}.")
    return {n: _model(noise[n], f"noise of “{n}”") for n in names}


def _model(noise: Any, what: str) -> d.NoiseModel:
    if isinstance(noise, get_args(d.NoiseModel)):
        return noise  # type: ignore[no-any-return]
    if isinstance(noise, bool) or not isinstance(noise, int | float | np.integer | np.floating) or not 0.0 < noise < math.inf:
        kinds = ", ".join(kind.__name__ for kind in get_args(d.NoiseModel))
        raise ValueError(f"{what} must be a standard deviation above zero or one of {kinds}; it is {noise!r:.80}.")
    return d.GaussianKnown(sd=float(noise))


def _parameter(name: str, prior: object, plausible: tuple[float, float] | None) -> d.Parameter:
    if isinstance(prior, tuple | list) and len(prior) == 2:
        low, high = (float(x) for x in numeric(prior, f"priors, {name}"))
        prior = d.Uniform(low=low, high=high)
    if not isinstance(prior, get_args(d.Prior)):
        kinds = ", ".join(kind.__name__ for kind in get_args(d.Prior))
        raise ValueError(f"priors, {name}: must be (low, high) or one of {kinds}; it is {prior!r:.80}.")
    given = None if plausible is None else tuple(float(x) for x in numeric(plausible, f"plausible, {name}"))
    return d.Parameter(name=name, prior=prior, plausible=given)  # type: ignore[arg-type]


def _named(found: object, what: str) -> dict[str, Any]:
    if not isinstance(found, Mapping) or not found:
        raise ValueError(f"{what} must be a dictionary of names; it is {found!r:.80}.")
    return {str(name): value for name, value in found.items()}
