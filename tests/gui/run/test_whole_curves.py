"""Predictions at every row that the program records, also before, between and beyond the data: real run, real window, CSV."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bayescope.engine.app import cli
from bayescope.engine.problem import definition as d
from bayescope.engine.report.predictions import unmeasured_of
from bayescope.engine.report.report import report_html
from bayescope.engine.session.store import SessionStore

pytestmark = [pytest.mark.window, pytest.mark.timeout(120)]
RUNS, NOISE = 14, 0.05
PROGRAM = "import sys, math\na, k = map(float, sys.argv[1:])\nprint('t y twice')\n"
PROGRAM += "[print(t / 2, a * math.exp(-k * t / 2), 2 * a * math.exp(-k * t / 2)) for t in range(41)]\n"
TIMES = (3.0, 4.0, 5.0, 7.0, 8.0, 9.0, 10.0, 12.0)
TRUTH = {"a": 2.0, "k": 0.1}


def decay(path: Path) -> Path:
    program = path.parent / "decay.py"
    program.write_text(PROGRAM)
    noise = NOISE * np.array([0.3, -0.6, 1.1, -0.2, 0.5, -1.2, 0.1, 0.4])
    measured = TRUTH["a"] * np.exp(-TRUTH["k"] * np.array(TIMES)) + noise
    problem = d.Problem(
        name="Decay",
        parameters=(
            d.Parameter(name="a", prior=d.Uniform(low=1.0, high=4.0)), d.Parameter(name="k", prior=d.Uniform(low=0.02, high=0.4))
        ),
        simulator=d.Simulator(command=(sys.executable, str(program), "@a@", "@k@")),
        outputs=tuple(
            d.Output(name=n, source="stdout", extractor=d.CsvColumn(column=n, delimiter=" ")) for n in ("t", "y", "twice")
        ),
        meaning=d.Predictions(
            matches=(d.Match(output="y", column="y", key_output="t", key_column="t"),), noise=d.GaussianKnown(sd=NOISE)
        ),
        data=d.DataTable(columns={"t": TIMES, "y": tuple(float(v) for v in measured)}),
    )  # fmt: skip
    SessionStore.create(path, problem, own=True).close()
    return path


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = decay(tmp_path_factory.mktemp("whole") / "decay.bayescope")
    cli.main(["run", str(path), "--trust", "--evaluations", str(RUNS), "--workers", "1"])
    return path


@pytest.mark.loops
def test_the_band_goes_before_between_and_beyond_the_data_and_holds_the_true_curve(
    ran: Path, open_window: Callable, qtbot: QtBot
) -> None:
    _, controller, page = open_window(1024, 700)
    assert controller.file.open(ran)
    page.show_view("predictions")
    plot = page.view("predictions").plot
    qtbot.waitUntil(lambda: bool(plot.columns) and plot.columns[0].shown is not None, timeout=10_000)
    column, whole = plot.columns[0], plot.columns[0].shown.whole
    assert column.shown.bands is not None  # outputs were learnt
    np.testing.assert_allclose(whole.x, np.arange(41) / 2)
    truth = TRUTH["a"] * np.exp(-TRUTH["k"] * whole.x)
    inside = (whole.low <= truth) & (truth <= whole.high)
    assert inside.mean() > 0.7
    assert (whole.high - whole.low).max() < 1.0  # the prior's is 3
    at = np.isin(whole.x, TIMES)
    width = column.shown.bands.high - column.shown.bands.low
    np.testing.assert_allclose(whole.middle[at], column.shown.bands.middle, atol=0.35 * float(width.max()))
    np.testing.assert_allclose((whole.high - whole.low)[at], width, rtol=0.6)
    assert plot.whole.isVisible()
    assert column.median.getData()[0][[0, -1]].tolist() == [0.0, 20.0]
    qtbot.mouseClick(plot.whole, Qt.MouseButton.LeftButton)
    assert column.median.getData()[0][[0, -1]].tolist() == [3.0, 12.0]


def test_the_table_has_the_places_that_no_data_match(ran: Path, tmp_path: Path) -> None:
    out = tmp_path / "predictions.csv"
    assert cli.main(["export", str(ran), "--predictions", str(out)]) == 0
    with out.open() as file:
        rows = list(csv.DictReader(file))
    assert [float(r["place"]) for r in rows[: len(TIMES)]] == list(TIMES)
    more = [r for r in rows[len(TIMES) :] if r["column"] == "y"]
    assert len(more) == 41 - len(TIMES)
    assert {r["along"] for r in rows if r["column"] == "y"} == {"t"}
    assert {(r["row"], r["measured"], r["measured_low"]) for r in more} == {("", "", "")}
    assert all(float(r["low"]) < float(r["median"]) < float(r["high"]) for r in more)


def test_outputs_that_are_compared_with_nothing_are_in_the_table_and_in_the_report(ran: Path, tmp_path: Path) -> None:
    out = tmp_path / "predictions.csv"
    assert cli.main(["export", str(ran), "--predictions", str(out)]) == 0
    with out.open() as file:
        rows = list(csv.DictReader(file))
    twice = [r for r in rows if r["column"] == "twice"]
    assert [float(r["place"]) for r in twice] == (np.arange(41) / 2).tolist()
    assert {(r["row"], r["measured"], r["measured_low"], r["measured_high"]) for r in twice} == {("", "", "", "")}
    single = {float(r["place"]): float(r["median"]) for r in rows if r["column"] == "y"}
    np.testing.assert_allclose([float(r["median"]) for r in twice], [2.0 * single[t / 2] for t in range(41)], rtol=0.2)
    with SessionStore.open(ran, mode="read") as store:
        (one,) = unmeasured_of(store)
        assert one.y_label == "twice"
        assert np.isnan(one.measured).all()
        assert "Other outputs" in report_html(store)
