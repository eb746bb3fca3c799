"""Data page: an output that reads rows of several numbers into one list, where each of the numbers was measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from awkward_repeats import BAND_1, BAND_2, MPB
from data_pages import click, matches, opened, trial_run
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.mismatches import mismatch
from bayescope.gui.models.data.rows.row_advice import FEWER, MORE
from bayescope.gui.pages.data.page import DataPage

BANDS = d.Region(
    anchor="tmfreqs:,", occurrence="all", on_line=True, columns=(6, 7), by="word", count=1, form="nnnnnnn*", delimiter=","
)
TABLE = "band 1,band 2\n" + "".join(f"{a},{b}\n" for a, b in zip(BAND_1, BAND_2, strict=True))


@pytest.fixture
def problem() -> d.Problem:
    return d.Problem(
        name="rods",
        parameters=(d.Parameter(name="r", prior=d.Uniform(low=0.1, high=0.4)),),
        simulator=d.Simulator(command=("mpb", "@r@")),
        outputs=(d.Output(name="freqs", source="res.txt", extractor=BANDS),),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=0.01)),
    )


def test_a_list_that_is_a_table_is_split_by_one_button_and_each_column_is_compared(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "measured.csv", TABLE)
    click(qtbot, page.importer.use)
    meaning = d.Predictions(matches=(d.Match(output="freqs", column="band 1"),), noise=d.GaussianKnown(sd=0.01))
    controller.problem.edit("x", meaning=meaning)
    trial_run(page, engines, MPB)
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(0)
    part = page.matching.mismatch
    assert "The program gave 10 values of “freqs”, but 5 were measured." in part.message.words()
    assert part.message.suggestion() == "They are 5 rows of 2 numbers each, read row by row."
    assert part.label.text() == "Split “freqs” into 2 outputs"
    click(qtbot, part.label)
    assert [(m.output, m.column) for m in matches(controller)] == [("tm_band_1", "band 1"), ("tm_band_2", "band 2")]
    assert [o.name for o in controller.problem.declared.outputs] == ["tm_band_1", "tm_band_2"]
    assert page.trial.unfit() is None


def test_a_line_more_in_the_data_hinders_no_split_and_a_single_column_is_none(problem: d.Problem) -> None:
    data = d.DataTable(columns={"band 1": (*BAND_1, 0.002)})
    meaning = msgspec.structs.replace(problem.meaning, matches=(d.Match(output="freqs", column="band 1"),))
    whole = msgspec.structs.replace(problem, data=data, meaning=meaning)
    file = protocol.TrialFile(name="res.txt", role="produced", text=MPB, size=len(MPB))
    report = protocol.TrialRunReport(outcome="ok", stdout="", files=(file,), values={"r": 0.2}, exit_code=0)
    found = mismatch(whole, 0, report)
    assert found is not None
    assert found.by_label is not None
    assert FEWER not in found.suggestion
    assert MORE not in found.suggestion
    assert [o.name for o in found.by_label.outputs] == ["tm_band_1", "tm_band_2"]
    again = mismatch(found.by_label, 0, report)
    assert again is not None
    assert again.by_label is None
    assert again.suggestion == FEWER
