"""Jobs elsewhere belong to one session file, however often it is copied."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bayescope.engine.problem.definition import Problem
from bayescope.engine.session import job_owner
from bayescope.engine.session.attempts import AttemptRecord
from bayescope.engine.session.job_owner import claim_jobs, take_along
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.store import SessionStore

TOKENS = ("bs000000000001", "bs000000000002")


@pytest.fixture
def original(tmp_path: Path, problem: Problem) -> Path:
    """A session that has handed over two jobs."""
    path = tmp_path / "first.bayescope"
    with SessionStore.create(path, problem, own=True) as store:
        assert claim_jobs(store) == []
        Ledger(store).save(
            AttemptRecord(TOKENS[0], 0, "00000:1", 0, "{}", TOKENS[0], "queued"),
            AttemptRecord(TOKENS[1], 1, "00001:1", 0, "{}", TOKENS[1], "dropped"),
        )
    return path


def states(path: Path) -> list[str]:
    with SessionStore.open(path, mode="read") as store:
        return [a.state for a in Ledger(store).find()]


def claimed(path: Path) -> list[str]:
    with SessionStore.open(path) as store:
        return claim_jobs(store)


def test_a_copy_gives_up_the_jobs_that_the_original_still_has_and_says_so(original: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.bayescope"
    shutil.copy(original, copy)
    (words,) = claimed(copy)
    assert "copy of" in words
    assert "2 jobs under way" in words
    assert (states(copy), states(original)) == (["cancelled"] * 2, ["queued", "dropped"])
    assert claimed(copy) == claimed(original) == []
    assert states(original) == ["queued", "dropped"]


def test_a_file_that_was_moved_keeps_its_jobs(original: Path, tmp_path: Path) -> None:
    moved = original.rename(tmp_path / "moved.bayescope")
    assert claimed(moved) == []
    other = tmp_path / "other disk.bayescope"
    shutil.copy(moved, other)
    moved.unlink()
    assert claimed(other) == []
    assert states(other) == ["queued", "dropped"]


def test_jobs_go_over_to_the_copy_in_which_somebody_goes_on(original: Path, tmp_path: Path) -> None:
    copy = tmp_path / "second.bayescope"
    with SessionStore.open(original) as first:
        first.copy_to(copy)
        with SessionStore.open(copy) as second:
            take_along(first, second)
    assert (states(original), states(copy)) == (["cancelled"] * 2, ["queued", "dropped"])
    assert claimed(copy) == claimed(original) == []
    assert states(copy) == ["queued", "dropped"]


def test_a_copy_of_a_copy_belongs_to_nobody_else(original: Path, tmp_path: Path) -> None:
    copy, third = tmp_path / "second.bayescope", tmp_path / "third.bayescope"
    shutil.copy(original, copy)
    shutil.copy(copy, third)
    assert len(claimed(copy)) == len(claimed(third)) == 1


def test_jobs_of_a_file_from_another_computer_are_kept_with_a_warning(
    original: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_owner, "machine_id", lambda: "another")
    (words,) = claimed(original)
    assert "another computer" in words
    assert states(original) == ["queued", "dropped"]


def test_an_original_that_cannot_be_read_any_more_leaves_its_jobs_to_the_copy(original: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.bayescope"
    shutil.copy(original, copy)
    original.write_bytes(b"no session")
    assert claimed(copy) == []
    assert states(copy) == ["queued", "dropped"]
