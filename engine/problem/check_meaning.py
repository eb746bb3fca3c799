"""What the outputs mean, the data they are compared with, and the noise model."""

from __future__ import annotations

import math

import numpy as np

from . import definition as d
from . import priors
from .errors import ProblemError
from .findings import Findings, shorten

MAX_COVARIANCE = 2_000


def check_meaning(findings: Findings, problem: d.Problem) -> None:
    meaning = problem.meaning
    outputs = {o.name: o for o in problem.outputs}
    used: set[str] = set()
    if isinstance(meaning, d.Predictions):
        used = _check_matches(findings, meaning, problem, outputs)
        _check_noise(findings, meaning, problem)
    else:
        used = _check_scalar(findings, "meaning.output", meaning.output, outputs)
        noise_sd = getattr(meaning, "noise_sd", None)
        if noise_sd is not None:
            used |= _check_scalar(findings, "meaning.noise_sd", noise_sd, outputs)
        if noise_sd == meaning.output:
            findings.error("meaning.noise_sd", f"The output '{shorten(meaning.output)}' cannot be its own standard error.")
    if isinstance(meaning, d.SumOfSquares):
        _positive(findings, "meaning.sd", "standard deviation", meaning.sd)
        if meaning.count < 0:
            findings.error("meaning.count", f"The number of data points is {meaning.count}.", "Enter how many were summed.")
        elif meaning.count == 0:
            findings.warning(
                "meaning.count", "The number of data points behind the sum of squares is not given, so the evidence lacks "
                "a constant.", "Enter it if you compare models by their evidence.",
            )  # fmt: skip
    for name in outputs:
        if name not in used:
            findings.warning(f"outputs.{name}", f"The output '{shorten(name)}' is read but not used.", "It may stay.")


def _check_scalar(findings: Findings, where: str, name: str, outputs: dict[str, d.Output]) -> set[str]:
    output = _output(findings, where, name, outputs)
    if output is not None and output.length is not None and output.length != 1:
        findings.error(where, f"The output '{shorten(name)}' has {output.length} values; a single number is needed here.")
    return {name}


def _output(findings: Findings, where: str, name: str, outputs: dict[str, d.Output]) -> d.Output | None:
    if name in outputs:
        return outputs[name]
    if not name.strip():
        findings.error(where, "No output is chosen.", "Choose one of the outputs.")
    else:
        known = ", ".join(shorten(n, 20) for n in list(outputs)[:8])
        hint = f"Choose one of: {known}." if known else "Define the output first."
        findings.error(where, f"There is no output called '{shorten(name)}'.", hint)
    return None


def _positive(findings: Findings, where: str, words: str, value: float | None) -> None:
    if value is not None and not (math.isfinite(value) and 0.0 < value < 1e300):
        findings.error(where, f"The {words} is {value:g}; it must be greater than zero.")


# --------------------------------------------------------------------------- predictions


def _check_matches(
    findings: Findings, meaning: d.Predictions, problem: d.Problem, outputs: dict[str, d.Output]
) -> set[str]:
    used: set[str] = set()
    if not meaning.matches:
        findings.error("meaning.matches", "No output is compared with the data.", "Match an output to a data column.")
    if problem.data is None:
        findings.error("data", "There are no measured data to compare the predictions with.", "Load a data table.")
    pairs: set[tuple[str, str]] = set()
    for i, match in enumerate(meaning.matches):
        where = f"meaning.matches[{i}]"
        output = _output(findings, f"{where}.output", match.output, outputs)
        used.add(match.output)
        if (match.output, match.column) in pairs:
            findings.error(where, f"'{shorten(match.output)}' and '{shorten(match.column)}' are compared twice.", "Remove one.")
        pairs.add((match.output, match.column))
        key = None
        if match.key_output is not None:
            key = _output(findings, f"{where}.key_output", match.key_output, outputs)
            used.add(match.key_output)
        if (match.key_output is None) != (match.key_column is None):
            findings.error(
                f"{where}.key_column", "Pairing rows by value needs a key on both sides: an output and a data column.",
                "Choose the missing one, or neither to pair by order.",
            )  # fmt: skip
        if match.key_tolerance is not None and not match.key_tolerance >= 0.0:
            findings.error(f"{where}.key_tolerance", f"The tolerance {match.key_tolerance:g} must be zero or greater.")
        if problem.data is not None:
            _check_match_with_data(findings, where, match, problem.data, output, key)
    return used


