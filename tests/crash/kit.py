"""Engines that are killed, and what is counted then. Loaded by its path: tests are no package."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

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


def answer(path: Path) -> tuple[np.ndarray, np.ndarray]:
    with SessionStore.open(path, mode="read") as store:
        found = sorted(store.evaluations(), key=lambda e: e.index)
        assert [e.index for e in found] == list(range(EVALUATIONS))
        return np.array([e.u for e in found]), store.last_iteration().means


def hear(process: Engine, word: str, count: int, tally: Tally) -> str:
    """Read on until ``count`` lines began with ``word``; the last of them."""
    while count and (line := process.stdout.readline()):
        count -= line.startswith(word)
        if line.startswith("ACK"):
            tally.acknowledged.add(int(line.split()[1]))
    assert count == 0, process.communicate()[1]
    return line


def report(what: str, tally: Tally) -> None:
    print(
        f"{what}: {tally.faults} faults injected, all survived, {tally.lost} evaluations lost, {tally.repeated} repeated"
    )
    assert tally.lost == 0
    assert tally.repeated == 0
