"""Programs that leave out rows where they do not converge: such runs have failed, and what they printed is learnt."""

from __future__ import annotations

import math
import sys

import msgspec
import numpy as np
import pytest

from bayescope.engine import protocol as p
from bayescope.engine.loop_interface import OutputCells, Tell
from bayescope.engine.methods.default.outputs import OutputsLearner
from bayescope.engine.methods.default.outputs_memory import OutputsMemory
from bayescope.engine.methods.loops import loop_settings, make_loop
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.run.analysis import Analysis
from bayescope.engine.run.control import Control
from bayescope.engine.run.one_evaluation import tell_of
from bayescope.engine.session.store import SessionStore
from bayescope.engine.surrogate.evaluations import Evaluations
from bayescope.engine.surrogate.frames import BoxFrame

PROGRAM = """
import sys, math
a, k = float(sys.argv[1]), float(sys.argv[2])
print("t,y")
for t in range(8):
    if t or a < 1.2: print(f"{t},{a * math.exp(-k * t) + .1 * t:.12g}")
"""
BROKEN = "import sys; print('t,y'); [print(f'{t},{t}') for t in range(4)]; sys.exit(3)"


def problem(evaluations: int, code: str = PROGRAM) -> d.Problem:
    measured = tuple(0.7 * math.exp(-0.8 * t) + 0.1 * t + 0.01 * math.sin(5.0 * t) for t in range(8))
    match = d.Match(output="y", column="y", key_output="t", key_column="t")
    return d.Problem(
        name="gaps",
        parameters=tuple(d.Parameter(name=n, prior=d.Uniform(low=0.0, high=3.0)) for n in "ak"),
        simulator=d.Simulator(command=(sys.executable, "-I", "-S", "-c", code, "@a@", "@k@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.CsvColumn(column=n)) for n in "ty"),
        meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=0.01)),
        data=d.DataTable(columns={"t": tuple(map(float, range(8))), "y": measured}),
        settings=d.Settings(seed=2, max_evaluations=evaluations, workers=1),
    )


def run(store: SessionStore, stop_at: int | None = None) -> None:
    control = Control()

    def hear(said: p.Event) -> None:
        if stop_at is not None and store.evaluation_count >= stop_at:
            control.stop()

    Analysis(store, control=control, observer=hear, loop_of=make_loop).run()


def cells_of(store: SessionStore) -> OutputCells:
    cells = loop_settings(store.problem, ParameterSpace(store.problem.parameters), 10, 1).cells
    assert cells is not None
    return cells


def test_a_run_that_lacks_a_row_has_failed_and_tells_the_method_all_its_other_rows(tmp_path) -> None:
    with SessionStore.create(tmp_path / "a.bayescope", problem(5), own=True) as store:
        run(store)
        records, cells = store.evaluations(), cells_of(store)
        lacking = [r for r in records if r.values["a"] >= 1.2]
        assert lacking
        for r in records:
            tell = tell_of(r, cells)
            expected = r.values["a"] * np.exp(-r.values["k"] * np.arange(8)) + 0.1 * np.arange(8)
            assert tell.outputs is not None
            if r in lacking:
                assert r.outcome == "failed"
                assert tell.y is None
                expected[0] = np.nan
            np.testing.assert_allclose(tell.outputs, expected, rtol=1e-9)
            assert tell_of(r).outputs is None
            assert len(r.outputs["y"]) == 8 - (r in lacking), "what it printed is kept, and shown in the window"


def test_a_run_that_crashed_tells_nothing_even_if_it_had_printed_some_rows(tmp_path) -> None:
    with SessionStore.create(tmp_path / "a.bayescope", problem(1, BROKEN), own=True) as store:
        run(store)
        (record,) = store.evaluations()
        assert record.outcome == "failed"
        assert tell_of(record, cells_of(store)).outputs is None


@pytest.mark.parametrize("meaning", ["unknown", "impossible"])
def test_outputs_that_are_not_numbers_are_those_that_are_not_given(meaning, tmp_path) -> None:
    changed = problem(1, PROGRAM.replace("if t or a < 1.2: print", "print").replace("{a *", "{(a if t else math.nan) *"))
    simulator = msgspec.structs.replace(changed.simulator, failures=d.FailureRules(meaning=meaning))
    with SessionStore.create(tmp_path / "a.bayescope", msgspec.structs.replace(changed, simulator=simulator), own=True) as store:
        run(store)
        tell = tell_of(store.evaluations()[0], cells_of(store))
        assert tell.y is None
        assert tell.impossible == (meaning == "impossible")
        assert tell.outputs is not None
        np.testing.assert_array_equal(np.isnan(tell.outputs), np.arange(8) == 0)


@pytest.mark.loops
def test_a_session_with_such_runs_goes_on_with_the_same_digits(tmp_path) -> None:
    with SessionStore.create(tmp_path / "whole.bayescope", problem(14), own=True) as store:
        run(store)
        whole, answer = store.evaluations(), store.last_iteration()
        assert sum(r.outcome == "failed" for r in whole) >= 3
    for rebuilt in (False, True):
        with SessionStore.create(tmp_path / f"parts{rebuilt}.bayescope", problem(14), own=True) as store:
            run(store, stop_at=11)
            if rebuilt:
                with store._writing() as connection:
                    connection.execute("DELETE FROM checkpoints")
            run(store)
            assert len(store.evaluations()) == 14
            for one, other in zip(store.evaluations(), whole, strict=True):
                np.testing.assert_array_equal(one.u, other.u)
            np.testing.assert_array_equal(store.last_iteration().means, answer.means)


@pytest.mark.parametrize("garbage", [False, True])
def test_incomplete_runs_that_print_garbage_are_not_learnt_from(garbage: bool) -> None:
    made, rng = problem(40), np.random.default_rng(1)
    space = ParameterSpace(made.parameters)
    settings = loop_settings(made, space, 40, 1)
    cells, tells = settings.cells, []
    assert cells is not None
    for k, theta in enumerate(rng.uniform([0.3, 0.3], [1.5, 1.8], (36, 2))):
        f = theta[0] * np.exp(-theta[1] * np.arange(8)) + 0.1 * np.arange(8)
        y = -0.5 * float(np.square((f - cells.measured) / 0.01).sum())
        lacks = theta[0] >= 0.9
        if lacks:
            f[0] = np.nan
            f += garbage * rng.normal(0.0, 0.3, 8)
        tells.append(Tell(k, space.to_inference(theta), None if lacks else y, outputs=f))
    box, memory = BoxFrame.of(settings.plausible_lower, settings.plausible_upper), OutputsMemory()
    learner, known = OutputsLearner(settings, box, memory), Evaluations.of(tells, 2, box.into)
    learner.fit(known)
    assert memory.incomplete == (not garbage)
    assert learner.surrogate(known).emulator.incomplete == (not garbage)
    assert OutputsMemory.of_state(memory.to_state()).incomplete == (not garbage)
