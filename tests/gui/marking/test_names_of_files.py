"""Outputs of files without any heading are called as their files are."""

from __future__ import annotations

from typing import Any

import pytest
from marked_texts import LEFT, click, ran
from PySide6.QtTest import QTest

from bayescope.engine.problem.marks import Mark
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.simulator.page import SimulatorPage
from bayescope.gui.widgets.marking_words import name_for

BARE = "".join(f"{i} {(7 * i + 3) % 97}.125\n" for i in range(1, 13))


@pytest.mark.parametrize(("source", "name"), [
    ("out/top_reaction.out", "top_reaction"), ("base-rot.txt", "base_rot"), ("stdout", "output"), ("out/1.txt", "output"),
])  # fmt: skip
def test_a_column_without_a_heading_has_the_name_of_its_file(source: str, name: str) -> None:
    at = BARE.index(".125")
    mark = Mark(BARE, at, at, source)
    assert name_for(mark.offers("column")[0], BARE, at, at, source) == (name, "")


def test_one_click_and_one_button_make_an_output_of_each_file(
    page: SimulatorPage, controller: SessionController, engines: list[Any]
) -> None:
    page.panel.run()
    ran(engines, 1.0, "done\n", reaction_out=BARE, rotation_out=BARE)
    picker = page.outputs.picker
    for source in ("reaction.out", "rotation.out"):
        picker.source.choose(source)
        picker._source_chosen(source)
        click(picker, ".125")
        assert picker.strip.scopes["column"].isChecked()
        QTest.mouseClick(picker.take, LEFT)
    assert [o.name for o in controller.problem.declared.outputs] == ["reaction", "rotation"]
