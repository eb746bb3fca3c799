"""Data page: several quantities, tables, sheets and files; labels as keys; rows without a partner and each way to mend them."""

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
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QPushButton, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.output_views import view_of
from bayescope.gui.models.step_status import step_status
from bayescope.gui.models.trial import Trial
from bayescope.gui.pages.data import DataPage
from sheet_files import ods, xlsx

PRINTED = "A1 1.4 8.9\nA2 2.6 9.1\nB-7 3.0 9.0\n"


@pytest.fixture
def controller(make_controller: Callable[[], SessionController]) -> SessionController:
    made = make_controller()
    made.file.adopt(PROBLEM)
    return made


@pytest.fixture
def page(show: Callable[..., None], controller: SessionController) -> DataPage:
    page = DataPage(controller)
    show(page, 1000, 620)
    return page


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
    opened(page, tmp_path / "m.csv", "t,u\n0,1.5\n1,<0.05\n2,3.5\n")
    assert "'<0.05'" in page.importer.message.words()
    assert "limit, not a value" in page.importer.message.suggestion()
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
    assert f"counted in seconds{unit[1:]}" in page.importer.message.words()
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
    assert importer.preview.headerData(1, Qt.Orientation.Horizontal) == "u"
    importer.part.choose("1")
    assert importer.preview.headerData(1, Qt.Orientation.Horizontal) == "v"
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
    page.importer.lines.choose("yes")
    click(qtbot, page.importer.use)
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns == {"p": (0.0, 1.0, 2.0), "q": (1.5, 2.5, 3.5)}


# --------------------------------------------------------------------------- rows without a partner


NODES = "node,u\nA1,1.5\nA2,2.5\nB 7,3.1\n"


def by_node(controller: SessionController) -> None:
    """The labels that the program prints are read, and pair the rows."""
    keyed = tuple(msgspec.structs.replace(m, key_output="node", key_column="node") for m in matches(controller))
    meaning = msgspec.structs.replace(controller.problem.declared.meaning, matches=keyed)  # type: ignore[type-var]
    controller.problem.edit("x", outputs=(*PROBLEM.outputs, column("node", 0, text=True)), meaning=meaning)


