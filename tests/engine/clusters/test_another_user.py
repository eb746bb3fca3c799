"""As a user who is not root: on a real Slurm and over a real sshd."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bayescope.engine.clusters.try_place import try_place
from bayescope.engine.session.profiles import Profile
from clusters import (
    PYTHON,
    Engine,
    Slurm,
    Sshd,
    add_place,
    counted,
    environment,
    make,
    new_user,
    told_problem,
    why_no_slurm,
    why_no_sshd,
    why_no_user,
)

N = 3


@pytest.fixture
def user() -> Iterator[tuple[str, Path]]:
    for reason in (why_no_slurm(), why_no_sshd(), why_no_user()):
        if reason:
            pytest.skip(reason)
    with new_user() as found:
        yield found


def owned(path: Path, name: str) -> None:
    """All below ``path`` belongs to that user."""
    for one in [path, *path.rglob("*")]:
        shutil.chown(one, name, name)


@pytest.mark.long
@pytest.mark.parametrize("over_ssh", [False, True], ids=["slurm", "ssh"])
def test_a_user_who_is_not_root_runs_is_killed_and_goes_on(user: tuple[str, Path], over_ssh: bool) -> None:
    name, folder = user
    slurm = Slurm(folder / "slurm")
    slurm.up()
    sshd = Sshd(folder / "sshd", user=name)  # on a port that is free then
    sshd.up()
    sshd.give(slurm)
    work = folder / "work"
    work.mkdir()
    home = work / "home"
    home.mkdir()
    variables = {
        "SLURM_CONF": str(slurm.conf), "PATH": f"{sshd.bin}:{os.environ['PATH']}", "HOME": str(folder / "home"),
        "BAYESCOPE_HOME": str(home), "USER": name,
    }  # fmt: skip
    starts = work / "starts"
    try:
        with environment(**variables):
            place = add_place(work / "there", host="far" if over_ssh else "")
            problem = told_problem(starts, 0.1, N)
            command = (PYTHON, *problem.simulator.command[1:])
            problem = msgspec.structs.replace(problem, simulator=msgspec.structs.replace(problem.simulator, command=command))
            path = make(work / "far.bayescope", problem)
            owned(work, name)
            first = Engine(path, place, "submitted:2", user=name)
            assert first.wait() == -9, first.said
            assert Engine(path, place, user=name).wait() == 0
            found = counted(path, starts)
        assert found["results"] == N
        assert found["runs"] == dict.fromkeys(range(N), 1), found["attempts"]
        assert slurm.are_over()
        assert (work / "there").owner() == name
    finally:
        slurm.down()
        sshd.down()


@pytest.mark.long
def test_a_folder_of_somebody_else_is_said_at_its_step(user: tuple[str, Path]) -> None:
    name, folder = user
    sshd = Sshd(folder / "sshd", user=name)
    sshd.up()
    told: list[tuple[str, bool, str]] = []
    try:
        with environment(PATH=f"{sshd.bin}:{os.environ['PATH']}"):
            profile = Profile(name="box", host="far", queue="", folder="/root/bayescope-runs")
            assert not try_place(profile, lambda step, good, words, seconds: told.append((step, good, words)))
    finally:
        sshd.down()
    assert told[0][1]
    assert f"as user {name}" in told[0][2]
    assert told[-1][:2] == ("folder", False)
    assert "Permission denied" in told[-1][2]
    assert "may you write" in told[-1][2]
