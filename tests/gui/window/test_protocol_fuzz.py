"""The window's real client against streams of a broken or hostile engine: it goes on, or stops the engine with a sentence."""

from __future__ import annotations

import random
import struct
import sys
from collections import Counter
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol as p
from bayescope.engine.session import orphans
from bayescope.gui.analysis.engine_client import EngineClient

pytestmark = [pytest.mark.window, pytest.mark.skipif(sys.platform == "win32", reason="the engine here is a shell")]
RUN = "fuzz-run"


def frames(rng: random.Random, count: int = 12) -> list[bytes]:
    """A well-behaved stream: greeting, then messages of many kinds in order."""
    made: list[p.Event] = [p.Hello(pid=1, version="1")]
    for k in range(count):
        made.append(
            rng.choice(
                (
                    p.Heartbeat(activity="Fitting", busy_seconds=1.0),
                    p.Report(level="info", what=f"Message {k}"),
                    p.StateChanged(state="running"),
                    p.EvaluationStarted(index=k, values={"a": 1.0}),
                    p.RunEnded(outcome="budget", words="over"),
                )
            )
        )
    return [p.encode_frame(m, RUN, k) for k, m in enumerate(made)]


def spoiled(rng: random.Random) -> tuple[str, bytes]:
    """One kind of harm, and the stream with it done."""
    good = frames(rng)
    kind = rng.choice(
        (
            "garbage",
            "bits",
            "half",
            "huge",
            "zero",
            "deep",
            "shuffled",
            "repeated",
            "command",
            "elsewhere",
            "inserted",
            "none",
        )
    )
    at = rng.randrange(1, len(good))
    whole = b"".join(good)
    match kind:
        case "garbage":
            return kind, rng.randbytes(rng.randrange(1, 5000))
        case "bits":
            data = bytearray(whole)
            for _ in range(rng.randrange(1, 6)):
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            return kind, bytes(data)
        case "half":
            return kind, whole[: rng.randrange(len(whole))]
        case "huge":
            good.insert(at, struct.pack(">I", rng.choice((2**31, 2**32 - 1, 2**28 + 1))) + b"x" * 100)
        case "zero":
            good.insert(at, struct.pack(">I", 0) * rng.randrange(1, 400))
        case "deep":
            good.insert(at, struct.pack(">I", 60_000) + rng.choice((b"\x91", b"\x81\xa1x")) * 60_000)
        case "shuffled":
            rng.shuffle(good)
        case "repeated":
            good.insert(at, good[at - 1])
        case "command":
            good.insert(at, p.encode_frame(p.StartRun(session="/etc/passwd"), RUN, at))
        case "elsewhere":
            good.insert(at, p.encode_frame(p.Report(level="info", what="x"), "another run", at))
        case "inserted":
            good.insert(at, rng.randbytes(rng.randrange(1, 300)))
    return kind, b"".join(good)


def fuzz(qtbot: QtBot, folder: Path, monkeypatch: pytest.MonkeyPatch, count: int, seed: int) -> Counter[str]:
    """``count`` spoiled streams, one engine each. An exception in any slot fails the test (pytest-qt)."""
    monkeypatch.setattr(orphans, "new_engine_id", lambda: RUN)
    rng, tally, stream = random.Random(seed), Counter[str](), folder / "stream"
    client = EngineClient(None, ["/bin/sh", "-c", 'cat "$0"', str(stream)])
    messages: list[object] = []
    deaths: list[str] = []
    client.message.connect(messages.append)
    client.died.connect(deaths.append)
    for _ in range(count):
        kind, content = spoiled(rng)
        stream.write_bytes(content)
        messages.clear()
        deaths.clear()
        client.start()
        qtbot.waitUntil(lambda: bool(deaths), timeout=20_000)  # this engine ends after its stream, or is ended
        assert not client.is_running()
        assert all(isinstance(m, p.Message) and not isinstance(m, p.StartRun) for m in messages)
        refused = "was stopped because" in deaths[0]
        assert refused or "ended unexpectedly" in deaths[0], deaths[0]
        tally["refused" if refused else "taken"] += 1
        if kind in ("huge", "deep", "repeated", "command", "elsewhere"):
            assert refused, f"{kind} was taken"
        if kind == "none":
            assert not refused, deaths[0]
    print(f"protocol fuzz: {count} streams, {dict(tally)}, no crash")
    client.deleteLater()
    return tally


def test_spoiled_streams_never_break_the_window(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tally = fuzz(qtbot, tmp_path, monkeypatch, 60, seed=1)
    assert tally["refused"] > 20


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_two_thousand_spoiled_streams(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fuzz(qtbot, tmp_path, monkeypatch, 2000, seed=2)
