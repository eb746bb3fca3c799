"""Dates, times and names beside the numbers of a table are marked like these, by a click in them or in their heading."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from marked_texts import LEFT, at, click, drag, ran, shown_spans
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.simulator.page import SimulatorPage

pytestmark = pytest.mark.window
TABLE = """  <<< Node {name} >>>
  ----------------------------------------
                           Inflow     Depth
  Date        Time            LPS    meters
  ----------------------------------------
   05/{day}/2024 12:05:00      0.{a}    0.125
   05/{day}/2024 12:10:00      1.{a}    0.625
   05/{day}/2024 12:15:00      2.{a}    0.875


"""
REPORT = "".join(TABLE.format(name=name, a=a, day=day) for name, a, day in (("J3", 25, "03"), ("A1", 75, "04"), ("C2", 95, "06")))


@pytest.fixture
def page(page: SimulatorPage, engines: list[Any]) -> SimulatorPage:
    page.panel.run()
    ran(engines, 1.0, out_rpt=REPORT)
    page.outputs.picker.source.choose("out.rpt")
    return page


@pytest.mark.parametrize("where", ["05/04/2024 12:05", "05/04/2024", "12:15:00      2.75"])
def test_a_click_on_a_date_or_its_time_offers_both_columns_as_labels_of_the_table_by_its_name(
    page: SimulatorPage, controller: SessionController, where: str
) -> None:
    picker = page.outputs.picker
    click(picker, where)
    assert picker.strip.scopes["labels"].isChecked()
    assert picker.ways.currentText() == "all 3 rows of column 1, below “<<< Node A1 >>>”"
    assert picker.reads.text().startswith("Reads 3 labels: 05/04/2024 12:05:00, ")
    assert shown_spans(picker)[0] == "05/04/2024 12:05:00"
    QTest.mouseClick(picker.take, LEFT)
    (output,) = controller.problem.declared.outputs
    assert (output.name, output.text, output.label_columns, output.month) == ("Date", True, 2, "")


def test_a_drag_over_dates_marks_these_and_not_the_numbers_beside_them(page: SimulatorPage) -> None:
    picker = page.outputs.picker
    drag(picker, "05/04/2024 12:05", "05/04/2024 12:15")
    assert picker.strip.scopes["labels"].isChecked()
    assert len(shown_spans(picker)) == 3


def test_the_title_of_a_table_tells_it_before_its_place_among_others(page: SimulatorPage, controller: SessionController) -> None:
    picker = page.outputs.picker
    click(picker, "1.75")
    click_scope = picker.strip.scopes["column"]
    QTest.mouseClick(click_scope, LEFT)
    assert picker.strip.repeats.currentText() == "by its name"
    assert picker.ways.currentText() == "all 3 rows of column 3 (“Inflow”), below “<<< Node A1 >>>”"


def test_the_way_from_the_data_leads_to_the_table_and_the_month_is_that_of_the_dates_measured(
    page: SimulatorPage, controller: SessionController
) -> None:
    flow = d.Output(name="Inflow", source="out.rpt", extractor=d.Region(anchor="<<< Node C2 >>>", by="word", form="ttnn",
                    columns=(3,)))  # fmt: skip
    data = d.DataTable(columns={"q": (1.0, 2.0)}, texts={"t": ("2024-05-06 12:05", "2024-05-06 12:10")})
    controller.problem.edit("x", outputs=(flow,), data=data)
    picker = page.outputs.picker
    picker.source.choose("stdout")
    page.show_outputs("Inflow")
    assert picker.source.key() == "out.rpt"
    assert shown_spans(picker) == ["0.95", "1.95", "2.95"]
    assert "Click a date" in picker.hint.text()
    click(picker, "05/06/2024 12:05")
    QTest.mouseClick(picker.take, LEFT)
    assert controller.problem.declared.outputs[-1].month == "first"
    assert msgspec.json.decode(msgspec.json.encode(controller.problem.declared), type=d.Problem) == controller.problem.declared


def test_what_is_read_of_dates_can_be_set_by_hand(page: SimulatorPage, controller: SessionController) -> None:
    picker, editor = page.outputs.picker, page.outputs.editor
    click(picker, "05/04/2024")
    QTest.mouseClick(picker.take, LEFT)
    page.outputs.tabs.setCurrentWidget(editor)
    assert editor.label_form.isVisible()
    editor.label_form.editor("month").choose("first")  # type: ignore[attr-defined]
    assert controller.problem.declared.outputs[-1].month == "first"
    assert "2024-05-04 12:05:00" in editor.reads.text()
    editor.labels.click()
    assert not editor.label_form.isVisible()


def test_a_click_on_a_label_marks_the_number_to_which_it_leads(page: SimulatorPage, engines: list[Any]) -> None:
    page.panel.run()
    ran(engines, 1.0, " SCF Done:  E(RHF) =  -76.01  A.U. after   10 cycles\n CL: 0.5  CD: 0.02  CM: -0.1\n")
    picker: Any = page.outputs.picker
    click(picker, "CD")
    assert (picker.name.text(), shown_spans(picker)) == ("CD", ["0.02"])
    click(picker, "SCF")
    assert shown_spans(picker) == ["-76.01"]
    QTest.mouseClick(picker.text.viewport(), LEFT, Qt.KeyboardModifier.ControlModifier, at(picker, "CM"))
    assert sorted(shown_spans(picker)) == ["-0.1", "-76.01"]
