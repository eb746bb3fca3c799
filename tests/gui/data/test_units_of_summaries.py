"""A random program and a laboratory that give the same quantity in two units: asked and mended as of comparisons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM, click, column, opened, trial_run
from pytestqt.qtbot import QtBot

from bayescope.engine.likelihood.summaries import compared
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.validate import check
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.open_questions import open_question
from bayescope.gui.models.results.best_point import best_words
from bayescope.gui.pages.data.page import DataPage

MEASURED = "day;mites\n0;19200\n1;26000\n2;34000\n3;40100\n"  # per day
PRINTED = "0 201 30\n1 260 38\n2 330 54\n3 390 90\n"  # per quarter of an hour


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(
        PROBLEM, outputs=(column("time", 0), column("M", 1), column("P", 2)), meaning=d.SyntheticLikelihood(summaries=())
    )


def summary(statistic: Any = "values", **more: Any) -> d.Summary:
    return d.Summary(output="M", column="mites", statistic=statistic, **more)


def begun(page: DataPage, controller: SessionController, engines: list[Any], path: Path, *summaries: d.Summary) -> None:
    opened(page, path, MEASURED)
    page.importer.accept()
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=summaries))
    page.trial.answers.leave_idle(("P", "day", "time"))
    trial_run(page, engines, PRINTED)


def now(controller: SessionController) -> tuple[d.Summary, ...]:
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.SyntheticLikelihood)
    return meaning.summaries


@pytest.mark.parametrize("statistic", ["values", "mean", "quantiles", "sd"])
def test_an_output_far_smaller_than_what_its_summary_is_compared_with_is_asked_for_and_a_button_multiplies_it(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path, statistic: str
) -> None:
    begun(page, controller, engines, tmp_path / "m.csv", summary(statistic))
    page.tabs.setCurrentIndex(1)
    words = page.message.words()
    assert words.startswith("Every value of “M” is some")
    assert "times smaller than what was measured" in words
    assert page.status() == ("todo", "Is an output in another unit?"), "as the start asks"
    assert page.summaries.units.words() == words
    asked = open_question(controller.problem.declared, page.trial.report)
    assert asked is not None
    assert asked.words == words
    click(qtbot, page.message._button)
    assert [s.factor for s in now(controller)] == [100.0]
    assert "smaller" not in page.message.words()
    assert not page.summaries.units.isVisible()


def test_all_summaries_of_one_output_have_one_factor_and_the_spreads_that_are_known_go_with_it(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    both = summary("mean", scale=(4.0,)), summary("autocorrelation", lags=1, scale=(0.5,)), summary("log_sd", scale=(2.0,))
    begun(page, controller, engines, tmp_path / "m.csv", *both)
    click(qtbot, page.message._button)
    assert [(s.factor, s.scale) for s in now(controller)] == [(100.0, (400.0,)), (100.0, (0.5,)), (100.0, (2.0,))]
    controller.problem.edit("two", meaning=d.SyntheticLikelihood(summaries=(summary("mean"), summary("sd"))))
    assert page.message.words() == "Every value of “M” is some 100 times smaller than what was measured.", "of one column"
    controller.problem.undo_stack.undo()
    page.tabs.setCurrentIndex(1)
    page.summaries.show_summary(1)
    page.summaries._change(msgspec.structs.replace(now(controller)[1], factor=96.0))
    assert [(s.factor, s.scale) for s in now(controller)] == [(96.0, (384.0,)), (96.0, (0.5,)), (96.0, (2.0,))]
    assert page.summaries.model.index(0, 3).data() == "× 96"
    assert "times smaller" not in page.message.words()


def test_that_the_factor_of_a_summary_is_right_is_said_once(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    begun(page, controller, engines, tmp_path / "m.csv", summary("mean"))
    assert "times smaller" in page.message.words()
    click(qtbot, page.message._dismiss)
    trial_run(page, engines, PRINTED)
    assert "times smaller" not in page.message.words()
    assert open_question(controller.problem.declared, page.trial.report, page.trial.answers.settled.kept) is None


def test_units_in_names_are_told_of_summaries_before_any_test_run(controller: SessionController) -> None:
    outputs = (msgspec.structs.replace(column("M", 1), unit="1/h"),)
    problem = msgspec.structs.replace(
        controller.problem.declared, outputs=outputs, data=d.DataTable(columns={"M (1/d)": (200.0, 300.0)}),
        meaning=d.SyntheticLikelihood(summaries=(d.Summary(output="M", column="M (1/d)", statistic="mean"),)),
    )  # fmt: skip
    asked = open_question(problem, None)
    assert asked is not None
    assert asked.words.startswith("“M” is in 1/h, as it says, and “M (1/d)” was measured in 1/d.")


def test_a_summary_is_of_the_output_in_the_unit_of_the_data() -> None:
    data = d.DataTable(columns={"u": (96.0, 288.0)})
    meaning = d.SyntheticLikelihood(
        summaries=tuple(d.Summary(output="u", column="u", statistic=s, factor=96.0, offset=1.0) for s in ("mean", "sd"))
    )
    problem = msgspec.structs.replace(PROBLEM, outputs=(column("u", 1),), data=data, meaning=meaning)
    found = compared(problem, meaning, {"u": np.array([[1.0, 3.0], [2.0, 6.0]])})
    np.testing.assert_allclose(found.simulated, [[193.0, 96.0 * np.sqrt(2.0)], [385.0, 96.0 * np.sqrt(8.0)]])
    assert "measured 192" in best_words(problem, 1, {"u": np.array([[1.0, 3.0], [1.5, 2.5]])})
    assert ": 193; measured 192" in best_words(problem, 1, {"u": np.array([[1.0, 3.0], [1.5, 2.5]])})
    bad = msgspec.structs.replace(meaning, summaries=(d.Summary(output="u", column="u", factor=0.0),))
    wrong = [f for f in check(msgspec.structs.replace(problem, meaning=bad)) if f.where == "meaning.summaries[0].factor"]
    assert [f.suggestion for f in wrong] == ["Enter 1 where both have the same unit."]
