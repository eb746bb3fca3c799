"""No thread, process or submission starts without an end in words: every start in the engine, and failures injected."""

from __future__ import annotations

import ast
import os
import sys
import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import bayescope.engine
from bayescope.engine import protocol as p
from bayescope.engine.app.worker import Worker
from bayescope.engine.machine.thread_start import NoThread, start_thread
from bayescope.engine.problem import definition as d
from bayescope.engine.run.analysis import Analysis
from bayescope.engine.run.control import Control
from bayescope.engine.session.store import SessionStore
from bayescope.engine.simulator.executors import local_executor
from source_words import has_one_of

ROOT = Path(bayescope.engine.__file__).parent
DIES = "at the start of the engine process: it ends with its log, and the window says that it ended"
STARTS = {  # file: call -> why nobody waits for ever
    "machine/thread_start.py": {"threading.Thread": "the place itself: NoThread, in words"},
    "app/outbox.py": {"threading.Thread": DIES},
    "app/worker.py": {"threading.Thread": DIES},
    "simulator/executors.py": {
        "ThreadPoolExecutor": "all threads are started at once, as many as there is room for",
        "pool.submit": "the place itself: NoThread, in words",
    },
    "clusters/hand_over.py": {"place.submit": "a job of a queue: it gives a number or words"},
    "clusters/shell.py": {"subprocess.Popen": "caught: the place cannot be reached, in words"},
    "archive/apart.py": {"subprocess.run": "caught: the file cannot be read, in words"},
    "cuda/card.py": {"subprocess.run": "caught: the driver is asked through /proc"},
    "cuda/trial.py": {"subprocess.run": "caught: the build is not used, in words"},
    "app/self_test.py": {"subprocess.Popen": "caught: the check has failed, in words"},
    "simulator/guardian.py": {"subprocess.Popen": "caught: the window sweeps as well"},
    "simulator/processes.py": {"subprocess.Popen": "caught by the runner: an outcome with a reason"},
    "session/trust/confinement.py": {"subprocess.run": "caught: there is no sandbox then"},
    "run/one_evaluation.py": {"self.executor.submit": "caught by the collector"},
    "run/replay.py": {"evaluator.submit": "the pool has its threads already"},
    "run/collector.py": {
        "self._evaluator.submit": "caught: tried again while others are under way, else the run ends in words",
    },
}
NAMES = {"Thread", "Timer", "ThreadPoolExecutor", "ProcessPoolExecutor", "Popen", "Process", "submit", "fork", "run_in_executor"}
RUNS = {"subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "os.system", "os.popen"}


def starts(path: Path) -> set[str]:
    found, source = set(), path.read_text(encoding="utf-8")
    if not has_one_of(NAMES | {name.rpartition(".")[2] for name in RUNS}, source):
        return set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            called = ast.unparse(node.func)
            if called.rpartition(".")[2] in NAMES | {"run"} and (called in RUNS or called.rpartition(".")[2] in NAMES):
                found.add(called)
    return {name for name in found if not name.startswith("psutil.")}  # looks at a process, starts none


def test_every_start_of_a_thread_or_process_in_the_engine_has_an_end_in_words() -> None:
    found = {str(path.relative_to(ROOT)): starts(path) for path in sorted(ROOT.rglob("*.py"))}
    assert {file: names for file, names in found.items() if names} == {file: set(why) for file, why in STARTS.items()}


@pytest.fixture
def no_room(monkeypatch: pytest.MonkeyPatch) -> Any:
    """``no_room(names)``: threads whose name begins so cannot be started, from the ``after``-th on."""

    def refuse(names: str, after: int = 0) -> None:
        real, seen = threading.Thread.start, [0]

        def start(self: threading.Thread) -> None:
            if self.name.startswith(names):
                seen[0] += 1
                if seen[0] > after:
                    raise RuntimeError("can't start new thread")
            real(self)

        monkeypatch.setattr(threading.Thread, "start", start)

    return refuse


def test_a_thread_that_cannot_be_started_is_said_in_words(no_room: Any) -> None:
    no_room("busy")
    with pytest.raises(NoThread, match="no room for another thread"):
        start_thread(lambda: None, "busy")


@pytest.mark.parametrize("after", [0, 1, 3])
def test_where_there_is_room_for_no_run_any_more_it_is_said(no_room: Any, after: int) -> None:
    no_room("simulator", after)
    with pytest.raises(NoThread, match="no room for another thread"):
        local_executor(5)


def test_a_pool_has_all_its_threads_before_the_first_run(no_room: Any) -> None:
    pool = local_executor(3)
    no_room("simulator")
    assert [f.result(timeout=10) for f in [pool.submit(pow, 2, k) for k in range(20)]] == [2**k for k in range(20)]
    pool.shutdown()


def test_fewer_threads_than_asked_for_still_work(monkeypatch: pytest.MonkeyPatch) -> None:
    real = threading.Thread.start

    def start(self: threading.Thread) -> None:
        if self.name.startswith("simulator") and sum(t.name.startswith("simulator") for t in threading.enumerate()) >= 2:
            raise RuntimeError("can't start new thread")
        real(self)

    monkeypatch.setattr(threading.Thread, "start", start)
    pool = local_executor(6)
    assert [f.result(timeout=10) for f in [pool.submit(pow, 2, k) for k in range(20)]] == [2**k for k in range(20)]
    pool.shutdown()


# ------------------------------------------------------------------ a run


class Refusing(Executor):
    """Takes runs, but refuses those that ``refuses`` says, by their number from 1 and how many are under way."""

    def __init__(self, refuses: Any, workers: int = 2) -> None:
        self.pool, self.refuses, self.count, self.refused = ThreadPoolExecutor(workers), refuses, 0, 0
        self.taken: list[Future[Any]] = []

    def submit(self, *arguments: Any, **words: Any) -> Any:
        self.count += 1
        if self.refuses(self.count, sum(not f.done() for f in self.taken)):
            self.refused += 1
            raise RuntimeError("cannot schedule new futures")
        self.taken.append(self.pool.submit(*arguments, **words))
        return self.taken[-1]


def session(folder: Path, workers: int = 2) -> Path:
    code = "import sys; print(-0.5 * float(sys.argv[1]) ** 2)"
    problem = d.Problem(
        name="small",
        parameters=(d.Parameter(name="a", prior=d.Normal(mean=0.0, sd=1.0)),),
        simulator=d.Simulator(command=(sys.executable, "-I", "-S", "-c", code, "@a@")),
        outputs=(d.Output(name="logl", source="stdout", extractor=d.LastNumber()),),
        meaning=d.LogLikelihoodOutput(output="logl"),
        settings=d.Settings(max_evaluations=10, workers=workers, options={"stop": False, "final_draws": 2000}),
    )
    path = folder / "small.bayescope"
    SessionStore.create(path, problem, own=True).close()
    return path


def ended(path: Path, said: list[p.Event] | None = None, **arguments: Any) -> p.RunEnded:
    """The end of a run, which must come."""
    results: list[p.RunEnded] = []
    events: list[p.Event] = [] if said is None else said
    with SessionStore.open(path, role="engine") as store:
        analysis = Analysis(store, control=Control(), observer=events.append, **arguments)
        thread = threading.Thread(target=lambda: results.append(analysis.run()), name="test", daemon=True)
        thread.start()
        thread.join(60)
        assert results, "the run hangs"
    return results[0]


@pytest.mark.parametrize("first", [1, 2, 5])
def test_an_executor_that_takes_no_more_runs_ends_the_run_in_words_and_it_can_go_on(tmp_path: Path, first: int) -> None:
    path = session(tmp_path)
    end = ended(path, executor=Refusing(lambda n, under_way: n >= first))
    assert end.outcome == "failed"
    assert "could not be started" in end.words
    assert "cannot schedule new futures" in end.words
    assert ended(path).outcome == "budget"
    with SessionStore.open(path, mode="read") as store:
        assert sorted(e.index for e in store.evaluations()) == list(range(10))


def test_an_executor_that_refuses_now_and_then_is_asked_again_when_there_may_be_room(tmp_path: Path) -> None:
    path, said = session(tmp_path, workers=3), []
    executor = Refusing(lambda n, under_way: under_way >= 2, workers=3)  # it has room for two of the three
    end = ended(path, said, executor=executor)
    assert end.outcome == "budget"
    assert executor.refused > 0
    reports = [m for m in said if isinstance(m, p.Report)]
    assert len(reports) == 1
    assert "tried again" in reports[0].suggestion
    with SessionStore.open(path, mode="read") as store:
        assert sorted(e.index for e in store.evaluations()) == list(range(10))


@pytest.mark.parametrize("name", ["simulator", "collector", "inference"])
def test_a_run_without_room_for_its_threads_ends_in_words(tmp_path: Path, no_room: Any, name: str) -> None:
    path = session(tmp_path)
    no_room(name)
    end = ended(path)
    assert end.outcome == "failed"
    assert "no room for another thread" in end.words
    with SessionStore.open(path, mode="read") as store:
        assert store.interrupted_words == ""


# ------------------------------------------------------------------ the engine process


@pytest.mark.parametrize(
    ("name", "command", "answer"),
    [
        ("analysis", p.StartRun(session="x.bayescope"), p.RunEnded),
        ("beside", p.TrialRun(problem_json=b"{}", values={}, folder="."), p.TrialRunResult),
        ("beside", p.NoiseCheck(problem_json=b"{}", values={}, folder="."), p.NoiseCheckResult),
        ("beside", p.CheckArchive(problem_json=b"{}", rows=(), meaning="log_likelihood", folder="."), p.ArchiveChecked),
        ("beside", p.Replay(session="x.bayescope", runs=1), p.ReplayDone),
        ("comparison", p.Compare(session="x.bayescope", method="mcmc"), p.BaselineFailed),
        ("study of sensitivities", p.Study(session="x.bayescope"), p.StudyDone),
    ],
)
def test_work_that_gets_no_thread_is_answered_in_words(no_room: Any, name: str, command: Any, answer: type) -> None:
    read, write = os.pipe()
    worker = Worker(write, os.open(os.devnull, os.O_RDONLY))
    no_room(name)
    worker._obey(command)
    worker._end()
    os.close(write)
    reader, events = p.FrameReader(), []
    with os.fdopen(read, "rb") as frames:
        for envelope in reader.feed(frames.read()):
            events.append(envelope.message)
    (found,) = [e for e in events if isinstance(e, answer)]
    assert "no room for another thread" in repr(found)


def test_a_command_that_gets_no_thread_says_so(tmp_path: Path, no_room: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from bayescope.engine.app import cli

    path = session(tmp_path)
    no_room("analysis")
    assert cli.main(["run", str(path)]) == cli.FAILED
    assert "no room for another thread" in capsys.readouterr().err
