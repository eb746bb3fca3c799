"""An archive of noisy evaluations: what counts is decided by levels, and the answer is no surer than the noise lets it be."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bayescope.engine.library.infer import Inference
from bayescope.engine.methods.surrogate_memory import Step
from bayescope.engine.methods.svbmc import buildup, draws
from bayescope.engine.methods.svbmc.draws import noisy_surprise
from bayescope.engine.methods.svbmc.surrogate import Data, overconfidence, predicts_better
from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.model import Model

SD = 3.0
LOG_Z = float(np.log(2.0 * np.pi))


def density(x):
    return -0.5 * np.square(x).sum(-1)


def started(budget=0, n=300, **options):
    rng = np.random.default_rng(3)
    x = rng.normal(0.0, 2.0, (n, 2))
    given = {"surrogate": "exact", "kernel": "se", "max_components": 1, "stop": False, **options}
    archive = (x, density(x) + SD * rng.standard_normal(n), np.full(n, SD))
    return Inference([(-3.0, 3.0)] * 2, None, budget, 0, "svbmc", noisy=True, options=given, archive=archive)


@pytest.fixture(scope="module")
def one():
    """Two dimensions and one mode need no long chains and no fine quadrature."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(draws, "DRAWS_UP_TO_3_D", 2048)
        patch.setattr(buildup, "STEPS", 20)
        run = started(budget=6)
        return run, run.update()


@pytest.mark.loops
def test_the_answer_is_near_the_truth_and_as_sure_as_it_may_be(one):
    _, answer = one
    assert answer.log_evidence == pytest.approx(LOG_Z, abs=0.6)
    assert abs(answer.log_evidence - LOG_Z) < 3.0 * answer.log_evidence_sd
    assert np.allclose(answer.sample(2000, seed=0).mean(0), 0.0, atol=0.4)


def test_the_best_value_is_not_the_luckiest_one(one):
    values = one[0].loop.method.values
    assert values.y.max() > 5.0
    assert values.top == pytest.approx(0.0, abs=1.5)


def test_noise_shaping_does_not_prefer_lucky_values(one):
    """Among points of about the same density the noise added must not go with the luck of their values."""
    method = one[0].loop.method
    method.memory.counts["unshaped"] = 0
    data = method._data(method.values)
    added = (data.noise - data.measured).numpy()
    true = density(method.values.u)
    near = (true > -8.0) & (true < -4.0)
    assert near.sum() > 50
    luck = (method.values.y - true)[near]
    assert (added[near] > 0.0).all()
    assert abs(np.corrcoef(luck, added[near])[0, 1]) < 0.35
    by_value = np.corrcoef(luck, -method.values.y[near])[0, 1]
    assert by_value < -0.8, "what the values themselves would have done"


@pytest.mark.loops
def test_new_noisy_runs_go_on_from_where_a_saved_run_was():
    run = started(budget=6, active_points=3)
    run.update()
    rng = np.random.default_rng(0)
    for _ in range(2):
        for point in run.ask():
            run.tell(point.index, density(point.theta) + SD * rng.standard_normal(), SD)
        run.update()
    other = started(budget=6, active_points=3)
    other.loop.restore(run.loop.state())
    assert np.allclose(run.loop.ask(1)[0].u, other.loop.ask(1)[0].u)


def straight(lengthscale, y, noise):
    kernel = SquaredExponential(torch.zeros((), dtype=torch.float64), torch.full((1,), np.log(lengthscale), dtype=torch.float64))
    x = torch.linspace(-3.0, 3.0, len(y), dtype=torch.float64).unsqueeze(1)
    return ExactSurrogate.build(Model(kernel), x, y, torch.full((len(y),), noise, dtype=torch.float64))


def test_a_difference_that_noise_explains_does_not_choose_a_surrogate():
    rng, block = np.random.default_rng(5), torch.arange(61) % 5
    y = torch.as_tensor(rng.standard_normal(61))
    near, alike = straight(1.0, y, 1.0), straight(1.02, y, 1.0)
    assert not (predicts_better(near, alike, block, noisy=True) and predicts_better(alike, near, block, noisy=True))
    far = straight(1.0, y + 30.0 * torch.sign(torch.linspace(-1.0, 1.0, 61)), 1e-4)
    assert predicts_better(near, far, block, noisy=True)


def test_noise_in_the_tails_is_not_held_against_the_surrogate():
    rng = np.random.default_rng(6)
    level = -torch.linspace(0.0, 14.0, 200, dtype=torch.float64)
    y = level + torch.as_tensor(SD * rng.standard_normal(200))
    kernel = SquaredExponential(torch.tensor(2.0, dtype=torch.float64), torch.full((1,), 1.0, dtype=torch.float64))
    x = torch.linspace(-3.0, 3.0, 200, dtype=torch.float64).unsqueeze(1)
    noise = torch.full((200,), SD**2, dtype=torch.float64)
    surrogate = ExactSurrogate.build(Model(kernel), x, y, noise)
    assert overconfidence(surrogate, 1) > 3.0
    assert overconfidence(surrogate, 1, Data(x, y, noise, level, noise)) < 1.5


def step(n, residual, weight=1.0):
    return Step(n, -1.0, 0.01, residual, weight, 0.0)


def test_new_noisy_values_make_an_answer_less_sure_only_where_they_disagree():
    sds = dict.fromkeys(range(1, 41), 5.0)
    calm = [step(n, 5.0 * (-1.0) ** n) for n in range(1, 41)]
    off = [step(s.evaluations, s.residual + 6.0) for s in calm]
    assert noisy_surprise([], sds) == 0.0
    assert noisy_surprise(calm, sds) < 0.8
    assert noisy_surprise(off, sds) == pytest.approx(6.0, abs=0.3)
    assert noisy_surprise([step(s.evaluations, 60.0, 1e-12) for s in calm[:1]] + calm[1:], sds) < 0.8
