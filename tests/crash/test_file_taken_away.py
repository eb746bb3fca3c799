"""The session file is taken away under a running engine: whatever had ended is in a copy, in order, and that goes on."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from crash_kit import EVALUATIONS, Engine, Tally, answer, check, finish, hear, report, small_problem

from bayescope.engine.problem.definition import Problem
from bayescope.engine.session.store import SessionStore
from bayescope.engine.simulator.limits import MIN_FREE_MB

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and files that can be moved while open")


def rescued(folders: list[Path], tally: Tally) -> Path:
    found = [f for folder in folders for f in folder.glob("*rescued*.bayescope")]
    assert len(found) == 1
    check(found[0], tally)
    return found[0]


def test_a_session_replaced_in_mid_run_is_told_rescued_and_what_replaced_it_left_alone(engine, tmp_path):
    path, other, tally = tmp_path / "mine.bayescope", tmp_path / "other.bayescope", Tally(faults=1)
    SessionStore.create(path, small_problem(), own=True).close()
    SessionStore.create(other, small_problem(workers=3), own=True).close()
    content = other.read_bytes()
    process = engine(path, "--hold", str(tmp_path / "go"))
    hear(process, "ACK", 4, tally)
    os.replace(other, path)
    (tmp_path / "go").touch()
    words = finish(process, tally)
    assert "moved, deleted or replaced" in words
    assert "was copied to" in words
    assert path.read_bytes() == content
    found = rescued([tmp_path], tally)
    assert "END budget" in finish(engine(found), tally)
    check(found, tally)
    answer(found)
    report("file replaced", tally)


@pytest.mark.parametrize("how", ["deleted", "unmounted"])
def test_a_folder_that_goes_away_in_mid_run_is_told_and_its_session_rescued(engine, home, tmp_path, how):
    folder, tally = tmp_path / "stick", Tally(faults=1)
    folder.mkdir()
    if (
        how == "unmounted"
        and subprocess.run(["mount", "-t", "tmpfs", "none", str(folder)], capture_output=True).returncode
    ):
        pytest.skip("mounting is not allowed here")
    path = folder / "gone.bayescope"
    SessionStore.create(path, small_problem(), own=True).close()
    process = engine(path, "--hold", str(tmp_path / "go"))
    hear(process, "ACK", 4, tally)
    if how == "unmounted":
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
    else:
        folder.rename(tmp_path / "moved")
        shutil.rmtree(tmp_path / "moved")
    (tmp_path / "go").touch()
    assert "was copied to" in finish(process, tally)
    found = rescued([folder, home / "rescued"], tally)
    assert "END budget" in finish(engine(found), tally)
    answer(found)
    report(f"folder {how}", tally)
    found.unlink()


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux' capabilities")
def test_permission_taken_away_in_mid_run_makes_the_run_wait_and_nothing_is_lost(engine, tmp_path):
    folder, tally = tmp_path / "shared", Tally(faults=1)
    folder.mkdir()
    path = folder / "shared.bayescope"
    SessionStore.create(path, small_problem(), own=True).close()
    process = engine(path, "--plain", "1", "--patient", "1", "--hold", str(tmp_path / "go"))
    hear(process, "ACK", 4, tally)
    os.chmod(folder, 0o555)
    (tmp_path / "go").touch()
    assert "not saved yet" in hear(process, "REPORT", 1, tally)
    os.chmod(folder, 0o755)
    assert "END budget" in finish(process, tally)
    check(path, tally)
    with SessionStore.open(path, mode="read") as store:
        assert sorted(e.index for e in store.evaluations()) == list(range(EVALUATIONS))
    report("permission taken away", tally)


# ------------------------------------------------------------------ what had ended but was not saved yet


def marking_problem(marks: Path, workers: int, evaluations: int = EVALUATIONS) -> Problem:
    """Its program's last deed is a line with its values in ``marks``: what has ended."""
    code = (
        "import os, sys, time; a, b = map(float, sys.argv[1:]); time.sleep(0.02 + 0.03 * (abs(a) % 1))\n"
        "print(-0.5 * (a * a + (b - a) ** 2), flush=True)\n"
        f"os.write(os.open({str(marks)!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT), f'{{a}} {{b}}\\n'.encode())"
    )
    problem = small_problem(workers, evaluations)
    command = (sys.executable, "-I", "-S", "-c", code, "@a@", "@b@")
    return msgspec.structs.replace(problem, simulator=msgspec.structs.replace(problem.simulator, command=command))


