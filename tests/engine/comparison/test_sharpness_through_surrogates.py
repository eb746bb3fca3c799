"""Laplace's Gaussian and local sds through the surrogates of analyses, for strongly correlated posteriors in closed form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from bayescope.engine.answer.local_width import LocalWidth
from bayescope.engine.comparison.from_its_top import by_laplace, gaussian_at_top
from bayescope.engine.comparison.known_density import KnownDensity
from bayescope.engine.diagnostics.local_width import local_width
from bayescope.engine.likelihood.evaluate import log_likelihood
from bayescope.engine.methods.ask_tell import EvaluationLog
from bayescope.engine.methods.default.memory import Memory
from bayescope.engine.methods.default.outputs import OutputsLearner
from bayescope.engine.methods.default.outputs_memory import OutputsMemory
from bayescope.engine.methods.default.score import ScoreLearner
from bayescope.engine.methods.loops import loop_settings
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.surrogate.evaluations import Evaluations
from bayescope.engine.surrogate.frames import BoxFrame, Whitening
from bayescope.engine.surrogate.log_joint import LogJoint

Array = np.ndarray
RUNS = {2: 30, 3: 40, 6: 80}  # of converged analyses that learn the score
FEWER = 18  # ... the outputs
BANANA_SDS = np.array([0.4, 0.1])


def correlated(dimension: int) -> GaussianMixture:
    covariance = 0.04 * (np.full((dimension, dimension), 0.99) + 0.01 * np.eye(dimension))
    return GaussianMixture.single(0.1 * np.arange(dimension), covariance)


def runs(
    q: GaussianMixture, log_density: Callable[[Array], Array], outputs: Callable[[Array], Array] | None = None
) -> Evaluations:
    """A third in the box, the others near the posterior, as a converged run leaves them."""
    rng, n = np.random.default_rng(4), RUNS[q.dimension] if outputs is None else FEWER
    near = q.mean() + 1.3 * (q.sample(n - n // 3, rng) - q.mean())
    b = np.concatenate([rng.uniform(-2.0, 2.0, (n // 3, q.dimension)), near])
    y, none = log_density(b), np.empty((0, q.dimension))
    told = None if outputs is None else outputs(b)
    return Evaluations(b, y, np.zeros(n), np.arange(n), none, none, float(y.max()), told)


def score_learnt(known: Evaluations, q: GaussianMixture) -> LogJoint:
    """In the variant that is whitened by the posterior: one fit of hyperparameters."""
    memory = Memory(q.dimension, EvaluationLog(100), variant="white", framed_at=len(known.y))
    memory.whitening = Whitening.of_moments(q.mean(), q.covariance())
    learner = ScoreLearner(memory)
    learner.fit(known, None)
    return learner.surrogate(known)


def outputs_learnt(q: GaussianMixture) -> tuple[LogJoint, float]:
    """Measured values that are linear in the parameters, with normal noise and a wide prior; and the log evidence."""
    dimension = q.dimension
    matrix = np.linalg.inv(np.linalg.cholesky(q.covariance()))
    data, names = matrix @ q.mean(), [f"p{i}" for i in range(dimension)]
    problem = d.Problem(
        name="line",
        parameters=tuple(d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=10.0)) for n in names),
        simulator=d.Simulator(command=("x", *(f"@{n}@" for n in names))),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
        meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=1.0)),
        data=d.DataTable(columns={"y": tuple(data)}),
    )
    space = ParameterSpace(problem.parameters)
    settings = loop_settings(problem, space, 100, 1)

    def density(b: Array) -> Array:
        scores = [log_likelihood(problem, {"y": matrix @ u}, space.values(u))[0] for u in b]
        return np.array(scores) + np.array([float(space.log_prior_in_inference(u)) for u in b])

    known = runs(q, density, lambda b: b @ matrix.T)
    learner = OutputsLearner(settings, BoxFrame(np.zeros(dimension), np.ones(dimension)), OutputsMemory(chosen_at=FEWER))
    learner.fit(known)
    precision = matrix.T @ matrix + 0.01 * np.eye(dimension)
    mode = np.linalg.solve(precision, matrix.T @ data)
    log_z = density(mode[None])[0] + 0.5 * (dimension * np.log(2 * np.pi) - np.linalg.slogdet(precision)[1])
    return learner.surrogate(known), float(log_z)


def looked_at(surrogate: LogJoint, top: float, q: GaussianMixture, frame: Array) -> tuple[Array, float, bool]:
    """Sds of Laplace's Gaussian, its log evidence, and whether it is believed; from the best run."""
    known = KnownDensity(
        lambda b: surrogate.mean(b) + top, surrogate.b, surrogate.y, np.zeros(len(surrogate.y)), np.full(q.dimension, 4.0)
    )
    found = by_laplace(known, surrogate.b[np.argmax(surrogate.y)], frame, np.random.default_rng(0))
    return np.sqrt(np.diag(found.mixture.covariances[0])), found.log_evidence, found.trusted


