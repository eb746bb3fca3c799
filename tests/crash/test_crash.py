"""The engine is killed at random instants and inside every write step: no acknowledged evaluation is lost, none repeated."""

from __future__ import annotations

import importlib.util
import random
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from crash_kit import SCRIPT, Start, Tally, answer, check, finish, hear, report, small_problem

from bayescope.engine.problem.definition import Problem
from bayescope.engine.session.store import SessionStore

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")


def whole_run(engine: Start, folder: Path, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    path = folder / "whole.bayescope"
    SessionStore.create(path, problem, own=True).close()
    assert "END budget" in finish(engine(path), Tally())
    return answer(path)


def kill_at_random(engine: Start, folder: Path, instants: int, seed: int) -> Tally:
    """Whole runs, killed again and again until ``instants`` kills; each must end equal to the undisturbed run."""
    rng, tally, k = random.Random(seed), Tally(), 0
    expected = whole_run(engine, folder, small_problem())
    while tally.faults < instants:
        k += 1
        path = folder / f"killed{k}.bayescope"
        SessionStore.create(path, small_problem(), own=True).close()
        tally.acknowledged.clear()
        for _ in range(60):
            process = engine(path)
            if tally.faults < instants:
                after, seen = rng.randrange(4), 0
                while seen < after and (line := process.stdout.readline()):
                    seen += line.startswith("ACK")
                    if line.startswith("ACK"):
                        tally.acknowledged.add(int(line.split()[1]))
                time.sleep(rng.random() * (0.4 if after == 0 else 0.08))
                process.kill()
            out = finish(process, tally)
            if process.returncode == -9:
                tally.faults += 1
                check(path, tally)
            elif "END" in out:
                break
        got = answer(path)
        np.testing.assert_array_equal(got[0], expected[0])
        np.testing.assert_array_equal(got[1], expected[1])
    return tally


def kill_inside_writes(engine: Start, folder: Path, every: int) -> Tally:
    """Kill just before every ``every``-th SQL statement of a run, then let it finish."""
    problem, tally = small_problem(), Tally()
    expected = whole_run(engine, folder, problem)
    path = folder / "count.bayescope"
    SessionStore.create(path, problem, own=True).close()
    statements = int(finish(engine(path), Tally()).split("STATEMENTS ")[1])
    for n in range(1, statements, every):
        path = folder / f"step{n}.bayescope"
        SessionStore.create(path, problem, own=True).close()
        tally.acknowledged.clear()
        process = engine(path, "--die-at", str(n))
        finish(process, tally)
        assert process.returncode == -9
        tally.faults += 1
        check(path, tally)
        assert "END budget" in finish(engine(path), tally)
        got = answer(path)
        np.testing.assert_array_equal(got[0], expected[0])
        np.testing.assert_array_equal(got[1], expected[1])
    return tally


def test_killed_at_random_instants_nothing_acknowledged_is_lost_and_the_result_is_the_same(engine, tmp_path):
    report("SIGKILL at random instants", kill_at_random(engine, tmp_path, 10, seed=1))


def test_killed_inside_a_write_nothing_is_lost_and_the_result_is_the_same(engine, tmp_path):
    report("SIGKILL inside writes", kill_inside_writes(engine, tmp_path, every=37))


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_two_hundred_random_kills(engine, tmp_path):
    report("SIGKILL at random instants", kill_at_random(engine, tmp_path, 200, seed=2))


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_killed_before_every_statement(engine, tmp_path):
    report("SIGKILL inside writes", kill_inside_writes(engine, tmp_path, every=1))


def test_a_full_disk_at_any_write_is_told_and_loses_nothing(engine, tmp_path):
    """A limit on file size stands in for the full disk: the write fails half-way, the run waits, then is stopped."""
    path = tmp_path / "full.bayescope"
    SessionStore.create(path, small_problem(), own=True).close()
    tally = Tally()
    size = path.stat().st_size
    for extra in (0, 2_000, 4_096, 12_000, 30_000):
        out = finish(engine(path, "--limit", str(size + extra)), tally)
        assert "END" in out
        tally.faults += "REPORT" in out
        check(path, tally)
    assert tally.faults >= 2
    assert "END budget" in finish(engine(path), tally)
    check(path, tally)
    answer(path)
    report("disk full", tally)


# ------------------------------------------------------------------ several workers


@pytest.mark.loops
def test_with_two_workers_a_killed_and_resumed_run_is_what_its_order_of_arrival_says(engine, tmp_path):
    """Which of two runs ends first is chance; given the recorded order, every point and the answer follow exactly."""
    from bayescope.engine.methods.loops import loop_settings
    from bayescope.engine.problem.transforms import ParameterSpace
    from bayescope.engine.run.one_evaluation import tell_of

    spec = importlib.util.spec_from_file_location("tiny", SCRIPT.parents[1] / "engine" / "run" / "conftest.py")
    tiny = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tiny)
    problem, tally, rng = small_problem(workers=2, evaluations=24), Tally(), random.Random(3)
    path = tmp_path / "two.bayescope"
    SessionStore.create(path, problem, own=True).close()
    for acknowledged in (1, 4, 4):
        process = engine(path)
        hear(process, "ACK", acknowledged, tally)
        time.sleep(0.05 * rng.random())
        process.kill()
        finish(process, tally)
        assert process.returncode == -9
        tally.faults += 1
        check(path, tally)
    assert "END budget" in finish(engine(path), tally)
    with SessionStore.open(path, mode="read") as store:
        asks, arrived, last = store.asks(), store.evaluations(), store.last_iteration()
    assert [e.order for e in arrived] == list(range(24))
    loop, told = tiny.TinyLoop(loop_settings(problem, ParameterSpace(problem.parameters), 24, 2, None)), 0
    for ask in asks:
        for evaluation in arrived[told : ask.told_before]:
            loop.tell(tell_of(evaluation))
        told = ask.told_before
        again = loop.ask(1)[0]
        assert again.index == ask.index
        np.testing.assert_array_equal(again.u, ask.u)
    for evaluation in arrived[told:]:
        loop.tell(tell_of(evaluation))
    np.testing.assert_array_equal(loop.update().mixture.means, last.means)
    report("SIGKILL with two workers", tally)
