"""Points and runs of the program are told apart wherever a point takes several runs, and what they cost is said before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM

from bayescope.engine.problem import definition as d
from bayescope.engine.run.within import WithinPoints
from bayescope.gui.analysis.counting import ahead_words, brief_words, inside_words, noun, total_words
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.run.settings import RunSettingsDialog
from bayescope.gui.pages.run.strip import RunStrip
from bayescope.gui.pages.simulator.meaning import MeaningTab

RANDOM = msgspec.structs.replace(
    PROBLEM, meaning=d.LogLikelihoodOutput(output=PROBLEM.outputs[0].name, repeats=50),
    settings=msgspec.structs.replace(PROBLEM.settings, max_evaluations=140, workers=2),
)  # fmt: skip
ONCE = msgspec.structs.replace(RANDOM, meaning=d.LogLikelihoodOutput(output=PROBLEM.outputs[0].name))


def test_the_total_and_the_time_are_those_of_all_runs_of_all_points() -> None:
    assert (noun(RANDOM), noun(ONCE)) == ("points", "runs")
    assert total_words(RANDOM, 140) == "140 points, 50 runs of the program at each: 7,000 runs"
    assert ahead_words(RANDOM, 140, 2, 3.6) == (
        "140 points, 50 runs of the program at each: 7,000 runs, about 3 h 30 min in all: at 3.6 s a run and 2 at a time"
    )
    assert ahead_words(ONCE, 100, 1, 3.0) == "100 runs, about 5 min 02 s in all: at 3.0 s a run"
    assert ahead_words(ONCE, 100, 1, None) == ""
    assert brief_words(RANDOM, 140, 2, 3.6) == "140 points × 50 = 7,000 runs, about 3 h 30 min in all"
    assert brief_words(RANDOM, 140, 2, None) == "140 points × 50 = 7,000 runs"
    assert brief_words(ONCE, 100, 1, 3.0) == "100 runs, about 5 min 02 s in all"
    assert brief_words(ONCE, 140, 2, 0.008) == "140 runs, about 2.8 s in all, 0.6 s of it in the program"


def test_the_computing_between_the_runs_is_part_of_the_forecast_and_grows_with_the_parameters() -> None:
    four = msgspec.structs.replace(ONCE, parameters=tuple(
        d.Parameter(name=n, prior=d.Uniform(low=0.0, high=1.0)) for n in ("a", "b", "c", "e")
    ))  # fmt: skip
    assert brief_words(four, 140, 1, 0.01) == "140 runs, about 37 s in all, 1.4 s of it in the program"
    assert brief_words(four, 140, 1, 60.0) == "140 runs, about 2 h 20 min in all"
    fixed = (*four.parameters, d.Parameter(name="f", prior=d.Uniform(low=0.0, high=1.0), fixed=0.5))
    assert brief_words(msgspec.structs.replace(four, parameters=fixed), 140, 1, 0.01).startswith("140 runs, about 37 s")


def test_progress_within_a_point_is_told_of_each_point_under_way() -> None:
    assert inside_words(0, {0: 12}, 1, RANDOM) == "point 1: 12 of 50 runs"
    assert inside_words(4, {5: 3, 4: 20}, 2, RANDOM) == "point 5: 20 of 50 runs; point 6: 3 of 50 runs"
    assert inside_words(4, {}, 1, RANDOM) == "point 5: 0 of 50 runs"
    assert inside_words(0, dict.fromkeys(range(8), 1), 8, RANDOM) == "8 points under way, 8 of their 400 runs done"
    assert inside_words(0, {}, 2, ONCE) == ""


def test_the_engine_counts_the_runs_of_points_under_way_and_forgets_the_others() -> None:
    told: list[int] = []
    inside = WithinPoints(lambda: told.append(1))
    for done in (1, 2, 3):
        inside.of(7)(done, 50)
    inside.of(8)(50, 50)
    assert told == [1]  # not for every run of a quick program
    assert inside.counts({7}) == {7: 3}
    assert inside.counts({7, 8}) == {7: 3}


@pytest.mark.window
def test_every_page_says_points_before_the_start(make_controller: Callable[[], SessionController], show: Any) -> None:
    controller = make_controller()
    controller.file.adopt(RANDOM)
    strip = RunStrip(controller.problem, controller.file, controller.run, Trial.of(controller))
    show(strip)
    strip.refresh()
    assert strip.runs.caption.text() == "Points"
    assert "50 runs of the program at each" in strip.runs.value.toolTip()
    dialog = RunSettingsDialog(controller.problem, controller.run, seconds=3.6)
    show(dialog)
    dialog.evaluations.setValue(100)
    assert "100 points, 50 runs of the program at each: 5,000 runs, about 2 h 30 min" in dialog.costs.text()
    tab = MeaningTab(controller.problem, Trial.of(controller))
    show(tab)
    tab.refresh()
    assert "7,000 runs" in tab.cost.text()
