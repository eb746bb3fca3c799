"""Small programs made on the spot, and a way to run them."""

from __future__ import annotations

import contextlib
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from bayescope.engine.problem.definition import LastNumber, Limits, Output, Simulator
from bayescope.engine.session import orphans
from bayescope.engine.simulator import runner
from bayescope.engine.simulator.run_result import RunResult
from bayescope.engine.simulator.runner import run_once
from consents import agreed

Run = Callable[..., RunResult]


@pytest.fixture(autouse=True)
def _short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "GRACE_S", 0.2)


@pytest.fixture(autouse=True)
def _no_simulator_is_left() -> Iterator[None]:
    yield
    deadline = time.monotonic() + 5.0
    while orphans.tagged(orphans.engine_id()) and time.monotonic() < deadline:
        time.sleep(0.02)
    left = []
    for pid in orphans.tagged(orphans.engine_id()):
        with contextlib.suppress(psutil.NoSuchProcess):  # it ended meanwhile
            left.append(psutil.Process(pid).cmdline())
    assert left == [], f"left running: {left}"


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], tuple[str, ...]]:
    """A command that runs this Python text."""
    count = iter(range(1000))

    def make(text: str) -> tuple[str, ...]:
        path = tmp_path / f"script{next(count)}.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return (sys.executable, "-I", "-S", str(path))

    return make


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a command or Simulator; by default its last number is read from stdout."""
    count = iter(range(1000))

    def go(
        what: Simulator | tuple[str, ...],
        outputs: tuple[Output, ...] | None = None,
        values: dict[str, float] | None = None,
        **options: Any,
    ) -> RunResult:
        limits = Limits(time_s=20.0)
        simulator = what if isinstance(what, Simulator) else Simulator(command=what, limits=limits)
        spec = (Output(name="y", source="stdout", extractor=LastNumber()),) if outputs is None else outputs
        chosen = {"folder": tmp_path / "runs" / f"run {next(count)} ü", "base": tmp_path, "seed": 3} | options
        return run_once(simulator, spec, values or {}, permit=agreed(simulator, tmp_path), **chosen)

    return go
