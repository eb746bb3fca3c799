"""The slices of the surrogate are log densities in the user's units, as those of the runs in the table are."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.surrogate_peak import SurrogatePeak
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.session.records import IterationRecord
from bayescope.gui.analysis.run_data import Answer
from bayescope.gui.plots.surrogate_slice import SurrogateSlices, jacobians


@pytest.mark.parametrize(
    "prior", [d.LogUniform(low=1.0, high=100.0), d.Uniform(low=0.1, high=0.35), d.Normal(mean=2.0, sd=3.0)]
)
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


@pytest.mark.window
@pytest.mark.parametrize(
    ("center", "title"), [(1.5, "through its maximum"), (0.0, "through a run"), (None, "mixture through its peak")]
)
def test_the_slices_say_through_which_point_they_are(qtbot: QtBot, center: float | None, title: str) -> None:
    parameters = (d.Parameter(name="a", prior=d.Normal(mean=2.0, sd=3.0)),)
    slices = SurrogatePeak(np.array([1.5]), np.array([0.0, 0.1]), np.empty(0)).arrays()
    if center is not None:
        grid = np.linspace(-3.0, 3.0, 7)[None]
        slices |= {"center": np.array([center]), "u": grid, "mean": -np.square(grid), "sd": 0.1 * np.ones_like(grid)}
    number = np.ones(1), np.zeros((1, 1)), np.eye(1)[None]
    record = IterationRecord(0, 9, 0.0, 0.1, 0.0, 0.1, False, False, (), *number, slices=slices)
    plot = SurrogateSlices()
    qtbot.addWidget(plot)
    plot.show_problem(parameters)
    plot.update_answer(Answer.of_record(record), ParameterSpace(parameters))
    assert plot.title.endswith(title)
    assert ("Best fit" in plot._hint.whole) == title.endswith("maximum")
