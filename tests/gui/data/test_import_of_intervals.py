"""The import says what becomes of confidence intervals, and takes it back by a button; what is left out is said once."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from bayescope.gui.pages.data.importing.choices import ALL
from bayescope.gui.pages.data.importing.limits import AS_ERRORS, AS_THEY_ARE
from bayescope.gui.pages.data.importing.panel import ImportPanel
from tests.support.sheet_files import xlsx

LIMITS = b"n,rate,95 % CI lower,95 % CI upper\n1,5,4,6\n2,8,6,14\n"
BOOK = xlsx({
    "Weekly": [["week", "cases"], [1, 4], [2, 5], ["Total", 9]], "Survey": [["site", "rate"], [1, 20], [2, 30]],
})  # fmt: skip


def test_intervals_become_errors_with_a_warning_and_can_stay_as_they_are(qtbot: QtBot) -> None:
    panel = ImportPanel()
    qtbot.addWidget(panel)
    panel.show()
    panel.load_bytes(LIMITS, "sero.csv")
    told = panel.limits_message
    assert told.level == "warning", "one interval is lopsided"
    assert "are taken as the errors of “rate”" in told.words()
    assert [old for old, *_ in panel.columns.rows] == ["n", "rate", "± rate"]
    assert told._button.text() == AS_THEY_ARE
    told._button.click()
    assert [old for old, *_ in panel.columns.rows] == ["n", "rate", "95 % CI lower", "95 % CI upper"]
    assert told._button.text() == AS_ERRORS
    told._button.click()
    assert len(panel.columns.rows) == 3
    panel.load_bytes(b"n,rate\n1,2\n2,3\n", "plain.csv")
    assert told.level is None


def test_a_line_that_is_left_out_of_one_of_several_tables_is_said_once(qtbot: QtBot) -> None:
    panel = ImportPanel()
    qtbot.addWidget(panel)
    panel.show()
    panel.load_bytes(BOOK, "book.xlsx")
    panel.choices.part.choose(ALL)
    words = " ".join((panel.message.words(), panel.lines_told.message.words()))
    assert words.count("is left out") == 1
