"""The best run of a session: which it is, how sharp the peak is, and where it is told."""

from __future__ import annotations

import csv
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer.best_fit import best_fit, best_fit_of, csv_rows, export_best_fit, farthest_words
from bayescope.engine.answer.digits import rough
from bayescope.engine.answer.local_width import LocalWidth, width_of_posterior
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.answer.surrogate_peak import SurrogatePeak, with_check
from bayescope.engine.app import cli
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.report import report
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.records import ArchiveRecord
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
    first = "Of 4 runs, run 0 has the highest log density, -1.00"
    assert found.words[0] == f"{first} (log-likelihood 0.00, log prior -1.00)."
    assert best_fit(problem, [make_evaluation(3, outcome="failed")], None) is None


def test_the_value_farthest_off_is_told_with_the_time_of_its_row(path, predicting) -> None:
    assert predicting.data is not None
    times = ("00:10:00", "00:20:00", "00:30:00")
    timed = msgspec.structs.replace(predicting, data=msgspec.structs.replace(predicting.data, texts={"Time": times}))
    with SessionStore.open(path, "read") as store:
        found = best_fit(timed, list(store.evaluations()), None)
    assert found is not None
    assert farthest_words(found.misfits[0]) == "row 2 (00:20:00): +0.9 sd"
    assert found.lines[0].x_label == "Time, in s"
    assert found.lines[0].x.tolist() == [600.0, 1200.0, 1800.0]


def test_the_value_farthest_off_is_told_with_the_number_by_which_its_row_is_paired(path, predicting) -> None:
    assert predicting.data is not None
    with SessionStore.open(path, "read") as store:
        found = best_fit(predicting, list(store.evaluations()), None)
    assert found is not None
    keyed = replace(found.misfits[0], keys=tuple(f"Wavelength {600 + k} nm" for k in range(found.misfits[0].count)))
    assert farthest_words(keyed) == "row 2 (Wavelength 601 nm): +0.9 sd"


def test_an_imported_evaluation_that_is_better_than_every_run_is_the_best_fit(problem, make_evaluation) -> None:
    points = np.array([[0.5, 2.0], [0.2, 3.0], [0.7, 1.5]])
    archive = ArchiveRecord(("a", "b"), points, np.array([-50.0, 40.0, np.inf]), np.zeros(3))
    space = ParameterSpace(problem.parameters)
    for runs in ([], [make_evaluation(0)]):
        found = best_fit(problem, runs, None, space, archive)
        assert found is not None
        assert found.imported
        assert [found.values[n] for n in "ab"] == pytest.approx([0.2, 3.0])
        assert found.words[0].startswith("One of 3 imported evaluations has the highest log density, ")
        assert found.log_density == pytest.approx(40.0 + float(space.log_prior(points[1])))
    low = ArchiveRecord(("a", "b"), points[:1], np.array([-50.0]), np.zeros(1))
    ran = best_fit(problem, [make_evaluation(0)], None, space, low)
    assert ran is not None
    assert ran.index == 0
    assert best_fit(problem, [], None, space, ArchiveRecord(("x",), points[:, :1], np.zeros(3), np.zeros(3))) is None


CORRELATED = np.array([[0.25, 0.2475], [0.2475, 0.25]])  # sds of 1/2, correlation .99


def split(problem: d.Problem, at: float) -> StoredPosterior:
    """A normal as a mixture of forty narrower ones, and 4000 draws of it."""
    rng = np.random.default_rng(3)
    root = np.linalg.cholesky(CORRELATED)
    means = np.sqrt(0.7) * rng.standard_normal((40, 2)) @ root.T + at
    draws = rng.standard_normal((4000, 2)) @ root.T + at
    space, alike = ParameterSpace(problem.parameters), np.tile(0.3 * CORRELATED, (40, 1, 1))
    return StoredPosterior(space, np.full(40, 1 / 40), means, alike, draws, np.full(4000, 1 / 4000), "draws")


def test_without_a_surrogate_the_local_width_is_that_of_the_draws_and_not_of_a_components_ripples(problem: d.Problem) -> None:
    for away in ([0.0, 0.0], [0.6, 0.55]):  # also where the posterior slopes
        found = width_of_posterior(split(problem, 0.2), 0.2 + np.array(away))
        assert found is not None
        assert found.sds == pytest.approx([0.5, 0.5], rel=0.1)
        assert (found.error < 0.06).all()
    assert width_of_posterior(split(problem, 0.2), np.array([50.0, 50.0])) is None


