"""Data taken out of a posterior of two modes, against a grid: the light one must not be lost on the way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from bayescope.engine.answer.predictions.data_parts import columns_of, parts_of
from bayescope.engine.answer.sensitivity_words import part_words
from bayescope.engine.likelihood.predicted import PredictedCells
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.sampling.guarded_density import Hull
from bayescope.engine.sampling.proposal import Proposal, weighted_covariance
from bayescope.engine.sampling.trusted_density import TrustedDensity
from bayescope.engine.sensitivity.data_taken_out import Posterior, taken_out
from bayescope.engine.surrogate.frames import BoxFrame
from bayescope.engine.surrogate.outputs.emulator import Emulator, Form, Runs
from bayescope.engine.surrogate.outputs.log_joint import EmulatedLogJoint

Array = np.ndarray
NAMES = ("square", "sum", "b", "a")
MEASURED, SDS = np.array([1.0, 0.6, -1.0, 0.6]), np.array([0.07, 0.07, 1.2, 1.2])
SIDE = np.linspace(-3.5, 3.5, 701)


def program(u: Array) -> Array:
    """(n, 4): a squared cannot tell a = 1 from a = -1; b follows from the sum, and the other two prefer one of them a little."""
    a, b = u[:, 0], u[:, 1]
    return np.stack([a**2, a + b, b, a], 1)


def problem() -> d.Problem:
    return d.Problem(
        name="two modes",
        parameters=tuple(d.Parameter(name=k, prior=d.Normal(mean=0.0, sd=1.5)) for k in "ab"),
        simulator=d.Simulator(command=("x", "@a@", "@b@")),
        outputs=tuple(d.Output(name=k, source="stdout", extractor=d.LastNumber()) for k in NAMES),
        meaning=d.Predictions(
            matches=tuple(
                d.Match(output=k, column=f"{k} measured", noise=d.GaussianKnown(sd=float(s)))
                for k, s in zip(NAMES, SDS, strict=True)
            ),
            noise=d.GaussianKnown(sd=1.0),
        ),
        data=d.DataTable(columns={f"{k} measured": (float(v),) for k, v in zip(NAMES, MEASURED, strict=True)}),
    )  # fmt: skip


GRID = np.stack(np.meshgrid(SIDE, SIDE, indexing="ij"), -1).reshape(-1, 2)


def exact(kept: list[int]) -> Array:
    """Weights of GRID given the measured values ``kept``."""
    z = (program(GRID) - MEASURED)[:, kept] / SDS[kept]
    value = -0.5 * (z**2).sum(1) - 0.5 * (GRID**2).sum(1) / 1.5**2
    w = np.exp(value - value.max())
    return np.asarray(w / w.sum())


@pytest.fixture(scope="module")
def now() -> Posterior:
    """The exact posterior by its draws, and the outputs learnt from runs."""
    space = ParameterSpace(problem().parameters)
    cells = PredictedCells.of(problem(), space)
    assert cells is not None
    rng = np.random.default_rng(3)
    u = np.vstack([rng.uniform(-3.0, 3.0, (38, 2)), [[1.0, -0.4], [-1.0, 1.6]]])
    x, f, measured, units = (torch.as_tensor(a) for a in (u, program(u), cells.measured, cells.units))
    groups = tuple(b.cells for b in cells.likelihood.blocks)
    emulator = Emulator.of(Runs(x, f, measured, units, groups), Form(), None, search=True)
    likelihood, box = emulator.components.likelihood(cells.likelihood), BoxFrame(np.zeros(2), np.ones(2))
    surrogate = EmulatedLogJoint(emulator, cells, box, u, np.zeros(40), emulator.kept.numpy(), 0.0, likelihood)
    trusted = TrustedDensity(box, surrogate, Hull(np.full(2, -3.5), np.full(2, 3.5)), lambda b, mean: mean, 0.0)
    w = exact([0, 1, 2, 3])
    points = GRID[rng.choice(len(GRID), 2000, p=w)]
    sides = GRID[:, 0] > 0, GRID[:, 0] < 0
    parts = [(w[side].sum(), *weighted_covariance(GRID[side], w[side] / w[side].sum())) for side in sides]
    mixture = Proposal(*(np.array(a) for a in zip(*parts, strict=True)))
    return Posterior(trusted, surrogate, points, np.full(2000, 1 / 2000), np.full(2, 1.5**2), mixture)


def test_a_light_mode_counts_with_and_without_each_part_of_the_data(now: Posterior) -> None:
    found = taken_out(now, parts_of(columns_of(problem())), np.random.default_rng(1), lambda: None)
    mean, covariance = weighted_covariance(GRID, exact([0, 1, 2, 3]))
    sd = np.sqrt(np.diag(covariance))
    for k, part in enumerate(found):
        without, wide = weighted_covariance(GRID, exact([j for j in range(4) if j != k]))
        np.testing.assert_allclose(part.widening, np.sqrt(np.diag(wide)) / sd, rtol=0.12)
        np.testing.assert_allclose(part.shift, (without - mean) / sd, atol=0.2)
    assert {p.how for p in found} == {"draws"}


def test_nothing_is_claimed_where_the_answer_itself_lacks_a_mode(now: Posterior) -> None:
    """Its draws show one mode, weights look well, and runs lie in the other."""
    first = now.points[:, 0] > 0
    points, weights = now.points[first], np.full(first.sum(), 1 / first.sum())
    alone = Proposal(np.ones(1), now.mixture.means[:1], now.mixture.covariances[:1])
    lacking = replace(now, points=points, weights=weights, mixture=alone)
    found = taken_out(lacking, parts_of(columns_of(problem())), np.random.default_rng(1), lambda: None)
    assert {p.how for p in found} == {"failed"}
    words = part_words(found[2], ["a", "b"], {})
    assert words == "not known: weights and new draws do not reach all of the posterior without it; only asking again would tell"
