"""An output that is the data again is not proposed for a comparison, and one that stands is said to say nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.keys.known_keys import known_keys
from bayescope.gui.models.data.meanings import first_summaries, next_summary
from bayescope.gui.pages.data.page import DataPage

TABLE = "State;births\n1,5;210\n2,5;340\n4,0;405\n"
PRINTED = "1.5 201\n2.5 330\n4.0 390\n"
OTHERS = "1.5 211\n2.5 350\n4.0 380\n"


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("State", 0), column("births", 1)))


@pytest.fixture
def size() -> tuple[int, int]:
    return 1280, 720


@pytest.fixture
def tried(page: DataPage, tmp_path: Path, engines: list[Any]) -> DataPage:
    """With its table and test runs at two points."""
    opened(page, tmp_path / "m.csv", TABLE)
    page.importer.accept()
    trial_run(page, engines, PRINTED)
    other = protocol.TrialFile(name="res.txt", role="produced", text=OTHERS)
    page.trial.other = msgspec.structs.replace(page.trial.report, files=(other,))
    page.trial.changed.emit()
    return page


def test_no_summary_of_an_output_and_the_column_it_repeats_is_proposed(tried: DataPage, controller: SessionController) -> None:
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=()))
    problem = controller.problem.declared
    known = known_keys(problem, tried.trial)
    assert known.echoes == {("State", "State")}
    (first,) = first_summaries(problem, known)
    assert (first.output, first.column) == ("births", "births")
    assert next_summary(problem, known).output == "births"


def test_a_summary_that_compares_the_data_with_themselves_is_left_out_by_the_button(
    qtbot: QtBot, tried: DataPage, controller: SessionController
) -> None:
    both = tuple(d.Summary(output=name, column=name, statistic="mean") for name in ("State", "births"))
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=both))
    assert tried.message.words().startswith("Output “State” repeats the data column of this name")
    assert tried.status() == ("todo", "An output repeats the data")
    click(qtbot, tried.message._button)
    assert [s.output for s in controller.problem.declared.meaning.summaries] == ["births"]  # type: ignore[union-attr]
    assert "repeats" not in tried.message.words()


@pytest.mark.parametrize("leaves", [True, False])
def test_a_comparison_of_the_data_with_themselves_is_said_to_tell_nothing(
    qtbot: QtBot, tried: DataPage, controller: SessionController, leaves: bool
) -> None:
    both = tuple(d.Match(output=name, column=name) for name in ("State", "births"))
    controller.problem.edit("x", meaning=d.Predictions(matches=both, noise=d.GaussianKnown(sd=0.1)))
    assert tried.message.words().startswith("Output “State” repeats the data column of this name")
    click(qtbot, tried.message._button if leaves else tried.message._dismiss)
    assert [m.output for m in matches(controller)] == (["births"] if leaves else ["State", "births"])
    assert "repeats" not in tried.message.words()
    assert tried.status()[0] == "done"


def test_values_that_agree_in_one_run_only_are_no_echo(page: DataPage, tmp_path: Path, engines: list[Any]) -> None:
    opened(page, tmp_path / "m.csv", TABLE)
    page.importer.accept()
    trial_run(page, engines, PRINTED)
    assert not known_keys(page.problem.declared, page.trial).echoes