def test_of_two_modes_the_local_width_is_that_of_the_one_the_run_is_in(problem: d.Problem) -> None:
    means, narrow = np.array([[0.0, 0.0], [3.0, 0.0]]), np.stack([0.04 * np.eye(2), 0.01 * np.eye(2)])
    two = StoredPosterior(ParameterSpace(problem.parameters), np.array([0.6, 0.4]), means, narrow, None, None, "mixture")
    for mean, sd in zip(means, (0.2, 0.1), strict=True):
        found = width_of_posterior(two, mean + 0.05)
        assert found is not None
        assert found.sds == pytest.approx([sd, sd], rel=1e-6)


def test_what_the_surrogate_said_of_the_width_is_used_and_said_to_be_rough_where_it_is(
    problem: d.Problem, make_evaluation, make_iteration
) -> None:
    run = make_evaluation(0)
    kept = LocalWidth(run.u, np.diag([0.01, 0.04]), np.array([0.35, 0.02]))
    answer = replace(make_iteration(1), slices=kept.arrays())
    found = best_fit(problem, [run], answer)
    assert found is not None
    assert found.sd_errors == {"a": 0.35, "b": 0.02}
    first, second = found.parameters
    assert found.sd_words(first).startswith("about ")
    assert not found.sd_words(second).startswith("about")
    assert found.words[-1] == "Local sds marked “about” are rough: the runs so far leave them open by up to 35 % (sd)."
    vague = best_fit(problem, [run], replace(answer, slices=replace(kept, error=np.array([np.inf, 0.02])).arrays()))
    assert vague is not None
    assert list(vague.sds) == ["b"]
    assert vague.sd_words(first) == ""
    far = replace(answer, slices=replace(kept, place=run.u + 10.0).arrays())  # of another run: not of this one
    other = best_fit(problem, [run], far)
    assert other is not None
    assert other.sd_errors != found.sd_errors


def test_damaged_arrays_of_a_width_are_none(problem: d.Problem) -> None:
    kept = LocalWidth(np.zeros(2), np.eye(2), np.zeros(2))
    assert LocalWidth.of(kept.arrays(), np.ones(2)) is not None
    damaged = ({"covariance": -np.eye(2)}, {"covariance": np.eye(3)}, {"error": np.full(2, -1.0)}, {"place": np.full(2, np.nan)})
    for changed in damaged:
        assert LocalWidth.of(replace(kept, **changed).arrays(), np.zeros(2)) is None
    assert LocalWidth.of({}, np.zeros(2)) is None


def test_local_sds_are_in_the_users_units(problem, make_evaluation, make_iteration) -> None:
    space = ParameterSpace(problem.parameters)
    run = make_evaluation(0)
    u = space.to_inference(np.array([[run.values["a"], run.values["b"]]]))[0]
    answer = replace(
        make_iteration(1), weights=np.ones(1), means=u[None], covariances=np.diag([0.01, 0.04])[None], log_evidence=-1.0,
        draws=None, draw_weights=None, preferred="mixture",
    )  # fmt: skip
    found = best_fit(problem, [replace(run, u=u)], answer)
    assert found is not None
    ends = [space.to_user(u + s * np.array([1e-5, 0.0]))[0] for s in (-1, 1)]
    assert found.sds["a"] == pytest.approx(0.1 * (ends[1] - ends[0]) / 2e-5, rel=1e-4)


def test_the_terminal_the_table_and_the_report_tell_the_best_fit(path, tmp_path, capsys) -> None:
    assert cli.main(["best-fit", str(path)]) == 0
    said = capsys.readouterr().out
    assert "Of 4 runs, run 1 has the highest log density, -2.00" in said
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


# ------------------------------------------------------------------ the surrogate's maximum


def with_peak(iteration, place, predicted=(-0.5, 0.1), checked=()):
    return replace(iteration, slices=SurrogatePeak(np.array(place), np.array(predicted), np.array(checked)).arrays())


