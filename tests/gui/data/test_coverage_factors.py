"""Expanded uncertainties in an imported file: halved where their factor is said, asked about where not, or left as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import click, opened, typed
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

HALVED = "Column “± T” holds expanded uncertainties (k = 2): they are divided by 2."
KEPT = "Column “± T” is taken as standard deviations, not divided by 2."
SAID = "t,T,U(k=2)\n0,1.5,.2\n1,2.5,.2\n"
UNSAID = "t,T,U(T)\n0,1.5,.2\n1,2.5,.2\n"
BOTH = "t,T,U(k=2),S,U(S)\n0,1.5,.2,3,.4\n1,2.5,.2,4,.4\n"


def words(button: Any) -> str:
    return str(button.text()).replace("&", "")


def buttons(page: DataPage) -> tuple[str, str]:
    said = page.importer.coverage_message
    return words(said._button), words(said._dismiss)


def taken(page: DataPage, column: str) -> float | None:
    found = page.importer._check()
    assert found is not None
    return found.columns[column][0]


def test_halved_uncertainties_can_be_taken_as_they_are_and_halved_again(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", SAID)
    said = page.importer.coverage_message
    assert (said.level, said.words(), buttons(page)) == ("info", HALVED, ("Take it as it is", ""))
    assert HALVED not in page.importer.message.words(), "it is said once"
    assert taken(page, "± T") == 0.1
    click(qtbot, said._button)
    assert (said.words(), buttons(page)) == (KEPT, ("Divide it by 2", ""))
    assert KEPT not in page.importer.message.words()
    assert taken(page, "± T") == 0.2
    click(qtbot, said._button)
    assert (said.words(), taken(page, "± T")) == (HALVED, 0.1)
    click(qtbot, said._button)
    click(qtbot, page.importer.use)
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns["± T"] == (0.2, 0.2)


@pytest.mark.parametrize("divide", [True, False])
def test_uncertainties_called_by_a_capital_u_are_asked_about(
    qtbot: QtBot, page: DataPage, tmp_path: Path, divide: bool
) -> None:
    opened(page, tmp_path / "m.csv", UNSAID)
    said = page.importer.coverage_message
    assert said.level == "warning"
    assert said.words() == "Column “U(T)” seems to hold expanded uncertainties."
    assert buttons(page) == ("Divide it by 2", "Take it as it is")
    assert taken(page, "U(T)") == 0.2
    click(qtbot, said._button if divide else said._dismiss)
    assert said.level == "info"
    assert buttons(page) == ("Take it as it is" if divide else "Divide it by 2", "")
    assert taken(page, "U(T)") == (0.1 if divide else 0.2)
    click(qtbot, said._button)  # the other way, after all
    assert taken(page, "U(T)") == (0.2 if divide else 0.1)


def test_each_of_two_kinds_of_uncertainties_has_its_own_button(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "m.csv", BOTH)
    said = page.importer.coverage_message
    assert (said.level, said.words()) == ("warning", "Column “U(S)” seems to hold expanded uncertainties.")
    assert HALVED in said.suggestion()
    click(qtbot, said._dismiss)
    assert buttons(page) == ("Take column “± T” as it is", "Divide column “U(S)” by 2")
    click(qtbot, said._dismiss)
    click(qtbot, said._button)
    assert (taken(page, "± T"), taken(page, "U(S)")) == (0.2, 0.2)


def test_another_file_is_read_anew_and_one_without_them_says_nothing(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "m.csv", SAID)
    click(qtbot, page.importer.coverage_message._button)
    opened(page, tmp_path / "n.csv", SAID)
    assert taken(page, "± T") == 0.1
    opened(page, tmp_path / "plain.csv", "t,T,sd\n0,1.5,.2\n1,2.5,.2\n")
    assert not page.importer.coverage_message.isVisible()
    opened(page, tmp_path / "m.csv", SAID)
    page.importer.load_file(tmp_path / "missing.csv")
    assert not page.importer.coverage_message.isVisible()


def test_a_line_of_expanded_uncertainties_can_be_taken_as_it_is(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "m.csv", "label,y\na,2\nb,3\nexpanded uncertainty (k=2),0.1\n")
    assert not page.importer.coverage_message.isVisible(), "it is no error yet"
    click(qtbot, page.importer.lines_told.message._button)
    click(qtbot, page.importer.coverage_message._button)
    assert taken(page, "y sd") == 0.1
    assert "divided" not in page.importer.lines_told.message.words()


def test_what_the_import_divided_is_not_offered_to_be_divided_again(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", "n,t,y (mg/l)\na,1,2\nb,2,3\nU (k=2),,6 %\n")
    click(qtbot, page.importer.use)
    page.matching.match_by_name()
    meaning = controller.problem.declared.meaning
    output = controller.problem.declared.outputs[0].name
    match = d.Match(output=output, column="y (mg/l)", sd_column="y sd (mg/l)")
    controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, matches=(match,)))
    divide = page.errors.divide
    assert divide.words.text() == "“y sd (mg/l)” was divided by k = 2 at the import."
    assert divide.button.isHidden()
    assert not divide.isHidden()
    opened(page, tmp_path / "n.csv", "n,t,y (mg/l),y sd (mg/l)\na,1,2,1\nb,2,3,1\n")
    click(qtbot, page.importer.use)
    asked = "If “y sd (mg/l)” holds expanded uncertainties, divide by k ="
    assert divide.words.text() == asked
    assert not divide.button.isHidden()
    divide.button.click()
    assert divide.words.text() == "“y sd (mg/l)” was divided by k = 2 on this tab."
    assert divide.button.isHidden()
    controller.problem.undo_stack.undo()
    assert divide.words.text() == asked


@pytest.mark.parametrize(
    ("table", "k"),
    [
        ("# U is the expanded uncertainty, k = 3\nt,T,U(T)\n0,1.5,.3\n1,2.5,.3\n", 3.0),
        ("# expanded uncertainties at 99 % coverage\nt,T,U(T)\n0,1.5,.3\n1,2.5,.3\n", 2.576),
        ("t,T,U(T) (95 %)\n0,1.5,.3\n1,2.5,.3\n", 1.96),
    ],
)
def test_a_factor_or_a_level_that_the_file_says_is_used(page: DataPage, tmp_path: Path, table: str, k: float) -> None:
    opened(page, tmp_path / "m.csv", table)
    said = page.importer.coverage_message
    assert said.level == "info"
    assert f"(k = {k:g}): they are divided by {k:g}" in said.words()
    assert buttons(page) == ("Take it as it is", "")
    found = page.importer._check()
    assert found is not None
    assert list(found.columns.values())[-1][0] == pytest.approx(0.3 / k)


def test_another_factor_can_be_typed(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "m.csv", UNSAID)
    said = page.importer.coverage_message
    typed(said.field, "a few", qtbot)
    assert said.field.refused
    typed(said.field, "2.5", qtbot)
    assert taken(page, "U(T)") == pytest.approx(0.08)
    assert said.words() == "Column “U(T)” holds expanded uncertainties (k = 2.5): they are divided by 2.5."
    assert buttons(page) == ("Take it as it is", "")
    click(qtbot, said._button)
    assert taken(page, "U(T)") == 0.2
    assert said.field.text() == ""
