"""Points and runs of the program are told apart wherever a point takes several runs, and what they cost is said before."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM

from bayescope.engine import protocol
from bayescope.engine.answer.nouns import counted_as
from bayescope.engine.answer.words import ENDS_AFTER
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.definition import evaluation_noun
from bayescope.engine.run import endings
from bayescope.engine.run.within import WithinPoints
from bayescope.gui.analysis.countdown import Remaining
from bayescope.gui.analysis.counting import ahead_words, brief_words, inside_words, noun, total_words
from bayescope.gui.analysis.forecast import seconds_ahead
from bayescope.gui.analysis.run_data import Evaluation
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.recent import _state
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.run.page import RunPage
from bayescope.gui.pages.run.settings import RunSettingsDialog
from bayescope.gui.pages.run.strip import FORECAST, RunStrip
from bayescope.gui.pages.run.strip_words import remaining_words
from bayescope.gui.pages.simulator.meaning import MeaningTab
from bayescope.gui.pages.trial_panel import TrialPanel
from bayescope.gui.style.words import duration_range

RANDOM = msgspec.structs.replace(
    PROBLEM, meaning=d.LogLikelihoodOutput(output=PROBLEM.outputs[0].name, repeats=50),
    settings=msgspec.structs.replace(PROBLEM.settings, max_evaluations=140, workers=2),
)  # fmt: skip
ONCE = msgspec.structs.replace(RANDOM, meaning=d.LogLikelihoodOutput(output=PROBLEM.outputs[0].name))


def test_the_total_and_the_time_are_those_of_all_runs_of_all_points() -> None:
    assert (noun(RANDOM), noun(ONCE)) == ("points", "runs")
    assert total_words(RANDOM, 140) == "140 points, 50 runs of the program at each: 7,000 runs"
    there = ahead_words(RANDOM, 140, 2, 3.6, here=False)
    assert there == "140 points, 50 runs of the program at each: 7,000 runs, 3 – 5 h in all: at 3.6 s a run and 2 at a time"
    assert ahead_words(ONCE, 100, 1, 60.0) == "100 runs, about 2 h in all: at 1 min 00 s a run"
    assert ahead_words(ONCE, 100, 1, None) == ""
    assert brief_words(RANDOM, 140, 2, 3.6, here=False) == "140 points × 50 = 7,000 runs, 3 – 5 h in all"
    assert brief_words(RANDOM, 140, 2, None) == "140 points × 50 = 7,000 runs"
    assert brief_words(ONCE, 140, 1, 0.008) == "140 runs, 2 s – 3 min in all, 1.1 s of it in the program"


def test_what_remains_and_how_it_ended_are_told_of_points_where_each_takes_several_runs() -> None:
    trace = SimpleNamespace(data=SimpleNamespace(answer=SimpleNamespace(diagnostics={ENDS_AFTER: 2.0})))
    for counted in ("runs", "points"):
        near = remaining_words(trace, Remaining((100.0, 200.0), 50), counted)[1]  # type: ignore[arg-type]
        assert near == f"The figures asked for are met: it may end as soon as 2 more {counted} confirm the answer"
    spent = "The budget of 100 runs is used up, 3 of them failed."
    assert endings.counted(RANDOM.meaning, "budget", spent) == ("budget", spent.replace("runs", "points"))
    assert endings.counted(ONCE.meaning, "budget", spent) == ("budget", spent)
    assert counted_as("point", ("Check one run of the simulator.",)) == ("Check one run of the simulator.",)


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
def test_how_long_it_takes_stands_beside_start_and_under_the_test_run_before_it_begins(
    make_controller: Callable[[], SessionController], engines: list[Any], show: Any
) -> None:
    controller = make_controller()
    assert controller.file.open_example("contamination")
    trial = Trial.of(controller)
    strip, panel = RunStrip(controller.problem, controller.file, controller.run, trial), TrialPanel(trial)
    show(strip)
    show(panel)
    panel.run()
    report = protocol.TrialRunReport(outcome="ok", stdout="", exit_code=0, duration_s=30.0)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    strip.refresh()
    assert strip.activity.text().startswith("At most 140 runs, up to "), "others may be quicker than the first"
    again = msgspec.structs.replace(report, again_s=30.0)
    panel.run()
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(again)))
    strip.refresh()
    low, high = seconds_ahead(controller.problem.declared, 140, controller.run.workers, 30.0)
    told = f"t most 140 runs, {duration_range(low, high)} in all"
    assert told in strip.activity.toolTip() + strip.activity.text()
    assert told in panel.summary.text()
    controller.run.set_workers(2)
    strip.refresh()
    assert strip.activity.text().startswith("At most 140 runs, 32")


@pytest.mark.window
def test_until_a_run_has_come_back_what_remains_is_forecast(
    make_controller: Callable[[], SessionController], engines: list[Any], show: Any
) -> None:
    controller = make_controller()
    assert controller.file.open_example("contamination")
    trial = Trial.of(controller)
    trial.answers.note_time(30.0, controller.problem.declared.simulator.command)
    strip = RunStrip(controller.problem, controller.file, controller.run, trial)
    show(strip)
    assert strip.remaining.value.text() == "–"
    controller.run.start()
    engines[-1].message.emit(protocol.StateChanged(state="running", words=""))
    strip.refresh()
    most = seconds_ahead(controller.problem.declared, 140, controller.run.workers, 30.0)[1]
    assert strip.remaining.value.text() == f"up to {duration_range(most, most).removeprefix('about ')}"
    assert strip.remaining.value.toolTip().startswith(FORECAST.format("runs"))


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
    assert "100 points, 50 runs of the program at each: 5,000 runs, 2 – 4 h in all" in dialog.costs.text()
    tab = MeaningTab(controller.problem, Trial.of(controller))
    show(tab)
    tab.refresh()
    assert "7,000 runs" in tab.cost.text()


@pytest.mark.window
def test_after_a_new_start_what_remains_is_told_by_the_points_made_before(
    make_controller: Callable[[], SessionController], engines: list[Any], show: Any
) -> None:
    controller = make_controller()
    controller.file.adopt(RANDOM)
    strip = RunStrip(controller.problem, controller.file, controller.run, Trial.of(controller))
    show(strip)
    for i in range(1, 4):
        controller.run.data.add_evaluation(Evaluation(i, {"E": 1e10}, "ok", -1.0, -1.0, 0.1, 100.0, 0.0))
    controller.run.start()
    engines[-1].message.emit(protocol.StateChanged(state="running", words=""))
    strip.refresh()
    most = seconds_ahead(RANDOM, 137, controller.run.workers, 2.0)[1]  # 100 s for a point of 50 runs
    assert strip.remaining.value.text() == f"up to {duration_range(most, most).removeprefix('about ')}"
    assert strip.remaining.value.toolTip().startswith("From the points made before")


def test_lists_count_points_where_each_takes_several_runs(
    show: Any, make_controller: Callable[[], SessionController]
) -> None:
    assert _state(22, None, evaluation_noun(RANDOM.meaning)) == "22 points, no answer yet"
    assert _state(1, None, evaluation_noun(ONCE.meaning)) == "1 run, no answer yet"
    controller = make_controller()
    controller.file.adopt(RANDOM)
    for i in range(1, 4):
        controller.run.data.add_evaluation(Evaluation(i, {"E": 1e10}, "ok", -1.0, -1.0, 0.1, 100.0, 0.0))
    page = RunPage(controller)
    show(page)
    page.show_view("runs")
    page._redraw(force=True)
    assert page.current_view.table.count.text() == "3 points, 0 failed"  # type: ignore[attr-defined]
