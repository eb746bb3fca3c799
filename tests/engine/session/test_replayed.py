"""The record of runs made again: kept, forgotten with its runs, hostile content, and its section of the report."""

from __future__ import annotations

import re
import shutil
import sqlite3
from dataclasses import replace
from html import unescape
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayescope.engine.report import report
from bayescope.engine.report.report_repeatability import repeatability
from bayescope.engine.session import codec, rows
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.records import ArchiveRecord
from bayescope.engine.session.replayed import LEVEL, Replay, ReplayedRun
from bayescope.engine.session.salvage import salvage
from bayescope.engine.session.store import SessionStore
from bayescope.engine.session.trust.what_runs import RunFile

GOLDEN = Path(__file__).parent / "golden"


def run(index: int, result: str = "identical", words: str = "") -> ReplayedRun:
    return ReplayedRun(index=index, result=result, words=words or f"Run {index}: {result}.")  # type: ignore[arg-type]


def record(*runs: ReplayedRun, **more) -> Replay:
    return Replay(at=1.7e9, asked=max(len(runs), 1), evaluations=9, runs=runs, **more)


@pytest.fixture
def store(session_path, problem, make_evaluation):
    with SessionStore.create(session_path, problem, own=True) as store:
        for i in range(9):
            store.add_evaluation(make_evaluation(i))
        yield store


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", html))


def test_a_record_is_kept_and_replaced_by_the_next(store, session_path):
    assert store.replay() is None
    first = record(run(3), run(4, "different"), files=(RunFile("script", "model.py", "ab" * 32, 120),), note="Cut short.")
    store.save_replay(first)
    store.save_replay(record(run(5)))
    store.save_replay(first)
    with SessionStore.open(session_path, mode="read") as other:
        assert other.replay() == first
        assert other.evaluation_count == 9


@pytest.mark.parametrize("name", ["format1.bayescope", "format2.bayescope"])
def test_sessions_made_before_open_as_ever_and_say_not_checked(tmp_path, name):
    shutil.copy(GOLDEN / name, tmp_path / name)
    with SessionStore.open(tmp_path / name) as store:
        assert store.replay() is None
        assert not store.damage
        words = text_of(repeatability(store))
        assert "Not checked" in words
        assert f"bayescope replay {name}" in words
        store.save_replay(record(run(0)))
        assert store.replay() == record(run(0))


def test_a_new_declaration_or_archive_forgets_the_record_with_the_runs(tmp_path, problem, make_ask, make_evaluation):
    with SessionStore.create(tmp_path / "s.bayescope", problem, own=True) as store:
        for k in range(2):
            store.add_cycle(asks=[make_ask(0)])
            store.add_evaluation(make_evaluation(0, outcome="failed"))
            store.save_replay(record(run(0, "failed_again")))
            if k == 0:
                store.save_problem(msgspec.structs.replace(problem, outputs=()))
            else:
                store.save_archive(ArchiveRecord(("a", "b"), np.zeros((1, 2)), np.zeros(1), np.zeros(1)))
            assert store.evaluation_count == 0
            assert store.replay() is None


def test_a_record_comes_back_from_a_damaged_session(store, session_path, tmp_path):
    kept = record(run(2, "within_noise"))
    store.save_replay(kept)
    store.close()
    data = bytearray(session_path.read_bytes())
    data[:4096] = b"\xff" * 4096
    session_path.write_bytes(data)
    salvage(session_path, tmp_path / "new.bayescope", store.problem)
    with SessionStore.open(tmp_path / "new.bayescope") as new:
        assert new.replay() == kept


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[" * 100_000, b'{"at": 1e999}', b"\xff", msgspec.json.encode(record(run(0)))[:-1] + b', "more": 1}'],
)
def test_content_that_is_no_record_is_left_out_in_words(store, session_path, content):
    connection = sqlite3.connect(session_path)
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", ("replay", content, codec.checksum("replay", content)))
    connection.commit()
    connection.close()
    assert store.replay() is None
    assert "made again was left out" in store.damage[-1]
    assert "Not checked" in repeatability(store)


