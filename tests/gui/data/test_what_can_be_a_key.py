"""Keys that pair rows: what can be none is not offered; where none can be, what is to be marked is said, with the way there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.style.theme import theme
from bayescope.gui.window.workflow_bar import lines_of

TABLE = "place,kx (2pi/a),ky (2pi/a),u,v\nG,0.25,0,1.5,8.5\nX,0.5,0,2.5,9.5\nM,0.75,0.5,3.5,9.9\nN,0.9,0.5,0.1,0.1\n"
PRINTED = "0.25 1.4 8.4\n0.5 2.4 9.4\n0.75 3.4 9.8\n"


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=0.1)))


@pytest.fixture
def short(qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any]) -> DataPage:
    """Three values where four rows are; nothing that is read can be a key."""
    opened(page, tmp_path / "m.csv", TABLE)
    click(qtbot, page.importer.use)
    trial_run(page, engines, PRINTED)
    page.tabs.setCurrentIndex(1)
    return page


def test_where_no_output_can_be_a_key_it_is_said_what_to_mark_with_the_way_there(qtbot: QtBot, short: DataPage) -> None:
    part = short.matching.mismatch
    assert part.other.text().replace("&", "") == "Mark a key, on the Simulator page…"
    assert "mark the values of “place” first" in part.message.suggestion()
    editor = short.matching.form.editor("key_output")
    assert [editor.itemText(i) for i in range(editor.count())] == ["None"]  # type: ignore[attr-defined]
    with qtbot.waitSignal(short.outputs_wanted, timeout=1000):
        click(qtbot, part.other)


def test_a_marked_key_is_offered_and_the_button_pairs_all_with_its_names_whole(
    qtbot: QtBot, short: DataPage, controller: SessionController, engines: list[Any]
) -> None:
    outputs = (*controller.problem.declared.outputs, column("kx", 0))
    controller.problem.edit("x", outputs=outputs)
    trial_run(short, engines, PRINTED + "0.9 0 0\n0.95 0 0\n")
    part = short.matching.mismatch
    assert part.other.text() == "Pair by kx (2pi/a)"
    editor = short.matching.form.editor("key_output")
    assert [editor.itemText(i) for i in range(editor.count())] == ["None", "kx"]  # type: ignore[attr-defined]


def test_a_row_left_out_needs_no_value_and_which_of_the_two_it_is_is_said(
    qtbot: QtBot, short: DataPage, controller: SessionController, engines: list[Any]
) -> None:
    assert "gave 3 values of “u”, but 4 were measured." in short.matching.mismatch.message.words()
    assert "If a row of the table is no measurement" in short.matching.mismatch.message.suggestion()
    short.table.selectRow(3)
    short.leave_out.change()
    assert [m.left_out for m in matches(controller)] == [(4,), (4,)]
    assert short.status()[0] == "done"
    notice = short.matching.form._notices["left_out"].text()
    assert "one for each row that is left in (3), none for those left out" in notice
    trial_run(short, engines, PRINTED + "0.9 0 0\n")
    assert "one for each of 4 rows, those left out included" in short.matching.form._notices["left_out"].text()
    trial_run(short, engines, "0.25 1.4 8.4\n")
    assert "gave 1 value of “u”, but 4 were measured, 3 of them left in." in short.matching.mismatch.message.words()


def test_more_values_than_rows_are_not_called_missing(short: DataPage, engines: list[Any]) -> None:
    trial_run(short, engines, PRINTED + PRINTED)
    assert "Their order does not tell which of them were measured" in short.matching.mismatch.message.suggestion()


def test_the_line_is_called_after_the_values_it_was_run_at(short: DataPage, engines: list[Any]) -> None:
    short.table.selectRow(3)
    short.leave_out.change()
    report = short.trial.report
    assert report is not None
    short.trial.set_value("E", 2e9)
    old = msgspec.structs.replace(report, values={"E": 1e9})
    short.trial.run()
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(old)))
    assert short.test_words.text() == "Line: the newest test run, at E = 1 × 10⁹; the Simulator page has 2 × 10⁹ now."
    short.trial.set_value("E", 1e9)
    assert short.test_words.text() == "Line: the newest test run, at the values on the Simulator page."


def test_sizes_of_their_own_are_said_to_stand_below_and_leave_no_gap(page: DataPage, tmp_path: Path, qtbot: QtBot) -> None:
    opened(page, tmp_path / "m.csv", TABLE)
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(2)
    meaning = page.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    own = tuple(msgspec.structs.replace(m, noise=d.GaussianKnown(sd=0.2)) for m in meaning.matches)
    page.problem.edit("x", meaning=d.Predictions(matches=own, noise=d.GaussianKnown()))
    assert page.shared.notice.words() == "Each comparison has errors of its own, here:"
    assert page.shared.notice.suggestion() == ""
    assert not page.noise.notice.sizePolicy().retainSizeWhenHidden()


def test_a_caption_is_not_cut_within_a_name(qtbot: QtBot) -> None:
    font = QFontMetrics(theme.small_font())
    width = font.horizontalAdvance("the data column 'band 1 (c/a)")
    words = "The output “band_1” has 5 values, but the data column “band 1 (c/a)” has 6 rows of numbers, all told"
    lines = lines_of(words, font, width)
    assert lines == ["The output “band_1” has 5", "values"]
    question = "Are band 1 (c/a) and band 2 (c/a) and band 3 (c/a) compared with the outputs of the same name?"
    assert lines_of(question, font, width)[-1].endswith("…")
    assert "".join(lines_of("Settled (of 3)", font, font.horizontalAdvance("Settled"))) == "Settled(of 3)"


def test_the_button_leads_to_the_outputs_of_the_simulator_page(open_window: Callable[..., Any]) -> None:
    window, _, _ = open_window()
    window.page("data").outputs_wanted.emit("")
    simulator = window.page("simulator")
    assert window.current == "simulator"
    assert simulator.tabs.currentWidget() is simulator.outputs


HEADED = "time Temp salt\n0 1.4 8.4\n3 2.4 9.4\n6 3.4 9.8\n9 3.5 9.9\n12 3.6 9.7\n"
LAKE = "date,o2_16.5m,sd_o2_16.5m,u\n2019-09-02,7.5,0.1,1.5\n2019-09-05,6.5,0.1,2.5\n2019-09-08,7.1,0.1,3.5\n"


@pytest.fixture
def lake(qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any]) -> DataPage:
    """Five values where three rows are; the time that the program prints beside them is read by no output."""
    opened(page, tmp_path / "lake.csv", LAKE)
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, HEADED)
    return page


def test_a_time_printed_beside_the_values_that_no_output_reads_is_read_at_a_button(
    qtbot: QtBot, lake: DataPage, controller: SessionController
) -> None:
    part = lake.matching.mismatch
    assert part.read.text() == "Read “time” too"
    assert "prints “time” beside “v”" in part.message.suggestion()
    assert "mark the values" not in part.message.suggestion()
    click(qtbot, part.read)
    assert [o.name for o in controller.problem.declared.outputs] == ["u", "v", "time"]
    assert controller.problem.declared.outputs[-1].extractor == d.CsvColumn(column=0, delimiter=" ")
    assert not part.read.isVisible()
    assert part.count.isVisible(), "its dates are counted as the program counts"


def test_only_columns_that_can_be_keys_are_named_to_be_marked(lake: DataPage, engines: list[Any]) -> None:
    trial_run(lake, engines, "".join(f"{line.split(' ', 1)[1]}\n" for line in HEADED.splitlines()[1:]).replace(" ", " 1 "))
    meaning = lake.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    in_order = tuple(msgspec.structs.replace(m, key_output=None, key_column=None) for m in meaning.matches)
    lake.problem.edit("x", outputs=(column("v", 2),), meaning=msgspec.structs.replace(meaning, matches=in_order))
    suggestion = lake.matching.mismatch.message.suggestion()
    assert "mark the values of “date” first" in suggestion, "neither a measured quantity nor its error"


def test_a_key_of_the_same_name_pairs_the_rows_once_it_is_read(
    qtbot: QtBot, lake: DataPage, controller: SessionController, engines: list[Any]
) -> None:
    table = d.DataTable(columns={"time": (3.0, 15.0, 21.0), "u": (1.5, 2.5, 3.5)})
    controller.problem.edit("x", data=table, meaning=d.Predictions(matches=(d.Match("u", "u"),), noise=d.GaussianKnown(sd=0.1)))
    part = lake.matching.mismatch
    assert part.read.text() == "Read “time” too"
    click(qtbot, part.read)
    assert matches(controller)[0].keys == (("time", "time"),)
    assert part.drop.isVisible(), "most measured times lie beyond those of the program"


def test_a_key_of_the_same_name_is_interpolated_over_at_once_where_the_measured_ones_lie_between(
    qtbot: QtBot, lake: DataPage, controller: SessionController, engines: list[Any]
) -> None:
    table = d.DataTable(columns={"time": (1.0, 4.0, 8.0), "u": (1.5, 2.5, 3.5)})
    controller.problem.edit("x", data=table, meaning=d.Predictions(matches=(d.Match("u", "u"),), noise=d.GaussianKnown(sd=0.1)))
    click(qtbot, lake.matching.mismatch.other)
    assert matches(controller)[0].keys == (("time", "time"),)
    assert matches(controller)[0].interpolate
