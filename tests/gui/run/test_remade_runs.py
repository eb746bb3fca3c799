"""Runs that are made again once the program was mended: every figure that is shown counts each of them once."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.app.failures_command import print_failures
from bayescope.engine.problem import definition as d
from bayescope.engine.report.report import report_html
from bayescope.engine.session.store import SessionStore
from bayescope.gui.pages.failures_part import AGAIN, MENDED

pytestmark = [pytest.mark.window, pytest.mark.journeys, pytest.mark.timeout(240)]
PATIENCE = 120_000  # ms; the machine may be busy
RUNS = 24
SAID = "a is too large for the table of this version"
PROGRAM = """
import math, os, sys
a, b = float(sys.argv[1]), float(sys.argv[2])
if a > 1.2 and not os.path.exists({mended!r}):
    sys.exit({said!r})
print("t y")
for k in range(6):
    print(k, math.exp(-a * k / 3.0) * b)
"""


def declared(script: Path) -> d.Problem:
    columns = {"t": tuple(map(float, range(6))), "y": tuple(0.8 * 0.72**k + (-1.0) ** k * 0.02 for k in range(6))}
    return d.Problem(
        name="Decay",
        parameters=tuple(d.Parameter(name=n, prior=d.Uniform(low=0.0, high=2.0)) for n in "ab"),
        simulator=d.Simulator(command=(sys.executable, "-I", "-S", str(script), "@a@", "@b@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.CsvColumn(column=n, delimiter=" ")) for n in ("t", "y")),
        data=d.DataTable(columns=columns),
        meaning=d.Predictions(
            matches=(d.Match(output="y", column="y", key_output="t", key_column="t"),), noise=d.GaussianKnown(sd=0.05)
        ),
        settings=d.Settings(max_evaluations=RUNS, workers=1, seed=3),
    )


def look(page: Any) -> tuple[str, str, list[int]]:
    """What the strip, the list of runs and the trace say."""
    page.strip.refresh()
    runs, data = page.view("runs"), page.run.data
    runs.update_view(data, data.answer, None)
    return page.strip.runs.value.text(), runs.table.count.text(), [t.n_evaluations for t in data.trace]


def test_figures_agree_while_failed_runs_are_made_again_and_after(
    open_window: Callable[..., Any], qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mended, path = tmp_path / "mended", tmp_path / "decay.bayescope"
    (script := tmp_path / "program.py").write_text(PROGRAM.format(mended=str(mended), said=SAID))
    _, controller, page = open_window()
    controller.problem.replace(declared(script), "Declare")
    controller.file.ask_consent = lambda *_: True
    assert controller.file.save_as(path)
    assert controller.run.start()
    qtbot.waitUntil(lambda: controller.run.n_runs > 0 and not controller.run.active, timeout=PATIENCE)
    failed = tuple(e.index for e in controller.run.data.evaluations if e.outcome == "failed")
    assert len(failed) >= 3
    left, n = RUNS - len(failed), len(failed)

    mended.touch()
    runs = page.view("runs")
    look(page)
    again = next(b for b in runs.failures.rows.findChildren(QPushButton) if b.text() in (AGAIN, MENDED))
    again.click()
    bar, count, trace = look(page)
    assert bar == f"{left} of {RUNS}", "not those that are made again"
    assert count == f"{left} runs, 0 failed, {n} to be made again"
    assert trace[-1] == left == controller.run.data.answer.trace.n_evaluations
    assert controller.run.data.trace[-1].reasons == (f"{n} runs are made again: the next answer is made with them.",)
    assert not controller.run.data.trace[-1].converged

    qtbot.waitUntil(lambda: not controller.run.active, timeout=PATIENCE)
    qtbot.waitUntil(lambda: bool(controller.run.data.set_aside[-1].run_folder), timeout=PATIENCE)
    bar, count, trace = look(page)
    made = controller.run.n_runs
    assert bar == f"{made} of {RUNS}"
    assert count == f"{made} runs, 0 failed, {n} made again"
    assert trace == sorted(trace), "the trace never turns back"
    assert trace[-1] == made

    runs.table.which.setCurrentIndex(runs.table.which.findData("again"))
    assert runs.table.model.rowCount() == n
    runs.table.select(failed[0])
    details = runs.table.details
    assert details.head.text() == f"Run {failed[0]}: good"
    assert "An earlier attempt, of" in details.words.text()
    assert SAID in details.words.text()
    assert details.open_earlier.isVisibleTo(details)
    assert SAID in (details._earlier / "bayescope_stderr.txt").read_text()

    before = look(page)
    assert controller.file.new()
    assert look(page)[1] == "0 runs, 0 failed"
    assert controller.file.open(path)
    assert look(page) == before, "as the file tells it"
    assert print_failures(path) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{n} runs were made again after failing")
    assert f"None of the {made} runs failed." in said
    with SessionStore.open(path, mode="read") as store:
        told = report_html(store)
    assert f"0 runs failed, 0 were impossible. {n} runs were made again" in told
