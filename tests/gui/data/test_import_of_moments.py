"""The import says that a column of dates and one of the clock are one moment, and takes it back by a button."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from bayescope.gui.pages.data.importing.moments import APART, TOGETHER
from bayescope.gui.pages.data.importing.panel import ImportPanel

DIPS = "datum;tijd;depth_m;remark\n12-03-2024;23:20;2,22;\n13-03-2024;00:30;n.m.;night, nobody\n13-03-2024;06:45;2,5112;rain\n"


def test_dips_by_hand_are_a_moment_and_a_measured_depth_and_that_can_be_undone(qtbot: QtBot) -> None:
    panel = ImportPanel()
    qtbot.addWidget(panel)
    panel.show()
    panel.load_bytes(DIPS.encode(), "dips.csv")
    offer = panel.offers.moments
    assert "are one moment together, 2024-03-12 23:20" in offer.words()
    assert [old for old, *_ in panel.columns.rows] == ["datum tijd", "remark", "depth_m"]
    assert offer._button.text() == APART
    offer._button.click()
    assert [old for old, *_ in panel.columns.rows] == ["datum", "tijd", "remark", "depth_m"]
    assert offer._button.text() == TOGETHER
    offer._button.click()
    assert [old for old, *_ in panel.columns.rows] == ["datum tijd", "remark", "depth_m"]
    panel.load_bytes(b"n,rate\n1,2\n2,3\n", "plain.csv")
    assert offer.level is None
