"""A session that is copied while its jobs are under way: each job counts for one file, and nothing is lost."""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.engine.session.job_owner import take_along
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.store import SessionStore
from clusters import Engine, Slurm, add_place, counted, make, told_problem

N = 4


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def said_started(path: Path) -> int:
    with SessionStore.open(path, mode="read") as store:
        return sum(entry.text.startswith("Started with") for entry in store.run_log())


@pytest.mark.long
@pytest.mark.parametrize("how", ["copied behind our back", "saved under another name"])
def test_jobs_under_way_count_for_one_file_only(slurm: Slurm, tmp_path: Path, how: str) -> None:
    starts, path, copy = tmp_path / "starts", tmp_path / "far.bayescope", tmp_path / "copy.bayescope"
    make(path, told_problem(starts, 2.0, N))
    place = add_place(tmp_path / "there")
    engine = Engine(path, place, workers=2)
    until(lambda: starts.exists() and len(starts.read_text().splitlines()) >= 2)
    engine.process.send_signal(signal.SIGTERM)
    assert engine.wait() == 0
    with SessionStore.open(path) as first:
        under_way = {a.token for a in Ledger(first).open}
        assert under_way
        if how == "copied behind our back":
            shutil.copy(path, copy)
        else:
            first.copy_to(copy)
            with SessionStore.open(copy) as second:
                take_along(first, second)
    stopped = Engine(copy, place, workers=2)  # a stop of one must not end the jobs of the other
    until(lambda: said_started(copy) == 2)
    stopped.process.send_signal(signal.SIGINT)
    assert stopped.wait() == 0
    assert ("is a copy of" in stopped.said) == (how == "copied behind our back")
    assert Engine(path, place, workers=2).wait() == 0
    assert Engine(copy, place, workers=2).wait() == 0
    one, two = counted(path, starts), counted(copy, starts)
    assert one["results"] == two["results"] == N
    assert one["values"] == two["values"]
    done = [{a.token for a in found["attempts"] if a.state in ("done", "cleared") and a.started_at} for found in (one, two)]
    assert not done[0] & done[1] & under_way, "no job counts in both"
    if how == "copied behind our back":
        assert one["runs"] == dict.fromkeys(range(N), 1), one["attempts"]
    assert slurm.are_over()
