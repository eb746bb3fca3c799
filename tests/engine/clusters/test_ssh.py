"""Runs over a real sshd on loopback, with a banner in the login: with Slurm there, and without a queue."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from bayescope.engine.clusters.shell import Shell
from bayescope.engine.clusters.ssh_words import Unreachable
from bayescope.engine.clusters.try_place import STEPS, try_place
from bayescope.engine.session.profiles import Profile, find_profile
from clusters import Engine, Slurm, Sshd, add_place, counted, make, told_problem

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
        ("closed", "not to ssh"),
        ("no.such.host.invalid", "no computer called"),
    ],
)
def test_a_host_that_cannot_be_used_is_told_in_words_that_say_what_to_do(sshd: Sshd, host: str, words: str) -> None:
    shell = Shell(host)
    with pytest.raises(Unreachable, match=words):
        shell.run("true")
    shell.close()


def test_a_place_over_ssh_is_tried_step_by_step(sshd: Sshd, slurm: Slurm, tmp_path: Path) -> None:
    sshd.give(slurm)
    add_place(tmp_path / "there", host="far", setup=("export GREETING=hello",))
    steps: list[tuple[str, bool, str]] = []
    assert try_place(find_profile("box"), lambda step, good, words, seconds: steps.append((step, good, words))), steps
    assert [step for step, *_ in steps] == list(STEPS)
    assert list((tmp_path / "there").iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "step", "words"),
    [
        ({"folder": "/proc/nothing"}, "folder", "cannot be used"),
        ({"partition": "nowhere"}, "submit", "partition"),
        ({"queue": "pbs"}, "copy", "right queue"),
        ({"setup": ("false",)}, "fetch", "set-up line “false” failed"),
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
