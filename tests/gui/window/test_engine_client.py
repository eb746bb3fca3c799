"""The client against real processes: small engines that behave, misbehave, flood, hang and die."""

from __future__ import annotations

import itertools
import os
import signal
import sys
import time

import psutil
import pytest
from PySide6.QtCore import QTimer

from bayescope.engine import protocol
from bayescope.gui.analysis import engine_client
from bayescope.gui.analysis.engine_client import EngineClient

HEADER = """
import os, struct, sys, time
from bayescope.engine import protocol as p
run_id = os.environ["BAYESCOPE_ENGINE"]
out = sys.stdout.buffer
n = 0
def say(message, run=run_id):
    global n
    out.write(p.encode_frame(message, run, n)); out.flush(); n += 1
hello = p.Hello(pid=os.getpid(), version="1")
beat = p.Heartbeat(activity="", busy_seconds=0.0)
def progress(k): return p.Progress(evaluations=k, failed=0, budget=9, running=1, elapsed_s=0.0, remaining_s=None, activity="")
reader = p.FrameReader()
def commands():
    while True:
        data = os.read(0, 65536)
        if not data: return
        for e in reader.feed(data): yield e.message
say(hello)
"""
OBEDIENT = (
    HEADER
    + "for c in commands():\n  say(p.Report(level='info', what=type(c).__name__))\n  if isinstance(c, p.Quit): break\n"
)


@pytest.fixture
def client_of(qtbot):
    made = []

    def make(code: str) -> tuple[EngineClient, list, list]:
        client = EngineClient(None, [sys.executable, "-c", code])
        messages, deaths = [], []
        client.message.connect(messages.append)
        client.died.connect(deaths.append)
        made.append(client)
        return client, messages, deaths

    yield make
    for client in made:
        client.kill()
        client.shut_down()


def what(messages):
    return [m.what for m in messages if isinstance(m, protocol.Report)]


def _ended(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_commands_reach_the_engine_in_order_and_it_ends_when_asked(client_of, qtbot):
    client, messages, deaths = client_of(OBEDIENT)
    client.start()
    client.send(protocol.PauseRun())
    client.send(protocol.ContinueRun())
    qtbot.waitUntil(lambda: len(what(messages)) == 2, timeout=10_000)
    assert isinstance(messages[0], protocol.Hello)
    assert what(messages) == ["PauseRun", "ContinueRun"]
    assert client.state == "ready"
    client.end()
    qtbot.waitUntil(lambda: not client.is_running(), timeout=10_000)
    assert deaths == []
    assert client.state == "off"


def test_a_killed_engine_is_told_in_words_and_a_new_one_can_be_started(client_of, qtbot):
    client, messages, deaths = client_of(OBEDIENT)
    client.start()
    qtbot.waitUntil(lambda: bool(messages), timeout=10_000)
    os.kill(client.process_id, signal.SIGKILL)
    qtbot.waitUntil(lambda: bool(deaths), timeout=10_000)
    assert "signal 9" in deaths[0]
    assert "saved" in deaths[0]
    assert client.state == "gone"
    client.start()
    client.send(protocol.PauseRun())
    qtbot.waitUntil(lambda: what(messages) == ["PauseRun"], timeout=10_000)


def test_an_engine_that_cannot_be_started_is_told_in_words(qtbot):
    client = EngineClient(None, ["/nowhere/engine"])
    with qtbot.waitSignal(client.died, timeout=5000) as caught:
        client.start()
    assert "could not be started" in caught.args[0]
    assert not client.is_running()


def test_the_last_words_of_a_crash_on_start_are_passed_on(client_of, qtbot):
    client, _, deaths = client_of("import sys; sys.exit('no module named torch')")
    client.start()
    qtbot.waitUntil(lambda: bool(deaths), timeout=10_000)
    assert "no module named torch" in deaths[0]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("out.write(b'\\xff' * 4000); out.flush(); time.sleep(60)", "claims"),
        ("out.write(struct.pack('>I', 2**31) + b'x'); out.flush(); time.sleep(60)", "limit"),
        ("out.write(struct.pack('>I', 5) + b'hello'); out.flush(); time.sleep(60)", "understood"),
        ("say(p.StartRun(session='x')); time.sleep(60)", "does not belong"),
        ("say(beat, 'another run'); time.sleep(60)", "does not belong"),
        ("n = 0\nsay(beat); time.sleep(60)", "out of order"),
    ],
)
def test_a_stream_that_cannot_be_trusted_ends_the_engine_with_a_sentence(client_of, qtbot, code, words):
    client, _, deaths = client_of(HEADER + code)
    client.start()
    qtbot.waitUntil(lambda: bool(deaths), timeout=10_000)
    assert words in deaths[0]
    assert not client.is_running()


def test_a_half_frame_waits_for_its_rest(client_of, qtbot):
    code = (
        HEADER
        + "f = p.encode_frame(p.Report(level='info', what='whole'), run_id, 1)\n"
        + "for b in f: out.write(bytes([b])); out.flush()\ntime.sleep(60)"
    )
    client, messages, _ = client_of(code)
    client.start()
    qtbot.waitUntil(lambda: what(messages) == ["whole"], timeout=10_000)


