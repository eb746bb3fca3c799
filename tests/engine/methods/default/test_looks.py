"""What runs of learnt outputs are made for besides the bulk of the posterior: flanks and tails."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bayescope.engine.methods.default.judging import aim_of_outputs
from bayescope.engine.methods.default.stage import LoopState
from tests.engine.methods.default.test_outputs import run_of_18


@pytest.fixture(scope="module")
def now() -> LoopState:
    return run_of_18().loop.method._now()


def test_far_runs_go_to_the_tails_only_once_the_bulk_is_known(now: LoopState) -> None:
    memory = now.memory
    for unsure, aim in ((0.5, "flanks"), (0.05, "tails")):
        seen = replace(now, memory=replace(memory, outputs=replace(memory.outputs, unsure=unsure)))
        assert aim_of_outputs(seen, far=True) == aim
