"""Runs on a real Slurm: one result for each evaluation, whatever dies, and none repeated without a recorded loss."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from clusters import Engine, Slurm, add_place, counted, make, told_problem

N = 3


def _same_as_here(tmp_path: Path) -> dict[int, object]:
    starts = tmp_path / "starts-here"
    path = make(tmp_path / "here.bayescope", told_problem(starts, 0.0, N))
    assert Engine(path, "", workers=1).wait() == 0
    return counted(path, starts)["values"]


@pytest.mark.long
def test_a_killed_engine_repeats_nothing_and_the_result_is_that_of_this_computer_to_the_last_bit(
    slurm: Slurm, tmp_path: Path
) -> None:
    there = tmp_path / "there there"
    place, starts = add_place(there), tmp_path / "starts"
    path = make(tmp_path / "far.bayescope", told_problem(starts, 0.0, N))
    assert Engine(path, place, "submitted:2", workers=1).wait() == -9
    assert Engine(path, place, workers=1).wait() == 0
    found = counted(path, starts)
    whole_and_once(found)
    assert found["values"] == _same_as_here(tmp_path)
    assert {a.state for a in found["attempts"]} == {"cleared"}
    assert list(there.iterdir()) == []
    assert slurm.are_over()


def whole_and_once(found: dict[str, object], evaluations: int = N) -> None:
    """One result for each evaluation, each from one job, and no job started its program twice."""
    assert found["results"] == evaluations
    assert found["runs"] == dict.fromkeys(range(evaluations), 1), found["attempts"]
    assert sum(found["starts"].values()) <= len(found["attempts"])
    assert found["lost"] == 0


@pytest.mark.long
@pytest.mark.parametrize(("before", "after"), [(True, True), (True, False), (False, True)], ids=["pilots", "no more", "new"])
def test_pilots_take_short_runs_one_after_the_other_and_a_killed_engine_loses_none(
    slurm: Slurm, tmp_path: Path, before: bool, after: bool
) -> None:
    """``before``, ``after``: whether the place has them, before and after the kill."""
    place = add_place(tmp_path / "there", pilot=before, at_once=2)
    starts = tmp_path / "starts"
    path = make(tmp_path / "far.bayescope", told_problem(starts, 1.0, 10))
    assert Engine(path, place, "running:4").wait() == -9
    add_place(tmp_path / "there", pilot=after, at_once=2)
    engine = Engine(path, place, QUEUE_PAUSE="0.3")
    assert engine.wait() == 0
    found = counted(path, starts)
    whole_and_once(found, 10)
    if before:
        assert len({a.job for a in found["attempts"] if a.job}) <= 4, "few jobs for many runs"
    assert ("box of the place was changed" in engine.said) == (before and not after)
    assert slurm.are_over()


@pytest.mark.long
@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"partition": "nowhere"}, "Invalid partition name specified"),
        ({"cores": 4096}, "PartitionConfig"),
        ({"memory_mb": 900_000}, "BadConstraints"),
        ({"memory_mb": 900_000, "pilot": True}, ""),
    ],
    ids=["refused", "never started", "given up at once", "pilots given up at once"],
)
def test_the_first_job_that_the_queue_will_never_run_stops_the_run_costs_nothing_and_says_why_first(
    slurm: Slurm, tmp_path: Path, wrong: dict[str, object], reason: str
) -> None:
    place, starts = add_place(tmp_path / "there", **wrong), tmp_path / "starts"
    path = make(tmp_path / "far.bayescope", told_problem(starts, 0.0, 4))
    engine = Engine(path, place, workers=4, QUEUE_PAUSE="0.3")
    assert engine.wait() == 0
    ended = json.loads(engine.said)
    assert ended["outcome"] == "failed"
    assert ended["words"].startswith(reason)
    assert "of the place “box”" in ended["words"]
    assert ended["correct"] == "place"
    found = counted(path, starts)
    assert found["results"] == 0
    assert not starts.exists()
    assert not [path.name for path in (tmp_path / "there").iterdir() if path.name != "pilot"], "nothing of a refused job stays"
    assert {a.state for a in found["attempts"]} <= {"cancelled", "cleared"}
    assert slurm.are_over()
    add_place(tmp_path / "there")
    assert Engine(path, place, workers=4).wait() == 0
    assert counted(path, starts)["results"] == 4


@pytest.mark.long
def test_a_program_that_is_not_there_ends_the_run_at_the_first_job_counts_nothing_and_leaves_nothing(
    slurm: Slurm, tmp_path: Path
) -> None:
    there, starts = tmp_path / "there", tmp_path / "starts"
    place = add_place(there, setup=("true",))  # set-up lines may make programs known: only a job can tell
    problem = told_problem(starts, 0.0, 4)
    simulator = msgspec.structs.replace(problem.simulator, command=("no-such-program-there",))
    path = make(tmp_path / "far.bayescope", msgspec.structs.replace(problem, simulator=simulator))
    engine = Engine(path, place, workers=4)
    assert engine.wait() == 0
    ended = json.loads(engine.said)
    assert ended["words"].startswith("There is no program “no-such-program-there” on")
    assert (ended["outcome"], ended["correct"]) == ("failed", "program")
    found = counted(path, starts)
    assert found["results"] == 0
    assert {a.state for a in found["attempts"]} <= {"cancelled", "cleared"}
    assert list(there.iterdir()) == []
    assert slurm.are_over()
