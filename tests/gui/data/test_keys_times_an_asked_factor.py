"""Pore volumes of the program beside mL of the data: the red bar offers to pair them, and asks for the factor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import click, column, matches, opened, trial_run, words
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.rows.chosen_rows import row_choice
from bayescope.gui.pages.data import page as data_page
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.pages.data.typed_number import NumberDialog

PRINTED = "".join(f"{0.1 * k:.1f} {k * k} {20 - k}\n" for k in range(26))
DATA = "Lab,Effluent volume (mL),Na (mg/L),K (mg/L)\n" + "".join(
    f"E-{9 - k:02},{140 - 15 * k},{v},{30 - v}\n" for k, v in enumerate((3, 5, 4, 8, 7, 9, 12, 11))
)


@pytest.fixture
def problem() -> d.Problem:
    outputs = tuple(column(name, k) for k, name in enumerate(("PV", "Na_mmol", "K_mmol")))
    return d.Problem(
        name="column", parameters=(d.Parameter(name="E", prior=d.LogUniform(low=1e9, high=1e12)),),
        simulator=d.Simulator(command=("sh", "@E@")), outputs=outputs,
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=0.1)),
    )  # fmt: skip


@pytest.mark.parametrize(("factor", "paired"), [(62.0, True), (1.0, False), (None, False)])
def test_the_bar_asks_for_the_factor_between_two_keys_and_pairs_all_of_their_tables(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any],
    monkeypatch: pytest.MonkeyPatch, factor: float | None, paired: bool,
) -> None:  # fmt: skip
    trial_run(page, engines, PRINTED)
    opened(page, tmp_path / "m.csv", DATA)
    assert page.importer.keys == ("Effluent volume (mL)",), "it leads its table"
    click(qtbot, page.importer.use)
    assert page.message.words().startswith("Are Na (mg/L) and K (mg/L) compared")
    click(qtbot, page.message._button)
    assert [(m.output, m.column) for m in matches(controller)] == [("Na_mmol", "Na (mg/L)"), ("K_mmol", "K (mg/L)")]
    assert words(page.message._button) == "PV × factor…"
    asked: list[str] = []

    def answer(parent: object, title: str, question: str) -> float | None:
        asked.append(question)
        return factor

    monkeypatch.setattr(data_page, "number_asked", answer)
    click(qtbot, page.message._button)
    assert asked[0].startswith("How much of “Effluent volume” is 1 of “PV”?")
    made = [(m.key_output, m.key_column, m.key_factor, m.interpolate) for m in matches(controller)]
    assert made == [("PV", "Effluent volume (mL)", 62.0, True) if paired else (None, None, 1.0, False)] * 2
    if factor == 1.0:
        assert page.message.words() == "With 1, most of what was measured lies beyond the rows of the program."


@pytest.mark.parametrize(("text", "number"), [("62", 62.0), ("1/4", 0.25), ("6,2", None), ("-1", None), ("x", None), ("", None)])
def test_the_question_takes_numbers_above_zero_and_arithmetic(qtbot: QtBot, text: str, number: float | None) -> None:
    dialog = NumberDialog(None, "A factor", "How much?")  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    dialog.show()
    box = dialog.findChild(QDialogButtonBox)
    assert box is not None
    assert not box.button(QDialogButtonBox.StandardButton.Ok).isEnabled(), "nothing is typed yet"
    dialog.setTextValue(text)
    assert dialog.number == number
    assert box.button(QDialogButtonBox.StandardButton.Ok).isEnabled() is (number is not None)


def test_numbers_of_samples_are_no_rows_of_the_program(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, PRINTED)
    opened(page, tmp_path / "m.csv", DATA)
    click(qtbot, page.importer.use)
    click(qtbot, page.message._button)
    problem, report = controller.problem.declared, page.trial.report
    found = row_choice(problem, 0, report)
    assert found is not None
    assert found.told == (), "the volumes say where they are"
    assert problem.data is not None
    columns = {c: cells for c, cells in problem.data.columns.items() if not c.startswith("Effluent")}
    alone = msgspec.structs.replace(problem, data=msgspec.structs.replace(problem.data, columns=columns))
    found = row_choice(alone, 0, report)
    assert found is not None
    assert found.told, "nothing else does"
