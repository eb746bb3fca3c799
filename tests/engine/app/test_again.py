"""``bayescope again``: sessions made by the real engine, whose program is gone when they are asked again."""

from __future__ import annotations

import dataclasses
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer import no_effect
from bayescope.engine.app import cli
from bayescope.engine.problem import definition as d
from bayescope.engine.problem import files
from bayescope.engine.report.report import report_html
from bayescope.engine.session.store import SessionStore

PROGRAM = """
import math, sys
a, k = float(sys.argv[1]), float(sys.argv[2])
for i in range(20):
    t = 0.15 * i
    print(t, a * math.exp(-k * t), a * k)
"""
T = 0.15 * np.arange(20)
replace = msgspec.structs.replace


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, d.Problem]:
    """A folder with a session that has run; its program has been removed."""
    folder = tmp_path_factory.mktemp("again")
    (folder / "model.py").write_text(PROGRAM)
    data = 2.0 * np.exp(-1.1 * T) + 0.05 * np.random.default_rng(2).standard_normal(20)
    problem = d.Problem(
        name="first",
        parameters=(
            d.Parameter(name="a", prior=d.LogNormal(log_mean=0.5, log_sd=0.5)),
            d.Parameter(name="k", prior=d.Uniform(low=0.2, high=3.0)),
        ),
        simulator=d.Simulator(command=(sys.executable, "model.py", "@a@", "@k@")),
        outputs=tuple(
            d.Output(name=n, source="stdout", extractor=d.TableBlock(columns=(i + 1,))) for i, n in enumerate(("t", "y", "z"))
        ),
        meaning=d.Predictions(
            matches=(d.Match(output="y", column="y", key_output="t", key_column="t"),), noise=d.GaussianKnown(sd=0.05)
        ),
        data=d.DataTable(columns={"t": tuple(T.tolist()), "y": tuple(data.tolist())}),
        settings=d.Settings(max_evaluations=60, seed=3),
    )
    (folder / "first.json").write_bytes(files.dumps(problem))
    assert cli.main(["new", "--trust", str(folder / "first.json"), str(folder / "first.bayescope")]) == 0
    assert cli.main(["run", str(folder / "first.bayescope")]) == 0
    (folder / "model.py").unlink()
    return folder, problem


def named(folder: Path, problem: d.Problem, *more: object) -> list[str]:
    """The words of the command line."""
    (folder / "changed.json").write_bytes(files.dumps(problem))
    return ["again", *(str(folder / name) for name in ("first.bayescope", "changed.json", *map(str, more)))]


