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
from bayescope.gui.pages.data import DataPage
from bayescope.gui.session_controller import SessionController

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
    made.adopt(PROBLEM)
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
    assert page.status() == ("todo", "Import what was measured.") or page.status()[0] == "todo"


def test_no_data_are_asked_for_when_the_program_compares_itself(page: DataPage, controller: SessionController) -> None:
    controller.edit("x", meaning=d.LogLikelihoodOutput(output="a"))
    assert page.not_needed.isVisible()
    assert "No data table is needed" in page.not_needed.words()
    assert page.status()[0] == "done"
    page.not_needed.button.click()
    assert isinstance(controller.problem.meaning, d.Predictions)


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
    table = controller.problem.data
    assert table is not None
    assert table.columns["b"] == (2.0, None, 6.0)
    meaning = controller.problem.meaning
    assert isinstance(meaning, d.Predictions)
    assert [(m.output, m.column, m.key_column) for m in meaning.matches] == [("a", "a", "time"), ("b", "b", "time")]
    x, y = page.plot.drawn()
    np.testing.assert_allclose(x, [0.5, 1.0, 1.5])
    np.testing.assert_allclose(y, [1.5, 2.5, 3.5])
    assert page.status() == ("done", "3 rows, 2 compared")
    controller.undo_stack.undo()
    assert controller.problem.data is None
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
    assert controller.problem.data is not None
    assert list(controller.problem.data.columns) == ["t", "a"]


def test_two_columns_of_one_name_cannot_be_taken(page: DataPage, tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text("t,x\n1,2\n")
    page.open_file(path)
    model = page.importer.columns
    model.setData(model.index(1, 1), "t")
    assert not page.importer.use.isEnabled()
    assert "Two columns" in page.importer.message.words()


def test_a_wrong_guess_is_corrected_with_the_choices(page: DataPage, tmp_path: Path) -> None:
    path = tmp_path / "m.txt"
    path.write_text("1 2\n3 4\n")
    page.open_file(path)
    assert page.importer.preview.rowCount() == 2
    page.importer.header.choose("yes")
    assert page.importer.preview.rowCount() == 1
    page.importer.delimiter.choose(",")
    assert page.importer.message.words()


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
    assert controller.problem.data is None
    assert page.empty.isVisible()


def test_a_million_rows_are_refused_with_a_sentence(page: DataPage, tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("t,y\n" + "0.1,0.2\n" * 1_000_000)
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
        meaning = controller.problem.meaning
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
    meaning = controller.problem.meaning
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
    meaning = controller.problem.meaning
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
    meaning = controller.problem.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.matches[1].noise == d.PoissonNoise()
    part.form.editor("key_column").choose("")  # type: ignore[attr-defined]
    assert any("Pairing rows by value" in f.message for f in controller.findings("meaning.matches[1]"))
    part.remove_button.click()
    assert isinstance(controller.problem.meaning, d.Predictions)
    assert len(controller.problem.meaning.matches) == 1
    part.add_button.click()
    assert len(controller.problem.meaning.matches) == 1 or isinstance(controller.problem.meaning, d.Predictions)


def test_the_predictions_of_the_test_run_lie_over_the_data(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list
) -> None:  # type: ignore[type-arg]
    imported(page, tmp_path)
    assert "Press Test run" in page.test_words.text()
    page.trial.run()
    outputs = tuple(
        protocol.TrialOutput(name=n, source="out.csv", values=v)
        for n, v in (("time", (0.0, 1.0, 2.0)), ("a", (0.0, 10.0, 20.0)), ("b", (1.0, 1.0, 1.0)))
    )
    report = protocol.TrialRunReport(outcome="ok", outputs=outputs)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    QApplication.processEvents()
    x, y = page.plot.run.getData()
    np.testing.assert_allclose(x, [0.5, 1.0, 1.5])
    np.testing.assert_allclose(y, [5.0, 10.0, 15.0])


def test_double_clicks_on_every_button_do_no_harm(
    qtbot: QtBot, page: DataPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, **k: ("", ""))
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
    controller.edit("x", meaning=d.SyntheticLikelihood(summaries=()))
    assert page.summaries.isVisibleTo(page.comparison)
    assert page.no_noise.text()
    page.summaries.add_button.click()
    assert [s.output for s in controller.problem.meaning.summaries] == ["time", "a", "b"]  # type: ignore[union-attr]
    page.summaries.form.editor("statistic").choose("quantiles")  # type: ignore[attr-defined]
    levels = page.summaries.form.editor("levels")
    levels.setText("0.25 0.75")  # type: ignore[attr-defined]
    levels.editingFinished.emit()  # type: ignore[attr-defined]
    summary = controller.problem.meaning.summaries[-1]  # type: ignore[union-attr]
    assert (summary.statistic, summary.levels) == ("quantiles", (0.25, 0.75))
    assert page.status()[0] in ("done", "error")


def test_closing_while_a_table_is_being_imported_changes_nothing(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    path = tmp_path / "measured.csv"
    path.write_text(TABLE, encoding="utf-8")
    page.open_file(path)
    page.close()
    QApplication.processEvents()
    assert controller.problem.data is None
