"""BVBMC and VBMC check their answers with fresh evaluations before they call them converged."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from bayescope.engine.answer.fresh_runs import FreshRuns
from bayescope.engine.loop_interface import LoopSettings, State, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.bvbmc import BvbmcMethod
from bayescope.engine.numerics.randomness import generator

SETTINGS = LoopSettings(
    np.full(2, -2.0),
    np.full(2, 2.0),
    seed=1,
    max_evaluations=60,
    options={"design_per_dimension": 6.0, "max_components": 3, "joint_steps": 5},
)


@dataclass
class Run:
    """A run on a normal distribution to its first certified answer; its state in the middle of the check."""

    loop: AskTellLoop
    purposes: list[str] = field(default_factory=list)
    converged: list[bool] = field(default_factory=list)
    middle: State | None = None
    later: list[Tell] = field(default_factory=list)  # told after ``middle``


@pytest.fixture(scope="module")
def run() -> Run:
    run = Run(AskTellLoop(BvbmcMethod(SETTINGS)))
    loop = run.loop
    while not loop.finished and not loop.method.memory.count("certified"):
        (a,) = loop.ask(1)
        run.purposes.append(a.purpose)
        told = Tell(a.index, a.u, float(-0.5 * (a.u**2).sum() - np.log(2 * np.pi)))
        loop.tell(told)
        found = loop.update()
        if found is not None:
            run.converged.append(found.converged)
        if run.middle is not None:
            run.later.append(told)
        elif loop.method.memory.check is not None and loop.method.memory.check.told == 3:
            run.middle = loop.state()
    return run


def test_the_runs_that_checked_it_are_stored_with_the_answer(run: Run) -> None:
    answer = run.loop.method.answer()
    rows = FreshRuns.of_rows(run.loop.method.memory.fresh)
    assert len(rows.index) >= run.purposes.count("certification") - 1
    assert len(rows.last.draws.index) >= 3
    truth = {t.index: t.y for t in run.loop.method.memory.log.told}
    assert [truth[int(i)] for i in rows.index] == list(rows.found)
    assert answer is None or set(answer.fresh) == set(rows.arrays())


def test_leave_one_out_and_k_hat_are_known_of_an_answer(run: Run) -> None:
    run.loop.method.memory.announced = -1
    answer = run.loop.method.answer()
    assert answer is not None
    assert answer.diagnostics["pareto_k"] < 0.7
    assert answer.diagnostics["loo_rms"] < 1.0
    assert "loo_calibration" in answer.diagnostics
    assert FreshRuns.of(answer.fresh) is not None


def test_nothing_is_called_converged_before_fresh_evaluations_confirmed_it(run: Run) -> None:
    assert run.loop.method.memory.count("certified")
    assert run.purposes.count("certification") >= 7  # five draws and two tails
    assert run.converged[-1]
    assert not any(run.converged[:-1])
    assert run.loop.method.memory.checked is not None
    assert abs(run.loop.method.memory.checked[0]) < 0.15


def test_tails_are_looked_at_while_refining(run: Run) -> None:
    assert "exploration" in run.purposes


def test_tails_follow_the_users_half_axes_none_twice_before_all_were_looked_at(run: Run) -> None:
    loop = run.loop
    m, every = loop.method.memory, loop.method.tail_every
    assert m.mixture is not None
    seen = set()
    for index in range(4 * every, 8 * every, every):
        rng = generator(SETTINGS.seed, "tail", index)
        rng.uniform(size=1)  # the drop
        start = m.frame.back(m.mixture.sample(1, rng))[0]
        step = loop.method._tail_in_turn(index) - start
        axis = int(np.abs(step).argmax())
        assert abs(step[1 - axis]) < 1e-9
        seen.add((axis, bool(step[axis] > 0)))
    assert len(seen) == 4


def test_a_loop_restored_in_the_middle_of_a_check_judges_by_the_same_surrogate(run: Run) -> None:
    assert run.middle is not None
    other = AskTellLoop(BvbmcMethod(SETTINGS))
    other.restore(run.middle)
    for told in run.later:
        (a,) = other.ask(1)
        np.testing.assert_array_equal(a.u, told.u)
        other.tell(told)
        other.update()
    assert other.method.memory.checked == run.loop.method.memory.checked