def ask(folder: Path, problem: d.Problem, *more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bayescope.gui", *named(folder, problem, *more)]
    return subprocess.run(command, capture_output=True, text=True, timeout=110)


@pytest.mark.loops
def test_a_changed_noise_model_is_answered_without_the_program_and_kept_beside_the_first(finished) -> None:
    folder, problem = finished
    before = (folder / "first.bayescope").read_bytes()
    done = ask(folder, replace(problem, meaning=replace(problem.meaning, noise=d.StudentTNoise(dof=4.0, scale=0.1))))
    assert done.returncode == 0, done.stderr
    assert "No run was made" in done.stdout
    assert "log evidence" in done.stdout
    compared = done.stdout[done.stdout.index("distance") :]
    assert "first  " in compared
    assert "first again  " in compared
    assert (folder / "first.bayescope").read_bytes() == before
    with (
        SessionStore.open(folder / "first.bayescope", mode="read") as first,
        SessionStore.open(folder / "first again.bayescope", mode="read") as variant,
    ):
        assert isinstance(variant.problem.meaning, d.Predictions)
        assert isinstance(variant.problem.meaning.noise, d.StudentTNoise)
        old, new = first.evaluations(), variant.evaluations()
        assert len(old) == len(new)
        for a, b in zip(old, new, strict=True):
            np.testing.assert_array_equal(a.outputs["y"], b.outputs["y"])
            assert a.log_likelihood != b.log_likelihood
        answer = variant.last_iteration()
        assert answer is not None
        assert answer.converged or "more runs would be needed" in " ".join(answer.reasons)
        assert np.isfinite(answer.log_evidence)


@pytest.mark.loops
def test_one_value_left_out_is_never_weighed_against_all_of_them(finished, capsys: pytest.CaptureFixture[str]) -> None:
    folder, problem = finished
    meaning, answers = problem.meaning, folder / "stored"
    answers.mkdir()
    with SessionStore.open(folder / "first.bayescope", mode="read") as first:
        record = first.last_iteration()
    fewer = replace(meaning, matches=(replace(meaning.matches[0], left_out=(5,)),))
    others = {"all": meaning, "fewer": fewer, "heavier": replace(meaning, noise=d.StudentTNoise(dof=4.0, scale=0.1))}
    for name, asked in others.items():
        with SessionStore.create(answers / f"{name}.bayescope", replace(problem, meaning=asked), own=True) as store:
            store.add_iteration(record)

    def said(*names: str) -> str:
        assert cli.main(["compare", *(str(answers / f"{name}.bayescope") for name in names)]) == 0
        return capsys.readouterr().out

    assert "; of other data: 19 of the 20 values" in said("all", "fewer")
    assert "; of other data: the 19 values and 1 more" in said("fewer", "all")
    assert "Evidences of other data cannot be compared" in said("all", "heavier", "fewer")
    assert "other data" not in said("all", "heavier"), "another noise model of the same data"


def test_what_needs_new_runs_is_refused_in_words_and_nothing_is_made(finished, capsys: pytest.CaptureFixture[str]) -> None:
    folder, problem = finished
    other = replace(problem, simulator=replace(problem.simulator, command=("other", "@a@", "@k@")))
    assert cli.main(named(folder, other, "refused.bayescope")) == 1
    assert "The program, or how it is run, is another" in capsys.readouterr().err
    assert not (folder / "refused.bayescope").exists()
    assert cli.main(named(folder, replace(problem, name="only a name"), "refused.bayescope")) == 1
    assert "Nothing was changed" in capsys.readouterr().err


@pytest.mark.loops
def test_an_answer_that_is_not_confirmed_says_how_many_runs_would_do_and_can_be_given_them(
    finished, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, problem = finished
    assert problem.data is not None
    moved = {**problem.data.columns, "y": tuple(2.0 * v for v in problem.data.columns["y"])}
    assert cli.main(named(folder, replace(problem, data=d.DataTable(columns=moved)), "far.bayescope")) == 0
    said = capsys.readouterr().out
    assert "Not confirmed yet" in said
    assert "more runs would be needed" in said
    with SessionStore.open(folder / "far.bayescope", mode="read") as store:
        recorded = store.evaluation_count
    (folder / "model.py").write_text(PROGRAM)
    try:
        assert cli.main(["run", str(folder / "far.bayescope"), "--trust", "--runs", str(recorded + 60)]) == 0
    finally:
        (folder / "model.py").unlink()
    with SessionStore.open(folder / "far.bayescope", mode="read") as store:
        last = store.last_iteration()
        assert last is not None
        assert last.converged
        assert recorded < store.evaluation_count <= recorded + 60
        assert sorted(e.index for e in store.evaluations()) == list(range(store.evaluation_count))


@pytest.mark.long
def test_the_program_may_be_off_is_asked_in_a_word_and_the_evidences_stand_side_by_side(
    finished, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _ = finished
    target = folder / "off.bayescope"
    words = ["again", str(folder / "first.bayescope"), str(target), "--discrepancy", "y", "--apart"]
    assert cli.main(words) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "if the program may be off" in said
    assert "The program is off by about" in said
    with SessionStore.open(target, mode="read") as variant:
        assert isinstance(variant.problem.meaning, d.Predictions)
        found = variant.problem.meaning.matches[0].discrepancy
        assert found is not None
        assert len(found.apart_from) == 2  # both of the program's parameters move it
        page = report_html(variant)
        answer = variant.last_iteration()
    assert "Kennedy" in page
    assert "Plumlee" in page
    assert "if the program may be off" in page
    assert answer is not None
    assert np.isfinite(answer.log_evidence)


def test_a_column_that_nothing_is_compared_with_cannot_be_off(finished, capsys: pytest.CaptureFixture[str]) -> None:
    folder, _ = finished
    assert cli.main(["again", str(folder / "first.bayescope"), "--discrepancy", "nowhere"]) == 1
    assert "there are y" in capsys.readouterr().err
    assert cli.main(["again", str(folder / "first.bayescope")]) == 1
    assert "say what is changed" in capsys.readouterr().err


@pytest.mark.loops
def test_parameters_without_effect_are_without_it_in_the_answer_asked_again_too(finished, tmp_path: Path) -> None:
    _, problem = finished
    path = tmp_path / "first.bayescope"
    shutil.copy(finished[0] / "first.bayescope", path)
    with SessionStore.open(path, role="engine") as store:
        last = store.last_iteration()
        assert last is not None
        idle = no_effect.saying_idle(dataclasses.replace(last, iteration=last.iteration + 1), ("k",))
        store.add_cycle(asks=[], evaluations=[], iteration=idle, checkpoint=store.checkpoint(), told=last.n_evaluations)
    changed = replace(problem, meaning=replace(problem.meaning, noise=d.GaussianKnown(sd=0.06)))
    (tmp_path / "changed.json").write_bytes(files.dumps(changed))
    assert cli.main(["again", str(path), str(tmp_path / "changed.json")]) == 0
    with SessionStore.open(tmp_path / "first again.bayescope", mode="read") as variant:
        answer = variant.last_iteration()
        assert answer is not None
        assert no_effect.told(answer.diagnostics) == ("k",)
        assert "k changes nothing in the outputs" in answer.reasons[0]
