"""One Slurm and one sshd for all tests of a process, and a home folder with places for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from clusters import Slurm, Sshd, why_no_slurm, why_no_sshd


@pytest.fixture(scope="session")
def _slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
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
def _sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
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
def slurm(_slurm: Slurm, monkeypatch: pytest.MonkeyPatch) -> Slurm:
    monkeypatch.setenv("SLURM_CONF", str(_slurm.conf))
    return _slurm


@pytest.fixture
def sshd(_sshd: Sshd, monkeypatch: pytest.MonkeyPatch) -> Sshd:
    import os

    monkeypatch.setenv("PATH", f"{_sshd.bin}:{os.environ['PATH']}")
    return _sshd


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("BAYESCOPE_HOME", str(folder))
    return folder
