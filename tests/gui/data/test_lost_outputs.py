"""An output that a comparison is paired by, or is of, and that is marked no more: the page gives the buttons that mend it."""

from __future__ import annotations

from pathlib import Path

import msgspec
from data_pages import click, column, matches, opened, words
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

TABLE = "x,day,u\n1,1,5\n2,1,6\n3,2,7\n"
KEYED = d.Match(output="u", column="u", key_output="x", key_column="x")


def shown(qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, match: d.Match, *left: str) -> None:
    opened(page, tmp_path / "m.csv", TABLE)
    click(qtbot, page.importer.use)
    meaning = d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=0.1))
    controller.problem.edit("x", outputs=tuple(column(n, i) for i, n in enumerate(left)), meaning=meaning)


def test_rows_paired_by_an_output_that_is_gone_are_paired_in_order_by_one_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    shown(qtbot, page, controller, tmp_path, KEYED, "u")
    assert page.message.words() == "There is no output called “x”."
    assert page.message.suggestion() == "Rows were paired by it. Mark it again, or pair them without it."
    assert words(page.message._button) == "Pair in order"
    click(qtbot, page.message._button)
    assert matches(controller)[0].keys == ()
    assert "There is no output" not in page.message.words()


def test_the_other_button_leads_to_where_it_is_marked(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    shown(qtbot, page, controller, tmp_path, KEYED, "u")
    assert words(page.message._dismiss) == "Mark it"
    with qtbot.waitSignal(page.outputs_wanted, timeout=1000):
        click(qtbot, page.message._dismiss)


def test_a_second_key_stays_where_the_first_is_gone(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    two = msgspec.structs.replace(KEYED, second_key_output="day", second_key_column="day")
    shown(qtbot, page, controller, tmp_path, two, "u", "day")
    assert words(page.message._button) == "Pair by day alone"
    click(qtbot, page.message._button)
    assert matches(controller)[0].keys == (("day", "day"),)


def test_an_output_that_is_compared_and_gone_can_be_marked_again(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    shown(qtbot, page, controller, tmp_path, msgspec.structs.replace(KEYED, output="v"), "u", "x")
    assert page.message.words() == "There is no output called “v”."
    assert (words(page.message._button), words(page.message._dismiss)) == ("Remove the comparison", "Mark it")


def test_comparisons_of_outputs_that_are_gone_are_removed_by_one_button_before_their_columns_are_asked_for(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    shown(qtbot, page, controller, tmp_path, KEYED, "u", "x")
    gone = tuple(d.Match(output=name, column="") for name in ("v", "w"))
    meaning = d.Predictions(matches=(*gone, KEYED), noise=d.GaussianKnown(sd=0.1))
    controller.problem.edit("x", meaning=meaning)
    assert page.message.words() == "Outputs that are compared are gone: “v”, “w”."
    assert words(page.message._button) == "Remove the 2 comparisons"
    click(qtbot, page.message._button)
    assert matches(controller) == (KEYED,)
