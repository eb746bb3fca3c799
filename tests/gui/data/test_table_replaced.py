"""Another table under comparisons that were made with the one before: what was offered for the first is offered again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import click, columns_of_file, matches, opened, trial_run
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

pytestmark = pytest.mark.window

PRINTED = "o1 = 1.2\no2 = 300\no3 = -5\n"
FIRST = "o1,o2,o3\n1.1,310,-5.1\n"
LABELLED = "What,Result,Error\nGamma,-5.5,0.2\nBeta,290,9\nAlpha,1.3,0.1\n"
NAMED = "first o1,value of o2,o3 again\n1.1,310,-5.1\n"


@pytest.fixture
def problem() -> d.Problem:
    return d.Problem(
        name="three numbers",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")),
        outputs=tuple(
            d.Output(name=f"o{i}", source="res.txt", extractor=d.LabelledNumber(label=f"o{i} ="), length=1) for i in (1, 2, 3)
        ),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
    )


def replaced(page: DataPage, folder: Path, table: str) -> None:
    opened(page, folder / "another.csv", table)
    assert page.importer.use.text() == "&Replace the present table"
    page.importer.use.click()


def paired(controller: SessionController) -> dict[str, str]:
    return {m.output: m.column for m in matches(controller)}


@pytest.fixture
def compared(page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]) -> DataPage:
    trial_run(page, engines, PRINTED)
    opened(page, tmp_path / "first.csv", FIRST)
    page.importer.use.click()
    assert len(matches(controller)) == 3
    return page


def test_labelled_rows_in_place_of_columns_are_proposed_whole_and_taken_by_one_button(
    qtbot: QtBot, compared: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    replaced(compared, tmp_path, LABELLED)
    assert set(paired(controller).values()) == {""}
    click(qtbot, compared.matching.proposed.button)
    assert paired(controller) == {"o1": "Alpha", "o2": "Beta", "o3": "Gamma"}
    assert compared.status()[0] == "done"


def test_what_the_output_was_multiplied_by_stays(
    qtbot: QtBot, compared: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    scaled = tuple(msgspec.structs.replace(m, factor=2.0) for m in matches(controller))
    controller.problem.edit("x", meaning=msgspec.structs.replace(controller.problem.declared.meaning, matches=scaled))  # type: ignore[type-var]
    replaced(compared, tmp_path, LABELLED)
    click(qtbot, compared.matching.proposed.button)
    assert [m.factor for m in matches(controller)] == [2.0, 2.0, 2.0]


def test_one_old_comparison_does_not_lock_comparing_the_others_by_name(
    qtbot: QtBot, compared: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    compared.matching.model.remove([1, 2], "Remove comparison")
    replaced(compared, tmp_path, NAMED)
    assert paired(controller) == {"o1": "first o1"}
    assert compared.message._button.text() == "&Compare by name"
    click(qtbot, compared.message._button)
    assert paired(controller) == {"o1": "first o1", "o2": "value of o2", "o3": "o3 again"}


def test_a_long_table_is_offered_to_be_split_though_old_comparisons_have_no_column(
    qtbot: QtBot, compared: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", outputs=columns_of_file("Probe_A", "Probe_B"), meaning=d.Predictions(
        matches=(d.Match(output="Probe_A", column="o1"), d.Match(output="Probe_B", column="o2")), noise=d.GaussianKnown(sd=1.0),
    ))  # fmt: skip
    opened(compared, tmp_path / "long.csv", "what;T\nProbe A;1\nProbe A;2\nProbe B;3\nProbe B;4\n")
    compared.importer.split.choose("")
    compared.importer.use.click()
    assert set(paired(controller).values()) == {""}
    assert compared.message._button.text() == "&Split the table by “what”"
    click(qtbot, compared.message._button)
    assert paired(controller) == {"Probe_A": "Probe A", "Probe_B": "Probe B"}


def test_a_double_click_that_takes_the_first_of_two_files_does_not_replace_it_by_the_second(
    qtbot: QtBot, page: DataPage, tmp_path: Path
) -> None:
    for name, text in (("one.csv", FIRST), ("two.csv", "z\n4\n")):
        (tmp_path / name).write_text(text)
    page.open_files([tmp_path / "one.csv", tmp_path / "two.csv"])
    use, add = page.importer.use, page.importer.add
    place = use.mapTo(page, use.rect().center())
    click(qtbot, use)
    qtbot.waitUntil(add.isVisible)
    qtbot.wait(20)  # the layout has come to rest
    assert page.childAt(place) is add, "in its place is the button by which nothing is lost"


def test_a_table_taken_away_and_imported_again_in_two_files_has_all_its_comparisons_with_their_keys(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    outputs = columns_of_file("Flow", "When", "Depth", "Node")
    outputs = tuple(msgspec.structs.replace(o, text=o.name in ("When", "Node")) for o in outputs)
    flow, depth = "time;q [l/s]\n2024-05-03 14:10;1\n2024-05-03 14:20;2\n", "node;h [m];+/- [m]\nJ2;0.3;0.01\nJ3;0.2;0.01\n"
    controller.problem.edit("x", outputs=outputs)
    for name, text in (("flow.csv", flow), ("depth.csv", depth)):
        opened(page, tmp_path / name, text)
        (page.importer.use if name == "flow.csv" else page.importer.add).click()
    made = (
        d.Match(output="Flow", column="q [l/s]", key_output="When", key_column="time"),
        d.Match(output="Depth", column="h [m]", key_output="Node", key_column="node", sd_column="+/- [m]"),
    )
    controller.problem.edit("x", meaning=d.Predictions(matches=made, noise=d.GaussianKnown()))
    page.remove_button.click()
    assert controller.problem.declared.data is None
    page.open_files([tmp_path / "flow.csv", tmp_path / "depth.csv"])
    page.importer.use.click()
    page.importer.add.click()
    assert matches(controller) == made
