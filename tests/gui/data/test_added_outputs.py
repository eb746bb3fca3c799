"""Outputs that come with a table are said, and can be taken out; what pairs one comparison pairs all, from the page's card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from data_pages import click, matches, opened, trial_run, words
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

PRINTED = "A1 1.4 8.9\nA2 2.6 9.1\nB-7 3.0 9.0\n"
TWO = "node,u,v\nB-7,3.1,9.3\nA1,1.5,8.6\nA2,2.5,9.2\n"


def named(controller: SessionController) -> list[str]:
    return [o.name for o in controller.problem.declared.outputs]


def imported_after_a_run(qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any]) -> None:
    trial_run(page, engines, PRINTED)
    opened(page, tmp_path / "m.csv", TWO)
    click(qtbot, page.importer.use)


def test_an_output_that_a_table_brings_is_said_and_taken_out_by_one_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    imported_after_a_run(qtbot, page, tmp_path, engines)
    assert named(controller) == ["u", "v", "node"]
    assert page.added.words() == "Output “node” was added with the table."
    assert page.added.suggestion() == "The program prints it beside its values: rows are paired by “node”."
    assert words(page.added._button) == "Pair in order, without it"
    click(qtbot, page.added._button)
    assert named(controller) == ["u", "v"]
    assert [m.keys for m in matches(controller)] == [(), ()]
    assert not page.added.words()
    controller.problem.undo_stack.undo()
    assert named(controller) == ["u", "v", "node"]
    assert [m.key_column for m in matches(controller)] == ["node", "node"]


def test_what_was_said_of_added_outputs_goes_with_the_table(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    imported_after_a_run(qtbot, page, tmp_path, engines)
    assert page.added.words()
    click(qtbot, page.table_part.remove_button)
    assert controller.problem.declared.data is None
    assert not page.added.words()


def test_what_was_said_of_added_outputs_goes_with_them_or_when_they_are_kept(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    imported_after_a_run(qtbot, page, tmp_path, engines)
    controller.problem.undo_stack.undo()  # the whole import
    assert not page.added.words()
    controller.problem.undo_stack.redo()
    opened(page, tmp_path / "m.csv", TWO)
    click(qtbot, page.importer.use)
    assert not page.added.words(), "it was there before"
    controller.problem.undo_stack.undo()
    controller.problem.undo_stack.undo()
    opened(page, tmp_path / "m.csv", TWO)
    click(qtbot, page.importer.use)
    click(qtbot, page.added._dismiss)
    assert not page.added.words()
    assert named(controller) == ["u", "v", "node"]


def test_the_card_of_the_page_pairs_all_comparisons_of_a_key_at_once(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", "node,u,v\nB-7,3.1,9.3\nA1,1.5,8.6\n")
    click(qtbot, page.importer.use)
    trial_run(page, engines, PRINTED)
    assert words(page.message._button) == "Pair all 2 by node"
    click(qtbot, page.message._button)
    assert [(m.key_output, m.key_column) for m in matches(controller)] == [("node", "node")] * 2
    assert page.added.words() == "Output “node” was added with the table."


def test_comparisons_in_order_of_a_key_that_another_has_are_paired_from_the_page(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", "node,u,v\nA1,1.5,8.6\nA2,2.5,9.2\nB-7,3.1,9.3\n")
    click(qtbot, page.importer.use)
    keyed = d.Match(output="u", column="u", key_output="node", key_column="node")
    meaning = d.Predictions(matches=(keyed, d.Match(output="v", column="v")), noise=d.GaussianKnown(sd=0.1))
    outputs = (*controller.problem.declared.outputs, d.Output(
        name="node", source="res.txt", extractor=d.CsvColumn(column=0, delimiter=" "), text=True))  # fmt: skip
    controller.problem.edit("x", outputs=outputs, meaning=meaning)
    trial_run(page, engines, PRINTED)
    assert page.message.words() == "Another comparison has the key “node” and is not paired by it."
    assert page.status()[0] == "done", "it is only said"
    click(qtbot, page.message._button)
    assert [m.key_column for m in matches(controller)] == ["node", "node"]