def test_the_surrogates_maximum_stands_beside_the_best_run_and_is_exported(path, tmp_path, make_iteration, capsys) -> None:
    with SessionStore.open(path, role="engine") as store:
        store.add_iteration(with_peak(replace(make_iteration(4), n_evaluations=4), [0.37, 0.1]))
        space = ParameterSpace(store.problem.parameters)
        found = best_fit_of(store)
        assert found is not None
        assert found.peak is not None
        assert found.peak.run is None
        assert found.peak.values["a"] == pytest.approx(space.to_user(np.array([0.37, 0.1]))[0])
        rise = rough(found.peak.log_density - found.log_density)
        said = f"The surrogate has its maximum, -0.50 ± 0.10, at another point (in the table): {rise} above the best run."
        assert found.words[-1] == said
        export_best_fit(store, tmp_path / "best.csv")
        assert "note" not in [row[0] for row in csv_rows(found)]
        notes = [row[1] for row in csv_rows(replace(found, random=True)) if row[0] == "note"]
        assert notes == ["The highest of many is likely to be a lucky one."]
        assert said in report.report_html(store)
    rows = [r for r in csv.reader((tmp_path / "best.csv").open(encoding="utf-8")) if r[0] == "surrogate"]
    assert {r[1]: float(r[3]) for r in rows}["log_density"] == -0.5
    assert [float(r[9]) for r in rows if r[1] == "log_density"] == [0.1]
    assert cli.main(["best-fit", str(path)]) == 0
    assert "surrogate max" in capsys.readouterr().out


def test_a_run_at_an_earlier_maximum_is_said_to_be_of_that_time(problem, make_evaluation, make_iteration) -> None:
    before = with_peak(make_iteration(1), [0.3, 0.2], (-0.5, 0.1))
    at = replace(make_evaluation(5), order=5, u=np.array([0.3, 0.2]), log_likelihood=0.1, log_prior=-1.0)
    later = [replace(make_evaluation(k), order=k, u=np.array([0.9, 0.2])) for k in (6, 7)]
    after = with_check(with_peak(make_iteration(2), [0.9, 0.9]), before, [at, *later])
    found = best_fit(problem, [at, *later], after)
    assert found is not None
    assert found.peak is not None
    assert found.peak.words("run")[0] == (
        "Run 5 (2 runs ago) was made where the surrogate had its maximum then: -0.50 ± 0.10 predicted, -0.90 found, "
        "4.0 sd below that."
    )


def test_a_run_at_the_maximum_is_remembered_with_what_was_predicted(problem, make_evaluation, make_iteration) -> None:
    before = with_peak(make_iteration(1), [0.3, 0.2], (-0.5, 0.1))
    at = replace(make_evaluation(5), u=np.array([0.3, 0.2]), log_likelihood=0.1, log_prior=-1.0)
    aside = replace(make_evaluation(6), u=np.array([0.9, 0.2]))
    after = with_check(with_peak(make_iteration(2), [0.31, 0.2]), before, [at, aside])
    found = best_fit(problem, [at, aside], after)
    assert found is not None
    assert found.peak is not None
    assert found.peak.check is not None
    assert (found.peak.check.index, found.peak.check.predicted, found.peak.check.found) == (5, -0.5, -0.9)
    assert found.peak.check.words("run") == (
        "Run 5 was made at the surrogate's maximum: -0.50 ± 0.10 predicted, -0.90 found, 4.0 sd below that."
    )
    later = with_check(with_peak(make_iteration(3), [0.32, 0.2]), after, [aside])  # the next answers go on saying it
    assert SurrogatePeak.of(later.slices, 2).checked.tolist() == [5.0, -0.5, 0.1]  # type: ignore[union-attr]
    failed = replace(at, outcome="failed", log_likelihood=None, reason="It crashed.")
    lost = best_fit(problem, [aside, failed], after)
    assert lost is not None
    assert lost.peak is not None
    assert lost.peak.check is not None
    assert lost.peak.check.words("run").endswith("but it gave no value. It crashed.")


@pytest.mark.parametrize(
    "arrays", [{"peak.place": np.zeros(3)}, {"peak.predicted": np.array([np.nan, 1.0])}, {"peak.checked": np.ones(2)}]
)
def test_a_damaged_maximum_is_none(problem, make_evaluation, make_iteration, arrays) -> None:
    good = with_peak(make_iteration(1), [0.3, 0.2])
    found = best_fit(problem, [make_evaluation(0)], replace(good, slices=good.slices | arrays))
    assert found is not None
    assert found.peak is None
