"""Noise shaping where it helps: evaluations that are held out decide."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.stats import chi2

from bayescope.engine.library.infer import Inference
from bayescope.engine.methods.svbmc.surrogate import (
    LARGEST_OVERCONFIDENCE,
    over_posterior,
    overconfidence,
    predicts_better,
    stays_unshaped,
)
from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.sparse import SparseSurrogate

BOX = [(-3.0, 3.0)] * 2
OPTIONS = {"surrogate": "sparse", "inducing": 40, "kernel": "se", "max_components": 2, "stop": False}


def smooth(x):
    return -0.5 * np.square(x).sum(-1)


def with_a_cliff(x):
    """Far below the best the values say nothing about the bulk."""
    far = np.square(x).sum(-1) > 12.0
    return smooth(x) - 30.0 * far * (1.0 + np.sin(9.0 * x[..., 0]))


def begun(density, **options):
    x = np.random.default_rng(1).normal(0.0, 2.0, (250, 2))
    run = Inference(BOX, None, 0, 0, "svbmc", options={**OPTIONS, **options}, archive=(x, density(x)))
    return run.loop.method, run.update()


@pytest.mark.loops
def test_values_far_below_the_best_count_in_full_where_they_tell_of_the_bulk():
    method, answer = begun(smooth)
    assert method.memory.count("unshaped") == 1
    assert answer.log_evidence == pytest.approx(np.log(2.0 * np.pi), abs=0.05)


@pytest.mark.loops
def test_they_are_shaped_where_they_mislead():
    method, answer = begun(with_a_cliff)
    assert method.memory.count("unshaped") == 0
    _, plain = begun(with_a_cliff, noise_shaping=False)
    true = np.log(2.0 * np.pi)
    assert abs(answer.log_evidence - true) < abs(plain.log_evidence - true)


def test_a_surrogate_that_is_nearer_but_surer_than_it_may_be_is_not_better():
    x = torch.linspace(-3.0, 3.0, 31, dtype=torch.float64).unsqueeze(1)
    y, block = torch.sin(2.0 * x[:, 0]), torch.arange(31) % 5

    def surrogate(lengthscale: float, noise: float) -> ExactSurrogate:
        log_scale, log_lengthscale = torch.tensor([0.0, np.log(lengthscale)], dtype=torch.float64)
        kernel = SquaredExponential(log_scale, log_lengthscale.reshape(1))
        return ExactSurrogate.build(Model(kernel), x, y, torch.full((31,), noise, dtype=torch.float64))

    good, rough = surrogate(1.0, 1e-4), surrogate(0.1, 1e-2)
    assert predicts_better(good, rough, block)
    assert not predicts_better(rough, good, block)
    assert not predicts_better(good, None, block)
    assert not predicts_better(good, rough, torch.full((31,), -1)), "nothing to hold out"


@pytest.mark.parametrize("ripple", [0.0, 0.1])
def test_one_that_is_better_where_the_posterior_is_and_far_too_sure_of_its_tails_is_not_taken(ripple):
    x = torch.linspace(-5.0, 5.0, 201, dtype=torch.float64).unsqueeze(1)
    drop = 0.5 * x[:, 0].square()
    y = -drop + ripple * (drop > 5.0) * (-1.0) ** torch.arange(201)
    bulk = drop < 3.0
    block = torch.where(bulk, torch.arange(201) % 5, -1)

    def surrogate(lengthscale, noise):
        log_scale, log_lengthscale = torch.tensor([4.0, np.log(lengthscale)], dtype=torch.float64)
        kernel = SquaredExponential(log_scale, log_lengthscale.reshape(1))
        return SparseSurrogate.build(Model(kernel), x[::8], x, y, torch.full((201,), noise, dtype=torch.float64))

    plain, shaped = surrogate(1.5, 1e-6), surrogate(0.2, 1e-2)
    assert predicts_better(plain, shaped, block)
    assert (overconfidence(plain, 1) == LARGEST_OVERCONFIDENCE) == bool(ripple)
    assert stays_unshaped(plain, shaped, block) == (not ripple)


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_how_many_evaluations_lie_at_the_top_does_not_change_what_counts(power):
    dimension = 4
    share = (torch.arange(4000, dtype=torch.float64) + 0.5) / 4000
    drop = torch.as_tensor(0.5 * chi2.ppf((0.999 * share**power).numpy(), dimension))
    assert over_posterior(drop, drop, dimension) == pytest.approx(0.5 * dimension, abs=0.1), "the mean drop of a normal posterior"
