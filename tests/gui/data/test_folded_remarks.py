"""Import: many remarks that ask for nothing are folded into one line, what asks stays in sight."""

from __future__ import annotations

from pathlib import Path

from data_pages import click, opened
from pytestqt.qtbot import QtBot

from bayescope.gui.pages.data.page import DataPage

REPORT = (
    "Bericht 26-04;;;;\nProbe;Datum;pH;Ca (mg/l);Bemerkung\na;13.04.2026;7,1;<0,10;\nb;14.04.2026;7,2;5;\nc;15.04.2026;7,3;7;\n"
    "U (k=2);;0,10;6 %;\nBestimmungsgrenze;;;0,10;\n"
)


def test_many_calm_remarks_are_one_line_that_opens(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "lab.csv", REPORT)
    panel = page.importer
    calm = (panel.lines_told, panel.coverage_message)
    assert panel.remarks_line.isVisible()
    assert not any(part.isVisible() for part in calm)
    assert "is taken as errors" in panel.remarks_line.words.text()
    assert "they are divided by 2" in panel.remarks_line.words.text()
    click(qtbot, panel.remarks_line.button)
    assert all(part.isVisible() for part in calm)
    click(qtbot, panel.coverage_message._button)  # taken as it is: the line stays open
    assert panel.coverage_message.isVisible()
    assert "not divided by 2" in panel.coverage_message.words()


def test_few_remarks_stay_as_they_are(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "lab.csv", "t,u\n1,<0.5\n2,3.5\n3,4.5\n")
    assert not page.importer.remarks_line.isVisible()
    assert page.importer.censored_message.isVisible()
