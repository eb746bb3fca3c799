"""Markov chains: they sample what they should, and R-hat, effective size and evidence say what others compute."""

from __future__ import annotations

import emcee
import numpy as np
import pytest

from bayescope.engine.baselines import ensemble
from bayescope.engine.baselines.evidence import evidence_of
from bayescope.engine.baselines.slice_sampling import sweep
from bayescope.engine.diagnostics.chains import bulk_ess, rank_normalized_rhat
from bayescope.engine.loop_interface import Archive, LoopSettings, Tell
from bayescope.engine.methods.loops import make_loop

PRECISION = np.array([[2.0, 0.9], [0.9, 1.0]])
COVARIANCE = np.linalg.inv(PRECISION)
LOG_Z = np.log(2 * np.pi) - 0.5 * np.log(np.linalg.det(PRECISION))


def gaussian(u):
    u = np.atleast_2d(u)
    return -0.5 * np.einsum("ni,ij,nj->n", u, PRECISION, u)


def bent(u):
    """A banana whose first coordinate is standard normal and whose second is N(x^2, 0.5^2)."""
    u = np.atleast_2d(u)
    return -0.5 * np.square(u[:, 0]) - 2.0 * np.square(u[:, 1] - np.square(u[:, 0]))


def chain_of(density, sweeps, seed, covariance):
    rng = np.random.default_rng(seed)
    x, found = np.zeros(2), []
    f = float(density(x)[0])
    for _ in range(sweeps):
        steps = sweep(x, f, covariance, rng)
        point = next(steps)
        try:
            while True:
                point = steps.send(float(density(point)[0]))
        except StopIteration as end:
            x, f = end.value
        found.append(x)
    return np.array(found)


def test_slice_sampling_draws_from_a_bent_density():
    chains = np.stack([chain_of(bent, 1200, seed, np.eye(2)) for seed in range(4)])
    flat = chains.reshape(-1, 2)
    error = 4 / np.sqrt(bulk_ess(chains))
    assert np.all(np.abs(flat.mean(axis=0) - [0.0, 1.0]) < error * np.array([1.0, 1.5]))
    assert flat[:, 0].var() == pytest.approx(1.0, rel=0.2)
    assert flat[:, 1].var() == pytest.approx(2.25, rel=0.35)


def test_ensembles_draw_what_emcee_draws():
    def quartic(u):
        u = np.atleast_2d(u)
        return -0.25 * u[:, 1] ** 4 - 0.5 * np.square(u[:, 0] - 0.5 * u[:, 1])

    rng = np.random.default_rng(1)
    mine = ensemble.sample(quartic, rng.normal(0, 1, (2, 16, 2)), 800, rng)
    theirs = emcee.EnsembleSampler(32, 2, quartic, vectorize=True)
    theirs.run_mcmc(emcee.State(rng.normal(0, 1, (32, 2)), random_state=np.random.RandomState(3).get_state()), 800)
    a, b = mine.points.reshape(-1, 2), theirs.get_chain(discard=400, flat=True)
    for p in (0.1, 0.5, 0.9):
        assert np.allclose(np.quantile(a, p, axis=0), np.quantile(b, p, axis=0), atol=0.15)
    assert np.allclose(mine.values, quartic(a).reshape(mine.values.shape))


def test_ensembles_that_start_in_separate_modes_stay_there_and_rhat_sees_it():
    def two(u):
        return np.logaddexp(gaussian(u + 8.0), gaussian(u - 8.0))

    rng = np.random.default_rng(0)
    start = np.stack([rng.normal(-8, 1, (12, 2)), rng.normal(8, 1, (12, 2))])
    found = ensemble.sample(two, start, 200, rng)
    assert rank_normalized_rhat(found.chains).min() > 1.5
    with pytest.raises(ValueError, match="no chain"):
        ensemble.sample(lambda u: np.full(len(u), -np.inf), start, 10, rng)


@pytest.mark.parametrize("correlation", [0.0, 0.9])
def test_rhat_and_effective_size_are_those_of_arviz(correlation):
    import arviz  # here: its import takes seconds, and every worker would pay

    rng = np.random.default_rng(7)
    steps = rng.standard_normal((4, 501, 2))
    chains = np.zeros_like(steps)
    for t in range(1, 501):
        chains[:, t] = correlation * chains[:, t - 1] + steps[:, t]
    chains[0] += 0.3
    data = arviz.convert_to_dataset(chains)
    assert np.allclose(rank_normalized_rhat(chains), arviz.rhat(data)["x"], atol=2e-3)
    assert np.allclose(bulk_ess(chains), arviz.ess(data)["x"], rtol=0.03)


def test_the_evidence_comes_from_draws_alone():
    rng = np.random.default_rng(3)
    draws = rng.multivariate_normal(np.zeros(2), COVARIANCE, 2000)
    found = evidence_of(draws, gaussian(draws) - 7.0, 2000.0, rng, 4)
    assert found.log_z == pytest.approx(LOG_Z - 7.0, abs=0.06)
    assert 0.001 < found.log_z_sd < 0.05
    assert found.elbo == pytest.approx(LOG_Z - 7.0, abs=0.06)


def settings(budget, **more):
    return LoopSettings(np.full(2, -6.0), np.full(2, 6.0), seed=2, max_evaluations=budget, **more)


def drive(loop, density, steps=100_000):
    answers = []
    for _ in range(steps):
        asks = loop.ask(4)
        if not asks:
            break
        for a in asks:
            loop.tell(Tell(a.index, a.u, float(density(a.u)[0])))
        answers += [a for a in [loop.update()] if a is not None]
    return answers


def test_four_chains_on_a_simulator_agree_and_give_posterior_and_evidence():
    loop = make_loop("slice", settings(20_000))
    last = drive(loop, gaussian)[-1]
    assert last.converged
    assert last.diagnostics["rhat"] < 1.01
    assert last.log_evidence == pytest.approx(LOG_Z, abs=4 * last.log_evidence_sd)
    assert np.allclose(np.cov(last.draws.points.T), COVARIANCE, atol=0.25)
    assert "agree" in last.reasons[0]


def test_chains_that_stay_apart_are_not_called_converged():
    def far(u):
        return np.logaddexp(gaussian(20 * (np.atleast_2d(u) + 4.0)), gaussian(20 * (np.atleast_2d(u) - 4.0)))

    points = np.concatenate([np.full((30, 2), -4.0), np.full((30, 2), 4.0)])
    points += np.random.default_rng(0).normal(0, 0.05, points.shape)
    archive = Archive(points, far(points), np.zeros(60))
    last = drive(make_loop("slice", settings(1500, archive=archive)), far)[-1]
    assert not last.converged
    assert "different places" in last.reasons[0]


def test_too_few_runs_are_said():
    last = drive(make_loop("slice", settings(60)), gaussian)[-1]
    assert not np.isfinite(last.log_evidence)
    assert "too few" in last.reasons[0]


def test_restored_chains_go_on_exactly():
    one, other = make_loop("slice", settings(5000)), make_loop("slice", settings(5000))
    for n in range(700):
        a = one.ask(1)[0]
        one.tell(Tell(a.index, a.u, None if n % 50 == 7 else float(gaussian(a.u)[0])))
        one.update()
    other.restore(one.state())
    for _ in range(60):
        a, b = one.ask(3), other.ask(3)
        assert [(p.index, p.u.tolist()) for p in a] == [(p.index, p.u.tolist()) for p in b]
        for p in a:
            for loop in (one, other):
                loop.tell(Tell(p.index, p.u, float(gaussian(p.u)[0])))
        assert (one.update() is None) == (other.update() is None)
