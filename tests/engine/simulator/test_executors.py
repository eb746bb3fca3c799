"""Several runs at once on this machine, and what limits them."""

from __future__ import annotations

import os
import time
from concurrent.futures import as_completed
from pathlib import Path
from typing import Any

import pytest

from bayescope.engine.problem.definition import LastNumber, Limits, Output, Simulator
from bayescope.engine.simulator import limits, run_folder
from bayescope.engine.simulator.executors import local_executor
from bayescope.engine.simulator.limits import Watch, folder_bytes, time_limit_of
from consents import run_once

SPEC = (Output(name="y", source="stdout", extractor=LastNumber()),)


def test_results_are_taken_as_they_finish(tmp_path: Path) -> None:
    simulator = Simulator(command=("sh", "-c", "sleep @wait@; echo @wait@"))
    with local_executor(2) as executor:
        futures = [
            executor.submit(run_once, simulator, SPEC, {"wait": wait}, folder=tmp_path / str(i), base=tmp_path, seed=i)
            for i, wait in enumerate((0.5, 0.1, 0.2))
        ]
        order = [float(future.result().outputs["y"][0]) for future in as_completed(futures)]
    assert order == [0.1, 0.2, 0.5]


def test_a_relative_limit_counts_only_after_some_good_runs() -> None:
    limits = Limits(time_s=100.0, relative_time=5.0)
    assert time_limit_of(limits, [2.0] * 2) == 100.0
    assert time_limit_of(limits, [2.0, 2.0, 2.0, 2.0, 50.0]) == 10.0
    assert time_limit_of(limits, [0.001] * 9) == 1.0
    assert time_limit_of(Limits(time_s=None), [1.0] * 9) is None


def test_a_folder_is_measured_without_following_links(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "big").write_bytes(b"0" * 5000)
    (tmp_path / "small").write_bytes(b"0" * 10)
    os.symlink("/", tmp_path / "root")
    total, largest = folder_bytes(tmp_path)
    assert 5010 <= total < 5100
    assert largest == os.path.join("a", "big")


def test_the_watch_looks_often_at_first_and_never_past_the_limit(tmp_path: Path) -> None:
    watch = Watch(Limits(), 0.01, process=None, folder=tmp_path, streams=[])  # type: ignore[arg-type]
    assert watch.pause() <= 0.02
    time.sleep(0.02)
    assert watch.pause() == 0.001


def test_a_full_disk_is_a_sentence_before_anything_is_written(tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MIN_FREE_MB", 1e12)  # more than any disk has
    result = run(("echo", "1"))
    assert (result.outcome, result.cause) == ("failed", "setup")
    assert "MB left" in result.reason
    assert "Free some space" in result.reason


@pytest.mark.parametrize(("keep", "kept"), [("failures", "f"), ("all", "af"), ("none", "")])
def test_run_folders_are_kept_as_the_user_says(keep: Any, kept: str) -> None:
    simulator = Simulator(command=("true",), keep_runs=keep)
    assert run_folder.keeps(simulator, ok=True) == ("a" in kept)
    assert run_folder.keeps(simulator, ok=False) == ("f" in kept)
