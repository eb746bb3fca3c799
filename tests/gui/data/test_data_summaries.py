"""Data page for random simulations: what is proposed with a summary, what does not fit, and how it looks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM, click, column, opened, trial_run
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.likelihood.errors import LikelihoodError
from bayescope.engine.likelihood.summaries import compared
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.runs_a_point import fewest_runs
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.left_meanings import LeftMeanings
from bayescope.gui.models.data.summary_lengths import unfit_summary
from bayescope.gui.models.step_status import step_status
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.plots.data_plot import shown_columns
from bayescope.gui.widgets.forms import Choice
from bayescope.gui.widgets.notices import FieldNotice

COUNTED = "day;mites;sd mites\n0;200;3\n2;340;4\n3;400;5\n"
PRINTED = "0 201 30\n1 260 38\n2 330 54\n3 390 90\n"


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(
        PROBLEM,
        outputs=(column("time", 0), column("M", 1), column("P", 2)),
        meaning=d.SyntheticLikelihood(summaries=()),
    )


@pytest.fixture
def size() -> tuple[int, int]:
    return 1280, 720


def summaries(controller: SessionController) -> tuple[d.Summary, ...]:
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.SyntheticLikelihood)
    return meaning.summaries


def test_a_summary_whose_column_is_chosen_gets_the_key_that_pairs_its_rows(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", COUNTED)
    page.importer.accept()
    trial_run(page, engines, PRINTED)
    assert page.trial.report is not None
    other = protocol.TrialFile(name="res.txt", role="produced", text=PRINTED.replace("260", "270"))
    page.trial.other = msgspec.structs.replace(page.trial.report, files=(other,))
    page.tabs.setCurrentIndex(1)
    page.summaries.add_button.click()
    (added,) = summaries(controller)
    assert (added.output, added.column) == ("M", "")
    (question,) = controller.problem.findings("meaning.summaries[0]")
    assert question.message == "No column of the data is chosen."
    measured = page.summaries.form.editor("column")
    assert isinstance(measured, Choice)
    measured.chosen.emit("mites")
    (chosen,) = summaries(controller)
    assert (chosen.key_output, chosen.key_column) == ("time", "day")
    assert page.status()[0] == "done"


def test_a_copy_knows_which_outputs_no_parameter_changes_without_another_test_run(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", COUNTED)
    page.importer.accept()
    trial_run(page, engines, PRINTED)
    other = protocol.TrialFile(name="res.txt", role="produced", text=PRINTED.replace("260", "270"))
    page.trial.other = msgspec.structs.replace(page.trial.report, files=(other,))
    page.trial.changed.emit()
    assert page.matching.steady() == {"time", "P"}
    assert controller.file.save_as(tmp_path / "first.bayescope")
    assert controller.file.duplicate()
    page.trial.report = page.trial.other = None
    assert page.matching.steady() == {"time", "P"}
    outputs = (*controller.problem.declared.outputs[:2], column("P", 4))
    controller.problem.edit("read elsewhere", outputs=outputs)
    assert page.matching.steady() == {"time"}, "of what is read another way nothing is known"


def test_values_that_are_more_than_were_measured_are_told_of_outputs_marked_after_the_test_run(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    outputs = controller.problem.declared.outputs
    controller.problem.edit("none yet", outputs=())
    trial_run(page, engines, PRINTED)
    controller.problem.edit("marked", outputs=outputs)
    opened(page, tmp_path / "m.csv", COUNTED)
    page.importer.accept()
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=(d.Summary(output="M", column="mites"),)))
    state, words = page.status()
    assert state == "error"
    assert "4 values" in words
    assert "3 were measured" in words


def test_a_simulated_run_is_drawn_over_what_its_summaries_are_compared_with(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", COUNTED)
    page.importer.accept()
    keyed = d.Summary(output="M", column="mites", key_output="time", key_column="day", error_column="sd mites")
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=(keyed,)))
    trial_run(page, engines, PRINTED)
    (shown,) = shown_columns(controller.problem.declared, page.trial.report)
    assert shown.run is not None
    assert (list(shown.x), list(shown.y), list(shown.run)) == ([0, 2, 3], [200, 340, 400], [201, 330, 390])
    assert list(shown.sd) == [3, 4, 5]
    assert page.test_words.text().startswith("Line: the newest test run")


def test_a_page_that_is_not_built_yet_tells_as_much_as_one_that_is(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", COUNTED)
    page.importer.accept()
    whole = d.Summary(output="M", column="mites", statistic="mean")
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=(whole,)))
    assert page.status() == step_status(controller, "data") == ("done", "3 rows, 1 compared")


def test_too_few_runs_at_each_point_are_put_right_by_a_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", COUNTED)
    page.importer.accept()
    few = d.SyntheticLikelihood(summaries=(d.Summary(output="M", column="mites"),), repeats=12)
    controller.problem.edit("x", meaning=few)
    page.tabs.setCurrentIndex(1)
    assert "12 runs at each point are few for 3 summaries" in page.summaries.message.words()
    click(qtbot, page.summaries.message._button)
    assert controller.problem.declared.meaning == msgspec.structs.replace(few, repeats=30)
    assert page.summaries.message.words() == ""


def test_nothing_lies_over_or_is_cut_from_the_form_of_a_summary(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    wide = "day of the year;temperature in the cage;mites on ten leaves;predators\n0;21;200;3\n2;22;340;4\n"
    opened(page, tmp_path / "m.csv", wide)  # the question which of them is meant takes two lines
    page.importer.accept()
    page.tabs.setCurrentIndex(1)
    click(qtbot, page.summaries.add_button)
    form = page.summaries.form
    seen = [w for w in (*form.editors(), *form.findChildren(FieldNotice)) if w.isVisible()]
    places = [w.geometry() for w in seen]
    assert any(isinstance(w, FieldNotice) for w in seen)
    assert not [(a, b) for i, a in enumerate(places) for b in places[:i] if a.intersects(b)]
    card = page.summaries.details.contentsRect()
    assert all(card.contains(w.mapTo(page.summaries.details, w.rect().bottomRight())) for w in seen)


def test_a_summary_made_of_others_by_the_noise_check_holds_up_the_start_until_it_is_left_out(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", COUNTED)
    page.importer.accept()
    three = tuple(d.Summary(output="M", column="mites", statistic=s) for s in ("sd", "mean", "log_sd"))
    meaning = d.SyntheticLikelihood(summaries=three)
    controller.problem.edit("x", meaning=meaning)
    assert page.status()[0] == "done"
    fault = protocol.SummaryFault(words="One is made of two others.", summaries=(1, 0, 2), leave_out=1)
    page.trial.noise_of = controller.problem.declared
    controller.run.unrecorded.noise_checked.emit(protocol.NoiseReport(runs=20, good=20, faults=(fault,)))
    assert page.status() == step_status(controller, "data") == ("todo", fault.words)
    assert fault.words in [f.message for f in controller.run.obstacles()]
    assert page.noise_check.message.words() == page.message.words() == fault.words
    page.message.dismissed.emit()  # kept in spite of it
    assert page.status()[0] == "done"
    page.trial.answers._settle(kept=frozenset())
    page.trial.changed.emit()
    assert page.message._button.text() == "&Leave M out"
    click(qtbot, page.message._button)
    assert [s.statistic for s in summaries(controller)] == ["sd", "log_sd"]
    assert page.status()[0] == "done"
    assert page.trial.noise_stale
    assert "make the check again" in page.noise_check.message.suggestion()
    controller.problem.undo_stack.undo()
    assert page.status()[0] == "todo"
    controller.problem.edit("more", meaning=msgspec.structs.replace(meaning, repeats=80))
    assert not page.trial.noise_stale


def test_outputs_left_without_a_summary_are_told_of_until_they_are_said_not_to_be_needed(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", "M;P share;Q\n0.2;3;4\n")
    page.importer.accept()
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=(d.Summary(output="M", column="M"),)))
    assert page.status() == step_status(controller, "data") == ("todo", "1 of the 3 outputs is in no summary.")
    assert "“P share”" in page.message.suggestion()
    page.message.dismissed.emit()
    assert page.status() == step_status(controller, "data") == ("done", "1 rows, 1 compared")
    controller.problem.undo_stack.undo()
    page.trial.answers._settle(not_needed=frozenset())
    both = tuple(d.Summary(output=o, column=c) for o, c in (("M", "M"), ("P", "P share")))
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=both))
    assert page.status()[0] == "done"
    page.trial.answers.leave_out(1)
    assert page.status()[0] == "done", "what was left out on advice is not asked for again"


def of_summary(summary: d.Summary, printed: dict[str, tuple[float, ...]], measured: dict[str, tuple[float | None, ...]]) -> str:
    """Why a test run that printed this cannot be summarized and compared; "": it can."""
    outputs = tuple(column(name, k) for k, name in enumerate(printed))
    problem = msgspec.structs.replace(
        PROBLEM, outputs=outputs, data=d.DataTable(columns=measured), meaning=d.SyntheticLikelihood(summaries=(summary,))
    )
    read = tuple(protocol.TrialOutput(name=n, source="res.txt", values=v) for n, v in printed.items())
    found = unfit_summary(problem, protocol.TrialRunReport(outcome="ok", outputs=read))
    return "" if found is None else found[1]


PERCENT = d.Summary(output="share", column="PERCENT")
FOUR, TEN = (1.0, 2.0, 3.0, 4.0), tuple(float(k) for k in range(10))


@pytest.mark.parametrize(
    ("summary", "printed", "measured", "words"),
    [
        (PERCENT, {"share": FOUR}, {"PERCENT": TEN}, "4 values of “share”, but 10 were measured"),
        (PERCENT, {"share": TEN}, {"PERCENT": (*FOUR, *(None,) * 6)}, "10 values of “share”, but 4 were measured"),
        (PERCENT, {"share": FOUR}, {"PERCENT": (*FOUR, None)}, ""),
        (
            msgspec.structs.replace(PERCENT, key_output="group", key_column="GROUP"), {"share": FOUR, "group": TEN},
            {"PERCENT": TEN, "GROUP": TEN}, "but 10 values of “group”, by which they are to be paired",
        ),
        (
            msgspec.structs.replace(PERCENT, key_output="group", key_column="GROUP"), {"share": TEN, "group": TEN},
            {"PERCENT": FOUR, "GROUP": FOUR}, "",
        ),
        (msgspec.structs.replace(PERCENT, statistic="mean"), {"share": FOUR}, {"PERCENT": TEN}, ""),
        (msgspec.structs.replace(PERCENT, statistic="sd"), {"share": TEN}, {"PERCENT": (1.0,)}, "needs at least 2"),
        (msgspec.structs.replace(PERCENT, statistic="autocorrelation"), {"share": FOUR}, {"PERCENT": TEN}, "need at least 5"),
    ],
)  # fmt: skip
def test_summaries_that_would_fail_at_every_point_are_told_before_the_start(
    summary: d.Summary, printed: Any, measured: Any, words: str
) -> None:
    said = of_summary(summary, printed, measured)
    assert words in said
    assert bool(words) == bool(said)
    problem = d.Problem(
        name="p", parameters=PROBLEM.parameters, simulator=PROBLEM.simulator, data=d.DataTable(columns=measured),
        outputs=tuple(column(n, k) for k, n in enumerate(printed)), meaning=d.SyntheticLikelihood(summaries=(summary,)),
    )  # fmt: skip
    try:  # the engine would say the same of every point
        compared(problem, problem.meaning, {n: np.array([v, v]) for n, v in printed.items()})
        fails = False
    except LikelihoodError:
        fails = True
    assert fails == bool(said)


def test_dates_that_a_summary_pairs_with_days_of_the_program_are_counted_by_a_button(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    dated = "date;mites\n2024-01-10;200\n2024-01-12;340\n2024-01-13;400\n"
    opened(page, tmp_path / "m.csv", dated)
    page.importer.accept()
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=(d.Summary(output="M", column="mites"),)))
    trial_run(page, engines, PRINTED)
    step = page._open_step()
    assert step is not None
    assert "4 values of “M”, but 3 were measured" in step.question
    assert "Count in days" in step.button.replace("&", "")
    page.message.pressed.emit()
    (counted,) = summaries(controller)
    assert (counted.key_output, counted.key_column) == ("time", "date (d since 2024-01-10)")
    step = page._open_step()
    assert step is not None
    assert "day 0 of the program" in step.question, "nobody said so: it is asked"
    page.tabs.setCurrentIndex(1)
    assert page.summaries.day_zero.isVisibleTo(page.summaries)
    page.summaries.day_zero.confirmed.emit(page.summaries.day_zero._start)
    assert page.status()[0] == "done"
    page.summaries.day_zero.changed.emit(page.summaries.day_zero._start - 86400.0)
    (moved,) = summaries(controller)
    assert moved.key_column == "date (d since 2024-01-09)"


def test_more_summaries_bring_more_runs_at_each_point_unless_a_number_was_typed(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", COUNTED)
    page.importer.accept()
    means = tuple(d.Summary(output=o, column="mites", statistic="mean") for o in ("M", "P", "time"))
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=means[:1], repeats=fewest_runs(1)))
    assert page.summaries._set(means, "more")
    assert controller.problem.declared.meaning.repeats == fewest_runs(3)
    controller.problem.edit("typed", meaning=d.SyntheticLikelihood(summaries=means, repeats=77))
    assert page.summaries._set(means[:2], "fewer")
    assert controller.problem.declared.meaning.repeats == 77


def test_a_meaning_that_was_left_comes_back_with_its_summaries_as_long_as_they_are_of_this_program() -> None:
    problem = msgspec.structs.replace(PROBLEM, data=d.DataTable(columns={"mites": FOUR}))
    mine = d.SyntheticLikelihood(summaries=(d.Summary(output="u", column="mites", statistic="sd"),), repeats=33)
    left, random = LeftMeanings(), msgspec.structs.replace(problem, meaning=mine)
    assert left.back(problem, d.SyntheticLikelihood) is None
    left.keep(random)
    assert left.back(problem, d.SyntheticLikelihood) == mine
    assert left.back(random, d.SyntheticLikelihood) is None, "it is there"
    gone = msgspec.structs.replace(problem, outputs=problem.outputs[1:])
    assert left.back(gone, d.SyntheticLikelihood) is None
    other = msgspec.structs.replace(problem, simulator=d.Simulator(command=("other", "@E@")))
    assert left.back(other, d.SyntheticLikelihood) is None
    now = msgspec.structs.replace(problem, meaning=d.ApproximateBayes(summaries=(d.Summary(output="v", column="mites"),)))
    back = left.back(now, d.SyntheticLikelihood)
    assert back == msgspec.structs.replace(mine, summaries=now.meaning.summaries), "those of now count"


def test_a_table_that_comes_after_random_was_chosen_is_compared_by_names_with_one_button(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", "M;other\n200;1\n340;2\n")
    page.importer.accept()
    assert summaries(controller) == ()
    step = page._open_step()
    assert step is not None
    assert "“M”" in step.hint
    page.message.pressed.emit()
    assert [(s.output, s.column) for s in summaries(controller)] == [("M", "M")]
    assert controller.problem.declared.meaning.repeats == fewest_runs(2)


def test_a_summary_that_never_reaches_what_was_measured_is_not_to_be_left_out_but_looked_into(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", COUNTED)
    page.importer.accept()
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=(d.Summary(output="M", column="mites"),)))
    words = "The value of “M” is 0 in all 39 runs, but 78 was measured."
    fault = protocol.SummaryFault(words=words, summaries=(0,), certain=False, missed=True)
    page.trial.noise_of = controller.problem.declared
    controller.run.unrecorded.noise_checked.emit(protocol.NoiseReport(runs=39, good=39, faults=(fault,)))
    assert page.message.words() == words
    assert "eave" not in page.message.suggestion()
    assert "plausible ranges" in page.message.suggestion()
    assert page.message._button.isHidden()
