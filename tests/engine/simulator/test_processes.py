"""Nothing outlives the engine, however it ends."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bayescope.engine.problem.definition import Limits, Simulator
from bayescope.engine.session import orphans

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

ENGINE = """
    import sys
    from pathlib import Path
    from bayescope.engine.problem.definition import Simulator
    from bayescope.engine.session.trust.consent import permit_for, sign
    from bayescope.engine.simulator.runner import run_once
    folder, simulator = Path(sys.argv[1]), Simulator(command=("sh", "-c", sys.argv[2]))
    permit = permit_for(sign(simulator, folder), simulator, folder)
    run_once(simulator, (), {}, permit=permit, folder=folder / "run", base=folder, seed=0)
"""
HOLD = "setsid sleep 1000 & sleep 1000 & touch started; sleep 1000"


def wait_for(condition: Callable[[], Any], seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def start_engine(folder: Path, engine_id: str, script: str = HOLD) -> subprocess.Popen[bytes]:
    environment = {**os.environ, orphans.ENGINE_VARIABLE: engine_id}
    command = [sys.executable, "-c", textwrap.dedent(ENGINE), str(folder), script]
    return subprocess.Popen(command, env=environment)


def test_simulators_die_when_the_engine_is_killed(tmp_path: Path) -> None:
    engine_id = orphans.new_engine_id()
    engine = start_engine(tmp_path, engine_id)
    assert wait_for(lambda: (tmp_path / "run" / "started").exists())
    assert len(orphans.tagged(engine_id)) >= 3
    engine.kill()
    engine.wait()
    assert wait_for(lambda: not orphans.tagged(engine_id), 5.0)


def test_the_window_can_sweep_up_if_engine_and_guardian_are_both_gone(tmp_path: Path) -> None:
    engine_id = orphans.new_engine_id()
    engine = start_engine(tmp_path, engine_id)
    assert wait_for(lambda: (tmp_path / "run" / "started").exists())
    for child in orphans.children_of(engine.pid):
        if b"orphans.py" in Path(f"/proc/{child}/cmdline").read_bytes():
            os.kill(child, signal.SIGKILL)
    engine.kill()
    engine.wait()
    assert orphans.end_tagged(engine_id) >= 3
    assert orphans.tagged(engine_id) == []


def test_ending_what_is_tagged_ends_every_run_of_this_process(script: Any, run: Any) -> None:
    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(run, ("sh", "-c", HOLD)) for _ in range(2)]
        assert wait_for(lambda: len(orphans.tagged(orphans.engine_id())) >= 6)
        assert orphans.end_tagged(orphans.engine_id()) >= 6
        results = [future.result(timeout=10) for future in futures]
    assert all(r.outcome == "failed" and "SIGKILL" in r.reason for r in results)


def test_the_guardian_is_replaced_if_it_is_gone(run: Any) -> None:
    run(("echo", "1"))
    from bayescope.engine.simulator.guardian import guardian

    first = guardian._process
    assert first is not None
    first.kill()
    first.wait()
    assert run(("echo", "1")).outcome == "ok"
    assert guardian._process is not None
    assert guardian._process.poll() is None


def test_two_hundred_runs_leave_no_zombies_and_no_open_files(run: Any) -> None:
    run(("echo", "1"))
    files = len(os.listdir("/proc/self/fd"))
    for _ in range(40):
        assert run(("sh", "-c", "setsid true & echo 1")).outcome == "ok"
    wait_for(lambda: not _zombies(), 2.0)
    run(("echo", "1"))
    assert _zombies() == []
    assert len(os.listdir("/proc/self/fd")) <= files


def _zombies() -> list[int]:
    session = os.getsid(0)
    stats = {pid: orphans.stat_of(pid) for pid in orphans.children_of()}
    return [pid for pid, stat in stats.items() if stat is not None and stat[0] == "Z" and stat[3] != session]


def test_parallel_runs_do_not_end_each_others_processes(run: Any) -> None:
    stop = threading.Event()

    def quick() -> None:
        while not stop.is_set():
            run(("sh", "-c", "setsid true & echo 1"))

    thread = threading.Thread(target=quick)
    thread.start()
    try:
        result = run(("sh", "-c", "setsid sh -c 'sleep 0.8; echo late > late.txt' & sleep 1.2; cat late.txt; echo 9"))
    finally:
        stop.set()
        thread.join()
    assert result.outputs["y"].tolist() == [9.0]
    assert "late" in result.stdout_tail


@pytest.fixture
def _no_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS: no /proc, no pidfd, no adopted orphans that are known as such."""
    run_platform = importlib.import_module("bayescope.engine.simulator.platform_posix")
    monkeypatch.setattr(orphans, "_HAS_PROC", False)
    monkeypatch.setattr(run_platform, "_LINUX", False)


@pytest.mark.usefixtures("_no_proc")
@pytest.mark.parametrize("command", [HOLD, "setsid sleep 1000 & echo 4", "sleep 1000 & echo 4"])
def test_without_proc_the_portable_ways_end_everything_too(run: Any, command: str) -> None:
    result = run(("sh", "-c", command), time_limit=1.0)
    assert result.outcome == ("failed" if command is HOLD else "ok")
    assert orphans.tagged(orphans.engine_id()) == []


@pytest.mark.usefixtures("_no_proc")
def test_without_proc_memory_is_still_watched(script: Any, run: Any) -> None:
    greedy = "import time\nx = bytearray(200_000_000)\nfor i in range(0, len(x), 4096): x[i] = 1\ntime.sleep(100)"
    result = run(Simulator(command=script(greedy), limits=Limits(memory_mb=100.0, time_s=20.0)))
    assert "memory" in result.reason


def test_runs_that_start_at_the_same_time_never_share_a_control_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of two to end would kill the other."""
    monkeypatch.setattr(orphans, "groups_folder", lambda: str(tmp_path))
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            groups = list(pool.map(lambda _: orphans.new_group(), range(1200)))
    finally:
        sys.setswitchinterval(before)
    assert len(set(groups)) == 1200
    assert all(Path(group).is_dir() for group in groups)


def test_what_a_run_imports_is_compiled_once_though_the_environment_forbids_compiled_files(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    (tmp_path / "library.py").write_text("PLACE = __cached__\n")
    (tmp_path / "model.py").write_text("import os, library\nprint(library.PLACE)\nprint(int(os.path.exists(library.PLACE)))\n")
    first = run((sys.executable, str(tmp_path / "model.py")))
    assert (first.outcome, first.stdout_tail.split()[-1]) == ("ok", "1"), first.reason
    assert not (tmp_path / "__pycache__").exists(), "nothing is left beside the script"