@pytest.fixture
def unmatched(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> DataPage:
    """Row 3 has the label B 7, the program prints B-7; shown on the tab Comparison."""
    opened(page, tmp_path / "m.csv", NODES)
    click(qtbot, page.importer.use)
    by_node(controller)
    trial_run(page, engines, PRINTED)
    click(qtbot, page.message._button)
    assert page.tabs.currentIndex() == 1
    return page


def shown(page: DataPage) -> list[tuple[str, ...]]:
    model = page.matching.mismatch.model
    return [tuple(str(model.index(r, c).data()) for c in range(4)) for r in range(model.rowCount())]


def test_rows_without_a_partner_are_shown_one_by_one_with_the_nearest_keys(unmatched: DataPage) -> None:
    part = unmatched.matching.mismatch
    assert part.table.isVisible()
    assert shown(unmatched) == [("3", "B 7", "3.1", "B-7")]
    assert "1 of 3 measured rows has no row of “u” with the same key" in part.message.words()
    assert unmatched.status() == ("error", part.message.words())
    assert "no row where “node” is B 7" in unmatched.test_words.text()
    for words, _ in ((b.text(), b) for b in part.findChildren(QPushButton) if b.isVisible()):
        assert words


def test_the_nearest_key_mends_a_label(qtbot: QtBot, unmatched: DataPage, controller: SessionController) -> None:
    click(qtbot, unmatched.matching.mismatch.nearest)
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.texts["node"] == ("A1", "A2", "B-7")
    assert not unmatched.matching.mismatch.isVisible()
    assert unmatched.test_words.text().startswith("Line:")
    assert unmatched.status()[0] == "done"
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.data.texts["node"] == ("A1", "A2", "B 7")
    assert unmatched.matching.mismatch.isVisible()


def test_rows_are_left_out_and_said_so(qtbot: QtBot, unmatched: DataPage, controller: SessionController) -> None:
    click(qtbot, unmatched.matching.mismatch.drop)
    assert matches(controller)[0].left_out == (3,)
    assert unmatched.matching.model.index(0, 2).data() == "by node, 1 row left out"
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns["u"] == (1.5, 2.5, 3.1)
    np.testing.assert_allclose(unmatched.plot.drawn()[1], [1.5, 2.5])
    assert unmatched.status()[0] == "done"
    window = unmatched.window()
    assert window.focusWidget() is unmatched.matching.table, "the comparisons, not whatever field comes next"
    area = unmatched.matching.area.verticalScrollBar()
    before = area.value()
    QTest.keyClick(window, Qt.Key.Key_Tab)
    assert (window.focusWidget(), area.value()) == (unmatched.matching.add_button, before)


def test_nothing_is_ready_to_start_while_rows_do_not_fit(
    qtbot: QtBot, unmatched: DataPage, controller: SessionController
) -> None:
    words = unmatched.matching.mismatch.message.words()
    assert step_status(controller, "run")[0] == "locked"
    assert step_status(controller, "data") == unmatched.status() == ("error", words)
    assert [f.message for f in controller.problem.findings(level="error")] == [words]
    said: list[Any] = []
    controller.reports.reported.connect(said.append)
    assert not controller.run.start()
    assert words in said[0].details
    click(qtbot, unmatched.matching.mismatch.drop)
    assert step_status(controller, "run") == ("todo", "ready to start")
    assert unmatched.status() == ("done", "2 of 3 rows compared, 1 left out")
    controller.problem.undo_stack.undo()
    assert step_status(controller, "run")[0] == "locked"
    click(qtbot, unmatched.matching.mismatch.nearest)
    assert step_status(controller, "run") == ("todo", "ready to start")


def test_rows_are_paired_in_order(qtbot: QtBot, unmatched: DataPage, controller: SessionController) -> None:
    click(qtbot, unmatched.matching.mismatch.order)
    assert (matches(controller)[0].key_output, matches(controller)[0].key_column) == (None, None)
    assert unmatched.test_words.text().startswith("Line:")


def test_another_key_that_fits_is_offered_by_its_name(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", "name,node,u\nfoot,A2,2.5\ntop,A1,1.5\n")
    click(qtbot, page.importer.use)
    keyed = msgspec.structs.replace(matches(controller)[0], key_output="node", key_column="name")
    meaning = d.Predictions(matches=(keyed,), noise=d.GaussianKnown(sd=0.1))
    controller.problem.edit("x", outputs=(*PROBLEM.outputs, column("node", 0, text=True)), meaning=meaning)
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, PRINTED)
    other = page.matching.mismatch.other
    assert other.text() == "Pair by node"
    click(qtbot, other)
    assert matches(controller)[0].key_column == "node"
    np.testing.assert_allclose(page.plot.run.getData()[1], [2.6, 1.4])


TWO = "node,u,v\nB-7,3.1,9.3\nA1,1.5,8.6\n"


@pytest.mark.parametrize("first", [False, True], ids=["all at once", "one, then the others"])
def test_one_click_pairs_all_comparisons_by_the_key_of_one(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], first: bool
) -> None:
    opened(page, tmp_path / "m.csv", TWO)
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, PRINTED)
    part = page.matching.mismatch
    assert (part.other.text(), part.all.text()) == ("Pair by node", "Pair all by node")
    if first:
        click(qtbot, part.other)
        assert [m.key_column for m in matches(controller)] == ["node", None]
        assert part.message.words() == "Another comparison has the key “node” and is not paired by it."
        click(qtbot, part.message._button)
    else:
        click(qtbot, part.all)
    assert [(m.key_output, m.key_column) for m in matches(controller)] == [("node", "node")] * 2
    assert [o.name for o in controller.problem.declared.outputs] == ["u", "v", "node"], "one column of labels serves both"
    assert page.status() == ("done", "all 2 rows compared")
    assert not part.isVisible()


def test_what_the_key_does_not_pair_is_not_offered(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    other = msgspec.structs.replace(column("v", 2), extractor=d.LastNumber(), length=1)
    controller.problem.edit("x", outputs=(PROBLEM.outputs[0], other))
    opened(page, tmp_path / "m.csv", TWO)
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, PRINTED)
    part = page.matching.mismatch
    assert part.other.text() == "Pair by node"
    assert not part.all.isVisible()


def test_where_no_other_key_fits_the_field_is_opened(qtbot: QtBot, unmatched: DataPage) -> None:
    other = unmatched.matching.mismatch.other
    assert other.text() == "Another &key…"
    click(qtbot, other)
    editor = unmatched.matching.form.editor("key_column")
    assert editor.view().isVisible()  # type: ignore[attr-defined]
    offered = [editor.itemText(i) for i in range(editor.count())]  # type: ignore[attr-defined]
    assert offered == ["None", "node", "u"]
    editor.hidePopup()  # type: ignore[attr-defined]


