"""Equal tables of the program, each by itself, find the rows of one long table of data that says under which condition each was
measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, matches, opened, trial_run
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.marks.tables.equal_tables import equal_tables
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

PLACES = [0.05 * k for k in range(6)]
OUT = "".join(
    f" IRRADIANCE = {light:.1f} W/m2\n\n    V      I       T\n"
    + "".join(f"  {v:6.3f}  {light / 300 - v:8.4f}  {25 + light / 50 - v:8.4f}\n" for v in PLACES) + "\n"
    for light in (1000.0, 600.0)
)  # fmt: skip
LONG = "Irradiance;V;I;u(I);T\nW/m2;V;A;A;C\n" + "".join(
    f"{light};{v:.2f};{light / 310 - v:.3f};0.02;{24 + light / 50:.2f}\n" for light in (1000, 600) for v in PLACES
)
EXPECTED = [
    ("I_1000", "I 1000 (A)", "V_1000"), ("T_1000", "T 1000 (C)", "V_1000"), ("I_600", "I 600 (A)", "V_600"),
    ("T_600", "T 600 (C)", "V_600"),
]  # fmt: skip


def outputs() -> tuple[d.Output, ...]:
    """As one click adds them."""
    mark = Mark(OUT, 3, 3, "res.txt")
    offer = mark.offers("table")[0]
    tables = equal_tables(mark, offer, {"res.txt": OUT}, {})
    return tuple(
        d.Output(name=f"{name}_{table.behind}", source="res.txt", extractor=one.extractor)
        for table in tables
        for name, one in zip(offer.names, table.columns, strict=True)
    )


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=outputs(), meaning=d.Predictions(matches=(), noise=d.GaussianKnown()))


def test_a_long_table_is_split_by_its_conditions_while_it_is_imported_and_all_is_paired(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, OUT)
    opened(page, tmp_path / "m.csv", LONG)
    assert page.importer.split.key() == "Irradiance (W/m2)"
    assert "2 conditions: Irradiance 1000, Irradiance 600." in page.importer.words.text()
    click(qtbot, page.importer.use)
    assert [(m.output, m.column, m.key_output) for m in matches(controller)] == EXPECTED
    assert {m.key_column for m in matches(controller)} == {"V (V)"}
    assert page.trial.unfit() is None
    assert page.message.words() == "How large are the errors of T 1000 (C) and T 600 (C)?"


def test_a_long_table_that_was_there_before_the_outputs_is_split_by_one_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", outputs=())
    opened(page, tmp_path / "m.csv", LONG)
    click(qtbot, page.importer.use)
    controller.problem.edit("x", outputs=outputs())
    trial_run(page, engines, OUT)
    assert page.message._button.text() == "&Split the table by “Irradiance (W/m2)”"
    click(qtbot, page.message._button)
    assert [(m.output, m.column) for m in matches(controller)] == [(o, c) for o, c, _ in EXPECTED]
