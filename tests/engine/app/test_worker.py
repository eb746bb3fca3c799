"""The engine process as the window sees it: frames, commands, trial runs, and its end by every means."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import msgspec
import pytest

from bayescope.engine import protocol as p
from bayescope.engine.cuda.places import Installed, Place
from bayescope.engine.cuda.wheels import SYSTEM, torch_version
from bayescope.engine.session.store import SessionStore
from consents import command_fields

SLEEPY = "time.sleep(60)"


def test_a_run_is_announced_step_by_step_and_saved(start_engine, session_path, make_problem):
    SessionStore.create(session_path, make_problem(), own=True).close()
    engine = start_engine()
    engine.send(p.StartRun(session=str(session_path), max_evaluations=9))
    ended = engine.wait_end()
    assert ended.outcome == "budget"
    assert isinstance(engine.said[0], p.Hello)
    assert engine.said[0].pid == engine.process.pid
    states = [m.state for m in engine.of(p.StateChanged)]
    assert (states[0], states[-1]) == ("starting", "finished")
    assert "running" in states
    assert len(engine.of(p.EvaluationDone)) == 9
    snapshot = engine.of(p.SnapshotReady)[-1]
    assert snapshot.means.array().shape[1] == 2
    assert engine.of(p.Heartbeat)
    assert engine.trouble == ""
    engine.send(p.Quit())
    assert engine.process.wait(10) == 0
    with SessionStore.open(session_path) as store:
        assert store.writable
        assert store.evaluation_count == 9
        assert store.problem.settings.max_evaluations == 9
        assert store.last_iteration().elbo == snapshot.elbo


@pytest.mark.loops
def test_pause_continue_extend_and_stop_reach_the_run(start_engine, session_path, make_problem):
    SessionStore.create(session_path, make_problem("time.sleep(0.05)", evaluations=200), own=True).close()
    engine = start_engine()
    engine.send(p.StartRun(session=str(session_path)))
    engine.wait_for(lambda: len(engine.of(p.EvaluationDone)) >= 2)
    engine.send(p.PauseRun())
    engine.wait_for(lambda: engine.of(p.StateChanged)[-1].state == "paused")
    engine.send(p.ExtendRun(max_evaluations=300))
    engine.send(p.StartRun(session=str(session_path)))  # one at a time
    engine.wait_for(lambda: any("already" in m.what for m in engine.of(p.Report)))
    engine.send(p.ContinueRun())
    engine.wait_for(lambda: any(m.budget == 300 for m in engine.of(p.Progress)))
    engine.send(p.StopRun(kill=True))
    assert engine.wait_end().outcome == "stopped"
    done = len(engine.of(p.EvaluationDone))
    engine.send(p.StartRun(session=str(session_path), max_evaluations=done + 2))
    assert engine.wait_end().outcome == "budget"
    with SessionStore.open(session_path, mode="read") as store:
        assert sorted(e.index for e in store.evaluations()) == list(range(done + 2))


def test_a_session_that_cannot_be_opened_is_reported_in_words(start_engine, tmp_path):
    (tmp_path / "x.bayescope").write_bytes(b"not a session")
    engine = start_engine()
    engine.send(p.StartRun(session=str(tmp_path / "x.bayescope")))
    assert engine.wait_end().outcome == "failed"
    report = engine.of(p.Report)[-1]
    assert "not a Bayescope session" in report.what
    assert report.where.endswith("x.bayescope")


def test_a_trial_run_answers_with_a_report_and_can_be_cancelled(start_engine, make_problem, tmp_path):
    engine = start_engine()
    engine.send(p.TrialRun(**command_fields(make_problem(), tmp_path), values={"a": 1.0, "b": 0.0}))
    engine.wait_for(lambda: engine.of(p.TrialRunResult))
    report = msgspec.json.decode(engine.of(p.TrialRunResult)[0].report_json, type=p.TrialRunReport)
    assert report.outcome == "ok"
    assert report.log_likelihood == -1.0
    engine.send(p.TrialRun(**command_fields(make_problem(SLEEPY), tmp_path), values={"a": 1.0, "b": 0.0}))
    engine.send(p.TrialRun(problem_json=b"{", values={}, folder=str(tmp_path)))
    engine.wait_for(lambda: len(engine.of(p.TrialRunResult)) == 2)
    assert b"still going on" in engine.of(p.TrialRunResult)[1].report_json
    engine.send(p.CancelTrialRun())
    engine.wait_for(lambda: len(engine.of(p.TrialRunResult)) == 3)
    assert msgspec.json.decode(engine.of(p.TrialRunResult)[2].report_json)["outcome"] == "cancelled"
    engine.send(p.TrialRun(problem_json=b"{", values={}, folder=str(tmp_path)))
    engine.wait_for(lambda: len(engine.of(p.TrialRunResult)) == 4)
    assert msgspec.json.decode(engine.of(p.TrialRunResult)[3].report_json)["outcome"] == "failed"


@pytest.mark.loops
def test_the_end_of_stdin_ends_engine_and_simulators_within_seconds(
    start_engine, session_path, make_problem, left_alive
):
    SessionStore.create(session_path, make_problem(SLEEPY), own=True).close()
    engine = start_engine()
    engine.send(p.StartRun(session=str(session_path)))
    engine.wait_for(lambda: len(engine.of(p.EvaluationStarted)) == 2)
    engine.process.stdin.close()
    assert engine.process.wait(10) == 0
    assert left_alive(engine.id) == []
    with SessionStore.open(session_path) as store:
        assert store.writable
        assert store.evaluation_count == 0


@pytest.mark.loops
def test_a_terminated_engine_ends_in_good_order(start_engine, session_path, make_problem, left_alive):
    SessionStore.create(session_path, make_problem(SLEEPY), own=True).close()
    engine = start_engine()
    engine.send(p.StartRun(session=str(session_path)))
    engine.wait_for(lambda: len(engine.of(p.EvaluationStarted)) == 2)
    engine.process.terminate()
    assert engine.process.wait(10) == 0
    assert left_alive(engine.id) == []


def test_a_killed_engine_leaves_no_simulator_behind(start_engine, session_path, make_problem, left_alive):
    SessionStore.create(session_path, make_problem(SLEEPY), own=True).close()
    engine = start_engine()
    engine.send(p.StartRun(session=str(session_path)))
    engine.wait_for(lambda: len(engine.of(p.EvaluationStarted)) == 2)
    engine.process.kill()
    assert left_alive(engine.id) == []


WINDOW = """
import subprocess, sys, os
from bayescope.engine import protocol as p
from bayescope.engine.cuda.places import Installed, Place
from bayescope.engine.cuda.wheels import SYSTEM, torch_version
command = [sys.executable, "-P", "-m", "bayescope.gui", "--engine"]
engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
engine.stdin.write(p.encode_frame(p.StartRun(session=sys.argv[1]), os.environ["BAYESCOPE_ENGINE"], 0))
engine.stdin.flush()
reader, started = p.FrameReader(), 0
while started < 2:
    for e in reader.feed(os.read(engine.stdout.fileno(), 65536)):
        started += isinstance(e.message, p.EvaluationStarted)