def test_a_flood_of_frames_leaves_the_event_loop_turning_and_keeps_the_newest(client_of, qtbot):
    code = HEADER + (
        "many = b''.join(p.encode_frame(progress(k), run_id, k + 1) for k in range(100_000))\n"
        "n = 100_001\nout.write(many); say(p.Report(level='info', what='done')); time.sleep(60)"
    )
    client, messages, deaths = client_of(code)
    ticks = []
    timer = QTimer()
    timer.setInterval(5)
    timer.timeout.connect(lambda: ticks.append(time.perf_counter()))
    timer.start()
    client.start()
    qtbot.waitUntil(lambda: what(messages) == ["done"], timeout=60_000)
    assert deaths == []
    counts = [m.evaluations for m in messages if isinstance(m, protocol.Progress)]
    assert counts[-1] == 99_999
    assert counts == sorted(counts)
    assert len(counts) < 50_000
    gaps = [b - a for a, b in itertools.pairwise(ticks)]
    print(f"frames 100000, passed on {len(counts)}, largest gap of the event loop {1e3 * max(gaps):.0f} ms")


def test_a_silent_engine_is_not_responding_and_recovers_when_it_speaks(client_of, qtbot, monkeypatch):
    monkeypatch.setattr(engine_client, "MISSED_HEARTBEATS", 2)
    client, _messages, deaths = client_of(
        HEADER + "say(p.Heartbeat(activity='Fitting', busy_seconds=1.0))\nwhile True:\n  say(beat); time.sleep(0.2)"
    )
    states = []
    client.state_changed.connect(states.append)
    client.start()
    client._watch.setInterval(300)
    qtbot.waitUntil(lambda: client.state == "ready", timeout=10_000)
    os.kill(client.process_id, signal.SIGSTOP)
    qtbot.waitUntil(lambda: client.state == "not responding", timeout=10_000)
    os.kill(client.process_id, signal.SIGCONT)
    qtbot.waitUntil(lambda: client.state == "ready", timeout=10_000)
    assert "busy" in states
    assert deaths == []


def test_an_engine_that_ignores_every_request_is_ended_by_force(client_of, qtbot, monkeypatch):
    monkeypatch.setattr(engine_client, "QUIT_MS", 300)
    monkeypatch.setattr(engine_client, "TERMINATE_MS", 300)
    code = HEADER + "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\nsay(beat)\nwhile True: time.sleep(1)"
    client, messages, deaths = client_of(code)
    client.start()
    qtbot.waitUntil(lambda: len(messages) >= 2, timeout=10_000)
    pid = client.process_id
    client.end()
    qtbot.waitUntil(lambda: not client.is_running(), timeout=10_000)
    assert deaths == []
    assert not psutil.pid_exists(pid)


def test_a_stopped_engine_can_still_be_shut_down(client_of, qtbot, monkeypatch):
    monkeypatch.setattr(engine_client, "QUIT_MS", 200)
    monkeypatch.setattr(engine_client, "TERMINATE_MS", 200)
    client, messages, deaths = client_of(OBEDIENT)
    client.start()
    qtbot.waitUntil(lambda: bool(messages), timeout=10_000)
    pid = client.process_id
    os.kill(pid, signal.SIGSTOP)
    client.shut_down()
    assert not client.is_running()
    assert not psutil.pid_exists(pid)
    assert deaths == []


def test_simulators_of_a_killed_engine_are_ended(client_of, qtbot):
    code = HEADER + (
        "import subprocess\n"
        "env = dict(os.environ, BAYESCOPE_RUN=run_id + '/1')\n"
        "child = subprocess.Popen(['sleep', '300'], env=env, start_new_session=True)\n"
        "say(p.Report(level='info', what=str(child.pid)))\ntime.sleep(60)"
    )
    client, messages, deaths = client_of(code)
    client.start()
    qtbot.waitUntil(lambda: bool(what(messages)), timeout=10_000)
    orphan = int(what(messages)[0])
    client.kill()
    qtbot.waitUntil(lambda: bool(deaths), timeout=10_000)
    qtbot.waitUntil(lambda: _ended(orphan), timeout=5000)


@pytest.mark.journeys
def test_the_real_engine_runs_a_session_is_killed_and_resumes_it(qtbot, tmp_path, monkeypatch):
    from bayescope.engine.problem import definition as d
    from bayescope.engine.session.store import SessionStore

    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    code = "import sys; a, b = map(float, sys.argv[1:]); print(-0.5 * (a * a + (b - a) ** 2))"
    problem = d.Problem(
        name="small",
        parameters=tuple(d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=2.0)) for n in "ab"),
        simulator=d.Simulator(command=(sys.executable, "-I", "-S", "-c", code, "@a@", "@b@")),
        outputs=(d.Output(name="logl", source="stdout", extractor=d.LastNumber()),),
        meaning=d.LogLikelihoodOutput(output="logl"),
        settings=d.Settings(max_evaluations=12),
    )
    client = EngineClient(None)
    messages, deaths = [], []
    client.message.connect(messages.append)
    client.died.connect(deaths.append)

    def seen(kind):
        return [m for m in messages if isinstance(m, kind)]

    with SessionStore.create(tmp_path / "s.bayescope", problem, own=True) as store:  # the window holds the lock, its child joins
        client.start()
        client.send(protocol.StartRun(session=str(store.path)))
        qtbot.waitUntil(lambda: len(seen(protocol.EvaluationDone)) >= 4, timeout=60_000)
        client.kill()
        qtbot.waitUntil(lambda: bool(deaths), timeout=10_000)
        known = {m.index for m in seen(protocol.EvaluationDone)}
        assert known <= {e.index for e in store.evaluations()}
        client.start()
        client.send(protocol.StartRun(session=str(store.path)))
        qtbot.waitUntil(lambda: bool(seen(protocol.RunEnded)), timeout=60_000)
        assert seen(protocol.RunEnded)[0].outcome == "budget"
        assert sorted(e.index for e in store.evaluations()) == list(range(12))
        client.shut_down()
        assert client.state == "off"
