"""Marking numbers whose label stands in many places: what is proposed holds in other runs, and a choice is kept in a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from awkward_labels import MOLECULE, MOLECULE_2
from awkward_repeats import BAND_1, BAND_1_2, MPB, MPB_2
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import extract
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.outputs.repeat_words import TABLES
from bayescope.gui.pages.simulator.page import SimulatorPage

TIME = "TIME = 1.5\n x  1.0  2.0\n y  3.0  4.0\nTIME = 2.5\n x  1.5  2.5\n y  3.5  4.5\nend\n"


def ran(engines: list[Any], k: float, text: str) -> None:
    """The engine's report of a test run at ``k`` that left the file job.out."""
    files = (protocol.TrialFile(name="job.out", role="produced", text=text, size=len(text)),)
    report = protocol.TrialRunReport(outcome="ok", stdout="done\n", files=files, values={"k": k}, exit_code=0)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    QApplication.processEvents()


@pytest.fixture
def page(
    qtbot: QtBot, make_controller: Callable[[], SessionController], engines: list[Any], request: pytest.FixtureRequest
) -> Any:
    """The Simulator page with two runs of a program."""
    here, there = getattr(request, "param", (MOLECULE, MOLECULE_2))
    controller = make_controller()
    parameter = d.Parameter(name="k", prior=d.Uniform(low=0.0, high=2.0))
    assert controller.problem.edit("x", simulator=d.Simulator(command=("sh", "-c", "echo @k@")), parameters=(parameter,))
    page = SimulatorPage(controller)
    qtbot.addWidget(page)
    page.resize(1280, 760)
    page.show()
    page.tabs.setCurrentWidget(page.outputs)
    page.panel.run()
    ran(engines, 1.0, here)
    page.outputs.check_button.click()
    ran(engines, 1.2, there)
    page.outputs.picker.source.choose("job.out")
    return page


@pytest.fixture
def picker(page: SimulatorPage) -> Any:
    return page.outputs.picker


def click(picker: Any, what: str) -> None:
    cursor = picker.text.textCursor()
    cursor.setPosition(picker.text.text().index(what) + 2)
    picker.text.setTextCursor(cursor)
    picker.text.ensureCursorVisible()
    place = picker.text.cursorRect(cursor).center()
    QTest.mouseClick(picker.text.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_a_letter_as_a_label_is_found_below_its_heading_whatever_stands_above(picker: Any) -> None:
    for what, letter, value in (("9.99920323", "A", 22.6104938), ("0.88490926", "B", 0.85152548)):
        click(picker, what)
        assert picker.ways.currentText() == f"the number after “{letter} =” below “ROTATIONAL CONSTANTS IN CM”"
        assert "Found in the run at other values too" in picker.strip.check.whole
        ways = [picker.ways.itemText(k) for k in range(picker.ways.count())]
        assert not any("th time" in way for way in ways), ways
        assert extract(picker.strip.current().first, MOLECULE_2).values == (value,)
    assert picker.text._anchor, "the heading is framed"


@pytest.mark.parametrize("page", [(TIME, TIME.replace("3.5", "3.75"))], indirect=True)
def test_which_table_was_meant_is_kept_for_the_next_number_of_the_same_table(picker: Any) -> None:
    click(picker, "1.5  2.5")
    assert picker.strip.repeats.key() == "last"
    listed = [picker.strip.repeats.itemText(k) for k in range(picker.strip.repeats.count())]
    assert listed == [words for words in TABLES.values() if words in listed], "in one order, always"
    picker.strip.repeats.setCurrentIndex(listed.index(TABLES["all"]))
    picker.strip.repeats.activated.emit(listed.index(TABLES["all"]))
    QTest.mouseClick(picker.take, Qt.MouseButton.LeftButton)
    click(picker, "3.5  4.5")
    assert picker.strip.repeats.key() == "all"
    click(picker, "1.0  2.0")
    assert picker.strip.repeats.key() != "all", "another table"


@pytest.mark.parametrize("page", [(MPB, MPB_2)], indirect=True)
def test_which_lines_are_read_is_said_with_their_number_and_first_values(picker: Any) -> None:
    click(picker, "0.261304")
    listed = [picker.strip.repeats.itemText(k) for k in range(picker.strip.repeats.count())]
    assert listed == [
        "the first line: 0.158857", "this line: 0.261304", "the last line: 0.217464",
        "every line with “tmfreqs:,” (5): 0.158857, 0.261304, 0.284889, …",
        "this line and all below (4): 0.261304, 0.284889, 0.31447, …",
        "this line and all above (2): 0.158857, 0.261304", "another way: 0.261304",
    ]  # fmt: skip
    picker.strip.repeats.choose("all")
    assert picker.ways.currentText() == "column 6 (“tm band 1”), in every line with “tmfreqs:,” (5 here)"
    assert picker.strip.name.text() == "tm_band_1"
    assert "Found in the run at other values too" in picker.strip.check.whole
    assert extract(picker.strip.current().first, MPB_2).values == BAND_1_2


@pytest.mark.parametrize("page", [(MPB, MPB_2)], indirect=True)
def test_a_heading_takes_its_rows_from_between_the_lines_of_progress(picker: Any) -> None:
    click(picker, "tm band 1")
    offer = picker.strip.current()
    assert offer.scope == "table"
    assert picker.strip.name.text() == (
        "k_index, k1, k2, k3, kmag_2pi, tm_band_1, tm_band_2, tm_band_3, tm_band_4"
    )
    assert offer.proposals[5].values == BAND_1


def test_three_numbers_are_taken_as_predictions_rather_than_as_a_log_likelihood(page: SimulatorPage, picker: Any) -> None:
    likelihood = d.LogLikelihoodOutput
    for what, kind in (("9.99920323", likelihood), ("0.88490926", likelihood), ("0.85411815", d.Predictions)):
        click(picker, what)
        QTest.mouseClick(picker.take, Qt.MouseButton.LeftButton)
        assert isinstance(page.problem.declared.meaning, kind)
    assert "3 outputs are read" in page.outputs.message.words()


def test_the_numbers_that_were_read_stand_whole_in_a_narrow_window(page: SimulatorPage, picker: Any, engines: list[Any]) -> None:
    click(picker, "2936.25")
    QTest.mouseClick(picker.take, Qt.MouseButton.LeftButton)
    page.resize(900, 560)
    read = (protocol.TrialOutput(name=page.problem.declared.outputs[0].name, source="job.out", values=(2936.25,)),)
    files = (protocol.TrialFile(name="job.out", role="produced", text=MOLECULE, size=len(MOLECULE)),)
    for k, start in ((1.0, page.panel.run), (1.2, page.outputs.check_button.click)):
        start()
        report = protocol.TrialRunReport(outcome="ok", stdout="", files=files, values={"k": k}, exit_code=0, outputs=read)
        engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
        QApplication.processEvents()
    table = page.panel.outputs_table
    assert not table.isColumnHidden(2), "at other values"
    assert table.columnWidth(1) >= table.fontMetrics().horizontalAdvance("2936.25")
