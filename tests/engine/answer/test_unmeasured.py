"""What is predicted of outputs that are compared with nothing: by the emulator, or by runs, and what is said of that."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bayescope.engine.answer.predictions.emulated import LightEmulator
from bayescope.engine.answer.predictions.learnt_runs import LearntRuns, RunsMade
from bayescope.engine.answer.predictions.predictive import Predicted
from bayescope.engine.answer.predictions.unmeasured import has_single_values, single_values, unmeasured
from bayescope.engine.problem import definition as d

RUNS = 24
Array = NDArray[np.float64]


def problem() -> d.Problem:
    return d.Problem(
        name="Epidemic",
        parameters=tuple(d.Parameter(name=n, prior=d.Uniform(low=-3.0, high=3.0)) for n in ("beta", "latent")),
        simulator=d.Simulator(command=("run", "@beta@", "@latent@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.CsvColumn(column=n)) for n in ("cases", "R0", "curve")),
        meaning=d.Predictions(matches=(d.Match(output="cases", column="cases"),), noise=d.GaussianKnown(sd=0.1)),
        data=d.DataTable(columns={"cases": (1.0, 2.0)}),
    )


def runs(of: dict[str, Array], weights: Array | None = None) -> tuple[RunsMade, Array]:
    """Runs at places (n, 2), and the output ``of`` each."""
    x = np.random.default_rng(3).uniform(-2.0, 2.0, (RUNS, 2))
    outputs = {i: {name: np.atleast_1d(values[i]) for name, values in of.items()} for i in range(RUNS)}
    return RunsMade(x, range(RUNS), outputs, np.full(RUNS, 1.0 / RUNS) if weights is None else weights), x


def places() -> Array:
    return np.random.default_rng(3).uniform(-2.0, 2.0, (RUNS, 2))


def learnt(x: Array) -> LearntRuns:
    """By one process of known hyperparameters; the posterior is narrow and beside the middle of the runs."""
    nothing, one = np.zeros(2), np.ones(1)
    theta = np.log(np.array([[2.0, 2.0, 1.0, 1.0, 0.3, 1e-3]]))
    emulator = LightEmulator(
        x, np.zeros((1, RUNS)), np.zeros((1, RUNS)), theta, nothing, np.ones(2), one, np.zeros(2), np.ones((1, 2)), np.ones(2),
        np.zeros(2), np.zeros(1), one, np.zeros(1),
    )  # fmt: skip
    at = np.array([0.7, -0.4]) + 0.2 * np.random.default_rng(1).standard_normal((4000, 2))
    every = np.arange(RUNS)
    return LearntRuns(emulator, every, every, at)


def only(found: list[Predicted]) -> Predicted:
    (one,) = found
    return one


def test_an_output_that_no_data_are_of_is_predicted_by_the_emulator_and_not_by_quantiles_of_the_runs() -> None:
    x = places()
    made, _ = runs({"R0": 2.0 + 0.9 * x[:, 0]})
    known = learnt(x)
    one = only(unmeasured(problem(), made, known))
    assert one.other is not None
    assert one.other.learnt is not None
    expected = np.quantile(2.0 + 0.9 * known.at[:, 0], (0.05, 0.5, 0.95))
    assert np.concatenate(one.ends) == pytest.approx(expected, abs=0.01)
    assert single_values([one]) == (f"R0: {one.words}",)
    assert "90 % interval" in one.words
    assert f"learnt from {RUNS} runs" in one.words


def test_a_curve_that_no_data_are_of_is_predicted_at_every_place() -> None:
    x, t = places(), np.linspace(0.0, 1.0, 60)
    made, _ = runs({"curve": np.exp(0.3 * x[:, :1] * t) + 0.1 * x[:, 1:]})
    known = learnt(x)
    one = only(unmeasured(problem(), made, known))
    assert one.other is not None
    assert one.other.learnt is not None
    expected = np.median(np.exp(0.3 * known.at[:, :1] * t) + 0.1 * known.at[:, 1:], axis=0)
    np.testing.assert_allclose(one.ends[1], expected, atol=0.02)
    assert single_values([one]) == (), "a curve is no single value"


def test_what_cannot_be_foretold_or_was_not_learnt_rests_on_the_runs_and_says_on_how_many() -> None:
    chance = np.random.default_rng(5).standard_normal(RUNS)
    weights = np.r_[np.full(4, 0.25), np.zeros(RUNS - 4)]
    made, x = runs({"R0": chance}, weights)
    for known in (None, learnt(x)):
        one = only(unmeasured(problem(), made, known))
        assert one.other is not None
        assert one.other.learnt is None
        assert set(np.concatenate(one.ends)) <= set(chance[:4]), "only those with a part in the posterior"
        assert "from 4 runs weighted by the posterior, which count like 4, so it is rough" in one.words


def test_whether_there_are_single_values_is_known_without_reading_runs() -> None:
    assert has_single_values(problem())


def test_what_if_gives_a_place_of_an_output_that_no_data_are_of() -> None:
    x = places()
    known = learnt(x)
    output = known.either_way((2.0 + 0.9 * x[:, :1]), np.arange(RUNS))
    assert output is not None
    low, middle, high = output.band_at(np.array([1.0, 0.0]))
    assert middle[0] == pytest.approx(2.9, abs=0.01)
    assert low[0] <= middle[0] <= high[0]
