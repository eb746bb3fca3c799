"""What is remembered of the way to another mode of learnt outputs."""

from __future__ import annotations

import pytest

from bayescope.engine.methods.default.outputs_memory import OutputsMemory


@pytest.mark.parametrize(("y", "counted"), [(-80.0, 0), (-95.0, 1), (None, 1)])
def test_a_step_to_another_mode_counts_unless_it_gains_a_tenth_of_the_way(y: float | None, counted: int) -> None:
    memory = OutputsMemory(step=7, step_from=-100.0)
    memory.take_step(6, 0.0, top=0.0)
    assert (memory.step, memory.others) == (7, 0), "another run"
    memory = OutputsMemory.of_state(memory.to_state())
    memory.take_step(7, y, top=0.0)
    assert (memory.step, memory.others) == (-1, counted)
