"""What runs of learnt outputs are made for besides the bulk of the posterior: places left open, flanks and tails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from bayescope.engine.acquisition.probes import most_looks
from bayescope.engine.methods.default import hunting
from bayescope.engine.methods.default.judging import aim_of_outputs
from bayescope.engine.methods.default.stage import LoopState
from bayescope.engine.numerics.unseen_modes import UnseenModes
from bayescope.engine.surrogate.outputs.log_joint import EmulatedLogJoint
from tests.engine.methods.default.test_outputs import Run, decay


@pytest.fixture(scope="module")
def now() -> LoopState:
    run = Run(decay, budget=18, stop=False)
    run.go()
    return run.loop.method._now()


@pytest.fixture
def without_runs(now: LoopState, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], LoopState]:
    """As if no run excluded a mode, and the emulator's log joint could be higher by so many nats everywhere."""

    def made(nats: float) -> LoopState:
        monkeypatch.setattr(UnseenModes, "ruled_out", lambda self, width, mass: np.zeros(len(self.centres), dtype=bool))
        monkeypatch.setattr(EmulatedLogJoint, "upper", lambda self, b, mean, sd, sds: mean + nats)
        return replace(now, memory=replace(now.memory, looked_around=0))

    return made


def test_no_run_is_made_where_the_emulator_excludes_a_mode(without_runs: Callable[[float], LoopState]) -> None:
    now = without_runs(0.0)
    assert hunting.place_left_open(now, now.surrogate.b) is None


def test_where_neither_excludes_one_looks_go_far_from_all_runs_until_there_were_enough(
    without_runs: Callable[[float], LoopState],
) -> None:
    now = without_runs(1e6)
    place = hunting.place_left_open(now, now.surrogate.b)
    assert place is not None
    assert np.abs(place).max() <= 2.0, "in the plausible box"
    assert np.sqrt(np.square(now.surrogate.b - place).sum(1).min()) > 0.5
    now.memory.looked_around = most_looks(now.memory.dimension)
    assert hunting.place_left_open(now, now.surrogate.b) is None


def test_where_runs_exclude_every_mode_there_is_no_look_whatever_the_emulator_leaves(
    now: LoopState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EmulatedLogJoint, "upper", lambda self, b, mean, sd, sds: mean + 1e6)
    monkeypatch.setattr(UnseenModes, "ruled_out", lambda self, width, mass: np.ones(len(self.centres), dtype=bool))
    assert hunting.place_left_open(now, now.surrogate.b) is None


def test_far_runs_go_to_the_tails_only_once_the_bulk_is_known(now: LoopState) -> None:
    memory = now.memory
    for unsure, aim in ((0.5, "flanks"), (0.05, "tails")):
        seen = replace(now, memory=replace(memory, outputs=replace(memory.outputs, unsure=unsure)))
        assert aim_of_outputs(seen, far=True) == aim
