"""Controls few need, on the pages themselves: search scale, expected places, repeats, synthetic likelihood, ABC."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.method_options import NoisyOptions, read_options
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.parameters.page import ParametersPage
from bayescope.gui.pages.run.settings import RunSettingsDialog
from bayescope.gui.pages.simulator.page import SimulatorPage
from bayescope.gui.widgets.forms import Choice

PROBLEM = d.Problem(
    name="Two places",
    parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
    simulator=d.Simulator(command=("sh", "-c", "echo @k@ @k@")),
    outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber(), length=1),),
    meaning=d.LogLikelihoodOutput(output="y"),
    data=d.DataTable(columns={"y": (1.0, 2.0, 3.0)}),
)


@pytest.fixture
def controller(make_controller: Callable[[], SessionController]) -> SessionController:
    made = make_controller()
    assert made.problem.replace(PROBLEM, "Set up")
    return made


@pytest.fixture
def page(controller: SessionController, show: Any) -> SimulatorPage:
    page = SimulatorPage(controller)
    show(page, 1280, 800)
    return page


def type_text(qtbot: QtBot, field: Any, text: str) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def choose(form: Any, field: str, key: str) -> None:
    editor = form.editor(field)
    assert isinstance(editor, Choice)
    editor.choose(key)


def test_the_search_scale_is_closed_away_and_chosen_in_plain_words(
    qtbot: QtBot, controller: SessionController, show: Any
) -> None:
    page = ParametersPage(controller)
    show(page, 1180, 720)
    panel = page.panel
    assert not panel.more.isVisible()
    qtbot.mouseClick(panel.advanced.button, Qt.MouseButton.LeftButton)
    assert panel.more.isVisible()
    choose(panel.more, "transform", "logit")
    assert controller.problem.declared.parameters[0].transform == "logit"
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.parameters[0].transform == "automatic"
    assert panel.more.editor("transform").key() == "automatic"


def test_a_placeholder_in_two_places_is_no_fault_unless_another_number_of_them_was_expected(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController
) -> None:
    inputs = page.inputs
    page.tabs.setCurrentWidget(inputs)
    inputs.tabs.setCurrentIndex(3)
    assert inputs.uses_part.expected_notice.words() == ""  # whoever writes it twice means it
    simulator = msgspec.structs.replace(controller.problem.declared.simulator, expected_uses={"k": 1})
    controller.problem.edit("x", simulator=simulator)
    assert "@k@ stands 2 times" in inputs.uses_part.expected_notice.words()
    inputs.uses_part.expected_notice.pressed.emit()
    assert controller.problem.declared.simulator.expected_uses == {"k": 2}
    assert inputs.uses_part.expected_notice.words() == ""
    inputs.uses_part.uses_table.setCurrentIndex(inputs.uses_part.uses.index(0, 0))
    qtbot.mouseClick(inputs.uses_part.advanced.button, Qt.MouseButton.LeftButton)
    field = inputs.uses_part.expected_form.editor("expected")
    assert field.isVisible()
    assert field.text() == "2"
    type_text(qtbot, field, "three")
    assert controller.problem.declared.simulator.expected_uses == {"k": 2}  # nonsense is said at the field and changes nothing
    type_text(qtbot, field, "3")
    assert controller.problem.declared.simulator.expected_uses == {"k": 3}
    assert "expected was 3 times" in inputs.uses_part.expected_notice.words()
    type_text(qtbot, field, "")
    assert controller.problem.declared.simulator.expected_uses == {}


def test_repeats_of_a_random_program_are_typed_and_their_average_chosen(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController
) -> None:
    page.tabs.setCurrentWidget(page.meaning)
    form = page.meaning.form
    type_text(qtbot, form.editor("repeats"), "8")
    choose(form, "average", "likelihood")
    form.editor("random").click()
    assert controller.problem.declared.meaning == d.LogLikelihoodOutput(output="y", repeats=8, average="likelihood", random=True)
    for nonsense in ("-3", "0", "2.5", "many", "9" * 400, "<b>2</b>"):
        type_text(qtbot, form.editor("repeats"), nonsense)
        meaning = controller.problem.declared.meaning
        assert isinstance(meaning, d.LogLikelihoodOutput)
        told = form._notices["repeats"].words() or page.meaning.notice.words()
        assert meaning.repeats == 8 or controller.problem.findings("meaning", "error"), nonsense
        assert told, nonsense
        type_text(qtbot, form.editor("repeats"), "8")


def test_every_setting_of_a_synthetic_likelihood_is_on_the_page(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController
) -> None:
    page.tabs.setCurrentWidget(page.meaning)
    page.meaning.buttons["synthetic_likelihood"].click()
    form = page.meaning.form
    type_text(qtbot, form.editor("repeats"), "30")
    choose(form, "estimator", "plain")
    type_text(qtbot, form.editor("shrinkage"), "0.3")
    choose(form, "standard_error", "bootstrap")
    assert controller.problem.declared.meaning == d.SyntheticLikelihood(
        summaries=(d.Summary(output="y", column="y"),), repeats=30, estimator="plain", shrinkage=0.3,
        standard_error="bootstrap",
    )  # fmt: skip
    type_text(qtbot, form.editor("shrinkage"), "7")
    assert any(f.where == "meaning.shrinkage" for f in controller.problem.findings("meaning", "error"))
    assert page.status()[0] == "error"


def test_a_program_whose_runs_scatter_as_the_data_do_gets_several_runs_a_point_by_a_button_that_says_why(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController
) -> None:
    page.tabs.setCurrentWidget(page.meaning)
    meaning = page.meaning
    meaning.buttons["predictions"].click()
    assert not meaning.scatter_part.isVisibleTo(meaning), "nothing says that it is random"
    meaning.form.editor("random").click()
    assert meaning.scatter_part.isVisibleTo(meaning)
    qtbot.mouseClick(meaning.scatter, Qt.MouseButton.LeftButton)
    chosen = controller.problem.declared.meaning
    assert isinstance(chosen, d.SyntheticLikelihood)
    assert "1 to 2 will do" in meaning.cost.text()
    assert f"With {chosen.repeats} runs" in meaning.cost.text()
    mean = msgspec.structs.replace(chosen.summaries[0], statistic="mean")
    kept = msgspec.structs.replace(chosen, summaries=(mean,), repeats=44)
    controller.problem.edit("mine", meaning=kept)
    meaning.buttons["predictions"].click()
    assert controller.problem.declared.meaning.random, "as it was left"
    meaning.buttons["synthetic_likelihood"].click()
    assert controller.problem.declared.meaning == kept


def test_every_setting_of_approximate_bayesian_computation_is_on_the_page(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController
) -> None:
    page.tabs.setCurrentWidget(page.meaning)
    page.meaning.buttons["abc"].click()
    form = page.meaning.form
    type_text(qtbot, form.editor("repeats"), "60")
    choose(form, "kernel", "epanechnikov")
    type_text(qtbot, form.editor("width"), "0.5")
    type_text(qtbot, form.editor("quantile"), "0.1")
    assert controller.problem.declared.meaning == d.ApproximateBayes(
        summaries=(d.Summary(output="y", column="y"),), repeats=60, kernel="epanechnikov", width=0.5, quantile=0.1
    )
    type_text(qtbot, form.editor("width"), "")
    assert msgspec.structs.asdict(controller.problem.declared.meaning)["width"] is None
    type_text(qtbot, form.editor("quantile"), "-1")
    assert controller.problem.findings("meaning", "error")


def test_trial_by_trial_responses_have_their_limits_on_the_page(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController
) -> None:
    page.tabs.setCurrentWidget(page.meaning)
    page.meaning.buttons["inverse_binomial"].click()
    form = page.meaning.form
    type_text(qtbot, form.editor("most_repeats"), "50")
    type_text(qtbot, form.editor("rounds"), "3")
    assert controller.problem.declared.meaning == d.InverseBinomial(output="y", column="y", most_repeats=50, rounds=3)


def test_what_is_known_of_the_noise_is_chosen_in_the_run_settings_of_a_random_program(
    qtbot: QtBot, controller: SessionController
) -> None:
    settings = RunSettingsDialog(controller.problem, controller.run)
    qtbot.addWidget(settings)
    settings.show()
    assert "robust" not in settings.options.rows, "an exact program has no noise to speak of"
    settings.close()
    random = d.LogLikelihoodOutput(output="y", random=True)
    assert controller.problem.replace(msgspec.structs.replace(PROBLEM, meaning=random), "Random")
    settings = RunSettingsDialog(controller.problem, controller.run)
    qtbot.addWidget(settings)
    settings.show()
    for name in ("robust", "varying_noise"):
        row = settings.options.rows[name]
        assert row.isVisible(), "often wanted, it stands outside the fold"
        row.editor.setChecked(True)
    settings._apply()
    options = controller.problem.declared.settings.options
    assert options == {"robust": True, "varying_noise": True}
    assert read_options(NoisyOptions, options).robust
    again = RunSettingsDialog(controller.problem, controller.run)
    qtbot.addWidget(again)
    again.options.rows["robust"].editor.setChecked(False)
    again._apply()
    assert controller.problem.declared.settings.options == {"varying_noise": True}
