"""One Slurm and one sshd for all tests of a process; both are skipped with a reason where they cannot be started."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from clusters import Engine, Slurm, Sshd, why_no_slurm, why_no_sshd


@pytest.fixture(scope="session")
def one_slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
    reason = why_no_slurm()
    if reason:
        pytest.skip(reason)
    slurm = Slurm(tmp_path_factory.mktemp("slurm"))
    slurm.up()
    try:
        yield slurm
    finally:
        slurm.down()


@pytest.fixture(scope="session")
def one_sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
    reason = why_no_sshd()
    if reason:
        pytest.skip(reason)
    sshd = Sshd(tmp_path_factory.mktemp("sshd"))
    sshd.up()
    try:
        yield sshd
    finally:
        sshd.down()


@pytest.fixture
def slurm(one_slurm: Slurm, monkeypatch: pytest.MonkeyPatch) -> Iterator[Slurm]:
    monkeypatch.setenv("SLURM_CONF", str(one_slurm.conf))
    one_slurm.use_both_nodes()
    yield one_slurm
    Engine.end_all()


@pytest.fixture
def sshd(one_sshd: Sshd, monkeypatch: pytest.MonkeyPatch) -> Sshd:
    monkeypatch.setenv("PATH", f"{one_sshd.bin}:{os.environ['PATH']}")
    return one_sshd
