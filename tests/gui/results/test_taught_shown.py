"""What the data taught, in the window: on a real session file whose answer knows a product only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.taught import Learnt
from bayescope.engine.app import cli
from bayescope.engine.problem import definition as d
from bayescope.engine.report import report
from bayescope.engine.session.records import IterationRecord
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.results.summary import SummaryRow, interval_words
from bayescope.gui.pages.results.page import ResultsPage
from bayescope.gui.pages.results.taught import taught_columns

PROBLEM = d.Problem(
    name="Rates",
    parameters=(
        d.Parameter(name="k1", label="<b>Rate</b>", unit="1/s", prior=d.LogNormal(log_mean=0.0, log_sd=0.5)),
        d.Parameter(name="k2", prior=d.LogNormal(log_mean=0.0, log_sd=0.5)),
        d.Parameter(name="c", unit="mm", prior=d.Normal(mean=0.0, sd=1.0)),
    ),
    simulator=d.Simulator(command=("bayescope:contamination", "@k1@", "@k2@", "@c@")),
    outputs=(d.Output(name="logl", source="stdout", extractor=d.LastNumber()),),
    meaning=d.LogLikelihoodOutput(output="logl"),
)
COVARIANCE = np.array([[0.1254, -0.125, 0.0], [-0.125, 0.1254, 0.0], [0.0, 0.0, 0.01]])
ONE = IterationRecord(
    iteration=7, n_evaluations=5, elbo=-3.6, elbo_sd=0.02, log_evidence=-3.5, log_evidence_sd=0.01, converged=True, warm_up=False,
    reasons=(), weights=np.ones(1), means=np.array([[0.0, 0.2, 0.5]]), covariances=COVARIANCE[None],
)  # fmt: skip
PRODUCT = (
    "The product <b>Rate</b> (k1) × k2 is known best, to 2.8 %; each alone to 35 %. "
    "Left open is the ratio <b>Rate</b> (k1) / k2: hardly known better than before."
)


def replace_prior(name: str, prior: d.Prior) -> d.Problem:
    parameters = tuple(msgspec.structs.replace(p, prior=prior) if p.name == name else p for p in PROBLEM.parameters)
    return msgspec.structs.replace(PROBLEM, parameters=parameters)


def saved(path: Path, record: IterationRecord | None) -> Path:
    with SessionStore.create(path, PROBLEM, own=True) as store:
        if record is not None:
            store.add_iteration(record)
    return path


@pytest.fixture
def page(show: Callable[..., None], controller: SessionController) -> ResultsPage:
    page = ResultsPage(controller)
    show(page)
    return page


def test_the_tab_shows_each_parameter_before_and_after_and_what_is_known_of_them_together(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path
) -> None:
    assert controller.file.open(saved(tmp_path / "one.bayescope", ONE))
    page.tabs.setCurrentWidget(page.taught)
    qtbot.waitUntil(lambda: page.taught.shown is not None, timeout=10_000)
    lines = [line.split("\t") for line in page.taught.table.as_text().splitlines()[1:]]
    assert lines[2] == ["c [mm]", "−1.6 … 1.6", "0.34 … 0.66", "10", "0.990", "2.8", "known 10 times better than before"]
    assert lines[0][0] == "<b>Rate</b> (k1) [1/s]"
    assert lines[0][-1] == "known 1.4 times better than before"
    assert page.taught.sentences.text().startswith("The product <b>Rate</b> (k1) × k2 is known best, to 2.8 %; each alone")
    assert page.taught.sentences.text() == PRODUCT
    assert page.taught.note.text() == "Contraction is that of the logarithm: <b>Rate</b> (k1), k2."


def test_of_several_modes_combinations_are_told_within_each(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path
) -> None:
    two = replace(
        ONE, weights=np.array([0.7, 0.3]), means=np.array([[3.0, 3.0, 0.5], [-3.0, -3.0, 0.5]]),
        covariances=np.tile(COVARIANCE, (2, 1, 1)),
    )  # fmt: skip
    assert controller.file.open(saved(tmp_path / "two.bayescope", two))
    qtbot.waitUntil(lambda: page.taught.shown is not None, timeout=10_000)
    starts = [line.split(":")[0] for line in page.taught.sentences.text().splitlines()]
    assert starts == ["Within mode 1", "Within mode 2"]
    assert "over all its 2 modes" in page.taught.table.as_text()


def test_terminal_table_and_report_tell_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = saved(tmp_path / "one.bayescope", ONE), tmp_path / "taught.csv"
    assert cli.main(["taught", str(path)]) == 0
    said = capsys.readouterr().out
    assert PRODUCT in said
    assert "known 10 times better than before" in said
    assert cli.main(["export", str(path), "--taught", str(out)]) == 0
    assert "known 10 times better than before" in out.read_text(encoding="utf-8")
    assert "combination,the product" in out.read_text(encoding="utf-8")
    with SessionStore.open(path, mode="read") as store:
        html = report.report_html(store)
    assert "<h2>What the data taught</h2>" in html
    assert "The product &lt;b&gt;Rate&lt;/b&gt; (k1) × k2 is known best, to 2.8 %;" in html


def test_without_an_answer_the_terminal_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path / "none.bayescope", None)
    assert cli.main(["taught", str(path)]) == 1
    assert "no posterior yet" in capsys.readouterr().err
    assert cli.main(["export", str(path), "--taught", str(tmp_path / "out.csv")]) == 1
    assert "no posterior yet" in capsys.readouterr().err


def test_intervals_have_the_digits_of_the_summary_and_contractions_near_one_as_many_as_each_other() -> None:
    with_sd = Learnt(PROBLEM.parameters[2], (-1.6, 1.6), (9311.0, 12648.0), 0.99, "values", 3.0, sd=834.0, resolution=2502.0)
    row = SummaryRow("c", "", "", 11000.0, 834.0, 11000.0, ((with_sd.posterior,),), 2502.0)
    column = next(c for c in taught_columns() if c.key == "posterior")
    assert column.text(with_sd) == interval_words(row.intervals[0], row.sd, row.resolution)
    said = [replace(with_sd, contraction=c).contraction_words for c in (0.98, 0.9899, 0.992, 1.0)]
    assert said == ["0.98", "0.990", "0.992", "0.999"]


def test_the_summary_says_too_whose_answer_a_bound_of_its_prior_cuts_off(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path
) -> None:
    cut = replace(ONE, means=np.array([[0.0, 0.2, -6.0]]), covariances=np.diag([0.12, 0.12, 4.0])[None])
    bounded = replace_prior("c", d.Uniform(low=0.0, high=1.0))
    path = tmp_path / "cut.bayescope"
    with SessionStore.create(path, bounded, own=True) as store:
        store.add_iteration(cut)
    assert controller.file.open(path)
    qtbot.waitUntil(lambda: page.taught.shown is not None, timeout=10_000)
    assert page.at_bounds.isVisible()
    assert page.at_bounds.text().startswith("c leans on its lower bound 0, where the prior cuts the answer off")
    assert controller.file.open(saved(tmp_path / "one.bayescope", ONE))
    qtbot.waitUntil(lambda: page.taught.shown is not None and not page.at_bounds.isVisible(), timeout=10_000)
