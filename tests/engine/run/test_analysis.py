"""Whole small analyses with real processes: what is recorded, announced, resumed, and how they end."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from bayescope.engine import protocol as p
from bayescope.engine.answer.failures.set_aside import set_aside, set_aside_of
from bayescope.engine.methods.loops import make_loop
from bayescope.engine.problem.definition import FailureRules
from bayescope.engine.run.analysis import Analysis
from bayescope.engine.run.control import Control
from bayescope.engine.session.records import AskRecord
from bayescope.engine.session.store import SessionStore


class Run:
    """An analysis in a thread of its own, with everything it said."""

    def __init__(self, store, loop_of, **arguments) -> None:
        self.said: list[p.Event] = []
        self.control = Control()
        self.analysis = Analysis(store, control=self.control, observer=lambda m: self.hear(m), loop_of=loop_of, **arguments)
        self.heard = threading.Condition()
        self.ended = None
        self.thread = threading.Thread(target=self._run, daemon=True)  # else one that a failed test leaves keeps pytest alive

    def _run(self) -> None:
        self.ended = self.analysis.run()

    def hear(self, message) -> None:
        with self.heard:
            self.said.append(message)
            self.heard.notify_all()

    def start(self):
        self.thread.start()
        return self

    def wait_for(self, condition, timeout=30.0) -> None:
        with self.heard:
            assert self.heard.wait_for(condition, timeout), self.said[-5:]

    def finish(self):
        self.thread.join(60)
        assert not self.thread.is_alive()
        return self.ended

    def of(self, kind):
        return [m for m in self.said if isinstance(m, kind)]


def points(store):
    return np.array([e.u for e in sorted(store.evaluations(), key=lambda e: e.index)])


def test_a_run_uses_its_budget_and_everything_is_in_the_session(session_path, make_problem, tiny_loop):
    with SessionStore.create(session_path, make_problem(evaluations=14, workers=2), own=True) as store:
        run = Run(store, tiny_loop).start()
        ended = run.finish()
        assert ended.outcome == "budget"
        assert "14 runs" in ended.words
        evaluations = store.evaluations()
        assert len(evaluations) == 14
        assert sorted(e.index for e in evaluations) == list(range(14))
        assert [e.order for e in evaluations] == list(range(14))
        e = evaluations[3]
        a, b = e.values["a"], e.values["b"]
        assert e.log_likelihood == pytest.approx(-0.5 * ((a - 1.2) / 0.3) ** 2 - 0.5 * ((b - a) / 0.5) ** 2)
        space = run.analysis.space
        assert e.log_target == pytest.approx(e.log_likelihood + space.log_prior_in_inference(e.u))
        assert e.log_prior == pytest.approx(space.log_prior(space.to_user(e.u)))
        assert store.last_iteration().n_evaluations == 14
        assert store.checkpoint()["told"] == 14
        assert len(run.of(p.EvaluationDone)) == len(run.of(p.EvaluationStarted)) == 14
        assert run.of(p.SnapshotReady)[-1].iteration == store.last_iteration().iteration
        assert run.of(p.Progress)[-1].evaluations == 14
        assert [m.state for m in run.of(p.StateChanged)][-1] == "finished"
        assert not store.runs_folder.exists() or list(store.runs_folder.iterdir()) == []


def test_an_evaluation_is_in_the_file_before_it_is_announced(session_path, make_problem, tiny_loop):
    with SessionStore.create(session_path, make_problem(evaluations=6, workers=2), own=True) as store:
        missing = []
        run = Run(store, tiny_loop)

        def hear(message):
            if isinstance(message, p.EvaluationDone):
                with SessionStore.open(session_path, mode="read") as reader:
                    if message.index not in {e.index for e in reader.evaluations()}:
                        missing.append(message.index)

        run.hear = hear
        run.start().finish()
        assert missing == []


def test_failed_runs_are_outcomes_with_reasons_and_the_analysis_goes_on(session_path, make_problem, tiny_loop):
    problem = make_problem("if a < 0.7: sys.exit('too cold')", evaluations=14)
    with SessionStore.create(session_path, problem, own=True) as store:
        ended = Run(store, tiny_loop).start().finish()
        assert ended.outcome == "budget"
        failed = [e for e in store.evaluations() if e.outcome == "failed"]
        assert failed
        assert all("too cold" in e.reason and e.log_target is None for e in failed)
        assert all((store.runs_folder / e.run_folder).is_dir() for e in failed)
        assert f"{len(failed)} of them failed" in ended.words


def test_a_likelihood_of_minus_infinity_is_an_impossible_point_not_a_number(session_path, make_problem, tiny_loop):
    rules = FailureRules(non_finite=False)
    problem = make_problem("if a < 0.7: print('-inf'); sys.exit()", evaluations=12, failures=rules)
    with SessionStore.create(session_path, problem, own=True) as store:
        Run(store, tiny_loop).start().finish()
        low = [(e.outcome, e.reason) for e in store.evaluations() if e.values["a"] < 0.7]
        assert low
        assert all(outcome == "impossible" and "minus infinity" in reason for outcome, reason in low)


def test_when_every_run_fails_the_analysis_ends_with_a_sentence(session_path, make_problem, tiny_loop):
    with SessionStore.create(session_path, make_problem("sys.exit('licence expired')", evaluations=50), own=True) as store:
        ended = Run(store, tiny_loop).start().finish()
        assert ended.outcome == "failed"
        assert "None of the first 10 runs" in ended.words
        assert "licence expired" in ended.words
        assert store.evaluation_count <= 11


def test_a_missing_program_ends_the_run_early_in_words(session_path, make_problem, tiny_loop):
    import msgspec

    problem = make_problem(evaluations=50)
    broken = msgspec.structs.replace(
        problem, simulator=msgspec.structs.replace(problem.simulator, command=("/nowhere/solver", "@a@", "@b@"))
    )
    with SessionStore.create(session_path, broken, own=True) as store:
        ended = Run(store, tiny_loop).start().finish()
        assert ended.outcome == "failed"
        assert "/nowhere/solver" in ended.words
        assert store.evaluation_count <= 4
        store.save_problem(problem)  # nothing usable was lost: the declaration may be mended and the run begins anew
        assert Run(store, tiny_loop, max_evaluations=10).start().finish().outcome == "budget"
        assert {e.outcome for e in store.evaluations()} == {"ok"}


def test_pause_starts_nothing_new_until_continue(session_path, make_problem, tiny_loop):
    with SessionStore.create(session_path, make_problem(evaluations=12, workers=2), own=True) as store:
        run = Run(store, tiny_loop).start()
        run.wait_for(lambda: len(run.of(p.EvaluationDone)) >= 3)
        run.control.pause()
        run.wait_for(lambda: any(m.state == "paused" for m in run.of(p.StateChanged)))
        done = store.evaluation_count
        started = len(run.of(p.EvaluationStarted))
        time.sleep(0.4)
        assert store.evaluation_count == done
        assert len(run.of(p.EvaluationStarted)) == started
        run.control.go_on()
        assert run.finish().outcome == "budget"
        assert store.evaluation_count == 12


@pytest.mark.parametrize("kill", [False, True])
def test_stop_is_obeyed_while_the_loop_computes_and_the_run_can_go_on(session_path, make_problem, tiny_loop, kill):
    working, release = threading.Event(), threading.Event()

    def slow_loop(method, settings):
        loop = tiny_loop(method, settings)
        loop.slow = lambda: (working.set(), release.wait(60)) if len(loop.m["told"]) == 9 else None
        return loop

    with SessionStore.create(session_path, make_problem(evaluations=12), own=True) as store:
        run = Run(store, slow_loop).start()
        assert working.wait(30)
        run.control.stop(kill)
        assert run.finish().outcome == "stopped"
        release.set()
        done = store.evaluation_count
        assert 9 <= done <= 10
        assert Run(store, tiny_loop).start().finish().outcome == "budget"
        assert sorted(e.index for e in store.evaluations()) == list(range(12))


def test_stop_lets_runs_under_way_finish_and_kill_forgets_them(session_path, make_problem, tiny_loop):
    with SessionStore.create(session_path, make_problem("time.sleep(0.5)", evaluations=12, workers=2), own=True) as store:
        run = Run(store, tiny_loop).start()
        run.wait_for(lambda: len(run.of(p.EvaluationStarted)) == 2)
        run.control.stop()
        run.finish()
        assert store.evaluation_count == 2
        run = Run(store, tiny_loop).start()
        run.wait_for(lambda: len(run.of(p.EvaluationStarted)) == 2)
        began = time.monotonic()
        run.control.stop(kill=True)
        run.finish()
        assert time.monotonic() - began < 10
        assert store.evaluation_count == 2
        assert len(store.asks()) == 4


def test_a_stopped_and_resumed_run_equals_one_that_was_never_stopped(tmp_path, make_problem, tiny_loop):
    problem = make_problem(evaluations=15)
    with SessionStore.create(tmp_path / "whole.bayescope", problem, own=True) as store:
        Run(store, tiny_loop).start().finish()
        whole, answer = points(store), store.last_iteration()
    with SessionStore.create(tmp_path / "parts.bayescope", problem, own=True) as store:
        elapsed = 0.0
        for stop_at in (2, 9, 12):
            run = Run(store, tiny_loop).start()
            run.wait_for(lambda run=run, n=stop_at: store.evaluation_count >= n)
            run.control.stop(kill=stop_at == 9)
            run.finish()
            told = [m.elapsed_s for m in run.of(p.Progress)]
            assert elapsed <= told[0] <= told[-1] <= store.elapsed_s
            elapsed = store.elapsed_s
        assert Run(store, tiny_loop).start().finish().outcome == "budget"
        np.testing.assert_array_equal(points(store), whole)
        np.testing.assert_array_equal(store.last_iteration().means, answer.means)
        assert store.last_iteration().iteration == answer.iteration


def test_without_its_checkpoint_a_run_is_rebuilt_from_journal_and_evaluations(tmp_path, make_problem, tiny_loop):
    problem = make_problem(evaluations=13)
    with SessionStore.create(tmp_path / "whole.bayescope", problem, own=True) as store:
        Run(store, tiny_loop).start().finish()
        whole = points(store)
    with SessionStore.create(tmp_path / "parts.bayescope", problem, own=True) as store:
        Run(store, tiny_loop, max_evaluations=10).start().finish()
        with store._writing() as connection:
            connection.execute("DELETE FROM checkpoints")
        Run(store, tiny_loop, max_evaluations=13).start().finish()
        np.testing.assert_array_equal(points(store), whole)
        assert any("rebuilt" in entry.text for entry in store.run_log())
        assert store.last_iteration().n_evaluations == 13


def test_runs_to_be_made_again_begin_while_the_method_still_learns_from_the_others(session_path, make_problem, tiny_loop):
    ended = threading.Event()
    waited = []

    def slow_loop(method, settings):
        loop = tiny_loop(method, settings)
        loop.slow = lambda: waited.append(ended.wait(30))
        return loop

    with SessionStore.create(session_path, make_problem(evaluations=10, workers=2), own=True) as store:
        Run(store, tiny_loop).start().finish()
        with store._writing() as connection:
            connection.execute("DELETE FROM checkpoints")
            connection.execute("DELETE FROM evaluations WHERE ord = 9")
        run = Run(store, slow_loop)
        hear = run.hear
        run.hear = lambda m: (hear(m), ended.set() if isinstance(m, p.EvaluationDone) else None)
        assert run.start().finish().outcome == "budget"
        assert all(waited)
        assert sorted(e.index for e in store.evaluations()) == list(range(10))
        assert sorted(e.order for e in store.evaluations()) == list(range(10))
        assert store.last_iteration().n_evaluations == 10
        said = [m.activity for m in run.of(p.Progress)]
        assert any(words.startswith("Learning again from the runs there are: ") for words in said)


def test_a_budget_can_be_raised_while_running_and_afterwards(session_path, make_problem, tiny_loop):
    with SessionStore.create(session_path, make_problem("time.sleep(0.1)", evaluations=10), own=True) as store:
        run = Run(store, tiny_loop).start()
        run.wait_for(lambda: len(run.of(p.EvaluationDone)) >= 4)
        run.control.extend(11)
        assert run.finish().outcome == "budget"
        assert store.evaluation_count == 11
        assert Run(store, tiny_loop, max_evaluations=13).start().finish().outcome == "budget"
        assert store.evaluation_count == 13
        assert Run(store, tiny_loop, max_evaluations=13).start().finish().outcome == "budget"
        assert store.evaluation_count == 13


def under_way(run):
    """Runs under way now, as told so far."""
    return len(run.of(p.EvaluationStarted)) - len(run.of(p.EvaluationDone))


@pytest.mark.parametrize("paused", [False, True], ids=["running", "paused"])
def test_the_number_of_runs_at_a_time_is_changed_at_once(session_path, make_problem, tiny_loop, paused):
    with SessionStore.create(session_path, make_problem("time.sleep(0.3)", evaluations=60), own=True) as store:
        run = Run(store, tiny_loop, workers=1).start()
        run.wait_for(lambda: len(run.of(p.EvaluationDone)) >= 2)
        assert under_way(run) <= 1
        if paused:
            run.control.pause()
            run.wait_for(lambda: run.of(p.StateChanged)[-1].state == "paused")
        run.control.set_workers(4)
        if paused:
            run.wait_for(lambda: run.of(p.Progress)[-1].workers == 4)
            assert under_way(run) == 0
            run.control.go_on()
        run.wait_for(lambda: under_way(run) == 4)
        run.wait_for(lambda: store.reload_problem().settings.workers == 4)
        run.control.set_workers(1)
        run.wait_for(lambda: run.of(p.Progress)[-1].workers == 1)
        run.wait_for(lambda: under_way(run) <= 1)
        seen = len(run.said)
        run.wait_for(lambda: len([m for m in run.said[seen:] if isinstance(m, p.EvaluationDone)]) >= 3)
        assert max(m.running for m in run.said[seen:] if isinstance(m, p.Progress)) <= 1
        run.control.stop(kill=True)
        assert run.finish().outcome == "stopped"
    with SessionStore.open(session_path, mode="read") as store:
        assert store.problem.settings.workers == 1, "kept for the next start"


def test_what_is_changed_during_a_pause_is_kept_when_the_run_is_stopped_there(session_path, make_problem, tiny_loop):
    with SessionStore.create(session_path, make_problem("time.sleep(0.1)", evaluations=30), own=True) as store:
        run = Run(store, tiny_loop, workers=1).start()
        run.wait_for(lambda: len(run.of(p.EvaluationDone)) >= 2)
        run.control.pause()
        run.wait_for(lambda: run.of(p.StateChanged)[-1].state == "paused")
        run.control.set_workers(3)
        run.control.extend(50)
        run.control.stop()
        assert run.finish().outcome == "stopped"
    with SessionStore.open(session_path, mode="read") as store:
        assert (store.problem.settings.workers, store.problem.settings.max_evaluations) == (3, 50)


def test_runs_that_a_crash_left_open_are_made_again_no_more_at_a_time_than_allowed(
    session_path, make_problem, tiny_loop
):
    with SessionStore.create(session_path, make_problem("time.sleep(0.2)", evaluations=12), own=True) as store:
        run = Run(store, tiny_loop, workers=6).start()
        run.wait_for(lambda: under_way(run) >= 4)
        run.control.stop(kill=True)
        run.finish()
        again = Run(store, tiny_loop, workers=2).start()
        again.wait_for(lambda: len(again.of(p.EvaluationDone)) >= 4)
        again.control.stop(kill=True)
        again.finish()
        assert max(m.running for m in again.of(p.Progress)) <= 2


def test_many_workers_run_side_by_side_and_nothing_is_asked_twice(session_path, make_problem, tiny_loop):
    with SessionStore.create(session_path, make_problem(evaluations=30, workers=8), own=True) as store:
        run = Run(store, tiny_loop).start()
        assert run.finish().outcome == "budget"
        assert sorted(e.index for e in store.evaluations()) == list(range(30))
        assert max(m.running for m in run.of(p.Progress)) > 1


def test_the_time_limit_ends_a_run_in_good_order(session_path, make_problem, changed, tiny_loop):
    problem = changed(make_problem("time.sleep(0.2)", evaluations=500), max_hours=0.6 / 3600)
    with SessionStore.create(session_path, problem, own=True) as store:
        ended = Run(store, tiny_loop).start().finish()
        assert ended.outcome == "time"
        assert 0 < store.evaluation_count < 500


def test_commands_from_elsewhere_are_not_run(session_path, make_problem, tiny_loop, monkeypatch, tmp_path):
    SessionStore.create(session_path, make_problem(), own=True).close()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
    with SessionStore.open(session_path) as store:
        run = Run(store, tiny_loop).start()
        assert run.finish().outcome == "failed"
        assert "agree" in run.ended.words
        assert store.asks() == []


def test_a_fault_of_the_method_is_told_and_nothing_is_lost(session_path, make_problem, tiny_loop):
    def faulty(method, settings):
        loop = tiny_loop(method, settings)

        def slow():
            if len(loop.m["told"]) == 9:
                raise np.linalg.LinAlgError("matrix is singular")

        loop.slow = slow
        return loop

    with SessionStore.create(session_path, make_problem(evaluations=12), own=True) as store:
        run = Run(store, faulty).start()
        assert run.finish().outcome == "failed"
        assert "singular" in run.of(p.Report)[0].what
        assert "Traceback" in run.of(p.Report)[0].details
        assert store.evaluation_count >= 9
        assert Run(store, tiny_loop).start().finish().outcome == "budget"


def test_a_session_that_cannot_be_written_makes_the_run_wait_and_then_go_on(
    session_path, make_problem, tiny_loop, monkeypatch
):
    from bayescope.engine.run import durable
    from bayescope.engine.session.errors import SessionError

    monkeypatch.setattr(durable, "SAVE_RETRY_SECONDS", 0.05)
    with SessionStore.create(session_path, make_problem(evaluations=10), own=True) as store:
        real, broken = store.add_evaluation, threading.Event()

        def add(record):
            if broken.is_set():
                raise SessionError("The disk is full", str(session_path), "Free some space.")
            real(record)

        store.add_evaluation = add
        run = Run(store, tiny_loop).start()
        run.wait_for(lambda: len(run.of(p.EvaluationDone)) >= 3)
        broken.set()
        run.wait_for(lambda: bool(run.of(p.Report)))
        assert "not saved yet" in run.of(p.Report)[0].what
        broken.clear()
        assert run.finish().outcome == "budget"
        assert sorted(e.index for e in store.evaluations()) == list(range(10))


def test_after_a_crash_the_next_start_says_what_is_saved_and_never_nags_otherwise(
    session_path, make_problem, tiny_loop
):
    with SessionStore.create(session_path, make_problem(evaluations=5), own=True) as store:
        assert store.interrupted_words == ""
        Run(store, tiny_loop).start().finish()
        assert store.interrupted_words == ""
        store.note_run(True)  # what a killed engine leaves
        store.add_cycle(asks=[AskRecord(5, np.zeros(2), told_before=5)])
        words = store.interrupted_words
        assert "All 5 finished simulator runs are saved" in words
        assert "One that was under way" in words
        store.note_run(False)
        assert store.interrupted_words == ""


def test_a_crash_that_lost_nothing_is_not_mentioned(session_path, make_problem, tiny_loop):
    with SessionStore.create(session_path, make_problem(evaluations=3), own=True) as store:
        store.note_run(True)  # killed before the first point was chosen
        assert store.interrupted_words == ""
        Run(store, tiny_loop).start().finish()
        store.note_run(True)  # killed after the last one was saved
        assert store.interrupted_words == ""


def test_two_analyses_at_once_do_not_disturb_each_other(tmp_path, make_problem, tiny_loop):
    problem = make_problem(evaluations=10)
    stores = [SessionStore.create(tmp_path / f"{k}.bayescope", problem, own=True) for k in range(2)]
    runs = [Run(store, tiny_loop).start() for store in stores]
    assert [run.finish().outcome for run in runs] == ["budget", "budget"]
    np.testing.assert_array_equal(points(stores[0]), points(stores[1]))
    for store in stores:
        store.close()


def test_a_moved_session_goes_on_where_it_stopped(tmp_path, make_problem, tiny_loop):
    with SessionStore.create(tmp_path / "here.bayescope", make_problem(evaluations=12), own=True) as store:
        Run(store, tiny_loop, max_evaluations=6).start().finish()
    (tmp_path / "other").mkdir()
    (tmp_path / "here.bayescope").rename(tmp_path / "other" / "there.bayescope")
    with SessionStore.open(tmp_path / "other" / "there.bayescope") as store:
        assert Run(store, tiny_loop, max_evaluations=9).start().finish().outcome == "budget"
        assert store.evaluation_count == 9


def test_a_session_deleted_in_mid_run_is_told_and_its_content_rescued(
    session_path, make_problem, tiny_loop, monkeypatch
):
    from bayescope.engine.run import durable

    monkeypatch.setattr(durable, "SAVE_RETRY_SECONDS", 0.05)
    with SessionStore.create(session_path, make_problem(evaluations=400), own=True) as store:
        run = Run(store, tiny_loop).start()
        run.wait_for(lambda: len(run.of(p.EvaluationDone)) >= 4)
        session_path.unlink()
        run.wait_for(lambda: bool(run.of(p.Report)))
        run.control.stop()
        ended = run.finish()
        assert ended.outcome == "stopped"
        assert f"Stopped after {len(run.of(p.EvaluationDone))} runs" in ended.words
        assert "was copied to" in run.of(p.Report)[0].suggestion
    rescued = list(session_path.parent.glob("*rescued*.bayescope"))
    assert len(rescued) == 1
    with SessionStore.open(rescued[0], mode="read") as store:
        assert store.evaluation_count >= 4


def test_a_file_that_was_away_only_for_the_moment_after_a_write_does_not_end_the_run(
    session_path, make_problem, tiny_loop, monkeypatch
):
    from bayescope.engine.run import durable

    monkeypatch.setattr(durable, "SAVE_RETRY_SECONDS", 0.05)
    with SessionStore.create(session_path, make_problem(evaluations=8), own=True) as store:
        away, real = session_path.with_name("away"), store._check_still_there
        checks, moments = iter(range(10_000)), []

        def check():
            """Every seventh check finds the file gone, often the one after the commit; then it is back."""
            if next(checks) % 7 == 6:
                session_path.rename(away)
                moments.append(True)
            try:
                real()
            finally:
                if away.exists():
                    away.rename(session_path)

        monkeypatch.setattr(store, "_check_still_there", check)
        run = Run(store, tiny_loop).start()
        assert run.finish().outcome == "budget"
        assert len(moments) > 3
        assert [e.order for e in store.evaluations()] == list(range(8))


def test_what_can_be_written_nowhere_is_said_and_is_run_again(session_path, make_problem, tiny_loop, monkeypatch):
    import tempfile

    from bayescope.engine.run import durable

    monkeypatch.setattr(durable, "SAVE_RETRY_SECONDS", 0.05)
    folder, away = session_path.parent / "here", session_path.parent / "away"
    folder.mkdir()
    blocked = session_path.with_name("a file")
    blocked.touch()
    with SessionStore.create(folder / "run.bayescope", make_problem(evaluations=12), own=True) as store:
        run = Run(store, tiny_loop).start()
        run.wait_for(lambda: len(run.of(p.EvaluationDone)) >= 4)
        monkeypatch.setenv("BAYESCOPE_HOME", str(blocked / "home"))
        monkeypatch.setattr(tempfile, "tempdir", str(blocked))
        folder.rename(away)
        run.wait_for(lambda: bool(run.of(p.Report)))
        run.control.stop()
        ended = run.finish()
        assert ended.outcome == "stopped"
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.delenv("BAYESCOPE_HOME")
    with SessionStore.open(away / "run.bayescope") as store:
        lost = len(store.asks()) - store.evaluation_count
        assert ("could not be written anywhere and must be run again" in ended.words) == (lost > 0)
        assert Run(store, tiny_loop).start().finish().outcome == "budget"
        assert sorted(e.index for e in store.evaluations()) == list(range(12))


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_a_long_run_keeps_memory_and_reference_counts_flat(session_path, make_problem, tiny_loop):
    import gc
    import sys

    import psutil

    def size() -> float:
        gc.collect()
        return psutil.Process().memory_info().rss / 2**20

    with SessionStore.create(session_path, make_problem(evaluations=2000, workers=2), own=True) as store:
        Run(store, tiny_loop, max_evaluations=200).start().finish()
        before, nones = size(), sys.getrefcount(None)
        Run(store, tiny_loop, max_evaluations=1200).start().finish()
        after = size()
        print(f"memory {before:.0f} -> {after:.0f} MB over 1000 evaluations, None {nones} -> {sys.getrefcount(None)}")
        assert after - before < 60
        assert sys.getrefcount(None) > nones - 1000


@pytest.mark.loops
def test_failed_runs_are_made_again_once_the_program_is_mended_and_no_others(session_path, make_problem, tmp_path):
    mended = tmp_path / "mended"
    extra = f"import os\nif a > 1.3 and not os.path.exists({str(mended)!r}): sys.exit(3)"
    with SessionStore.create(session_path, make_problem(extra=extra, evaluations=16, workers=2), own=True) as store:
        Run(store, make_loop).start().finish()
        before = {e.index: e for e in store.evaluations()}
        failed = {i for i, e in before.items() if e.outcome == "failed"}
        assert failed
        mended.touch()
        store.agree()
        assert set_aside(store, failed) == len(failed)
        again = Run(store, make_loop).start()
        assert again.finish().outcome in ("budget", "converged")
        after = {e.index: e for e in store.evaluations()}
        assert [e.order for e in store.evaluations()] == list(range(len(after)))
        assert set(before) <= set(after)
        assert all(after[i].outcome == "ok" and np.array_equal(after[i].u, before[i].u) for i in failed)
        kept = set(before) - failed
        assert all(after[i].started_at == before[i].started_at for i in kept)
        assert {m.index for m in again.of(p.EvaluationDone)} == failed | (set(after) - set(before))
        assert {s.index for s in set_aside_of(store)} == failed
        assert store.last_iteration().diagnostics.get("failed") == 0.0
