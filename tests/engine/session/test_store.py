"""The session file gives back what was put in, and refuses what it must."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from dataclasses import fields, replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from bayescope.engine.problem.definition import ExtraFile, Problem, Settings, TemplateFile
from bayescope.engine.session import machine
from bayescope.engine.session.errors import DamagedSession, NewerSession, NotASession, ReadOnlySession, SessionError
from bayescope.engine.session.kept_over import kept_over_of
from bayescope.engine.session.store import SessionStore


def same(a, b) -> bool:
    for f in fields(a):
        x, y = getattr(a, f.name), getattr(b, f.name)
        if isinstance(x, dict) and any(isinstance(v, np.ndarray) for v in x.values()):
            if set(x) != set(y) or not all(np.array_equal(x[k], y[k]) for k in x):
                return False
        elif isinstance(x, np.ndarray):
            if not np.array_equal(x, y):
                return False
        elif x != y:
            return False
    return True


def test_everything_written_is_there_after_reopening(session_path, problem, make_ask, make_evaluation, make_iteration):
    state = {
        "told": 3,
        "gp": {"x": np.arange(6.0).reshape(2, 3), "on": np.array([True, False])},
        "rng": 2**100,
        "none": None,
    }
    with SessionStore.create(session_path, problem, own=True) as store:
        for i in range(3):
            store.add_cycle(asks=[make_ask(i)])
        store.add_evaluation(make_evaluation(1, order=0))
        store.add_evaluation(make_evaluation(0, order=1, outcome="failed"))
        store.add_evaluation(make_evaluation(2, order=2, outcome="impossible"))
        store.add_iteration(make_iteration(0))
        store.save_checkpoint(state, told=3)
        store.log("info", "started")
        store.notes = "Größe – <b>x</b>"
    with SessionStore.open(session_path) as store:
        assert store.writable
        assert store.problem == problem
        assert [a.index for a in store.asks()] == [0, 1, 2]
        assert same(store.asks()[1], make_ask(1))
        assert [e.index for e in store.evaluations()] == [1, 0, 2]
        assert same(store.evaluations()[0], make_evaluation(1, order=0))
        assert same(store.iteration(0), make_iteration(0))
        restored = store.checkpoint()
        assert restored["rng"] == 2**100
        assert restored["none"] is None
        np.testing.assert_array_equal(restored["gp"]["x"], state["gp"]["x"])
        assert restored["gp"]["on"].dtype == np.bool_
        assert store.run_log()[0].text == "started"
        assert store.notes == "Größe – <b>x</b>"
        assert store.origin_machine == machine.machine_id()
        assert store.agreed


def test_light_iterations_leave_out_draws_and_old_ones_are_pruned(session_path, problem, make_iteration):
    with SessionStore.create(session_path, problem, own=True) as store:
        for i in range(6):
            store.add_iteration(make_iteration(i))
        assert all(r.draws is None and not r.slices for r in store.iterations())
        assert [r.draws is not None for r in store.iterations(bulky=True)] == [False] * 3 + [True] * 3
        assert same(store.last_iteration(), make_iteration(5))
        assert store.iteration(77) is None


def test_the_same_ask_is_never_evaluated_twice(session_path, problem, make_evaluation):
    with SessionStore.create(session_path, problem, own=True) as store:
        store.add_evaluation(make_evaluation(0))
        with pytest.raises(SessionError, match="already"):
            store.add_evaluation(make_evaluation(0, order=1))
        assert len(store.evaluations()) == 1


def test_ten_thousand_evaluations_are_read_back_whole(session_path, problem, make_evaluation):
    from bayescope.engine.session import rows

    with SessionStore.create(session_path, problem, own=True) as store, store._writing() as connection:
        many = [rows.evaluation_row(make_evaluation(i)) for i in range(10_000)]
        connection.executemany(f"INSERT INTO evaluations VALUES ({','.join('?' * 16)})", many)
    with SessionStore.open(session_path) as store:
        found = store.evaluations()
    assert len(found) == 10_000
    assert found[-1].values["a"] == pytest.approx(10.999)


def test_a_flipped_byte_in_an_evaluation_is_noticed(session_path, problem, make_evaluation):
    with SessionStore.create(session_path, problem, own=True) as store:
        for i in range(5):
            store.add_evaluation(make_evaluation(i))
    connection = sqlite3.connect(session_path)
    connection.execute("UPDATE evaluations SET log_target = log_target + 1 WHERE idx = 3")
    connection.commit()
    connection.close()
    with SessionStore.open(session_path) as store, pytest.raises(DamagedSession, match="checksum"):
        store.evaluations()


def test_a_damaged_checkpoint_falls_back_to_the_one_before(session_path, problem):
    with SessionStore.create(session_path, problem, own=True) as store:
        store.save_checkpoint({"n": 1}, told=1)
        store.save_checkpoint({"n": 2}, told=2)
        store.save_checkpoint({"n": 3}, told=3)
    connection = sqlite3.connect(session_path)
    assert connection.execute("SELECT count(*) FROM checkpoints").fetchone()[0] == 2
    connection.execute("UPDATE checkpoints SET state = x'00ff' WHERE id = 3")
    connection.commit()
    connection.close()
    with SessionStore.open(session_path) as store:
        assert store.checkpoint() == {"n": 2}
        assert "Checkpoint 3" in store.damage[0]


def test_the_problem_is_fixed_once_a_run_has_started_but_the_budget_may_grow(
    session_path, problem, make_ask, make_evaluation
):
    with SessionStore.create(session_path, problem, own=True) as store:
        renamed = msgspec.structs.replace(problem, parameters=problem.parameters[:1])
        store.save_problem(renamed)
        store.save_problem(problem)
        store.add_cycle(asks=[make_ask(0)])
        store.add_evaluation(make_evaluation(0))
        with pytest.raises(SessionError, match="cannot be changed"):
            store.save_problem(renamed)
        with pytest.raises(SessionError, match="cannot be changed"):
            store.save_problem(msgspec.structs.replace(problem, settings=Settings(seed=5)))
        store.save_problem(msgspec.structs.replace(problem, settings=Settings(max_evaluations=999, workers=4)))
        assert store.reload_problem().settings.max_evaluations == 999


def test_texts_beside_placeholders_may_change_with_the_runs_kept_where_the_user_says_so(
    session_path, problem, make_ask, make_evaluation
):
    def with_text(text: str) -> Problem:
        template = TemplateFile(target="deck.inp", text=text)
        return msgspec.structs.replace(problem, simulator=msgspec.structs.replace(problem.simulator, templates=(template,)))

    before, after = with_text("tol 1e-4\na @a@\nb @b@\n"), with_text("tol 1e-6\na @a@  ! a remark\nb @b@\n")
    with SessionStore.create(session_path, before, own=True) as store:
        store.save_problem(after, keeps_runs=True)
        assert kept_over_of(store) == [], "no run was made with the text before"
        store.save_problem(before)
        store.add_cycle(asks=[make_ask(0)])
        store.add_evaluation(make_evaluation(0))
        with pytest.raises(SessionError, match="cannot be changed"):
            store.save_problem(after)
        for other in ("tol 1e-4\na @b@\nb @a@\n", "tol 1e-4\na @a@\nb 2.0\n"):
            with pytest.raises(SessionError, match="cannot be changed"):
                store.save_problem(with_text(other), keeps_runs=True)
        store.save_problem(after, keeps_runs=True)
        store.save_problem(before, keeps_runs=True)
        assert store.evaluation_count == 1
        assert store.permit() is not None, "what the user changed is still the user's own"
        said = "The text of “deck.inp” was changed by hand after 1 run; it was kept, as it was said to change no result."
        assert [change.sentence for change in kept_over_of(store)] == [said]
        assert [entry.text for entry in store.run_log()] == [said, said]


def test_arguments_standard_input_and_fixed_files_may_change_with_the_runs_kept(session_path, problem, make_ask, make_evaluation):
    def called(**changes: object) -> Problem:
        return msgspec.structs.replace(problem, simulator=msgspec.structs.replace(problem.simulator, **changes))

    before = called(command=("/bin/model", "--a", "@a@", "--tol", "1e-4"), stdin="b @b@\n")
    with SessionStore.create(session_path, before, own=True) as store:
        store.add_cycle(asks=[make_ask(0)])
        store.add_evaluation(make_evaluation(0))
        same = {"command": before.simulator.command, "stdin": before.simulator.stdin}
        commands, texts = (("/bin/model", "--a", "1.0"), ("/bin/model", "@b@")), ("b 2\n", None)
        for other in (*({"command": c} for c in commands), *({"stdin": t} for t in texts)):
            with pytest.raises(SessionError, match="cannot be changed"):
                store.save_problem(called(**same | other), keeps_runs=True)
        store.save_problem(called(command=("/opt/model", "-a", "@a@"), stdin="b @b@ ! m\n"), keeps_runs=True)
        mesh = (ExtraFile(path="/data/mesh.msh"),)
        store.save_problem(called(command=("/opt/model", "-a", "@a@"), stdin="b @b@ ! m\n", extra_files=mesh), keeps_runs=True)
        assert store.evaluation_count == 1
        assert [change.sentence for change in kept_over_of(store)] == [
            "The program's path, the arguments, the standard input and the fixed input files were changed by hand after 1 run; "
            "the run was kept, as it was said to change no result."
        ]


def test_a_problem_with_an_infinity_is_refused_before_anything_is_written(session_path, problem):
    wrong = msgspec.structs.replace(
        problem, parameters=(msgspec.structs.replace(problem.parameters[0], upper=float("inf")), problem.parameters[1])
    )
    with pytest.raises(SessionError):
        SessionStore.create(session_path, wrong, own=True)
    assert list(session_path.parent.iterdir()) == []


def test_creating_never_overwrites_a_file(session_path, problem):
    session_path.write_text("precious")
    with pytest.raises(SessionError, match="already"):
        SessionStore.create(session_path, problem, own=True)
    assert session_path.read_text() == "precious"


@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\x00" + b"\x00" * 200, os.urandom(5000)])
def test_a_file_that_is_no_session_is_refused_in_words_and_left_alone(tmp_path, content):
    path = tmp_path / "x.bayescope"
    path.write_bytes(content)
    with pytest.raises(NotASession) as caught:
        SessionStore.open(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == content
    assert [p.name for p in tmp_path.iterdir()] == ["x.bayescope"]


def test_a_missing_file_and_a_folder_are_refused_in_words(tmp_path):
    with pytest.raises(SessionError, match="no such file"):
        SessionStore.open(tmp_path / "none.bayescope")
    with pytest.raises(SessionError):
        SessionStore.open(tmp_path)


def test_a_session_of_a_newer_version_is_refused_in_words(session_path, problem):
    SessionStore.create(session_path, problem, own=True).close()
    connection = sqlite3.connect(session_path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = session_path.read_bytes()
    with pytest.raises(NewerSession, match="newer version"):
        SessionStore.open(session_path)
    assert session_path.read_bytes() == before


def test_a_trigger_or_view_in_the_file_is_refused(session_path, problem):
    SessionStore.create(session_path, problem, own=True).close()
    connection = sqlite3.connect(session_path)
    connection.execute("CREATE TRIGGER t AFTER INSERT ON asks BEGIN DELETE FROM evaluations; END")
    connection.close()
    with pytest.raises(DamagedSession, match="should not hold"):
        SessionStore.open(session_path)


def test_a_second_writer_in_this_process_reads_only_and_says_so(session_path, problem, make_evaluation):
    with SessionStore.create(session_path, problem, own=True) as first, SessionStore.open(session_path) as second:
        assert first.writable
        assert not second.writable
        assert "in use" in second.read_only_reason
        first.add_evaluation(make_evaluation(0))
        assert len(second.evaluations()) == 1
        with pytest.raises(ReadOnlySession):
            second.add_evaluation(make_evaluation(1))
    with SessionStore.open(session_path) as third:
        assert third.writable
    assert not session_path.with_name(session_path.name + ".lock").exists()


HOLD = """
import sys
from bayescope.engine.session.store import SessionStore
store = SessionStore.open(sys.argv[1], role=sys.argv[2])
print("writable" if store.writable else store.read_only_reason, flush=True)
sys.stdin.readline()
store.close()
"""


def _holder(path: Path, role: str = "window") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), role], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def test_of_two_windows_only_one_writes_and_a_killed_one_leaves_no_lock(session_path, problem):
    SessionStore.create(session_path, problem, own=True).close()
    first = _holder(session_path)
    assert first.stdout.readline().strip() == "writable"
    second = _holder(session_path)
    said = second.stdout.readline()
    assert "in use by another window" in said
    assert str(first.pid) in said
    second.communicate("\n")
    first.kill()
    first.wait()
    assert session_path.with_name(session_path.name + ".lock").exists()
    third = _holder(session_path)
    assert third.stdout.readline().strip() == "writable"
    third.communicate("\n")


def test_the_engine_child_of_the_window_that_holds_the_lock_may_write(session_path, problem):
    with SessionStore.create(session_path, problem, own=True) as store:
        child = _holder(session_path, role="engine")
        assert child.stdout.readline().strip() == "writable"
        for role in ("engine", "window"):  # another window's engine; a window opened from this one
            sibling = _holder(session_path, role)
            assert "in use" in sibling.stdout.readline()
            sibling.communicate("\n")
        child.communicate("\n")
        store.log("info", "the window still writes")


def test_a_lock_from_another_computer_counts(session_path, problem, monkeypatch):
    SessionStore.create(session_path, problem, own=True).close()
    lock = session_path.with_name(session_path.name + ".lock")
    lock.write_text('[{"pid":1,"started":"x","machine":"ffff","host":"lab-server","since":1.7e9,"role":"window"}]')
    with SessionStore.open(session_path) as store:
        assert not store.writable
        assert "lab-server" in store.read_only_reason


@pytest.mark.parametrize("left", [b"", b"\0" * 40, b'[{"pid":123,"sta', b"\xff{["])
def test_garbage_in_the_lock_file_does_not_lock_anybody_out(session_path, problem, left):
    SessionStore.create(session_path, problem, own=True).close()
    session_path.with_name(session_path.name + ".lock").write_bytes(left)
    with SessionStore.open(session_path) as store:
        assert store.writable


def test_the_lock_of_a_session_without_our_suffix_is_no_other_programs_file(tmp_path, problem):
    SessionStore.create(tmp_path / "a.bayescope", problem, own=True).close()
    (tmp_path / "a.bayescope").rename(tmp_path / "poetry")
    other = tmp_path / "poetry.lock"
    other.write_bytes(b"# This file is generated by Poetry\n")
    with SessionStore.open(tmp_path / "poetry") as store:
        assert store.writable
        assert (tmp_path / "poetry.bayescope.lock").exists()
    assert other.read_bytes() == b"# This file is generated by Poetry\n"


@pytest.mark.parametrize("mode", ["write", "read"])
def test_a_file_of_the_users_that_has_the_journals_name_is_left_as_it_is(tmp_path, problem, mode):
    SessionStore.create(tmp_path / "a.bayescope", problem, own=True).close()
    (tmp_path / "a.bayescope").rename(tmp_path / "lab")
    (tmp_path / "lab-journal").write_bytes(b"Monday: the sample broke\n")
    with pytest.raises(DamagedSession, match="no journal"):
        SessionStore.open(tmp_path / "lab", mode=mode)
    assert (tmp_path / "lab-journal").read_bytes() == b"Monday: the sample broke\n"


def test_run_folders_of_a_session_that_was_renamed_are_set_aside_by_a_new_one(tmp_path, problem):
    SessionStore.create(tmp_path / "a.bayescope", problem, own=True).close()
    (tmp_path / "a.runs" / "00003").mkdir(parents=True)
    (tmp_path / "a.runs" / "00003" / "notes.txt").write_text("mine")
    (tmp_path / "a.bayescope").rename(tmp_path / "b.bayescope")
    SessionStore.create(tmp_path / "a.bayescope", problem, own=True).close()
    assert not (tmp_path / "a.runs").exists()
    (kept,) = tmp_path.glob("a.runs.*.old/00003/notes.txt")
    assert kept.read_text() == "mine"


def test_commands_of_a_session_from_elsewhere_are_not_trusted_until_approved(
    session_path, problem, monkeypatch, tmp_path
):
    SessionStore.create(session_path, problem, own=True).close()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "another-users-data"))
    with SessionStore.open(session_path) as store:
        assert not store.agreed
        store.save_problem(msgspec.structs.replace(problem, name="edited"))
        assert not store.agreed
        store.agree()
        assert store.agreed


def test_an_approval_does_not_cover_commands_that_somebody_changed_since(session_path, problem):
    SessionStore.create(session_path, problem, own=True).close()
    evil = msgspec.structs.replace(
        problem, simulator=msgspec.structs.replace(problem.simulator, command=("rm", "-rf", "x"))
    )
    from bayescope.engine.session import codec

    content = msgspec.json.encode(evil)
    connection = sqlite3.connect(session_path)
    connection.execute(
        "UPDATE meta SET value = ?, crc = ? WHERE key = 'problem'", (content, codec.checksum("problem", content))
    )
    connection.commit()
    connection.close()
    with SessionStore.open(session_path) as store:
        assert store.origin_machine == machine.machine_id()
        assert not store.agreed


def test_signing_works_where_the_home_folder_cannot_be_written(monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", "/proc/nowhere")
    signature = machine.sign(b"x")
    assert machine.is_signed(b"x", signature)
    assert not machine.is_signed(b"y", signature)
    assert not machine.is_signed(b"x", "ü")


def test_a_deleted_file_is_noticed_and_its_content_rescued(session_path, problem, make_evaluation):
    with SessionStore.create(session_path, problem, own=True) as store:
        store.add_evaluation(make_evaluation(0))
        session_path.unlink()
        with pytest.raises(SessionError, match="was copied to") as caught:
            store.add_evaluation(make_evaluation(1))
    assert "moved, deleted or replaced" in str(caught.value)
    rescued = next(session_path.parent.glob("*rescued*.bayescope"))
    with SessionStore.open(rescued) as store:
        assert len(store.evaluations()) == 1


def test_writing_from_many_threads_loses_nothing(session_path, problem, make_evaluation):
    with SessionStore.create(session_path, problem, own=True) as store:
        threads = [
            threading.Thread(target=lambda k=k: [store.add_evaluation(make_evaluation(10 * k + j)) for j in range(10)])
            for k in range(4)
        ]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert store.evaluation_count == 40


def test_a_crash_inside_a_write_leaves_the_last_committed_state(session_path, problem, make_evaluation):
    code = """
