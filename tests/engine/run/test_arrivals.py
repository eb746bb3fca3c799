"""Evaluations that are imported while a run goes on, or after it: taken in once, in order, also after a restart."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from bayescope.engine import protocol as p
from bayescope.engine.methods.svbmc import buildup, draws
from bayescope.engine.problem.definition import Settings
from bayescope.engine.run.analysis import Analysis
from bayescope.engine.run.control import Control
from bayescope.engine.run.taking_in import TakingIn
from bayescope.engine.session.records import ArchiveRecord
from bayescope.engine.session.store import SessionStore


def part(n, seed=0, source="runs.csv", low=0.3):
    x = np.random.default_rng(seed).uniform([low, low], [2.0, 2.0], (n, 2))
    y = -0.5 * ((x[:, 0] - 1.2) / 0.3) ** 2 - 0.5 * ((x[:, 1] - x[:, 0]) / 0.5) ** 2
    return ArchiveRecord(("a", "b"), x, y, np.zeros(n), "log_likelihood", source)


def taking(tiny_loop):
    """The tiny loop, which remembers how many archived values it was given."""
    made = []

    def loop_of(method, settings):
        loop = tiny_loop(method, settings)
        loop.m.setdefault("given", [len(settings.archive.values)])
        loop.take_archive = lambda more: loop.m["given"].append(len(more.values))
        made.append(loop)
        return loop

    return loop_of, made


def test_a_run_takes_in_what_arrives_and_a_restart_what_was_not_announced(session_path, make_problem, tiny_loop):
    loop_of, made = taking(tiny_loop)
    with SessionStore.create(session_path, make_problem(evaluations=8), own=True) as store:
        store.save_archive(part(20))
        control = Control()

        def hear(event):
            if isinstance(event, p.EvaluationDone) and event.index == 2:
                store.add_to_archive(part(5, seed=1))
                control.archive_grew()

        Analysis(store, control=control, observer=hear, loop_of=loop_of).run()
        assert made[-1].m["given"] == [20, 5]
        assert store.checkpoint()["archive"] == 2
        store.add_to_archive(part(3, seed=2))
        store.add_to_archive(part(4, seed=3))
        Analysis(store, control=Control(), observer=lambda _: None, loop_of=loop_of, max_evaluations=9).run()
        assert made[-1].m["given"] == [20, 5, 7]
        assert store.checkpoint()["archive"] == 4


def test_a_method_that_takes_nothing_in_says_so_and_goes_on(session_path, make_problem, tiny_loop):
    said = []
    with SessionStore.create(session_path, make_problem(evaluations=6), own=True) as store:
        store.save_archive(part(20))
        Analysis(store, control=Control(), observer=said.append, loop_of=tiny_loop).run()
        store.add_to_archive(part(5, seed=1))
        ended = Analysis(store, control=Control(), observer=said.append, loop_of=tiny_loop, max_evaluations=7).run()
        assert ended.outcome == "budget"
        assert any("Only SVBMC" in m.what for m in said if isinstance(m, p.Report))


def test_an_answer_is_made_anew_without_a_run_and_without_a_fit(session_path, make_problem, monkeypatch):
    monkeypatch.setattr(draws, "DRAWS_UP_TO_3_D", 1024)
    monkeypatch.setattr(buildup, "STEPS", 20)
    options = {"surrogate": "sparse", "inducing": 40, "kernel": "se", "max_components": 2}
    problem = make_problem()
    problem = replace(problem, settings=Settings(method="svbmc", options=options, max_evaluations=0))
    with SessionStore.create(session_path, problem, own=True) as store:
        store.save_archive(part(150, low=0.8))
        assert TakingIn().take_in(store, Control(), lambda _: None).outcome == "budget"
        theta = store.checkpoint()["loop"]["theta"]
        store.add_to_archive(part(60, seed=1, source="late.csv"))
        said = []
        taking = TakingIn()
        ended = taking.take_in(store, Control(), said.append)
        assert ended.words == "60 earlier evaluations from late.csv taken in; no simulator run was made."
        assert np.array_equal(store.checkpoint()["loop"]["theta"], theta)
        assert [i.iteration for i in store.iterations()] == [0, 1]
        assert any("taken in as they arrived" in reason for reason in store.last_iteration().reasons)
        assert [m.iteration for m in said if isinstance(m, p.SnapshotReady)] == [1]
        loop = taking.kept.loop
        store.add_to_archive(part(10, low=0.8))
        assert taking.take_in(store, Control(), said.append).outcome == "budget"
        assert taking.kept.loop is loop  # it went on where it stood
        assert store.checkpoint()["archive"] == 3


def test_a_session_that_cannot_be_written_is_said(session_path, make_problem):
    from bayescope.engine.session.errors import SessionError

    SessionStore.create(session_path, make_problem(), own=True).close()
    with SessionStore.open(session_path, mode="read") as store, pytest.raises(SessionError):
        TakingIn().take_in(store, Control(), lambda _: None)


def adopting(tiny_loop, adopted):
    """The tiny loop, which takes runs that a person asked for as its own."""

    def loop_of(method, settings):
        loop = tiny_loop(method, settings)

        def adopt(ask):
            adopted.append(ask.index)
            loop.m["next"] = ask.index + 1
            loop.m["pending"].append(ask.index)

        loop.adopt = adopt
        return loop

    return loop_of


def test_runs_are_made_where_a_person_asks_for_them_first(session_path, make_problem, tiny_loop):
    adopted = []
    loop_of = adopting(tiny_loop, adopted)
    wanted = ({"a": 0.7, "b": 0.8}, {"a": 1.5, "b": 0.9}, {"a": 1.1, "b": 1.2})
    with SessionStore.create(session_path, make_problem(evaluations=5, workers=2), own=True) as store:
        Analysis(store, control=Control(), observer=lambda _: None, loop_of=loop_of, at=wanted).run()
        made = sorted(store.evaluations(), key=lambda e: e.index)
    assert adopted == [0, 1, 2]
    for values, run in zip(wanted, made, strict=False):
        assert {n: run.values[n] for n in values} == pytest.approx(values)
    assert len(made) == 5


def test_of_runs_asked_for_alone_no_others_are_made_and_the_budget_stays(session_path, make_problem, tiny_loop):
    adopted, told = [], []
    loop_of = adopting(tiny_loop, adopted)
    with SessionStore.create(session_path, make_problem(evaluations=9), own=True) as store:
        Analysis(store, control=Control(), observer=lambda _: None, loop_of=loop_of, max_evaluations=3).run()
        store.save_problem(replace(store.problem, settings=replace(store.problem.settings, max_evaluations=9)))
        ended = Analysis(
            store, control=Control(), observer=told.append, loop_of=loop_of, at=({"a": 0.7, "b": 0.8},), no_others=True
        ).run()
        made = store.evaluations()
        assert store.problem.settings.max_evaluations == 9
    assert (len(made), adopted) == (4, [3])
    assert made[-1].values == pytest.approx({"a": 0.7, "b": 0.8})
    assert (ended.outcome, ended.words) == ("stopped", "The runs asked for are made, after 4 runs.")