def ended(marks: Path) -> int:
    """Points whose run has ended; the second run of the first one, which shows that the program is exact, is no evaluation."""
    return len(set(marks.read_text().splitlines())) if marks.exists() else 0


def settle(process: Engine, marks: Path, tally: Tally) -> None:
    """Until the engine holds, and the runs that were under way have ended."""
    hear(process, "ACK 3", 1, tally)
    before = -1
    while before != ended(marks):
        before = ended(marks)
        time.sleep(0.3)


def take_away(path: Path, how: str) -> Path | None:
    """Where the file is now, if it is anywhere."""
    if how == "deleted":
        path.unlink()
        return None
    if how == "replaced":
        other = path.with_name("other")
        shutil.copyfile(path, other)
        os.replace(other, path)
        return None
    return path.rename(path.with_name("moved-away.bayescope"))


def kept(found: Path) -> int:
    with SessionStore.open(found, mode="read") as store:
        evaluations, asked = store.evaluations(), {ask.index for ask in store.asks()}
    assert [e.order for e in evaluations] == list(range(len(evaluations)))
    assert {e.index for e in evaluations} <= asked
    assert [e.reason for e in evaluations if e.outcome != "ok"] == []
    return len(evaluations)


def test_taken_away_at_twelve_random_moments_every_run_that_ended_is_kept_and_the_copy_goes_on(engine, tmp_path):
    rng, tally = random.Random(5), Tally()
    figures = []
    for k in range(12):
        folder, marks = tmp_path / str(k), tmp_path / f"marks{k}"
        folder.mkdir()
        path, workers = folder / "run.bayescope", rng.choice((1, 2, 3, 8))
        SessionStore.create(path, marking_problem(marks, workers), own=True).close()
        process = engine(path)
        hear(process, "ACK", rng.randrange(1, 6), tally)
        time.sleep(0.08 * rng.random())
        now = take_away(path, ("moved", "deleted", "replaced")[k % 3])
        words = finish(process, tally)
        copies = list(folder.glob("*rescued*.bayescope"))
        if not copies:  # the run was over before it was noticed
            assert "END budget" in words
            assert now is None or kept(now) == ended(marks)
            continue
        assert len(copies) == 1, words
        assert "was copied to" in words
        figures.append((ended(marks), kept(copies[0])))
        assert figures[-1][0] == figures[-1][1], (k, workers, words)
        tally.faults += 1
        if k % 4 == 0:
            assert "END budget" in finish(engine(copies[0]), Tally())
            answer(copies[0])
    print("ended and kept:", figures)
    assert len(figures) >= 6


def test_what_waits_to_be_saved_is_in_the_copy_even_if_the_engine_is_killed_then(engine, tmp_path):
    path, marks, tally = tmp_path / "run.bayescope", tmp_path / "marks", Tally(faults=1)
    SessionStore.create(path, marking_problem(marks, 1), own=True).close()
    process = engine(path, "--patient", "1", "--hold", str(tmp_path / "go"))
    settle(process, marks, tally)
    path.rename(tmp_path / "elsewhere")
    (tmp_path / "go").touch()
    hear(process, "REPORT", 1, tally)
    deadline = time.monotonic() + 20
    while kept(rescued([tmp_path], tally)) < ended(marks) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    finish(process, tally)
    found = rescued([tmp_path], tally)
    assert kept(found) == ended(marks) >= 4
    assert "END budget" in finish(engine(found), tally)
    answer(found)


def test_a_file_that_comes_back_is_gone_on_with_and_lost_again_is_copied_anew(engine, tmp_path):
    path, marks, tally = tmp_path / "run.bayescope", tmp_path / "marks", Tally(faults=2)
    SessionStore.create(path, marking_problem(marks, 2, evaluations=40), own=True).close()
    process = engine(path, "--patient", "1")
    for _ in range(2):
        hear(process, "ACK", 3, tally)
        away = path.rename(tmp_path / "away")
        hear(process, "REPORT The session's file was moved", 1, tally)
        away.rename(path)
        hear(process, "REPORT The session can be written again", 1, tally)
    assert "END budget" in finish(process, tally)
    check(path, tally)
    assert kept(path) == ended(marks) == 40
    assert len(list(tmp_path.glob("*rescued*"))) == 2
    report("file moved away and back", tally)


