"""The noise model of the data, common to all matches or one match's own."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from .. import definition as d
from .. import priors
from ..data.errors.intervals import limits_only
from ..errors import ProblemError
from ..findings import Findings, listed, shorten
from ..numbers.shown_digits import spoken
from ..placeholders import find, normal
from .check_discrepancy import check_discrepancy
from .check_percent import check_percent
from .check_simulator import texts_with_placeholders

MAX_COVARIANCE = 2_000
NO_SD = "“{}” holds limits of an interval, not standard deviations."
OF_LIMITS = "For limits of 95 % the standard deviation is (upper - lower) / 3.92."
WAYS_KNOWN = "a number, a column, a percentage of each measured value, or both: 0.01 + 3 %"
WAYS = "a number, a column, a percentage of each measured value, or a parameter"


def positive(findings: Findings, where: str, words: str, value: float | None) -> None:
    if value is not None and not (math.isfinite(value) and 0.0 < value < 1e300):
        findings.error(where, f"The {words} is {spoken(value)}; it must be greater than zero.")


def check_scaling(findings: Findings, where: str, one: d.Match | d.Summary) -> None:
    """By what an output is multiplied, and what is added to it, before it is compared."""
    if not math.isfinite(one.factor) or one.factor == 0.0:
        findings.error(f"{where}.factor", f"“{shorten(one.output)}” cannot be compared times {spoken(one.factor)}.",
                       "Enter 1 where both have the same unit.")  # fmt: skip
    if not math.isfinite(one.offset):
        findings.error(f"{where}.offset", f"“{shorten(one.output)}” cannot be compared plus {spoken(one.offset)}.",
                       "Enter 0 where both have the same zero.")  # fmt: skip


def check_column(
    findings: Findings, where: str, name: str, columns: Mapping[str, object], texts: Mapping[str, object] | None = None
) -> None:
    """``texts``: columns of labels there are as well, which cannot be used here."""
    if texts is not None and name in texts:
        findings.error(where, f"The data column “{shorten(name)}” holds text, not numbers.", "Choose a column of numbers.")
    elif name not in columns:
        known = listed(list(columns))
        missing = f"The data have no column “{shorten(name)}”." if name.strip() else "No column of the data is chosen."
        findings.error(where, missing, f"Choose one of: {known}.")


def check_noise(findings: Findings, meaning: d.Predictions, problem: d.Problem) -> None:
    """The common noise model with the matches it is for, and each match's own."""
    matches = dict(enumerate(meaning.matches))
    common = {i: m for i, m in matches.items() if m.noise is None}
    if common or not matches:
        _check_model(findings, "meaning.noise", meaning.noise, common, problem)
    for i, match in matches.items():
        if match.noise is not None:
            _check_model(findings, f"meaning.matches[{i}].noise", match.noise, {i: match}, problem)
    for i in matches:
        check_discrepancy(findings, f"meaning.matches[{i}].discrepancy", meaning, problem, i)


