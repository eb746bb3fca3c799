"""One of several outputs compared with data: allowed, but said before the start, with the way to the page that settles it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from data_pages import PROBLEM, click, matches, opened
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.partly import columns_question
from bayescope.gui.models.data.taking_part import set_aside
from bayescope.gui.models.step_status import step_status
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.pages.run.page import RunPage

pytestmark = pytest.mark.window

TABLE = "o1,Beta,Gamma\n1.1,21,290\n"


@pytest.fixture
def problem() -> d.Problem:
    return d.Problem(
        name="three numbers",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")),
        outputs=tuple(
            d.Output(name=f"o{i}", source="res.txt", extractor=d.LabelledNumber(label=f"o{i} ="), length=1) for i in (1, 2, 3)
        ),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=0.1)),
    )


@pytest.fixture
def one_of_three(page: DataPage, controller: SessionController, tmp_path: Path) -> DataPage:
    opened(page, tmp_path / "m.csv", TABLE)
    page.importer.use.click()
    assert [m.output for m in matches(controller)] == ["o1"]
    return page


def test_run_and_data_say_that_only_some_outputs_are_compared(one_of_three: DataPage, controller: SessionController) -> None:
    assert step_status(controller, "run") == ("todo", "ready, but 1 of 3 outputs compared")
    assert step_status(controller, "data") == ("todo", "only 1 of 3 outputs compared"), "before its page was ever opened"
    assert one_of_three.status()[0] == "todo"
    assert not controller.run.obstacles(), "it is allowed"


def test_the_run_page_says_it_above_start_with_the_button_that_goes_there(
    one_of_three: DataPage, controller: SessionController, show: Callable[..., None], qtbot: QtBot
) -> None:
    run = RunPage(controller)
    show(run, 1000, 600)
    wanted: list[str] = []
    run.page_requested.connect(wanted.append)
    said = run.partly
    assert said.words() == "Only 1 of 3 outputs is compared with data."
    assert "“o2”, “o3”" in said.suggestion()
    assert said.mapTo(run, said.rect().bottomLeft()).y() < run.strip.start.mapTo(run, run.strip.start.rect().topLeft()).y()
    assert run.strip.start.isEnabled()
    click(qtbot, said._button)
    assert wanted == ["data"]
    controller.problem.replace(set_aside(controller.problem.declared, ("o2", "o3", "Beta", "Gamma")), "They do not count")
    assert not said.isVisible()
    assert run.status() == ("todo", "ready to start")
    run.release()


def test_a_measured_column_that_no_output_predicts_is_asked_about_before_the_start_and_holds_nothing_up(
    page: DataPage, controller: SessionController, tmp_path: Path, show: Callable[..., None], qtbot: QtBot
) -> None:
    controller.problem.edit("One output", outputs=controller.problem.declared.outputs[:1])
    opened(page, tmp_path / "m.csv", "t,o1,p2\n0.5,1.1,21\n")
    page.importer.use.click()
    question = "Column “p2” of m.csv is compared with nothing: is that meant?"
    run = RunPage(controller)
    show(run, 1000, 600)
    assert run.partly.words() == question
    assert run.status() == ("todo", "ready, but column “p2” in no comparison")
    assert (step_status(controller, "data")[0], page.status()[0]) == ("done", "done"), "it may well be meant"
    assert run.strip.start.isEnabled()
    assert not controller.run.obstacles(), "it is allowed"
    assert page.message.words() == question
    with qtbot.waitSignal(page.outputs_wanted):
        click(qtbot, page.message._button)
    click(qtbot, page.message._dismiss)
    assert controller.problem.declared.meaning.aside == ("p2",)  # type: ignore[union-attr]
    assert run.partly.level is None
    assert run.status() == ("todo", "ready to start")
    run.release()


def test_several_columns_are_asked_about_at_once_and_the_time_is_none_of_them(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("One output", outputs=controller.problem.declared.outputs[:1])
    opened(page, tmp_path / "m.csv", "t,o1,p2,p3,o1_sd\n0.5,1.1,21,4,0.1\n")
    page.importer.use.click()
    assert page.message.words() == "Columns “p2”, “p3” of m.csv are compared with nothing: is that meant?"
    assert page.message.level == "info"


def test_of_a_table_from_several_files_no_file_is_named() -> None:
    data = d.DataTable(columns={"T (K)": (1.0,)}, origin="vial7.xlsx, the clipboard")
    assert columns_question(msgspec.structs.replace(PROBLEM, data=data), ("T (K)",)) == (
        "Column “T (K)” is compared with nothing: is that meant?"
    )
    one = msgspec.structs.replace(data, origin="vial7.xlsx")
    assert "of vial7.xlsx is compared" in columns_question(msgspec.structs.replace(PROBLEM, data=one), ("T (K)",))