def local(surrogate: LogJoint, q: GaussianMixture) -> LocalWidth:
    place, box = surrogate.b[np.argmax(surrogate.y)], BoxFrame(np.zeros(q.dimension), np.ones(q.dimension))
    found = LocalWidth.of(local_width(surrogate, box, q, place, 1.0), place)
    assert found is not None
    assert np.isfinite(found.error).all()
    return found


@pytest.mark.parametrize("dimension", [2, 3, 6])
def test_correlated_normals_keep_their_sds_and_evidence_when_the_score_is_learnt(dimension: int) -> None:
    q = correlated(dimension)
    known = runs(q, q.log_density)
    surrogate, sds = score_learnt(known, q), np.sqrt(np.diag(q.covariance()))
    for frame in (q.covariance(), 0.04 * np.eye(dimension)):  # also from one that knows nothing of the correlation
        found, log_z, trusted = looked_at(surrogate, known.top, q, frame)
        assert found == pytest.approx(sds, rel=0.1)
        assert log_z == pytest.approx(0.0, abs=0.1)
        assert trusted
    width = local(surrogate, q)
    assert width.sds == pytest.approx(sds, rel=0.05)
    assert (width.error < 0.05).all()


@pytest.mark.parametrize("dimension", [2, 3, 6])
def test_correlated_normals_keep_their_sds_and_evidence_when_outputs_are_learnt(dimension: int) -> None:
    q = correlated(dimension)
    surrogate, log_z = outputs_learnt(q)
    sds = np.sqrt(np.diag(q.covariance()))
    found, evidence, trusted = looked_at(surrogate, surrogate.top, q, q.covariance())  # type: ignore[attr-defined]
    assert found == pytest.approx(sds, rel=0.02)
    assert evidence == pytest.approx(log_z, abs=0.02)
    assert trusted
    assert local(surrogate, q).sds == pytest.approx(sds, rel=0.02)


def test_a_bent_posterior_has_the_curvature_of_its_top_and_is_told_to_be_no_gaussian() -> None:
    """-x^2 / 2 - (y - x^2)^2 / 2, in units of BANANA_SDS: at its top the second derivatives are those of a standard normal."""

    def banana(b: Array) -> Array:
        x, y = (b / BANANA_SDS).T
        return -0.5 * np.square(x) - 0.5 * np.square(y - np.square(x))

    about = GaussianMixture.single(BANANA_SDS * [0.0, 1.0], np.diag(np.square(BANANA_SDS * [1.0, 1.7])))
    known = runs(about, banana)
    surrogate = score_learnt(known, about)
    fit = gaussian_at_top(lambda b: surrogate.mean(b) + known.top, surrogate.b[np.argmax(surrogate.y)], np.diag(BANANA_SDS))
    assert fit.definite
    assert np.sqrt(np.diag(fit.covariance)) == pytest.approx(BANANA_SDS, rel=0.25)
    assert not looked_at(surrogate, known.top, about, about.covariance())[2]


def test_the_error_of_a_local_sd_is_that_of_functions_the_runs_allow() -> None:
    """Against the sds of functions drawn jointly at the points of all differences, of a surrogate through too few runs."""
    q = correlated(2)
    known = runs(q, q.log_density)
    few = np.r_[:5, 20:24]
    known = replace(known, points=known.points[few], y=known.y[few], sd=known.sd[few], index=few)
    surrogate = score_learnt(known, q)
    width = local(surrogate, q)
    rng, steps = np.random.default_rng(1), np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    weights = 0.5 * np.array([-1.0, 16.0, -30.0, 16.0, -1.0]) / 12.0  # (4 D(1) - D(2)) / 3, Abramowitz and Stegun 25.3.24
    for i in range(2):
        along = width.covariance[:, i] / width.sds[i]
        covariance = surrogate.joint_covariance(width.place + steps[:, None] * along)
        drawn = rng.multivariate_normal(np.zeros(5), covariance, 4000) @ weights
        assert width.error[i] == pytest.approx(drawn.std(), rel=0.1)
