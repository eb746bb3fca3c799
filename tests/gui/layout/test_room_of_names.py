"""Tables: names have the room that columns with nothing in them do not need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM
from PySide6.QtWidgets import QApplication

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.parameters.page import ParametersPage
from bayescope.gui.pages.simulator.page import SimulatorPage
from bayescope.gui.widgets.forms import LineField
from bayescope.gui.widgets.tables import TableView

LONG = "attenuation_of_light_in_the_surface_layer"


@pytest.fixture
def controller(make_controller: Callable[[], SessionController]) -> SessionController:
    made = make_controller()
    parameters = (d.Parameter(name=LONG, prior=d.Uniform(low=0.0, high=1.0)),)
    outputs = (d.Output(name=LONG[::-1], source="stdout", extractor=d.LastNumber()),)
    simulator = d.Simulator(command=("sh", f"@{LONG}@"))
    assert made.file.adopt(msgspec.structs.replace(PROBLEM, parameters=parameters, outputs=outputs, simulator=simulator))
    return made


def whole(table: TableView, column: int = 0) -> bool:
    QApplication.processEvents()
    return table.columnWidth(column) >= table.words_width(column, 200)


def test_a_name_stands_whole_beside_an_empty_unit(show: Callable[..., None], controller: SessionController) -> None:
    page = ParametersPage(controller)
    show(page, 1024, 700)
    assert whole(page.table)
    unit = page.model.column_of("unit")
    assert page.table.columnWidth(unit) <= page.table.heading_width(unit)
    controller.problem.edit("x", parameters=(d.Parameter(name="k", unit="m/s", prior=d.Uniform(low=0.0, high=1.0)),))
    assert whole(page.table, unit)


def test_names_of_outputs_and_of_the_values_of_the_test_run_stand_whole(
    show: Callable[..., None], controller: SessionController
) -> None:
    page: Any = SimulatorPage(controller)
    show(page, 1180, 760)
    page.tabs.setCurrentWidget(page.outputs)
    assert whole(page.outputs.table)
    assert whole(page.panel.values_table)


def test_a_field_that_is_to_be_typed_over_is_so_after_its_value_was_written_anew(show: Callable[..., None]) -> None:
    field = LineField("To")
    field.show_text("0.4")
    show(field)
    field.selectAll()  # as Tab does
    field.show_text("0.40")
    assert field.selectedText() == "0.40"