def _check_model(
    findings: Findings, where: str, noise: d.NoiseModel, matches: dict[int, d.Match], problem: d.Problem
) -> None:
    match noise:
        case d.GaussianKnown(sd=sd, sd_column=column, percent=percent):
            sizes = {"sd": sd, "sd_column": column}
            _check_scale(findings, where, matches, problem, sizes, "standard deviation", percent is not None)
            check_percent(findings, where, noise, matches, problem)
        case d.GaussianIntegrated(shape=shape, scale=scale):
            positive(findings, f"{where}.shape", "shape of the variance's prior", shape)
            positive(findings, f"{where}.scale", "scale of the variance's prior", scale)
        case d.GaussianInferred(parameter=parameter):
            _check_parameter(findings, f"{where}.parameter", parameter, problem, 0.0, math.inf)
        case d.LogNormalNoise(log_sd=log_sd, parameter=parameter):
            _one_of(findings, where, {"log_sd": log_sd, "parameter": parameter}, "standard deviation of the logarithm")
            positive(findings, f"{where}.log_sd", "standard deviation of the logarithm", log_sd)
            _check_parameter(findings, f"{where}.parameter", parameter, problem, 0.0, math.inf)
            _check_values(findings, matches, problem, "positive", "log-normal noise needs values greater than zero")
        case d.PoissonNoise():
            _check_values(findings, matches, problem, "counts", "Poisson noise needs counts: 0, 1, 2 and so on")
        case d.NegativeBinomialNoise(size=size, parameter=parameter):
            _one_of(findings, where, {"size": size, "parameter": parameter}, "size")
            positive(findings, f"{where}.size", "size of the negative binomial", size)
            _check_parameter(findings, f"{where}.parameter", parameter, problem, 0.0, math.inf)
            _check_values(findings, matches, problem, "counts", "negative binomial noise needs counts: 0, 1, 2 and so on")
        case d.StudentTNoise(dof=dof, scale=scale, scale_column=column, parameter=parameter):
            positive(findings, f"{where}.dof", "number of degrees of freedom", dof)
            scales = {"scale": scale, "scale_column": column, "parameter": parameter}
            _check_scale(findings, where, matches, problem, scales, "scale", noise.percent is not None)
            check_percent(findings, where, noise, matches, problem)
            _check_parameter(findings, f"{where}.parameter", parameter, problem, 0.0, math.inf)
        case d.Ar1Noise(sd=sd, rho=rho):
            if isinstance(sd, str):
                _check_parameter(findings, f"{where}.sd", sd, problem, 0.0, math.inf)
            else:
                positive(findings, f"{where}.sd", "standard deviation", sd)
            if isinstance(rho, str):
                _check_parameter(findings, f"{where}.rho", rho, problem, -1.0, 1.0)
            elif not -1.0 < rho < 1.0:
                findings.error(f"{where}.rho", f"The correlation of neighbours is {spoken(rho)}; it must lie between -1 and 1.")
        case d.CovarianceNoise(matrix=matrix):
            _check_covariance(findings, f"{where}.matrix", matches, problem, matrix)
    takes_column = isinstance(noise, d.GaussianKnown | d.StudentTNoise)
    for i, found in matches.items():
        if found.sd_column is not None and not takes_column:
            findings.error(f"meaning.matches[{i}].sd_column", "This noise model does not use a column of standard deviations.")


def _one_of(
    findings: Findings, where: str, given: dict[str, object], words: str, ways: str = "a number, a column or a parameter"
) -> bool:
    count = sum(value is not None for value in given.values())
    if count == 0:
        findings.error(where, f"The {words} of the errors is not given.", f"Give {ways}.")
    elif count > 1:
        findings.error(where, f"The {words} of the noise is given in {count} ways.", "Keep one of them.")
    return count == 1


def _check_scale(
    findings: Findings,
    where: str,
    matches: dict[int, d.Match],
    problem: d.Problem,
    given: dict[str, float | str | None],
    words: str,
    in_percent: bool,
) -> None:
    """A number, or a data column (perhaps one per match), or a parameter; none may do where there is a percentage."""
    field, column_field = list(given)[:2]
    own_columns = bool(matches) and all(m.sd_column is not None for m in matches.values())
    some = any(value is not None for value in given.values())
    if some or not (own_columns or in_percent):
        _one_of(findings, where, dict(given), words, WAYS if "parameter" in given else WAYS_KNOWN)
    value, column = given[field], given[column_field]
    if isinstance(value, float | int):
        positive(findings, f"{where}.{field}", f"{words} of the noise", value)
    if problem.data is None:
        return
    columns = problem.data.columns
    if isinstance(column, str):
        check_column(findings, f"{where}.{column_field}", column, columns)
    for i, match in matches.items():
        own = match.sd_column is not None
        name = match.sd_column if own else column
        if not isinstance(name, str) or name not in columns or match.column not in columns:
            continue
        place = f"meaning.matches[{i}].sd_column" if own else f"{where}.{column_field}"
        if name == match.column:
            findings.error(
                place, f"The measured values “{shorten(name)}” are also taken for the {words} of themselves: errors of 100 %.",
                "Choose the column of the errors, or type their size.",
            )  # fmt: skip
            continue
        if limits_only(name):
            findings.error(place, NO_SD.format(shorten(name)), OF_LIMITS)
            continue
        for row, (y, s) in enumerate(zip(columns[match.column], columns[name], strict=False), start=1):
            if y is not None and row not in match.left_out and not (s is not None and math.isfinite(s) and s > 0.0):
                shown = "missing" if s is None else spoken(s)
                findings.error(
                    place, f"Row {row} of column “{shorten(name)}” is {shown}; the {words} of a measured value must be "
                    "greater than zero.", "Correct the table.",
                )  # fmt: skip
                break


