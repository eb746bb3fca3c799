"""The run settings say what a choice means."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.method_options import METHODS, options_of
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.run.settings import ON_GRAPHICS, RunSettingsDialog


@pytest.fixture
def controller(make_controller: Callable[[], SessionController]) -> SessionController:
    made = make_controller()
    assert made.file.open_example("contamination")
    return made


def choose(dialog: RunSettingsDialog, method: str, device: str) -> str:
    dialog.method.setCurrentIndex(dialog.method.findData(method))
    dialog.device.setCurrentIndex(dialog.device.findData(device))
    return dialog.where.text()


def test_a_graphics_card_that_nothing_would_use_is_said_to_be_one(controller: SessionController) -> None:
    dialog = RunSettingsDialog(controller.problem, controller.run)
    for method in METHODS:
        for device in ("auto", "cuda"):
            words = choose(dialog, method, device)
            learnt = method == "default"  # the example's outputs
            assert ("Outputs that are learnt" in words) == learnt
            assert ("everything runs on the processor" in words) == (method not in ON_GRAPHICS and not learnt)
            assert dialog.device.toolTip() == words
        assert choose(dialog, method, "cpu") == "The graphics card is left alone."
    dialog.deleteLater()


def test_a_method_from_elsewhere_is_shown_by_its_name_and_kept(controller: SessionController) -> None:
    settings = msgspec.structs.replace(controller.problem.declared.settings, method="random")
    assert controller.problem.edit("Another method", settings=settings)
    dialog = RunSettingsDialog(controller.problem, controller.run)
    assert dialog.method.currentText() == "random"
    assert "does not come with" in dialog.about.text()
    dialog._apply()
    dialog.deleteLater()
    assert controller.problem.declared.settings.method == "random"


def test_the_window_says_what_this_run_computed_on_and_forgets_it_with_the_run(
    controller: SessionController, engines: list
) -> None:
    controller.run.start()
    progress = protocol.Progress(
        evaluations=1, failed=0, budget=9, running=0, elapsed_s=1.0, remaining_s=None, activity="",
        computed_s={"": 3.7, "NVIDIA H200": 6.3},
    )  # fmt: skip
    engines[-1].message.emit(progress)
    assert controller.run.device == "NVIDIA H200: 63 % of the computing"
    assert controller.run.computing == "Computing: 3.7 s on the processor, 6.3 s on NVIDIA H200."
    engines[-1].message.emit(protocol.StateChanged(state="stopped"))
    assert controller.file.open_example("contamination")
    assert controller.run.device == controller.run.computing == ""


def test_every_option_of_every_method_is_in_the_fold_and_none_else(controller: SessionController) -> None:
    dialog = RunSettingsDialog(controller.problem, controller.run)
    for method, described in METHODS.items():
        dialog.method.setCurrentIndex(dialog.method.findData(method))
        assert set(dialog.options.rows) == {one.name for one in options_of(described.options)}
    dialog.deleteLater()


def test_options_are_searched_changed_marked_and_put_back(controller: SessionController, qtbot: QtBot) -> None:
    dialog = RunSettingsDialog(controller.problem, controller.run)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.method.setCurrentIndex(dialog.method.findData("bvbmc"))
    fold = dialog.options
    fold.expander.open()
    fold.search.setText("matérn smooth")
    assert [name for name, row in fold.rows.items() if row.isVisible()] == ["kernel"]
    fold.rows["kernel"].editor.choose("matern32")
    assert "1 of" in fold.expander.button.text()
    assert fold.rows["kernel"].back.isVisible()
    fold.search.setText("no such thing")
    assert "Try another word" in fold.none.text()
    fold.search.clear()
    level = fold.rows["mean_level"].editor
    level.setText("-12,5")
    level.finish()
    assert fold.values() == {"kernel": "matern32", "mean_level": -12.5}
    fold.rows["kernel"].back.click()
    assert fold.values() == {"mean_level": -12.5}
    fold.reset_all.click()
    assert fold.values() == {}
    assert level.text() == "-30"
    assert "all at their defaults" in fold.expander.button.text()


def test_an_option_that_cannot_be_is_said_under_its_field_and_ok_waits_for_it(
    controller: SessionController, qtbot: QtBot
) -> None:
    dialog = RunSettingsDialog(controller.problem, controller.run)
    qtbot.addWidget(dialog)
    dialog.show()
    before = controller.problem.declared.settings
    row = dialog.options.rows["final_draws"]
    row.editor.setText("12")
    dialog._apply()
    assert dialog.isVisible()
    assert dialog.options.expander.button.isChecked()
    assert "1000 to" in row.notice.text()
    assert controller.problem.declared.settings == before
    row.editor.setText("2000")
    dialog._apply()
    assert not dialog.isVisible()
    assert controller.problem.declared.settings.options == {"final_draws": 2000}


def test_options_of_another_kind_of_log_likelihood_are_said_and_left_out(controller: SessionController) -> None:
    settings = msgspec.structs.replace(controller.problem.declared.settings, options={"robust": True, "tail_every": 4})
    assert controller.problem.edit("Options", settings=settings)
    dialog = RunSettingsDialog(controller.problem, controller.run)
    assert "no option robust" in dialog.options.unknown.words()
    dialog._apply()
    dialog.deleteLater()
    assert controller.problem.declared.settings.options == {"tail_every": 4}


def test_once_there_are_runs_the_options_can_be_looked_at_not_changed(
    controller: SessionController, engines: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = msgspec.structs.replace(controller.problem.declared.settings, options={"tail_every": 4})
    assert controller.problem.edit("Options", settings=settings)
    monkeypatch.setattr(type(controller.run), "n_runs", property(lambda run: 3))
    dialog = RunSettingsDialog(controller.problem, controller.run)
    assert "Duplicate the analysis" in dialog.options.unknown.words()
    assert not any(row.editor.isEnabled() for row in dialog.options.rows.values())
    assert dialog.options.rows["tail_every"].editor.text() == "4"
    assert not dialog.options.reset_all.isEnabled()
    dialog._apply()
    dialog.deleteLater()
    assert controller.problem.declared.settings.options == {"tail_every": 4}


def test_in_a_low_window_the_rows_of_the_options_scroll_and_none_is_squeezed(
    controller: SessionController, qtbot: QtBot
) -> None:
    dialog = RunSettingsDialog(controller.problem, controller.run)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.method.setCurrentIndex(dialog.method.findData("bvbmc"))
    dialog.options.expander.open()
    for typed in ("", "kernel", "weight"):
        dialog.options.search.setText(typed)
        dialog.resize(560, 420)
        qtbot.wait(50)
        shown = [label for label in dialog.options.findChildren(QLabel) if label.isVisible() and label.wordWrap()]
        assert len(shown) > 2
        assert all(label.height() >= label.heightForWidth(label.width()) - 1 for label in shown)


def test_what_a_run_takes_is_known_again_when_the_analysis_is_opened_the_next_time(
    make_controller: Callable[[], SessionController], engines: list, tmp_path: Path
) -> None:
    parameter = d.Parameter(name="k", prior=d.Uniform(low=0.0, high=2.0))
    problem = d.Problem(
        name="slow", parameters=(parameter,), simulator=d.Simulator(command=("sh", "-c", "echo @k@")),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),), meaning=d.LogLikelihoodOutput(output="y"),
    )  # fmt: skip
    first = make_controller()
    first.file.adopt(problem)
    trial = Trial.of(first)
    trial.run()
    report = protocol.TrialRunReport(outcome="ok", stdout="1\n", values={"k": 1.0}, exit_code=0, duration_s=90.0)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    assert first.file.save_as(tmp_path / "mine.bayescope")
    first.file.new()
    assert trial.run_seconds is None
    again = make_controller()
    assert again.file.open(tmp_path / "mine.bayescope")
    known = Trial.of(again)
    assert known.report is None
    assert known.run_seconds == 90.0
    dialog = RunSettingsDialog(again.problem, again.run, seconds=known.run_seconds)
    assert "at 1 min 30 s a run" in dialog.costs.text()
    dialog.deleteLater()
    assert again.problem.edit("Another", simulator=d.Simulator(command=("sh", "other.sh", "@k@")))
    assert known.run_seconds is None, "of another program"
