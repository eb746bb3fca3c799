"""A file below another one whose clock or day 0 is another: nothing that is there moves unless it is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run, typed
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

FIXES = (
    "Times: local time CEST (UTC+2);;\n;;\nTimestamp;u\n2026-09-07 08:00;1.5\n2026-09-07 11:00;2.5\n2026-09-07 14:00;3.5\n"
)
CURRENT = "Time_UTC;v\n2026-09-07 06:00;5\n2026-09-07 09:00;6\n"
THERE, HERE = "Timestamp (h since 2026-09-07 08:00)", "Time_UTC (h since 2026-09-07 06:00)"


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("hour", 0), column("u", 1), column("v", 2)))


def in_hours(page: DataPage, name: str) -> None:
    model = page.importer.columns
    row = next(i for i, r in enumerate(model.rows) if r[0] == name)
    model.setData(model.index(row, 2), "in h")
    QApplication.processEvents()


def numbers(controller: SessionController) -> dict[str, tuple[float | None, ...]]:
    assert controller.problem.declared.data is not None
    return dict(controller.problem.declared.data.columns)


def both_opened(page: DataPage, folder: Path, qtbot: QtBot, second: str = CURRENT, name: str = "Time_UTC") -> None:
    opened(page, folder / "fixes.csv", FIXES)
    in_hours(page, "Timestamp")
    typed(page.importer.day_zero.field, "2026-09-07 08:00", qtbot)
    click(qtbot, page.importer.use)
    opened(page, folder / "current.csv", second)
    in_hours(page, name)


def test_another_zone_is_told_and_the_same_moment_is_one_click(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    both_opened(page, tmp_path, qtbot)
    asked = page.importer.used.zeros
    assert asked.level == "warning"
    assert "“CEST (UTC+2)”" in asked.words()
    assert "“UTC”" in asked.words()
    click(qtbot, asked._button)
    assert page.importer.day_zero.field.text() == "2026-09-07 06:00"
    assert asked.level == "ok", "the same moment on both clocks"
    click(qtbot, page.importer.add)
    found = numbers(controller)
    assert found[THERE] == (0.0, 3.0, 6.0, None, None), "the first file keeps its hours"
    assert found[HERE] == (None, None, None, 0.0, 3.0)


def test_a_day_0_typed_for_the_second_file_moves_nothing_of_the_first(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    both_opened(page, tmp_path, qtbot, CURRENT.replace("Time_UTC", "Timestamp"), "Timestamp")
    typed(page.importer.day_zero.field, "2026-09-07 06:00", qtbot)
    assert "each keeps its own day 0" in page.importer.used.zeros.words()
    click(qtbot, page.importer.add)
    assert numbers(controller)[THERE][:3] == (0.0, 3.0, 6.0)
    assert numbers(controller)["Timestamp (h since 2026-09-07 06:00)"][3:] == (0.0, 3.0)


def test_each_comparison_pairs_by_the_hours_of_its_own_file_and_another_day_0_moves_that_one_alone(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    both_opened(page, tmp_path, qtbot)
    click(qtbot, page.importer.used.zeros._button)
    click(qtbot, page.importer.add)
    trial_run(page, engines, "".join(f"{h} {h}.5 {h}.25\n" for h in range(9)))
    while page.message._button.isVisible() and any(not m.keys for m in matches(controller)):
        click(qtbot, page.message._button)
    assert {m.output: m.key_column for m in matches(controller)} == {"u": THERE, "v": HERE}
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(1)
    page.matching.details.day_zero.changed.emit(page.matching.details.day_zero._start - 3600.0)
    assert THERE in numbers(controller)
    assert "Time_UTC (h since 2026-09-07 05:00)" in numbers(controller)
