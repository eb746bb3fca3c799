"""Damaged files: everything readable comes back, nothing invented does, and the file itself is left alone."""

from __future__ import annotations

import hashlib
import math
import random
import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from bayescope.engine.session import attempts
from bayescope.engine.session import salvage as salvaging
from bayescope.engine.session.attempts import AttemptRecord
from bayescope.engine.session.codec import CodecError
from bayescope.engine.session.errors import DamagedSession, SessionError
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.records import ArchiveRecord
from bayescope.engine.session.salvage import salvage
from bayescope.engine.session.schema import SESSION_VERSION
from bayescope.engine.session.store import SessionStore

GOLDEN = Path(__file__).parent / "golden" / "format1.bayescope"
GOLDEN_3 = Path(__file__).parent / "golden" / "format3.bayescope"
GOLDEN_4 = Path(__file__).parent / "golden" / "format4.bayescope"
GOLDEN_2 = Path(__file__).parent / "golden" / "format2.bayescope"


@pytest.fixture
def filled(session_path, problem, make_ask, make_evaluation, make_iteration):
    with SessionStore.create(session_path, problem, own=True) as store:
        for i in range(40):
            store.add_cycle(asks=[make_ask(i)])
            store.add_evaluation(make_evaluation(i, outcome="failed" if i % 7 == 3 else "ok"))
        store.add_cycle(iteration=make_iteration(0), checkpoint={"told": 40, "asked": 40, "x": "y" * 9000}, told=40)
        store.notes = "keep me"
    return session_path


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_an_undamaged_session_is_copied_whole(filled, tmp_path):
    found = salvage(filled, tmp_path / "new.bayescope")
    assert "40 finished runs, all of them" in found.words()
    with SessionStore.open(filled) as old, SessionStore.open(tmp_path / "new.bayescope") as new:
        assert new.problem == old.problem
        assert [e.values for e in new.evaluations()] == [e.values for e in old.evaluations()]
        assert [a.told_before for a in new.asks()] == [a.told_before for a in old.asks()]
        assert new.checkpoint() == old.checkpoint()
        assert new.notes == "keep me"
        assert new.last_iteration().elbo == old.last_iteration().elbo


def test_with_its_first_page_gone_the_evaluations_still_come_back(filled, tmp_path):
    data = bytearray(filled.read_bytes())
    data[:4096] = b"\xff" * 4096
    filled.write_bytes(data)
    before = digest(filled)
    with pytest.raises(SessionError):
        SessionStore.open(filled)
    found = salvage(filled, tmp_path / "new.bayescope")
    assert len(found.evaluations) == 40
    assert digest(filled) == before
    with SessionStore.open(tmp_path / "new.bayescope") as store:
        assert store.evaluation_count == 40