def _check_parameter(
    findings: Findings, where: str, name: str | None, problem: d.Problem, low: float, high: float
) -> None:
    """A noise parameter exists, prior and bounds keep it within [low, high], and the program does not get it too."""
    if name is None:
        return
    if not name.strip():
        findings.error(
            where, "No parameter is chosen for the size of the errors: choose one, or make a new one.",
            "The list of parameters in the error model offers both.",
        )  # fmt: skip
        return
    parameter = next((p for p in problem.parameters if p.name == name), None)
    if parameter is None:
        findings.error(
            where, f"There is no parameter called “{shorten(name)}”.",
            "Choose another one, or add it on the Parameters page with a prior for the noise.",
        )  # fmt: skip
        return
    place = next((p for _, p, text in texts_with_placeholders(problem.simulator) if _asks_for(text, name)), None)
    if place is not None:
        findings.warning(
            where, f"The parameter “{shorten(name)}” is also written into the program's input ({place}).",
            "It then changes the program and the errors at once. If that is not meant, choose or make another parameter here.",
        )  # fmt: skip
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
        needed = "greater than zero" if math.isinf(high) else f"between {spoken(low)} and {spoken(high)}"
        findings.error(
            where, f"The noise parameter “{shorten(name)}” must be {needed}, but may be anything from {spoken(ends[0])} to "
            f"{spoken(ends[1])}.", "Choose a prior or bounds that keep it there.",
        )  # fmt: skip


def _asks_for(text: str, name: str) -> bool:
    return any(found == normal(name) for found, _, _ in find(text))


def _check_values(findings: Findings, matches: dict[int, d.Match], problem: d.Problem, kind: str, sentence: str) -> None:
    columns = problem.data.columns if problem.data is not None else {}
    for i, match in matches.items():
        for row, value in enumerate(columns.get(match.column, ()), start=1):
            if value is None or row in match.left_out or not math.isfinite(value):
                continue
            if value <= 0.0 if kind == "positive" else value < 0.0 or value != math.floor(value):
                findings.error(
                    f"meaning.matches[{i}].column", f"Row {row} of data column “{shorten(match.column)}” is {spoken(value)}; "
                    f"{sentence}.", "Choose another noise model or correct the data.",
                )  # fmt: skip
                break


def _check_covariance(
    findings: Findings,
    where: str,
    matches: dict[int, d.Match],
    problem: d.Problem,
    matrix: tuple[tuple[float, ...], ...],
) -> None:
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
    rows = sum(len(columns.get(m.column, ())) for m in matches.values())
    measured = sum(
        v is not None and i not in m.left_out
        for m in matches.values()
        for i, v in enumerate(columns.get(m.column, ()), start=1)
    )
    if columns and size not in (rows, measured):
        counted = f"{measured} data values are compared" + (f" ({rows} with missing ones)" if rows != measured else "")
        findings.error(
            where, f"The covariance matrix has {size} rows, but {counted}.",
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
