"""The surrogate whose lengths tell how much each parameter matters, and the mean function that a prior gives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from bayescope.engine.loop_interface import Tell
from bayescope.engine.methods.ask_tell import EvaluationLog
from bayescope.engine.methods.default.memory import Memory
from bayescope.engine.methods.default.score import ScoreLearner
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.surrogate.evaluations import Evaluations
from bayescope.engine.surrogate.frames import BoxFrame, Whitening
from bayescope.engine.surrogate.known_prior import bowl_of
from bayescope.engine.surrogate.quadratic.hyperparameters import RelevanceObjective, fit_in
from bayescope.engine.surrogate.quadratic.kernel import (
    AXIS_FREQUENCIES,
    CONSTANT_VARIANCE,
    Bowl,
    Frames,
    Kernel,
    axis_weights,
    prior_of,
    radial_sines,
    radial_weights,
)
from bayescope.engine.surrogate.quadratic.posterior import QuadraticSurrogate

D = 3
BOWL = Bowl(np.array([0.3, 1.0, 2.0]), np.array([0.5, 0.0, -1.0]))
FRAMES = Frames(None, Whitening.none(D), axes=BOWL)
THETA = prior_of(D)[0] + np.random.default_rng(5).normal(size=D + 8) * 0.5


def values(n: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    b = np.random.default_rng(seed).normal(size=(n, D)) * 1.5
    return b, -0.7 * np.square(b).sum(1) + np.sin(b[:, 0])


def direct_kernel(x: np.ndarray, y: np.ndarray) -> float:
    """The formula of the kernel's docstring with relevances, point by point."""
    l, (sf, s1, s2, s3) = np.exp(THETA[:D]), np.exp(THETA[D : D + 4])
    r = np.sqrt(D) / l
    a, b = r * x, r * y
    k = CONSTANT_VARIANCE + s1**2 * a @ b + s2**2 / 2 * (r**2 * (x**2 - 1)) @ (r**2 * (y**2 - 1))
    k += s3**2 * sum(a[i] * a[j] * b[i] * b[j] for i in range(D) for j in range(i))
    k += sf**2 * np.exp(-0.5 * (((x - y) / l) ** 2).sum())
    w = axis_weights(THETA[D + 4], THETA[D + 5])[0]
    k += sum(r[i] ** 2 * w @ (np.sin(AXIS_FREQUENCIES * (x[i] + 6)) * np.sin(AXIS_FREQUENCIES * (y[i] + 6))) for i in range(D))
    return float(k + (radial_sines(x[None])[0] * radial_sines(y[None])[0]) @ radial_weights(THETA[D + 6], THETA[D + 7])[0])


def test_kernel_mean_and_variance_are_those_of_the_formula() -> None:
    (b, y), noise = values(25), np.full(25, 1e-2)
    kernel, at = Kernel(THETA, FRAMES), np.random.default_rng(2).normal(size=(6, D))
    surrogate = QuadraticSurrogate(kernel, b, y, noise)
    k = np.array([[direct_kernel(p, q) for q in b] for p in b]) + np.diag(noise)
    cross = np.array([[direct_kernel(p, q) for q in b] for p in at])
    mean = BOWL.at(at) + cross @ np.linalg.solve(k, y - BOWL.at(b))
    variance = np.array([direct_kernel(p, p) for p in at]) - (cross * np.linalg.solve(k, cross.T).T).sum(1)
    assert surrogate.mean(at) == pytest.approx(mean, abs=1e-7)
    assert surrogate.variance(at) == pytest.approx(variance, abs=1e-6)
    assert np.diag(surrogate.joint_covariance(at)) == pytest.approx(variance, abs=1e-6)


def test_the_gradient_of_the_hyperparameters_is_that_of_differences() -> None:
    b, y = values(25)
    objective = RelevanceObjective(FRAMES.coordinates(b), y, np.full(25, 1e-2), "smooth", BOWL)
    numeric = optimize.approx_fprime(THETA, lambda theta: objective(theta)[0], 1e-6)
    assert objective(THETA)[1] == pytest.approx(numeric, abs=2e-3)


def test_the_mean_function_is_the_log_prior_of_normal_and_uniform_parameters_in_any_frame() -> None:
    parameters = [
        d.Parameter(name="a", prior=d.Normal(mean=3.0, sd=2.0)),
        d.Parameter(name="b", prior=d.Uniform(low=-1.0, high=4.0)),
        d.Parameter(name="c", prior=d.LogNormal(log_mean=0.7, log_sd=0.5)),
    ]
    space = ParameterSpace(parameters)
    low, high = space.plausible_box()
    box = BoxFrame.of(low - 0.3, high + 1.1)
    bowl = bowl_of(space.log_prior_in_inference, box)
    at = np.random.default_rng(0).normal(size=(9, D))
    above = space.log_prior_in_inference(box.back(at)) - bowl.at(at)
    assert np.ptp(above) < 1e-8


def test_without_a_prior_or_under_a_flat_one_the_mean_is_that_of_a_normal_as_wide_as_the_range() -> None:
    box = BoxFrame.of(np.full(2, -1.0), np.full(2, 3.0))
    for prior in (None, lambda u: np.zeros(len(u)), lambda u: np.where(u[:, 0] > 0.0, 0.0, -np.inf)):
        bowl = bowl_of(prior, box)
        assert (bowl.curvature == 1.0).all()
        assert (bowl.centre == 0.0).all()


def few_of_many(n: int, dimension: int = 12) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Values of which three parameters matter, at n places, and as many to be foretold."""
    rng = np.random.default_rng(7)
    a = rng.standard_normal((3, 3))
    b = rng.uniform(-2, 2, (2 * n, dimension))
    y = -np.square((b[:, [1, 4, 7]] - 0.4) @ a.T).sum(1) * 2.0
    return b[:n], y[:n], b[n:], y[n:]


def test_from_fewer_values_than_a_quadratic_has_coefficients_the_parameters_that_matter_are_found() -> None:
    b, y, other, truth = few_of_many(45)
    frames = Frames(None, Whitening.none(12), axes=Bowl(np.full(12, 1e-3), np.zeros(12)))
    error, noise = {}, np.full(45, 1e-5)
    for name, seen in (("alike", Frames(None, Whitening.none(12))), ("relevances", frames)):
        theta = fit_in(seen, b, y, noise, [prior_of(12)[0]]).theta
        foretold = QuadraticSurrogate(Kernel(theta, seen), b, y, noise).mean(other)
        error[name] = np.sqrt(np.mean(np.square(foretold - truth)))
        if name == "relevances":
            assert set(np.argsort(theta[:12])[:3]) == {1, 4, 7}
    assert error["relevances"] < 0.25 * error["alike"]


@pytest.mark.parametrize(("dimension", "offered"), [(4, False), (6, False), (7, True), (20, True)])
def test_relevances_are_offered_where_a_quadratic_has_many_more_coefficients_than_there_are_first_values(
    dimension: int, offered: bool
) -> None:
    learner = ScoreLearner(Memory(dimension, EvaluationLog(10)))
    assert ("axes" in learner.variants) == offered


def test_evidence_chooses_relevances_where_few_parameters_matter() -> None:
    b, y, _, _ = few_of_many(60)
    memory = Memory(12, EvaluationLog(100))
    learner = ScoreLearner(memory)
    told = [Tell(i, point, value) for i, (point, value) in enumerate(zip(b, y, strict=True))]
    learner.fit(Evaluations.of(told, 12, lambda u: u), None)
    assert memory.variant == "axes"
