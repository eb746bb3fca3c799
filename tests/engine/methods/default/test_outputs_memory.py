"""What is remembered of the way to another mode of learnt outputs."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.methods.ask_tell import EvaluationLog
from bayescope.engine.methods.default.memory import Memory
from bayescope.engine.methods.default.outputs_memory import MOST_HIDDEN, OutputsMemory
from bayescope.engine.methods.default.words import about_outputs, outputs_unknown
from tests.engine.methods.default.test_outputs import Run, decay


@pytest.mark.parametrize(("y", "counted"), [(-80.0, 0), (-95.0, 1), (None, 1)])
def test_a_step_to_another_mode_counts_unless_it_gains_a_tenth_of_the_way(y: float | None, counted: int) -> None:
    memory = OutputsMemory(step=7, step_from=-100.0)
    memory.take_step(6, 0.0, top=0.0)
    assert (memory.step, memory.others) == (7, 0), "another run"
    memory = OutputsMemory.of_state(memory.to_state())
    memory.take_step(7, y, top=0.0)
    assert (memory.step, memory.others) == (-1, counted)


def test_steps_from_one_run_are_shortened_while_they_come_no_nearer_and_three_of_them_end_them() -> None:
    memory, cautions = OutputsMemory(), []
    for index in range(3):
        memory.begin_step(index, np.array([0.5, -1.0]), -50.0)
        cautions.append(memory.step_caution)
        memory = OutputsMemory.of_state(memory.to_state())
        assert np.array_equal(memory.origin, [0.5, -1.0])
        memory.take_step(index, -60.0, top=0.0)
    assert cautions == [1.0, 4.0, 16.0]
    assert memory.origin is None
    assert (memory.step_caution, memory.others) == (1.0, 3)
    assert np.array_equal(OutputsMemory.of_state(memory.to_state()).given_up, [[0.5, -1.0]])


def test_more_draws_are_weighed_once_the_peak_is_known_and_fewer_of_more_scores_and_runs() -> None:
    memory = OutputsMemory(theta=np.zeros((18, 10)))
    few = memory.afforded(8000, 60)
    memory.unsure = 0.05
    assert (few, memory.afforded(8000, 60)) == (2000, 4000)
    memory.theta = np.zeros((5, 10))
    assert memory.afforded(8000, 30) == 8000


def test_after_a_step_that_came_nearer_the_next_begins_anywhere() -> None:
    memory = OutputsMemory()
    memory.begin_step(4, np.array([0.5, -1.0]), -50.0)
    memory.take_step(4, -60.0, top=0.0)
    memory.begin_step(5, np.array([0.5, -1.0]), -50.0)
    memory.take_step(5, -20.0, top=0.0)
    assert memory.origin is None
    assert memory.given_up == []
    assert memory.step_caution == 1.0


def test_runs_at_images_begin_nowhere_and_shorten_no_step() -> None:
    memory = OutputsMemory()
    memory.begin_step(4, None, -50.0)
    memory.take_step(4, -60.0, top=0.0)
    assert (memory.others, memory.astray, memory.given_up, memory.step_caution) == (1, 0, [], 1.0)


def test_sessions_from_before_steps_were_tried_again_open() -> None:
    state = OutputsMemory(others=2).to_state()
    for later in ("origin", "astray", "given_up"):
        del state[later]
    memory = OutputsMemory.of_state(state)
    assert (memory.origin, memory.astray, memory.given_up, memory.others) == (None, 0, [], 2)


@pytest.mark.parametrize(("apart", "scatters"), [(0.3, True), (1e-4, False)])
def test_a_run_right_beside_another_shows_whether_outputs_scatter(apart: float, scatters: bool) -> None:
    first, units = np.array([1.0, -2.0, 0.5]), np.array([0.1, 0.2, 0.1])
    memory = OutputsMemory(beside=(7, first), seen_at=12, fitted_at=12)
    assert not memory.may_look_beside(20), "one is under way"
    memory = OutputsMemory.of_state(memory.to_state())
    memory.take_beside(6, first, units)
    assert not memory.scatters, "another run"
    memory.take_beside(7, first + apart * units * np.array([1.0, -1.0, 1.0]), units)
    assert memory.scatters == scatters
    assert memory.roughness == pytest.approx(apart / np.sqrt(2.0) if scatters else 0.0)
    assert (memory.fitted_at == 0) == scatters, "what is learnt is learnt anew at once"
    assert (memory.may_look_beside(23), memory.may_look_beside(24)) == (False, not scatters)


def test_what_all_runs_tell_of_the_scatter_is_remembered() -> None:
    memory = OutputsMemory(scatter=0.4)
    assert memory.unseen
    assert OutputsMemory.of_state(memory.to_state()).scatter == 0.4
    before = memory.to_state()
    del before["scatter"]
    assert OutputsMemory.of_state(before).scatter == 0.0, "state of before"


def test_a_run_beside_another_that_failed_tells_nothing() -> None:
    memory = OutputsMemory(beside=(7, np.zeros(3)), seen_at=12)
    memory.take_beside(7, None, np.ones(3))
    assert memory.roughness == OutputsMemory().roughness
    assert memory.may_look_beside(24)


def test_what_may_be_hidden_is_remembered_and_said() -> None:
    memory = Memory(2, EvaluationLog(0), outputs=OutputsMemory(theta=np.zeros((1, 6)), unsure=0.0, hidden=0.3))
    memory.outputs = OutputsMemory.of_state(memory.outputs.to_state())
    assert memory.outputs.hidden == 0.3
    assert "with 30 % of the mass of the answer" in " ".join(outputs_unknown(memory))
    memory.outputs.hidden = 4e5
    assert "with more mass than the answer" in " ".join(outputs_unknown(memory))
    memory.outputs.hidden = 0.5 * MOST_HIDDEN
    assert outputs_unknown(memory) == ()


def test_errors_of_the_emulator_that_was_count_less_and_less() -> None:
    good, bad = [(1.0, 1.0)] * 8, [(20.0, 1.0)] * 4
    first, last = OutputsMemory(errors=bad + good).inflation, OutputsMemory(errors=good + bad).inflation
    assert 1.0 < first < 4.0, "eight predictions that came out as they were said to"
    assert last > 8.0, "the emulator is wrong now"


def test_what_is_left_open_is_remembered_and_said_of_a_converged_answer() -> None:
    memory = Memory(2, EvaluationLog(0), outputs=OutputsMemory(theta=np.zeros((1, 6)), left_open=0.12))
    assert OutputsMemory.of_state(memory.outputs.to_state()).left_open == 0.12
    settings = Run(decay).settings
    assert not any("do not exclude" in note for note in about_outputs(settings, memory))
    memory.converged = True
    assert any("In 12 % of the prior the runs do not exclude" in note for note in about_outputs(settings, memory))
    memory.outputs.left_open = 0.01
    assert not any("do not exclude" in note for note in about_outputs(settings, memory))
