"""Several modes in the window, on a real session file: their list, and their colours in every plot; nothing of one mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.answer.predictions.mode_predictions import by_runs
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.session.records import EvaluationRecord, IterationRecord
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.results.page import ResultsPage
from bayescope.gui.pages.run.page import RunPage
from bayescope.gui.plots import curves
from bayescope.gui.plots.pair_densities import density_image
from bayescope.gui.style.theme import theme

T = np.arange(3.0)
PROBLEM = d.Problem(
    name="Line",
    parameters=(
        d.Parameter(name="a", label="<b>Start</b>", unit="mm", prior=d.Normal(mean=0.0, sd=10.0)),
        d.Parameter(name="b", prior=d.Normal(mean=0.0, sd=10.0)),
    ),
    simulator=d.Simulator(command=("bayescope:contamination", "@a@", "@b@")),
    outputs=(d.Output(name="y", source="stdout", extractor=d.CsvColumn(column="y")),),
    meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=0.5)),
    data=d.DataTable(columns={"y": (1.0, 2.0, 3.0)}),
)
MEANS = np.array([[-3.0, 1.0], [3.0, -1.0]])
RUNS = np.concatenate([MEANS + 0.1, MEANS - 0.1, [[20.0, 20.0]]])
TWO = IterationRecord(
    iteration=7, n_evaluations=5, elbo=-3.6, elbo_sd=0.02, log_evidence=-3.5, log_evidence_sd=0.01, converged=True, warm_up=False,
    reasons=(), weights=np.array([0.7, 0.3]), means=MEANS, covariances=np.tile(0.04 * np.eye(2), (2, 1, 1)),
)  # fmt: skip
ONE = replace(TWO, weights=np.ones(1), means=MEANS[:1], covariances=0.04 * np.eye(2)[None])


def saved(path: Path, record: IterationRecord) -> Path:
    with SessionStore.create(path, PROBLEM, own=True) as store:
        for k, u in enumerate(RUNS):
            store.add_evaluation(
                EvaluationRecord(
                    index=k, order=k, u=u, values={"a": float(u[0]), "b": float(u[1])}, outcome="ok", log_likelihood=-1.0 - k,
                    log_prior=-2.0, log_target=-3.0 - k, duration_s=0.1, started_at=1.8e9, outputs={"y": u[0] + u[1] * T},
                )
            )  # fmt: skip
        store.add_iteration(record)
    return path


@pytest.fixture
def page(show: Callable[..., None], controller: SessionController) -> ResultsPage:
    page = ResultsPage(controller)
    show(page)
    return page


@pytest.fixture
def _light() -> Iterator[None]:
    yield
    theme.choose("light")


def test_several_modes_are_listed_and_the_chosen_one_has_its_summary(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path
) -> None:
    assert controller.file.open(saved(tmp_path / "two.bayescope", TWO))
    tab = page.tabs.indexOf(page.modes)
    qtbot.waitUntil(lambda: page.tabs.isTabVisible(tab), timeout=10_000)
    page.tabs.setCurrentIndex(tab)
    assert [line.split("\t")[:3] for line in page.modes.table.as_text().splitlines()[1:]] == [
        ["1", "0.70 ± 0.01", "smaller <b>Start</b> (a), larger b"],
        ["2", "0.30 ± 0.01", "larger <b>Start</b> (a), smaller b"],
    ]
    assert page.modes.rows.rows[1].best == "log density -4.00 at <b>Start</b> (a) 3.10, b -0.90"
    page.modes.table.selectRow(1)
    assert page.modes.within.text() == "Within mode 2"
    assert page.modes.summary_table.as_text().splitlines()[1].split("\t")[:3] == ["<b>Start</b> [mm] (a)", "3.00", "0.20"]
    assert [page.related.over.itemText(k) for k in range(3)] == ["Over all 2 modes", "Within mode 1", "Within mode 2"]
    assert "from one to the other one rises and the other falls" in page.related.strongest.text()
    page.related.over.choose("2")
    assert page.related.strongest.text() == "No two parameters are noticeably related: each is known by itself."
    assert page.modes.same.isHidden(), "their masses differ too much to be one answer"
    assert "mode 1: 0.70" in page.marginals.legend.accessibleName()
    assert page.marginals.legend.isVisibleTo(page.marginals)


def test_of_a_single_mode_nothing_is_shown(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path
) -> None:
    assert controller.file.open(saved(tmp_path / "one.bayescope", ONE))
    qtbot.waitUntil(lambda: page.marginals.curves is not None, timeout=10_000)
    assert not page.tabs.isTabVisible(page.tabs.indexOf(page.modes))
    assert page.marginals.legend.isHidden()
    assert page.marginals.curves is not None
    assert page.marginals.curves.modes is None
    assert all(m.shares is None for m in page.marginals.curves.marginals)


@pytest.mark.usefixtures("_light")
def test_marginals_are_painted_in_the_colours_of_their_modes_in_both_themes(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path
) -> None:
    assert controller.file.open(saved(tmp_path / "two.bayescope", TWO))
    qtbot.waitUntil(lambda: page.marginals.curves is not None, timeout=10_000)
    for choice in ("light", "dark"):
        theme.choose(choice)  # type: ignore[arg-type]
        canvas, (cell, _) = page.marginals._canvas, page.marginals.cells
        picture = canvas.grab().toImage()
        for k in (0, 1):
            inside = cell.plot.getViewBox().mapViewToScene(QPointF(MEANS[k, 0] + 0.05, 0.25))
            at = canvas.mapFromScene(inside) * picture.devicePixelRatio()
            wanted, share = theme.mode_colour(k), 1 - (1 - 0.16) * (1 - 0.3)  # the area and the 90 % interval over it
            ground = theme.colour("plot_background")
            for channel in ("red", "green", "blue"):
                under, over, shown = (getattr(c, channel)() for c in (ground, wanted, picture.pixelColor(at)))
                assert shown == pytest.approx(under + share * (over - under), abs=3)
            assert wanted.name() in page.marginals.legend.text()


def test_each_pair_is_shaded_by_the_mode_that_owns_the_place() -> None:
    posterior = StoredPosterior(ParameterSpace(PROBLEM.parameters), TWO.weights, TWO.means, TWO.covariances)
    found = curves.compute(posterior, 1, True)
    pair = found.pairs[1, 0]
    assert pair.owners is not None
    assert (pair.owners[:, :20] == 0).all(), "a is small in A"
    assert (pair.owners[:, -20:] == 1).all()
    centres = [(line[:, 0].mean(), pair.owner_of(line)) for lines in pair.contours for line in lines]
    assert all((x < 0) == (k == 0) for x, k in centres)
    image = density_image(np.full((2, 2), 255, dtype=np.uint8), np.array([[0, 1], [1, 0]], dtype=np.uint8))
    assert abs(image.pixelColor(0, 0).hslHueF() - theme.mode_colour(0).hslHueF()) < 0.02
    assert abs(image.pixelColor(1, 0).hslHueF() - theme.mode_colour(1).hslHueF()) < 0.02


def test_points_and_predictions_show_the_modes_that_runs_are_in(
    qtbot: QtBot, show: Callable[..., None], controller: SessionController, tmp_path: Path
) -> None:
    page = RunPage(controller)
    show(page, 1000, 620)
    assert controller.file.open(saved(tmp_path / "two.bayescope", TWO))
    page.show_view("points")
    points = page.view("points").plot
    qtbot.waitUntil(lambda: len(points.in_modes) == 2, timeout=10_000)
    rings = [np.stack(item.getData(), axis=1) for item in points.in_modes]
    assert np.allclose(rings[0], RUNS[[0, 2]])
    assert np.allclose(rings[1], RUNS[[1, 3]])
    page.show_view("predictions")
    plot = page.view("predictions").plot
    qtbot.waitUntil(lambda: plot.empty_words == "" and len(plot.columns[0].modes) == 2, timeout=10_000)
    first, second = (item.getData()[1] for item in plot.columns[0].modes)
    assert max(first) < 0 < min(second)
    assert not plot.legend.isHidden()


def test_what_a_mode_predicts_by_the_runs_is_their_weighted_median() -> None:
    rng = np.random.default_rng(2)
    theta = np.concatenate([m + 0.2 * rng.standard_normal((40, 2)) for m in MEANS])
    space = ParameterSpace(PROBLEM.parameters)
    outputs = {k: {"y": row[0] + row[1] * T} for k, row in enumerate(theta)}
    posterior = StoredPosterior(space, TWO.weights, TWO.means, TWO.covariances)
    found = by_runs(posterior, PROBLEM, theta, np.ones(80, dtype=bool), range(80), outputs)
    assert found is not None
    for k, line in enumerate(found.lines[0]):
        assert np.allclose(line, MEANS[k, 0] + MEANS[k, 1] * T, atol=0.2)
    single = StoredPosterior(space, ONE.weights, ONE.means, ONE.covariances)
    assert by_runs(single, PROBLEM, theta, np.ones(80, dtype=bool), range(80), outputs) is None


def test_the_verdict_above_is_that_of_the_checks_below(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path
) -> None:
    record = replace(TWO, diagnostics={"pareto_k": 0.71, "ess": 0.86})
    assert controller.file.open(saved(tmp_path / "k.bayescope", record))
    qtbot.waitUntil(lambda: page.checks.shown is not None, timeout=10_000)
    assert page.checks.verdict.level == "warning"
    assert page.checks.shown is not None
    assert f"but {len(page.checks.shown.poor)} checks are not passed: " in page.banner.words()
    assert "draws cover the posterior (k̂)" in page.banner.words()
    assert not page.advice.more.isHidden(), "what is advised where the draws miss tails has its button beside the verdict"
