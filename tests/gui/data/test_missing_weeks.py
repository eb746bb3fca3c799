"""Data page: two files below each other, one with a missing value; the rows of each keep their places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from data_pages import click, columns_of_file, matches
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.date_ticks import date_ticks
from bayescope.gui.pages.data.page import DataPage

CASES = "week ending;reported cases\n" + "".join(f"{i + 1}.10.2023;{i * i + 5}\n" for i in range(9))
SURVEY = "age group;tested;seroprevalence (%);standard error (%)\n0-9;140;55,7;4,2\n10-19;180;70,0;3,4\n20-39;310;51,9;2,8\n"
GIVEN = {"reported cases": tuple(i * i + 6.0 for i in range(9)), "seroprevalence": (52.0, 69.0, 50.0)}

WAVE = d.Problem(
    name="wave",
    parameters=(d.Parameter(name="beta", prior=d.Uniform(low=0.1, high=0.5)),),
    simulator=d.Simulator(command=("sh", "@beta@")),
    outputs=columns_of_file(*GIVEN),
    meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=1.0)),
)


def missing(*rows: int) -> str:
    lines = CASES.splitlines()
    return "\n".join(f"{line.split(';')[0]};n/a" if i in rows else line for i, line in enumerate(lines)) + "\n"


def tried(page: DataPage, engines: list[Any], counts: int = 9) -> None:
    """A test run that gives so many ``counts`` ended."""
    read = []
    for output in page.problem.declared.outputs:
        values = GIVEN[output.name][:counts]
        read.append(protocol.TrialOutput(name=output.name, source=output.source, values=values))
    report = protocol.TrialRunReport(outcome="ok", outputs=tuple(read), values=page.trial.values())
    page.trial.run()
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    QApplication.processEvents()


def both(qtbot: QtBot, page: DataPage, folder: Path, cases: str) -> None:
    for name, text in (("cases.csv", cases), ("survey.csv", SURVEY)):
        (folder / name).write_text(text, encoding="utf-8")
    page.open_files([folder / "cases.csv", folder / "survey.csv"])
    click(qtbot, page.importer.use)
    click(qtbot, page.importer.add)


def compared(page: DataPage, controller: SessionController) -> None:
    pairs = (("reported cases", "reported cases"), ("seroprevalence", "seroprevalence (%)"))
    meaning = d.Predictions(matches=tuple(d.Match(output=o, column=c) for o, c in pairs), noise=d.GaussianKnown(sd=1.0))
    controller.problem.edit("compare", meaning=meaning)
    page.tabs.setCurrentIndex(1)
    page.matching.table.selectRow(0)


def buttons(page: DataPage) -> list[str]:
    part = page.matching.mismatch
    return [b.text() for b in part.findChildren(QPushButton) if b.isVisible()]


def test_a_week_without_a_value_keeps_its_place_with_a_second_file_below(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", **msgspec.structs.asdict(WAVE))
    both(qtbot, page, tmp_path, missing(4))
    compared(page, controller)
    tried(page, engines)
    assert page.trial.unfit() is None
    assert page.status()[0] != "error"
    axis = page.plot.plot.getAxis("bottom")
    assert axis.dates
    assert axis.labelText == "week ending"
    words = [word for _, word in date_ticks(*axis.range, 6)]
    assert words[0].endswith("Oct 2023")
    page.plot.choose("seroprevalence (%)")
    page.plot.grab()  # its axes follow when it is drawn
    assert not axis.dates
    assert axis.labelText == "age group"
    assert page.test_words.text().startswith("Dashes: the newest test run")
    tried(page, engines, 8)
    assert page.trial.unfit() is None, "eight values are those of the eight weeks that were measured"


def test_of_two_missing_weeks_the_one_that_the_program_passes_over_is_asked(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", **msgspec.structs.asdict(WAVE))
    both(qtbot, page, tmp_path, missing(4, 7))
    compared(page, controller)
    tried(page, engines, 8)
    assert "2 rows have no value (4, 7)" in page.message.words()
    assert not page.message._dismiss.isVisible(), "a run at other values mends nothing"
    assert [b for b in buttons(page) if b.startswith("None for")] == [f"None for row {k} (“{k}.10.2023”)" for k in (4, 7)]
    click(qtbot, page.matching.mismatch.passed[1])
    assert matches(controller)[0].left_out == (7,)
    assert page.trial.unfit() is None
    controller.problem.undo_stack.undo()
    assert page.trial.unfit() is not None
