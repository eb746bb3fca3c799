"""Test runs, noise checks and runs made again at another place: by the command line, on a real Slurm and over a real sshd."""

from __future__ import annotations

from pathlib import Path

import pytest

from bayescope.engine.app.cli import main
from bayescope.engine.problem.definition import Limits
from clusters import Engine, Slurm, Sshd, add_place, counted, make, told_problem


def left(folder: Path) -> list[str]:
    return [f.name for f in folder.iterdir() if f.name not in ("files", "pilot")]


def test_a_test_run_happens_at_the_place_and_shows_everything_of_it(
    sshd: Sshd, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    starts = tmp_path / "starts"
    path = make(tmp_path / "far.bayescope", told_problem(starts, 0.0))
    place = add_place(tmp_path / "there", host="far", queue="")
    assert main(["test-run", str(path), "--where", place, "--repeat", "2"]) == 0
    said = capsys.readouterr().out
    assert "It ran on “far”" in said
    assert "output logl: -" in said
    assert "no random seed is seen in what it is given" in said
    assert len(starts.read_text().splitlines()) == 3
    assert left(tmp_path / "there") == []
    assert main(["test-run", str(path)]) == 0
    assert "It ran on" not in capsys.readouterr().out, "the session has no place, so it runs here"


def test_a_test_run_through_a_queue_leaves_no_job_and_a_failure_is_told_as_here(
    slurm: Slurm, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = make(tmp_path / "far.bayescope", told_problem(tmp_path / "starts", 30.0, limits=Limits(time_s=1.0)))
    assert main(["test-run", str(path), "--where", add_place(tmp_path / "there")]) == 1
    assert "1 second" in capsys.readouterr().out
    assert slurm.are_over()
    assert left(tmp_path / "there") == []


def test_a_place_that_is_not_there_is_said_and_nothing_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = make(tmp_path / "far.bayescope", told_problem(tmp_path / "starts", 0.0))
    assert main(["test-run", str(path), "--where", "nowhere"]) == 1
    assert "no place called “nowhere”" in capsys.readouterr().err
    assert not (tmp_path / "starts").exists()


@pytest.mark.long
def test_runs_are_made_again_where_they_were_made(sshd: Sshd, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    starts = tmp_path / "starts"
    path = make(tmp_path / "far.bayescope", told_problem(starts, 0.0, 4))
    place = add_place(tmp_path / "there", host="far", queue="")
    assert Engine(path, place).wait() == 0
    before = len(starts.read_text().splitlines())
    assert main(["replay", str(path), "--runs", "3"]) == 0
    told = capsys.readouterr()
    assert "place “box”" in told.err
    assert "3 of 3 runs made again" in told.out
    assert len(starts.read_text().splitlines()) == before + 3
    assert counted(path, starts)["results"] == 4
    assert left(tmp_path / "there") == []
    assert main(["noise-check", str(path), "--runs", "3"]) == 0
    assert len(starts.read_text().splitlines()) == before + 6
    assert left(tmp_path / "there") == []
