"""Where more runs are needed: at places where the answer has mass and the archive none, and each is counted once."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.answer.needed import NeededRuns
from bayescope.engine.loop_interface import Archive, LoopSettings
from bayescope.engine.methods.loops import loop_of
from bayescope.engine.methods.svbmc import buildup, draws

OPTIONS = {"surrogate": "exact", "kernel": "se", "max_components": 2}


def density(x):
    return -0.5 * np.sum(np.square(x), axis=-1) + 0.5 * np.sin(2.0 * x[:, 0]) * np.cos(x[:, 1])


def test_runs_are_wanted_where_the_archive_has_a_hole(monkeypatch):
    monkeypatch.setattr(draws, "DRAWS_UP_TO_3_D", 1024)
    monkeypatch.setattr(buildup, "STEPS", 20)
    x = np.random.default_rng(0).normal(0, 1.3, (120, 2))
    x = x[x[:, 0] < 0.4]
    box = np.full(2, 4.0)
    given = LoopSettings(-box, box, max_evaluations=0, options=OPTIONS, archive=Archive(x, density(x), np.zeros(len(x))))
    answer = loop_of("svbmc", given).update()
    found = NeededRuns.of(answer.needed, 2)
    assert found is not None
    assert (found.places[:3, 0] > 0.4).all()
    assert (np.diff(found.left) <= 0.0).all()
    assert found.left[-1] < 0.5
    inside, outside = found.unsure[found.draws[:, 0] < 0.0], found.unsure[found.draws[:, 0] > 0.8]
    assert np.median(outside) > 3.0 * np.median(inside)
    assert found.words().startswith("Where the answer has its mass the archive leaves the log density open by")
    distances = np.linalg.norm(found.places[:, None] - found.places[None], axis=-1) + np.eye(len(found.places)) * 9
    assert distances.min() > 0.05


@pytest.mark.parametrize(
    "damage", [{"needed.sd": np.ones(3)}, {"needed.places": np.full((2, 2), np.nan)}, {"needed.draws": np.ones((4, 3))}, {}]
)
def test_what_does_not_fit_is_not_shown(damage):
    whole = NeededRuns(np.zeros((2, 2)), np.ones(2), np.array([0.5, 0.2]), np.zeros((4, 2)), np.ones(4)).arrays()
    assert (NeededRuns.of(whole | damage, 2) is None) == bool(damage)
    assert NeededRuns.of({}, 2) is None
