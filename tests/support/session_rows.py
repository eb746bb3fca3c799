"""A small problem and rows to fill sessions with."""

from __future__ import annotations

from collections.abc import Callable
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
    Simulator,
    Uniform,
)
from bayescope.engine.session.records import AskRecord, EvaluationRecord, IterationRecord


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The signing key and rescued copies go to a scratch home."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))


@pytest.fixture
def problem() -> Problem:
    return Problem(
        name="two numbers",
        parameters=(
            Parameter(name="a", prior=Uniform(low=0.0, high=2.0), lower=0.0, upper=2.0),
            Parameter(name="b", prior=Normal(mean=0.0, sd=1.0)),
        ),
        simulator=Simulator(command=("true", "@a@", "@b@")),
        outputs=(Output(name="logl", source="stdout", extractor=LastNumber()),),
        meaning=LogLikelihoodOutput(output="logl"),
    )


@pytest.fixture
def make_ask() -> Callable[[int], AskRecord]:
    def make(i: int) -> AskRecord:
        return AskRecord(i, np.array([0.1 * i, -0.2 * i]), told_before=max(0, i - 1), purpose="design")

    return make


@pytest.fixture
def make_evaluation() -> Callable[..., EvaluationRecord]:
    def make(i: int, order: int | None = None, outcome: str = "ok") -> EvaluationRecord:
        good = outcome == "ok"
        return EvaluationRecord(
            index=i,
            order=i if order is None else order,
            u=np.array([0.1 * i, -0.2 * i]),
            values={"a": 1.0 + 0.001 * i, "b": -0.2 * i},
            outcome=outcome,  # type: ignore[arg-type]
            log_likelihood=-0.5 * i if good else None,
            log_prior=-1.0,
            log_target=-0.5 * i - 1.0 if good else None,
            duration_s=0.25,
            started_at=1.7e9 + i,
            reason="" if good else "the program ended with exit status 3",
            outputs={"logl": np.array([-0.5 * i])} if good else {},
        )

    return make


@pytest.fixture
def make_iteration() -> Callable[[int], IterationRecord]:
    def make(i: int) -> IterationRecord:
        rng = np.random.default_rng(i)
        return IterationRecord(
            iteration=i,
            n_evaluations=i + 10,
            elbo=-3.0 + 0.1 * i,
            elbo_sd=0.1,
            log_evidence=-3.0,
            log_evidence_sd=0.2,
            converged=False,
            warm_up=i < 2,
            reasons=("The answer still moves.",),
            weights=np.array([0.25, 0.75]),
            means=rng.normal(size=(2, 2)),
            covariances=np.stack([np.eye(2), 0.5 * np.eye(2)]),
            draws=rng.normal(size=(50, 2)),
            draw_weights=np.full(50, 0.02),
            preferred="draws",
            diagnostics={"lengthscale": 1.5},
            slices={"center": np.zeros(2), "u": np.zeros((2, 5))},
            elapsed_s=2.0 * i,
        )

    return make


@pytest.fixture
def session_path(tmp_path: Path) -> Path:
    return tmp_path / "study one.bayescope"
