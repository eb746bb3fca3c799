"""Functions drawn from learnt outputs against the mean and covariance of the process itself."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bayescope.engine.sensitivity.function_draws import DrawnScores
from bayescope.engine.surrogate.outputs.emulator import Emulator, Form, Runs
from bayescope.engine.surrogate.outputs.shown import light


@pytest.mark.parametrize(("form", "error"), [(Form(), 0.15), (Form("rough"), 0.3)])
def test_draws_have_the_mean_and_the_covariance_of_the_process(form: Form, error: float) -> None:
    rng = np.random.default_rng(1)
    x = rng.uniform(-2.0, 2.0, (9, 2))
    f = np.stack([np.sin(2.0 * x[:, 0]) + x[:, 1], x[:, 0] * x[:, 1], np.cos(x[:, 1])], 1)
    runs = Runs(torch.as_tensor(x), torch.as_tensor(f), torch.zeros(3), torch.ones(3), (torch.arange(3),))
    emulator = Emulator.of(runs, form, None, search=True)
    light_form = light(emulator)
    places = rng.uniform(-2.5, 2.5, (5, 2))
    draws = DrawnScores.of(light_form, 1500, rng).at(places)
    mean, variance = light_form.scores(places)
    sd = np.sqrt(variance)
    np.testing.assert_allclose((draws.mean(0) - mean) / sd, 0.0, atol=0.15)
    exact = emulator.covariance(torch.as_tensor(places), torch.as_tensor(places)).numpy()
    for k in range(draws.shape[2]):
        got = np.cov(draws[:, :, k].T)
        np.testing.assert_allclose(got / np.outer(sd[:, k], sd[:, k]), exact[k] / np.outer(sd[:, k], sd[:, k]), atol=error)
