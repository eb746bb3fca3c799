"""A column of errors that is chosen for values in another unit is asked about on the card of its comparison."""

from __future__ import annotations

import msgspec
import pytest
from data_pages import click, matches, words
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

TABLE = d.DataTable(columns={
    "O-C [d]": (0.01, -0.02, 0.03), "spread [min]": (1.44, 2.88, 4.32), "U [V]": (1.0, -2.0, 4.0), "spread [%]": (1.0, 2.0, 3.0),
})  # fmt: skip


def with_errors(page: DataPage, controller: SessionController) -> None:
    declared = controller.problem.declared
    pairs = (
        d.Match(output="u", column="O-C [d]", sd_column="spread [min]"),
        d.Match(output="v", column="U [V]", sd_column="spread [%]"),
    )
    meaning = d.Predictions(matches=pairs, noise=d.GaussianKnown())
    controller.problem.replace(msgspec.structs.replace(declared, data=TABLE, meaning=meaning), "x")
    page.tabs.setCurrentIndex(1)
    QApplication.processEvents()


def button(page: DataPage, text: str) -> QPushButton:
    return next(b for b in page.matching.units.findChildren(QPushButton) if words(b) == text)


def test_minutes_beside_days_are_divided_and_renamed(qtbot: QtBot, page: DataPage, controller: SessionController) -> None:
    with_errors(page, controller)
    page.matching.show_comparison(0)
    assert "“spread [min]” holds errors in min, and “O-C [d]” is in d" in page.matching.units.words()
    click(qtbot, button(page, "Divide them by 1440"))
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns["spread (d)"] == pytest.approx((0.001, 0.002, 0.003))
    assert list(data.columns)[1] == "spread (d)", "where it was"
    assert matches(controller)[0].sd_column == "spread (d)"
    assert not page.matching.units.isVisible()


def test_percentages_beside_volts_become_volts(qtbot: QtBot, page: DataPage, controller: SessionController) -> None:
    with_errors(page, controller)
    page.matching.show_comparison(1)
    assert "holds errors in % of each value, and “U [V]” is in V" in page.matching.units.words()
    click(qtbot, button(page, "Count them in V"))
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns["spread (V)"] == pytest.approx((0.01, 0.04, 0.12))
    assert matches(controller)[1].sd_column == "spread (V)"


def test_the_doubt_waits_beside_the_table_too(page: DataPage, controller: SessionController) -> None:
    with_errors(page, controller)
    assert page.status()[0] == "todo"
    assert "holds errors in min" in page.message.words()


def test_one_of_several_columns_of_errors_is_divided_alone(qtbot: QtBot, page: DataPage, controller: SessionController) -> None:
    with_errors(page, controller)
    page.tabs.setCurrentIndex(2)
    QApplication.processEvents()
    part = page.errors.divide
    assert [part.which.itemText(i) for i in range(part.which.count())] == ["in all 2", "in spread [min]", "in spread [%]"]
    part.which.setCurrentIndex(1)
    part.which.activated.emit(1)
    part.field.setText("24*60")
    click(qtbot, part.button)
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns["spread [min]"] == pytest.approx((0.001, 0.002, 0.003))
    assert data.columns["spread [%]"] == (1.0, 2.0, 3.0)
