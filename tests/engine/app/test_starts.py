"""Values that are known to work: typed, from a table, from another analysis; the first runs are made there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from bayescope.engine.app import cli
from bayescope.engine.app.headless import load_example
from bayescope.engine.methods.loops import loop_settings, make_loop
from bayescope.engine.problem.checks.validate import check
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.session.records import AskRecord, EvaluationRecord
from bayescope.engine.session.store import SessionStore

GOOD = {"x0": 0.3, "ts": 0.36, "q0": 5.6, "rho": 0.06}
RUN = EvaluationRecord(
    index=0, order=0, u=np.zeros(4), values=GOOD, outcome="ok", log_likelihood=-1.0, log_prior=0.0, log_target=-1.0,
    started_at=1.8e9,
)  # fmt: skip


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path / "home"))
    path = tmp_path / "source.bayescope"
    with SessionStore.create(path, load_example("contamination"), own=True):
        pass
    return path


def starts_of(path: Path) -> tuple[dict[str, float], ...]:
    with SessionStore.open(path, mode="read") as store:
        return store.problem.settings.starts


def test_points_typed_from_a_table_and_from_another_analysis_are_where_the_first_runs_are_made(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = [f"--at={name}={value}" for name, value in GOOD.items()]
    assert cli.main(["starts", str(path), *typed]) == 0
    (tmp_path / "known.csv").write_text("rho,x0,ts,q0,note\n0.05,0.4,0.2,7,1\n0.06,0.35,0.3,6,2\n")
    assert cli.main(["starts", str(path), "--from", str(tmp_path / "known.csv")]) == 0
    with SessionStore.create(tmp_path / "other.bayescope", load_example("contamination"), own=True) as other:
        other.add_evaluation(RUN)
        other.add_evaluation(replace(RUN, index=1, order=1, values={**GOOD, "q0": 9.0}, log_likelihood=3.0))
    assert cli.main(["starts", str(path), "--from", str(tmp_path / "other.bayescope")]) == 0
    assert "4: x0 = 0.3, ts = 0.36, q0 = 9, rho = 0.06" in capsys.readouterr().out
    found = starts_of(path)
    assert [s["q0"] for s in found] == [5.6, 7.0, 6.0, 9.0]
    with SessionStore.open(path, mode="read") as store:
        problem = store.problem
    space = ParameterSpace(problem.parameters)
    loop = make_loop("default", loop_settings(problem, space, 30, 1))
    first = [space.values(ask.u) for ask in loop.ask(5)]
    assert [v["q0"] for v in first[:4]] == pytest.approx([5.6, 7.0, 6.0, 9.0])
    assert first[4]["q0"] not in (5.6, 7.0, 6.0, 9.0)
    assert cli.main(["starts", str(path), "--clear"]) == 0
    assert starts_of(path) == ()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--at", "x0=0.3"], "has no value of"),
        (["--at", "x0=0.3", "--at", "ts=0.3", "--at", "q0=-4", "--at", "rho=0.05"], "it can lie between"),
        (["--at", "x0=high"], "x0:"),
        (["--from", "nowhere.csv"], "There is no such file"),
    ],
)
def test_what_cannot_be_a_starting_point_is_said_and_nothing_is_changed(
    path: Path, given: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["starts", str(path), *given]) == 1
    assert words in capsys.readouterr().err
    assert starts_of(path) == ()


def test_points_belong_to_the_runs_once_there_are_some(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with SessionStore.open(path) as store:
        store.add_cycle(asks=[AskRecord(0, np.zeros(4), 0)], iteration=None, checkpoint={}, told=0)
        store.add_evaluation(RUN)
    assert cli.main(["starts", str(path), *(f"--at={name}={value}" for name, value in GOOD.items())]) == 1
    assert "started" in capsys.readouterr().err
    problem = load_example("contamination")
    many = msgspec.structs.replace(problem.settings, starts=(GOOD,) * 21)
    assert "20 at most" in " ".join(f.message for f in check(msgspec.structs.replace(problem, settings=many), None))
