"""Ctrl and a click on one heading after the other marks several columns, whatever stands between the headings."""

from __future__ import annotations

from typing import Any

import pytest
from marked_texts import LEFT, at, click, drag, ran, shown_spans
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.simulator.page import SimulatorPage

ROWS = ("0,1.5,2.5,7", "1,1.6,2.7,8", "2,1.9,2.9,9")
CTRL = Qt.KeyboardModifier.ControlModifier


def table(heading: str, sign: str) -> str:
    return "\n".join([heading, *(row.replace(",", sign) for row in ROWS), ""])


def ctrl_click(picker: Any, what: str) -> None:
    QTest.mouseClick(picker.text.viewport(), LEFT, CTRL, at(picker, what))


def ticked(picker: Any) -> list[str]:
    return [f.name for f in picker.strip.each.ticked()]


def picker_with(page: SimulatorPage, engines: list[Any], text: str) -> Any:
    page.panel.run()
    ran(engines, 1.0, text)
    return page.outputs.picker


@pytest.mark.parametrize(
    ("heading", "sign", "clicked", "names"),
    [
        ("time,flow,level,temp", ",", ("flow", "level", "temp"), ["flow", "level", "temp"]),
        ("time, flow, level, temp", ", ", ("flow", "level", "temp"), ["flow", "level", "temp"]),
        ("time;flow;level;temp", ";", ("time", "level", "temp"), ["time", "level", "temp"]),
        ("time [s],flow [m3/s],water level [m],T [K]", ",", ("flow", "water", "T [K]"), ["flow", "water_level", "T"]),
        ('"time","flow rate","level","T"', ",", ("flow rate", "level"), ["flow_rate", "level"]),
        ("Step,Node 5,Node 7,Node 9", ",", ("Node 5", "Node 9"), ["Node_5", "Node_9"]),
        ("clock [mm:ss],flow,level,T", ",", ("flow", "level"), ["flow", "level"]),
        ("time   flow rate   water level   temp", "   ", ("flow", "water", "temp"), ["flow_rate", "water_level", "temp"]),
        ("#time flow level temp", " ", ("time", "level"), ["time", "level"]),
        ("2theta,flow,level,temp", ",", ("flow", "2theta"), ["flow", "p_2theta"]),
        ("time 10min 20min 30min", " ", ("10min", "30min"), ["p_10min", "p_30min"]),
        ("time,5 cm,10 cm,20 cm", ",", ("5 cm", "20 cm"), ["p_5_cm", "p_20_cm"]),
        ("time   5 cm   10 cm   20 cm", "   ", ("5 cm", "10 cm"), ["p_5_cm", "p_10_cm"]),
        ("| time | flow | level | temp |", " | ", ("flow", "level"), ["flow", "level"]),
    ],
)
def test_headings_clicked_with_ctrl_are_columns_of_their_own(
    page: SimulatorPage, engines: list[Any], controller: SessionController, heading: str, sign: str,
    clicked: tuple[str, ...], names: list[str],
) -> None:  # fmt: skip
    text = table(heading, sign)
    if sign == " | ":
        text = "\n".join(line if line.startswith("|") else f"| {line} |" for line in text.splitlines()) + "\n"
    picker = picker_with(page, engines, text)
    click(picker, clicked[0])
    for what in clicked[1:]:
        ctrl_click(picker, what)
    assert ticked(picker) == names
    ctrl_click(picker, clicked[-1])  # taken back
    ctrl_click(picker, clicked[-1])
    QTest.mouseClick(picker.strip.take_each, LEFT)
    outputs = controller.problem.declared.outputs
    assert [o.name for o in outputs] == names
    assert all(len(picker._texts.read_by([o], "stdout")) == len(ROWS) for o in outputs), "every row of each"


def test_a_column_chosen_by_its_numbers_stays_beside_a_heading_clicked_with_ctrl(page: SimulatorPage, engines: list[Any]) -> None:
    picker = picker_with(page, engines, table("time,flow,level,temp", ","))
    click(picker, "1.6")
    QTest.mouseClick(picker.strip.scopes["column"], LEFT)
    ctrl_click(picker, "temp")
    assert ticked(picker) == ["flow", "temp"]


def test_a_column_without_a_heading_is_one_of_several_too(page: SimulatorPage, engines: list[Any]) -> None:
    text = "\n".join(["  up   1.51   2.54", "  mid   1.65   2.75", "  low   1.94   2.96", ""])
    picker = picker_with(page, engines, text)
    drag(picker, "1.51", "1.94")
    assert shown_spans(picker) == ["1.51", "1.65", "1.94"]
    start, end = at(picker, "2.54", inside=1), at(picker, "2.96", inside=3)
    QTest.mousePress(picker.text.viewport(), LEFT, CTRL, start)
    QTest.mouseMove(picker.text.viewport(), end)
    QTest.mouseRelease(picker.text.viewport(), LEFT, CTRL, end)
    assert len(ticked(picker)) == 2
    assert sorted(shown_spans(picker)) == ["1.51", "1.65", "1.94", "2.54", "2.75", "2.96"]


def test_a_heading_and_a_number_are_marked_together(page: SimulatorPage, engines: list[Any]) -> None:
    picker = picker_with(page, engines, "total loss = 12.5\n\n" + table("time,flow,level,temp", ","))
    click(picker, "flow")
    ctrl_click(picker, "12.5")
    ctrl_click(picker, "level")
    assert ticked(picker) == ["flow", "level", "total_loss"]


def test_a_heading_of_texts_clicked_before_a_further_one_is_said_to_be_left_off(page: SimulatorPage, engines: list[Any]) -> None:
    text = " state      T     load\n A1    150.00   36.634\n A2    200.00   61.718\n A3    275.00   82.064\n"
    picker = picker_with(page, engines, text)
    click(picker, "state")
    ctrl_click(picker, "load")
    assert picker.strip.current().names == ("load",)
    assert "“state” holds texts and is left off" in picker.strip.reads.text()


def test_headings_above_a_row_of_units_are_picked_with_ctrl_as_others_are(page: SimulatorPage, engines: list[Any]) -> None:
    text = (
        "Results\n  Step   Load   Disp at tip   Stress max\n         kN     mm            MPa\n"
        "  1      10.0   0.5           100.5\n  2      20.0   1.0           201.0\n"
    )
    picker = picker_with(page, engines, text)
    click(picker, "Load")
    assert shown_spans(picker) == ["10.0", "20.0"]
    for heading in ("Disp", "Stress"):
        ctrl_click(picker, heading)
    assert ticked(picker) == ["Load", "Disp_at_tip", "Stress_max"]
