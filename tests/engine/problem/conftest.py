"""Priors in their scipy.stats form, and problems small enough to read."""

from __future__ import annotations

from typing import Any

import pytest
from scipy import stats

from bayescope.engine.problem import definition as d

PRIORS: dict[str, tuple[d.Prior, Any]] = {
    "uniform": (d.Uniform(low=-2.0, high=5.0), stats.uniform(-2.0, 7.0)),
    "log_uniform": (d.LogUniform(low=1e-3, high=50.0), stats.loguniform(1e-3, 50.0)),
    "normal": (d.Normal(mean=1.5, sd=0.7), stats.norm(1.5, 0.7)),
    "truncated_both": (
        d.TruncatedNormal(mean=1.0, sd=2.0, low=-1.0, high=2.5), stats.truncnorm(-1.0, 0.75, 1.0, 2.0)
    ),
    "truncated_low": (d.TruncatedNormal(mean=0.0, sd=1.0, low=6.0), stats.truncnorm(6.0, float("inf"), 0.0, 1.0)),
    "truncated_high": (d.TruncatedNormal(mean=0.0, sd=1.0, high=-0.5), stats.truncnorm(-float("inf"), -0.5)),
    "log_normal": (d.LogNormal(log_mean=-0.5, log_sd=0.8), stats.lognorm(0.8, scale=0.6065306597126334)),
    "half_normal": (d.HalfNormal(scale=3.0), stats.halfnorm(scale=3.0)),
    "half_cauchy": (d.HalfCauchy(scale=0.1), stats.halfcauchy(scale=0.1)),
    "beta": (d.Beta(a=0.6, b=2.5, low=-1.0, high=3.0), stats.beta(0.6, 2.5, loc=-1.0, scale=4.0)),
    "gamma": (d.Gamma(shape=2.5, scale=0.4), stats.gamma(2.5, scale=0.4)),
    "inverse_gamma": (d.InverseGamma(shape=3.0, scale=2.0), stats.invgamma(3.0, scale=2.0)),
    "exponential": (d.Exponential(mean=4.0), stats.expon(scale=4.0)),
    "student_t": (d.StudentT(location=-1.0, scale=2.0, dof=2.5), stats.t(2.5, loc=-1.0, scale=2.0)),
}  # fmt: skip


@pytest.fixture(params=sorted(PRIORS))
def prior_and_scipy(request: pytest.FixtureRequest) -> tuple[d.Prior, Any]:
    return PRIORS[request.param]


@pytest.fixture
def problem() -> d.Problem:
    """A correct problem with a template, a data table and two free parameters."""
    return d.Problem(
        name="Decay",
        parameters=(
            d.Parameter(name="rate", prior=d.HalfCauchy(scale=1.0)),
            d.Parameter(name="start", prior=d.Uniform(low=0.0, high=10.0), lower=1.0),
            d.Parameter(name="offset", prior=d.Normal(mean=0.0, sd=1.0), fixed=0.25),
        ),
        simulator=d.Simulator(
            command=("decay", "--rate", "@rate@"),
            templates=(d.TemplateFile(target="deck.inp", text="start = @start@\noffset = @offset@\n"),),
        ),
        outputs=(d.Output(name="u", source="out.txt", extractor=d.CsvColumn(column="u")),),
        meaning=d.Predictions(matches=(d.Match(output="u", column="u"),), noise=d.GaussianKnown(sd_column="sd")),
        data=d.DataTable(columns={"t": (0.0, 1.0, 2.0), "u": (5.0, None, 1.0), "sd": (0.1, 0.1, 0.2)}),
    )
