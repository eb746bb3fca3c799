"""Frames to a window that does not read for a while, and to one that is gone."""

from __future__ import annotations

import os
import threading
import time

import pytest

from bayescope.engine import protocol as p
from bayescope.engine.app import outbox as module
from bayescope.engine.app.outbox import Outbox
from bayescope.engine.protocol import frames


def progress(k: int) -> p.Progress:
    return p.Progress(evaluations=k, failed=0, budget=9, running=1, elapsed_s=0.0, remaining_s=None, activity="")


def done(k: int) -> p.EvaluationDone:
    return p.EvaluationDone(
        index=k, values={"a": 1.0}, outcome="ok", log_joint=0.0, log_likelihood=0.0, noise_sd=0.0, duration_s=0.0
    )


@pytest.fixture
def pipe():
    reading, writing = os.pipe()
    yield reading, writing
    for descriptor in (reading, writing):
        try:
            os.close(descriptor)
        except OSError:
            continue


def read_all(descriptor: int, until) -> list[p.Envelope]:
    reader, found = p.FrameReader(), []
    while not until(found):
        found += reader.feed(os.read(descriptor, 65536))
    return found


def test_a_window_that_does_not_read_holds_up_nobody_and_misses_no_evaluation(pipe):
    box = Outbox(pipe[1], "run", lambda: None)
    for k in range(3000):  # far more than a pipe takes
        box.put(done(k))
        box.put(progress(k))
    assert threading.active_count() < 50
    found = read_all(
        pipe[0], lambda f: bool(f) and isinstance(f[-1].message, p.Progress) and f[-1].message.evaluations == 2999
    )
    assert [e.sequence for e in found] == list(range(len(found)))
    assert [e.message.index for e in found if isinstance(e.message, p.EvaluationDone)] == list(range(3000))
    assert sum(isinstance(e.message, p.Progress) for e in found) < 100
    box.close()


def test_progress_is_sent_a_few_times_a_second_and_the_last_one_always(pipe):
    box = Outbox(pipe[1], "run", lambda: None)
    for k in range(100):
        box.put(progress(k))
        time.sleep(0.002)
    found = read_all(pipe[0], lambda f: bool(f) and f[-1].message.evaluations == 99)
    assert len(found) < 20
    box.close()


def test_a_window_that_is_gone_is_noticed_once(pipe):
    gone = []
    box = Outbox(pipe[1], "run", lambda: gone.append(1))
    os.close(pipe[0])
    for k in range(100):
        box.put(done(k))
    box.close()
    assert gone == [1]


def test_a_message_too_large_is_replaced_by_a_warning(pipe, monkeypatch):
    monkeypatch.setattr(frames, "MAX_FRAME_BYTES", 2000)
    box = Outbox(pipe[1], "run", lambda: None)
    box.put(p.Report(level="info", what="x" * 5000))
    found = read_all(pipe[0], lambda f: bool(f))
    assert "left out" in found[0].message.what
    assert module.PROGRESS_SECONDS < 1
    box.close()