print(engine.pid, flush=True)
while True:
    os.read(engine.stdout.fileno(), 65536)
"""


def _window_dies(session_path, stop_engine_first):
    from bayescope.engine.session import orphans

    engine_id = orphans.new_engine_id()
    window = subprocess.Popen(
        [sys.executable, "-c", WINDOW, str(session_path)],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "BAYESCOPE_ENGINE": engine_id}, start_new_session=True,
    )  # fmt: skip
    engine = int(window.stdout.readline())
    if stop_engine_first:
        os.kill(engine, signal.SIGSTOP)
    window.kill()
    window.wait()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and not orphans.is_zombie(engine):
        time.sleep(0.05)
    return engine_id, orphans.is_zombie(engine)


def test_a_killed_window_takes_engine_and_simulators_with_it(session_path, make_problem, left_alive):
    SessionStore.create(session_path, make_problem(SLEEPY), own=True).close()
    engine_id, gone = _window_dies(session_path, stop_engine_first=False)
    assert gone
    assert left_alive(engine_id) == []


def test_a_killed_window_takes_even_a_stopped_engine_with_it(session_path, make_problem, left_alive):
    SessionStore.create(session_path, make_problem(SLEEPY), own=True).close()
    engine_id, gone = _window_dies(session_path, stop_engine_first=True)
    assert gone
    assert left_alive(engine_id) == []


def test_garbage_on_stdin_ends_the_engine_with_a_report(start_engine):
    engine = start_engine()
    engine.wait_for(lambda: engine.of(p.Hello))
    engine.process.stdin.write(b"\xff" * 100)
    engine.process.stdin.flush()
    assert engine.process.wait(10) == 0
    assert any("could not understand" in m.what for m in engine.of(p.Report))


def test_stray_prints_go_to_the_log_and_never_among_the_frames(start_engine, home):
    engine = start_engine()
    engine.wait_for(lambda: engine.of(p.Heartbeat))
    assert engine.trouble == ""
    log = home / "logs" / "engine.log"
    engine.send(p.PauseRun())
    engine.send(p.Quit())
    engine.process.wait(10)
    assert "command PauseRun" in log.read_text()
    assert engine.process.stderr.read() == b""


@pytest.mark.loops
def test_an_engine_on_a_home_that_cannot_be_written_runs_and_ends_in_good_order(
    start_engine, session_path, make_problem, monkeypatch, home
):
    """Not even root can make a folder inside a file: it stands in for a read-only home."""
    from bayescope.engine.session import machine

    (home / "a file").write_text("")
    blocked = home / "a file" / "inside"
    monkeypatch.setenv("BAYESCOPE_HOME", str(blocked))
    machine._key.cache_clear()
    SessionStore.create(session_path, make_problem(), own=True).close()
    engine = start_engine(blocked)
    engine.send(p.StartRun(session=str(session_path), max_evaluations=3))
    ended = engine.wait_end()
    machine._key.cache_clear()
    assert ended.outcome == "budget", ended.words
    assert engine.trouble == ""
    engine.send(p.Quit())
    assert engine.process.wait(10) == 0


@pytest.mark.loops
def test_an_analysis_without_a_window_runs_on_a_home_that_cannot_be_written(
    start_engine, session_path, make_problem, monkeypatch, home
):
    blocked = home / "a file"
    blocked.write_text("")
    monkeypatch.setenv("BAYESCOPE_HOME", str(blocked / "inside"))
    SessionStore.create(session_path, make_problem(), own=True).close()
    from bayescope.engine.session import machine

    machine._key.cache_clear()
    environment = {**os.environ}
    done = subprocess.run(
        [sys.executable, "-m", "bayescope.gui", "run", str(session_path), "--evaluations", "3"],
        env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "3 runs is used up" in done.stdout


@pytest.mark.loops
def test_a_cuda_build_that_cannot_be_used_is_told_of_and_the_run_goes_on_without(
    start_engine, session_path, make_problem, tmp_path, monkeypatch
):
    monkeypatch.setenv("BAYESCOPE_CUDA", str(tmp_path / "shared"))
    (tmp_path / "shared").mkdir()
    Place(tmp_path / "shared").switch_on(Installed("torch-9", torch_version(), "13.0", "cp39", SYSTEM, {}))
    SessionStore.create(session_path, make_problem(), own=True).close()
    engine = start_engine()
    engine.send(p.StartRun(session=str(session_path), max_evaluations=5))
    assert engine.wait_end().outcome == "budget"
    (words,) = [m.what for m in engine.of(p.Report)]
    assert "The CUDA build of PyTorch is not used" in words
    assert "It is for cp39 on" in words
