"""A small real program, and a tiny honest loop: space-filling design, then draws around the weighted best points."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

from bayescope.engine.loop_interface import Ask, LoopSettings, LoopSnapshot, Mixture, State, Tell
from bayescope.engine.numerics.randomness import generator
from bayescope.engine.problem.definition import (
    LastNumber,
    LogLikelihoodOutput,
    Normal,
    Output,
    Parameter,
    Problem,
    Settings,
    Simulator,
    Uniform,
)

PROGRAM = """
import sys, time
a, b = float(sys.argv[1]), float(sys.argv[2])
{extra}
print(repr(-0.5 * ((a - 1.2) / 0.3) ** 2 - 0.5 * ((b - a) / 0.5) ** 2))
"""


class TinyLoop:
    """Pure function of its settings and the sequence of asks and tells, as the contract demands."""

    def __init__(self, settings: LoopSettings) -> None:
        self.settings = settings
        self.cancel = None
        self.slow = None  # called in update, for tests of commands during long work
        self.design = 4 + 2 * settings.dimension
        self.m: State = {"told": [], "pending": [], "next": 0, "seen": 0, "budget": settings.max_evaluations}

    def ask(self, count: int = 1) -> list[Ask]:
        found = []
        for _ in range(count):
            i = self.m["next"]
            if self.finished or i >= self.m["budget"]:
                break
            rng = generator(self.settings.seed, "tiny", i)
            lower, upper = self.settings.plausible_lower, self.settings.plausible_upper
            if i < self.design or self._moments() is None:
                u, purpose = lower + (upper - lower) * rng.random(len(lower)), "design"
            else:
                mean, cov = self._moments()
                u, purpose = rng.multivariate_normal(mean, cov) + 1e-3 * len(self.m["pending"]), "acquisition"
            self.m["next"] = i + 1
            self.m["pending"].append(i)
            found.append(Ask(i, u, purpose))
        return found

    @property
    def design_left(self) -> int:
        return max(self.design - self.m["next"], 0)

    def tell(self, outcome: Tell) -> None:
        self.m["pending"].remove(outcome.index)
        self.m["told"].append({"index": outcome.index, "u": np.array(outcome.u), "y": outcome.y})

    def _moments(self):
        good = [t for t in self.m["told"] if t["y"] is not None]
        if len(good) < 3:
            return None
        u, y = np.array([t["u"] for t in good]), np.array([t["y"] for t in good])
        w = np.exp((y - y.max()) / 3.0)
        w /= w.sum()
        mean = w @ u
        centered = u - mean
        return mean, (centered * w[:, None]).T @ centered + 1e-3 * np.eye(len(mean))

    def update(self) -> LoopSnapshot | None:
        if self.slow is not None:
            self.slow()
        n = len(self.m["told"])
        if n == self.m["seen"] or n < self.design or self._moments() is None:
            return None
        self.m["seen"] = n
        mean, cov = self._moments()
        best = max(t["y"] for t in self.m["told"] if t["y"] is not None)
        mixture = Mixture(np.ones(1), mean[None], cov[None])
        return LoopSnapshot(
            n, mixture, best, 0.1, best, 0.1, False, ("It never converges.",), activity="Looking around"
        )

    @property
    def finished(self) -> bool:
        return len(self.m["told"]) >= self.m["budget"]

    def extend(self, max_evaluations: int) -> None:
        self.m["budget"] = max(self.m["budget"], max_evaluations)

    def state(self) -> State:
        return {**self.m, "told": [dict(t) for t in self.m["told"]], "pending": list(self.m["pending"])}

    def restore(self, state: State) -> None:
        self.m = state


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture
def tiny_loop() -> Callable[[str, LoopSettings], TinyLoop]:
    return lambda method, settings: TinyLoop(settings)


@pytest.fixture
def make_problem() -> Callable[..., Problem]:
    """A Gaussian target run by a real Python process; ``extra`` is code that runs before it prints."""

    def make(extra: str = "", evaluations: int = 16, workers: int = 1, **simulator) -> Problem:
        code = PROGRAM.format(extra=extra)
        return Problem(
            name="tiny",
            parameters=(
                Parameter(name="a", prior=Uniform(low=0.0, high=2.0), lower=0.0, upper=2.0),
                Parameter(name="b", prior=Normal(mean=0.0, sd=2.0)),
            ),
            simulator=Simulator(command=(sys.executable, "-I", "-S", "-c", code, "@a@", "@b@"), **simulator),
            outputs=(Output(name="logl", source="stdout", extractor=LastNumber()),),
            meaning=LogLikelihoodOutput(output="logl"),
            settings=Settings(max_evaluations=evaluations, workers=workers, seed=3),
        )

    return make


@pytest.fixture
def changed() -> Callable[..., Problem]:
    def change(problem: Problem, **settings) -> Problem:
        return msgspec.structs.replace(problem, settings=msgspec.structs.replace(problem.settings, **settings))

    return change


@pytest.fixture
def session_path(tmp_path: Path) -> Path:
    return tmp_path / "tiny.bayescope"