def _check_match_with_data(
    findings: Findings, where: str, match: d.Match, data: d.DataTable, output: d.Output | None, key: d.Output | None
) -> None:
    columns = data.columns
    for field in ("column", "key_column", "sd_column"):
        name = getattr(match, field)
        if name is not None:
            _column(findings, f"{where}.{field}", name, columns)
    values = columns.get(match.column, ())
    if match.column in columns and all(v is None for v in values):
        findings.error(f"{where}.column", f"The data column '{shorten(match.column)}' has no values.", "Choose another one.")
    if output is None or output.length is None or match.column not in columns:
        return
    if key is not None and key.length is not None and key.length != output.length:
        findings.error(
            where, f"The outputs '{shorten(output.name)}' ({output.length} values) and '{shorten(key.name)}' "
            f"({key.length} values) must be equally long to be paired.", "Check how they are read.",
        )  # fmt: skip
    elif match.key_output is None and output.length != len(values):
        findings.error(
            where, f"The output '{shorten(output.name)}' has {output.length} values, the data column "
            f"'{shorten(match.column)}' has {len(values)} rows.", "Make them equally long, or pair them by a key column.",
        )  # fmt: skip


def _column(findings: Findings, where: str, name: str, columns: dict[str, tuple[float | None, ...]]) -> None:
    if name not in columns:
        known = ", ".join(shorten(n, 20) for n in list(columns)[:8])
        findings.error(where, f"The data have no column '{shorten(name)}'.", f"Choose one of: {known}.")


def check_data(findings: Findings, problem: d.Problem) -> None:
    data = problem.data
    if data is None:
        return
    if not data.columns:
        findings.error("data", "The data table has no columns.", "Load a table.")
        return
    lengths = {name: len(column) for name, column in data.columns.items()}
    if len(set(lengths.values())) > 1:
        words = ", ".join(f"'{shorten(name, 20)}' {n}" for name, n in list(lengths.items())[:6])
        findings.error("data", f"The columns of the data table have different lengths: {words}.", "Load the table again.")
    if max(lengths.values()) == 0:
        findings.error("data", "The data table has no rows.", "Load a table.")
    for name, column in data.columns.items():
        where = f"data.columns.{name}"
        if not name.strip():
            findings.error("data", "A data column has no name.", "Give it one.")
        bad = [i for i, v in enumerate(column) if v is not None and not math.isfinite(v)]
        if bad:
            findings.error(
                where, f"Row {bad[0] + 1} of data column '{shorten(name)}' is {column[bad[0]]}.", "Leave missing values empty."
            )


# --------------------------------------------------------------------------- noise


