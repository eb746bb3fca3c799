"""The Outputs page by mouse: rows and tables that a program prints once per pass of a loop."""

from __future__ import annotations

from typing import Any

import pytest
from awkward_passes import lammps, newton, pressures
from marked_texts import LEFT, at, click, ran, shown_spans
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from bayescope.engine.problem.definition import Region
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.simulator.page import SimulatorPage
from bayescope.gui.widgets.marking_hints import EVERY


@pytest.fixture
def picker(page: SimulatorPage, engines: list[Any]) -> Any:
    """With two runs, of which the second takes other numbers of iterations."""
    page.panel.run()
    ran(engines, 1.0, lammps(1), solver_out=newton(1))
    page.outputs.check_button.click()
    ran(engines, 1.2, lammps(2), solver_out=newton(2))
    return page.outputs.picker


def kinds(picker: Any) -> list[str]:
    return [picker.strip.repeats.itemText(i) for i in range(picker.strip.repeats.count())]


def ways(picker: Any) -> list[str]:
    return [picker.ways.itemText(i) for i in range(picker.ways.count())]


def test_a_word_of_a_heading_marks_the_numbers_of_its_own_rows_though_other_lines_stand_between(picker: Any) -> None:
    picker.source.choose("stdout")
    click(picker, "Press")
    assert shown_spans(picker) == [str(p) for p in pressures(1)]
    assert picker.name.text() == "Press"
    assert "Found in the run at other values too." in picker.strip.check.whole


def test_a_number_of_such_a_row_is_read_in_every_pass(picker: Any, controller: SessionController) -> None:
    picker.source.choose("stdout")
    click(picker, " 60.75")
    assert shown_spans(picker) == ["60.75"]
    picker.strip.repeats.choose("all")
    assert shown_spans(picker) == [str(p) for p in pressures(1)]
    assert "Found in the run at other values too." in picker.strip.check.whole
    QTest.mouseClick(picker.take, LEFT)
    (output,) = controller.problem.declared.outputs
    assert isinstance(output.extractor, Region)
    assert (output.name, output.extractor.anchor, output.extractor.followed) == ("Press", "Dangerous builds", True)


def test_numbers_picked_from_two_passes_are_each_an_output_and_the_way_to_a_list_is_said(picker: Any) -> None:
    picker.source.choose("stdout")
    click(picker, " 71.25")
    QTest.mouseClick(picker.text.viewport(), LEFT, Qt.KeyboardModifier.ControlModifier, at(picker, " 60.75"))
    assert picker.strip.by_itself
    assert shown_spans(picker) == ["71.25", "60.75"]
    assert picker.strip.told.whole == EVERY


def test_of_tables_with_one_heading_those_of_the_loop_are_offered_and_one_row_of_each(picker: Any) -> None:
    picker.source.choose("stdout")
    click(picker, "Press", 1)
    assert shown_spans(picker) == ["712500.00"]
    assert kinds(picker)[-4:] == ["this table", "the last table", "the first 4 tables", "all these tables"]
    picker.strip.repeats.choose("loop")
    assert len(shown_spans(picker)) == 4
    picker.strip.repeats.choose("all")
    assert len(shown_spans(picker)) == 9
    assert "Its length varies" in picker.strip.check.whole
    last = next(k for k, words in enumerate(ways(picker)) if words.startswith("the last row of column 3"))
    picker.ways.choose(picker.ways.itemData(last))
    assert len(shown_spans(picker)) == 7
    assert "Found in the run at other values too." in picker.strip.check.whole


def test_which_times_are_read_can_be_typed_as_a_range(page: SimulatorPage, picker: Any, controller: SessionController) -> None:
    picker.source.choose("solver.out")
    click(picker, "1.41e-04")
    assert picker.ways.currentText().startswith("the last row of column 2 (“residual”), below “Time step”")
    picker.strip.repeats.choose("all")
    QTest.mouseClick(picker.take, LEFT)
    field: Any = page.outputs.editor.details.editor("occurrence")
    assert field.text() == "all"
    field.setText("1-2")
    field.committed.emit("1-2")
    (output,) = controller.problem.declared.outputs
    assert isinstance(output.extractor, Region)
    assert (output.extractor.occurrence, output.extractor.since, output.extractor.until) == ("all", 1, 2)
    assert "the first 2 times" in page.outputs.editor.whole.text()
    assert field.text() == "1 to 2"
    assert "2 numbers" in page.outputs.editor.reads.text()
