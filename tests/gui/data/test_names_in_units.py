"""Two tables of a report have columns that are called alike but for their units: names tell which output predicts which."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from data_pages import PROBLEM, column, matches, opened
from PySide6.QtWidgets import QLabel, QPushButton

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.names_in_units import names_and_units_told
from bayescope.gui.pages.data.page import DataPage

UNITS = {"N_LC2": "N", "DY_LC1": "m", "DY_LC2": "m", "N_LC1": "N"}
COLUMNS = ("LC1 (mm)", "LC2 (mm)", "LC1 (kN)", "LC2 (kN)")
TABLE = "LC1 (mm);LC2 (mm);LC1 (kN);LC2 (kN)\n2.6;2.0;41.4;22.5\n3.1;2.9;19.5;59.4\n2.5;3.5;-36.9;-13.6\n1.8;4.1;-18.9;-67.5\n"


@pytest.fixture
def problem() -> d.Problem:
    outputs = tuple(msgspec.structs.replace(column(name, k), unit=unit) for k, (name, unit) in enumerate(UNITS.items()))
    return msgspec.structs.replace(PROBLEM, outputs=outputs)


def test_the_column_in_a_unit_of_the_outputs_kind_is_meant(problem: d.Problem) -> None:
    assert names_and_units_told(problem, list(UNITS), COLUMNS) == {
        "N_LC2": "LC2 (kN)", "DY_LC1": "LC1 (mm)", "DY_LC2": "LC2 (mm)", "N_LC1": "LC1 (kN)"
    }  # fmt: skip
    bare = msgspec.structs.replace(problem, outputs=tuple(msgspec.structs.replace(o, unit="") for o in problem.outputs))
    assert names_and_units_told(bare, list(UNITS), COLUMNS) == {}


def test_all_of_them_are_proposed_with_certainty(page: DataPage, controller: SessionController, tmp_path: Path) -> None:
    opened(page, tmp_path / "lab.csv", TABLE)
    page.importer.use.click()
    said = [label.text() for label in page.findChildren(QLabel)]
    assert "Names and units tell." in said
    assert not any(text.startswith("Not sure") for text in said)
    next(b for b in page.findChildren(QPushButton) if b.text() == "Com&pare all 4 like this").click()
    assert {m.output: m.column for m in matches(controller)} == {
        "N_LC2": "LC2 (kN)", "DY_LC1": "LC1 (mm)", "DY_LC2": "LC2 (mm)", "N_LC1": "LC1 (kN)"
    }  # fmt: skip