def test_numbers_near_each_other_are_paired_by_a_tolerance(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", outputs=(column("t", 0), column("u", 1)))
    opened(page, tmp_path / "m.csv", "t,u\n0,1.5\n1.04,2.5\n2,3.5\n")
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, "0 1.4\n1 2.6\n2 3.4\n3 4.4\n")
    assert shown(page) == [("2", "1.04", "2.5", "1, 2, 0")]
    click(qtbot, page.matching.mismatch.nearest)
    assert matches(controller)[0].key_tolerance == pytest.approx(0.04, rel=0.01)
    assert page.test_words.text().startswith("Line:")


def test_labels_beside_the_values_are_found_and_pair_the_rows_with_one_click(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", "node,u\nB-7,3.1\nA1,1.5\nA2,2.5\n")
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, PRINTED)
    assert "The program prints the labels of “node” too" in page.matching.mismatch.message.words()
    click(qtbot, page.matching.mismatch.message._button)
    assert controller.problem.declared.outputs[-1] == column("node", 0, text=True)
    assert view_of(controller.problem.declared.outputs[-1], {"res.txt": PRINTED}, {}).reads == "3 labels: A1, A2, B-7"
    assert (matches(controller)[0].key_output, matches(controller)[0].key_column) == ("node", "node")
    trial_run(page, engines, PRINTED)
    np.testing.assert_allclose(page.plot.run.getData()[1], [3.0, 1.4, 2.6])


def test_values_that_are_too_few_are_shown_and_rows_left_out(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", "u\n1.5\n2.5\n3.5\n4.5\n")
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, PRINTED)
    assert "gave 3 values of “u”, but 4 were measured" in page.message.words()
    assert [row[0] for row in shown(page)] == ["4"]
    click(qtbot, page.matching.mismatch.drop)
    assert page.test_words.text().startswith("Line:")


def test_keys_that_come_twice_in_the_output_are_told_and_not_called_done(
    qtbot: QtBot, unmatched: DataPage, engines: list[Any]
) -> None:
    trial_run(unmatched, engines, "A1 1.4 8.9\nA2 2.6 9.1\nA1 7.0 7.0\nB_7 3.0 9.0\n")
    click(qtbot, unmatched.matching.mismatch.drop)
    assert "several rows where 'node' is A1" in unmatched.message.words()
    assert unmatched.status()[0] == "error"
    assert not unmatched.matching.mismatch.table.isVisible()


@pytest.mark.parametrize("named", ["z", "u2"])  # by one of the two keys first, or in order
def test_two_keys_that_tell_the_rows_apart_together_are_offered_and_pair_them_with_one_click(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], named: str
) -> None:
    controller.problem.edit("x", outputs=(column(named, 1), column("u", 2)))
    opened(page, tmp_path / "m.csv", "date,z,u\n2021-04-01,0.5,9\n2021-03-04,2.5,3\n2021-03-04,0.5,4\n")
    click(qtbot, page.importer.use)
    key = "z" if named == "z" else None
    match = d.Match(output="u", column="u", key_output=key, key_column=key)
    controller.problem.edit("x", meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=0.1)))
    page.tabs.setCurrentIndex(1)
    printed = "2021-03-04 0.5 4.1\n2021-03-04 2.5 3.1\n2021-04-01 0.5 9.1\n2021-04-01 2.5 8.1\n"
    trial_run(page, engines, printed)
    other = page.matching.mismatch.other
    assert other.text() == "Pair by z and date"
    click(qtbot, other)
    assert [c for _, c in matches(controller)[0].keys] == ["z", "date"]
    assert controller.problem.declared.outputs[-1] == column("date", 0, text=True)
    trial_run(page, engines, printed)
    assert not page.matching.mismatch.isVisible()
    assert page.matching.model.index(0, 2).data() == "by z and date"
    assert page.status()[0] == "done"
    np.testing.assert_allclose(page.plot.run.getData()[1], [9.1, 3.1, 4.1])


