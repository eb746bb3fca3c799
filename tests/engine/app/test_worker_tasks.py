"""Comparisons and the check of an archive by the real engine process."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

from bayescope.engine import protocol as p
from bayescope.engine.answer.sensitivity import sensitivity_of, stored_sensitivity
from bayescope.engine.session import rows
from bayescope.engine.session.store import SessionStore
from consents import command_fields

HOLD = """
import sys
from bayescope.engine.session.store import SessionStore
with SessionStore.open(sys.argv[1]) as store:
    print(store.writable, flush=True)
    sys.stdin.read()
"""


@pytest.mark.loops
def test_a_finished_session_is_compared_without_new_runs(start_engine, session_path, make_problem):
    SessionStore.create(session_path, make_problem(evaluations=16), own=True).close()
    engine = start_engine()
    engine.send(p.StartRun(session=str(session_path)))
    engine.wait_end()
    engine.send(p.Compare(session=str(session_path), method="laplace"))
    engine.wait_for(lambda: engine.of(p.BaselineReady) or engine.of(p.BaselineFailed))
    (ready,) = engine.of(p.BaselineReady)
    assert ready.means.array().shape == (1, 2)
    assert ready.n_evaluations == len(engine.of(p.EvaluationDone)) == 16
    engine.send(p.Compare(session=str(session_path), method="mcmc"))
    engine.send(p.Compare(session=str(session_path), method="stacking"))  # one at a time
    engine.wait_for(lambda: engine.of(p.BaselineFailed))
    assert "still being computed" in engine.of(p.BaselineFailed)[0].words
    engine.send(p.CancelCompare())
    engine.wait_for(lambda: len(engine.of(p.BaselineFailed)) == 2)
    assert engine.of(p.BaselineFailed)[1].words == ""
    engine.send(p.Quit())
    assert engine.process.wait(10) == 0


def test_what_cannot_be_compared_is_said(start_engine, session_path, make_problem):
    SessionStore.create(session_path, make_problem(), own=True).close()
    engine = start_engine()
    engine.send(p.Compare(session=str(session_path), method="mcmc"))
    engine.wait_for(lambda: engine.of(p.BaselineFailed))
    assert "too few" in engine.of(p.BaselineFailed)[0].words


def test_a_row_of_an_archive_is_recomputed_by_the_simulator(start_engine, tmp_path, make_problem):
    values = {"a": 1.0, "b": 1.5}
    right = -0.5 * (1.0 + 0.5**2)
    engine = start_engine()
    rows = [p.ArchivedRow(values=values, value=right), p.ArchivedRow(values=values, value=right + 3.0)]
    for k, row in enumerate(rows):
        engine.send(
            p.CheckArchive(**command_fields(make_problem(), tmp_path), rows=(row,), meaning="log_likelihood")
        )
        engine.wait_for(lambda k=k: len(engine.of(p.ArchiveChecked)) > k)
    first, second = engine.of(p.ArchiveChecked)
    assert first.agrees, first.words
    assert second.agrees is False
    assert "disagrees" in second.words


@pytest.mark.loops
def test_stored_runs_are_made_again_and_the_result_is_in_the_session(start_engine, session_path, make_problem):
    SessionStore.create(session_path, make_problem(evaluations=8), own=True).close()
    engine = start_engine()
    engine.send(p.StartRun(session=str(session_path)))
    engine.wait_end()
    with SessionStore.open(session_path, mode="read") as store:
        signed, before = store.signed, [e.outputs for e in store.evaluations()]
    fields = {"session": str(session_path), "consent": signed.content, "signature": signed.signature}
    engine.send(p.Replay(**fields, runs=3))
    engine.wait_for(lambda: engine.of(p.ReplayDone))
    (done,) = engine.of(p.ReplayDone)
    assert [(m.done, m.total) for m in engine.of(p.ReplayProgress)] == [(1, 3), (2, 3), (3, 3)]
    assert done.words == ""
    record = rows.replay_of(done.record_json)
    assert record.count("identical") == 3
    with SessionStore.open(session_path, mode="read") as store:
        assert store.replay() == record
        assert [e.outputs for e in store.evaluations()] == before
    # somebody else writes: it is told, and what was found is not lost
    other = subprocess.Popen([sys.executable, "-c", HOLD, session_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout.readline() == b"True\n"
    engine.send(p.Replay(**fields, runs=1))
    engine.wait_for(lambda: len(engine.of(p.ReplayDone)) == 2)
    other.communicate()
    done = engine.of(p.ReplayDone)[-1]
    assert "not kept" in done.words
    assert rows.replay_of(done.record_json).count("identical") == 1


@pytest.mark.loops
def test_no_run_is_made_again_during_a_run_nor_two_replays_at_a_time_and_it_is_cancelled(
    start_engine, session_path, make_problem
):
    problem = make_problem(extra="time.sleep(0.5)", evaluations=3)
    SessionStore.create(session_path, problem, own=True).close()
    engine = start_engine()
    with SessionStore.open(session_path, mode="read") as store:
        signed = store.signed
    command = p.Replay(session=str(session_path), runs=3, consent=signed.content, signature=signed.signature)
    engine.send(p.StartRun(session=str(session_path)))
    engine.send(command)
    engine.wait_for(lambda: engine.of(p.ReplayDone))
    assert "analysis is running" in engine.of(p.ReplayDone)[0].words
    engine.wait_end()
    engine.send(command)
    engine.send(msgspec.structs.replace(command, runs=1))
    engine.wait_for(lambda: len(engine.of(p.ReplayDone)) == 2)
    assert "still going on" in engine.of(p.ReplayDone)[1].words
    engine.send(p.CancelTrialRun())
    engine.wait_for(lambda: len(engine.of(p.ReplayDone)) == 3)
    assert "cancelled" in engine.of(p.ReplayDone)[2].words


def test_what_cannot_be_made_again_is_said(start_engine, session_path, make_problem, tmp_path):
    SessionStore.create(session_path, make_problem(), own=True).close()
    with SessionStore.open(session_path, mode="read") as store:
        signed = store.signed
    engine = start_engine()
    engine.send(p.Replay(session=str(session_path), runs=3, consent=signed.content, signature=signed.signature))
    engine.wait_for(lambda: engine.of(p.ReplayDone))
    assert "no finished run" in engine.of(p.ReplayDone)[0].words
    engine.send(p.Replay(session=str(tmp_path / "nowhere.bayescope"), runs=3))
    engine.wait_for(lambda: len(engine.of(p.ReplayDone)) == 2)
    assert engine.of(p.ReplayDone)[1].record_json == b""


@pytest.mark.loops
def test_sensitivities_of_a_finished_session_are_worked_out_and_kept(start_engine, session_path, make_problem):
    SessionStore.create(session_path, make_problem(evaluations=16), own=True).close()
    engine = start_engine()
    engine.send(p.Study(session=str(session_path)))
    engine.wait_for(lambda: engine.of(p.StudyDone))
    assert "no posterior yet" in engine.of(p.StudyDone)[0].words
    engine.send(p.StartRun(session=str(session_path)))
    engine.wait_end()
    engine.send(p.Study(session=str(session_path)))
    engine.send(p.Study(session=str(session_path)))  # one at a time
    engine.wait_for(lambda: len(engine.of(p.StudyDone)) == 3)
    refused, made = sorted(engine.of(p.StudyDone)[1:], key=lambda e: len(e.record_json))
    assert "still being computed" in refused.words
    assert made.words == ""
    with SessionStore.open(session_path, mode="read") as store:
        kept = stored_sensitivity(store)
    assert kept == sensitivity_of(made.record_json)
    assert kept is not None
    (over_posterior,) = [i for i in kept.indices if i.over == "posterior"]
    assert over_posterior.known > 0.9
    assert all(0.2 < total[0] < 0.8 for total in over_posterior.total)  # both parameters of a normal decide its density alike
    assert any("Let it print its predictions" in note for note in kept.notes)
    engine.send(p.Quit())
    assert engine.process.wait(10) == 0
