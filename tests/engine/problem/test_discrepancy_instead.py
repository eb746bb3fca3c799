"""Beside which errors a program can be off, and what is advised beside the others."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.check_discrepancy import MUST_BE, instead
from bayescope.engine.problem.checks.validate import check

NOISES: tuple[d.NoiseModel, ...] = (
    d.GaussianKnown(sd=0.1), d.GaussianInferred(parameter="s"), d.LogNormalNoise(log_sd=0.1),
    d.CovarianceNoise(matrix=((1.0, 0.0), (0.0, 1.0))),
    d.GaussianIntegrated(shape=1.0, scale=1.0), d.PoissonNoise(), d.NegativeBinomialNoise(size=3.0),
    d.StudentTNoise(dof=4.0, scale=0.1), d.Ar1Noise(sd=0.1, rho=0.3),
)  # fmt: skip
MATCH = d.Match(output="y", column="y", discrepancy=d.Discrepancy(size=0.5))


def test_every_kind_of_error_either_goes_with_it_or_has_advice() -> None:
    assert {type(n) for n in NOISES} == set(get_args(d.NoiseModel))
    found = [bool(instead(d.Predictions(matches=(MATCH,), noise=n), MATCH)) for n in NOISES]
    assert found == [False] * 4 + [True] * 5


def test_a_covariance_must_be_of_the_one_comparison() -> None:
    covariance, normal = NOISES[3], NOISES[0]
    other = msgspec.structs.replace(MATCH, column="z")
    assert "of its own" in instead(d.Predictions(matches=(MATCH, other), noise=covariance), MATCH)
    own = msgspec.structs.replace(MATCH, noise=covariance)
    assert instead(d.Predictions(matches=(own, other), noise=normal), own) == ""


@pytest.mark.parametrize("noise", NOISES[4:], ids=lambda n: type(n).__name__)
def test_the_advice_stands_beside_the_refusal(noise: d.NoiseModel) -> None:
    problem = d.Problem(
        name="x", parameters=(d.Parameter(name="a", prior=d.Normal(mean=0.0, sd=1.0)),),
        simulator=d.Simulator(command=("x", "@a@")),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
        meaning=d.Predictions(matches=(MATCH,), noise=noise), data=d.DataTable(columns={"y": (1.0, 2.0)}),
    )  # fmt: skip
    (refusal,) = [f for f in check(problem) if f.message.startswith(MUST_BE)]
    assert refusal.suggestion.startswith(instead(d.Predictions(matches=(MATCH,), noise=noise), MATCH))
