"""Labels that the program prints short, Mon, where the data have Monday: one button pairs the rows by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run, words
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.keys.short_labels import spellings
from bayescope.gui.pages.data.page import DataPage

TABLE = "Day,use\nMonday,81\nTuesday,86\nSunday,75\n"
PRINTED = "Mon 80\nTue 85\nSun 74\nall 79\n"


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(
        PROBLEM, outputs=(column("use", 1),),
        meaning=d.Predictions(matches=(d.Match(output="use", column="use"),), noise=d.GaussianKnown(sd=0.1)),
    )  # fmt: skip


def test_one_button_reads_the_labels_and_pairs_by_them(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", TABLE)
    click(qtbot, page.importer.use)
    trial_run(page, engines, PRINTED)
    assert "The program gave 4 values" in page.message.words()
    assert "“Mon” where the data have “Monday”" in page.message.suggestion()
    assert words(page.message._button) == "Pair by Day"
    click(qtbot, page.message._button)
    (match,) = matches(controller)
    assert match.keys == (("Day", "Day"),)
    data = controller.problem.declared.data
    assert data is not None
    assert data.texts["Day"] == ("Mon", "Tue", "Sun")
    trial_run(page, engines, PRINTED)
    assert not page.matching.mismatch.isVisible()


@pytest.mark.parametrize(
    ("labels", "printed", "found"),
    [
        (["Montag", "Dienstag"], ["Mo", "Di"], {"Montag": "Mo", "Dienstag": "Di"}),
        (["mon.", "tue."], ["Monday", "Tuesday", "all"], {"mon.": "Monday", "tue.": "Tuesday"}),
        (["A10", "A20"], ["A1", "A2"], {}),  # other places, not shorter words
        (["inner", "inlet"], ["in", "out"], {}),  # one for two
        (["north", "south"], ["n", "s"], {}),  # a letter may be anything
        (["a", "b"], ["a", "b"], {}),  # a key as it is
        (["Monday", None], ["Mon", "Tue"], {}),
    ],
)
def test_each_label_is_short_for_just_one(labels: list[str | None], printed: list[str], found: dict[str, str]) -> None:
    assert spellings(labels, printed) == found
