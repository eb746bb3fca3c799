"""What tests of the Data page share: a problem with two columns, files that are opened, test runs that print a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import read_output
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data import DataPage


def column(name: str, k: int, text: bool = False) -> d.Output:
    return d.Output(name=name, source="res.txt", extractor=d.CsvColumn(column=k, delimiter=" "), text=text)


PROBLEM = d.Problem(
    name="frame",
    parameters=(d.Parameter(name="E", prior=d.LogUniform(low=1e9, high=1e12)),),
    simulator=d.Simulator(command=("sh", "@E@")),
    outputs=(column("u", 1), column("v", 2)),
    meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=0.1)),
)


def click(qtbot: QtBot, button: QPushButton) -> None:
    assert button.isVisible()
    assert button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()


def opened(page: DataPage, path: Path, content: str | bytes) -> None:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    page.open_file(path)


def matches(controller: SessionController) -> tuple[d.Match, ...]:
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    return meaning.matches


def trial_run(page: DataPage, engines: list[Any], text: str) -> None:
    """A test run of the program, whose table is ``text``; the outputs are read as the engine reads them."""
    read = []
    for output in page.problem.declared.outputs:
        found = read_output(output, text)
        read.append(
            protocol.TrialOutput(name=output.name, source=output.source, values=found.values, texts=found.texts)
        )
    files = (protocol.TrialFile(name="res.txt", role="produced", text=text),)
    report = protocol.TrialRunReport(outcome="ok", outputs=tuple(read), files=files)
    page.trial.run()
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    QApplication.processEvents()
