"""The Parameters page through its real widgets."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from bayescope.engine.problem.definition import LogNormal, Normal, Parameter, TruncatedNormal, Uniform
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.records import FINDING_ROLE
from bayescope.gui.pages.parameters.page import ParametersPage


@pytest.fixture
def page(qtbot: QtBot, controller: SessionController) -> ParametersPage:
    page = ParametersPage(controller)
    qtbot.addWidget(page)
    page.resize(1180, 600)
    page.show()
    return page


def names(controller: SessionController) -> list[str]:
    return [p.name for p in controller.problem.declared.parameters]


def type_in_cell(qtbot: QtBot, page: ParametersPage, row: int, key: str, text: str) -> None:
    index = page.model.index(row, page.model.column_of(key))
    page.table.setCurrentIndex(index)
    page.table.setFocus()
    page.table.edit(index)
    editor = [e for e in page.table.viewport().findChildren(QLineEdit) if e.isVisible()][-1]
    editor.selectAll()
    qtbot.keyClicks(editor, text)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_an_empty_page_says_what_to_do(page: ParametersPage) -> None:
    assert page.empty.isVisible()
    assert "No parameters yet" in page.empty.words()
    assert not page.table.isVisible()
    assert page.status()[0] == "todo"


def test_a_parameter_is_added_named_and_given_a_prior_by_keyboard(
    qtbot: QtBot, page: ParametersPage, controller: SessionController
) -> None:
    qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert names(controller) == ["p1"]
    QApplication.processEvents()
    type_in_cell(qtbot, page, 0, "name", "rho")
    type_in_cell(qtbot, page, 0, "prior", "normal(3, 0.5)")
    assert names(controller) == ["rho"]
    assert controller.problem.declared.parameters[0].prior == Normal(mean=3.0, sd=0.5)
    x, y = page.panel.preview.curve()
    assert x[np.argmax(y)] == pytest.approx(3.0, abs=0.05)
    assert page.status() == ("done", "1 to learn")


def test_every_change_can_be_undone_and_redone(
    qtbot: QtBot, page: ParametersPage, controller: SessionController
) -> None:
    page.add_one()
    page.add_one()
    type_in_cell(qtbot, page, 1, "name", "second")
    page.remove([0])
    assert names(controller) == ["second"]
    for _ in range(3):
        controller.problem.undo_stack.undo()
    assert names(controller) == ["p1"]
    for _ in range(3):
        controller.problem.undo_stack.redo()
    assert names(controller) == ["second"]


def test_the_panel_changes_family_and_numbers(
    qtbot: QtBot, page: ParametersPage, controller: SessionController
) -> None:
    page.add_one()
    page.panel.family.choose("normal")
    assert isinstance(controller.problem.declared.parameters[0].prior, Normal)
    mean = page.panel.fields[0]
    mean.setFocus()
    mean.selectAll()
    qtbot.keyClicks(mean, "7")
    qtbot.keyClick(mean, Qt.Key.Key_Return)
    assert controller.problem.declared.parameters[0].prior.mean == 7.0  # type: ignore[union-attr]


def test_a_wrong_number_is_said_at_its_field_and_the_old_value_stays(
    qtbot: QtBot, page: ParametersPage, controller: SessionController
) -> None:
    page.add_one()
    field = page.panel.fields[0]
    field.setText("lots")
    field.editingFinished.emit()
    assert "lots" in page.panel.notice.text()
    assert field.property("state") == "error"
    assert controller.problem.declared.parameters[0].prior == Uniform(low=0.0, high=1.0)


def test_what_validation_finds_stands_in_its_cell(
    qtbot: QtBot, page: ParametersPage, controller: SessionController
) -> None:
    page.add_one()
    type_in_cell(qtbot, page, 0, "prior", "uniform(5, 1)")
    cell = page.model.index(0, page.model.column_of("prior"))
    assert cell.data(FINDING_ROLE) == "error"
    assert "reversed" in cell.data(Qt.ItemDataRole.ToolTipRole)
    assert page.status()[0] == "error"
    assert "reversed" in page.panel.notice.text()
    assert page.panel.preview.words()  # no picture, but words


def test_rows_are_pasted_from_a_spreadsheet(qtbot: QtBot, page: ParametersPage, controller: SessionController) -> None:
    QGuiApplication.clipboard().setText("k\t0\t2\nq-0\t1e-3\t1\n2nd name\t0\t1\n")
    qtbot.mouseClick(page.paste_button, Qt.MouseButton.LeftButton)
    assert names(controller) == ["k", "q_0"]
    assert "2nd name" in page.message.words()
    controller.problem.undo_stack.undo()
    assert names(controller) == []


@pytest.mark.parametrize("garbage", ["", "\x00\x01", "<b>x</b>" * 1000, "1\t2\t3"])
def test_pasted_garbage_changes_nothing_and_is_said(
    page: ParametersPage, controller: SessionController, garbage: str
) -> None:
    page.paste(garbage)
    assert names(controller) == []
    assert page.message.words()


def test_ten_thousand_characters_and_html_are_taken_and_complained_about(
    page: ParametersPage, controller: SessionController
) -> None:
    page.add_one()
    page.model.setData(page.model.index(0, 0), "<img src=x>" + "n" * 10_000)
    page.model.setData(page.model.index(0, 1), "<h1>label</h1>" * 500)
    page.grab()
    assert page.status()[0] == "error"
    assert page.panel.heading.text().startswith("<h1>")
    assert page.panel.heading.textFormat() == Qt.TextFormat.PlainText


def test_fifty_parameters_are_shown_and_warned_about(page: ParametersPage, controller: SessionController) -> None:
    page.paste("\n".join(f"p{i}\t0\t1" for i in range(50)))
    assert len(names(controller)) == 50
    assert page.status()[0] == "done"
    assert any("50" in f.message for f in controller.problem.findings("parameters", "warning"))
    page.grab()


def test_double_clicks_on_every_button_do_no_harm(qtbot: QtBot, page: ParametersPage) -> None:
    QGuiApplication.clipboard().setText("a\t0\t1")
    for button in (page.add_button, page.remove_button, page.up_button, page.down_button, page.paste_button):
        qtbot.mouseDClick(button, Qt.MouseButton.LeftButton)
        QApplication.processEvents()


def test_moving_rows_keeps_the_selection(page: ParametersPage, controller: SessionController) -> None:
    page.paste("a\t0\t1\nb\t0\t1\nc\t0\t1")
    page.table.setCurrentIndex(page.model.index(2, 0))
    page.up_button.click()
    assert names(controller) == ["a", "c", "b"]
    assert page.table.currentIndex().row() == 1


def test_a_locked_analysis_cannot_be_edited_and_says_why(
    page: ParametersPage, controller: SessionController, evaluation_done: Callable[..., object], engines: list
) -> None:  # type: ignore[type-arg]
    page.paste("a\t0\t1")
    from bayescope.gui.analysis.run_data import Evaluation

    controller.run.data.add_evaluation(Evaluation.of_message(evaluation_done(0, {"a": 0.5})))  # type: ignore[arg-type]
    controller.file.changed.emit()
    assert "1 simulator run" in page.lock.words()
    assert not page.add_button.isEnabled()
    assert not page.model.flags(page.model.index(0, 0)) & Qt.ItemFlag.ItemIsEditable
    assert all(field.isReadOnly() for field in page.panel.fields)


def test_closing_the_page_with_an_open_editor_does_no_harm(
    qtbot: QtBot, show: Callable[..., None], controller: SessionController
) -> None:
    page = ParametersPage(controller)
    show(page)
    page.add_one()
    QApplication.processEvents()
    page.table.edit(page.model.index(0, 0))
    editor = [e for e in page.table.viewport().findChildren(QLineEdit) if e.isVisible()][-1]
    qtbot.keyClicks(editor, "half typed")
    page.close()
    QApplication.processEvents()
    assert names(controller)[0] in ("p1", "half_typed")


def test_a_renamed_parameter_keeps_its_places_in_one_step_that_can_be_undone(
    qtbot: QtBot, page: ParametersPage, controller: SessionController
) -> None:
    controller.file.open_example("contamination")
    before = controller.problem.declared
    steps = controller.problem.undo_stack.count()
    type_in_cell(qtbot, page, 0, "name", "place")
    assert names(controller) == ["place", "ts", "q0", "rho"]
    (template,) = controller.problem.declared.simulator.templates
    assert "@place@" in template.text
    assert "@x0@" not in template.text
    assert "@x0@ is now @place@" in page.message.words()
    assert not controller.problem.findings(level="error")
    assert controller.problem.undo_stack.count() == steps + 1
    controller.problem.undo_stack.undo()
    assert controller.problem.declared == before
    type_in_cell(qtbot, page, 0, "name", "ts")  # taken: nothing is merged, validation speaks
    assert controller.problem.declared.simulator == before.simulator


def test_a_name_as_it_is_written_elsewhere_becomes_one_that_can_stand_between_at_signs_and_its_places_follow(
    qtbot: QtBot, page: ParametersPage, controller: SessionController
) -> None:
    controller.file.open_example("contamination")
    page.trial.set_value("x0", 1.25)
    type_in_cell(qtbot, page, 0, "name", "source place-x")
    assert names(controller)[0] == "source_place_x"
    assert page.trial.values()["source_place_x"] == 1.25  # as it was typed for the test run
    assert "@source_place_x@" in controller.problem.declared.simulator.templates[0].text
    type_in_cell(qtbot, page, 0, "name", "2nd place")
    assert names(controller)[0] == "source_place_x"  # refused, so the places are not cut off
    said = "“2nd place” cannot be a name. Letters, digits and _ only, no digit first; “_2nd_place” would do."
    assert said in page.message.words()
    assert not controller.problem.findings(level="error")


@pytest.mark.parametrize(
    ("typed", "number", "asks"),
    [
        ("0.18 +- 0.04", 0.18, True), ("0.18 ± 0.09", 0.18, True), ("0.18 ± 0.02", 0.18, False), ("0.18 ± 0.04", -0.1, False),
        ("0.18 ± 0.04, positive", 0.18, False), ("0.1 ± 0.2", 0.18, False), ("0.18 ± 0.04", None, False),
    ],
)  # fmt: skip
def test_whether_a_positive_number_can_be_negative_is_asked_once_where_its_normal_prior_has_a_tail_there(
    qtbot: QtBot, page: ParametersPage, controller: SessionController, typed: str, number: float | None, asks: bool
) -> None:
    page.paste("SY\t0.01\t0.36\nb\t0\t1\n")
    page.trial.answers.guess("SY", controller.problem.declared.parameters[0].prior, number)
    type_in_cell(qtbot, page, 0, "prior", typed)
    assert ("is 0.18: can SY be negative?" in page.message.words()) == asks
    if asks:
        sd = controller.problem.declared.parameters[0].prior.sd  # type: ignore[union-attr]
        page.message.pressed.emit()
        assert controller.problem.declared.parameters[0].prior == TruncatedNormal(mean=0.18, sd=sd, low=0.0)
    type_in_cell(qtbot, page, 1, "prior", "2 to 3")
    assert "negative" not in page.message.words()


def test_return_goes_on_to_the_cell_below_but_not_from_what_was_refused(
    qtbot: QtBot, page: ParametersPage, controller: SessionController
) -> None:
    page.paste("a\t0\t1\nb\t0\t1\n")
    type_in_cell(qtbot, page, 0, "prior", "normal(1, 2)")
    at = page.table.currentIndex()
    assert (at.row(), at.column()) == (1, page.model.column_of("prior"))
    qtbot.keyClicks(page.table, "n")  # any key opens it
    editor = [e for e in page.table.viewport().findChildren(QLineEdit) if e.isVisible()][-1]
    qtbot.keyClicks(editor, "ormal(3, 4)")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert [p.prior for p in controller.problem.declared.parameters] == [Normal(mean=1.0, sd=2.0), Normal(mean=3.0, sd=4.0)]
    type_in_cell(qtbot, page, 0, "prior", "nonsense(1)")
    assert page.table.currentIndex().row() == 0


def test_the_fields_of_a_prior_are_in_sight_where_the_table_has_no_rows_for_the_room(
    page: ParametersPage, controller: SessionController
) -> None:
    for count, whole in ((2, True), (12, False)):
        made = tuple(Parameter(name=f"p{k}", prior=Uniform(low=0.0, high=4.0)) for k in range(count))
        controller.problem.edit("x", parameters=made)
        page.guesses.say("info", "Two guessed priors.", "Say below what you know.", "Use it")
        page.hide()
        page.resize(1000, 560)
        page.show()
        for _ in range(4):
            QApplication.processEvents()
        fields = page.panel.fields
        assert len(fields) == 2
        assert all(f.visibleRegion().boundingRect().height() == f.height() for f in fields) == whole
    rows = page.table.viewport().height() // page.table.rowHeight(0)
    assert rows >= 5, "where there are rows, they get the room"


def test_a_log_normal_prior_shows_its_median_which_can_be_typed_in_place_of_the_mean_of_the_logarithm(
    qtbot: QtBot, page: ParametersPage, controller: SessionController
) -> None:
    page.add_one()
    page.panel.family.choose("log_normal")
    median = page.panel.median
    assert median is not None
    assert "log-normal 5 ± 20 %" in page.panel.words.text()

    def typed(text: str) -> object:
        field = page.panel.median
        assert field is not None
        field.setFocus()
        field.selectAll()
        qtbot.keyClicks(field, text)
        qtbot.keyClick(field, Qt.Key.Key_Return)
        return controller.problem.declared.parameters[0].prior

    assert typed("25") == LogNormal(log_mean=3.21888, log_sd=0.5)
    assert page.panel.fields[0].text() == "3.21888"
    assert typed("0.0125 ± 15 %") == LogNormal(log_mean=-4.38203, log_sd=0.15)
    assert float(median.text()) == pytest.approx(0.0125, rel=1e-5)
    assert typed("-3") == LogNormal(log_mean=-4.38203, log_sd=0.15)
    assert "above 0" in page.panel.notice.text()
    page.panel.family.choose("normal")
    assert page.panel.median is None
