"""What other methods make of the runs of an analysis: against the closed-form posterior, with no new run."""

from __future__ import annotations

import re

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer.distance import marginal_distances, mmtv
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.comparison.baseline_answers import baseline_answer
from bayescope.engine.loop_interface import Cancelled, Tell
from bayescope.engine.methods.loops import loop_settings, make_loop
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.records import AskRecord, EvaluationRecord
from bayescope.engine.session.store import SessionStore

PRIOR, SCALE = 2.0, np.array([0.3, 0.5])
JACOBIAN = np.array([[1.0, 0.0], [-1.0, 1.0]])
PRECISION = np.eye(2) / PRIOR**2 + JACOBIAN.T @ np.diag(1 / SCALE**2) @ JACOBIAN
MEAN = np.linalg.solve(PRECISION, JACOBIAN.T @ np.array([1.2 / SCALE[0] ** 2, 0.0]))


def log_likelihood(theta):
    r = (JACOBIAN @ theta - [1.2, 0.0]) / SCALE
    return float(-0.5 * r @ r)


def log_joint(theta):
    return log_likelihood(theta) - 0.5 * float(theta @ theta) / PRIOR**2 - 2 * np.log(PRIOR * np.sqrt(2 * np.pi))


LOG_Z = log_joint(MEAN) + np.log(2 * np.pi) - 0.5 * np.linalg.slogdet(PRECISION)[1]


def session(path, method, budget):
    """A session as a run would leave it, the log density computed here instead of by a program."""
    normal = d.Normal(mean=0.0, sd=PRIOR)
    problem = d.Problem(
        name="small",
        parameters=(d.Parameter(name="a", prior=normal), d.Parameter(name="b", prior=normal)),
        simulator=d.Simulator(command=("true",)),
        outputs=(d.Output(name="logl", source="stdout", extractor=d.LastNumber()),),
        meaning=d.LogLikelihoodOutput(output="logl"),
        settings=d.Settings(method=method, max_evaluations=budget, seed=5),
    )
    space = ParameterSpace(problem.parameters)
    loop = make_loop(method, loop_settings(problem, space, budget, 1))
    store = SessionStore.create(path, problem, own=True)
    told, journal, evaluations = 0, [], []
    while asks := loop.ask(1):
        ask = asks[0]
        theta = space.to_user(ask.u)
        value, prior = log_likelihood(theta), float(space.log_prior(theta))
        journal.append(AskRecord(ask.index, ask.u, told, ask.purpose))
        evaluations.append(
            EvaluationRecord(
                ask.index, told, ask.u, dict(zip("ab", theta.tolist(), strict=True)), "ok", value, prior,
                value + float(space.log_prior_in_inference(ask.u)),
            )
        )  # fmt: skip
        loop.tell(Tell(ask.index, ask.u, value + float(space.log_prior_in_inference(ask.u))))
        told += 1
        loop.update()
    state = {"loop": loop.state(), "told": told, "asked": told, "iteration": 0, "method": method}
    store.add_cycle(asks=journal, evaluations=evaluations, checkpoint=state, told=told)
    return store


@pytest.fixture(scope="module")
def analysed(tmp_path_factory):
    with session(tmp_path_factory.mktemp("analysed") / "a.bayescope", "default", 30) as store:
        yield store


def posterior_of(store, found):
    m = found.mixture
    kind = "mixture" if found.draws is None else "draws"
    space = ParameterSpace(store.problem.parameters)
    return StoredPosterior(space, m.weights, m.means, m.covariances, found.draws, found.weights, kind)


@pytest.mark.parametrize("method", ["laplace", "mcmc", pytest.param("stacking", marks=pytest.mark.long)])
def test_every_comparison_finds_the_posterior_and_evidence_in_closed_form(method, analysed):
    before = analysed.evaluation_count
    found = baseline_answer(analysed, method)
    assert analysed.evaluation_count == before == found.evaluations
    assert found.log_evidence == pytest.approx(LOG_Z, abs=0.1)
    assert found.trusted
    exact = StoredPosterior(posterior_of(analysed, found).space, [1.0], MEAN[None], np.linalg.inv(PRECISION)[None])
    assert mmtv(posterior_of(analysed, found), exact) < 0.05


@pytest.mark.long
def test_a_session_of_the_laplace_method_gets_a_surrogate_from_its_runs(tmp_path):
    with session(tmp_path / "l.bayescope", "laplace", 80) as store:
        found = baseline_answer(store, "laplace")
        assert found.log_evidence == pytest.approx(LOG_Z, abs=0.2)


def test_chains_of_a_slice_sampling_session_are_stacked_themselves(tmp_path):
    with session(tmp_path / "s.bayescope", "slice", 2000) as store:
        found = baseline_answer(store, "stacking")
        assert "chains of this analysis" in found.reasons[0]
        assert found.log_evidence == pytest.approx(LOG_Z, abs=0.3)


