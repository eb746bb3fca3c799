"""How the program's outputs are compared with the data, in sentences that can be cited."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..problem import definition as d
from ..problem.numbers.shown_digits import raised, spoken

AVERAGE = " Compared is what the outputs are on average: they have a statistical error of their own."
_MEANING = {
    "log_likelihood": "The program returns the log-likelihood",
    "log_posterior": "The program returns the log-posterior, prior included; the priors above only placed the search",
    "minus_two_log_likelihood": "The program returns minus twice the log-likelihood",
    "sum_of_squares": "The program returns a sum of squared residuals",
    "synthetic_likelihood": "Summaries of random outputs are compared with those of the data (synthetic likelihood)",
    "abc": "Summaries of random outputs are compared with those of the data (approximate Bayesian computation)",
    "inverse_binomial": (
        "The program simulates the response of every trial; its likelihood is estimated from how often the program had to be "
        "run until each measured response came up (inverse binomial sampling)"
    ),
}


def likelihood_words(meaning: d.Meaning) -> tuple[str, tuple[str, ...]]:
    """A sentence, and below it one for each comparison of an output with a data column."""
    match meaning:
        case d.Predictions(matches=(match,), noise=noise, random=random):
            return f"Likelihood: {_compared(match, noise)}.{AVERAGE if random else ''}", ()
        case d.Predictions(matches=matches, noise=noise, random=random):
            several = sum(match.noise is None for match in matches) > 1
            together = f"Likelihood: all of these comparisons together.{AVERAGE if random else ''}"
            return together, tuple(f"{_compared(m, noise, several)}." for m in matches)
        case d.SumOfSquares(sd=sd, count=count):
            values = f" (sd {_exact(sd)}{f', {count} data points' if count else ''})"
            return f"{_MEANING['sum_of_squares']}; normal errors of known size{values}.", ()
        case d.SyntheticLikelihood(summaries=summaries) | d.ApproximateBayes(summaries=summaries):
            runs = f"{d.runs_per_point(meaning)} runs per point"
            return f"{_MEANING[_tag(meaning)]}, {runs}.", tuple(f"{_summary(s)}." for s in summaries)
        case d.InverseBinomial(output=output, column=column):
            return f"{_MEANING[_tag(meaning)]}; output “{output}” with column “{column}”.", ()
    return f"{_MEANING.get(_tag(meaning), _tag(meaning))}.", ()


def _compared(match: d.Match, common: d.NoiseModel, several: bool = False) -> str:
    """``several``: comparisons share the common noise model."""
    errors = _noise(match.noise or common, match, several and match.noise is None)
    by_factor = isinstance(match.noise or common, d.LogNormalNoise)
    times = _scaled(match.factor, match.offset)
    off = _off(match, by_factor)
    return f"output “{match.output}”{times} with column “{match.column}”; {_paired(match)}; {errors}{off}"


def _paired(match: d.Match) -> str:
    """How rows are paired, and which are left out."""
    return _pairing(match) + (f", {left_out_words(match)}" if match.left_out else "")


def left_out_words(match: d.Match) -> str:
    many = len(match.left_out) > 1
    return f"{'rows' if many else 'row'} {numbered(match.left_out)} of the table {'are' if many else 'is'} left out"


def numbered(rows: Iterable[int]) -> str:
    """Row numbers in order, neighbours as ranges: 2, 4–7 and 9."""
    parts: list[list[int]] = []
    for row in sorted(set(rows)):
        if parts and row == parts[-1][-1] + 1:
            parts[-1].append(row)
        else:
            parts.append([row])
    words = [w for p in parts for w in ([f"{p[0]}–{p[-1]}"] if len(p) > 2 else [str(k) for k in p])]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _off(match: d.Match, by_factor: bool = False) -> str:
    """That the program itself may be off, with every number."""
    found = match.discrepancy
    if found is None:
        return ""
    length = "log-uniform between a tenth and all of the measured range" if found.length is None else _exact(found.length)
    apart = ", kept apart from what the parameters can do at the best fit" if found.apart_from else ""
    of = " of logarithms" if by_factor else ""
    return (
        f"; the program may be off by a smooth curve{of} over the key (Gaussian process, offset and Matérn 5/2; amplitude: "
        f"exponential with mean {_exact(found.size)}, length: {length}; both averaged over{apart})"
    )


def _pairing(match: d.Match) -> str:
    if not match.keys:
        taken = f": numbers {', '.join(map(str, match.rows))} of the output's values" if match.rows else ""
        return f"rows paired in order{taken}"
    output = f"“{match.keys[0][0]}”{_scaled(match.key_factor, match.key_offset)}"
    if match.key_inverse:
        output = f"{_exact(match.key_factor)} over “{match.keys[0][0]}”{_scaled(1.0, match.key_offset)}"
    first, second = f"output {output} with column “{match.keys[0][1]}”", [_sides(*key) for key in match.keys[1:]]
    if match.interpolate:
        also = f", rows paired by {second[0]}" if second else ""
        return f"output interpolated linearly in {output} at the values of column “{match.keys[0][1]}”{also}"
    if match.by_day:
        also = f" and {second[0]}" if second else ""
        return f"rows paired by the day, {first}: of a day the value nearest to 12 h{also}"
    near = f" (at most {_exact(match.key_tolerance)} apart)" if match.key_tolerance is not None else ""
    return f"rows paired by value, {' and '.join([first, *second])}{near}"


def _scaled(factor: float, offset: float) -> str:
    times = f" times {_exact(factor)}" if factor != 1.0 else ""
    return times + (f" {'plus' if offset > 0 else 'minus'} {_exact(abs(offset))}" if offset else "")


def _sides(output: str, column: str) -> str:
    return f"output “{output}” with column “{column}”"


def _noise(noise: d.NoiseModel, match: d.Match, shared: bool) -> str:
    """The errors of one comparison with every number, column and parameter that they are made of."""
    match noise:
        case d.GaussianKnown(sd=sd, sd_column=column, percent=percent, together=together):
            share = None if match.sd_column else percent
            return f"normal errors of known size ({_size('sd', match.sd_column or column, None, sd, share, together)})"
        case d.GaussianInferred(parameter=parameter):
            return f"normal errors whose size is inferred (sd: parameter {parameter})"
        case d.GaussianIntegrated(shape=shape, scale=scale, per_point=per_point):
            one = "one for all points of the comparisons with the common errors" if shared else "one for all points"
            prior = f"inverse gamma with shape {_exact(shape)} and scale {_exact(scale)}"
            each = "one for each point" if per_point else one
            return f"normal errors of unknown size, integrated out (variance: {prior}, {each})"
        case d.StudentTNoise(dof=dof, scale=scale, scale_column=column, parameter=parameter, percent=percent) as t:
            share = None if match.sd_column else percent
            size = _size("scale", match.sd_column or column, parameter, scale, share, t.together)
            return f"Student-t errors ({_exact(dof)} degrees of freedom, {size})"
        case d.LogNormalNoise(log_sd=log_sd, parameter=parameter):
            return f"log-normal errors ({_size('sd of the logarithm', None, parameter, log_sd)})"
        case d.PoissonNoise():
            return "Poisson counts"
        case d.NegativeBinomialNoise(size=size, parameter=parameter):
            return f"negative binomial counts ({_size('size', None, parameter, size)})"
        case d.Ar1Noise(sd=sd, rho=rho):
            values = f"{_number_or_parameter('sd', sd)}, {_number_or_parameter('correlation of neighbours', rho)}"
            return f"normal errors correlated in order, AR(1) ({values})"
        case d.CovarianceNoise(matrix=matrix):
            over = " over all comparisons with the common errors" if shared else ""
            return f"normal errors with a full covariance ({len(matrix)} × {len(matrix)} matrix{over})"


def _size(
    what: str, column: str | None, parameter: str | None, number: float | None, percent: float | None = None,
    together: str = "sum",
) -> str:  # fmt: skip
    """In the order in which the likelihood takes them: column, parameter, number; and the percentage added."""
    if percent is not None:
        of = f"{_exact(percent)} % of each measured value"
        alone = column is None and parameter is None and number is None
        if together == "larger" and not alone:
            return f"{_size(what, column, parameter, number)}, or {of} where that is larger"
        both = f"{_size(what, column, parameter, number)} plus {of}"
        return f"{what} {of}" if alone else f"{both}{', in quadrature' if together == 'quadrature' else ''}"
    if column is not None:
        return f"{what} of each point from column “{column}”"
    return _number_or_parameter(what, number if parameter is None else parameter)


def _number_or_parameter(what: str, given: float | str | None) -> str:
    if given is None:
        return f"{what} not given"
    return f"{what}: parameter {given}" if isinstance(given, str) else f"{what} {_exact(given)}"


def _summary(summary: d.Summary) -> str:
    match summary.statistic:
        case "quantiles":
            more = f" ({', '.join(_exact(v) for v in summary.levels)})"
        case "autocorrelation":
            more = f" (lags 1 to {summary.lags})"
        case "histogram":
            more = f" ({max(len(summary.edges) - 1, 0)} bins)"
        case _:
            more = ""
    statistic = "logarithm of the sd" if summary.statistic == "log_sd" else summary.statistic
    key = f" (at the keys “{summary.key_column}”)" if summary.key_output is not None else ""
    error = ""
    if any(v is not None for v in (summary.error_sd, summary.error_column, summary.error_percent)):
        size = _size("sd", summary.error_column, None, summary.error_sd, summary.error_percent, summary.error_together)
        error = f"; normal measurement errors ({size})"
    times = _scaled(summary.factor, summary.offset)
    return f"{statistic}{more} of output “{summary.output}”{times} with that of column “{summary.column}”{key}{error}"


def _exact(value: float) -> str:
    """All digits, and no more."""
    return spoken(value) if float(f"{value:.6g}") == value else raised(repr(value))


def _tag(record: Any) -> str:
    return str(record.__struct_config__.tag)
