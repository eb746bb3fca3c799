"""Two sheets by two clocks: the last output and column are compared by one button, by the clock of their dates, and what the file
says of the other clock is asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from data_pages import PROBLEM, click, column, matches, opened, trial_run, words
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.outputs.table_quantities import compared_with_table
from bayescope.gui.pages.data.page import DataPage
from sheet_files import xlsx

PRINTED = "clock J_05 FM_IN\n" + "".join(f"{h:02}:00 {50 + h} {10 + h / 2}\n" for h in range(12))
SHEETS = {
    "Loggers": [
        ["LOGGER CLOCK = WINTER TIME (logger 01:00 is model 02:00)"], [], ["Logger clock", "J-05", "Remarks"],
        *([f"{h:02}:00", 51.1 + h, "J-05: hydrant flushed" if h == 5 else None] for h in (1, 3, 5, 8)),
    ],
    "Meter": [["Date", "Time", "Q"], *(["16.06.2026", f"{h:02}:00", 10.1 + h / 2] for h in (2, 3, 7))],
}  # fmt: skip


def test_each_is_paired_by_its_own_clock_and_a_shift_of_one_is_asked_about(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    read = {n: d.CsvColumn(column=n, delimiter=" ") for n in ("J_05", "FM_IN")}
    outputs = tuple(msgspec.structs.replace(column(n, 0), extractor=how) for n, how in read.items())
    controller.problem.edit("x", outputs=outputs)
    trial_run(page, engines, PRINTED)
    opened(page, tmp_path / "m.xlsx", xlsx(SHEETS))
    click(qtbot, page.importer.message._button)
    click(qtbot, page.importer.use)
    asked = []
    for _ in range(3):
        asked.append((page.message.words().split("?")[0], words(page.message._button)))
        click(qtbot, page.message._button)
    assert [button for _, button in asked] == ["Shift it by −1 h", "Leave J-05 out of row 3", "Compare them"], asked
    assert asked[2][0] == "Does FM_IN predict “Q”"
    first, last = matches(controller)
    assert (first.keys[0][1], first.key_offset, first.left_out) == ("Logger clock", -3600.0, (3,))
    assert (last.output, last.column, last.keys[0][1], last.key_offset) == ("FM_IN", "Q", "Clock on 2026-06-16", 0.0)
    assert page.trial.unfit() is None, "every row has its partner"


def test_an_output_found_for_a_column_of_another_name_is_compared_with_it(page: DataPage, controller: SessionController) -> None:
    data = d.DataTable(columns={"u": (1.0, 2.0), "Flow": (3.0, 4.0)})
    problem = msgspec.structs.replace(PROBLEM, data=data)
    assert compared_with_table(problem, page.trial, ["u", "v"]) is problem, "names tell too little"
    found = compared_with_table(problem, page.trial, ["u", "v"], {"u": "u", "v": "Flow"})
    assert isinstance(found.meaning, d.Predictions)
    assert [(m.output, m.column) for m in found.meaning.matches] == [("u", "u"), ("v", "Flow")]
