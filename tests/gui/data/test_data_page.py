"""Data page through its real widgets: what it asks for, what is compared with what, and what its picture shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import CURVES, columns_of_file, imported, matches
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.errors.error_size import ErrorSize, with_size
from bayescope.gui.pages.data.page import DataPage

UNITS = "time (s),T (°C),flux (W/m²)\n1,20,5\n2,22,6\n3,27,8\n"


@pytest.fixture
def problem() -> d.Problem:
    return CURVES


def test_an_empty_page_says_what_to_do(page: DataPage) -> None:
    assert page.empty.isVisible()
    assert "No data yet" in page.empty.words()
    assert page.status() == ("todo", "Import data.") or page.status()[0] == "todo"


def test_no_data_are_asked_for_when_the_program_compares_itself(page: DataPage, controller: SessionController) -> None:
    controller.problem.edit("x", meaning=d.LogLikelihoodOutput(output="a"))
    assert page.not_needed.isVisible()
    assert "No data table is needed" in page.not_needed.words()
    assert page.status()[0] == "done"
    page.not_needed.button.click()
    assert isinstance(controller.problem.declared.meaning, d.Predictions)


def test_a_long_table_is_thinned_for_the_picture_only(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, "time,a\n" + "".join(f"{i},{i % 7}\n" for i in range(6_000)))
    assert page.model.rowCount() == 6_000
    assert len(page.plot.drawn()[0]) <= 4000


def test_a_comparison_is_added_edited_and_given_its_own_error_model(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path)
    part = page.matching
    page.tabs.setCurrentIndex(1)
    part.table.setCurrentIndex(part.model.index(1, 0))
    part.own.click()
    part.noise.kind.choose("poisson")
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.matches[1].noise == d.PoissonNoise()
    part.form.editor("key_column").choose("")  # type: ignore[attr-defined]
    assert controller.problem.declared.meaning.matches[1].keys == (), "a key has two sides or none"  # type: ignore[union-attr]
    assert not controller.problem.findings("meaning.matches[1]", "error")
    part.remove_button.click()
    assert isinstance(controller.problem.declared.meaning, d.Predictions)
    assert len(controller.problem.declared.meaning.matches) == 1
    part.add_button.click()
    assert len(controller.problem.declared.meaning.matches) == 1 or isinstance(controller.problem.declared.meaning, d.Predictions)


def test_the_predictions_of_the_test_run_lie_over_the_data(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    imported(page, tmp_path)
    assert "Press Test run" in page.test_words.text()
    page.trial.run()
    outputs = tuple(
        protocol.TrialOutput(name=n, source="out.csv", values=v)
        for n, v in (("time", (0.0, 0.5, 1.0, 1.5)), ("a", (0.0, 5.0, 10.0, 15.0)), ("b", (1.0, 1.0, 1.0, 1.0)))
    )
    report = protocol.TrialRunReport(outcome="ok", outputs=outputs)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    QApplication.processEvents()
    x, y = page.plot.run.getData()
    np.testing.assert_allclose(x, [0.5, 1.0, 1.5])
    np.testing.assert_allclose(y, [5.0, 10.0, 15.0])


def test_headings_with_units_are_matched_by_name(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("x", outputs=columns_of_file("T", "flux", "time"))
    imported(page, tmp_path, UNITS)
    wanted = [("T", "T (°C)", "time (s)"), ("flux", "flux (W/m²)", "time (s)")]
    assert [(m.output, m.column, m.key_column) for m in matches(controller)] == wanted
    part = page.matching
    part.model.remove([0, 1], "Remove")
    part.add_button.click()
    assert [(m.output, m.column, m.key_column) for m in matches(controller)] == wanted[:1]
    assert part.details.words.text() == "T compared with T (°C)"
    part.auto_button.click()
    assert [(m.output, m.column, m.key_column) for m in matches(controller)] == wanted


def test_a_comparison_that_names_do_not_tell_stays_a_question_until_it_is_answered(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("x", outputs=columns_of_file("level", "height"))
    imported(page, tmp_path, UNITS)
    part = page.matching
    proposed = ("todo", "Are these outputs compared with these columns like this?")
    assert page.status() == proposed
    part.add_button.click()
    part.add_button.click()
    assert [(m.output, m.column) for m in matches(controller)] == [("level", ""), ("height", "")]
    assert page.status() == proposed, "their columns are not chosen yet"
    assert "not chosen yet" in part.details.words.text()
    page.message.pressed.emit()
    assert page.tabs.currentIndex() == 1
    assert part.open_field() is part.proposed.button, "what is proposed answers both"
    part.table.setCurrentIndex(part.model.index(0, 0))
    found = controller.problem.findings("meaning.matches[0].column", "error")
    assert "No column of the data is chosen" in found[0].message
    assert not controller.problem.findings("meaning.matches[0].column", "error")[1:]
    part.form.editor("column").choose("T (°C)")  # type: ignore[attr-defined]
    assert page.status() == ("todo", "Which column holds the measured values of height?")
    part.table.setCurrentIndex(part.model.index(1, 0))
    part.form.editor("column").choose("flux (W/m²)")  # type: ignore[attr-defined]
    assert page.status() == ("todo", "How large are the errors of flux (W/m²)?"), "one size was said of the other alone"
    controller.problem.replace(with_size(controller.problem.declared, ErrorSize(0.6)), "Errors of the flux")
    assert page.status() == ("todo", "Are the rows in the right order?"), "no test run was made"
    page.message.dismissed.emit()
    assert page.status()[0] == "done"
    assert not controller.problem.findings("meaning", "error")


def test_the_words_below_the_plot_speak_of_a_line_only_where_there_is_one(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", outputs=columns_of_file("T", "p"), meaning=d.Predictions(matches=(), noise=d.GaussianKnown()))
    imported(page, tmp_path, "T,p\n" + "".join(f"{i},{2 * i}\n" for i in range(12)))

    def finish(outcome: str = "ok", reason: str = "", problem: str = "", **values: tuple[float | None, ...]) -> str:
        read = tuple(
            protocol.TrialOutput(name=n, source="out.csv", values=v, problem=problem) for n, v in values.items()
        )
        report = protocol.TrialRunReport(outcome=outcome, reason=reason, outputs=read)  # type: ignore[arg-type]
        page.trial.run()
        engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
        QApplication.processEvents()
        return page.test_words.text()

    def drawn() -> int:
        x, _ = page.plot.run.getData()
        return 0 if x is None else len(x)

    line = "Line: the newest test run, at the values on the Simulator page."
    long, right = tuple(float(i) for i in range(13)), tuple(float(i) for i in range(12))
    words = finish(T=long, p=right)
    assert "“T” has 13 values" in words
    assert "12 rows" in words
    assert drawn() == 0
    page.plot._which.setCurrentIndex(1)
    assert (page.test_words.text(), drawn()) == (line, 12), "the other column has its line"
    page.plot._which.setCurrentIndex(0)
    assert "13 values" in page.test_words.text()
    assert finish(T=right, p=right) == line
    assert drawn() == 12
    assert "not numbers" in finish(T=(*right[:-1], None), p=right)
    assert "does not hold the output “T”" in finish(p=right)
    assert "could not read “T”: There is no column T" in finish(T=(), problem="There is no column T.")
    assert "failed: no licence" in finish("failed", "no licence", T=right)
    assert "ruled out" in finish("impossible", "", T=right)
    assert "read no outputs" in finish()
    with_output = page.problem.declared
    page.problem.edit("x", outputs=tuple(o for o in with_output.outputs if o.name != "T"))
    assert "has no output “T” any more. Choose another one" in finish(p=right)
    page.problem.edit("x", outputs=())
    assert "no number is marked" in finish()
    page.problem.replace(with_output, "x")
    finish(T=right, p=right)
    page.matching.model.remove([0, 1], "Remove")
    assert "which output predicts which column" in page.test_words.text()
    page.matching._set((d.Match(output="T", column="T", key_output="p", key_column="gone"),), "x")
    assert "no column “gone”" in page.test_words.text()
    page.matching._set((d.Match(output="T", column="T", key_output="p", key_column="p"),), "x")
    assert "no row where “p” is 12" in page.test_words.text(), "the likelihood would refuse it too"
    assert drawn() == 0
    assert finish(T=right, p=tuple(2.0 * v for v in right)) == line
    controller.problem.edit("x", data=d.DataTable(columns={"T": (1.0,), "p": (2.0,)}), meaning=d.Predictions(
        matches=(d.Match(output="T", column="T"),), noise=d.GaussianKnown()))  # fmt: skip
    finish(T=(3.5,), p=(1.0,))
    assert (page.test_words.text(), drawn()) == (line, 2), "a stroke beside the single value"


def test_double_clicks_on_every_button_do_no_harm(
    qtbot: QtBot, page: DataPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, **k: ("", ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *a, **k: ([], ""))
    imported(page, tmp_path)
    for tab in range(page.tabs.count()):
        page.tabs.setCurrentIndex(tab)
        for button in page.findChildren(QPushButton):
            if button.isVisible() and button.isEnabled():
                qtbot.mouseDClick(button, Qt.MouseButton.LeftButton)
                QApplication.processEvents()


def test_summaries_of_random_simulations_are_set_by_clicks(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path)
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=()))
    assert page.summaries.isVisibleTo(page.comparison)
    assert page.no_noise.text()
    page.summaries.add_button.click()
    summaries = controller.problem.declared.meaning.summaries  # type: ignore[union-attr]
    assert [(s.output, s.key_output) for s in summaries] == [("a", "time"), ("b", "time")]
    page.summaries.form.editor("statistic").choose("quantiles")  # type: ignore[attr-defined]
    levels = page.summaries.form.editor("levels")
    levels.setText("0.25 0.75")  # type: ignore[attr-defined]
    levels.editingFinished.emit()  # type: ignore[attr-defined]
    summary = controller.problem.declared.meaning.summaries[-1]  # type: ignore[union-attr]
    assert (summary.statistic, summary.levels) == ("quantiles", (0.25, 0.75))
    assert page.status()[0] in ("done", "error")


@pytest.mark.parametrize(
    ("text", "axis"),
    [
        ("pressure,Date,rate\n1,2022-01-11,5\n2,2022-01-12,6\n", "Date"),
        ("rate,clock\n5,00:10\n6,00:20\n", "clock, in s"),
        ("pressure,depth,rate\n1,10,5\n2,20,6\n", "depth"),
        ("pressure,rate\n1,5\n2,6\n", "pressure"),
        ("pressure,time,rate\n1,,5\n2,3,6\n", "pressure"),
    ],
)
def test_data_that_are_not_compared_yet_are_drawn_over_their_times(
    page: DataPage, controller: SessionController, tmp_path: Path, text: str, axis: str
) -> None:
    imported(page, tmp_path, text)
    assert page.plot.plot.getAxis("bottom").labelText == axis


def test_that_no_summary_is_chosen_is_said_on_the_tab_table_with_the_way_there(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path)
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=()))
    page.tabs.setCurrentIndex(0)
    assert page.status() == ("error", "No output is compared with the data.")
    assert page.message.words() == "No output is compared with the data."
    qtbot.mouseClick(page.message._button, Qt.MouseButton.LeftButton)
    assert page.tabs.currentIndex() == 1
    assert [s.column for s in controller.problem.declared.meaning.summaries] == ["a", "b"]  # type: ignore[union-attr]
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=()))
    page.summaries.add_button.click()
    assert page.message.level == "ok", page.message.words()
    broken = (d.Summary(output="a", column="a"), d.Summary(output="b", column="gone"))
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=broken))
    page.tabs.setCurrentIndex(0)
    assert "gone" in page.message.words()
    qtbot.mouseClick(page.message._button, Qt.MouseButton.LeftButton)
    assert page.summaries.table.currentIndex().row() == 1
    assert page.summaries.form.editor("column").hasFocus()


def test_the_measurement_error_of_a_column_is_given_once_for_all_its_summaries(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path)
    of_a = tuple(d.Summary(output="a", column="a", statistic=s) for s in ("mean", "sd"))
    controller.problem.edit("x", meaning=d.ApproximateBayes(summaries=(*of_a, d.Summary(output="b", column="b"))))
    error = page.summaries.form.editor("error_sd")
    error.setText("0.25")  # type: ignore[attr-defined]
    error.editingFinished.emit()  # type: ignore[attr-defined]
    assert [s.error_sd for s in controller.problem.declared.meaning.summaries] == [0.25, 0.25, None]  # type: ignore[union-attr]
    assert not [f for f in controller.problem.findings("meaning.summaries", "error") if "error" in f.where]
    error.setText("-1")  # type: ignore[attr-defined]
    error.editingFinished.emit()  # type: ignore[attr-defined]
    assert any("greater than zero" in f.message for f in controller.problem.findings("meaning.summaries[0].error_sd"))
