"""The engine is killed at random instants and inside every write step: no acknowledged evaluation is lost, none repeated."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from bayescope.engine.problem.definition import (
    LastNumber,
    LogLikelihoodOutput,
    Normal,
    Output,
    Parameter,
    Problem,
    Settings,
    Simulator,
)
from bayescope.engine.session.store import SessionStore

SCRIPT = Path(__file__).with_name("tiny_engine.py")
EVALUATIONS = 12
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")


@dataclass
class Tally:
    """Figures for the end: faults, survived, acknowledged evaluations lost, evaluations repeated."""

    faults: int = 0
    lost: int = 0
    repeated: int = 0
    acknowledged: set[int] = field(default_factory=set)


def small_problem(workers: int = 1, evaluations: int = EVALUATIONS) -> Problem:
    code = "import sys; a, b = map(float, sys.argv[1:]); print(-0.5 * (a * a + (b - a) ** 2))"
    return Problem(
        name="small",
        parameters=tuple(Parameter(name=n, prior=Normal(mean=0.0, sd=2.0)) for n in "ab"),
        simulator=Simulator(command=(sys.executable, "-I", "-S", "-c", code, "@a@", "@b@")),
        outputs=(Output(name="logl", source="stdout", extractor=LastNumber()),),
        meaning=LogLikelihoodOutput(output="logl"),
        settings=Settings(max_evaluations=evaluations, workers=workers, seed=4),
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def _home(home, monkeypatch):
    monkeypatch.setenv("BAYESCOPE_HOME", str(home))  # the engines' too: both sign commands with one key


class Engine:
    """One engine, forked from a prepared process."""

    def __init__(self, server: socket.socket, arguments: list[str]) -> None:
        out, write_out = os.pipe()
        error, write_error = os.pipe()
        socket.send_fds(server, [json.dumps(arguments).encode()], [write_out, write_error])
        os.close(write_out)
        os.close(write_error)
        self._answers = server.makefile("r")
        self.pid = int(self._answers.readline())
        self.stdout = os.fdopen(out)
        self._stderr = os.fdopen(error)
        self.returncode: int | None = None

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):  # it ended meanwhile
            os.kill(self.pid, signal.SIGKILL)

    def communicate(self) -> tuple[str, str]:
        with self.stdout, self._stderr, self._answers:
            said = self.stdout.read(), self._stderr.read()
            self.returncode = int(self._answers.readline())
        return said


Start = Callable[..., Engine]


@pytest.fixture(scope="module")
def server(home):
    """Forks engines on request; see tiny_engine.py."""
    ours, theirs = socket.socketpair()
    environment = {**os.environ, "BAYESCOPE_HOME": str(home), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(SCRIPT), str(theirs.fileno())]
    process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment)
    theirs.close()
    ours.settimeout(60)
    yield ours
    ours.close()
    process.wait(10)


@pytest.fixture
def engine(server) -> Start:
    """Starts an engine on a session."""
    return lambda path, *options: Engine(server, [str(path), *options])


def finish(process: Engine, tally: Tally) -> str:
    out, err = process.communicate()
    for line in out.splitlines(keepends=True):
        if line.startswith("ACK ") and line.endswith("\n"):
            index = int(line.split()[1])
            tally.repeated += index in tally.acknowledged
            tally.acknowledged.add(index)
    assert "Traceback" not in err, err
    return out


def check(path: Path, tally: Tally) -> None:
    """After a fault: the file opens, and holds everything that was ever acknowledged, once."""
    with SessionStore.open(path, mode="read") as store:
        counts = Counter(e.index for e in store.evaluations())
    tally.lost += len(tally.acknowledged - set(counts))
    tally.repeated += sum(n - 1 for n in counts.values())


def whole_run(engine: Start, folder: Path, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    path = folder / "whole.bayescope"
    SessionStore.create(path, problem, own=True).close()
    assert "END budget" in finish(engine(path), Tally())
    return answer(path)


def answer(path: Path) -> tuple[np.ndarray, np.ndarray]:
    with SessionStore.open(path, mode="read") as store:
        found = sorted(store.evaluations(), key=lambda e: e.index)
        assert [e.index for e in found] == list(range(EVALUATIONS))
        return np.array([e.u for e in found]), store.last_iteration().means


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


def report(what: str, tally: Tally) -> None:
    print(
        f"{what}: {tally.faults} faults injected, all survived, {tally.lost} evaluations lost, {tally.repeated} repeated"
    )
    assert tally.lost == 0
    assert tally.repeated == 0


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


def test_with_two_workers_a_killed_and_resumed_run_is_what_its_order_of_arrival_says(engine, tmp_path):
    """Which of two runs ends first is chance; given the recorded order, every point and the answer follow exactly."""
    from bayescope.engine.inference.loops import loop_settings
    from bayescope.engine.inference.one_evaluation import tell_of
    from bayescope.engine.problem.transforms import ParameterSpace

    spec = importlib.util.spec_from_file_location("tiny", SCRIPT.parents[1] / "analysis" / "conftest.py")
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


# ------------------------------------------------------------------ the file is taken away


def hear(process: Engine, word: str, count: int, tally: Tally) -> str:
    """Read on until ``count`` lines began with ``word``; the last of them."""
    while count and (line := process.stdout.readline()):
        count -= line.startswith(word)
        if line.startswith("ACK"):
            tally.acknowledged.add(int(line.split()[1]))
    assert count == 0, process.communicate()[1]
    return line


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
