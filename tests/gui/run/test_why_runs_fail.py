"""Why runs failed, as the window tells it: shapes by reason, what failed runs share, mends, and only those made again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from failing_program import PROGRAM, problem
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_file import Agreement
from bayescope.gui.models.results.summary import both_evidences
from bayescope.gui.pages.failures_part import AGAIN
from bayescope.gui.pages.run import view as run_view

pytestmark = [pytest.mark.window, pytest.mark.journeys, pytest.mark.timeout(240)]
PATIENCE = 120_000  # ms; the machine may be busy


def start_and_wait(page: Any, controller: Any, qtbot: QtBot, press: Any) -> None:
    qtbot.mouseClick(press, Qt.MouseButton.LeftButton)
    assert controller.run.active
    qtbot.waitUntil(lambda: controller.run.data.outcome is not None and not controller.run.active, timeout=PATIENCE)


def buttons(part: Any) -> dict[str, QPushButton]:
    return {b.text(): b for b in part.rows.findChildren(QPushButton)}


def test_failed_runs_are_explained_opened_and_made_again_once_the_program_is_mended(
    open_window: Callable[..., Any], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, controller, page = open_window()
    program = tmp_path / "model.py"
    program.write_text(PROGRAM.format(beyond="sys.exit(3)"))
    assert controller.file.adopt(problem(program))
    assert controller.file.save_as(tmp_path / "mine")
    qtbot.waitUntil(page.strip.start.isEnabled, timeout=5000)
    start_and_wait(page, controller, qtbot, page.strip.start)
    before = {e.index: e for e in controller.run.data.evaluations}
    failed = {i for i, e in before.items() if e.outcome == "failed"}
    assert len(failed) >= 3

    page.show_view("points")
    points = page.view("points").plot
    qtbot.waitUntil(lambda: len(points.failures.data) == len(failed), timeout=5000)
    assert f"crashed&nbsp;{len(failed)}" in points.reasons.text()
    assert points.shade.visible, "the probability of success lies under the points"
    assert len(points.shade.shade.border) >= 1
    page.show_view("overview")
    marginals = page.view("overview").marginals
    qtbot.waitUntil(lambda: marginals.hatched, timeout=5000)
    assert "hatched" in marginals._hint.whole
    answer = controller.run.data.answer
    assert both_evidences(answer.diagnostics).endswith("if those values are impossible.")
    page.show_view("pairs")
    pairs = page.view("pairs").plot.widget
    qtbot.waitUntil(lambda: pairs._curves is not None and pairs.legend(pairs._curves).failing, timeout=5000)
    page.show_view("points")
    opened: list[Path] = []
    monkeypatch.setattr(run_view, "reveal", opened.append)
    index = min(failed)
    points.point_clicked.emit(index)
    assert opened == [tmp_path / "mine.runs" / before[index].run_folder]

    page.show_view("runs")
    part = page.view("runs").failures
    qtbot.waitUntil(part.isVisible, timeout=5000)
    assert part.summary.text().startswith(f"Crashed: {len(failed)}, k > 0.")
    qtbot.mouseClick(part.open_button, Qt.MouseButton.LeftButton)
    found = buttons(part)
    assert any(text.startswith("Leave out k > 0.") for text in found)

    program.write_text(PROGRAM.format(beyond="pass"))
    controller.file.ask_consent = lambda *_: Agreement(confined=False, quietly=False)
    start_and_wait(page, controller, qtbot, found[AGAIN])
    after = {e.index: e for e in controller.run.data.evaluations}
    assert set(before) <= set(after)
    assert all(after[i].outcome == "ok" and after[i].values == before[i].values for i in failed)
    assert all(after[i].started_at == before[i].started_at for i in set(before) - failed)
    qtbot.waitUntil(lambda: not part.isVisible(), timeout=5000)
    page.show_view("points")
    qtbot.waitUntil(lambda: not points.failures.data.size, timeout=5000)
    assert not points.reasons.isVisible()


def test_a_longer_limit_is_one_press_and_holds_for_the_runs_made_again(
    open_window: Callable[..., Any], qtbot: QtBot, tmp_path: Path
) -> None:
    import msgspec

    _, controller, page = open_window()
    program = tmp_path / "model.py"
    program.write_text(PROGRAM.format(beyond="time.sleep(1.2)"))
    quick = problem(program)
    simulator = msgspec.structs.replace(quick.simulator, limits=d.Limits(time_s=0.8))
    assert controller.file.adopt(
        msgspec.structs.replace(quick, simulator=simulator, settings=d.Settings(max_evaluations=8, workers=2, seed=1))
    )
    assert controller.file.save_as(tmp_path / "mine")
    qtbot.waitUntil(page.strip.start.isEnabled, timeout=5000)
    start_and_wait(page, controller, qtbot, page.strip.start)
    failed = {e.index for e in controller.run.data.evaluations if e.outcome == "failed"}
    assert failed
    page.show_view("runs")
    part = page.view("runs").failures
    qtbot.waitUntil(part.isVisible, timeout=5000)
    assert "Ran out of time" in part.summary.text()
    qtbot.mouseClick(part.open_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(buttons(part)["Allow 2.4 s"], Qt.MouseButton.LeftButton)
    assert controller.problem.declared.simulator.limits.time_s == pytest.approx(2.4)
    assert "2.4 s" in part.message.words()
    start_and_wait(page, controller, qtbot, buttons(part)[AGAIN])
    assert {e.outcome for e in controller.run.data.evaluations if e.index in failed} == {"ok"}


POLAR = """import sys
k = float(sys.argv[1])
for alpha in (0, 1, 2, 3, 4, -1, -2):
    if alpha != 1 or int(1e4 * k) % 3:
        print(alpha, k * (1 + 0.1 * alpha))
