"""Further rows of a large table are named by what stands first in them, beside the number that was clicked."""

from __future__ import annotations

from typing import Any

from marked_texts import LEFT, click, ran
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.simulator.page import SimulatorPage

NODES = (*range(1, 40), 929, 1393)


def displacements(factor: float) -> str:
    rows = (f"{n:6d}    {factor * n:+.7E}    {-2.0 * factor * n:+.7E}" for n in NODES)
    return "\n".join(["displacements", "", "Node      U(1)      U(2)", "", *rows, ""])


def test_the_numbers_below_the_clicked_one_in_the_named_rows_are_outputs(
    page: SimulatorPage, engines: list[Any], controller: SessionController
) -> None:
    page.panel.run()
    ran(engines, 1.0, displacements(0.001))
    picker = page.outputs.picker
    click(picker, "-2.0000000E-03")
    assert picker.strip.rows.isVisible()
    assert picker.strip.rows.placeholderText() == "rows beside 1: 12, 40, …"
    picker.strip.rows.setFocus()
    QTest.keyClicks(picker.strip.rows, "929, 77")
    QTest.keyClick(picker.strip.rows, Qt.Key.Key_Return)
    assert "No row begins with 77" in picker.strip.reads.whole
    picker.strip.rows.clear()
    QTest.keyClicks(picker.strip.rows, "929 1393")
    QTest.keyClick(picker.strip.rows, Qt.Key.Key_Return)
    assert [f.name for f in picker.strip.each.ticked()] == ["U_2_1", "U_2_929", "U_2_1393"]
    QTest.mouseClick(picker.strip.take_each, LEFT)
    assert [o.name for o in controller.problem.declared.outputs] == ["U_2_1", "U_2_929", "U_2_1393"]


def test_a_column_is_no_row_and_asks_for_none(page: SimulatorPage, engines: list[Any]) -> None:
    page.panel.run()
    ran(engines, 1.0, displacements(0.001))
    picker = page.outputs.picker
    click(picker, "-2.0000000E-03")
    QTest.mouseClick(picker.strip.scopes["column"], LEFT)
    assert not picker.strip.rows.isVisible()
