"""The slices of the surrogate are log densities in the user's units, as those of the runs in the table are."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.gui.plots.surrogate_slice import jacobians


@pytest.mark.parametrize("prior", [d.LogUniform(low=1.0, high=100.0), d.Uniform(low=0.1, high=0.35), d.Normal(mean=2.0, sd=3.0)])
def test_a_slice_taken_out_of_inference_space_keeps_its_mass(prior: d.Prior) -> None:
    second = d.Parameter(name="b", prior=d.Uniform(low=0.0, high=4.0))
    space = ParameterSpace((d.Parameter(name="a", prior=prior), second))
    center = np.array([0.2, -0.3])
    u = np.linspace(center[0] - 4.0, center[0] + 4.0, 20_001)
    log_density = -0.5 * ((u - center[0]) / 0.4) ** 2 - np.log(0.4 * np.sqrt(2 * np.pi))  # of a, one on b
    theta = space.transforms[0].to_user(u)
    mass = np.trapezoid(np.exp(log_density - jacobians(space, center, 0, u)), theta)
    step = 1e-6
    slope = np.diff(space.transforms[1].to_user(center[1] + np.array([-step, step])))[0] / (2 * step)
    assert mass == pytest.approx(1.0 / slope, rel=1e-5)
