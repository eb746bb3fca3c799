"""Real engine processes, started as the window starts them, and a small real program for them to run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

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
from bayescope.engine.session import orphans
from engines import Engine, tagged_left

PROGRAM = (
    "import sys, time\na, b = float(sys.argv[1]), float(sys.argv[2])\n{extra}\nprint(-0.5 * (a * a + (b - a) ** 2))\n"
)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("BAYESCOPE_HOME", str(folder))
    return folder


@pytest.fixture
def start_engine(home: Path) -> Iterator[Callable[..., Engine]]:
    made: list[Engine] = []

    def start(own_home: Path = home) -> Engine:
        made.append(Engine(own_home))
        return made[-1]

    yield start
    for engine in made:
        engine.process.kill()
        engine.process.wait()
        orphans.end_tagged(engine.id)


@pytest.fixture
def left_alive() -> Callable[..., list[int]]:
    return tagged_left


@pytest.fixture
def make_problem() -> Callable[..., Problem]:
    def make(extra: str = "", evaluations: int = 10, workers: int = 2) -> Problem:
        return Problem(
            name="small",
            parameters=(
                Parameter(name="a", prior=Normal(mean=0.0, sd=2.0)),
                Parameter(name="b", prior=Normal(mean=0.0, sd=2.0)),
            ),
            simulator=Simulator(command=(sys.executable, "-I", "-S", "-c", PROGRAM.format(extra=extra), "@a@", "@b@")),
            outputs=(Output(name="logl", source="stdout", extractor=LastNumber()),),
            meaning=LogLikelihoodOutput(output="logl"),
            settings=Settings(max_evaluations=evaluations, workers=workers, seed=3),
        )

    return make


@pytest.fixture
def session_path(tmp_path: Path) -> Path:
    return tmp_path / "small.bayescope"