# ------------------------------------------------------------------ no room beside the session


@contextlib.contextmanager
def writable_by_nobody(*folders: Path):
    """For engines that gave up their capabilities (``--plain``)."""
    for folder in folders:
        folder.chmod(0o555)
    try:
        yield
    finally:
        for folder in folders:
            folder.chmod(0o755)


@contextlib.contextmanager
def small_disk(folder: Path):
    """With a little more than the room that is left free for runs."""
    folder.mkdir()
    size = f"size={MIN_FREE_MB + 20:.0f}m"
    if subprocess.run(["mount", "-t", "tmpfs", "-o", size, "none", str(folder)], capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> None:
    with (folder / "junk").open("wb", buffering=0) as junk:
        for block in (2**20, 4096):
            with contextlib.suppress(OSError):
                while junk.write(bytes(block)) == block:
                    pass


def named_in(words: str) -> Path:
    return Path(words.split("A copy with everything in it is ")[1].split(": continue with that file")[0])


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux' capabilities")
@pytest.mark.parametrize("closed", [1, 2])
def test_where_the_folder_cannot_be_written_the_copy_goes_to_the_next_place_and_the_words_say_where(
    engine, home, scratch, tmp_path, closed
):
    folder, marks, tally = tmp_path / "shared", tmp_path / "marks", Tally(faults=1)
    folder.mkdir()
    shutil.rmtree(home / "rescued", ignore_errors=True)
    path = folder / "run.bayescope"
    SessionStore.create(path, marking_problem(marks, 2), own=True).close()
    process = engine(path, "--plain", "1", "--hold", str(tmp_path / "go"))
    settle(process, marks, tally)
    path.rename(folder / "elsewhere")
    with writable_by_nobody(*(folder, home)[:closed]):
        (tmp_path / "go").touch()
        words = finish(process, tally)
    found = rescued([folder, home / "rescued", scratch], tally)
    assert found.parent == (home / "rescued", scratch)[closed - 1]
    assert str(found) in words
    assert named_in(words) == found
    assert kept(found) == ended(marks) >= 4
    assert "END budget" in finish(engine(found), tally)
    answer(found)
    found.unlink()


def test_where_the_disk_is_full_the_copy_goes_to_the_next_place_and_leaves_no_part_of_one(engine, home, tmp_path):
    marks, tally = tmp_path / "marks", Tally(faults=1)
    shutil.rmtree(home / "rescued", ignore_errors=True)
    with small_disk(tmp_path / "stick") as folder:
        path = folder / "run.bayescope"
        SessionStore.create(path, marking_problem(marks, 2), own=True).close()
        process = engine(path, "--hold", str(tmp_path / "go"))
        settle(process, marks, tally)
        path.rename(folder / "elsewhere")
        fill(folder)
        (tmp_path / "go").touch()
        words = finish(process, tally)
        left = {f.name for f in folder.iterdir()}
    assert left <= {"elsewhere", "junk", "run.bayescope.lock"}
    found = rescued([home / "rescued"], tally)
    assert str(found) in words
    assert kept(found) == ended(marks) >= 4
    found.unlink()


@pytest.mark.loops
def test_a_run_stopped_while_the_disk_is_full_keeps_in_a_copy_what_the_session_could_not_take(engine, home, tmp_path):
    marks, tally = tmp_path / "marks", Tally(faults=1)
    shutil.rmtree(home / "rescued", ignore_errors=True)
    with small_disk(tmp_path / "stick") as folder:
        path = folder / "run.bayescope"
        SessionStore.create(path, marking_problem(marks, 3), own=True).close()
        process = engine(path, "--hold", str(tmp_path / "go"))
        settle(process, marks, tally)
        fill(folder)
        (tmp_path / "go").touch()
        words = finish(process, tally)
        assert kept(path) < ended(marks)  # the session itself is whole, and can be gone on with as well
    found = rescued([home / "rescued"], tally)
    assert named_in(words) == found
    assert kept(found) == ended(marks) > 4
    assert "END budget" in finish(engine(found), tally)
    answer(found)
    found.unlink()
