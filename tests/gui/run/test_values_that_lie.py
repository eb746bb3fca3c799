"""Values far off their neighbours, as the window tells it: left out, listed with what was found out, and made again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from failing_program import problem
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_file import Agreement

pytestmark = [pytest.mark.window, pytest.mark.journeys, pytest.mark.timeout(240)]
PATIENCE = 120_000  # ms; the machine may be busy
LYING_CALL = 19  # of the program, the one that shows that it is exact among them
PROGRAM = """import sys
k, load = float(sys.argv[1]), float(sys.argv[2])
with open({calls!r}, "a+") as file:
    file.write("x")
    file.flush()
    n = file.tell()
print("chi2 = %r" % (((k - 0.55) / 0.1) ** 2 + ((load - 50) / 10) ** 2 - (60.0 if n == {call} else 0.0)))
"""


def wait_for_the_end(controller: Any, qtbot: QtBot) -> None:
    assert controller.run.active
    qtbot.waitUntil(lambda: controller.run.data.outcome is not None and not controller.run.active, timeout=PATIENCE)


def test_a_value_that_lies_is_listed_as_left_out_and_made_again_by_a_button(
    open_window: Callable[..., Any], qtbot: QtBot, tmp_path: Path
) -> None:
    _, controller, page = open_window()
    program = tmp_path / "model.py"
    program.write_text(PROGRAM.format(calls=str(tmp_path / "calls"), call=LYING_CALL))
    settings = d.Settings(max_evaluations=40, workers=1, seed=1)
    assert controller.file.adopt(msgspec.structs.replace(problem(program), settings=settings))
    assert controller.file.save_as(tmp_path / "mine")
    controller.file.ask_consent = lambda *_: Agreement(confined=False, quietly=False)
    qtbot.waitUntil(page.strip.start.isEnabled, timeout=5000)
    qtbot.mouseClick(page.strip.start, Qt.MouseButton.LeftButton)
    wait_for_the_end(controller, qtbot)
    lie = LYING_CALL - 2  # calls count from 1, and the first run was made twice
    data = controller.run.data
    assert data.far_off.with_fate("left out") == (lie,)
    beside = int(data.far_off.beside[0])

    page.show_view("runs")
    runs = page.view("runs")
    table, part = runs.table, runs.far_off
    qtbot.waitUntil(part.isVisible, timeout=5000)
    assert "1 of " in part.words.text()
    assert f"(run {lie})" in part.words.text()
    assert ", 1 left out" in table.count.text()
    qtbot.mouseClick(part.show_them, Qt.MouseButton.LeftButton)
    assert [table.model.evaluation(row).index for row in range(table.model.rowCount())] == [lie]
    assert table.model.text(0, 1) == "≠ left out"
    table.select(lie)
    assert "Far off its neighbours (" in table.details.words.text()
    assert f"Run {beside}, right beside it, came out otherwise" in table.details.words.text()
    page.show_view("points")
    points = page.view("points").plot
    qtbot.waitUntil(lambda: len(points.doubts.data) == 1, timeout=5000)
    page.show_view("runs")

    told = {e.index: e for e in data.evaluations}
    qtbot.mouseClick(part.again, Qt.MouseButton.LeftButton)
    wait_for_the_end(controller, qtbot)
    after = {e.index: e for e in controller.run.data.evaluations}
    assert set(told) <= set(after)
    assert after[lie].values == told[lie].values
    assert after[lie].log_likelihood == pytest.approx(told[lie].log_likelihood - 30.0)
    assert all(after[i].started_at == told[i].started_at for i in set(told) - {lie})
    qtbot.waitUntil(lambda: not controller.run.data.far_off.with_fate("left out"), timeout=5000)
