"""Outputs learnt afterwards from recorded runs, of a line whose posterior is a known normal; and why they are not, in words."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.sensitivity import outputs_afterwards as after
from bayescope.engine.session.records import EvaluationRecord

T, SD = np.array([0.0, 1.0, 2.0, 3.0]), 0.5
DESIGN = np.stack([np.ones_like(T), T], 1)
Y = DESIGN @ np.array([0.4, -0.8]) + np.array([0.3, -0.2, 0.1, 0.2])
PROBLEM = d.Problem(
    name="line", parameters=tuple(d.Parameter(name=k, prior=d.Normal(mean=0.0, sd=1.0)) for k in "ab"),
    simulator=d.Simulator(command=("x", "@a@", "@b@")),
    outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
    meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=SD)),
    data=d.DataTable(columns={"t": tuple(T.tolist()), "y": tuple(Y.tolist())}),
    settings=d.Settings(options={"learn": "score"}),
)  # fmt: skip


def density(u: np.ndarray) -> np.ndarray:
    """Exact log joint (n,)."""
    away = (Y - u @ DESIGN.T) / SD
    return np.asarray(-0.5 * (away**2).sum(1) - 0.5 * (u**2).sum(1) - 4 * np.log(SD) - 3.0 * np.log(2.0 * np.pi))


def runs(outputs: bool = True) -> list[EvaluationRecord]:
    points = np.random.default_rng(1).normal(0.0, 1.2, (16, 2))
    found = []
    for k, u in enumerate(points):
        value = float(density(u[None])[0])
        kept = {"y": DESIGN @ u} if outputs else {}
        found.append(EvaluationRecord(k, k, u, dict(zip("ab", u, strict=True)), "ok", value, 0.0, value, outputs=kept))
    return found


COVARIANCE = np.linalg.inv(np.eye(2) + DESIGN.T @ DESIGN / SD**2)
MEAN = COVARIANCE @ (DESIGN.T @ Y / SD**2)
DRAWS = np.random.default_rng(2).multivariate_normal(MEAN, COVARIANCE, 300)


def test_what_is_learnt_afterwards_is_the_density_of_the_answer() -> None:
    found = after.learnt_afterwards(PROBLEM, runs(), DRAWS, density)  # type: ignore[arg-type]
    assert found.note.startswith("This analysis learnt how well each run fits")
    assert "16 recorded runs" in found.note
    assert found.density is not None
    np.testing.assert_allclose(found.density(DRAWS), density(DRAWS), atol=0.05)
    assert after._agree(found.density(DRAWS) - density(DRAWS))
    assert not after._agree(found.density(DRAWS) - 6.0 * density(DRAWS))


@pytest.mark.parametrize(
    ("problem", "outputs", "words"),
    [
        (msgspec.structs.replace(PROBLEM, meaning=d.LogLikelihoodOutput(output="y")), True, "Let it print its predictions"),
        (PROBLEM, False, "outputs are not recorded"),
    ],
)
def test_why_nothing_can_be_said_of_single_data_is_said(problem: d.Problem, outputs: bool, words: str) -> None:
    found = after.learnt_afterwards(problem, runs(outputs), DRAWS, density)  # type: ignore[arg-type]
    assert found.density is None
    assert words in found.note
