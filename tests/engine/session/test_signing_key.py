"""The key that signs consents: one per user and computer, however many ask for it first."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bayescope.engine.session import machine

SIGNS_WHEN_TOLD = (
    "import sys; from bayescope.engine.session import machine; print('ready', flush=True); sys.stdin.readline();"
    "print(machine.sign(b'content'))"
)


@pytest.fixture(autouse=True)
def new_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(machine, "home", lambda: tmp_path / "home")
    machine._key.cache_clear()
    return tmp_path / "home"


def test_threads_that_sign_first_at_the_same_moment_sign_with_one_key(new_home: Path) -> None:
    for attempt in range(20):
        machine._key.cache_clear()
        folder = new_home / str(attempt)
        with ThreadPoolExecutor(8) as pool:
            keys = list(pool.map(lambda _, folder=folder: machine._key(folder / "signing.key"), range(8)))
        assert len(set(keys)) == 1


def test_processes_that_sign_first_at_the_same_moment_sign_with_one_key(tmp_path: Path) -> None:
    environment = {**os.environ, "BAYESCOPE_HOME": str(tmp_path / "fresh")}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", SIGNS_WHEN_TOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        for _ in range(4)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("now\n")
        process.stdin.flush()
    assert len({process.communicate(timeout=60)[0] for process in started}) == 1
    assert len((tmp_path / "fresh" / "signing.key").read_bytes()) == machine.KEY_BYTES


@pytest.mark.skipif(os.name == "nt", reason="POSIX file modes")
def test_nobody_else_may_read_it(new_home: Path) -> None:
    machine.sign(b"content")
    assert (new_home / "signing.key").stat().st_mode & 0o077 == 0


def test_a_key_cut_off_by_a_power_failure_is_made_anew(new_home: Path) -> None:
    new_home.mkdir()
    (new_home / "signing.key").write_bytes(b"")
    signature = machine.sign(b"content")
    machine._key.cache_clear()
    assert machine.is_signed(b"content", signature)
    assert len((new_home / "signing.key").read_bytes()) == machine.KEY_BYTES
