"""How noisy each run is, where that changes from place to place: stored with an answer, a choice of colours of the points."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.noise_levels import INDEX, SD, arrays, noise_of
from bayescope.engine.problem.definition import Parameter, Uniform
from bayescope.gui.analysis.run_data import Evaluation, RunData
from bayescope.gui.plots.acquired_points import NOISE, AcquiredPoints
from bayescope.gui.plots.pg import SHADES


def test_what_is_stored_is_read_back_and_nonsense_is_nothing() -> None:
    stored = arrays(np.array([3, 7]), np.array([0.5, 2.0]))
    assert noise_of(stored) == {3: 0.5, 7: 2.0}
    assert noise_of({}) == {}
    assert noise_of({INDEX: np.array([1.0, 2.0]), SD: np.array([1.0])}) == {}
    assert noise_of({INDEX: np.array([1.0]), SD: np.array([-1.0])}) == {}


@pytest.mark.window
def test_points_may_be_coloured_by_their_noise_where_it_changes(qtbot: QtBot) -> None:
    points, data = AcquiredPoints(), RunData(["a", "b"])
    qtbot.addWidget(points)
    for k in range(3):
        data.add_evaluation(Evaluation(k, {"a": 0.3 * k, "b": 0.5}, "ok", -1.0 * k, -1.0 * k, 0.0, 1.0, 0.0))
    points.show_problem([Parameter(name=n, prior=Uniform(low=0.0, high=1.0)) for n in "ab"])
    points.update_points(data)
    assert points._colour.findText(NOISE) < 0
    points.show_noise({0: 0.3, 1: 3.0, 2: 0.3})
    points._colour.setCurrentText(NOISE)
    assert points._shades.tolist() == [0, SHADES - 1, 0]
    assert "lightest: noisiest" in points._hint.whole
    points.show_noise({})
    assert points._colour.findText(NOISE) < 0
    assert "lightest: best" in points._hint.whole
