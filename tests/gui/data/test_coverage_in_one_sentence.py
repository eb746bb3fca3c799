"""Several columns of expanded uncertainties of which the same is to be said."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from bayescope.engine.problem.data.files.data_files import parse_with
from bayescope.engine.problem.data.files.read_options import Options
from bayescope.gui.pages.data.importing.coverage import CoverageOffer

NAMES = ("T", "p", "q", "v")


@pytest.mark.parametrize(
    ("count", "said"),
    [(1, "Column “± T” holds"), (2, "Columns “± T” and “± p” hold"), (4, "Columns “± T”, “± p” and 2 more hold")],
)
def test_they_are_named_in_one_sentence(qtbot: QtBot, count: int, said: str) -> None:
    text = "x" + "".join(f";{name};± (k=2)" for name in NAMES[:count]) + "\n"
    text += "".join(f"{k}" + f";{k}.5;0.{k}" * count + "\n" for k in (1, 2, 3))
    offer = CoverageOffer()
    qtbot.addWidget(offer)
    offer.show_preview(parse_with(text.encode(), "r.csv", Options(named=True)).preview)
    assert offer.words().startswith(f"{said} expanded uncertainties (k = 2): they are divided by 2.")
