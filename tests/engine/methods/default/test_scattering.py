"""A program whose outputs scatter about a smooth surface, though the same values give the same: found, said, learnt through."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from bayescope.engine import infer_outputs
from bayescope.engine.answer.noise_levels import noise_of
from bayescope.engine.methods.default.outputs_memory import OutputsMemory
from bayescope.engine.problem.definition import Normal

TIMES = np.linspace(0.2, 4.0, 12)
NOISE = 0.05
DATA = 1.2 * np.exp(-0.7 * TIMES) + NOISE * np.random.default_rng(3).standard_normal(12)
PRIORS = {"a": Normal(mean=0.0, sd=0.5), "b": Normal(mean=0.0, sd=0.5)}
BOX = {"a": (-1.0, 1.0), "b": (-1.0, 1.0)}
LOG_EVIDENCE = 6.753  # of the smooth surface, on a grid


def decay(v: Mapping[str, float], scatter: float) -> np.ndarray:
    luck = np.random.default_rng([1, *np.abs(np.array([v["a"], v["b"]]).view(np.int64)).tolist()]).standard_normal(12)
    return np.exp(v["a"]) * np.exp(-np.exp(v["b"]) * TIMES) + scatter * NOISE * luck


@pytest.mark.loops
def test_outputs_that_scatter_are_found_and_their_noise_is_shown() -> None:
    answer = infer_outputs(lambda v: decay(v, 0.4), DATA, NOISE, PRIORS, 45, 1, plausible=BOX)
    assert any("two runs right beside each other differed" in reason for reason in answer.reasons)
    assert noise_of(answer.snapshot.success), "points can be coloured by it"
    assert abs(answer.log_evidence - LOG_EVIDENCE) < 3.0 * answer.log_evidence_sd + 0.1


@pytest.mark.loops
def test_outputs_that_do_not_scatter_cost_no_run_more() -> None:
    answer = infer_outputs(lambda v: decay(v, 0.0), DATA, NOISE, PRIORS, 45, 1, plausible=BOX)
    assert answer.converged
    assert not noise_of(answer.snapshot.success)
    assert answer.log_evidence == pytest.approx(LOG_EVIDENCE, abs=0.05)


def test_a_run_right_beside_another_that_gave_the_same_is_not_learnt_from() -> None:
    memory, outputs = OutputsMemory(), np.array([1.0, 2.0])
    memory.beside = 7, outputs
    memory.take_beside(7, outputs + 1e-6, np.full(2, NOISE))
    assert not memory.scatters
    assert OutputsMemory.of_state(memory.to_state()).alike == [7]
    memory.beside = 9, outputs
    memory.take_beside(9, outputs + NOISE, np.full(2, NOISE))
    assert memory.scatters
    assert memory.alike == [7], "what scatters tells something"
