"""Data taken out, and the next measurement, against exact normals and brute force: the outputs of a line are learnt."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bayescope.engine.answer.predictions.data_parts import columns_of, parts_of
from bayescope.engine.likelihood import batched_noise as n
from bayescope.engine.likelihood.predicted import PredictedCells
from bayescope.engine.numerics.linear_algebra import stable_cholesky
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.sampling.guarded_density import Hull
from bayescope.engine.sampling.proposal import Proposal
from bayescope.engine.sampling.trusted_density import TrustedDensity
from bayescope.engine.sensitivity.data_taken_out import Posterior, taken_out
from bayescope.engine.sensitivity.next_measurement import information, interpolated_well, next_measurements
from bayescope.engine.surrogate.frames import BoxFrame
from bayescope.engine.surrogate.outputs.emulator import Emulator, Form, Runs
from bayescope.engine.surrogate.outputs.log_joint import EmulatedLogJoint

Array = np.ndarray
T, SD, END_SD = np.linspace(0.0, 3.0, 24), 0.4, 0.1
DESIGN = np.vstack([np.stack([np.ones_like(T), T], 1), [[0.0, 3.0]]])  # a + b t, and 3 b measured once
SDS = np.append(np.full(24, SD), END_SD)
CENTRE = np.array([0.4, -0.8])
DATA = DESIGN @ CENTRE + SDS * np.random.default_rng(5).normal(size=25)


def problem() -> d.Problem:
    return d.Problem(
        name="line",
        parameters=tuple(d.Parameter(name=k, prior=d.Normal(mean=0.0, sd=1.0)) for k in "ab"),
        simulator=d.Simulator(command=("x", "@a@", "@b@")),
        outputs=tuple(d.Output(name=k, source="stdout", extractor=d.LastNumber()) for k in ("t", "y", "z")),
        meaning=d.Predictions(
            matches=(
                d.Match(output="y", column="level", key_output="t", key_column="time"),
                d.Match(output="z", column="end", noise=d.GaussianKnown(sd=END_SD)),
            ),
            noise=d.GaussianKnown(sd=SD),
        ),
        data=d.DataTable(
            columns={
                "time": tuple(T.tolist()), "level": tuple(DATA[:24].tolist()), "end": (float(DATA[24]), *[None] * 23),
            }
        ),
    )  # fmt: skip


@pytest.fixture(scope="module")
def learnt() -> EmulatedLogJoint:
    space = ParameterSpace(problem().parameters)
    cells = PredictedCells.of(problem(), space)
    assert cells is not None
    u = np.random.default_rng(3).normal(0.0, 1.2, (30, 2))
    x, f, measured, units = (torch.as_tensor(a) for a in (u, u @ DESIGN.T, cells.measured, cells.units))
    groups = tuple(b.cells for b in cells.likelihood.blocks)
    emulator = Emulator.of(Runs(x, f, measured, units, groups), Form(), None, search=True)
    likelihood = emulator.components.likelihood(cells.likelihood)
    box = BoxFrame(np.zeros(2), np.ones(2))
    return EmulatedLogJoint(emulator, cells, box, u, np.zeros(30), emulator.kept.numpy(), 0.0, likelihood)


def exact(rows: Array) -> tuple[Array, Array]:
    """Mean and covariance given the measured values ``rows``."""
    x, sd = DESIGN[rows], SDS[rows]
    covariance = np.linalg.inv(np.eye(2) + (x / sd[:, None]).T @ (x / sd[:, None]))
    return covariance @ (x.T @ (DATA[rows] / sd**2)), covariance


def draws(count: int) -> Array:
    mean, covariance = exact(np.arange(25))
    return mean + np.random.default_rng(7).standard_normal((count, 2)) @ stable_cholesky(covariance).T


def test_each_part_taken_out_changes_the_posterior_as_it_does_exactly(learnt: EmulatedLogJoint) -> None:
    columns = columns_of(problem())
    parts = parts_of(columns)
    hull = Hull(np.full(2, -8.0), np.full(2, 8.0))
    trusted = TrustedDensity(learnt.box, learnt, hull, lambda b, mean: mean, 0.0)
    points = draws(4000)
    mixture = Proposal(np.ones(1), *(a[None] for a in exact(np.arange(25))))
    now = Posterior(trusted, learnt, points, np.full(4000, 1 / 4000), np.ones(2), mixture)
    found = taken_out(now, parts, np.random.default_rng(1), lambda: None)
    assert found[0].title == "level, rows 1 to 4 (time = 0 to 0.391304)"
    assert [p.title for p in found][-2:] == ["level, all of it", "end"]
    mean, covariance = exact(np.arange(25))
    for part, made in zip(parts, found, strict=True):
        rest = np.setdiff1d(np.arange(25), part.cells)
        without, wide = exact(rest)
        np.testing.assert_allclose(made.widening, np.sqrt(np.diag(wide) / np.diag(covariance)), rtol=0.08)
        np.testing.assert_allclose(made.shift, (without - mean) / np.sqrt(np.diag(covariance)), atol=0.15)
        away, precision = without - mean, np.linalg.inv(wide)
        volumes = np.log(np.linalg.det(wide) / np.linalg.det(covariance))
        kl = 0.5 * (np.trace(precision @ covariance) + away @ precision @ away - 2 + volumes)
        assert made.bits == pytest.approx(kl / np.log(2.0), rel=0.1, abs=0.03)
    assert {p.how for p in found} == {"weights", "draws"}  # all of the level is more than weights can take out
    assert not any(p.bounded for p in found)


def test_the_next_measurement_is_the_one_that_brute_force_finds(learnt: EmulatedLogJoint) -> None:
    columns = columns_of(problem())
    points = draws(800)
    found = next_measurements(learnt, columns, points, points, np.random.default_rng(2), lambda: None)
    _, covariance = exact(np.arange(25))
    gain = {}  # entropy of the posterior now less that with the value, which does not depend on what it is
    for k in range(25):
        more = np.linalg.inv(np.linalg.inv(covariance) + np.outer(DESIGN[k], DESIGN[k]) / SDS[k] ** 2)
        gain[k] = 0.5 * np.log2(np.linalg.det(covariance) / np.linalg.det(more))
        times = np.sqrt(np.diag(covariance) / np.diag(more))
        of = [m for m in found if m.row == (k + 1 if k < 24 else 1) and m.column == ("level" if k < 24 else "end")]
        for m in of:
            assert m.bits == pytest.approx(gain[k], abs=5.0 * m.bits_sd)
            np.testing.assert_allclose(m.times, times, rtol=0.05)
    best = max(gain, key=lambda k: gain[k])
    assert (found[0].column, found[0].row) == (("end", 1) if best == 24 else ("level", best + 1))
    level = [m for m in found if m.column == "level" and m.row]
    assert level[0].row == 1 + max(range(24), key=lambda k: gain[k])  # an end of the line
    assert any(m.row == 0 and "new row at time = " in m.title for m in found)


def test_expected_information_of_a_curved_output_is_that_of_brute_force() -> None:
    """Posteriors of one parameter on a grid, for values drawn from what is predicted."""
    rng = np.random.default_rng(4)
    theta = rng.standard_normal(1200)
    f = np.exp(0.8 * theta)
    bits, error = information(n.LogNormal(torch.ones(1, dtype=torch.float64), 0.7), torch.as_tensor(f), torch.zeros(1200, 0), rng)
    grid = np.linspace(-6.0, 6.0, 2001)
    prior = np.exp(-0.5 * grid**2)
    prior /= prior.sum()
    gained = []
    for value in np.log(f[:400]) + 0.7 * rng.standard_normal(400):
        after = prior * np.exp(-0.5 * ((value - 0.8 * grid) / 0.7) ** 2)
        after /= after.sum()
        gained.append(np.sum(after * np.log2(np.maximum(after, 1e-300) / prior)))
    assert bits == pytest.approx(0.5 * np.log2(1.0 + 0.8**2 / 0.7**2), abs=5.0 * error)
    assert bits == pytest.approx(np.mean(gained), abs=5.0 * np.hypot(error, np.std(gained) / 20.0))


def test_between_rows_only_what_is_smooth_there_is_believed() -> None:
    at = np.linspace(0.0, 1.0, 12)
    amplitude = np.random.default_rng(1).normal(1.0, 0.2, (50, 1))
    assert interpolated_well(at, amplitude * np.sin(3.0 * at), np.full(12, 0.05)).all()
    jump = amplitude * (at > 0.5)
    good = interpolated_well(at, jump, np.full(12, 0.05))
    assert not good[5:7].any()
