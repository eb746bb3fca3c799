"""The Outputs page by mouse: lists that a program prints over several lines, by a click on a number, on a name, by a drag."""

from __future__ import annotations

from typing import Any

import pytest
from awkward_lists import FLUX, LOG_WITH_JSON, NCDUMP, SHORTER, SOIL, STORED
from marked_texts import LEFT, STATUS, at, click, drag, ran, shown_spans
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.simulator.page import SimulatorPage

NUMBERS = sum(v == v for v in FLUX) + 1  # one is missing


@pytest.fixture
def picker(page: SimulatorPage, engines: list[Any]) -> Any:
    """With two runs, of which the second has shorter lists."""
    page.panel.run()
    ran(engines, 1.0, out_cdl=NCDUMP, log_txt=LOG_WITH_JSON)
    page.outputs.check_button.click()
    ran(engines, 1.2, STATUS, out_cdl=SHORTER, log_txt=LOG_WITH_JSON.replace("2.5", "2.75"))
    picker = page.outputs.picker
    picker.source.choose("out.cdl")
    return picker


def with_ctrl(picker: Any, what: str, nth: int = 0) -> None:
    QTest.mouseClick(picker.text.viewport(), LEFT, Qt.KeyboardModifier.ControlModifier, at(picker, what, nth))


def test_a_click_proposes_the_number_and_one_more_click_its_whole_list(picker: Any, controller: SessionController) -> None:
    click(picker, "0.9894")
    assert shown_spans(picker) == ["0.9894"]
    assert picker.ways.currentText() == "number 9 of the list behind “flux_r =”"
    assert [s for s, b in picker.strip.scopes.items() if b.isVisible()] == ["number", "list"]
    QTest.mouseClick(picker.strip.scopes["list"], LEFT)
    assert picker.ways.currentText() == "“flux_r”: 12 numbers, lines 14–16"
    assert len(shown_spans(picker)) == NUMBERS
    assert "Reads 12 numbers: 1, 1, 0.9998" in picker.reads.whole
    assert "1 of them missing" in picker.reads.whole
    assert "Its length varies: 12 numbers here, 5 in the run at other values." in picker.strip.check.whole
    assert picker.name.text() == "flux_r"
    QTest.mouseClick(picker.take, LEFT)
    (output,) = controller.problem.declared.outputs
    assert (output.name, output.source, output.length) == ("flux_r", "out.cdl", None)
    assert output.extractor == d.NumberList(name="flux_r =", end=";")
    assert controller.problem.findings("outputs", "error") == []


def test_a_click_on_a_name_proposes_the_list_and_ctrl_and_a_click_another_one(
    picker: Any, controller: SessionController
) -> None:
    click(picker, "flux_r", nth=2)
    assert picker.ways.currentText().startswith("“flux_r”: 12 numbers")
    with_ctrl(picker, "time = 0,")
    assert [one.found.name for one in picker.strip.each.ones] == ["flux_r", "time"]
    assert picker.strip.take_each.text() == "&Add 2 outputs"
    QTest.mouseClick(picker.strip.take_each, LEFT)
    assert [o.name for o in controller.problem.declared.outputs] == ["flux_r", "time"]
    assert controller.problem.declared.outputs[1].extractor == d.NumberList(name="time =", occurrence=-1, end=";")


def test_a_drag_over_several_lists_proposes_each_of_them(picker: Any, controller: SessionController) -> None:
    drag(picker, "time = 0", "0.9861")
    assert [one.found.name for one in picker.strip.each.ones] == ["time", "flux_r"]
    assert "12 numbers" in picker.strip.each.ones[0].value.whole
    QTest.mouseClick(picker.strip.take_each, LEFT)
    assert [o.name for o in controller.problem.declared.outputs] == ["time", "flux_r"]


def test_a_drag_within_a_list_takes_those_numbers(picker: Any) -> None:
    drag(picker, "0.9991", "0.9965")
    assert shown_spans(picker) == ["0.9991", "0.998", "0.9965"]
    assert picker.ways.currentText() == "numbers 4–6 of the list behind “flux_r =”"


def test_a_list_with_the_name_of_its_dimension_is_the_last_of_that_name(picker: Any) -> None:
    click(picker, "time = 0,")
    assert picker.strip.repeats.currentText() == "the last list: 0, 1, 2, …"
    assert "this list: 0, 1, 2, …" in [picker.strip.repeats.itemText(i) for i in range(picker.strip.repeats.count())]


