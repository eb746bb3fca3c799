"""The best run of a session: which it is, how sharp the peak is, and where it is told."""

from __future__ import annotations

import csv
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from bayescope.engine.app import cli
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.session import report
from bayescope.engine.session.best_fit import best_fit, export_best_fit, local_sds
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.store import SessionStore


@pytest.fixture
def predicting(problem: d.Problem) -> d.Problem:
    output = msgspec.structs.replace(problem.outputs[0], name="y", length=None)
    return msgspec.structs.replace(
        problem, outputs=(output,), data=d.DataTable(columns={"t": (1.0, 2.0, 3.0), "y": (0.1, 0.4, 0.2)}),
        meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=0.1)),
    )  # fmt: skip


@pytest.fixture
def path(tmp_path, predicting, make_evaluation, make_iteration):
    """A session of four runs, of which the second is the best and the last failed."""
    path = tmp_path / "rod.bayescope"
    with SessionStore.create(path, predicting, own=True) as store:
        for k in range(4):
            run = make_evaluation(k, outcome="failed" if k == 3 else "ok")
            value = None if k == 3 else -1.0 if k == 1 else -3.0 - k
            store.add_evaluation(replace(run, log_likelihood=value, outputs={"y": np.array([0.1, 0.3, 0.25]) + 0.01 * k}))
        store.add_iteration(replace(make_iteration(3), n_evaluations=4))
    return path


def test_the_best_run_is_that_of_the_highest_log_density_and_failed_ones_do_not_count(problem, make_evaluation) -> None:
    runs = [make_evaluation(k) for k in range(3)]
    runs[2] = replace(runs[2], log_likelihood=0.5, log_prior=-1.7)
    found = best_fit(problem, [*runs, make_evaluation(3, outcome="failed")], None)
    assert found is not None
    assert found.index == 0
    assert found.words[0] == "Run 0 of 4 has the highest log density, -1.00 (log-likelihood 0.00, log prior -1.00)."
    assert best_fit(problem, [make_evaluation(3, outcome="failed")], None) is None


def test_the_curvature_of_a_mixture_is_that_of_its_log_density() -> None:
    rng = np.random.default_rng(1)
    roots = 0.3 * rng.standard_normal((2, 3, 3)) + np.eye(3)
    covariances, means = roots @ roots.transpose(0, 2, 1), 0.2 * rng.standard_normal((2, 3))
    weights, at = np.array([0.3, 0.7]), np.array([0.1, -0.1, 0.2])

    def log_density(u):
        away = u - means
        squares = np.einsum("ki,kij,kj->k", away, np.linalg.inv(covariances), away)
        return np.log(np.sum(weights * np.exp(-0.5 * squares) / np.sqrt(np.linalg.det(covariances))))

    h, eye = 1e-3, np.eye(3)
    hessian = np.array([
        [sum(s * t * log_density(at + h * (s * eye[i] + t * eye[j])) for s in (-1, 1) for t in (-1, 1)) / (4 * h * h)
         for j in range(3)] for i in range(3)
    ])  # fmt: skip
    assert local_sds(weights, means, covariances, at) == pytest.approx(np.sqrt(np.diag(np.linalg.inv(-hessian))), rel=1e-4)
    assert local_sds(weights, means, covariances, at + 50.0) is None


def test_local_sds_are_in_the_users_units(problem, make_evaluation, make_iteration) -> None:
    space = ParameterSpace(problem.parameters)
    run = make_evaluation(0)
    u = space.to_inference(np.array([[run.values["a"], run.values["b"]]]))[0]
    answer = replace(
        make_iteration(1), weights=np.ones(1), means=u[None], covariances=np.diag([0.01, 0.04])[None], log_evidence=-1.0
    )
    found = best_fit(problem, [replace(run, u=u)], answer)
    assert found is not None
    ends = [space.to_user(u + s * np.array([1e-5, 0.0]))[0] for s in (-1, 1)]
    assert found.sds["a"] == pytest.approx(0.1 * (ends[1] - ends[0]) / 2e-5, rel=1e-4)


def test_the_terminal_the_table_and_the_report_tell_the_best_fit(path, tmp_path, capsys) -> None:
    assert cli.main(["best-fit", str(path)]) == 0
    said = capsys.readouterr().out
    assert "Run 1 of 4 has the highest log density, -2.00" in said
    assert "χ²" in said
    assert "row 2" in said
    out = tmp_path / "best.csv"
    assert cli.main(["export", str(path), "--best-fit", str(out)]) == 0
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert {r["name"]: float(r["value"]) for r in rows if r["kind"] == "parameter"} == {"a": 1.001, "b": -0.2}
    residuals = [float(r["residual_sds"]) for r in rows if r["kind"] == "data"]
    assert residuals == pytest.approx([-0.1, 0.9, -0.6])
    with SessionStore.open(path, mode="read") as store:
        html = report.report_html(store)
    assert "<h2>Best fit</h2>" in html
    assert "Dashed: the best run." in html


def test_without_a_value_there_is_no_best_fit_and_the_reason_is_said(tmp_path, problem, make_evaluation, capsys) -> None:
    with SessionStore.create(tmp_path / "none.bayescope", problem, own=True) as store:
        store.add_evaluation(make_evaluation(0, outcome="failed"))
        with pytest.raises(SessionError, match="no simulator run gave a usable value"):
            export_best_fit(store, tmp_path / "none.csv")
    assert cli.main(["best-fit", str(tmp_path / "none.bayescope")]) == 1
    assert "no simulator run gave a usable value" in capsys.readouterr().err
