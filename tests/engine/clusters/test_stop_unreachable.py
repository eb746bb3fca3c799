"""Stop while a place cannot be reached: its jobs go on there, which is said; what finishes is collected, the rest cancelled."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import msgspec
import pytest

from bayescope.engine.clusters.ending import settle_stored
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.profiles import remove_profile
from bayescope.engine.session.store import SessionStore
from clusters import Engine, Sshd, add_place, counted, make, told_problem

N = 3


@pytest.mark.long
def test_what_finished_at_a_place_that_a_stop_could_not_reach_is_collected_and_not_run_again(sshd: Sshd, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    path = _stopped_out_of_reach(sshd, tmp_path, 1.5, keep_down=1.6)
    ended = Engine(path, "box", workers=N)
    assert ended.wait() == 0
    found = counted(path, starts)
    assert found["results"] == N
    assert found["runs"] == dict.fromkeys(range(N), 1), found["attempts"]
    assert sum(found["starts"].values()) == N + 1, "each point once, and the first a second time"


def test_what_goes_on_at_such_a_place_is_cancelled_as_soon_as_somebody_tries_again(sshd: Sshd, tmp_path: Path) -> None:
    path = _stopped_out_of_reach(sshd, tmp_path, 60.0)
    sshd.down()
    left, words = settle_stored(path, lambda: False)
    assert (left, "No ssh server answers at “far”" in words) == (N, True)
    sshd.up()
    assert settle_stored(path, lambda: True) == (0, ""), "a run that goes on does it itself"
    assert settle_stored(path, lambda: False) == (0, f"{N} jobs that had gone on are cancelled now.")
    with SessionStore.open(path, mode="read") as store:
        assert {a.state for a in Ledger(store).find()} == {"cancelled"}
    assert list((tmp_path / "there").glob("bs*")) == []


def test_no_computer_is_contacted_because_a_file_names_it(sshd: Sshd, tmp_path: Path) -> None:
    path = _stopped_out_of_reach(sshd, tmp_path, 2.0)
    remove_profile("box")
    left, words = settle_stored(path, lambda: False)
    assert (left, "not among those of this computer" in words) == (N, True)


def test_a_run_that_was_forgotten_since_is_not_collected(sshd: Sshd, tmp_path: Path) -> None:
    path = _stopped_out_of_reach(sshd, tmp_path, 0.5, keep_down=0.5)
    with SessionStore.open(path, role="engine") as store:
        store.save_problem(msgspec.structs.replace(store.problem, parameters=store.problem.parameters[::-1]))
    assert settle_stored(path, lambda: False) == (0, f"{N} jobs that had gone on are cancelled now.")


def _stopped_out_of_reach(sshd: Sshd, tmp_path: Path, seconds: float, keep_down: float = 0.0) -> Path:
    """A session stopped after the connection went, while its ``N`` runs of so many ``seconds`` were under way over SSH."""
    starts = tmp_path / "starts"
    place = add_place(tmp_path / "there", host="far", queue="")
    path = make(tmp_path / "far.bayescope", told_problem(starts, seconds, N))
    engine = Engine(path, place, workers=N)
    while not starts.exists() or len(starts.read_text().splitlines()) < N:
        time.sleep(0.02)
        assert engine.process.poll() is None
    sshd.down()
    try:
        engine.process.send_signal(signal.SIGINT)
        assert engine.wait() == 0
        words = json.loads(engine.said)["words"]
        assert f"{N} jobs could not be cancelled, since “far” cannot be reached, and go on there" in words
        time.sleep(keep_down)
    finally:
        sshd.up()
    return path