def test_evaluations_on_destroyed_pages_are_lost_and_the_rest_is_kept(filled, tmp_path):
    data = bytearray(filled.read_bytes())
    rng = random.Random(1)
    spots = [m for m in range(len(data) // 4096) if b"logl" in data[m * 4096 : (m + 1) * 4096] and m > 1]
    page = rng.choice(spots)
    data[page * 4096 : (page + 1) * 4096] = bytes(4096)
    filled.write_bytes(data)
    found = salvage(filled, tmp_path / "new.bayescope")
    assert 0 < len(found.evaluations) < 40 or "all of them" in found.words()
    with SessionStore.open(tmp_path / "new.bayescope") as store:
        kept = store.evaluations()
        assert [e.order for e in kept] == list(range(len(kept)))
        assert all(e.values["b"] == pytest.approx(-0.2 * e.index) for e in kept)
        if len(kept) < 40:
            assert store.checkpoint() is None


def test_half_a_file_gives_half_its_evaluations(filled, tmp_path):
    data = filled.read_bytes()
    pages_with_evaluations = [m for m in range(len(data) // 4096) if b"logl" in data[m * 4096 : (m + 1) * 4096]]
    filled.write_bytes(data[: 4096 * (pages_with_evaluations[len(pages_with_evaluations) // 2] + 1)])
    found = salvage(filled, tmp_path / "new.bayescope")
    assert found.evaluations
    with SessionStore.open(tmp_path / "new.bayescope") as store:
        assert store.evaluation_count == len(found.evaluations)


def test_nothing_readable_is_said_in_words(tmp_path):
    (tmp_path / "x").write_bytes(b"nothing at all" * 1000)
    with pytest.raises(SessionError, match="Nothing is readable"):
        salvage(tmp_path / "x", tmp_path / "new.bayescope")
    assert not (tmp_path / "new.bayescope").exists()


def test_a_lost_declaration_can_be_brought_along(filled, tmp_path, problem):
    data = filled.read_bytes().replace(b'"two numbers"', b'"tw\x00 numbers"')
    filled.write_bytes(data)
    with pytest.raises(SessionError, match="declaration is lost"):
        salvage(filled, tmp_path / "new.bayescope")
    assert len(salvage(filled, tmp_path / "new.bayescope", problem).evaluations) == 40


def _mutated(data: bytes, rng: random.Random) -> bytes:
    """One of many kinds of damage."""
    out = bytearray(data)
    kind = rng.randrange(6)
    if kind == 0:
        for _ in range(rng.randrange(1, 30)):
            out[rng.randrange(len(out))] = rng.randrange(256)
    elif kind == 1:
        out = out[: rng.randrange(len(out))]
    elif kind == 2:
        a = rng.randrange(len(out))
        out[a : a + rng.randrange(5000)] = bytes(rng.randrange(256) for _ in range(rng.randrange(5000)))
    elif kind == 3:
        a, b = (rng.randrange(len(out) // 4096) * 4096 for _ in range(2))
        out[a : a + 4096], out[b : b + 4096] = out[b : b + 4096], out[a : a + 4096]
    elif kind == 4:
        a = rng.randrange(100)
        out[a] = rng.randrange(256)
    else:
        out += bytes(rng.randrange(256) for _ in range(rng.randrange(10_000)))
    return bytes(out)


def _mutate(folder: Path, count: int, seed: int) -> dict[str, int]:
    """Open ``count`` damaged copies: each opens and reads, is salvaged, or is refused in words; nothing else happens."""
    rng = random.Random(seed)
    data = GOLDEN_2.read_bytes()
    path, new = folder / "m.bayescope", folder / "new.bayescope"
    tally = {"opened": 0, "salvaged": 0, "refused": 0, "evaluations invented": 0}
    with SessionStore.open(GOLDEN_2, mode="read") as store:
        truth = {e.index: (e.order, e.log_target, e.u.tobytes()) for e in store.evaluations()}
    for _ in range(count):
        path.write_bytes(_mutated(data, rng))
        before = digest(path)
        try:
            with SessionStore.open(path, mode="read") as store:
                read = store.evaluations()
                store.asks(), store.iterations(bulky=True), store.checkpoint(), store.run_log(), store.notes
            tally["opened"] += 1
        except SessionError as error:
            assert str(error)  # noqa: PT017
            try:
                read = list(salvage(path, new).evaluations.values())
                tally["salvaged"] += 1
                new.unlink()
            except SessionError:
                read = []
                tally["refused"] += 1
        assert digest(path) == before
        tally["evaluations invented"] += sum(
            (truth.get(e.index) or (0, 0, 0))[1:] != (e.log_target, e.u.tobytes()) for e in read
        )
    return tally


def test_a_hundred_mutated_files_open_or_are_salvaged_or_are_refused_in_words(tmp_path):
    tally = _mutate(tmp_path, 100, seed=5)
    print(tally)
    assert tally["evaluations invented"] == 0
    assert tally["opened"] > 0
    assert tally["salvaged"] > 0


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_ten_thousand_mutated_files(tmp_path):
    tally = _mutate(tmp_path, 10_000, seed=6)
    print(tally)
    assert tally["evaluations invented"] == 0


def test_the_golden_file_of_format_1_opens_with_all_its_contents(tmp_path):
    copy = tmp_path / "old.bayescope"
    shutil.copyfile(GOLDEN, copy)
    with SessionStore.open(copy, mode="read") as store:  # migrated in memory, the file is left alone
        assert store.evaluation_count == 12
        assert store.archive() is None
    assert digest(copy) == digest(GOLDEN)
    with SessionStore.open(copy) as store:
        assert store.archive() is None
        assert store.problem.name == "two numbers"
        assert store.evaluation_count == len(store.evaluations()) == 12
        assert len(store.asks()) == 13
        assert store.last_iteration().weights.shape == (2,)
        assert store.checkpoint()["told"] == 12
        assert store.notes == "golden"
        assert store.run_log()[0].text == "made for the tests"


def test_the_golden_file_of_format_2_opens_with_its_archive():
    with SessionStore.open(GOLDEN_2, mode="read") as store:
        archive = store.archive()
        assert archive.names == ("a", "b")
        assert archive.points.shape == (3, 2)
        assert archive.values.tolist() == [-1.0, -2.5, -math.inf]
        assert archive.sds.tolist() == [0.0, 0.5, 0.0]
        assert (archive.meaning, archive.source, archive.notes) == ("log_posterior", "old.csv", ("2 rows were left out.",))
        assert store.evaluation_count == 12
        assert store.notes == "golden"


def test_the_golden_file_of_format_3_opens_with_its_jobs_elsewhere():
    with SessionStore.open(GOLDEN_3, mode="read") as store:
        (attempt,) = Ledger(store).open
        assert (attempt.token, attempt.index, attempt.number, attempt.job) == ("bs0123456789ab", 12, 1, "4711")
        assert Ledger(store).where == "uni"
        assert store.evaluation_count == 12


def test_the_golden_file_of_format_4_opens_with_all_parts_of_its_archive():
    with SessionStore.open(GOLDEN_4, mode="read") as store:
        assert store.newest_part == 2
        assert store.archive().values.tolist() == [-1.0, -2.5, -3.0]
        assert store.archive().source == "first.csv, second.csv"
        assert store.problem.outputs[0].extractor.by == "gap"


def test_a_file_of_format_3_is_migrated_with_what_it_holds(tmp_path):
    copy = tmp_path / "old.bayescope"
    shutil.copyfile(GOLDEN_3, copy)
    with SessionStore.open(copy) as store:
        assert store.evaluation_count == 12
        assert Ledger(store).where == "uni"
    connection = sqlite3.connect(copy)
    assert connection.execute("PRAGMA user_version").fetchone() == (SESSION_VERSION,)
    connection.close()
    assert digest(tmp_path / "old.format3.bayescope") == digest(GOLDEN_3)


def test_an_archive_is_salvaged_and_refused_once_there_are_results(filled, tmp_path):
    archive = ArchiveRecord(("a", "b"), np.ones((4, 2)), np.zeros(4), np.zeros(4), source="x")
    with SessionStore.open(filled) as store:
        with pytest.raises(SessionError, match="only before the first run"):
            store.save_archive(archive)
        problem = store.problem
    with SessionStore.create(tmp_path / "fresh.bayescope", problem, own=True) as store:
        store.save_archive(archive)
        store.save_archive(archive)
    assert salvage(tmp_path / "fresh.bayescope", tmp_path / "new.bayescope").archive[1].source == "x"
    with SessionStore.open(tmp_path / "new.bayescope") as store:
        assert np.array_equal(store.archive().points, archive.points)
        store.save_archive(None)
        assert store.archive() is None


def test_an_older_format_is_migrated_on_a_copy_and_the_original_is_kept(filled):
    from bayescope.engine.session import migrations

    connection = sqlite3.connect(filled)
    connection.execute("DROP TABLE run_log")
    connection.close()
    before = digest(filled)

    def add_log(c: sqlite3.Connection) -> None:
        from bayescope.engine.session.schema import TABLES

        c.execute(TABLES["run_log"])

    def broken(c: sqlite3.Connection) -> None:
        c.execute("DROP TABLE evaluations")
        raise sqlite3.OperationalError("no")

    with pytest.raises(SessionError):
        migrations.migrate(filled, 1, {1: broken}, 2)
    assert digest(filled) == before
    with pytest.raises(SessionError, match="format 1"):
        migrations.migrate(filled, 1, {}, 2)
    kept = migrations.migrate(filled, 1, {1: add_log}, 2)
    assert digest(kept) == before
    connection = sqlite3.connect(filled)
    assert connection.execute("PRAGMA user_version").fetchone() == (2,)
    assert connection.execute("SELECT count(*) FROM evaluations").fetchone() == (40,)
    connection.close()


def test_a_session_bomb_is_refused(tmp_path, filled):
    """A cell that claims gigabytes is refused by its length, not read."""
    from bayescope.engine.session import codec, pages

    with pytest.raises(codec.CodecError):
        codec.decode_array(
            b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999,), }".ljust(128)
        )
    with pytest.raises(codec.CodecError):
        codec.decode_array(
            b"\x93NUMPY\x01\x00\x76\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,), }".ljust(136)
        )
    with pytest.raises(codec.CodecError):
        codec.decode_state(b"\x91" * 100_000)
    assert all(len(cells) <= 64 for _, cells in pages.rows(b"\x0d" * 40_000, 4096))  # ends, whatever the bytes
    assert salvaging.MAX_FILE_BYTES > 0


def test_jobs_elsewhere_are_salvaged_and_those_of_finished_runs_are_done(filled, tmp_path):
    jobs = [
        AttemptRecord(f"bs{i:012x}", i, "w:1", 0, "{}", "x", "queued", job="7", intent_at=2.0, queued_at=3.5) for i in (0, 900)
    ]
    with SessionStore.open(filled) as store:
        Ledger(store).save(*jobs)
        Ledger(store).save(jobs[1])
    new = tmp_path / "new.bayescope"
    salvage(filled, new)
    with SessionStore.open(new) as store:
        assert [(a.token, a.state) for a in Ledger(store).find()] == [(jobs[0].token, "done"), (jobs[1].token, "queued")]


def test_a_job_whose_row_is_damaged_or_invented_is_not_believed(filled):
    with SessionStore.open(filled) as store, store._writing() as connection:
        attempts.save(connection, [AttemptRecord("bs000000000001", 1, "w:1", 0, "{}", "x")])
        connection.execute("UPDATE attempts SET job = 'x; rm -rf /'")
    with SessionStore.open(filled) as store, pytest.raises(DamagedSession, match="list of jobs"):
        Ledger(store).find()
    with pytest.raises(CodecError):
        attempts.attempt_of(("../../x", 1, "w", 0, "{}", "x", "intent", "", "", "", 0.0, 0.0, 0.0, 0.0, 0))
