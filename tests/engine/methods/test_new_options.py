"""Options of the published loops do what they say: mean, scaling, sparse approximation, acquisition under noise."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bayescope.engine.acquisition.functions import IntegrationPoints, integrated_interquartile_range, soft_prospective
from bayescope.engine.loop_interface import Archive, LoopSettings, Tell
from bayescope.engine.methods.loops import loop_of
from bayescope.engine.methods.surrogate_models import bvbmc_model
from bayescope.engine.problem.method_options import BvbmcOptions
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.means import Constant, NegativeQuadratic
from bayescope.engine.surrogate.values import Values
from bayescope.engine.variational.whitening import Frame

RNG = np.random.default_rng(4)
POINTS = RNG.uniform(-2, 2, (30, 2))
LOG_DENSITY = 100.0 - 0.5 * np.square(POINTS).sum(1)
TOLD = [Tell(i, u, float(y)) for i, (u, y) in enumerate(zip(POINTS, LOG_DENSITY, strict=True))]


def surrogate(**options: object) -> ExactSurrogate:
    values, frame = Values.of(TOLD, 2), Frame.of_box(-2 * np.ones(2), 2 * np.ones(2))
    model = bvbmc_model(BvbmcOptions(**options), values, frame, frame)  # type: ignore[arg-type]
    return ExactSurrogate.build(model, torch.as_tensor(frame.into(values.u)), torch.as_tensor(values.shaped))


def test_normalized_values_have_mean_zero_sd_one_and_the_low_mean_of_equation_6_11() -> None:
    made = surrogate(kernel="se", scaling="normalize").model
    scaled = made.scaling.scaled(torch.as_tensor(LOG_DENSITY)).numpy()
    assert scaled.mean() == pytest.approx(0.0, abs=1e-9)
    assert scaled.std(ddof=1) == pytest.approx(1.0)
    assert isinstance(made.mean, Constant)
    assert made.mean.level == pytest.approx(scaled.min() - (scaled.max() - scaled.min()))


def test_zeromax_takes_the_maximum_off_and_keeps_the_level_given() -> None:
    made = surrogate(kernel="se", mean_level=-10.0).model
    assert made.scaling.scaled(torch.as_tensor(LOG_DENSITY)).max().item() == pytest.approx(0.0, abs=1e-9)
    assert made.mean == Constant(-10.0)
    assert isinstance(surrogate(kernel="se", mean="quadratic").model.mean, NegativeQuadratic)


def test_soft_prospective_does_not_depend_on_the_level_of_the_log_density() -> None:
    """Seed 000 eq 6.13 with values scaled by zeromax, against its formula."""
    made, q = surrogate(kernel="se"), GaussianMixture.single(np.zeros(2), np.eye(2))
    x = torch.as_tensor(RNG.standard_normal((5, 2)))
    m, k = made.predict(x)
    by_hand = torch.log(k) + torch.log(torch.log1p(torch.exp(m - LOG_DENSITY.max()))) + 2 * q.log_density_tensor(x)
    assert torch.allclose(soft_prospective(made, q, float(LOG_DENSITY.max()))(x), by_hand, atol=1e-8)


@pytest.mark.parametrize(
    "options",
    [
        {"scaling": "normalize"},
        pytest.param({"mean": "quadratic"}, marks=pytest.mark.long),
        pytest.param({"acquisition": "us"}, marks=pytest.mark.long),
    ],
)
def test_bvbmc_with_other_options_still_finds_a_gaussian(options: dict[str, object]) -> None:
    given = {"kernel": "se", "design_per_dimension": 6.0, "max_components": 3, "joint_steps": 5, **options}
    loop = loop_of("bvbmc", LoopSettings(-2 * np.ones(2), 2 * np.ones(2), seed=1, max_evaluations=20, options=given))  # type: ignore[arg-type]
    answer = None
    while not loop.finished:
        for ask in loop.ask(1):
            loop.tell(Tell(ask.index, ask.u, 50.0 - 0.5 * float(np.square(ask.u).sum())))
        answer = loop.update() or answer
    assert answer is not None
    mean = answer.mixture.weights @ answer.mixture.means
    assert np.abs(mean).max() < 0.3
    assert answer.elbo == pytest.approx(50.0 + np.log(2 * np.pi), abs=0.5)


@pytest.mark.long
@pytest.mark.parametrize("approximation", ["vfe", "dtc", "fitc"])
def test_every_sparse_approximation_makes_a_posterior_of_an_archive(approximation: str) -> None:
    rng = np.random.default_rng(2)
    points = rng.uniform(-3, 3, (150, 2))
    archive = Archive(points, -0.5 * np.square(points).sum(1), np.zeros(150))
    options = {"surrogate": "sparse", "inducing": 60, "approximation": approximation, "max_components": 2}
    loop = loop_of(
        "svbmc", LoopSettings(-3 * np.ones(2), 3 * np.ones(2), seed=1, max_evaluations=0, archive=archive, options=options)  # type: ignore[arg-type]
    )
    answer = loop.update()
    assert loop.method.surrogate.variant == approximation  # type: ignore[attr-defined]
    assert answer is not None
    assert answer.log_evidence == pytest.approx(np.log(2 * np.pi), abs=0.1)


def test_imiqr_weighs_draws_of_the_mixture_so_that_they_stand_for_the_surrogates_posterior() -> None:
    """Against VIQR over exact draws of the normalized density exp(mean), on one grid of candidates."""
    made, q = surrogate(kernel="se", mean_level=-10.0), GaussianMixture.single(np.zeros(2), 1.5 * np.eye(2))
    frame = Frame.of_box(-2 * np.ones(2), 2 * np.ones(2))
    draws = torch.as_tensor(q.sample(4000, np.random.default_rng(0)))
    x = torch.as_tensor(frame.into(np.array([[0.0, 0.0], [1.5, 1.5], [2.4, 0.0]])))
    imiqr = integrated_interquartile_range(made, IntegrationPoints.drawn_from(q, draws, True), 0.1, by_density=True)(x)
    side = np.linspace(-5, 5, 61)
    grid = torch.as_tensor(np.stack(np.meshgrid(side, side), -1).reshape(-1, 2))
    density = torch.exp(made.predict_mean(grid) - LOG_DENSITY.max())
    exact = integrated_interquartile_range(made, IntegrationPoints(grid, density), 0.1)(x)
    assert torch.allclose(imiqr, exact, atol=0.1)
