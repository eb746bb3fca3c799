"""Where headings do not tell which column an output predicts, the page names the columns and what none of them is called."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from data_pages import PROBLEM, click, opened
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.same_meaning import speak_against
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.untold_names import untold
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.pages.data.pairing_steps import _named_alike


def problem_with(*columns: str, matches: tuple[d.Match, ...] = ()) -> d.Problem:
    meaning = d.Predictions(matches=matches, noise=d.GaussianKnown(sd=0.1))
    data = d.DataTable(columns=dict.fromkeys(columns, (1.0, 2.5)))
    return msgspec.structs.replace(PROBLEM, data=data, meaning=meaning)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (("time", "height", "width"), "No column is called as an output (“u”, “v”): there are “height”, “width”."),
        (("time", "u (m)", "u (mm)"), "“u (m)”, “u (mm)” are all called so."),
        (("time",), "Every column is compared already, holds errors, or says where or when."),
    ],
)
def test_the_columns_are_named_and_what_none_of_them_is_called(columns: tuple[str, ...], said: str) -> None:
    assert untold(problem_with(*columns)) == said


def test_of_one_output_only_its_own_name_is_told() -> None:
    open_match = d.Match(output="u", column="")
    problem = problem_with("time", "height", "v", matches=(open_match, d.Match(output="v", column="v")))
    assert untold(problem, "u") == "No column is called “u”: there is “height”."


def test_the_page_says_it_where_the_column_is_asked_for(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", "time,height,width\n0,1,2\n1,2,3\n")
    click(qtbot, page.importer.use)
    pairs = (d.Match(output="u", column=""), d.Match(output="v", column="width"))
    controller.problem.edit("Open", meaning=d.Predictions(matches=pairs, noise=d.GaussianKnown(sd=0.1)))
    assert page.message.words() == "Which column holds the measured values of u?"
    said = "No column is called “u”: there is “height”. Choose it under “Measured column”."
    assert page.message.suggestion() == said


def test_names_that_have_nothing_in_common_are_not_called_alike() -> None:
    question, hint = _named_alike([d.Match(output="Inflow", column="Abfluss [l/s]")])
    assert question == "Is {} compared with the one output that is left?"
    assert hint == "Inflow with Abfluss [l/s]: their names do not tell."
    assert _named_alike([d.Match(output="flow", column="Flow out")])[0] == "Is {} compared with the output that is named alike?"


@pytest.mark.parametrize(
    ("output", "column", "paired"),
    [
        ("u", "height", True), ("Flow", "Abfluss", True), ("X_OH__1_15", "t_us", False), ("p_bar", "T (K)", False),
        ("lon_D31", "lon_D34", False), ("t", "time (s)", True),
    ],
)  # fmt: skip
def test_one_output_and_one_column_that_are_left_are_compared_unless_names_speak_against_it(
    output: str, column: str, paired: bool
) -> None:
    assert speak_against(output, column) != paired
