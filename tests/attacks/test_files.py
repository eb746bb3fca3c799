"""Journals, locks, links and folders that lead a session, or its runs, to somebody else's files."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import msgspec
import numpy as np
import pytest

from bayescope.engine.archive.sources import read_session
from bayescope.engine.problem.definition import ExtraFile, LastNumber, Limits, Output, Simulator, TemplateFile
from bayescope.engine.session import codec, folders
from bayescope.engine.session.errors import DamagedSession, SessionError
from bayescope.engine.session.records import EvaluationRecord
from bayescope.engine.session.salvage import salvage
from bayescope.engine.session.store import SessionStore
from consents import run_once
from journals import hot_journal

SPEC = (Output(name="y", source="stdout", extractor=LastNumber()),)
GOLDEN = Path(__file__).parents[1] / "engine" / "session" / "golden"
journals = pytest.mark.attack("journals")
links = pytest.mark.attack("links")


@journals
def test_the_crafted_journal_is_one_that_sqlite_itself_obeys(own, tmp_path) -> None:
    """The attack is real: SQLite, asked by itself, deletes what the journal names."""
    target = tmp_path / "super"
    target.write_bytes(b"anything")
    hot_journal(own, target)
    connection = sqlite3.connect(own)
    connection.execute("SELECT count(*) FROM meta").fetchone()
    connection.close()
    assert not target.exists()


@journals
@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_super_journal_is_not_deleted_by_opening(own, victim, mode) -> None:
    hot_journal(own, victim)
    with pytest.raises(DamagedSession, match="refers to other files"):
        SessionStore.open(own, mode=mode)


@journals
@pytest.mark.parametrize(
    "words", [("export", "--problem", "p.json"), ("support", "s.zip"), ("compare",), ("run",), ("test-run",)]
)
def test_a_super_journal_is_not_deleted_by_a_command(own, victim, command, folder, words) -> None:
    hot_journal(own, victim)
    arguments = [folder / w if "." in w else w for w in words[1:]]
    assert command(words[0], own, *arguments).returncode == 1


@journals
def test_a_super_journal_is_not_deleted_by_recovering(own, victim, folder) -> None:
    hot_journal(own, victim)
    salvage(own, folder / "r.bayescope")


@journals
def test_a_super_journal_is_not_deleted_by_migrating(folder, victim) -> None:
    old = folder / "old.bayescope"
    shutil.copy(GOLDEN / "format1.bayescope", old)
    hot_journal(old, victim)
    for mode in ("read", "write"):
        with pytest.raises(DamagedSession):
            SessionStore.open(old, mode=mode)
    salvage(old, folder / "r.bayescope")


@journals
def test_a_super_journal_is_not_deleted_by_importing_from_that_session(own, victim) -> None:
    hot_journal(own, victim)
    with pytest.raises(SessionError):
        read_session(own)


@journals
def test_a_super_journal_is_not_deleted_from_a_folder_that_cannot_be_written(own, victim, monkeypatch) -> None:
    hot_journal(own, victim)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(DamagedSession):
        SessionStore.open(own, mode="read")


@journals
def test_a_journal_that_is_a_symbolic_link_is_not_followed(own, victim) -> None:
    own.with_name(own.name + "-journal").symlink_to(victim)
    with pytest.raises(DamagedSession, match="is a link"):
        SessionStore.open(own)


@journals
def test_a_journal_that_is_a_second_name_of_a_file_is_not_written(own, victim) -> None:
    os.link(victim, own.with_name(own.name + "-journal"))
    with pytest.raises(DamagedSession, match="is a link"):
        SessionStore.open(own)


@journals
@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_a_write_ahead_log_beside_is_not_taken(own, victim, suffix) -> None:
    own.with_name(own.name + suffix).symlink_to(victim)
    with pytest.raises(DamagedSession):
        SessionStore.open(own)


@journals
def test_a_session_in_write_ahead_mode_is_refused(own) -> None:
    data = bytearray(own.read_bytes())
    data[18:20] = b"\x02\x02"
    own.write_bytes(data)
    with pytest.raises(DamagedSession, match="journal mode"):
        SessionStore.open(own)
    assert [p.name for p in own.parent.iterdir() if "-wal" in p.name or "-shm" in p.name] == []


@journals
def test_a_journal_cannot_blow_the_session_up(own) -> None:
    before = own.stat().st_size
    hot_journal(own, None, pages=2**31)
    with pytest.raises(DamagedSession):
        SessionStore.open(own)
    assert own.stat().st_size == before


@journals
@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON run_log BEGIN DELETE FROM evaluations; END",
        "CREATE VIEW v AS SELECT * FROM meta",
        "CREATE TABLE extra (x)",
        "CREATE INDEX i ON meta (hex(value))",
        "CREATE VIRTUAL TABLE f USING fts5(x)",
        "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql='CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL "
        "DEFAULT (load_extension(\"x\")), crc INTEGER NOT NULL)' WHERE name='meta'",
    ],
    ids=["trigger", "view", "table", "index", "virtual", "default"],
)
def test_nothing_that_runs_can_be_hidden_in_the_database(own, statement) -> None:
    connection = sqlite3.connect(own)
    try:
        connection.executescript(statement)
        connection.commit()
    finally:
        connection.close()
    for mode in ("read", "write"):
        with pytest.raises(SessionError):
            SessionStore.open(own, mode=mode)


@journals
def test_objects_in_arrays_are_refused() -> None:
    import io
    import pickle

    class Bomb:
        def __reduce__(self):
            return os.system, ("touch /tmp/bayescope-bomb",)

    buffer = io.BytesIO()
    np.save(buffer, np.array([Bomb()], dtype=object), allow_pickle=True)
    for data in (buffer.getvalue(), pickle.dumps(Bomb())):
        with pytest.raises(codec.CodecError):
            codec.decode_array(data)
        with pytest.raises(codec.CodecError):
            codec.decode_state(data)
    assert not os.path.exists("/tmp/bayescope-bomb")


# ------------------------------------------------------------------ locks


@links
@pytest.mark.parametrize("how", ["symbolic", "hard", "dangling"])
def test_a_lock_that_leads_elsewhere_truncates_nothing(own, victim, how) -> None:
    lock = own.with_name(own.name + ".lock")
    if how == "hard":
        os.link(victim, lock)
    else:
        lock.symlink_to(victim if how == "symbolic" else victim.with_name("new.txt"))
    with SessionStore.open(own) as store:
        assert not store.writable
        assert "link" in store.read_only_reason
    assert os.path.lexists(lock)


@links
def test_a_lock_that_is_a_pipe_does_not_stop_everything(own) -> None:
    os.mkfifo(own.with_name(own.name + ".lock"))
    with SessionStore.open(own) as store:
        assert not store.writable


@links
@pytest.mark.parametrize("since", ["1e308", "-1e300", "0"])
def test_a_lock_with_absurd_contents_is_words(own, since) -> None:
    own.with_name(own.name + ".lock").write_text(
        f'[{{"pid": 1, "started": "x", "machine": "elsewhere", "host": "\\u001b[2J", "since": {since}, "role": "window"}}]'
    )
    with SessionStore.open(own) as store:
        assert not store.writable
        assert "\x1b" not in store.read_only_reason


@links
def test_a_session_under_a_linked_name_is_the_same_session(own, tmp_path) -> None:
    linked = tmp_path / "linked.bayescope"
    linked.symlink_to(own)
    with SessionStore.open(own) as first, SessionStore.open(linked) as second:
        assert first.writable
        assert not second.writable
        assert second.path == own
    with SessionStore.open(linked) as first, SessionStore.open(own) as second:
        assert first.writable
        assert not second.writable


@links
def test_a_session_with_two_hard_links_is_written_by_nobody(own, tmp_path) -> None:
    os.link(own, tmp_path / "second name.bayescope")
    with SessionStore.open(own) as first, SessionStore.open(tmp_path / "second name.bayescope") as second:
        assert not first.writable
        assert not second.writable
        assert "second name" in first.read_only_reason


@links
def test_two_engines_under_two_names_do_not_run_on_one_file(own, tmp_path, home, trace) -> None:
    linked = tmp_path / "linked.bayescope"
    linked.symlink_to(own)
    (own.parent / "model.py").write_text("import time\ntime.sleep(0.2)\nprint(1)\n")
    with SessionStore.open(own) as store:
        store.agree()
    runs = [
        subprocess.Popen([sys.executable, "-m", "bayescope.gui", "run", str(path), "--evaluations", "6"],
                         stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for path in (own, linked)
    ]  # fmt: skip
    said = [run.communicate(timeout=100) for run in runs]
    assert sorted(run.returncode for run in runs) == [0, 1]
    assert any("in use by" in error for _, error in said)
    with SessionStore.open(own, mode="read") as store:
        assert store.evaluation_count == 6


# ------------------------------------------------------------------ names planted beside a session


@links
def test_names_that_migrating_uses_cannot_be_planted(folder, victim) -> None:
    old = folder / "old.bayescope"
    shutil.copy(GOLDEN / "format1.bayescope", old)
    for pid in range(os.getpid() - 3, os.getpid() + 4):
        (folder / f"old.bayescope.migrating-{pid}").symlink_to(victim)
    (folder / "old.format1.bayescope").symlink_to(victim.with_name("planted.txt"))
    SessionStore.open(old).close()
    assert (folder / "old.format1.bayescope").is_symlink()


@links
def test_a_folder_for_runs_that_is_a_link_is_not_used_for_a_strangers_analysis(folder, victim, problem) -> None:
    (folder / "study.runs").symlink_to(victim.parent, target_is_directory=True)
    from bayescope.engine.session.trust.consent import permit_for, sign
    from bayescope.engine.simulator import runner

    simulator = Simulator(command=("echo", "1"))
    permit = permit_for(sign(simulator, folder, foreign=True), simulator, folder)
    result = runner.run_once(simulator, SPEC, {}, permit=permit, folder=folder / "study.runs" / "00000", base=folder, seed=1)
    assert result.cause == "setup"
    assert "link" in result.reason


@links
def test_a_run_folder_planted_as_a_link_is_replaced_not_followed(folder, victim) -> None:
    runs = folder / "study.runs"
    runs.mkdir()
    (runs / "00000").symlink_to(victim.parent, target_is_directory=True)
    simulator = Simulator(command=("sh", "-c", "echo 1 > out; echo 1"))
    result = run_once(simulator, SPEC, {}, folder=runs / "00000", base=folder, seed=1)
    assert result.outcome == "ok", result.reason
    assert not (runs / "00000").is_symlink()


# ------------------------------------------------------------------ what a run writes and removes


@links
@pytest.mark.parametrize(
    "target",
    ["../thesis.txt", "a/../../thesis.txt", "/tmp/thesis.txt", "C:\\thesis.txt", "bayescope_stdout.txt",
     "./bayescope_stderr.txt", "sub/../x", ""],
)  # fmt: skip
def test_a_template_is_written_into_its_run_folder_or_not_at_all(folder, target, tmp_path) -> None:
    simulator = Simulator(command=("echo", "1"), templates=(TemplateFile(target=target, text="evil"),))
    result = run_once(simulator, SPEC, {}, folder=tmp_path / "runs" / "1", base=folder, seed=1)
    assert result.cause == "setup"
    assert not (tmp_path / "runs" / "thesis.txt").exists()
    assert not os.path.exists("/tmp/thesis.txt")


@links
@pytest.mark.parametrize("kind", ["template over linked file", "template in linked folder", "copy over linked file"])
def test_a_linked_extra_file_is_never_written_through(folder, victim, kind) -> None:
    simulator = Simulator(command=("echo", "1"), extra_files=(ExtraFile(path=str(victim), target="in.txt", link=True),))
    if kind == "template over linked file":
        simulator = msgspec.structs.replace(simulator, templates=(TemplateFile(target="in.txt", text="evil"),))
    elif kind == "template in linked folder":
        extra = ExtraFile(path=str(victim.parent), target="d", link=True)
        template = TemplateFile(target="d/thesis.txt", text="evil")
        simulator = msgspec.structs.replace(simulator, extra_files=(extra,), templates=(template,))
    else:
        (folder / "other").write_text("evil")
        extra = (*simulator.extra_files, ExtraFile(path="other", target="in.txt"))
        simulator = msgspec.structs.replace(simulator, extra_files=extra)
    run_once(simulator, SPEC, {}, folder=folder / "r", base=folder, seed=1)


@links
def test_a_program_that_replaces_its_output_by_a_link_has_nothing_cut_off(folder, victim) -> None:
    text = f"rm bayescope_stdout.txt; ln -s {victim} bayescope_stdout.txt; yes | head -c 3000000"
    simulator = Simulator(command=("sh", "-c", text), limits=Limits(output_mb=0.0001, time_s=20))
    result = run_once(simulator, SPEC, {}, folder=folder / "r", base=folder, seed=1)
    assert result.cause == "limit"
    assert "only copy" not in result.stdout_tail


@links
def test_three_thousand_nested_folders_neither_end_a_run_nor_the_next(folder, tmp_path) -> None:
    deep = textwrap.dedent(
        """
        import os
        for i in range(3000):
            os.mkdir('dddddddd'); os.chdir('dddddddd')
        print(1)
        """
    )
    simulator = Simulator(command=(sys.executable, "-I", "-S", "-c", deep))
    for _ in range(2):
        result = run_once(simulator, SPEC, {}, folder=tmp_path / "r", base=folder, seed=1)
        assert result.outcome == "ok", result.reason
    folders.remove(tmp_path / "r")
    assert not (tmp_path / "r").exists()


@links
def test_deleting_a_run_folder_follows_no_link(folder, victim) -> None:
    run = folder / "r"
    (run / "a" / "b").mkdir(parents=True)
    (run / "a" / "b" / "link").symlink_to(victim.parent, target_is_directory=True)
    (run / "link").symlink_to(victim)
    os.link(victim, run / "a" / "hard")
    (run / "a").chmod(0o500)
    folders.remove(run)
    assert not run.exists()
    (folder / "r").symlink_to(victim.parent, target_is_directory=True)
    folders.remove(folder / "r")


@links
def test_what_cannot_be_deleted_stays_without_an_error(tmp_path) -> None:
    folders.remove(tmp_path / "nowhere")
    folders.remove("/proc/self")
    folders.remove("/proc/version")


@links
def test_copying_run_folders_follows_no_link_and_reads_no_pipe(folder, victim, tmp_path) -> None:
    run = folder / "r"
    (run / "a").mkdir(parents=True)
    (run / "a" / "link").symlink_to(victim)
    os.mkfifo(run / "a" / "pipe")
    folders.copy_tree(run, tmp_path / "copy")
    assert (tmp_path / "copy" / "a" / "link").is_symlink()
    assert not (tmp_path / "copy" / "a" / "pipe").exists()


@links
def test_an_output_that_is_a_pipe_is_words(folder) -> None:
    spec = (Output(name="y", source="out.txt", extractor=LastNumber()),)
    result = run_once(Simulator(command=("mkfifo", "out.txt")), spec, {}, folder=folder / "r", base=folder, seed=1)
    assert "not an ordinary file" in result.reason


@links
def test_kept_run_folders_named_in_a_session_stay_inside(own) -> None:
    from bayescope.gui.analysis.session_files import kept_run_folder

    runs = own.parent / "mine.runs"
    runs.mkdir()
    (runs / "link").symlink_to("/")
    for name in ("..", ".", "/etc", "a/b", "..\\x", "link", "c:x", "\0"):
        assert kept_run_folder(runs, name) is None


# ------------------------------------------------------------------ a rescue that goes nowhere else


@links
def test_a_session_exchanged_while_it_is_open_is_not_written(own, victim, problem) -> None:
    with SessionStore.open(own) as store:
        own.rename(own.with_name("aside"))
        own.symlink_to(victim)
        record = EvaluationRecord(0, 0, np.zeros(1), {"a": 0.0}, "ok", -1.0, -1.0, -2.0)
        with pytest.raises(SessionError, match="moved, deleted or replaced"):
            store.add_evaluation(record)
