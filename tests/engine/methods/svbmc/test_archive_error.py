"""What an answer from an archive alone says of its own error."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bayescope.engine.loop_interface import Archive, LoopSettings
from bayescope.engine.methods.loops import make_loop
from bayescope.engine.methods.svbmc import buildup, draws
from bayescope.engine.methods.svbmc.archive_error import LARGEST_SHIFT, ArchiveError, archive_error
from bayescope.engine.sampling.importance import WeightedPoints
from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.means import Zero
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.scaling import OutputScaling
from bayescope.engine.variational.whitening import Frame

LOG_Z = np.log(2 * np.pi)
BOX = np.full(2, -3.0), np.full(2, 3.0)


def normal(x):
    return -0.5 * np.sum(np.square(x), axis=-1)


def surrogate(x):
    model = Model(SquaredExponential.start(2, scale=20.0, lengthscale=2.5), Zero(), OutputScaling(0.0, 1.0))
    return ExactSurrogate.build(model, torch.as_tensor(x), torch.as_tensor(normal(x)), torch.full((len(x),), 1e-4).double())


def error_of(one, drawn):
    return archive_error(one, drawn, BOX, Frame(np.zeros(2), np.eye(2)), np.random.default_rng(1))


def test_the_error_is_the_weighted_mean_of_what_the_surrogate_may_be_off_by():
    rng = np.random.default_rng(0)
    one = surrogate(rng.normal(0, 1.5, (80, 2)))
    points = rng.normal(size=(20_000, 2))
    found = error_of(one, WeightedPoints(points, np.full(len(points), LOG_Z)))
    with torch.no_grad():
        sd = one.predict(torch.as_tensor(points))[1].sqrt().numpy()
    assert found.sd == pytest.approx(np.log(np.mean(np.exp(np.minimum(sd, LARGEST_SHIFT)))), rel=0.35)
    assert found.unseen < 0.01
    assert 0.0 < found.typical < 0.1


def test_where_half_of_the_posterior_was_never_visited_the_error_is_large_and_named():
    rng = np.random.default_rng(0)
    x = rng.normal(0, 1.5, (160, 2))
    points = rng.normal(size=(4_000, 2))
    drawn = WeightedPoints(points, np.full(len(points), LOG_Z))
    whole, half = error_of(surrogate(x), drawn), error_of(surrogate(x[x[:, 0] < -0.2]), drawn)
    assert half.sd > 10.0 * whole.sd
    words = " ".join(half.words(["rate", "decay"]))
    assert "high rate" in words
    assert "decay" not in words


def test_mass_that_the_surrogate_expects_where_it_knows_nothing_counts_in_few_dimensions():
    x = np.random.default_rng(0).normal(0, 0.4, (60, 2)) - 2.0
    model = Model(SquaredExponential.start(2, scale=3.0, lengthscale=0.6), Zero(), OutputScaling(-1.0, 1.0))
    y = torch.as_tensor(4.0 * normal(x + 2.0))
    one = ExactSurrogate.build(model, torch.as_tensor(x), y, torch.full((60,), 1e-4).double())
    points = np.random.default_rng(1).normal(0, 0.5, (2_000, 2)) - 2.0
    found = error_of(one, WeightedPoints(points, np.full(len(points), LOG_Z - np.log(4.0))))
    assert found.unseen > 0.5
    assert "more of the posterior" in " ".join(found.words(["a", "b"]))


def test_no_weight_anywhere_is_an_unbounded_error():
    nowhere = WeightedPoints(np.zeros((8, 2)), np.full(8, -np.inf))
    found = error_of(surrogate(np.random.default_rng(0).normal(size=(30, 2))), nowhere)
    assert found.sd == np.inf
    assert isinstance(found, ArchiveError)


def test_the_stated_error_of_an_archive_alone_covers_the_true_one(monkeypatch):
    monkeypatch.setattr(draws, "DRAWS_UP_TO_3_D", 2048)
    monkeypatch.setattr(buildup, "STEPS", 50)
    x = np.random.default_rng(2).normal(0, 1.5, (150, 2))
    settings = LoopSettings(
        *BOX, max_evaluations=0, names=("rate", "decay"), archive=Archive(x, normal(x), np.zeros(150)),
        options={"kernel": "se", "surrogate": "sparse", "max_components": 4},
    )  # fmt: skip
    answer = make_loop("svbmc", settings).update()
    assert abs(answer.log_evidence - LOG_Z) < 3.0 * answer.log_evidence_sd
    assert answer.log_evidence_sd < 0.3  # not a number that is the same whatever the archive
    assert any("left out in blocks" in reason for reason in answer.reasons)
