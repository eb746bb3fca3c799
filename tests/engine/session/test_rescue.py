"""The copy of a session whose own file is gone: complete, in order, one while it can be, and never half of one."""

from __future__ import annotations

import os
import tempfile

import pytest

from bayescope.engine.session.errors import SessionError, SessionGone
from bayescope.engine.session.store import SessionStore


@pytest.fixture
def store(session_path, problem, make_ask, make_evaluation):
    with SessionStore.create(session_path, problem, own=True) as store:
        store.add_cycle(asks=[make_ask(i) for i in range(6)], evaluations=[make_evaluation(0)])
        yield store


def orders(path):
    with SessionStore.open(path, mode="read") as copy:
        return [(e.order, e.index) for e in copy.evaluations()]


def test_what_was_never_saved_is_added_to_one_copy_in_order(store, make_evaluation):
    store.path.unlink()
    with pytest.raises(SessionGone, match="was copied to"):
        store.add_evaluation(make_evaluation(2, order=1))
    first = store.rescue([make_evaluation(2, order=1)])
    assert store.rescue([make_evaluation(1, order=2), make_evaluation(4, order=3)]) == first
    assert store.rescue([make_evaluation(1, order=2)]) == store.rescue() == first
    assert orders(first) == [(0, 0), (1, 2), (2, 1), (3, 4)]
    assert [p.name for p in store.path.parent.glob("*rescued*")] == [first.name]
    with SessionStore.open(first) as copy:
        assert copy.writable
        assert len(copy.asks()) == 6
        assert copy.agreed


def test_after_the_file_has_come_back_and_gone_again_there_is_a_new_copy_with_everything(store, make_evaluation):
    away = store.path.rename(store.path.with_name("away"))
    first = store.rescue([make_evaluation(1)])
    away.rename(store.path)
    store.add_evaluation(make_evaluation(1))
    store.add_evaluation(make_evaluation(2))
    store.path.rename(away)
    second = store.rescue([make_evaluation(3)])
    assert second != first
    assert orders(second) == [(i, i) for i in range(4)]


@pytest.mark.parametrize("what", ["in use", "gone", "damaged"])
def test_a_copy_that_takes_no_more_is_made_anew_with_all_that_was_given(store, make_evaluation, what):
    store.path.unlink()
    first = store.rescue([make_evaluation(1)])
    if what == "gone":
        first.unlink()
    if what == "damaged":
        first.write_bytes(b"SQLite format 3\0" + bytes(4000))
    with SessionStore.open(first) if what == "in use" else tempfile.TemporaryFile():
        second = store.rescue([make_evaluation(2)])
    assert second != first
    assert orders(second) == [(0, 0), (1, 1), (2, 2)]


def test_a_copy_that_went_on_meanwhile_is_left_alone(store, make_evaluation):
    store.path.unlink()
    first = store.rescue([make_evaluation(1)])
    with SessionStore.open(first) as copy:
        copy.add_evaluation(make_evaluation(5, order=2))
    second = store.rescue([make_evaluation(2)])
    assert orders(first) == [(0, 0), (1, 1), (2, 5)]
    assert orders(second) == [(0, 0), (1, 1), (2, 2)]


def test_without_any_place_for_a_copy_it_is_said_in_words(store, make_evaluation, monkeypatch, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    blocked = other / "a file"
    blocked.touch()
    monkeypatch.setenv("BAYESCOPE_HOME", str(blocked / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(blocked))
    os.rename(store.path.parent, other / "moved")
    with pytest.raises(SessionError, match="could not be copied to any other place"):
        store.rescue([make_evaluation(1)])
    with pytest.raises(SessionGone, match="Put the file back"):
        store.add_evaluation(make_evaluation(1))
    os.rename(other / "moved", store.path.parent)
    store.add_evaluation(make_evaluation(1))
