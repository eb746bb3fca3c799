"""A real Slurm, a real sshd, and a home folder with places for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from cluster_fixtures import one_slurm, one_sshd, slurm, sshd

__all__ = ["one_slurm", "one_sshd", "slurm", "sshd"]


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("BAYESCOPE_HOME", str(folder))
    return folder
