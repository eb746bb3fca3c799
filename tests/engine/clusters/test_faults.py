"""What may go wrong on a cluster: one result for each evaluation, none lost, none repeated without a recorded loss."""

from __future__ import annotations

import json
import os
import signal
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from bayescope.engine.problem.definition import Limits
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.store import SessionStore
from clusters import Engine, Slurm, Sshd, add_place, counted, make, told_problem

pytestmark = pytest.mark.timeout(600)
N = 5
PATIENCE = 240.0  # beside other tests an engine alone may need a minute to begin


def until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def started(path: Path, number: int = 1) -> Callable[[], bool]:
    return lambda: path.exists() and len(path.read_text().splitlines()) >= number


def whole(found: dict[str, Any], evaluations: int = N, losses: int = 0) -> None:
    """One result for each evaluation; more than one job only where a loss is recorded."""
    assert found["results"] == evaluations, found["attempts"]
    again = {index: n - 1 for index, n in found["runs"].items() if n > 1}
    lost = [a for a in found["attempts"] if "outside" in a.reason or "vanished" in a.reason]
    assert sum(again.values()) <= len(lost), found["attempts"]
    assert len(lost) >= losses, found["attempts"]
    assert sum(found["starts"].values()) <= len(found["attempts"]), found["attempts"]


@pytest.fixture
def far(slurm: Slurm, tmp_path: Path) -> tuple[Path, Path, str]:
    """A session whose program takes a second, the file where it says that it started, and the place."""
    starts = tmp_path / "starts"
    path = make(tmp_path / "far.bayescope", told_problem(starts, 1.0, N))
    return path, starts, add_place(tmp_path / "there")


@pytest.mark.long
def test_stop_cancels_everything_and_what_was_cancelled_is_run_again(slurm: Slurm, far: tuple[Path, Path, str]) -> None:
    path, starts, place = far
    engine = Engine(path, place, workers=4)
    until(started(starts, 2))
    engine.process.send_signal(signal.SIGINT)
    assert engine.wait() == 0
    assert "Stopped" in engine.said
    until(lambda: not slurm.jobs())
    with SessionStore.open(path, mode="read") as store:
        assert not Ledger(store).open
        assert Ledger(store).find("cancelled", "cleared")
    assert Engine(path, place, workers=4).wait() == 0
    assert counted(path, starts)["results"] == N


@pytest.mark.long
def test_an_engine_that_ends_leaves_its_jobs_and_the_next_one_collects_them(slurm: Slurm, far: tuple[Path, Path, str]) -> None:
    path, starts, place = far
    engine = Engine(path, place, workers=4)
    until(started(starts, 2))
    engine.process.send_signal(signal.SIGTERM)
    assert engine.wait() == 0
    assert "Jobs under way elsewhere go on" in engine.said
    assert Engine(path, "", workers=1).wait() == 0, "refused in words: its jobs are under way elsewhere"
    assert counted(path, starts)["results"] < N
    assert Engine(path, place, workers=4).wait() == 0
    whole(counted(path, starts))


@pytest.mark.long
@pytest.mark.parametrize("how", ["TERM", "KILL", "requeue"])
def test_a_job_ended_by_somebody_else_is_recorded_as_lost_and_run_again(
    slurm: Slurm, far: tuple[Path, Path, str], how: str
) -> None:
    path, starts, place = far
    engine = Engine(path, place, workers=2, QUEUE_PAUSE="1")
    until(started(starts))
    job = next(job for job, _, state in slurm.jobs() if state == "RUNNING")
    slurm.command(*(["scontrol", "requeue", job] if how == "requeue" else ["scancel", f"--signal={how}", "--full", job]))
    if how == "KILL":
        slurm.command("scancel", "--signal=KILL", "--batch", job)
    assert engine.wait() == 0
    whole(counted(path, starts), losses=how != "requeue")


