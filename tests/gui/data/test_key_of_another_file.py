"""The page asks about a key that was chosen from another file of the program than the values, which print that key, too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from data_pages import PROBLEM, click, matches, opened, words
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import read_output
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

FILES = {
    "flow.txt": "hour Q\n" + "".join(f"{2 + k} {k * k}.5\n" for k in range(8)),
    "snow.txt": "hour S\n" + "".join(f"{k} {9 - k}.5\n" for k in range(8)),
}
OUTPUTS = tuple(
    d.Output(name=name, source=source, extractor=d.CsvColumn(column=k, delimiter=" ", header=True))
    for name, source, k in (("Q", "flow.txt", 1), ("hour_2", "flow.txt", 0), ("hour", "snow.txt", 0))
)
WORDS = "“Q” is read from flow.txt, but the key “hour” of its rows from snow.txt: flow.txt prints other entries of that key"


def tried(page: DataPage, engines: list[Any]) -> None:
    outputs = page.problem.declared.outputs
    read = tuple(
        protocol.TrialOutput(name=o.name, source=o.source, values=read_output(o, FILES[o.source]).values) for o in outputs
    )
    files = tuple(protocol.TrialFile(name=name, role="produced", text=text) for name, text in FILES.items())
    report = protocol.TrialRunReport(outcome="ok", outputs=read, files=files)
    page.trial.run()
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    QApplication.processEvents()


def test_a_key_of_another_file_is_asked_about_by_the_page_and_beside_the_comparison(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    controller.problem.replace(msgspec.structs.replace(PROBLEM, outputs=OUTPUTS), "x")
    opened(page, tmp_path / "m.csv", "clock,q\n2,1.1\n4,5\n7,30\n")
    page.importer.use.click()
    chosen = d.Match(output="Q", column="q", key_output="hour", key_column="clock")
    controller.problem.edit("x", meaning=d.Predictions(matches=(chosen,), noise=d.GaussianKnown(sd=0.1)))
    tried(page, engines)
    assert page.message.words().startswith(WORDS)
    assert page.status()[0] != "done"
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(0)
    beside = page.matching.details.mismatch.message
    assert beside.words().startswith(WORDS)
    assert "in order" not in beside.words()
    assert words(page.message._button) == "Pair by that of flow.txt"
    click(qtbot, page.message._button)
    assert [m.keys for m in matches(controller)] == [(("hour_2", "clock"),)]
    assert WORDS not in page.message.words()
    controller.problem.undo_stack.undo()
    assert page.message.words().startswith(WORDS)
    click(qtbot, page.message._dismiss)
    assert WORDS not in page.message.words()
    assert not beside.words()
    assert [m.keys for m in matches(controller)] == [(("hour", "clock"),)]
