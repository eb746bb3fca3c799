"""A column of marks that the file explains: its rows are asked about, whatever the column is taken for."""

from __future__ import annotations

from pathlib import Path

import pytest
from data_pages import click, matches, opened
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.archive.import_columns import KEY
from bayescope.gui.pages.data.page import DataPage

TABLE = '"Comment";"* = detector change, not valid"\n\n"nm";"u";"Mark"\n' + "".join(
    f'{900 - 10 * i};0.{i + 1};"{"*" if i == 3 else ""}"\n' for i in range(8)
)


@pytest.mark.parametrize("role", ["", KEY])
def test_marked_rows_are_left_out_by_one_click(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, role: str
) -> None:
    opened(page, tmp_path / "m.csv", TABLE)
    if role:
        page.importer.used.say("Mark", role)
    click(qtbot, page.importer.use)
    made = d.Match(output="u", column="u")
    controller.problem.edit("x", meaning=d.Predictions(matches=(made,), noise=d.GaussianKnown(sd=0.1)))
    said = "One row that is compared is remarked on in “Mark” as no good: “detector change, not valid (*)” (1)."
    assert page.message.words() == said
    click(qtbot, page.message._button)
    assert [m.left_out for m in matches(controller)] == [(4,)]
