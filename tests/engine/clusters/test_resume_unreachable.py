"""Resume while a place that has worked cannot be reached: the run waits for it, and says which jobs go on there."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest

from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.store import SessionStore
from clusters import Engine, Sshd, add_place, counted, make, told_problem

N = 3


@pytest.fixture
def left(sshd: Sshd, tmp_path: Path) -> Path:
    """A session whose ``N`` jobs go on over SSH since somebody left it; the connection is gone."""
    starts = tmp_path / "starts"
    place = add_place(tmp_path / "there", host="far", queue="")
    path = make(tmp_path / "far.bayescope", told_problem(starts, 1.0, N))
    engine = Engine(path, place, workers=N)
    while not starts.exists() or len(starts.read_text().splitlines()) < N:
        time.sleep(0.02)
        assert engine.process.poll() is None
    engine.process.send_signal(signal.SIGTERM)
    assert engine.wait() == 0
    return path


def _waits(path: Path) -> Engine:
    engine = Engine(path, "box", workers=N)
    log = path.with_suffix(".log")
    while f"{N} jobs there go on; their results are collected then." not in log.read_text():
        time.sleep(0.02)
        assert engine.process.poll() is None
    return engine


@pytest.mark.long
def test_it_waits_and_collects_as_soon_as_the_place_answers(sshd: Sshd, left: Path, tmp_path: Path) -> None:
    sshd.down()
    try:
        engine = _waits(left)
    finally:
        sshd.up()
    assert engine.wait() == 0
    found = counted(left, tmp_path / "starts")
    assert found["results"] == N
    assert found["runs"] == dict.fromkeys(range(N), 1)


@pytest.mark.long
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT], ids=["left", "stopped"])
def test_who_waits_no_longer_is_told_that_the_jobs_go_on(sshd: Sshd, left: Path, by: signal.Signals) -> None:
    sshd.down()
    try:
        engine = _waits(left)
        engine.process.send_signal(by)
        assert engine.wait() == 0
    finally:
        sshd.up()
    ended = json.loads(engine.said)
    assert (ended["outcome"], ended["correct"]) == ("stopped", "")
    with SessionStore.open(left, mode="read") as store:
        states = {a.state for a in Ledger(store).find()}
    if by == signal.SIGTERM:
        assert ended["words"].startswith("Left after 0 runs. Jobs under way elsewhere go on")
        assert states == {"queued"}
    else:
        assert f"{N} jobs could not be cancelled" in ended["words"]
        assert states == {"dropped"}
