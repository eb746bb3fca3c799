"""Runs with their outputs that others make while an analysis goes on, or after it: its own from then on, once, in order."""

from __future__ import annotations

import msgspec
import pytest
from archived_runs import CURVE_COLUMNS, curve_problem, curve_runs, table_of

from bayescope.engine import protocol as p
from bayescope.engine.again.imported_runs import answer_imported
from bayescope.engine.archive.additions import arriving, known_of
from bayescope.engine.archive.output_columns import outputs_from_options
from bayescope.engine.archive.output_runs import interpret_outputs
from bayescope.engine.archive.store import store_addition, store_runs
from bayescope.engine.methods.default.loop import DefaultMethod
from bayescope.engine.run.analysis import Analysis
from bayescope.engine.run.control import Control
from bayescope.engine.run.taking_in import TakingIn
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.store import SessionStore


def table(n, seed):
    return table_of(curve_runs(n, seed), f"runs{seed}.csv", CURVE_COLUMNS)


def more(store, n, seed):
    found = table(n, seed)
    return arriving(found, store.problem, outputs_from_options(found, store.problem, {}, {}), known_of(store))


@pytest.fixture
def store(tmp_path):
    with SessionStore.create(tmp_path / "s.bayescope", curve_problem(), own=True) as made:
        found = table(30, 0)
        store_runs(made, interpret_outputs(found, made.problem, outputs_from_options(found, made.problem, {}, {})))
        yield made


def in_order(store):
    runs = store.evaluations()
    assert [r.order for r in runs] == list(range(len(runs)))
    assert sorted(r.index for r in runs) == [a.index for a in store.asks()] == list(range(len(runs)))
    assert not store.arrived_runs()
    return runs


def test_rows_that_are_there_are_not_taken_twice_also_while_they_wait(store):
    assert more(store, 30, 0).count == 0
    store_addition(store, more(store, 8, 1))
    assert len(store.arrived_runs()) == 8
    again = more(store, 8, 1)
    assert again.count == 0
    assert again.repeated == 8
    assert "0 of 8 rows of runs1.csv are new; 8 are there already." in again.words()
    store_addition(store, more(store, 5, 2))
    assert len(store.arrived_runs()) == 13


def test_a_run_under_way_takes_them_over_with_a_larger_budget_and_a_restart_what_was_not_announced(store, tiny_loop):
    problem = store.problem
    store.save_problem(msgspec.structs.replace(problem, settings=msgspec.structs.replace(problem.settings, max_evaluations=36)))
    loops, control = [], Control()

    def loop_of(method, settings):
        loops.append(tiny_loop(method, settings))
        loops[-1].adopt = lambda ask: (loops[-1].m["pending"].append(ask.index), loops[-1].m.update(next=ask.index + 1))
        return loops[-1]

    def hear(event):
        if isinstance(event, p.EvaluationDone) and event.index == 32:
            store_addition(store, more(store, 8, 1))
            control.archive_grew()

    Analysis(store, control=control, observer=hear, loop_of=loop_of).run()
    runs = in_order(store)
    assert len(runs) == store.problem.settings.max_evaluations == 44
    assert [r.purpose for r in runs].count("earlier") == 38
    assert len(loops[-1].m["told"]) == 44
    store_addition(store, more(store, 3, 2))
    Analysis(store, control=Control(), observer=lambda _: None, loop_of=loop_of).run()
    assert len(in_order(store)) == len(loops[-1].m["told"]) == 47


def test_garbage_in_their_place_is_a_sentence(store):
    for content in (b"\xc1", msgspec.msgpack.encode([(1, 2)]), msgspec.msgpack.encode([(None,) * 16]), b"\x91" * 5000):
        store._set_meta(arrived_runs=content)
        with pytest.raises(SessionError):
            store.arrived_runs()


def test_runs_that_arrive_together_are_learnt_from_together(store, monkeypatch):
    answer_imported(store, lambda _: None)
    fits, refit = [], DefaultMethod._refit
    monkeypatch.setattr(DefaultMethod, "_refit", lambda method: (fits.append(len(method.log.told)), refit(method)))
    taking = TakingIn()
    for seed in (1, 2):
        store_addition(store, more(store, 6, seed))
        taking.take_in(store, Control(), lambda _: None)
    assert fits == [36, 42]


def test_an_answer_takes_them_in_without_a_run(store):
    answer_imported(store, lambda _: None)
    before, said = store.last_iteration(), []
    store_addition(store, more(store, 6, 1))
    assert TakingIn().take_in(store, Control(), said.append).words == "6 runs made elsewhere taken in; no simulator run was made."
    after = store.last_iteration()
    assert len(in_order(store)) == after.n_evaluations == 36
    assert after.iteration == before.iteration + 1
    assert store.problem.settings.max_evaluations == 76
    assert sum(isinstance(m, p.EvaluationDone) for m in said) == 6
    state = store.checkpoint()
    assert state["told"] == state["asked"] == 36
    store_addition(store, more(store, 6, 2))
    TakingIn().take_in(store, Control(), said.append)
    assert store.last_iteration().log_evidence != after.log_evidence, "also where a check of the answer had begun"
