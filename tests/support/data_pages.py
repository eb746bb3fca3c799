"""What tests of the Data page share: a problem with two columns, files that are opened, test runs that print a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import read_output
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage


def column(name: str, k: int, text: bool = False) -> d.Output:
    return d.Output(name=name, source="res.txt", extractor=d.CsvColumn(column=k, delimiter=" "), text=text)


PROBLEM = d.Problem(
    name="frame",
    parameters=(d.Parameter(name="E", prior=d.LogUniform(low=1e9, high=1e12)),),
    simulator=d.Simulator(command=("sh", "@E@")),
    outputs=(column("u", 1), column("v", 2)),
    meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=0.1)),
)


SERIES = msgspec.structs.replace(
    PROBLEM, outputs=(column("time", 0), column("T", 1)),
    meaning=d.Predictions(matches=(d.Match(output="T", column="T"),), noise=d.GaussianKnown(sd=0.1)),
)  # fmt: skip


def words(button: QAbstractButton) -> str:
    """What a button says, without the mark of its letter."""
    return button.text().replace("&", "")


def columns_of_file(*names: str) -> tuple[d.Output, ...]:
    """Outputs that are columns of a CSV file with headings."""
    return tuple(d.Output(name=n, source="out.csv", extractor=d.CsvColumn(column=n)) for n in names)


CURVES = d.Problem(
    name="Two curves",
    parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)), d.Parameter(name="s", prior=d.HalfNormal(scale=1.0))),
    simulator=d.Simulator(command=("sh", "@k@")),
    outputs=columns_of_file("time", "a", "b"),
    meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=1.0)),
)  # fmt: skip
CURVES_TABLE = "time;a;b;sd_a;note\n0,5;1,5;2;0,1;x\n1,0;2,5;;0,2;y\n1,5;3,5;6;0,3;z\n"


def click(qtbot: QtBot, button: QPushButton) -> None:
    assert button.isVisible()
    assert button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()


def typed(field: Any, text: str, qtbot: QtBot) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    QApplication.processEvents()


def opened(page: DataPage, path: Path, content: str | bytes) -> None:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    page.open_file(path)


def imported(page: DataPage, tmp_path: Path, text: str = CURVES_TABLE) -> None:
    """Opened and taken as it is."""
    opened(page, tmp_path / "measured.csv", text)
    page.importer.use.click()


def matches(controller: SessionController) -> tuple[d.Match, ...]:
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    return meaning.matches


def trial_run(page: DataPage, engines: list[Any], text: str, outcome: Literal["ok", "failed"] = "ok") -> None:
    """A test run of the program, whose table is ``text``; the outputs are read as the engine reads them. It is ``failed`` where
    they could not be compared."""
    read = []
    for output in page.problem.declared.outputs:
        found = read_output(output, text)
        read.append(
            protocol.TrialOutput(name=output.name, source=output.source, values=found.values, texts=found.texts)
        )
    files = (protocol.TrialFile(name="res.txt", role="produced", text=text),)
    report = protocol.TrialRunReport(outcome=outcome, outputs=tuple(read), files=files)
    page.trial.run()
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    QApplication.processEvents()
