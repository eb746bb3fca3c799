"""One session in the place of another: what a crash left of the old one never reaches the new one."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from bayescope.engine.session import replacing
from bayescope.engine.session.store import SessionStore


@pytest.fixture
def crashed(session_path: Path, problem, make_evaluation) -> Path:
    """A session with two evaluations, left in the middle of a large write: its pages changed, the old ones in its journal."""
    with SessionStore.create(session_path, problem) as store:
        for i in range(2):
            store.add_evaluation(make_evaluation(i))
    busy = session_path.with_name("busy")
    shutil.move(session_path, busy)
    connection = sqlite3.connect(busy, isolation_level=None)
    connection.execute("PRAGMA cache_size = 2")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE evaluations SET reason = 'unfinished', purpose = hex(zeroblob(20000))")
    for ending in ("", "-journal"):
        shutil.copyfile(f"{busy}{ending}", f"{session_path}{ending}")
    connection.close()
    busy.unlink()
    return session_path


@pytest.fixture
def other(tmp_path: Path, problem, make_evaluation) -> Path:
    path = tmp_path / "other.bayescope"
    with SessionStore.create(path, problem) as store:
        for i in range(5):
            store.add_evaluation(make_evaluation(i))
    return path


def left_beside(path: Path) -> list[str]:
    return sorted(p.name.removeprefix(path.name) for p in path.parent.iterdir() if p.name.startswith(f"{path.name}-"))


def test_what_a_crash_left_of_the_old_session_is_not_played_back_into_the_new_one(crashed, other):
    assert left_beside(crashed) == ["-journal"]
    replacing.replace(other, crashed)
    assert left_beside(crashed) == []
    with SessionStore.open(crashed) as store:
        assert [e.index for e in store.evaluations()] == list(range(5))


def test_a_new_session_where_a_deleted_one_left_its_journal_is_whole(crashed, problem):
    crashed.unlink()
    with SessionStore.create(crashed, problem) as store:
        assert store.evaluation_count == 0
        store.notes = "new"
    left = left_beside(crashed)
    assert len(left) == 1, "the journal is set aside, for whoever still has the old file"
    assert left[0].endswith(".old")


def test_what_lies_beside_a_file_that_is_no_session_is_set_aside_too(tmp_path, other):
    target = tmp_path / "target.bayescope"
    target.write_bytes(b"no session")
    target.with_name("target.bayescope-wal").write_bytes(b"a stranger's")
    replacing.replace(other, target)
    assert [name[:5] for name in left_beside(target)] == ["-wal."]
    with SessionStore.open(target) as store:
        assert store.evaluation_count == 5


@pytest.mark.parametrize("links", [True, False])
def test_a_second_name_keeps_the_content_and_never_overwrites(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(OSError("no hard links here")))
    path, kept = tmp_path / "path", tmp_path / "kept"
    path.write_bytes(b"first")
    replacing.keep(path, kept)
    part = tmp_path / "part"
    part.write_bytes(b"second")
    replacing.replace(part, path)
    replacing.keep(path, kept)
    assert (path.read_bytes(), kept.read_bytes()) == (b"second", b"first")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["kept", "path"]
