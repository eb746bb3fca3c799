"""Data page: several quantities, tables, sheets and files, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.models.step_status import step_status
from bayescope.gui.pages.data.page import DataPage
from sheet_files import ods, xlsx

PRINTED = "A1 1.4 8.9\nA2 2.6 9.1\nB-7 3.0 9.0\n"


# --------------------------------------------------------------------------- several quantities


def test_a_table_in_long_form_is_split_by_itself_where_its_texts_are_names_of_outputs(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", "node;what;value;sd\nA1;u;1,5;0,1\nA2;u;2,5;0,2\nA1;v;9;1\n")
    assert page.importer.split.key() == "what"
    assert "2 quantities: u, v" in page.importer.words.text()
    click(qtbot, page.importer.use)
    table = controller.problem.declared.data
    assert table is not None
    assert table.columns["u"] == (1.5, 2.5, None)
    assert table.columns["v sd"] == (None, None, 1.0)
    assert table.texts == {"node": ("A1", "A2", "A1")}
    assert [(m.output, m.column, m.sd_column) for m in matches(controller)] == [("u", "u", "u sd"), ("v", "v", "v sd")]
    page.stack.currentWidget()
    assert page.model.index(0, 0).data() == "A1"
    assert page.model.index(2, 1).data() == "–"


def test_a_column_with_few_texts_is_offered_and_chosen_with_the_mouse(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", "what,t,value\np,0,1.5\np,1,2.5\nq,0,9\nq,1,8\n")
    assert page.importer.split.key() == ""
    assert "names the quantity of each row, split the table by it" in page.importer.words.text()
    page.importer.split.choose("what")
    model = page.importer.columns
    assert [(r[0], r[2]) for r in model.rows] == [("t", "take"), ("value", "split")]
    model.setData(model.index(1, 2), "take")
    assert "No column is split" in page.importer.columns_message.words()
    assert not page.importer.use.isEnabled()
    model.setData(model.index(1, 2), "split")
    click(qtbot, page.importer.use)
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns["q"] == (None, None, 9.0, 8.0)


def test_cells_without_a_value_are_dropped_before_rows_are_counted(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", "u,v\n1.5,\n2.5,\n3.5,\n,9\n,8\n,7\n")
    click(qtbot, page.importer.use)
    trial_run(page, engines, PRINTED)
    assert page.test_words.text().startswith("Line:")
    np.testing.assert_allclose(page.plot.run.getData()[1], [1.4, 2.6, 3.0])
    assert page.status() == ("done", "all 6 rows compared")


def test_marks_for_missing_values_are_taken_as_measured_with_one_click(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", "t,u\n0,1.5\n1,-999\n2,3.5\n")
    assert "is taken for that" in page.importer.message.words()
    click(qtbot, page.importer.message._button)
    assert "is taken as measured" in page.importer.message.words()
    click(qtbot, page.importer.use)
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns["u"] == (1.5, -999.0, 3.5)


def test_cells_that_are_no_numbers_count_as_missing_with_one_click(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", "t,u\n0,1.5\n1,eaten\n2,3.5\n")
    assert "“eaten”" in page.importer.message.words()
    assert "leave the cell empty" in page.importer.message.suggestion()
    click(qtbot, page.importer.message._button)
    click(qtbot, page.importer.use)
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns["u"] == (1.5, None, 3.5)


def test_times_are_taken_in_hours(page: DataPage, controller: SessionController, tmp_path: Path, qtbot: QtBot) -> None:
    opened(page, tmp_path / "m.csv", "t,u\n00:30:00,1.5\n01:00:00,2.5\n")
    model = page.importer.columns
    assert model.rows[0] == ("t", "t", "take")
    model.setData(model.index(1, 2), "in h")
    assert "holds numbers already" in page.importer.columns_message.words()
    model.setData(model.index(1, 2), "take")
    model.setData(model.index(0, 2), "in h")
    assert model.rows[0] == ("t", "t (h)", "in h"), "what they count in belongs to the name"
    model.setData(model.index(0, 2), "take")
    assert model.rows[0] == ("t", "t", "take")
    model.setData(model.index(0, 2), "in min")
    model.setData(model.index(0, 1), "elapsed")
    model.setData(model.index(0, 2), "in h")
    click(qtbot, page.importer.use)
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns["elapsed"] == (0.5, 1.0)


@pytest.mark.parametrize(("first", "unit"), [("00:30:00", "s"), ("2024-05-01", "s since 1970")])
def test_a_column_of_times_says_in_what_it_counts_wherever_it_is_an_axis_or_a_key(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], first: str, unit: str
) -> None:
    later = "01:00:00" if unit == "s" else "2024-05-02"
    opened(page, tmp_path / "m.csv", f"when,u\n{first},1.5\n{later},2.5\n")
    assert ("counted in seconds" in page.importer.message.words()) is (unit == "s")
    assert "1970" not in page.importer.message.words()
    click(qtbot, page.importer.use)
    controller.problem.edit("x", outputs=(column("t", 0), column("u", 1)))
    keyed = msgspec.structs.replace(matches(controller)[0], key_output="t", key_column="when")
    meaning = msgspec.structs.replace(controller.problem.declared.meaning, matches=(keyed,))  # type: ignore[type-var]
    controller.problem.edit("x", meaning=meaning)
    form = page.matching.form
    assert f"count in seconds{unit[1:]}; so must the output's" in form._notices["key_column"].text()
    assert page.plot._shown[0].x_label == f"when, in {unit}"
    start = 1800 if unit == "s" else 1714521600
    trial_run(page, engines, f"{start} 1.4\n{start + (1800 if unit == 's' else 86400)} 2.6\n")
    assert page.plot._shown[0].run is not None
    assert page.plot._shown[0].x_label == f"when, in {unit}"


# --------------------------------------------------------------------------- tables, sheets, files


@pytest.mark.parametrize("kind", ["xlsx", "ods"])
def test_a_sheet_is_chosen_or_all_are_taken(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, kind: str
) -> None:
    sheets = {"shape": [["node", "u"], ["A1", 1.5], ["A2", 2.5]], "modes": [["mode", "v"], [1, 10.5]]}
    opened(page, tmp_path / f"m.{kind}", xlsx(sheets) if kind == "xlsx" else ods(sheets))
    importer = page.importer
    assert importer.part.isVisible()
    assert importer.preview.headerData(1, Qt.Orientation.Horizontal) == "u\nmeasured"
    importer.part.choose("1")
    assert importer.preview.headerData(1, Qt.Orientation.Horizontal) == "v\nmeasured"
    importer.part.choose("-1")
    click(qtbot, importer.use)
    table = controller.problem.declared.data
    assert table is not None
    assert table.columns == {"u": (1.5, 2.5, None), "mode": (None, None, 1.0), "v": (None, None, 10.5)}
    assert [m.output for m in matches(controller)] == ["u", "v"]


def test_several_files_chosen_together_come_below_each_other(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.csv").write_text("node,u\nA1,1.5\nA2,2.5\n")
    (tmp_path / "b.txt").write_text("mode v\n1 10.5\n")
    names = [str(tmp_path / "a.csv"), str(tmp_path / "b.txt")]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *a, **k: (names, ""))
    click(qtbot, page.empty.button)
    assert "a.csv" in page.importer.heading.text()
    assert not page.importer.add.isVisible()
    click(qtbot, page.importer.use)
    assert "b.txt" in page.importer.heading.text()
    click(qtbot, page.importer.add)
    table = controller.problem.declared.data
    assert table is not None
    assert table.columns["u"] == (1.5, 2.5, None)
    assert table.columns["v"] == (None, None, 10.5)
    assert [m.output for m in matches(controller)] == ["u", "v"]
    assert "3 rows" in page.origin.text()
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.data is not None
    assert list(controller.problem.declared.data.columns) == ["u"]


def test_cells_pasted_from_a_spreadsheet_keep_their_labels(
    qtbot: QtBot, page: DataPage, controller: SessionController
) -> None:
    QGuiApplication.clipboard().setText("node\tu\nA1\t1,5\nB 7\t2,5\n")
    click(qtbot, page.empty_paste)
    click(qtbot, page.importer.use)
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.texts == {"node": ("A1", "B 7")}
    assert controller.problem.declared.data.columns == {"u": (1.5, 2.5)}


def test_a_table_on_its_side_is_turned(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.txt", "p 0 1 2\nq 1.5 2.5 3.5\n")
    assert "is to be turned" in page.importer.message.words()
    page.importer.choices.lines.choose("yes")
    click(qtbot, page.importer.use)
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns == {"p": (0.0, 1.0, 2.0), "q": (1.5, 2.5, 3.5)}


# --------------------------------------------------------------------------- truthful words


def test_the_size_of_the_errors_is_not_asked_for_while_a_column_is_missing(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    meaning = d.Predictions(matches=(d.Match(output="u", column="gone"),), noise=d.GaussianKnown())
    controller.problem.edit("x", meaning=meaning)
    opened(page, tmp_path / "m.csv", "node,w\nA1,1.5\nA2,2.5\nB 7,3.1\n")
    click(qtbot, page.importer.use)
    assert page.message.words() == "Which column holds the measured values of u?", "the former one is not in this table"
    assert page.status()[0] == "todo"
    click(qtbot, page.message._button)
    page.matching.form.editor("column").choose("w")  # type: ignore[attr-defined]
    assert page.message.words() == "How large are the errors?"


def test_the_size_of_the_errors_is_asked_for_of_the_columns_that_have_none_of_their_own(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", "u;v (bar);sd u\n1,5;2,5;0,1\n2,5;3,5;0,1\n")
    page.importer.accept()
    both = d.Match(output="u", column="u", sd_column="sd u"), d.Match(output="v", column="v (bar)")
    controller.problem.edit("x", meaning=d.Predictions(matches=both, noise=d.GaussianKnown()))
    assert page.message.words() == "How large are the errors of v (bar)?"


def test_priors_that_were_only_guessed_are_not_called_done(
    make_controller: Callable[[], SessionController], show: Callable[..., None], qtbot: QtBot
) -> None:
    from bayescope.gui.pages.parameters.page import ParametersPage

    controller = make_controller()
    controller.file.adopt(PROBLEM)
    trial = Trial.of(controller)
    trial.answers.guess("E", PROBLEM.parameters[0].prior)
    assert step_status(controller, "parameters") == ("todo", "check the prior of E")
    page = ParametersPage(controller)
    assert page.status()[0] == "todo"
    show(page)
    assert page.status()[0] == "todo", "to have it on the screen is not to agree"
    words = "1 guessed prior, not settled yet: E. It goes from nothing to twice the number in your file."
    assert page.guesses.words() == words
    click(qtbot, page.guesses._button)
    assert page.status() == ("done", "1 to learn")
    assert step_status(controller, "parameters")[0] == "done"


def test_guessed_priors_are_counted_alike_in_the_bar_and_on_the_page(
    make_controller: Callable[[], SessionController], show: Callable[..., None]
) -> None:
    from bayescope.gui.pages.parameters.page import ParametersPage

    controller = make_controller()
    first = PROBLEM.parameters[0]
    three = tuple(msgspec.structs.replace(first, name=name) for name in ("T0", "k1", "k2"))
    program = d.Simulator(command=("sh", "@T0@", "@k1@", "@k2@"))
    controller.file.adopt(msgspec.structs.replace(PROBLEM, parameters=three, simulator=program))
    trial = Trial.of(controller)
    for name in ("T0", "k1", "k2"):
        trial.answers.guess(name, first.prior)
    assert step_status(controller, "parameters") == ("todo", "check 3 guessed priors")
    page = ParametersPage(controller)
    show(page)
    page._agree()
    assert page.table.currentIndex().row() == 1, "the next one that is open"
    assert page.status() == ("todo", "check 2 of 3 guessed priors")
    assert page.guesses.words().startswith("3 guessed priors, 2 not settled yet: k1, k2.")
    high = page.guesses.height()
    for _ in (1, 2):
        page._agree()
    assert page.status() == ("done", "3 to learn")
    assert page.guesses.words().startswith("3 guessed priors, used as they are: T0, k1, k2.")
    assert page.guesses.height() == high


def test_what_was_answered_while_setting_up_is_in_the_file_and_in_copies_of_it(
    make_controller: Callable[[], SessionController], show: Callable[..., None], qtbot: QtBot, tmp_path: Path
) -> None:
    from bayescope.gui.pages.parameters.page import ParametersPage

    controller, first = make_controller(), PROBLEM.parameters[0]
    two = tuple(msgspec.structs.replace(first, name=name) for name in ("k1", "k2"))
    controller.file.adopt(msgspec.structs.replace(PROBLEM, parameters=two, simulator=d.Simulator(command=("sh", "@k1@", "@k2@"))))
    trial = Trial.of(controller)
    for name in ("k1", "k2"):
        trial.answers.guess(name, first.prior)
    page = ParametersPage(controller)
    show(page)
    assert page.guesses._dismiss.text() == "Use a&ll 2 as they are"
    click(qtbot, page.guesses._dismiss)
    trial.answers.leave_idle(("P",))
    assert page.guesses.words() == "2 guessed priors, used as they are: k1, k2."
    assert controller.file.save_as(tmp_path / "mine.bayescope")
    controller.file.new()
    assert trial.answers.open_guesses() == []
    assert not trial.answers.settled.guesses, "another analysis knows nothing of it"
    assert controller.file.open(tmp_path / "mine.bayescope")
    assert trial.answers.guessed() == ["k1", "k2"]
    assert trial.answers.open_guesses() == []
    assert trial.answers.settled.not_needed == {"P"}
    trial.answers.guess("k2", first.prior)
    assert controller.file.save(), "an answer alone is something to save"
    assert controller.file.duplicate()
    assert trial.answers.open_guesses() == ["k2"]


def test_it_works_is_not_said_above_an_output_that_is_missing(
    make_controller: Callable[[], SessionController], show: Callable[..., None], engines: list[Any]
) -> None:
    from bayescope.gui.pages.simulator.page import SimulatorPage

    controller = make_controller()
    controller.file.adopt(msgspec.structs.replace(PROBLEM, meaning=d.LogLikelihoodOutput(output="ll")))
    page = SimulatorPage(controller)
    show(page)
    Trial.of(controller).run()
    read = tuple(protocol.TrialOutput(name=n, source="res.txt", values=(1.0,)) for n in ("u", "v"))
    report = protocol.TrialRunReport(outcome="ok", outputs=read)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    QApplication.processEvents()
    said = [n.words() for n in page.findChildren(type(page.lock)) if n.words()]
    assert any("there is no output called “ll”" in words for words in said)
    assert not any("It works" in words for words in said)


def test_of_files_chosen_together_the_second_is_rather_put_below_the_first(page: DataPage, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.csv").write_text("x,y\n1,2\n3,4\n")
    page.open_files([tmp_path / "one.csv", tmp_path / "two.csv"])
    assert (page.importer.use.property("kind"), page.importer.add.isHidden()) == ("primary", True)
    page.importer.accept()
    assert (page.importer.use.property("kind"), page.importer.add.property("kind")) == (None, "primary")


def test_a_second_table_is_added_and_its_twin_columns_are_told(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "sensors.csv", "sensor,T_C\n1,72.9\n2,86.8\n")
    assert page.importer.use.text() == "&Use this table"
    assert not page.importer.add.isVisible()
    page.importer.use.click()
    opened(page, tmp_path / "warmup.csv", "time_s,T_C\n180,52.7\n360,64.5\n")
    importer = page.importer
    assert importer.add.property("kind") == "primary"
    assert importer.use.property("kind") is None
    assert importer.use.text() == "&Replace the present table"
    assert "from sensors.csv" in importer.use.toolTip()
    told = "The present table has “T_C” too. It is added as “T_C (warmup.csv)”: give another name under “Name to use”"
    assert importer.columns_message.words().startswith(told)
    importer.used._edited((("time_s", "time_s", "take"), ("T_C", "T_warm", "take")), "")
    assert not importer.columns_message.isVisible()
    importer.add.click()
    assert list(controller.problem.declared.data.columns) == ["sensor", "T_C", "time_s", "T_warm"]
    opened(page, tmp_path / "warmup.csv", "time_s,T_C\n180,52.7\n")
    assert importer.add.property("kind") == "primary", "its table is only a part of the present one"


def test_the_same_file_opened_again_replaces_itself(page: DataPage, tmp_path: Path) -> None:
    for _ in range(2):
        opened(page, tmp_path / "sensors.csv", "sensor,T_C\n1,72.9\n2,86.8\n")
        assert page.importer.use.property("kind") == "primary"
        page.importer.use.click()


def test_what_does_not_count_stays_in_sight_with_the_way_back(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", "u,w\n1.5,1\n2.5,2\n3.5,3\n")
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)
    left = page.matching.message
    assert "“w”" in left.words()
    click(qtbot, left._dismiss)
    assert page.matching.aside.words.text() == "Set aside, in no comparison: output “v”; column “w”."
    click(qtbot, page.matching.aside.button)
    assert not page.matching.aside.isVisible()
    click(qtbot, left._button)
    assert [m.column for m in matches(controller)] == ["u", "w"]


def test_a_name_stands_whole_in_the_table_of_columns_where_there_is_room(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "m.csv", "time,Absorbed power (W)\n0,1.5\n1,2.5\n")
    QApplication.processEvents()
    table, needed = page.importer.columns_table, page.fontMetrics().horizontalAdvance("Absorbed power (W)")
    assert all(table.columnWidth(column) > needed for column in (0, 1))
    box = table.itemDelegate().createEditor(table.viewport(), QStyleOptionViewItem(), table.model().index(1, 2))
    assert isinstance(box, QComboBox)
    box.showPopup()
    assert box.view().minimumWidth() > box.fontMetrics().horizontalAdvance("leave out"), "the list is wider than its cell"
    box.hidePopup()
    box.deleteLater()


def test_tables_of_one_file_added_one_after_the_other_share_their_first_column_and_are_named_by_their_titles(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    wells = [("PB1  (by hand)", "cm"), ("PB2  (diver)", "cm"), ("PB3  (diver, phreatic filter)", "mm")]
    rows = "".join(f"  {5 * k * k}   {(3.0, 7.5, 9.0, 4.5)[k]}\n" for k in range(4))
    text = "Field book\n" + "".join(f"\n{title}\n  min   drawdown [{unit}]\n{rows}" for title, unit in wells)
    for k in range(3):
        opened(page, tmp_path / "book.txt", text)
        page.importer.part.choose(str(k))
        assert (page.importer._leads is page.importer.add) is (k > 0)
        click(qtbot, page.importer.add if k else page.importer.use)
    table = controller.problem.declared.data
    assert table is not None
    assert list(table.columns) == ["min", "drawdown [cm]", "drawdown [cm] (PB2)", "drawdown [mm]"]
    assert table.columns["min"] == (0.0, 5.0, 20.0, 45.0) * 3