def test_what_a_list_is_read_by_can_be_set_by_hand(picker: Any, page: SimulatorPage, controller: SessionController) -> None:
    click(picker, "flux_r", nth=2)
    QTest.mouseClick(picker.take, LEFT)
    editor = page.outputs.editor
    assert editor.whole.text() == "Read from out.cdl: the list behind “flux_r =”, to its “;”."
    assert editor.kind.currentText() == "List behind its name"


def test_datasets_of_an_hdf5_dump_are_taken_by_clicks_on_a_number_and_on_headings(
    page: SimulatorPage, engines: list[Any], controller: SessionController
) -> None:
    page.panel.run()
    ran(engines, 1.0, stdout=STORED)
    page.outputs.check_button.click()
    ran(engines, 1.2, stdout=STORED.replace("17.25", "18.5"))
    picker: Any = page.outputs.picker
    click(picker, "17.25")
    assert picker.ways.currentText() == "the number at “/chi2”"
    assert picker.name.text() == "chi2"
    QTest.mouseClick(picker.take, LEFT)
    click(picker, 'DATASET "flux"', nth=0)
    assert picker.ways.currentText() == "“/run/flux”: 8 numbers, lines 22–23"
    QTest.mouseClick(picker.take, LEFT)
    click(picker, 'DATASET "table"')
    assert picker.name.text() == "id, temp"
    QTest.mouseClick(picker.take, LEFT)
    assert [o.name for o in controller.problem.declared.outputs] == ["chi2", "flux", "id", "temp"]
    assert controller.problem.declared.outputs[3].extractor == d.NumberList(name="/run/table.temp", end="}")
    assert controller.problem.findings("outputs", "error") == []


def test_the_name_of_a_variable_of_two_dimensions_means_its_columns(
    page: SimulatorPage, engines: list[Any], controller: SessionController
) -> None:
    page.panel.run()
    ran(engines, 1.0, out_cdl=SOIL)
    page.outputs.picker.source.choose("out.cdl")
    picker = page.outputs.picker
    click(picker, "tsoil =")
    assert [s for s, b in picker.strip.scopes.items() if b.isVisible()] == ["each", "column", "table", "list"]
    QTest.mouseClick(picker.take, LEFT)
    assert [o.name for o in controller.problem.declared.outputs][-3:] == ["tsoil_1", "tsoil_2", "tsoil_3"]


def test_a_list_whose_first_numbers_never_change_is_not_said_to_be_the_same_at_other_values(
    page: SimulatorPage, engines: list[Any]
) -> None:
    """Every run begins at the same state."""
    page.panel.run()
    ran(engines, 1.0, out_cdl=SOIL)
    picker = page.outputs.picker
    picker.source.choose("out.cdl")
    click(picker, "tsoil =")
    QTest.mouseClick(picker.strip.scopes["list"], LEFT)
    QTest.mouseClick(picker.take, LEFT)
    page.outputs.check_button.click()
    ran(engines, 1.2, STATUS, out_cdl=SOIL.replace("11.25", "11.5"))
    assert "Every output was found at other values too." in page.outputs.message.words()
    page.outputs.check_button.click()
    ran(engines, 1.2, STATUS, out_cdl=SOIL)
    assert "At other values all outputs are exactly the same." in page.outputs.message.words()


def test_mark_numbers_leads_to_the_text_from_details_too(page: SimulatorPage, engines: list[Any]) -> None:
    page.panel.run()
    ran(engines, 1.0, out_cdl=SOIL)
    page.outputs.tabs.setCurrentWidget(page.outputs.editor)
    page.tabs.setCurrentIndex(0)
    page.panel.marking_wanted.emit()
    assert page.tabs.currentWidget() is page.outputs
    assert page.outputs.tabs.currentWidget() is page.outputs.picker


def test_a_list_has_the_unit_that_ncdump_says_of_it(
    picker: Any, page: SimulatorPage, engines: list[Any], controller: SessionController
) -> None:
    text = NCDUMP.replace("\t\tflux_r:_Fill", '\t\tflux_r:units = "m yr-1" ;\n\t\tflux_r:_Fill')
    page.panel.run()
    ran(engines, 1.0, out_cdl=text, log_txt=LOG_WITH_JSON)
    click(picker, "flux_r", nth=3)
    assert picker.ways.currentText().startswith("“flux_r”: 12 numbers")
    QTest.mouseClick(picker.take, LEFT)
    assert [(o.name, o.unit) for o in controller.problem.declared.outputs] == [("flux_r", "m yr-1")]
    controller.problem.undo_stack.undo()
    click(picker, "flux_r", nth=3)
    with_ctrl(picker, "time = 0,")
    QTest.mouseClick(picker.strip.take_each, LEFT)
    assert [(o.name, o.unit) for o in controller.problem.declared.outputs] == [("flux_r", "m yr-1"), ("time", "")]