@pytest.mark.long
def test_the_time_of_a_job_is_a_limit_and_no_loss(slurm: Slurm, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    path = make(tmp_path / "far.bayescope", told_problem(starts, 200.0, 1, limits=Limits(time_s=None)))
    add_place(tmp_path / "there", minutes=1.0)
    engine = Engine(path, "box", workers=1, QUEUE_PAUSE="2")
    assert engine.wait() == 0
    found = counted(path, starts)
    assert "job's time of 1 minutes was over" in found["reasons"][0]
    assert len(found["attempts"]) == 1


@pytest.mark.long
def test_memory_that_the_job_did_not_ask_for_is_a_limit_and_no_loss(slurm: Slurm, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    problem = told_problem(starts, 20.0, 1)
    import msgspec

    code = problem.simulator.command[4].replace("time.sleep", "x = bytearray(400_000_000); time.sleep")
    command = (*problem.simulator.command[:4], code, *problem.simulator.command[5:])
    simulator = msgspec.structs.replace(problem.simulator, command=command)
    path = make(tmp_path / "far.bayescope", msgspec.structs.replace(problem, simulator=simulator))
    add_place(tmp_path / "there", memory_mb=150.0)
    assert Engine(path, "box", workers=1, QUEUE_PAUSE="1").wait() == 0
    found = counted(path, starts)
    assert "memory" in found["reasons"][0], found["reasons"]
    assert len(found["attempts"]) == 1


def _sbatch(folder: Path, script: str) -> str:
    """An sbatch of our own before the real one on the path."""
    folder.mkdir()
    file = folder / "sbatch"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return f"{folder}:{os.environ['PATH']}"


@pytest.mark.long
def test_a_queue_that_takes_a_job_and_says_that_it_timed_out_is_not_given_it_twice(
    slurm: Slurm, far: tuple[Path, Path, str], tmp_path: Path
) -> None:
    path, starts, place = far
    lie = "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation"
    words = f"/usr/bin/sbatch \"$@\" >/dev/null\necho '{lie}' >&2\nexit 1"
    assert Engine(path, place, workers=2, PATH=_sbatch(tmp_path / "bin", words)).wait() == 0
    whole(counted(path, starts))
    assert len({a.job for a in counted(path, starts)["attempts"]}) == N + 1


@pytest.mark.long
def test_jobs_that_the_queue_had_taken_go_on_when_it_refuses_the_next_and_are_collected(
    slurm: Slurm, far: tuple[Path, Path, str], tmp_path: Path
) -> None:
    path, starts, place = far
    taken, refusal = tmp_path / "taken", "sbatch: error: Batch job submission failed: Invalid qos specification"
    words = (
        f'mkdir {taken}1 2>/dev/null || mkdir {taken}2 2>/dev/null || {{ echo "{refusal}" >&2; exit 1; }}\n'
        'exec /usr/bin/sbatch "$@"'
    )
    engine = Engine(path, place, workers=4, PATH=_sbatch(tmp_path / "bin", words))
    assert engine.wait() == 0
    ended = json.loads(engine.said)
    assert ended["words"].startswith("Invalid qos specification")
    assert "2 jobs that were handed over before go on" in ended["words"]
    assert counted(path, starts)["results"] == 0
    assert Engine(path, place, workers=4).wait() == 0
    found = counted(path, starts)
    assert found["results"] == N
    assert sum(bool(a.job) for a in found["attempts"]) == N + 1, "the second run of the first is the only one more"
    assert sum(found["starts"].values()) == N + 1


@pytest.mark.long
def test_a_controller_that_is_away_for_a_while_costs_time_only(slurm: Slurm, far: tuple[Path, Path, str]) -> None:
    path, starts, place = far
    engine = Engine(path, place, workers=2, QUEUE_PAUSE="1")
    until(started(starts))
    slurm.end_controller()
    time.sleep(4.0)
    slurm.start_controller()
    assert engine.wait() == 0
    whole(counted(path, starts))


@pytest.mark.long
def test_jobs_of_a_node_that_dies_are_recorded_as_lost_and_run_again(slurm: Slurm, tmp_path: Path) -> None:
    starts, held = tmp_path / "starts", tmp_path / "held"
    path = make(tmp_path / "far.bayescope", told_problem(starts, 0.0, N, held=held))
    held.touch()  # none ends before its node does, however busy this machine is
    engine = Engine(path, add_place(tmp_path / "there"), workers=4, QUEUE_PAUSE="1")
    until(started(starts, 4))
    until(lambda: len(slurm.on_node("n1")) == 2)
    lost = slurm.end_node("n1")
    held.unlink()
    try:
        assert lost == 2, "two of each node: one at least is waited for, the other may be the second run of the first"
        assert engine.wait() == 0
    finally:
        slurm.start_node("n1")
    whole(counted(path, starts), losses=lost)


@pytest.mark.long
def test_an_engine_that_slept_while_the_connection_was_cut_goes_on(
    sshd: Sshd, slurm: Slurm, far: tuple[Path, Path, str], tmp_path: Path
) -> None:
    path, starts, _ = far
    sshd.give(slurm)
    place = add_place(tmp_path / "there", host="far")
    engine = Engine(path, place, workers=2)
    until(started(starts, 2))
    os.kill(engine.process.pid, signal.SIGSTOP)
    sshd.cut()
    time.sleep(20.0)
    os.kill(engine.process.pid, signal.SIGCONT)
    assert engine.wait() == 0
    whole(counted(path, starts))


STAGES = ("intent", "sent", "submitted", "queued", "running", "fetched", "recorded", "finishing")


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("over_ssh", [False, True], ids=["slurm", "ssh"])
def test_killed_at_every_stage_and_again(
    sshd: Sshd, slurm: Slurm, tmp_path: Path, stage: str, over_ssh: bool
) -> None:
    """Three kills, the second during the recovery from the first."""
    sshd.give(slurm)
    starts = tmp_path / "starts"
    path = make(tmp_path / "far.bayescope", told_problem(starts, 0.3, 8))
    place = add_place(tmp_path / "there", host="far" if over_ssh else "")
    killed = [Engine(path, place, f"{stage}:{number}").wait() for number in (2, 1, 3)]
    assert killed == [-9, -9, -9]
    assert Engine(path, place).wait() == 0
    whole(counted(path, starts), 8)
    assert slurm.are_over()
    until(lambda: not [p for p in psutil.process_iter(["cmdline"]) if str(tmp_path) in " ".join(p.info["cmdline"] or [])])
