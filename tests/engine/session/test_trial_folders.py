"""Folders of test runs go with the window that they were made for; those of a killed one are swept."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bayescope.engine.session import trial_folders
from bayescope.engine.session.trial_folders import IDLE_S, KEPT_S, MARK, Maker

NOW = 2_000_000_000.0


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Among temporary files of its own; made for nobody known at first."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path
    trial_folders.work_for(0)


def aged(folder: Path, seconds: float) -> Path:
    os.utime(folder, (NOW - seconds, NOW - seconds))
    return folder


def made_by_a_dead_process(folder: Path) -> Path:
    (folder / MARK).write_bytes(msgspec.json.encode(Maker(2**22 + 7, "of another life", "")))
    return folder


def test_a_window_that_ends_leaves_none_of_its_own_and_takes_no_others() -> None:
    trial_folders.work_for(os.getpid())
    mine = [trial_folders.new(), trial_folders.new()]
    (mine[0] / "run-1").mkdir()
    (mine[0] / "run-1" / "out.txt").write_text("3.1")
    trial_folders.work_for(os.getppid())
    other = trial_folders.new()
    trial_folders.end_of_window()
    assert not any(folder.exists() for folder in mine)
    assert other.exists()


def test_those_of_a_living_window_stay_however_long_it_has_been_idle_for_a_day() -> None:
    trial_folders.work_for(os.getpid())
    folder = aged(trial_folders.new(), KEPT_S - 1)
    trial_folders.sweep(NOW)
    assert folder.exists()


def test_those_of_a_killed_window_are_swept_but_not_at_once() -> None:
    old, new = (made_by_a_dead_process(trial_folders.new()) for _ in range(2))
    aged(old, IDLE_S + 1)
    aged(new, IDLE_S - 1)
    trial_folders.sweep(NOW)
    assert (old.exists(), new.exists()) == (False, True)


def test_a_folder_in_which_a_process_works_stays() -> None:
    folder = made_by_a_dead_process(trial_folders.new())
    (folder / "run-1").mkdir()
    aged(folder, IDLE_S + 1)
    with subprocess.Popen([sys.executable, "-c", "input()"], cwd=folder / "run-1", stdin=subprocess.PIPE) as process:
        trial_folders.sweep(NOW)
        assert folder.exists()
        process.communicate(b"\n")
    trial_folders.sweep(NOW)
    assert not folder.exists()


def test_those_of_a_command_are_kept_for_a_day_to_be_looked_at() -> None:
    young, old = aged(trial_folders.new(), KEPT_S - 1), aged(trial_folders.new(), KEPT_S + 1)
    trial_folders.sweep(NOW)
    assert (young.exists(), old.exists()) == (True, False)


def test_a_mark_that_is_none_and_a_link_do_no_harm(place: Path, tmp_path: Path) -> None:
    folder = aged(trial_folders.new(), IDLE_S + 1)
    (folder / MARK).write_bytes(b"{" * 20_000)
    kept = tmp_path / "kept"
    kept.mkdir()
    (place / f"{trial_folders.PREFIX}link").symlink_to(kept)
    trial_folders.sweep(NOW)
    assert folder.exists()
    trial_folders.remove_those(lambda maker: True)
    assert kept.exists()
    assert not folder.exists()
