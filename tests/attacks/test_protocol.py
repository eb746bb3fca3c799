"""Frames to the engine that are too large, too deep, unknown, of another version, or in the wrong order."""

from __future__ import annotations

import os

import msgspec
import numpy as np
import pytest

from bayescope.engine import protocol as p

pytestmark = pytest.mark.attack("protocol")


def frame(body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + body


def envelope(message: object, version: int = p.PROTOCOL_VERSION) -> bytes:
    return frame(msgspec.msgpack.encode({"version": version, "run_id": "x", "sequence": 0, "message": message}))



BAD = {
    "too long": (2**31).to_bytes(4, "big") + b"x" * 100,
    "not msgpack": frame(b"\xc1" * 50),
    "a string": frame(msgspec.msgpack.encode("run everything")),
    "unknown message": envelope({"type": "run_this", "command": "rm -rf ~"}),
    "unknown field": envelope({"type": "start_run", "session": "/x", "trust": True}),
    "wrong type": envelope({"type": "start_run", "session": 7}),
    "another version": envelope({"type": "quit"}, version=99),
    "an event, not a command": envelope({"type": "hello", "pid": 1, "version": "x", "device": "x"}),
    "a huge number": frame(b"\x81\xa7version\xcf" + b"\xff" * 8),
    "deep": frame(b"\x91" * 60000 + b"\xc0"),
}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
def test_a_bad_frame_runs_nothing_and_ends_in_words(engine, data) -> None:
    engine.wait_for(lambda: engine.of(p.Hello))
    os.write(engine.process.stdin.fileno(), data)
    engine.process.stdin.close()
    assert engine.process.wait(timeout=30) == 0
    assert not engine.of(p.EvaluationStarted)
    assert not engine.trouble


@pytest.mark.parametrize("shape", [(-1,), (2**62, 4), (3,), (2, 2, 2**40)])
def test_an_array_whose_shape_lies_is_refused(shape) -> None:
    with pytest.raises(ValueError, match="cannot be made"):
        p.Blob(shape, np.zeros(2).tobytes()).array()


def test_a_session_that_is_none_is_words(engine) -> None:
    for n, name in enumerate(["../../etc/passwd", "/dev/zero", "/proc/self/mem", "\0", "x" * 5000, ""]):
        engine.send(p.StartRun(session=name))
        engine.wait_for(lambda n=n: len(engine.of(p.RunEnded)) > n)
        assert [end.outcome for end in engine.of(p.RunEnded)] == ["failed"] * (n + 1), name


def test_a_problem_that_is_none_is_words(engine, folder) -> None:
    for data in (b"", b"{", b"[" * 100_000, b'{"name": 1}', "é".encode("latin-1")):
        n = len(engine.of(p.TrialRunResult))
        engine.send(p.TrialRun(problem_json=data, folder=str(folder), values={}))
        engine.wait_for(lambda n=n: len(engine.of(p.TrialRunResult)) > n)
