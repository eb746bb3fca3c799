"""Positions of several drifters in one file: split by the drifter, and what is measured is split by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from data_pages import PROBLEM, click, opened
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.importing.columns import SPLIT_MEASURED
from bayescope.gui.pages.data.page import DataPage

FIXES = "Timestamp;Unit;Latitude;Longitude;Quality\n" + "".join(
    f"2026-09-07 {8 + h:02}:00;D3{k};54.{h}{k};7.{h}{k};A\n" for h in range(5) for k in (1, 2, 4)
)
CAST = "Timestamp;Site;Station depth (m);T (degC);S (PSU)\n" + "".join(
    f"2026-09-07 {8 + h:02}:00;B{k};{10 * k};1{h}.{k};3{h}.{k}\n" for h in range(5) for k in (1, 2)
)


@pytest.fixture
def problem() -> d.Problem:
    return PROBLEM


def split_by(page: DataPage, name: str) -> None:
    page.importer._split_by(name)
    QApplication.processEvents()


def uses(page: DataPage) -> dict[str, str]:
    return {old: use for old, _, use in page.importer.columns.rows}


def test_positions_are_split_by_the_drifter_and_are_no_keys(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "fixes.csv", FIXES)
    split_by(page, "Unit")
    assert {name: use for name, use in uses(page).items() if use == "split"} == {"Latitude": "split", "Longitude": "split"}
    click(qtbot, page.importer.use)
    data = controller.problem.declared.data
    assert data is not None
    assert {"Latitude D31", "Longitude D34"} <= set(data.columns)


def test_all_that_is_measured_beside_times_is_split_but_what_is_the_same_for_a_site(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "cast.csv", CAST)
    split_by(page, "Site")
    found = uses(page)
    assert (found["T (degC)"], found["S (PSU)"]) == ("split", "split")
    assert found["Station depth (m)"] != "split"


def test_where_nothing_is_split_one_button_splits_the_measured_columns(
    qtbot: QtBot, page: DataPage, tmp_path: Path
) -> None:
    opened(page, tmp_path / "fixes.csv", FIXES)
    split_by(page, "Unit")
    model = page.importer.columns
    for i, (_, _, use) in enumerate(model.rows):
        if use == "split":
            model.setData(model.index(i, 2), "take")
    QApplication.processEvents()
    message = page.importer.columns_message
    assert "No column is split by “Unit”" in message.words()
    assert message._button.text() == SPLIT_MEASURED
    click(qtbot, message._button)
    assert uses(page)["Latitude"] == "split"
    assert page.importer.use.isEnabled()
