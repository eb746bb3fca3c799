"""Whole analyses with their arithmetic on a graphics card, a pretended one where there is none: the answers of the processor."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bayescope.engine.library.infer import Inference
from bayescope.engine.library.infer_outputs import OutputInference
from bayescope.engine.problem import definition as d

Array = NDArray[np.float64]
T = np.linspace(0.0, 4.0, 12)
COUNTS = np.round(12.0 * np.exp(-0.7 * T))
DECAY = 2.0 * np.exp(-0.7 * T) + 0.05 * np.sin(5.0 * T)
WAVE = np.abs(DECAY) + 0.05
AWAY = 0.1 * np.exp(-np.abs(np.subtract.outer(T, T))) + 1e-3 * np.eye(len(T))

NOISES: dict[str, tuple[d.Noise, Array]] = {
    "known": (d.GaussianKnown(sd=0.1), DECAY),
    "integrated": (d.GaussianIntegrated(shape=2.0, scale=0.01), DECAY),
    "inferred": (d.GaussianInferred(parameter="s"), DECAY),
    "log-normal": (d.LogNormalNoise(log_sd=0.1), WAVE),
    "Student-t": (d.StudentTNoise(dof=4.0, scale=0.1), DECAY),
    "Poisson": (d.PoissonNoise(), COUNTS),
    "negative binomial": (d.NegativeBinomialNoise(size=4.0), COUNTS),
    "AR(1)": (d.Ar1Noise(sd=0.1, rho=0.5), DECAY),
    "covariance": (d.CovarianceNoise(matrix=tuple(map(tuple, AWAY.tolist()))), DECAY),
}


@pytest.mark.loops
@pytest.mark.parametrize("noise", NOISES)
def test_outputs_learnt_there_give_the_points_and_the_evidence_of_the_processor(noise: str, card: None) -> None:
    (here, there), (at, log_evidence) = outputs_learnt(noise, "cpu"), outputs_learnt(noise, "cuda")
    np.testing.assert_allclose(at, here, rtol=1e-3, atol=1e-3)
    assert log_evidence == pytest.approx(there, abs=0.02)


def outputs_learnt(noise: str, device: str) -> tuple[Array, float]:
    """The points asked for and the log evidence after a few runs."""
    model, data = NOISES[noise]
    priors: dict[str, d.Prior | tuple[float, float]] = {"a": (0.5, 20.0), "k": (0.1, 2.0)}
    if noise == "inferred":
        priors["s"] = (0.01, 1.0)
    run = OutputInference(data, model, priors, 13, seed=2, options={"learn": "outputs"}, device=device)
    asked = []
    while not run.finished:
        for point in run.ask():
            asked.append(point.theta)
            values = run.values(point.theta)
            run.tell_outputs(point.index, values["a"] * np.exp(-values["k"] * T))
        answer = run.update()
    assert answer is not None
    return np.array(asked), answer.log_evidence


@pytest.mark.loops
@pytest.mark.parametrize(("noisy", "count"), [(False, 60), (True, 60), (False, 1100), (True, 1100)])
def test_an_archive_and_what_is_added_to_it_there_give_the_evidence_of_the_processor(noisy: bool, count: int, card: None) -> None:
    here, there = archived(noisy, count, "cpu"), archived(noisy, count, "cuda")
    np.testing.assert_allclose(there, here, atol=0.05)


def archived(noisy: bool, count: int, device: str) -> list[float]:
    """Log evidence from the archive, and after six runs more."""
    rng = np.random.default_rng(3)
    x = rng.normal(0.0, 1.5, (count, 2))
    y = -0.5 * np.square(x).sum(1) + noisy * 0.1 * rng.standard_normal(count)
    archive = (x, y, np.full(count, 0.1)) if noisy else (x, y)
    box, options = [(-3.0, 3.0)] * 2, {"max_components": 2, "stop": False}
    run = Inference(box, None, 6, 0, "svbmc", noisy=noisy, options=options, archive=archive, device=device)
    first = run.update()
    while not run.finished:
        for point in run.ask():
            run.tell(point.index, -0.5 * float(np.square(point.theta).sum()), 0.1 * noisy)
        last = run.update()
    assert first is not None
    assert last is not None
    return [first.log_evidence, last.log_evidence]