def _check_noise(findings: Findings, meaning: d.Predictions, problem: d.Problem) -> None:
    noise = meaning.noise
    match noise:
        case d.GaussianKnown(sd=sd, sd_column=column):
            _check_scale(findings, meaning, problem, {"sd": sd, "sd_column": column}, "standard deviation")
        case d.GaussianIntegrated(shape=shape, scale=scale):
            _positive(findings, "meaning.noise.shape", "shape of the variance's prior", shape)
            _positive(findings, "meaning.noise.scale", "scale of the variance's prior", scale)
        case d.GaussianInferred(parameter=parameter):
            _check_parameter(findings, "meaning.noise.parameter", parameter, problem, 0.0, math.inf)
        case d.LogNormalNoise(log_sd=log_sd, parameter=parameter):
            _one_of(findings, {"log_sd": log_sd, "parameter": parameter}, "standard deviation of the logarithm")
            _positive(findings, "meaning.noise.log_sd", "standard deviation of the logarithm", log_sd)
            _check_parameter(findings, "meaning.noise.parameter", parameter, problem, 0.0, math.inf)
            _check_values(findings, meaning, problem, "positive", "log-normal noise needs values greater than zero")
        case d.PoissonNoise():
            _check_values(findings, meaning, problem, "counts", "Poisson noise needs counts: 0, 1, 2 and so on")
        case d.NegativeBinomialNoise(size=size, parameter=parameter):
            _one_of(findings, {"size": size, "parameter": parameter}, "size")
            _positive(findings, "meaning.noise.size", "size of the negative binomial", size)
            _check_parameter(findings, "meaning.noise.parameter", parameter, problem, 0.0, math.inf)
            _check_values(findings, meaning, problem, "counts", "negative binomial noise needs counts: 0, 1, 2 and so on")
        case d.StudentTNoise(dof=dof, scale=scale, scale_column=column, parameter=parameter):
            _positive(findings, "meaning.noise.dof", "number of degrees of freedom", dof)
            scales = {"scale": scale, "scale_column": column, "parameter": parameter}
            _check_scale(findings, meaning, problem, scales, "scale")
            _check_parameter(findings, "meaning.noise.parameter", parameter, problem, 0.0, math.inf)
        case d.Ar1Noise(sd=sd, rho=rho):
            if isinstance(sd, str):
                _check_parameter(findings, "meaning.noise.sd", sd, problem, 0.0, math.inf)
            else:
                _positive(findings, "meaning.noise.sd", "standard deviation", sd)
            if isinstance(rho, str):
                _check_parameter(findings, "meaning.noise.rho", rho, problem, -1.0, 1.0)
            elif not -1.0 < rho < 1.0:
                findings.error("meaning.noise.rho", f"The correlation of neighbours is {rho:g}; it must lie between -1 and 1.")
        case d.CovarianceNoise(matrix=matrix):
            _check_covariance(findings, meaning, problem, matrix)
    takes_column = isinstance(noise, d.GaussianKnown | d.StudentTNoise)
    for i, found in enumerate(meaning.matches):
        if found.sd_column is not None and not takes_column:
            findings.error(f"meaning.matches[{i}].sd_column", "This noise model does not use a column of standard deviations.")


def _one_of(findings: Findings, given: dict[str, object], words: str) -> bool:
    count = sum(value is not None for value in given.values())
    if count == 0:
        findings.error("meaning.noise", f"The {words} of the noise is not given.", "Give a number, a column or a parameter.")
    elif count > 1:
        findings.error("meaning.noise", f"The {words} of the noise is given in {count} ways.", "Keep one of them.")
    return count == 1


def _check_scale(
    findings: Findings, meaning: d.Predictions, problem: d.Problem, given: dict[str, float | str | None], words: str
) -> None:
    """A number, or a data column (perhaps one per match), or a parameter."""
    field, column_field = list(given)[:2]
    own_columns = bool(meaning.matches) and all(m.sd_column is not None for m in meaning.matches)
    if not own_columns or any(value is not None for value in given.values()):
        _one_of(findings, dict(given), words)
    value, column = given[field], given[column_field]
    if isinstance(value, float | int):
        _positive(findings, f"meaning.noise.{field}", f"{words} of the noise", value)
    if problem.data is None:
        return
    columns = problem.data.columns
    if isinstance(column, str):
        _column(findings, f"meaning.noise.{column_field}", column, columns)
    for i, match in enumerate(meaning.matches):
        own = match.sd_column is not None
        name = match.sd_column if own else column
        if not isinstance(name, str) or name not in columns or match.column not in columns:
            continue
        where = f"meaning.matches[{i}].sd_column" if own else f"meaning.noise.{column_field}"
        for row, (y, s) in enumerate(zip(columns[match.column], columns[name], strict=False), start=1):
            if y is not None and not (s is not None and math.isfinite(s) and s > 0.0):
                shown = "missing" if s is None else f"{s:g}"
                findings.error(
                    where, f"Row {row} of column '{shorten(name)}' is {shown}; the {words} of a measured value must be "
                    "greater than zero.", "Correct the table.",
                )  # fmt: skip
                break


