"""Paths of files too long for their place keep their ends, by which they differ; what was typed or added is not asked again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from marked_texts import click as mark
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.simulator.page import SimulatorPage
from bayescope.gui.widgets.elided import cut_path

pytestmark = pytest.mark.window


def test_of_a_path_the_name_of_the_file_stays(qtbot: QtBot) -> None:
    metrics = QFontMetrics(QApplication.font())
    room = metrics.horizontalAdvance("…/transportProperties.old")
    assert cut_path("case/of/a/long/study/constant/transportProperties", metrics, room).endswith("/transportProperties")
    assert cut_path("T", metrics, room) == "T"
    assert "…" in cut_path("a" * 90, metrics, room)


@pytest.mark.loops
def test_outputs_named_by_hand_are_not_named_again_and_a_run_offers_nothing_that_was_added(
    qtbot: QtBot, show: Callable[..., None], real_controller: SessionController, tmp_path: Path
) -> None:
    page = SimulatorPage(real_controller)
    show(page, 1440, 900)
    script = tmp_path / "case" / "run.sh"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\nmkdir -p post/0\nfor i in 1 2 3; do echo $i 30$i.5 41.$i; done > post/0/T\n")
    script.chmod(0o755)
    real_controller.problem.edit("x", simulator=d.Simulator(command=(str(script),)))
    page.tabs.setCurrentWidget(page.outputs)
    page.panel.run_button.click()
    qtbot.waitUntil(lambda: page.trial.report is not None and not page.trial.running, timeout=20_000)
    picker, table = page.outputs.picker, page.outputs.table
    picker.source.choose("post/0/T")
    mark(picker, "302.5")
    picker.strip.scopes["table"].click()
    picker.name.setText("t, T_A, T_B")
    QTest.mouseClick(picker.take, Qt.MouseButton.LeftButton)
    assert [o.name for o in real_controller.problem.declared.outputs] == ["t", "T_A", "T_B"]
    assert table.state() != table.State.EditingState
    option = QStyleOptionViewItem()
    table.itemDelegate().initStyleOption(option, page.outputs.model.index(0, page.outputs.model.column_of("source")))
    assert option.textElideMode == Qt.TextElideMode.ElideMiddle  # type: ignore[attr-defined]
    mark(picker, "302.5")  # a look at what is read already
    picker.strip.scopes["table"].click()
    assert picker.marking
    picker._show_source()  # as after a test run
    assert not picker.marking
