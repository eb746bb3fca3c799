"""Units in which outputs are learnt follow the noise as it is known."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.likelihood.predicted import PredictedCells
from bayescope.engine.methods.default.noise_factors import noise_factors
from bayescope.engine.methods.default.outputs_memory import OutputsMemory
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace

Y = (1.0, 2.0, 4.0, 7.0)


def cells_of(noise: d.NoiseModel, prior: d.Prior) -> tuple[PredictedCells, ParameterSpace]:
    problem = d.Problem(
        name="two outputs",
        parameters=(d.Parameter(name="a", prior=d.Uniform(low=0.0, high=1.0)), d.Parameter(name="s", prior=prior)),
        simulator=d.Simulator(command=("x", "@a@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in "yz"),
        meaning=d.Predictions(
            matches=(
                d.Match(output="y", column="y"),
                d.Match(output="z", column="z", noise=d.GaussianKnown(sd=0.5)),
            ),
            noise=noise,
        ),
        data=d.DataTable(columns={"y": Y, "z": (1.0, 1.0, 1.0, 1.0)}),
    )
    space = ParameterSpace(problem.parameters)
    cells = PredictedCells.of(problem, space)
    assert cells is not None
    return cells, space


@pytest.mark.parametrize(
    ("noise", "expected"),
    [
        (d.GaussianInferred(parameter="s"), [0.03] * 4),
        (d.StudentTNoise(dof=4.0, parameter="s"), [0.03] * 4),
        (d.LogNormalNoise(parameter="s"), [0.03 * y for y in Y]),
        (d.NegativeBinomialNoise(parameter="s"), [np.sqrt(y + y * y / 0.03) for y in Y]),
        (d.Ar1Noise(sd="s", rho=0.5), [0.03] * 4),
    ],
)
def test_units_are_those_of_the_noise_parameters_of_a_run(noise: d.NoiseModel, expected: list[float]) -> None:
    cells, space = cells_of(noise, d.LogUniform(low=0.001, high=1000.0))
    u = space.to_inference(np.array([[0.4, 0.03]]))[0]
    np.testing.assert_allclose(cells.units_at(u, np.ones(8))[:4], expected, rtol=1e-9)
    np.testing.assert_allclose(cells.units_at(u, np.ones(8))[4:], 0.5)


def test_a_size_that_is_integrated_out_is_what_the_residuals_leave_of_its_prior() -> None:
    cells, _ = cells_of(d.GaussianIntegrated(shape=2.0, scale=3.0, per_point=False), d.LogUniform(low=0.1, high=10.0))
    f = np.array([1.5, 1.0, 4.0, 5.0, 1.0, 1.0, 1.0, 1.0])
    squares = 0.25 + 1.0 + 0.0 + 4.0
    found = cells.units_at(np.zeros(2), f)
    np.testing.assert_allclose(found[:4], np.sqrt((3.0 + squares / 2) / (2.0 + 4 / 2)))
    np.testing.assert_allclose(cells.units[:4], np.sqrt(3.0 / 2.0))


def test_factors_are_powers_of_two_of_each_comparison_and_stay_while_about_right() -> None:
    cells, space = cells_of(d.GaussianInferred(parameter="s"), d.LogUniform(low=0.001, high=1000.0))
    first = float(cells.units[0])

    def at(ratio: float, before: np.ndarray | None) -> list[float]:
        u = space.to_inference(np.array([[0.4, first * ratio]]))[0]
        return list(noise_factors(cells, u, np.zeros(8), before))

    assert at(1.6, None) == [1.0, 1.0], "two thirds of a doubling change nothing"
    assert at(1 / 70.0, None) == [1 / 64, 1.0]
    assert at(1 / 50.0, np.array([1 / 64, 1.0])) == [1 / 64, 1.0]
    assert at(1 / 30.0, np.array([1 / 64, 1.0])) == [1 / 32, 1.0]
    changed = cells.with_units(np.array([0.25, 2.0]))
    np.testing.assert_allclose(changed.units, cells.units * np.repeat([0.25, 2.0], 4))


def test_noise_that_a_run_takes_for_nothing_has_a_unit_all_the_same() -> None:
    cells, _ = cells_of(d.GaussianInferred(parameter="s"), d.HalfNormal(scale=1.0))
    u = np.array([0.0, -1e6])
    factors = noise_factors(cells, u, np.zeros(8), None)
    assert (cells.with_units(factors).units > 0.0).all()


def test_factors_are_in_a_session_that_is_opened_again() -> None:
    before = OutputsMemory(noise_factors=np.array([0.25, 8.0]))
    after = OutputsMemory.of_state(before.to_state())
    assert after.noise_factors is not None
    np.testing.assert_array_equal(after.noise_factors, [0.25, 8.0])
    assert OutputsMemory.of_state(OutputsMemory().to_state()).noise_factors is None