"""


def test_rows_that_runs_lack_between_others_are_interpolated_by_a_button_and_no_new_run_is_made(
    open_window: Callable[..., Any], qtbot: QtBot, tmp_path: Path
) -> None:
    _, controller, page = open_window()
    program = tmp_path / "polar.py"
    program.write_text(POLAR)
    alpha = (-2.0, 0.0, 1.0, 3.0)
    data = d.DataTable(columns={"alpha": alpha, "y": tuple(0.5 * (1.0 + 0.1 * a) for a in alpha)})
    match = d.Match(output="y", column="y", key_output="alpha", key_column="alpha")
    whole = d.Problem(
        name="Polar with gaps",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=(sys.executable, "-I", "-S", str(program), "@k@")),
        outputs=tuple(
            d.Output(name=name, source="stdout", extractor=d.CsvColumn(column=i, delimiter=" "))
            for i, name in enumerate(("alpha", "y"))
        ),
        meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=0.05)),
        data=data,
        settings=d.Settings(max_evaluations=16, workers=2, seed=1),
    )
    assert controller.file.adopt(whole)
    assert controller.file.save_as(tmp_path / "mine")
    qtbot.waitUntil(page.strip.start.isEnabled, timeout=5000)
    start_and_wait(page, controller, qtbot, page.strip.start)
    first = controller.file.path
    before = {e.index: e for e in controller.run.data.evaluations}
    failed = {i for i, e in before.items() if e.outcome == "failed"}
    assert failed
    page.show_view("runs")
    part = page.view("runs").failures
    qtbot.waitUntil(part.isVisible, timeout=5000)
    qtbot.mouseClick(part.open_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(buttons(part)["Interpolate between rows…"], Qt.MouseButton.LeftButton)
    assert controller.file.runs_of == first
    qtbot.waitUntil(lambda: controller.run.data.answer is not None and controller.run.n_runs == len(before), timeout=PATIENCE)
    assert {e.outcome for e in controller.run.data.evaluations} == {"ok"}
    assert "no run was made" in controller.run.data.outcome.words
