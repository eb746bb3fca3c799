"""The Data page through its real widgets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.run_data import Evaluation
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data import DataPage

PROBLEM = d.Problem(
    name="Two curves",
    parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)), d.Parameter(name="s", prior=d.HalfNormal(scale=1.0))),
    simulator=d.Simulator(command=("sh", "@k@")),
    outputs=tuple(d.Output(name=n, source="out.csv", extractor=d.CsvColumn(column=n)) for n in ("time", "a", "b")),
    meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=1.0)),
)  # fmt: skip
TABLE = "time;a;b;sd_a;note\n0,5;1,5;2;0,1;x\n1,0;2,5;;0,2;y\n1,5;3,5;6;0,3;z\n"


@pytest.fixture
def controller(make_controller: Callable[[], SessionController]) -> SessionController:
    made = make_controller()
    made.file.adopt(PROBLEM)
    return made


@pytest.fixture
def page(show: Callable[..., None], controller: SessionController) -> DataPage:
    page = DataPage(controller)
    show(page)
    return page


def imported(page: DataPage, tmp_path: Path, text: str = TABLE) -> None:
    path = tmp_path / "measured.csv"
    path.write_text(text, encoding="utf-8")
    page.open_file(path)
    page.importer.use.click()


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


def test_a_table_is_imported_with_preview_and_matched_by_name(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    path = tmp_path / "measured.csv"
    path.write_text(TABLE, encoding="utf-8")
    page.open_file(path)
    assert "semicolon" in page.importer.words.text()
    assert "decimal comma" in page.importer.words.text()
    assert "'note' holds text" in page.importer.message.words()
    qtbot.mouseClick(page.importer.use, Qt.MouseButton.LeftButton)
    table = controller.problem.declared.data
    assert table is not None
    assert table.columns["b"] == (2.0, None, 6.0)
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert [(m.output, m.column, m.key_column) for m in meaning.matches] == [("a", "a", "time"), ("b", "b", "time")]
    x, y = page.plot.drawn()
    np.testing.assert_allclose(x, [0.5, 1.0, 1.5])
    np.testing.assert_allclose(y, [1.5, 2.5, 3.5])
    assert page.status() == ("done", "all 3 rows compared")
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.data is None
    assert page.empty.isVisible()


def test_columns_are_renamed_and_left_out_before_they_are_taken(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    path = tmp_path / "m.csv"
    path.write_text("t,x,y\n1,2,3\n4,5,6\n")
    page.open_file(path)
    model = page.importer.columns
    model.setData(model.index(1, 1), "a")
    model.setData(model.index(2, 2), "leave out")
    page.importer.accept()
    assert controller.problem.declared.data is not None
    assert list(controller.problem.declared.data.columns) == ["t", "a"]


def test_two_columns_of_one_name_cannot_be_taken(page: DataPage, tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text("t,x\n1,2\n")
    page.open_file(path)
    model = page.importer.columns
    model.setData(model.index(1, 1), "t")
    assert not page.importer.use.isEnabled()
    assert "Two columns" in page.importer.columns_message.words()


def test_a_wrong_guess_is_corrected_with_the_choices(page: DataPage, tmp_path: Path) -> None:
    path = tmp_path / "m.txt"
    path.write_text("1 2\n3 4\n")
    page.open_file(path)
    assert page.importer.preview.rowCount() == 2
    page.importer.header.choose("yes")
    assert page.importer.preview.rowCount() == 1
    page.importer.delimiter.choose(",")
    assert page.importer.message.words()


def test_commas_that_can_be_read_in_two_ways_wait_for_a_choice(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    path = tmp_path / "m.csv"
    path.write_text("t;y\n1;1,234\n2;−2,345\n", encoding="utf-8")
    page.open_file(path)
    assert "in two ways because of its comma" in page.importer.message.words()
    assert not page.importer.use.isEnabled()
    page.importer.comma.choose("yes")
    page.importer.use.click()
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns["y"] == (1.234, -2.345)


@pytest.mark.parametrize(
    ("content", "word"),
    [(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, "PNG"), (b"", "no rows"), (b"only words here\nand here\n", ""),
     (b"\xff\xfe\x00", "")],
)  # fmt: skip
def test_what_is_no_table_is_refused_with_a_sentence(
    page: DataPage, controller: SessionController, tmp_path: Path, content: bytes, word: str
) -> None:
    path = tmp_path / "thing.csv"
    path.write_bytes(content)
    page.open_file(path)
    assert word in page.importer.message.words()
    assert page.importer.message.words()
    assert not page.importer.use.isEnabled()
    page.importer.cancel.click()
    assert controller.problem.declared.data is None
    assert page.empty.isVisible()


def test_more_than_a_hundred_thousand_rows_are_refused_with_a_sentence(page: DataPage, tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("t,y\n" + "0.1,0.2\n" * 100_001)
    page.open_file(path)
    assert "100,000 rows" in page.importer.message.words()
    assert page.importer.message.suggestion()


def test_a_long_table_is_thinned_for_the_picture_only(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, "time,a\n" + "".join(f"{i},{i % 7}\n" for i in range(6_000)))
    assert page.model.rowCount() == 6_000
    assert len(page.plot.drawn()[0]) <= 4000


def test_garbage_pasted_is_a_sentence(page: DataPage) -> None:
    QGuiApplication.clipboard().setText("\x00\x01\x02 garbage <b>")
    page.empty_paste.click()
    assert page.importer.message.words()
    assert not page.importer.use.isEnabled()


def test_every_error_model_can_be_chosen_and_explains_itself(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path)
    page.tabs.setCurrentIndex(2)
    from bayescope.gui.models.noise import NOISES

    for kind in NOISES:
        page.noise.kind.choose(kind.tag)
        meaning = controller.problem.declared.meaning
        assert isinstance(meaning, d.Predictions)
        assert isinstance(meaning.noise, kind.kind)
        assert page.noise.words.text() == kind.words
        page.grab()


def test_per_point_errors_come_from_a_column(page: DataPage, controller: SessionController, tmp_path: Path) -> None:
    imported(page, tmp_path)
    form = page.noise.form
    form.editor("sd_column").choose("sd_a")  # type: ignore[attr-defined]
    form.editor("sd").setText("")  # type: ignore[attr-defined]
    form.editor("sd").editingFinished.emit()  # type: ignore[attr-defined]
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.noise == d.GaussianKnown(sd_column="sd_a")


def test_a_covariance_matrix_is_read_from_a_file(page: DataPage, controller: SessionController, tmp_path: Path) -> None:
    imported(page, tmp_path)
    page.noise.kind.choose("covariance")
    good, bad = tmp_path / "cov.txt", tmp_path / "bad.txt"
    good.write_text("1 0.5 0\n0.5 1 0\n0 0 1\n")
    bad.write_text("1 2\n3\n")
    page.noise.open_file(bad)
    assert page.noise.notice.words()
    page.noise.open_file(good)
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert isinstance(meaning.noise, d.CovarianceNoise)
    assert meaning.noise.matrix[0] == (1.0, 0.5, 0.0)


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
    assert any("Pairing rows by value" in f.message for f in controller.problem.findings("meaning.matches[1]"))
    part.remove_button.click()
    assert isinstance(controller.problem.declared.meaning, d.Predictions)
    assert len(controller.problem.declared.meaning.matches) == 1
    part.add_button.click()
    assert len(controller.problem.declared.meaning.matches) == 1 or isinstance(controller.problem.declared.meaning, d.Predictions)


def test_the_predictions_of_the_test_run_lie_over_the_data(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list
) -> None:  # type: ignore[type-arg]
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


UNITS = "time (s),T (°C),flux (W/m²)\n1,20,5\n2,22,6\n3,27,8\n"


def outputs(*names: str) -> tuple[d.Output, ...]:
    return tuple(d.Output(name=n, source="out.csv", extractor=d.CsvColumn(column=n)) for n in names)


def matches_of(controller: SessionController) -> tuple[d.Match, ...]:
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    return meaning.matches


def noise_of(controller: SessionController) -> d.NoiseModel:
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    return meaning.noise


def keys_of(choice: object) -> list[str]:
    return [str(choice.itemData(i)) for i in range(choice.count())]  # type: ignore[attr-defined]


def words_of(choice: object) -> list[str]:
    return [choice.itemText(i) for i in range(choice.count())]  # type: ignore[attr-defined]


def test_headings_with_units_are_matched_by_name(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("x", outputs=outputs("T", "flux", "time"))
    imported(page, tmp_path, UNITS)
    wanted = [("T", "T (°C)", "time (s)"), ("flux", "flux (W/m²)", "time (s)")]
    assert [(m.output, m.column, m.key_column) for m in matches_of(controller)] == wanted
    part = page.matching
    part.model.remove([0, 1], "Remove")
    part.add_button.click()
    assert [(m.output, m.column, m.key_column) for m in matches_of(controller)] == wanted[:1]
    assert part.words.text() == "T compared with T (°C)"
    part.auto_button.click()
    assert [(m.output, m.column, m.key_column) for m in matches_of(controller)] == wanted


def test_a_comparison_that_names_do_not_tell_stays_a_question_until_it_is_answered(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("x", outputs=outputs("level", "height"))
    imported(page, tmp_path, UNITS)
    part = page.matching
    assert page.status() == ("todo", "Which output predicts which column?")
    part.add_button.click()
    part.add_button.click()
    assert [(m.output, m.column) for m in matches_of(controller)] == [("level", ""), ("height", "")]
    assert page.status() == ("todo", "Which column holds the measured values of level?")
    assert "not chosen yet" in part.words.text()
    page.message.pressed.emit()
    assert page.tabs.currentIndex() == 1
    assert part.table.currentIndex().row() == 0
    found = controller.problem.findings("meaning.matches[0].column", "error")
    assert "No column of the data is chosen" in found[0].message
    assert not controller.problem.findings("meaning.matches[0].column", "error")[1:]
    part.form.editor("column").choose("T (°C)")  # type: ignore[attr-defined]
    assert page.status() == ("todo", "Which column holds the measured values of height?")
    part.table.setCurrentIndex(part.model.index(1, 0))
    part.form.editor("column").choose("flux (W/m²)")  # type: ignore[attr-defined]
    assert page.status()[0] == "done"
    assert not controller.problem.findings("meaning", "error")


def test_the_parameter_for_the_size_of_the_errors_is_made_where_it_is_asked_for(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path)
    page.tabs.setCurrentIndex(2)
    before = controller.problem.declared
    page.noise.kind.choose("gaussian_inferred")
    page.noise.unused.pressed.emit()  # the column sd_a, which it does not use
    found = controller.problem.findings("meaning.noise", "error")
    assert len(found) == 1
    assert "choose one, or make a new one" in found[0].message
    assert "choose one, or make a new one" in page.status()[1]
    choice = page.noise.form.editor("parameter")
    assert words_of(choice) == ["Choose…", "k", "s", "New parameter sigma"]
    choice.choose(keys_of(choice)[-1])  # type: ignore[attr-defined]
    assert noise_of(controller) == d.GaussianInferred(parameter="sigma")
    made = controller.problem.declared.parameters[-1]
    assert (made.name, made.prior) == ("sigma", d.HalfNormal(scale=2.0)), "as wide as the values of column b"
    assert choice.currentText() == "sigma"  # type: ignore[attr-defined]
    assert "half-normal with scale 2" in page.noise.prior.text()
    assert not controller.problem.findings("meaning.noise")
    assert not controller.problem.findings("parameters.sigma")
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.parameters == before.parameters
    assert noise_of(controller) == d.GaussianInferred(parameter="")
    assert choice.currentText() == "Choose…"  # type: ignore[attr-defined]
    choice.choose("k")  # type: ignore[attr-defined]
    doubt = controller.problem.findings("meaning.noise", "warning")
    assert "also written into the program's input (argument 1)" in doubt[0].message
    choice.choose("s")  # type: ignore[attr-defined]
    assert not controller.problem.findings("meaning.noise")


@pytest.mark.parametrize(
    ("kind", "learned", "prior"),
    [
        ("student_t", d.StudentTNoise(dof=4.0, parameter="sigma2"), d.HalfNormal(scale=0.82)),
        ("log_normal", d.LogNormalNoise(parameter="sigma2"), d.HalfNormal(scale=0.5)),
        ("negative_binomial", d.NegativeBinomialNoise(parameter="size"), d.LogUniform(low=0.1, high=1000.0)),
    ],
)
def test_a_comparison_with_errors_of_its_own_gets_a_parameter_of_its_own(
    page: DataPage, controller: SessionController, tmp_path: Path, kind: str, learned: d.NoiseModel, prior: d.Prior
) -> None:
    controller.problem.edit("x", simulator=d.Simulator(command=("sh", "@k@", "@sigma@")))  # this name has another meaning already
    imported(page, tmp_path)
    part = page.matching
    part.table.setCurrentIndex(part.model.index(0, 0))
    part.own.click()
    part.noise.kind.choose(kind)
    steps = controller.problem.undo_stack.count()
    choice = part.noise.form.editor("parameter")
    choice.choose(keys_of(choice)[-1])  # type: ignore[attr-defined]
    assert matches_of(controller)[0].noise == learned
    assert controller.problem.declared.parameters[-1].prior == prior
    assert controller.problem.undo_stack.count() == steps + 1
    assert not controller.problem.findings("meaning.matches[0].noise")


def test_the_size_of_the_errors_is_not_made_for_a_locked_analysis(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path)
    page.noise.kind.choose("gaussian_inferred")
    choice = page.noise.form.editor("parameter")
    controller.run.data.add_evaluation(Evaluation(0, {"k": 0.5, "s": 1.0}, "ok", -1.0, -1.0, 0.0, 1.0, 0.0))
    before = controller.problem.declared
    choice.choose(keys_of(choice)[-1])  # type: ignore[attr-defined]
    assert controller.problem.declared == before
    assert choice.currentText() == "Choose…"  # type: ignore[attr-defined]


def test_the_words_below_the_plot_speak_of_a_line_only_where_there_is_one(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list
) -> None:  # type: ignore[type-arg]
    controller.problem.edit("x", outputs=outputs("T", "p"), meaning=d.Predictions(matches=(), noise=d.GaussianKnown()))
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
    assert [s.output for s in controller.problem.declared.meaning.summaries] == ["time", "a", "b"]  # type: ignore[union-attr]
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
        ("pressure,Date,rate\n1,2022-01-11,5\n2,2022-01-12,6\n", "Date, in s since 1970"),
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
    assert page.summaries.add_button.hasFocus()
    page.summaries.add_button.click()
    assert page.message.words() == ""
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


def test_closing_while_a_table_is_being_imported_changes_nothing(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    path = tmp_path / "measured.csv"
    path.write_text(TABLE, encoding="utf-8")
    page.open_file(path)
    page.close()
    QApplication.processEvents()
    assert controller.problem.declared.data is None


def two_columns(controller: SessionController) -> tuple[d.Match, ...]:
    """Outputs u and v beside measured columns of these names; the pairs."""
    table = d.DataTable(columns={"u": (1.0, 2.0), "v": (3.0, 4.0)})
    controller.problem.edit("x", outputs=outputs("u", "v"), data=table)
    return tuple(d.Match(output=name, column=name) for name in ("u", "v"))


def test_the_errors_tab_says_that_each_comparison_can_have_its_own(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    """Whatever the model, and before a size is typed."""
    matches = two_columns(controller)
    for noise in (d.GaussianKnown(), d.GaussianKnown(sd=0.1), d.PoissonNoise()):
        controller.problem.edit("x", meaning=d.Predictions(matches=matches, noise=noise))
        assert page.shared.notice.words() in ("One size for u and v.", "One model for u and v.")
        here = isinstance(noise, d.GaussianKnown)
        assert page.shared.notice.suggestion() == ("Each can have its own, here:" if here else "Each can have errors of its own.")
        assert page.shared.sizes.isVisibleTo(page.shared) == here
    own = (matches[0], msgspec.structs.replace(matches[1], noise=d.GaussianKnown(sd=1.0)))
    controller.problem.edit("x", meaning=d.Predictions(matches=own, noise=d.PoissonNoise()))
    assert page.shared.notice.words() == "For u; v has its own."
    page.shared.pressed.emit()
    assert page.tabs.currentIndex() == 1
    assert page.matching.table.currentIndex().row() == 0, "the one that has none of its own"
    QApplication.processEvents()
    assert page.focusWidget() is page.matching.own
    controller.problem.edit("x", meaning=d.Predictions(matches=matches[:1], noise=d.PoissonNoise()))
    assert page.shared.notice.words() == ""


def test_the_size_of_one_comparison_s_errors_is_typed_where_that_of_all_is(
    qtbot: QtBot, page: DataPage, controller: SessionController
) -> None:
    pairs = two_columns(controller)
    controller.problem.edit("x", meaning=d.Predictions(matches=pairs, noise=d.GaussianKnown(sd=0.1)))
    page.tabs.setCurrentIndex(2)

    def typed(field: str, text: str) -> None:
        editor = page.shared.sizes.editor(field)
        editor.setText(text)
        editor.finish()

    typed("of_1", "2")
    assert [m.noise for m in matches_of(controller)] == [None, d.GaussianKnown(sd=2.0)]
    assert page.shared.notice.words() == "For u; v has its own."
    typed("of_0", "3")
    assert [m.noise for m in matches_of(controller)] == [d.GaussianKnown(sd=3.0), d.GaussianKnown(sd=2.0)]
    assert page.shared.sizes.isVisible(), "both can be typed anew"
    typed("of_1", "-2")
    assert "greater than zero" in page.shared.sizes.editor("of_1").refused
    typed("of_1", "")
    assert matches_of(controller)[1].noise is None, "as large as the others again"
