"""Outputs and columns whose names share no word: a whole pairing is proposed, shown line by line, and taken by one button."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import click, matches, opened, trial_run
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.proposal import AGAINST, FREED, NONE, YOURS
from bayescope.gui.models.data.taking_part import printed_errors
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.pages.data.step import COMPARISON, TABLE
from hands import Hands

pytestmark = pytest.mark.window

PRINTED = "o1 = 1.2\no2 = 300\no3 = -5\no4 = 0.02\no5 = 45\no6 = 7000\n"
WIDE = "Zeta,Eps,Delta,Gamma,Beta,Alpha\n7100,44,0.021,-5.5,290,1.3\n"
LABELLED = (
    "What,Result,Error\nZeta,7100,200\nEps,44,2\nDelta,0.021,0.001\nGamma,-5.5,0.2\nBeta,290,9\nAlpha,1.3,0.1\n"
)
BARE = "7100\n44\n0.021\n-5.5\n290\n1.3\n"
NEAREST = {"o1": "Alpha", "o2": "Beta", "o3": "Gamma", "o4": "Delta", "o5": "Eps", "o6": "Zeta"}


@pytest.fixture
def problem() -> d.Problem:
    return d.Problem(
        name="six numbers",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")),
        outputs=tuple(
            d.Output(name=f"o{i}", source="res.txt", extractor=d.LabelledNumber(label=f"o{i} ="), length=1) for i in range(1, 7)
        ),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
    )


@pytest.fixture
def size() -> tuple[int, int]:
    return 1180, 760


def paired(controller: SessionController) -> dict[str, str]:
    return {m.output: m.column for m in matches(controller)}


def taken(page: DataPage, engines: list[Any], folder: Path, table: str) -> None:
    trial_run(page, engines, PRINTED)
    opened(page, folder / "measured.csv", table)
    page.importer.use.click()
    QApplication.processEvents()


@pytest.mark.parametrize("table", [WIDE, LABELLED])
def test_six_outputs_and_six_columns_or_rows_are_compared_by_one_click_after_the_import(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], table: str
) -> None:
    taken(page, engines, tmp_path, table)
    assert paired(controller) == {}, "never silently"
    assert page.status()[0] == "todo"
    assert page.tabs.currentIndex() == COMPARISON
    assert "the measured value that the test run is nearest to" in page.matching.proposed.ground.text()
    hands = Hands(page.window())
    hands.click("Compare all 6 like this")
    assert paired(controller) == NEAREST
    assert [m.sd_column for m in matches(controller)] == [f"{c} sd" if table is LABELLED else None for c in NEAREST.values()]
    assert not page.matching.proposed.isVisible()
    assert not controller.problem.findings("meaning.matches", "error")
    controller.problem.undo_stack.undo()
    assert paired(controller) == {}
    assert page.matching.proposed.isVisible()


def test_to_show_what_is_proposed_leads_to_it_and_not_past_it(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, WIDE)
    area, proposed = page.matching.area, page.matching.proposed
    page.resize(1000, 420)
    page.tabs.setCurrentIndex(TABLE)
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    page.message.pressed.emit()
    qtbot.waitUntil(lambda: proposed.button.hasFocus())
    qtbot.waitUntil(lambda: 0 <= proposed.button.mapTo(area.viewport(), QPoint(0, 0)).y() < area.viewport().height())


def test_a_column_without_names_and_labels_is_compared_row_by_row(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, BARE)
    assert "the rows of the table" in page.message.words()
    click(qtbot, page.matching.proposed.button)
    assert paired(controller) == {f"o{i}": f"row {7 - i}" for i in range(1, 7)}


def test_each_line_shows_what_the_run_gave_beside_what_was_measured_and_why(
    page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, LABELLED)
    model = page.matching.proposed.model
    assert [model.index(0, k).data() for k in range(5)] == ["o1", "Alpha", "1.2", "1.3 ± 0.1", "value"]


def test_a_line_is_changed_by_a_click_and_a_choice_and_the_other_output_gets_what_is_free(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, WIDE)
    part = page.matching.proposed
    index = part.model.index(0, 1)
    QTest.mouseClick(part.table.viewport(), Qt.MouseButton.LeftButton, pos=part.table.visualRect(index).center())
    box = part.table.indexWidget(index)
    assert isinstance(box, QComboBox)
    qtbot.waitUntil(box.view().isVisible)
    entry = box.view().visualRect(box.model().index(box.findText("Beta"), 0)).center()
    QTest.mouseClick(box.view().viewport(), Qt.MouseButton.LeftButton, pos=entry)
    qtbot.waitUntil(lambda: part.model.rows[0].column == "Beta")
    assert [(line.column, line.why) for line in part.model.rows[:2]] == [("Beta", YOURS), ("Alpha", AGAINST)]  # 300, 1.3
    assert part.ground.text().startswith("Their names do not tell: each of the other outputs stands beside")
    page.trial.changed.emit()
    assert part.model.rows[0].column == "Beta", "it stays, whatever else happens"
    part.model.setData(part.model.index(5, 1), NONE)
    assert part.button.text() == "Com&pare all 5 as guessed"
    click(qtbot, part.button)
    assert paired(controller) == {"o1": "Beta", "o2": "Alpha", "o3": "Gamma", "o4": "Delta", "o5": "Eps"}
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.aside == ("o6",), "nothing is asked about it any more"


def test_without_a_test_run_the_order_is_proposed_and_said_to_be_unsure(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "measured.csv", WIDE)
    page.importer.use.click()
    part = page.matching.proposed
    assert [line.column for line in part.model.rows] == ["Zeta", "Eps", "Delta", "Gamma", "Beta", "Alpha"]
    assert {line.why for line in part.model.rows} == {"order, not sure"}
    assert "no test run does" in part.ground.text()
    assert "Press Test run" in part.ground.text()
    assert part.button.text() == "Com&pare all 6 as guessed"
    assert part.button.property("kind") != "primary", "a guess is not what is to be pressed first"
    for row, name in enumerate(NEAREST.values()):
        part.model.setData(part.model.index(row, 1), name)
    assert part.button.text() == "Com&pare all 6 like this", "every line was chosen by the user"


def test_what_is_not_sure_is_named_with_the_other_column_that_would_do(
    page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, PRINTED.replace("o2 = 300", "o2 = 1.25"))
    opened(page, tmp_path / "measured.csv", WIDE.replace("290", "1.35"))
    page.importer.use.click()
    part = page.matching.proposed
    assert part.doubt.text() == "Not sure: o1, o2."
    assert part.model.rows[0].why.startswith("not sure: or ")


def test_names_that_tell_stand_beside_values_that_do(
    page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, WIDE.replace("Alpha", "the o5"))
    lines = page.matching.proposed.model.rows
    assert (lines[4].column, lines[4].why) == ("the o5", "name")
    assert page.matching.proposed.ground.text().startswith("Not all names tell")


def test_the_button_is_in_sight_in_the_smallest_window(
    page: DataPage, tmp_path: Path, engines: list[Any], qtbot: QtBot
) -> None:
    page.window().resize(870, 600)
    taken(page, engines, tmp_path, LABELLED)
    part = page.matching.proposed
    qtbot.waitUntil(lambda: part.button.visibleRegion().contains(part.button.rect().center()))
    area = page.matching.area.viewport()
    assert part.button.mapTo(area, QPoint(0, part.button.height())).y() <= area.height()


CURVES = d.Problem(
    name="two curves",
    parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
    simulator=d.Simulator(command=("sh", "@k@")),
    outputs=tuple(d.Output(name=n, source="res.txt", extractor=d.CsvColumn(column=n)) for n in ("when", "a", "b", "c")),
    meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
)  # fmt: skip


@pytest.mark.parametrize("heading", ["Time (s)", "Clock of the logger"])
def test_three_curves_are_paired_by_their_values_and_their_rows_by_the_column_that_says_when(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], heading: str
) -> None:
    controller.problem.replace(CURVES, "x")
    trial_run(page, engines, "when,a,b,c\n" + "".join(f"{i},{i * i},{10 - i},{100 + 5 * i}\n" for i in range(6)))
    rows = "".join(f"{i},{99 + 5.2 * i},{i * i * 1.1 + 0.1},{10.2 - i}\n" for i in range(6))
    opened(page, tmp_path / "m.csv", f"{heading},Flow,Temp,Press\n{rows}")
    page.importer.use.click()
    page.matching.proposed.accept()
    assert paired(controller) == {"a": "Temp", "b": "Press", "c": "Flow"}
    assert {(m.key_output, m.key_column) for m in matches(controller)} == {("when", heading)}


def test_all_columns_of_the_proposal_stand_beside_each_other_however_long_names_are(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], qtbot: QtBot
) -> None:
    page.window().resize(870, 600)
    taken(page, engines, tmp_path, WIDE.replace("Zeta", "Temperature of the inner wall by thermocouple K-7 (degC)"))
    part = page.matching.proposed
    qtbot.waitUntil(lambda: not part.table.horizontalScrollBar().isVisible())
    assert part.table.horizontalScrollBar().maximum() == 0


def test_long_names_do_not_push_the_picture_below_the_comparisons(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], qtbot: QtBot
) -> None:
    page.window().resize(1000, 620)
    name = "Temperature of the inner wall measured by thermocouple K-7"
    taken(page, engines, tmp_path, WIDE.replace("Alpha", name))
    page.matching.proposed.accept()
    qtbot.waitUntil(lambda: page.matching.details.words.text() == f"o1 compared with {name[:39]}…")
    assert page.split.orientation() == Qt.Orientation.Horizontal


def test_no_green_line_stands_beside_a_field_that_is_refused(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, LABELLED)
    page.matching.proposed.accept()
    assert page.message.level == "ok"
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, noise=d.GaussianKnown(sd=-1.0)))
    assert page.message.level is None


def test_where_something_stood_a_moment_ago_it_is_said_that_nothing_is_left(
    page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, LABELLED)
    high = page.message.height()
    page.matching.proposed.accept()
    assert page.message.words() == "Nothing is left to do here: all 6 rows compared."
    assert page.message.height() == high
    page.hide()
    page.show()
    assert not page.message.isVisible(), "no band is kept for it"


def test_units_of_outputs_tell_and_after_another_choice_nothing_is_said_of_values(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    units = {"o1": "mm/d", "o2": "m"}
    outputs = tuple(msgspec.structs.replace(o, unit=units[o.name]) for o in controller.problem.declared.outputs[:2])
    controller.problem.edit("x", outputs=outputs)
    taken(page, engines, tmp_path, "Zeta [m],Eps\n1.1,290\n")
    part = page.matching.proposed
    assert [(line.output, line.column, line.why) for line in part.model.rows] == [
        ("o1", "Eps", "unit"), ("o2", "Zeta [m]", "unit"),
    ]  # fmt: skip
    assert part.ground.text() == "Their names do not tell, but units do."
    part.model.setData(part.model.index(0, 1), "Zeta [m]")
    assert part.ground.text() == "Each output stands beside the column that you chose for it, or that your choice left for it."


def test_a_value_that_is_far_from_what_is_left_for_it_is_not_said_to_be_near(
    page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, WIDE.replace("290", "0.0000029"))
    part = page.matching.proposed
    assert "; but o2 is far from what was left for it." in part.ground.text()


def test_the_table_stays_where_it_is_when_nothing_is_unsure_any_more(
    page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, PRINTED.replace("o2 = 300", "o2 = 1.25"))
    opened(page, tmp_path / "measured.csv", WIDE.replace("290", "1.35"))
    page.importer.use.click()
    part = page.matching.proposed
    top = part.table.y()
    part.model.setData(part.model.index(0, 1), part.model.rows[1].column)
    assert part.doubt.text() == " "
    assert part.table.y() == top


@pytest.mark.parametrize(("units", "table"), [
    ({}, "Zeta,Eps\n1.1,2900000\n"), ({"o1": "mm", "o2": "kN"}, "Zeta [mm],Eps [kN]\n1.1,290\n"),
])  # fmt: skip
def test_a_choice_of_one_makes_the_other_no_surer_than_units_and_sizes_do(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], units: dict[str, str], table: str
) -> None:
    outputs = tuple(msgspec.structs.replace(o, unit=units.get(o.name, "")) for o in controller.problem.declared.outputs[:2])
    controller.problem.edit("x", outputs=outputs)
    taken(page, engines, tmp_path, table)
    part = page.matching.proposed
    part.model.setData(part.model.index(0, 1), part.model.rows[1].column)
    assert [line.why for line in part.model.rows] == [YOURS, AGAINST]
    assert part.doubt.text() == "Not sure: o2."
    assert part.button.text() == "Com&pare all 2 as guessed"
    assert part.ground.text().endswith("units or sizes speak against that of o2.")
    part.model.setData(part.model.index(1, 1), part.model.rows[1].column)  # the same is no answer
    assert part.button.text() == "Com&pare all 2 as guessed"


def test_what_a_choice_leaves_is_sure_where_units_and_sizes_allow_it(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", outputs=controller.problem.declared.outputs[:2])
    trial_run(page, engines, PRINTED.replace("o2 = 300", "o2 = 1.25"))
    opened(page, tmp_path / "measured.csv", "Zeta,Eps\n1.1,1.3\n")
    page.importer.use.click()
    part = page.matching.proposed
    part.model.setData(part.model.index(0, 1), part.model.rows[1].column)
    assert [line.why for line in part.model.rows] == [YOURS, FREED]
    assert part.button.text() == "Com&pare all 2 like this"


def test_errors_that_the_program_prints_are_not_to_be_compared_themselves() -> None:
    names = ["deme_1", "deme_1_se", "x", "x_sd", "deme2", "se2", "se7", "sigma", "D_XY"]
    assert printed_errors(names) == {"deme_1_se", "x_sd", "se2"}


def test_nothing_of_what_is_proposed_may_be_compared_and_the_question_is_settled(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, WIDE)
    part, hands = page.matching.proposed, Hands(page.window())
    for row in range(6):
        part.model.setData(part.model.index(row, 1), NONE)
    assert page.message.words() == "Is none of these outputs compared?"
    hands.click("None of these is compared")
    assert not part.isVisible()
    assert paired(controller) == {}
    assert set(NEAREST) <= set(controller.problem.declared.meaning.aside)
    controller.problem.undo_stack.undo()
    hands.click("None of these")
    assert not part.isVisible()
    assert set(NEAREST) <= set(controller.problem.declared.meaning.aside)
    controller.problem.undo_stack.undo()
    hands.click("Yes, like this")
    assert paired(controller) == NEAREST


DEFLECTIONS = """Falling weight deflectometer
 geophone   distance   deflection
              [mm]       [um]
   D1           0         389
   D2         200         318
   D3         300         293
   D4         450         ---    cable broken
   D5         600         188
   D6         900         137
"""


def test_outputs_of_one_family_stand_in_the_order_of_the_rows_where_their_values_rise_and_fall_alike(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    nodes = (1, 929, 1393, 1857, 2321, 2785)
    outputs = tuple(
        d.Output(name=f"U_{n}", source="res.txt", extractor=d.LabelledNumber(label=f"U_{n} ="), length=1) for n in nodes
    )
    controller.problem.edit("x", outputs=outputs)
    numbers = (-0.408, -0.342, -0.301, -0.249, -0.207, -0.148)
    trial_run(page, engines, "".join(f"U_{n} = {value}\n" for n, value in zip(nodes, numbers, strict=True)))
    stress = d.Output(name="stress", source="res.txt", extractor=d.LabelledNumber(label="s ="))
    controller.problem.edit("x", outputs=(*outputs, stress))  # marked since the run
    opened(page, tmp_path / "fwd.txt", DEFLECTIONS)
    page.importer.use.click()
    QApplication.processEvents()
    assert "in the order of the rows, and their values rise and fall alike" in page.matching.proposed.ground.text()
    Hands(page.window()).click("Compare all 5 like this")
    assert paired(controller) == {f"U_{n}": f"D{k} (um)" for k, n in enumerate(nodes, 1) if k != 4}