def test_too_few_runs_are_said_and_a_cancelled_comparison_ends(tmp_path, analysed):
    with session(tmp_path / "few.bayescope", "default", 2) as store, pytest.raises(SessionError, match="too few"):
        baseline_answer(store, "mcmc")

    def stop():
        raise Cancelled

    with pytest.raises(Cancelled):
        baseline_answer(analysed, "mcmc", stop)


def test_the_distance_between_two_gaussians_is_the_closed_form():
    """Total variation of N(0, 1) and N(m, 1) is 2 Phi(m / 2) - 1."""
    from scipy.stats import norm

    space = ParameterSpace.from_bounds(["a", "b"], [-np.inf] * 2, [np.inf] * 2, [-3.0] * 2, [3.0] * 2)
    p = StoredPosterior(space, [1.0], [[0.0, 0.0]], [np.eye(2)])
    q = StoredPosterior(space, [1.0], [[1.0, 0.0]], [np.eye(2)])
    distances = marginal_distances(p, q)
    assert distances["a"] == pytest.approx(2 * norm.cdf(0.5) - 1, abs=2e-3)
    assert distances["b"] == pytest.approx(0.0, abs=1e-9)
    assert mmtv(p, q) == pytest.approx(0.5 * (2 * norm.cdf(0.5) - 1), abs=2e-3)


def noisy_session(path, budget, wall):
    """The same with standard errors; with ``wall`` the density is zero below a = 1.2, the middle of the posterior."""
    with session(path, "default", 2) as store:
        problem = store.problem
    path.unlink()
    meaning = d.LogLikelihoodOutput(output="logl", noise_sd="sd")
    outputs = (*problem.outputs, d.Output(name="sd", source="stdout", extractor=d.LastNumber()))
    many = {"final_draws": 16_000}  # so that chance in the answer's own draws counts for little in what it is compared by
    settings = d.Settings(max_evaluations=budget, seed=5, options=many)
    problem = msgspec.structs.replace(problem, meaning=meaning, outputs=outputs, settings=settings)
    space, rng = ParameterSpace(problem.parameters), np.random.default_rng(3)
    loop = make_loop("default", loop_settings(problem, space, budget, 1))
    store = SessionStore.create(path, problem, own=True)
    told, journal, evaluations = 0, [], []
    while asks := loop.ask(1):
        ask = asks[0]
        theta = space.to_user(ask.u)
        impossible = wall and theta[0] < 1.2
        value, prior = log_likelihood(theta) + rng.standard_normal(), float(space.log_prior(theta))
        target = None if impossible else value + float(space.log_prior_in_inference(ask.u))
        journal.append(AskRecord(ask.index, ask.u, told, ask.purpose))
        evaluations.append(
            EvaluationRecord(
                ask.index, told, ask.u, dict(zip("ab", theta.tolist(), strict=True)), "impossible" if impossible else "ok",
                None if impossible else value, prior, target, noise_sd=1.0,
            )
        )  # fmt: skip
        loop.tell(Tell(ask.index, ask.u, target, 1.0, impossible))
        told += 1
    snapshot = loop.update()
    state = {"loop": loop.state(), "told": told, "asked": told, "iteration": 0, "method": "default"}
    store.add_cycle(asks=journal, evaluations=evaluations, checkpoint=state, told=told)
    return store, snapshot


@pytest.mark.loops
@pytest.mark.parametrize("wall", [False, True])
def test_chains_on_a_noisy_surrogate_find_the_answer_of_the_analysis_itself(tmp_path, wall):
    store, own = noisy_session(tmp_path / "n.bayescope", 60, wall)
    with store:
        found = baseline_answer(store, "mcmc")
        s = own.draws
        m = own.mixture
        space = ParameterSpace(store.problem.parameters)
        answer = StoredPosterior(space, m.weights, m.means, m.covariances, s.points, s.weights, "draws")
        assert found.trusted
        independent = int(re.search(r"worth ([\d,]+) independent draws", found.reasons[0])[1].replace(",", ""))
        assert mmtv(posterior_of(store, found), answer) < max(by_chance(answer, min(independent, len(found.draws)), times=50))
        assert found.log_evidence == pytest.approx(own.log_evidence, abs=0.05)


def by_chance(answer, n, times):
    """How far ``n`` independent draws of an answer are from it, ``times`` times."""
    rng, q = np.random.default_rng(0), (answer.weights, answer.means, answer.covariances)
    for _ in range(times):
        points = rng.choice(answer.draws, n, p=answer.draw_weights)
        yield mmtv(StoredPosterior(answer.space, *q, points, None, "draws"), answer)