def test_a_new_table_forgets_which_rows_of_the_old_one_were_left_out(
    qtbot: QtBot, unmatched: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    click(qtbot, unmatched.matching.mismatch.drop)
    opened(unmatched, tmp_path / "n.csv", NODES.replace("B 7", "B-7"))
    click(qtbot, unmatched.importer.use)
    assert matches(controller)[0].left_out == ()
    assert unmatched.status()[0] == "done"


# --------------------------------------------------------------------------- truthful words


def test_the_size_of_the_errors_is_not_asked_for_while_a_column_is_missing(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    meaning = d.Predictions(matches=(d.Match(output="u", column="gone"),), noise=d.GaussianKnown())
    controller.problem.edit("x", meaning=meaning)
    opened(page, tmp_path / "m.csv", NODES)
    click(qtbot, page.importer.use)
    assert page.message.words() == "The data have no column 'gone'."
    assert page.status() == ("error", "The data have no column 'gone'.")
    click(qtbot, page.message._button)
    page.matching.form.editor("column").choose("u")  # type: ignore[attr-defined]
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
    from bayescope.gui.pages.parameters import ParametersPage

    controller = make_controller()
    controller.file.adopt(PROBLEM)
    trial = Trial.of(controller)
    trial.guess("E", PROBLEM.parameters[0].prior)
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
    from bayescope.gui.pages.parameters import ParametersPage

    controller = make_controller()
    first = PROBLEM.parameters[0]
    three = tuple(msgspec.structs.replace(first, name=name) for name in ("T0", "k1", "k2"))
    program = d.Simulator(command=("sh", "@T0@", "@k1@", "@k2@"))
    controller.file.adopt(msgspec.structs.replace(PROBLEM, parameters=three, simulator=program))
    trial = Trial.of(controller)
    for name in ("T0", "k1", "k2"):
        trial.guess(name, first.prior)
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
    from bayescope.gui.pages.parameters import ParametersPage

    controller, first = make_controller(), PROBLEM.parameters[0]
    two = tuple(msgspec.structs.replace(first, name=name) for name in ("k1", "k2"))
    controller.file.adopt(msgspec.structs.replace(PROBLEM, parameters=two, simulator=d.Simulator(command=("sh", "@k1@", "@k2@"))))
    trial = Trial.of(controller)
    for name in ("k1", "k2"):
        trial.guess(name, first.prior)
    page = ParametersPage(controller)
    show(page)
    assert page.guesses._dismiss.text() == "Use a&ll 2 as they are"
    click(qtbot, page.guesses._dismiss)
    trial.leave_idle(("P",))
    assert page.guesses.words() == "2 guessed priors, used as they are: k1, k2."
    assert controller.file.save_as(tmp_path / "mine.bayescope")
    controller.file.new()
    assert trial.open_guesses() == []
    assert not trial.settled.guesses, "another analysis knows nothing of it"
    assert controller.file.open(tmp_path / "mine.bayescope")
    assert trial.guessed() == ["k1", "k2"]
    assert trial.open_guesses() == []
    assert trial.settled.not_needed == {"P"}
    trial.guess("k2", first.prior)
    assert controller.file.save(), "an answer alone is something to save"
    assert controller.file.duplicate()
    assert trial.open_guesses() == ["k2"]


def test_it_works_is_not_said_above_an_output_that_is_missing(
    make_controller: Callable[[], SessionController], show: Callable[..., None], engines: list[Any]
) -> None:
    from bayescope.gui.pages.simulator import SimulatorPage

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
    assert any("there is no output called 'll'" in words for words in said)
    assert not any("It works" in words for words in said)


def test_of_files_chosen_together_the_second_is_rather_put_below_the_first(page: DataPage, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.csv").write_text("x,y\n1,2\n3,4\n")
    page.open_files([tmp_path / "one.csv", tmp_path / "two.csv"])
    assert (page.importer.use.property("kind"), page.importer.add.isHidden()) == ("primary", True)
    page.importer.accept()
    assert (page.importer.use.property("kind"), page.importer.add.property("kind")) == (None, "primary")


# --------------------------------------------------------------------------- zones


@pytest.mark.parametrize(("way", "first", "predicted"), [("clock", "08:00+02:00", [8.0, 10.0]), ("utc", "08:00Z", [10.0, 12.0])])
def test_times_with_a_zone_on_one_side_are_asked_about_on_the_page_and_mended_with_one_click(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], way: str, first: str,
    predicted: list[float],
) -> None:  # fmt: skip
    opened(page, tmp_path / "m.csv", "time,u\n2024-06-20 08:00,1.5\n2024-06-20 10:00,2.5\n")
    click(qtbot, page.importer.use)
    outputs = tuple(
        d.Output(name=n, source="res.txt", extractor=d.CsvColumn(column=n), text=n == "time") for n in ("time", "u")
    )
    controller.problem.edit("x", outputs=outputs)
    keyed = msgspec.structs.replace(matches(controller)[0], key_output="time", key_column="time")
    meaning = msgspec.structs.replace(controller.problem.declared.meaning, matches=(keyed,))  # type: ignore[type-var]
    controller.problem.edit("x", meaning=meaning)
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, "time,u\n" + "".join(f"2024-06-20 {h:02}:00:00+02:00,{h}\n" for h in range(6, 15)))
    part = page.matching.mismatch
    assert "state a zone (+02:00" in part.message.words()
    assert page.status()[0] != "done"
    assert "state a zone" in page.test_words.text()
    click(qtbot, getattr(part, way))
    data = controller.problem.declared.data
    assert data is not None
    assert data.texts["time"][0] == f"2024-06-20 {first}"
    assert not part.isVisible()
    assert page.status()[0] == "done"
    np.testing.assert_allclose(page.plot.run.getData()[1], predicted)


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
    importer._columns_changed((("time_s", "time_s", "take"), ("T_C", "T_warm", "take")), "")
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


LONG = "x or mode,quantity,value,sd\n60,deflection mm,1.1,.1\n110,deflection mm,2.2,.1\n160,deflection mm,3.3,.1\n" + (
    "1,frequency Hz,33,.2\n2,frequency Hz,207,1\n"
)
PRINTED_TWO = "node u\n60 1.0\n110 2.0\n160 3.0\n\nMODE f\n1 30.0\n2 200.0\n"


def test_quantities_of_a_long_table_are_split_matched_and_paired_by_the_values_of_their_key(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    outputs = tuple(
        d.Output(name=name, source="res.txt", extractor=d.Region(anchor=anchor, form="nn", columns=(2,)))
        for name, anchor in (("deflection", "node u"), ("frequency", "MODE f"))
    )
    controller.problem.edit("x", outputs=outputs)
    trial_run(page, engines, PRINTED_TWO)
    opened(page, tmp_path / "m.csv", LONG)
    assert page.importer.split.key() == "quantity", "names with a unit behind them are those of the outputs"
    assert "can pair rows" not in page.importer.message.words(), "the column pairs nothing where it splits"
    click(qtbot, page.importer.use)
    assert [(m.output, m.column, m.key_column) for m in matches(controller)] == [
        ("deflection", "deflection mm", "x or mode"),
        ("frequency", "frequency Hz", "x or mode"),
    ]
    assert page.status() == ("done", "all 5 rows compared")
    page.tabs.setCurrentIndex(1)
    said = page.matching.mismatch.message
    assert said.words() == "Rows are paired by value: each “x or mode” with the same value of output “x_or_mode”."
    click(qtbot, said._button)
    assert matches(controller)[0].keys == ()
    assert [o.name for o in controller.problem.declared.outputs] == ["deflection", "frequency", "x_or_mode_2"]
    assert "“x or mode” too" in said.words(), "and it can be had again"


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


def test_an_output_without_a_name_in_common_is_matched_with_the_column_of_as_many_values_in_one_click(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    outputs = tuple(
        d.Output(name=name, source="res.txt", extractor=d.Region(anchor=anchor, form="nn", columns=(2,)))
        for name, anchor in (("vz", "node u"), ("FREQUENCY", "MODE f"))
    )
    controller.problem.edit("x", outputs=outputs)
    trial_run(page, engines, PRINTED_TWO)
    opened(page, tmp_path / "m.csv", LONG)
    click(qtbot, page.importer.use)
    assert page.message.words() == "Which column does vz predict?"
    assert "“deflection mm”" in page.message.suggestion()
    click(qtbot, page.message._button)
    added = matches(controller)[-1]
    assert (added.output, added.column, added.key_column) == ("vz", "deflection mm", "x or mode")
    assert added.sd_column == "deflection mm sd"


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


def test_the_fields_of_a_comparison_stand_where_those_of_the_others_do(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", "u,v\n1.5,9\n2.5,8\n3.5,7\n")
    page.importer.accept()
    page.tabs.setCurrentIndex(1)
    matching, tops = page.matching, []
    for row, words in ((0, "Rows are paired by value."), (1, ""), (0, "Rows are paired by value.")):
        matching.table.setCurrentIndex(matching.model.index(row, 0))
        matching.mismatch.message.say("info", words, "", "Pair in order instead" if words else "")
        matching.mismatch.setVisible(bool(words))
        matching._keep_room()
        for _ in range(3):
            QApplication.processEvents()
        tops.append(matching.form.mapTo(page, matching.form.rect().topLeft()).y())
    assert tops[0] == tops[1] == tops[2]
