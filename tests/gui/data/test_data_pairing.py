"""Data page: rows paired with the output: labels and values as keys, zones, rows without a partner and each way to mend them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.order_words import order_words
from bayescope.gui.models.simulator.outputs.output_views import view_of
from bayescope.gui.models.step_status import step_status
from bayescope.gui.pages.data.page import DataPage

PRINTED = "A1 1.4 8.9\nA2 2.6 9.1\nB-7 3.0 9.0\n"


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
    assert unmatched.test_words.text().startswith("Dashes:")
    assert unmatched.status()[0] == "done"
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.data.texts["node"] == ("A1", "A2", "B 7")
    assert unmatched.matching.mismatch.isVisible()


def test_rows_are_left_out_and_said_so(qtbot: QtBot, unmatched: DataPage, controller: SessionController) -> None:
    click(qtbot, unmatched.matching.mismatch.drop)
    assert matches(controller)[0].left_out == (3,)
    assert unmatched.matching.model.index(0, 2).data() == "by node, 1 left out"
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
    assert words in said[0].suggestion
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
    assert unmatched.test_words.text().startswith("Dashes:")


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
    assert page.status() == ("done", "all 2 rows compared: 4 values")
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
    editor = unmatched.matching.form.editor("key_output")  # its column comes with it
    assert editor.view().isVisible()  # type: ignore[attr-defined]
    offered = [editor.itemText(i) for i in range(editor.count())]  # type: ignore[attr-defined]
    assert offered == ["None", "node"], "those that are compared themselves are none"
    area = unmatched.matching.area.viewport()
    assert area.rect().contains(editor.mapTo(area, editor.rect().center())), "in sight"
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


def test_the_nearest_key_is_used_in_all_comparisons_that_it_mends_with_one_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", outputs=(column("t", 0), column("u", 1), column("v", 2)))
    opened(page, tmp_path / "m.csv", "t,u,v\n0,1.5,7\n1.04,2.5,8\n2,3.5,9\n")
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, "0 1.4 7\n1 2.6 8\n2 3.4 9\n3 4.4 10\n")
    assert page.matching.mismatch.nearest_all.text() == "Nearest key in all 2, up to 0.04 away"
    click(qtbot, page.matching.mismatch.nearest_all)
    assert [m.key_tolerance for m in matches(controller)] == [pytest.approx(0.04, rel=0.01)] * 2
    assert not page.matching.mismatch.nearest_all.isVisible()
    controller.problem.undo_stack.undo()
    click(qtbot, page.matching.mismatch.nearest)
    assert [m.key_tolerance is None for m in matches(controller)] == [False, True]
    page.matching.table.selectRow(1)
    assert page.matching.mismatch.nearest.isVisible()
    assert not page.matching.mismatch.nearest_all.isVisible(), "it would mend this one alone"


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
    assert page.plot.run.opts["pen"].style() == Qt.PenStyle.NoPen, "there is nothing between two labels"
    assert page.plot.run.opts["symbol"] == "_"
    assert page.test_words.text().startswith("Dashes: the newest test run")


def test_values_that_are_too_few_are_said_and_no_row_is_guessed_to_be_the_missing_one(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", "u\n1.5\n2.5\n3.5\n4.5\n")
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, PRINTED)
    assert "gave 3 values of “u”, but 4 were measured" in page.message.words()
    assert shown(page) == []
    assert not page.matching.mismatch.drop.isVisible()
    assert "order does not tell which is missing" in page.matching.mismatch.message.suggestion()


def test_keys_that_come_twice_in_the_output_are_told_and_not_called_done(
    qtbot: QtBot, unmatched: DataPage, engines: list[Any]
) -> None:
    trial_run(unmatched, engines, "A1 1.4 8.9\nA2 2.6 9.1\nA1 7.0 7.0\nB_7 3.0 9.0\n")
    click(qtbot, unmatched.matching.mismatch.drop)
    assert "several rows where “node” is A1" in unmatched.message.words()
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


# --------------------------------------------------------------------------- columns found by what they hold


LONG = "x or mode,quantity,value,sd\n60,deflection mm,1.1,.1\n110,deflection mm,2.2,.1\n160,deflection mm,3.3,.1\n" + (
    "1,frequency Hz,33,.2\n2,frequency Hz,207,1\n"
)
PRINTED_TWO = "node u\n60 1.0\n110 2.0\n160 3.0\n\nMODE f\n1 30.0\n2 200.0\n"


def long_table(page: DataPage, controller: SessionController, folder: Path, engines: list[Any], *names: str) -> None:
    """Opened, after a test run that printed what the outputs ``names`` are read from."""
    outputs = tuple(
        d.Output(name=name, source="res.txt", extractor=d.Region(anchor=anchor, form="nn", columns=(2,)))
        for name, anchor in zip(names, ("node u", "MODE f"), strict=True)
    )
    controller.problem.edit("x", outputs=outputs)
    trial_run(page, engines, PRINTED_TWO)
    opened(page, folder / "m.csv", LONG)


def test_quantities_of_a_long_table_are_split_matched_and_paired_by_the_values_of_their_key(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    long_table(page, controller, tmp_path, engines, "deflection", "frequency")
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
    assert said.suggestion().startswith("In order: ")
    assert " with 1, " in said.suggestion()
    click(qtbot, said._button)
    assert matches(controller)[0].keys == ()
    assert [o.name for o in controller.problem.declared.outputs] == ["deflection", "frequency", "x_or_mode_2"]
    assert "“x or mode” too" in said.words(), "and it can be had again"


BANDS = "k index,band,frequency (c/a),sd (c/a)\n2,1,0.15,.01\n2,2,0.45,.02\n3,1,0.29,.01\n3,2,,\n4,1,0.33,.01\n4,2,0.36,.02\n"
PRINTED_BANDS = "k te1 te2\n1 0.08 0.40\n2 0.1501 0.4499\n3 0.2902 0.33\n4 0.3301 0.3602\n"


def test_a_table_whose_quantities_are_numbered_is_split_by_the_column_of_their_numbers(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    outputs = tuple(
        d.Output(name=name, source="res.txt", extractor=d.Region(anchor="k te1 te2", form="nnn", columns=(i + 1,)))
        for i, name in enumerate(("k_index", "te_band_1", "te_band_2"))
    )
    controller.problem.edit("x", outputs=outputs)
    trial_run(page, engines, PRINTED_BANDS)
    opened(page, tmp_path / "bands.csv", BANDS)
    assert page.importer.split.key() == "band", "outputs are named by its numbers"
    click(qtbot, page.importer.use)
    assert page.message.words() == "Are band 1 (c/a) and band 2 (c/a) compared with the outputs named alike?"
    click(qtbot, page.message._button)
    assert [(m.output, m.column, m.sd_column, m.key_column) for m in matches(controller)] == [
        ("te_band_1", "band 1 (c/a)", "band 1 sd", "k index"),
        ("te_band_2", "band 2 (c/a)", "band 2 sd", "k index"),
    ]
    assert page.status() == ("done", "5 of 6 rows compared, 1 without a value")


def test_an_output_without_a_name_in_common_is_matched_with_the_column_of_as_many_values_in_one_click(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    long_table(page, controller, tmp_path, engines, "vz", "FREQUENCY")
    click(qtbot, page.importer.use)
    assert page.message.words() == "Does vz predict “deflection mm”?"
    click(qtbot, page.message._button)
    added = matches(controller)[-1]
    assert (added.output, added.column, added.key_column) == ("vz", "deflection mm", "x or mode")
    assert added.sd_column == "deflection mm sd"


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
        matching.details._keep_room()
        for _ in range(3):
            QApplication.processEvents()
        tops.append(matching.form.mapTo(page, matching.form.rect().topLeft()).y())
    assert tops[0] == tops[1] == tops[2]


@pytest.mark.parametrize(
    ("columns", "texts", "said"),
    [
        ({"u": (1.5, 2.5)}, {"node": ("A1", "B7")}, "In order: “A1” 1.5 with 1.48, “B7” 2.5 with 2.51."),
        ({"t": (0.0, 0.5), "u": (1.5, 2.5)}, {}, "In order: t 0 1.5 with 1.48, t 0.5 2.5 with 2.51."),
        ({"u": (1.5, None, 2.5)}, {}, "In order: row 1 1.5 with 1.48, row 3 2.5 with 2.51."),
        ({"u": (1.5, 2.5, 3.5)}, {}, ""),
    ],
)
def test_what_stands_beside_what_in_order_is_said_with_the_labels_of_the_rows(
    columns: Any, texts: Any, said: str
) -> None:
    match = d.Match(output="u", column="u", key_output="n", key_column="node") if texts else d.Match(output="u", column="u")
    problem = d.Problem(
        name="p", parameters=(), simulator=d.Simulator(command=("p",)), outputs=(column("u", 1), column("n", 0, text=True)),
        meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=1.0)), data=d.DataTable(columns=columns, texts=texts),
    )  # fmt: skip
    given = (
        protocol.TrialOutput(name="u", source="res.txt", values=(1.48, 2.51)),
        protocol.TrialOutput(name="n", source="res.txt", values=(0.0, 1.0), texts=("X", "Y")),
    )
    assert order_words(problem, 0, protocol.TrialRunReport(outcome="ok", outputs=given)) == said
