"""Other methods on the same runs, by one click on the Results page, computed by the real engine process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.answer.other_methods import stored_methods
from bayescope.engine.problem import definition as d
from bayescope.engine.session.records import EvaluationRecord, IterationRecord
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.results.page import ResultsPage

pytestmark = [pytest.mark.window, pytest.mark.timeout(240)]
MEAN, COVARIANCE = np.array([1.5, -2.0]), np.array([[0.04, 0.018], [0.018, 0.01]])
LOG_Z = -3.5


def line_session(path: Path) -> Path:
    """A session whose runs know a Gaussian posterior, and whose answer is that Gaussian."""
    problem = d.Problem(
        name="Line",
        parameters=tuple(d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=10.0)) for n in "ab"),
        simulator=d.Simulator(command=("bayescope:contamination", "@a@", "@b@")),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
        meaning=d.LogLikelihoodOutput(output="y"),
    )
    rng = np.random.default_rng(0)
    points = rng.multivariate_normal(MEAN, 4 * COVARIANCE, 30)
    precision, norm = np.linalg.inv(COVARIANCE), 0.5 * np.linalg.slogdet(2 * np.pi * COVARIANCE)[1]
    with SessionStore.create(path, problem, own=True) as store:
        for k, u in enumerate(points):
            target = LOG_Z - norm - 0.5 * float((u - MEAN) @ precision @ (u - MEAN))
            store.add_evaluation(
                EvaluationRecord(
                    index=k, order=k, u=u, values={"a": float(u[0]), "b": float(u[1])}, outcome="ok",
                    log_likelihood=target + 5.0, log_prior=-5.0, log_target=target,
                )
            )  # fmt: skip
        store.add_iteration(
            IterationRecord(
                iteration=3, n_evaluations=30, elbo=LOG_Z, elbo_sd=0.02, log_evidence=LOG_Z, log_evidence_sd=0.05,
                converged=True, warm_up=False, reasons=("fresh runs agree",), weights=np.ones(1), means=MEAN[None],
                covariances=COVARIANCE[None],
            )
        )  # fmt: skip
    return path


@pytest.fixture
def opened(qtbot: QtBot, show: Callable[..., None], tmp_path: Path) -> Iterator[ResultsPage]:
    controller = SessionController()  # on the real engine
    page = ResultsPage(controller)
    show(page, 1280, 720)
    assert controller.file.open(line_session(tmp_path / "line.bayescope"))
    qtbot.waitUntil(lambda: page.compare.model.rowCount() == 1, timeout=20_000)
    yield page
    controller.shut_down()
    controller.deleteLater()


def cell(page: ResultsPage, row: int, key: str) -> str:
    model = page.compare.model
    column = [c.key for c in model.columns].index(key)
    return str(model.index(row, column).data())


@pytest.mark.journeys
def test_one_click_on_the_summary_brings_laplace_and_mcmc_beside_the_answer(qtbot: QtBot, opened: ResultsPage) -> None:
    page = opened
    qtbot.mouseClick(page.compare_button, Qt.MouseButton.LeftButton)
    assert page.tabs.currentWidget() is page.compare
    assert "Laplace" in page.compare.working.text()
    assert not page.compare.methods["mcmc"].isEnabled()
    qtbot.waitUntil(lambda: page.compare.model.rowCount() == 3, timeout=120_000)
    assert [cell(page, r, "method") for r in range(3)] == ["Recommended", "Laplace", "MCMC on the surrogate"]
    for row in (1, 2):
        assert float(cell(page, row, "evidence").split()[0].replace("−", "-")) == pytest.approx(LOG_Z, abs=0.2)
        assert float(cell(page, row, "distance").split()[0]) < 8.0
        assert cell(page, row, "runs") == "30"
        assert cell(page, row, "moments").startswith("1.5")
        assert cell(page, row, "cost").endswith(" s")
        assert cell(page, row, "factor") == "–"
        assert cell(page, row, "verdict") == "passed its checks"
    assert page.compare.plot.names() == ["line (this one)", "Laplace", "MCMC on the surrogate"]
    assert page.compare.said.text().startswith("MCMC on the surrogate: The chains agree")
    page.compare.table.selectRow(1)
    assert "one Gaussian" in page.compare.said.text()
    assert page.compare.cancel_button.isHidden()
    page.compare.remove([1])
    assert page.compare.plot.names() == ["line (this one)", "MCMC on the surrogate"]


@pytest.mark.long
def test_a_comparison_is_cancelled_and_another_analysis_starts_without_it(
    qtbot: QtBot, opened: ResultsPage, tmp_path: Path
) -> None:
    page, compare = opened, opened.compare
    compare.compare_with(("stacking", "laplace"))
    qtbot.waitUntil(lambda: bool(page.run.engine_pid), timeout=20_000)
    page.tabs.setCurrentWidget(compare)
    qtbot.mouseClick(compare.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not compare._queue, timeout=60_000)
    assert compare.model.rowCount() == 1
    compare.compare_with(("laplace",))
    qtbot.waitUntil(lambda: compare.model.rowCount() == 2, timeout=60_000)
    assert page.file.open(line_session(tmp_path / "other.bayescope"))
    qtbot.waitUntil(lambda: compare.plot.names() == ["other (this one)"], timeout=20_000)


def test_an_analysis_that_is_saved_under_another_name_has_it_in_the_comparison(opened: ResultsPage, tmp_path: Path) -> None:
    assert opened.compare.plot.names() == ["line (this one)"]
    assert opened.file.save_as(tmp_path / "renamed.bayescope")
    assert opened.compare.plot.names() == ["renamed (this one)"]


@pytest.mark.journeys
def test_methods_that_are_computed_while_the_analysis_is_saved_under_another_name_come_and_are_kept_there(
    qtbot: QtBot, opened: ResultsPage, tmp_path: Path
) -> None:
    compare = opened.compare
    compare.compare_with(("laplace", "mcmc", "wsabi"))
    assert opened.file.save_as(tmp_path / "renamed.bayescope")
    qtbot.waitUntil(lambda: compare.model.rowCount() == 2, timeout=60_000)
    assert opened.file.save_as(tmp_path / "renamed again.bayescope")
    qtbot.waitUntil(lambda: compare.model.rowCount() == 4, timeout=120_000)
    assert compare.plot.names()[0] == "renamed again (this one)"
    assert compare.methods["mcmc"].isEnabled()
    assert compare.cancel_button.isHidden()
    with SessionStore.open(tmp_path / "renamed again.bayescope", mode="read") as store:
        assert [m.method for m in stored_methods(store)] == ["laplace", "mcmc", "wsabi"]


def test_why_a_method_gave_nothing_is_said(qtbot: QtBot, opened: ResultsPage) -> None:
    compare = opened.compare
    session = str(opened.file.on_disk)
    compare._queue = ["mcmc"]
    failed = protocol.BaselineFailed(session=session, method="mcmc", words="Only 2 runs gave a usable value.")
    opened.run._link.comparing.failed.emit(failed)
    assert "Only 2 runs" in compare.message.words()
    assert compare.methods["mcmc"].isEnabled()


@pytest.mark.journeys
def test_why_trust_this_asks_the_other_methods_and_keeps_what_they_say(qtbot: QtBot, opened: ResultsPage) -> None:
    page, checks = opened, opened.checks
    qtbot.waitUntil(lambda: checks.shown is not None, timeout=20_000)
    assert checks.shown is not None
    assert checks.verdict.level == "warning"
    assert "Not made: fresh runs against predictions;" in checks.shown.words  # the answer was stored without its checks
    page.tabs.setCurrentWidget(checks)
    page.compare.compare_with(("mcmc", "wsabi"))
    assert not checks.ask.isEnabled()
    qtbot.waitUntil(lambda: page.compare.model.rowCount() == 3, timeout=120_000)
    keys = {c.key: c for c in checks.shown.checks}
    assert keys["with_mcmc"].level == keys["with_wsabi"].level == keys["two_sample_mcmc"].level == "good"
    assert keys["two_sample_mcmc"].figure in ("49 %", "50 %", "51 %", "52 %")
    assert checks.ask.isEnabled()
    assert "Agreement with WSABI-L\t✓ passed" in checks.table.as_text()
    with SessionStore.open(opened.file.on_disk, mode="read") as store:
        assert {m.method for m in stored_methods(store)} == {"mcmc", "wsabi"}