def test_a_record_whose_checksum_is_wrong_is_left_out(store, session_path):
    store.save_replay(record(run(0)))
    connection = sqlite3.connect(session_path)
    connection.execute("UPDATE meta SET crc = crc + 1 WHERE key = 'replay'")
    connection.commit()
    connection.close()
    assert store.replay() is None
    assert store.evaluations(), "nothing else is touched"


@given(st.binary(max_size=300) | st.from_regex(rb'\{"at":[0-9e]+,"asked":1,"evaluations":1,"runs":\[.*\]\}', fullmatch=True))
def test_no_bytes_break_the_reader(data):
    try:
        found = rows.replay_of(data)
    except codec.CodecError:
        return
    assert found.headline()
    assert found.when()


def test_the_report_names_what_differs_the_files_and_what_came_later(store, make_evaluation):
    store.save_replay(
        record(
            run(1), run(2, "within_noise"), run(3, "different", "Run 3 (a = 1): output “<y>” differs."), run(4, "failed_now"),
            files=(RunFile("script", "<b>model.py", "0123456789abcdef" * 4, 120),), note="It was cancelled.",
        )
    )  # fmt: skip
    store.add_evaluation(make_evaluation(20, order=20))
    html = repeatability(store)
    assert "<y>" not in html
    assert "<b>model" not in html
    words = text_of(html)
    for part in (
        "2 of 4 runs made again came out differently.", "Run 3 (a = 1): output “<y>” differs.", "Run 4: failed_now.",
        "when 9 runs were stored", "1 more run was made since", "0123456789abcdef", "<b>model.py", "level of 1 %",
        "It was cancelled.", "may have changed since",
    ):  # fmt: skip
        assert part in words, part
    assert "0123456789abcdef" * 2 not in words


def test_the_report_says_that_all_agreed_and_warns_of_identical_outputs(store, problem, make_evaluation, make_iteration):
    store.save_replay(record(run(1), run(2)))
    store.add_iteration(replace(make_iteration(3), n_evaluations=9))
    words = text_of(report.report_html(store))
    assert "Repeatability" in words
    assert "All 2 runs made again gave the same outputs to the last digit." in words
    assert "identical outputs" not in words
    for i in range(30, 50):
        same = replace(make_evaluation(i), outputs={"logl": np.array([-7.5])})
        store.add_evaluation(same)
    assert "20 of 29 good runs gave identical outputs" in text_of(repeatability(store))


@pytest.mark.parametrize(
    ("runs", "agrees", "words"),
    [
        ((run(1),), True, "The one run made again gave the same outputs to the last digit."),
        ((run(1), run(2, "within_noise")), True, "1 gave the same outputs to the last digit, 1 gave a log-likelihood within"),
        ((run(1, "failed_again"), run(2, "unjudged")), True, "1 failed again, as before, 1 cannot be judged"),
        ((run(1, "failed_then"),), False, "1 of 1 run made again came out differently."),
        (tuple(run(i, "failed_now") for i in range(14)), False, "14 of 14 runs"),
    ],
)
def test_the_headline_counts(runs, agrees, words):
    found = record(*runs)
    assert found.agrees is agrees
    assert words in found.headline()
    assert len(found.sentences()) <= 14, "not hundreds of lines"
    assert found.level == LEVEL


def test_an_absurd_time_is_words():
    assert replace_at(1e300).when() == "at an unknown time"
    assert replace_at(0.0).when().startswith("on 19")


def replace_at(at: float) -> Replay:
    return msgspec.structs.replace(record(run(0)), at=at)


def test_what_no_file_can_hold_is_refused_in_words(store):
    with pytest.raises(SessionError, match="cannot"):
        store.save_replay(replace_at(float("nan")))
    assert store.replay() is None