import os, sys
from bayescope.engine.session.store import SessionStore
store = SessionStore.open(sys.argv[1])
with store._writing() as c:
    c.execute("PRAGMA cache_size = 1")
    c.execute("DELETE FROM evaluations")
    c.execute("INSERT INTO run_log (at, level, text) VALUES (0, 'x', ?)", ("y" * 3_000_000,))
    os._exit(9)
"""
    with SessionStore.create(session_path, problem, own=True) as store:
        for i in range(20):
            store.add_evaluation(make_evaluation(i))
    assert subprocess.run([sys.executable, "-c", code, str(session_path)]).returncode == 9
    assert session_path.with_name(session_path.name + "-journal").exists()
    with SessionStore.open(session_path) as store:
        assert store.evaluation_count == 20
        assert store.run_log() == []


def test_names_with_any_characters_work(tmp_path, problem):
    path = tmp_path / "a%20b?mode=memory&x#y 'ü'.bayescope"
    with SessionStore.create(path, problem, own=True) as store:
        store.log("info", "x")
    with SessionStore.open(path) as store:
        assert store.run_log()[0].text == "x"
        assert store.runs_folder.name.endswith("'ü'.runs")


def test_a_record_that_cannot_be_stored_is_refused_in_words(session_path, problem, make_evaluation):
    with SessionStore.create(session_path, problem, own=True) as store:
        wrong = replace(make_evaluation(0), outputs={"x": np.array([object()])})
        with pytest.raises(SessionError, match="cannot be saved"):
            store.add_evaluation(wrong)
        assert store.evaluations() == []


def test_failed_runs_alone_do_not_keep_a_faulty_declaration(session_path, problem, make_ask, make_evaluation):
    with SessionStore.create(session_path, problem, own=True) as store:
        store.add_cycle(asks=[make_ask(0)])
        store.add_evaluation(make_evaluation(0, outcome="failed"))
        store.save_checkpoint({"n": 1})
        mended = msgspec.structs.replace(
            problem, simulator=msgspec.structs.replace(problem.simulator, command=("false",))
        )
        store.save_problem(mended)
        assert not store.has_started
        assert store.evaluations() == []
        assert store.checkpoint() is None
        assert store.problem == mended


def test_a_journal_that_goes_while_it_is_looked_at_is_another_processs_write_that_has_ended(tmp_path, problem, monkeypatch):
    from bayescope.engine.session import beside

    path = tmp_path / "a.bayescope"
    SessionStore.create(path, problem, own=True).close()
    real = beside.names_a_super_journal

    def late(journal):
        journal.unlink()
        return real(journal)

    monkeypatch.setattr(beside, "names_a_super_journal", late)
    beside.journal_of(path).write_bytes(bytes(100))
    with SessionStore.open(path, mode="read") as store:
        assert store.problem == problem
