"""Runs over a real sshd on loopback, with a banner in the login: with Slurm there, and without a queue."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bayescope.engine import protocol
from bayescope.engine.clusters import shell as shell_module
from bayescope.engine.clusters.place import Place
from bayescope.engine.clusters.shell import Shell
from bayescope.engine.clusters.silence import Silence
from bayescope.engine.clusters.ssh_words import Unreachable
from bayescope.engine.clusters.try_place import STEPS, try_place
from bayescope.engine.session.profiles import Profile, find_profile
from clusters import Engine, Slurm, Sshd, add_place, counted, make, told_problem, why_no_sshd

N = 5


@pytest.mark.long
def test_runs_over_ssh_without_a_queue_survive_a_kill_and_cut_connections(sshd: Sshd, tmp_path: Path) -> None:
    place = add_place(tmp_path / "dort drüben", host="far", queue="")
    starts = tmp_path / "starts"
    path = make(tmp_path / "far.bayescope", told_problem(starts, 0.4, N))
    assert Engine(path, place, "running:3").wait() == -9
    engine = Engine(path, place)
    over = threading.Event()
    cutter = threading.Thread(target=lambda: [sshd.cut() for _ in range(3) if not over.wait(0.8)])
    cutter.start()
    assert engine.wait() == 0
    over.set()
    cutter.join()
    found = counted(path, starts)
    assert found["results"] == N
    assert found["runs"] == dict.fromkeys(range(N), 1), found["attempts"]
    assert sum(found["starts"].values()) <= len(found["attempts"])


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("stranger", "not known to ssh"),
        ("changed", "host key of “changed” is another one"),
        ("refused", "did not let you in"),
        ("closed", "No ssh server answers at “closed”"),
        ("no.such.host.invalid", "no computer called"),
    ],
)
def test_a_host_that_cannot_be_used_is_told_in_words_that_say_what_to_do(sshd: Sshd, host: str, words: str) -> None:
    shell = Shell(host)
    with pytest.raises(Unreachable, match=words):
        shell.run("true")
    shell.close()


def test_a_host_that_went_away_is_tried_again_when_its_pause_is_over_or_at_once_when_asked(sshd: Sshd) -> None:
    shell = Shell("far")
    assert shell.run("echo here").text == "here\n"
    sshd.down()
    for _ in range(2):
        shell.hurry()
        with pytest.raises(Unreachable):
            shell.run("true")
    sshd.up()
    with pytest.raises(Unreachable):
        shell.run("true")
    shell.hurry()
    assert shell.run("echo here").text == "here\n"
    shell.close()


def test_a_login_that_hangs_is_told_while_it_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "ssh"
    program.write_text("#!/bin/sh\nwhile [ ! -e \"$(dirname \"$0\")/over\" ]; do sleep .02; done\nexec /bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(shell_module, "SLOW_LOGIN_SECONDS", 0.1)
    shell, told = Shell("far"), []

    def slow(words: str) -> None:
        told.append(words)
        (tmp_path / "over").touch()

    shell.slow = slow
    assert shell.run("echo here").text == "here\n"
    assert "~/.bashrc" in told[0]
    assert told[1:] == [""], "and that it has answered after all"
    shell.close()


def test_a_login_that_asks_for_a_second_factor_is_told_with_a_way_to_answer_once(tmp_path: Path, monkeypatch) -> None:
    if why_no_sshd():
        pytest.skip(why_no_sshd())
    server = Sshd(tmp_path / "factor", second_factor=True)
    server.up()
    monkeypatch.setenv("PATH", f"{server.bin}:{os.environ['PATH']}")
    try:
        step, good, words = _tried(Profile(name="box", host="far", queue="", folder=str(tmp_path / "there")))[-1]
    finally:
        server.down()
    assert (step, good) == ("connect", False)
    assert "second factor" in words
    assert "ControlMaster" in words
    assert not (tmp_path / "there").exists()


def test_a_folder_there_that_may_not_be_written_is_said_at_its_step(sshd: Sshd, tmp_path: Path) -> None:
    sealed = tmp_path / "sealed"
    sealed.mkdir()
    with _small_disk(sealed, "ro"):
        step, good, words = _tried(Profile(name="box", host="far", queue="", folder=str(sealed / "runs")))[-1]
    assert (step, good) == ("folder", False)
    assert "Read-only file system" in words


@pytest.mark.long
def test_a_quota_that_is_used_up_while_a_program_writes_is_a_failed_run_and_no_lost_one(sshd: Sshd, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    with _small_disk(full, "size=200k"):
        place = add_place(full, host="far", queue="")
        starts = tmp_path / "starts"
        problem = told_problem(starts, 0.0, 1)
        code = problem.simulator.command[4] + "open('big', 'wb').write(b'x' * 10**6)"
        command = (*problem.simulator.command[:4], code, *problem.simulator.command[5:])
        simulator = msgspec.structs.replace(problem.simulator, command=command)
        path = make(tmp_path / "far.bayescope", msgspec.structs.replace(problem, simulator=simulator))
        assert Engine(path, place, workers=1).wait(100) == 0
    found = counted(path, starts)
    assert "the disk is full there, or your quota is used up" in found["reasons"][0]
    assert len(found["attempts"]) == 1


def test_a_place_over_ssh_is_tried_step_by_step(sshd: Sshd, slurm: Slurm, tmp_path: Path) -> None:
    sshd.give(slurm)
    add_place(tmp_path / "it's there", host="far", setup=("export GREETING=hello",))
    steps: list[tuple[str, bool, str]] = []
    assert try_place(find_profile("box"), lambda step, good, words, seconds: steps.append((step, good, words))), steps
    assert [step for step, *_ in steps] == list(STEPS)
    assert list((tmp_path / "it's there").iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "step", "words"),
    [
        ({"folder": "/proc/nothing"}, "folder", "cannot be used"),
        ({"partition": "nowhere"}, "submit", "partition"),
        ({"lines": ("--constraint=nowhere",)}, "submit", "feature"),
        ({"queue": "pbs"}, "copy", "right queue"),
        ({"setup": ("false",)}, "fetch", "set-up line “false” failed"),
        ({"setup": ("exit 0",)}, "fetch", "ended the shell"),
        ({"setup": ("PATH=/nowhere",)}, "fetch", "change PATH"),
        ({"cores": 4096}, "start", "will not start it: PartitionConfig"),
        ({"memory_mb": 99e6}, "start", "Correct memory, cores"),
    ],
)
def test_a_place_that_cannot_be_used_says_at_which_step_and_why(
    slurm: Slurm, tmp_path: Path, changes: dict[str, object], step: str, words: str
) -> None:
    profile = Profile(**{"name": "box", "folder": str(tmp_path / "there"), **changes})
    told: list[tuple[str, bool, str]] = []
    assert not try_place(profile, lambda step, good, words, seconds: told.append((step, good, words)))
    assert told[-1][:2] == (step, False)
    assert words in told[-1][2]


@contextlib.contextmanager
def _small_disk(folder: Path, options: str) -> Iterator[None]:
    """Another disk at ``folder`` for the block."""
    if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=False, capture_output=True).returncode:
        pytest.skip("a small disk can be mounted by root of the machine only")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def _tried(profile: Profile) -> list[tuple[str, bool, str]]:
    told: list[tuple[str, bool, str]] = []
    try_place(profile, lambda step, good, words, seconds: told.append((step, good, words)), seconds=20.0)
    return told


def test_a_clock_that_is_an_hour_off_there_is_said_and_harms_nothing(sshd: Sshd, tmp_path: Path) -> None:
    place = add_place(tmp_path / "there", host="far", queue="")
    starts = tmp_path / "starts"
    path = make(tmp_path / "far.bayescope", told_problem(starts, 0.0, 2))
    with sshd.program("date", "exec /bin/date -d '+1 hour' \"$@\""):
        steps = _tried(find_profile("box"))
        assert "60 minutes ahead" in steps[0][2]
        assert steps[-1][:2] == ("fetch", True)
        assert Engine(path, place).wait() == 0
    assert counted(path, starts)["results"] == 2


def test_another_system_there_and_a_missing_command_are_said_before_anything_is_sent(sshd: Sshd, tmp_path: Path) -> None:
    profile = Profile(name="box", host="far", folder=str(tmp_path / "there"))
    with sshd.program("uname", "echo Darwin arm64"):
        assert "runs Darwin arm64, not Linux" in _tried(profile)[-1][2]
    with sshd.program("squeue", "echo squeue: not here >&2; exit 127"):
        step, good, words = _tried(profile)[-1]
    assert (step, good) == ("copy", False)
    assert "squeue: not here" in words


def test_a_full_disk_there_is_said_with_what_to_do(sshd: Sshd, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    with _small_disk(full, "size=16k"):
        (full / "rest").write_bytes(b"x" * 12_000)
        step, good, words = _tried(Profile(name="box", host="far", queue="", folder=str(full)))[-1]
    assert (step, good) == ("copy", False)
    assert "No space left" in words
    assert "quota" in words


def test_a_try_that_somebody_asked_for_is_told_although_nothing_has_changed(sshd: Sshd) -> None:
    said: list[protocol.Event] = []
    silence = Silence(Place(Profile(name="box", host="closed", queue="")), said.append)
    for _ in range(2):
        silence.begin("one", "Nobody answers.")
    assert len(said) == 1
    silence.hurry()
    for _ in range(2):
        silence.begin("one", "Nobody answers.")
    assert [(r.level, r.action) for r in said if isinstance(r, protocol.Report)] == [("warning", "reach"), ("info", "reach")]