def _check_parameter(
    findings: Findings, where: str, name: str | None, problem: d.Problem, low: float, high: float
) -> None:
    """A noise parameter exists, and prior and bounds keep it within [low, high]."""
    if name is None:
        return
    parameter = next((p for p in problem.parameters if p.name == name), None)
    if parameter is None:
        findings.error(where, f"There is no parameter called '{shorten(name)}'.", "Add it, with a prior for the noise.")
        return
    if parameter.fixed is not None:
        ends = (parameter.fixed, parameter.fixed)
        wrong = not (low < parameter.fixed < high)
    else:
        try:
            inside = priors.of_parameter(parameter)
        except ProblemError:
            return  # said where the parameter is checked
        ends = (inside.lower, inside.upper)
        wrong = inside.lower < low or inside.upper > high
    if wrong:
        needed = "greater than zero" if math.isinf(high) else f"between {low:g} and {high:g}"
        findings.error(
            where, f"The noise parameter '{shorten(name)}' must be {needed}, but may be anything from {ends[0]:g} to "
            f"{ends[1]:g}.", "Choose a prior or bounds that keep it there.",
        )  # fmt: skip


def _check_values(findings: Findings, meaning: d.Predictions, problem: d.Problem, kind: str, sentence: str) -> None:
    columns = problem.data.columns if problem.data is not None else {}
    for i, match in enumerate(meaning.matches):
        for row, value in enumerate(columns.get(match.column, ()), start=1):
            if value is None or not math.isfinite(value):
                continue
            if value <= 0.0 if kind == "positive" else value < 0.0 or value != math.floor(value):
                findings.error(
                    f"meaning.matches[{i}].column", f"Row {row} of data column '{shorten(match.column)}' is {value:g}; "
                    f"{sentence}.", "Choose another noise model or correct the data.",
                )  # fmt: skip
                break


def _check_covariance(
    findings: Findings, meaning: d.Predictions, problem: d.Problem, matrix: tuple[tuple[float, ...], ...]
) -> None:
    where = "meaning.noise.matrix"
    size = len(matrix)
    if size == 0 or any(len(row) != size for row in matrix):
        findings.error(where, "The covariance matrix is not square.", "Load it again: one line per data value.")
        return
    if size > MAX_COVARIANCE:
        findings.error(where, f"The covariance matrix has {size} rows; at most {MAX_COVARIANCE} are possible.")
        return
    a = np.array(matrix, dtype=float)
    if not np.all(np.isfinite(a)):
        findings.error(where, "The covariance matrix holds entries that are not numbers.", "Correct the file.")
        return
    columns = problem.data.columns if problem.data is not None else {}
    rows = sum(len(columns.get(m.column, ())) for m in meaning.matches)
    if columns and rows != size:
        findings.error(
            where, f"The covariance matrix has {size} rows, but {rows} data values are compared (missing ones counted).",
            "Load the matrix that belongs to these data.",
        )  # fmt: skip
    if not np.allclose(a, a.T, rtol=1e-6, atol=1e-12 * float(np.max(np.abs(a)))):
        findings.error(where, "The covariance matrix is not symmetric.", "Correct the file.")
        return
    try:
        np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        findings.error(
            where, "The covariance matrix is not positive definite: it belongs to no possible noise.",
            "Check for repeated rows, and for correlations mistaken for covariances.",
        )  # fmt: skip
