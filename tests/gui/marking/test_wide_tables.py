"""Tables of more columns than become outputs at once: some are ticked in a list of all."""

from __future__ import annotations

from typing import Any

import pytest
from marked_texts import LEFT, at, click, ran, shown_spans
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.marks.mark import MOST_LISTED, MOST_OUTPUTS
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.simulator.page import SimulatorPage

NAMES = [
    *"sim state soln dist_x time step pH pe reaction temp Alk mu mass_H2O charge pct_err Ca Na K Cl".split(),
    *"N(5) C(4) m_CaX2 m_NaX m_KX si_Calcite si_CO2(g)".split(),
]
STATES = ["i_soln", "i_soln", "transp", "transp", "transp"]


def selected_output(scale: float = 1.0) -> str:
    """As PHREEQC writes it: tabs between right-aligned columns, labels in one of them."""
    rows = [[f"{scale * (k + 1) + 0.01 * i:.5g}" for i in range(len(NAMES))] for k in range(len(STATES))]
    for row, state in zip(rows, STATES, strict=True):
        row[1] = state
    return "".join("".join(f"{cell:>12}\t" for cell in row) + "\n" for row in (NAMES, *rows))


@pytest.fixture
def picker(page: SimulatorPage, engines: list[Any]) -> Any:
    page.panel.run()
    ran(engines, 1.0, selected_output())
    return page.outputs.picker


def ctrl_click(picker: Any, what: str) -> None:
    QTest.mouseClick(picker.text.viewport(), LEFT, Qt.KeyboardModifier.ControlModifier, at(picker, what))


def ticked(picker: Any) -> list[str]:
    return [f.label for f in picker.strip.each.ticked()]


def test_the_columns_of_a_wide_table_are_listed_and_those_that_the_data_name_are_ticked_first(
    picker: Any, controller: SessionController
) -> None:
    columns = ("Schritt", "Natrium (mmol/l)", "Natrium sd (mmol/l)", "Ca (mmol/l)")  # some in another language than the program's
    data = d.DataTable(columns=dict.fromkeys(columns, (3.0, 4.0)))
    controller.problem.edit("data", data=data)
    click(picker, "pH")
    QTest.mouseClick(picker.strip.scopes["table"], LEFT)
    ones = picker.strip.each.ones
    assert ticked(picker) == ["step", "Ca", "Na"]
    assert [one.found.label for one in ones] == ["step", "Ca", "Na", *(n for n in NAMES if n not in ("step", "Ca", "Na"))]
    assert picker.strip.told.text() == picker.strip.told.shown == f"26 columns: tick up to {MOST_OUTPUTS}"
    assert all(one.height() >= one.sizeHint().height() for one in ones), "rows that scroll are not squeezed"
    QTest.mouseClick(picker.strip.take_each, LEFT)
    assert [o.name for o in controller.problem.declared.outputs] == ["step", "Ca", "Na"]


def test_no_more_are_ticked_than_become_outputs_at_once(picker: Any, controller: SessionController) -> None:
    click(picker, "pH")
    QTest.mouseClick(picker.strip.scopes["table"], LEFT)
    assert ticked(picker) == []
    assert not picker.strip.take_each.isEnabled()
    for one in picker.strip.each.ones:
        one.tick.setChecked(True)
    assert picker.strip.told.text() == f"26 are ticked, {MOST_OUTPUTS} at most become outputs"
    assert not picker.strip.take_each.isEnabled()
    picker.accept()
    assert controller.problem.declared.outputs == ()
    for one in picker.strip.each.ones[3:5]:
        one.tick.setChecked(False)
    QTest.mouseClick(picker.strip.take_each, LEFT)
    assert len(controller.problem.declared.outputs) == MOST_OUTPUTS


def test_the_column_is_back_after_the_list_and_its_heading_is_ticked_with_ctrl_in_the_list(picker: Any) -> None:
    click(picker, "pH")
    QTest.mouseClick(picker.strip.scopes["table"], LEFT)
    ctrl_click(picker, "temp")
    ctrl_click(picker, "pH")
    assert ticked(picker) == ["pH", "temp"]
    ctrl_click(picker, "temp")
    assert ticked(picker) == ["pH"]
    QTest.mouseClick(picker.strip.scopes["column"], LEFT)
    assert picker.strip.name.text() == "pH"
    assert not picker.strip.by_itself
    assert len(shown_spans(picker)) == len(STATES)


def test_why_a_table_of_very_many_columns_cannot_be_read_is_said_whole(
    page: SimulatorPage, engines: list[Any]
) -> None:
    page.panel.run()
    many = MOST_LISTED + 1
    rows = (" ".join(f"{k * i % 97 + 0.5:5.1f}" for i in range(many)) for k in range(1, 4))
    ran(engines, 1.0, "\n".join([" ".join(f"{f'c{i}':>5}" for i in range(many)), *rows, ""]))
    picker: Any = page.outputs.picker
    click(picker, "c77")
    QTest.mouseClick(picker.strip.scopes["table"], LEFT)
    QTest.qWait(20)
    words = f"Table cannot be read: {many} columns, {MOST_LISTED} at most are listed. Drag over some."
    assert picker.strip.reads.text() == picker.strip.reads.shown == words
    assert picker.strip.scopes["column"].isChecked()


def test_headings_apart_are_collected_with_ctrl_beside_headings_with_numbers_in_brackets(
    picker: Any, controller: SessionController
) -> None:
    click(picker, "pH")
    for heading in ("Ca", "N(5)", "m_KX"):
        ctrl_click(picker, heading)
    assert ticked(picker) == ["pH", "Ca", "N(5)", "m_KX"]
    ctrl_click(picker, "state")  # holds words
    assert picker.strip.told.text() == "No number and no heading above numbers."
    ctrl_click(picker, "N(5)")
    QTest.mouseClick(picker.strip.take_each, LEFT)
    assert [o.name for o in controller.problem.declared.outputs] == ["pH", "Ca", "m_KX"]


def test_what_is_ticked_is_read_as_the_whole_table_would_be(picker: Any, controller: SessionController) -> None:
    click(picker, "pH")
    QTest.mouseClick(picker.strip.scopes["table"], LEFT)
    for one in picker.strip.each.ones[:3]:
        one.tick.setChecked(True)
    proposals = [f.proposal for f in picker.strip.each.ticked()]
    QTest.mouseClick(picker.strip.take_each, LEFT)
    read = [(o.label_columns, o.text, o.extractor) for o in controller.problem.declared.outputs]
    assert read == [(p.label_columns, bool(p.texts), p.extractor) for p in proposals]
    assert any(labels for labels, *_ in read), "the column of states tells the rows apart"
