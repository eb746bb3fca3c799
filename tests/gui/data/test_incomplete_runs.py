"""Data page: runs that lack some of the measured rows. Which key pairs them, what the order cannot tell, and what locks Run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import click, matches, opened
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import read_output
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.step_status import step_status
from bayescope.gui.pages.data.page import DataPage

TUNNEL = (
    "Angle of attack (deg),CL (-),CL error (-),CD (-)\n-4,-0.188,0.012,0.00826\n-2,0.046,0.012,0.00746\n0,0.274,0.012,0.00650\n"
    "2,0.468,0.012,0.00628\n4,0.705,0.012,0.00713\n6,0.910,0.012,0.00933\n8,1.099,0.02,0.01230\n10,1.289,0.02,0.01555\n"
    "12,1.385,0.02,0.01916\n"
)
POLAR = (
    "-4.000 -0.0829 0.00785", "-2.000 0.1385 0.00697", "0.000 0.3556 0.00607", "2.000 0.5841 0.00648", "4.000 0.8076 0.00694",
    "6.000 1.0130 0.00858", "8.000 1.1926 0.01232", "10.000 1.3558 0.01628", "12.000 1.4776 0.02114",
)  # fmt: skip


def column(name: str, k: int) -> d.Output:
    return d.Output(name=name, source="polar.txt", extractor=d.CsvColumn(column=k, delimiter=" "))


def wing(*names: str) -> d.Problem:
    return d.Problem(
        name="wing",
        parameters=(d.Parameter(name="camber", prior=d.Uniform(low=0.01, high=0.05)),),
        simulator=d.Simulator(command=("sh", "@camber@")),
        outputs=tuple(column(n, ("alpha", "CL", "CD").index(n)) for n in names),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=0.001)),
    )


def polar(*without: int) -> str:
    return "\n".join(line for line in POLAR if int(float(line.split()[0])) not in without) + "\n"


def tried(page: DataPage, engines: list[Any], text: str) -> None:
    """The test run under way, or a new one, ends with this table."""
    read = []
    for output in page.problem.declared.outputs:
        found = read_output(output, text)
        read.append(protocol.TrialOutput(name=output.name, source=output.source, values=found.values, texts=found.texts))
    files = (protocol.TrialFile(name="polar.txt", role="produced", text=text),)
    report = protocol.TrialRunReport(outcome="ok", outputs=tuple(read), files=files, values=page.trial.values())
    if not page.trial.running:
        page.trial.run()
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    QApplication.processEvents()


def imported(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "tunnel.csv", TUNNEL)
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)


def offered(page: DataPage) -> list[str]:
    part = page.matching.mismatch
    return [b.text().replace("&", "") for b in part.findChildren(QPushButton) if b.isVisible()]


def test_a_key_that_pairs_all_rows_but_one_counts_and_no_quantity_is_taken_for_it(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", **msgspec.structs.asdict(wing("alpha", "CL", "CD")))
    tried(page, engines, polar(2))
    imported(qtbot, page, tmp_path)
    keys = {m.output: m.keys for m in matches(controller)}
    assert keys == dict.fromkeys(("CL", "CD"), (("alpha", "Angle of attack (deg)"),))
    assert "1 of 9 measured rows has no row of “CL” with the same key" in page.message.words()


def test_one_run_that_lacks_a_row_locks_nothing_once_another_had_all(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", **msgspec.structs.asdict(wing("alpha", "CL", "CD")))
    tried(page, engines, polar(2))
    imported(qtbot, page, tmp_path)
    assert step_status(controller, "run")[0] == "locked", "no test run so far had all rows"
    click(qtbot, page.message._dismiss)
    assert page.trial.running
    tried(page, engines, polar(-4))
    assert step_status(controller, "run")[0] == "locked"
    assert "None of the 2 test runs had all rows" in page.message.suggestion()
    click(qtbot, page.message._dismiss)
    tried(page, engines, polar())
    assert step_status(controller, "run") == ("todo", "ready to start")
    assert page.message.level == "warning"
    assert "counts as failed" in page.message.suggestion()
    assert page.status()[0] == "done"
    controller.problem.edit("x", simulator=d.Simulator(command=("sh", "-x", "@camber@")))
    tried(page, engines, polar(2))
    assert step_status(controller, "run")[0] == "locked", "the good run was of another program"


def test_rows_in_order_that_a_key_contradicts_are_said_with_the_button_that_pairs_by_it(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", **msgspec.structs.asdict(wing("alpha", "CL", "CD")))
    imported(qtbot, page, tmp_path)
    in_order = (d.Match(output="CL", column="CL (-)"), d.Match(output="CD", column="CD (-)"))
    controller.problem.edit("x", meaning=d.Predictions(matches=in_order, noise=d.GaussianKnown(sd=0.001)))
    tried(page, engines, polar(2))
    part = page.matching.mismatch
    assert "gave 8 values of “CL”, but 9 were measured" in part.message.words()
    assert "order does not tell which is missing" in part.message.suggestion()
    assert "By output “alpha” with column “Angle of attack (deg)”, 8 of 9 rows" in part.message.suggestion()
    assert offered(page)[0] == "Pair by Angle of attack (deg)"
    assert "Leave these rows out" not in offered(page)
    # as many values as rows, one of them of another row
    tried(page, engines, polar(2) + "14.000 1.5 0.03\n")
    words = "row 4, where it is 2, is compared with the value where “alpha” is 4"
    assert words in page.message.words()
    assert words in part.message.words()
    assert part.message.level == "warning"
    click(qtbot, page.message._button)
    assert {m.keys for m in matches(controller)} == {(("alpha", "Angle of attack (deg)"),)}
    controller.problem.undo_stack.undo()
    assert matches(controller) == in_order
    assert words in page.message.words()
    click(qtbot, page.message._dismiss)
    assert words not in page.message.words(), "the user said that the order is right"
    assert "it is safer" in part.message.words()


def test_where_a_key_is_wrong_the_best_pair_of_output_and_column_is_offered_and_no_nonsense(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", **msgspec.structs.asdict(wing("alpha", "CL", "CD")))
    imported(qtbot, page, tmp_path)
    wrong = d.Match(output="CL", column="CL (-)", key_output="CD", key_column="CD (-)")
    controller.problem.edit("x", meaning=d.Predictions(matches=(wrong,), noise=d.GaussianKnown(sd=0.001)))
    tried(page, engines, polar(2))
    assert "9 of 9 measured rows have no row of “CL” with the same key" in page.matching.mismatch.message.words()
    assert offered(page) == ["Pair by Angle of attack (deg)"], "no zigzag between rows, no key many rows away"
    assert page.matching.message._button.text() == "Pair by “Angle of attack (deg)”"
    click(qtbot, page.matching.message._button)
    assert [m.keys for m in matches(controller)] == [(("alpha", "Angle of attack (deg)"),)]
    page.matching._add(None)
    added = matches(controller)[-1]
    assert (added.output, added.column, added.keys) == ("CD", "CD (-)", (("alpha", "Angle of attack (deg)"),))


def test_choosing_one_side_of_another_key_brings_the_other_and_none_takes_both_away(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", **msgspec.structs.asdict(wing("alpha", "CL", "CD")))
    imported(qtbot, page, tmp_path)
    wrong = d.Match(output="CL", column="CL (-)", key_output="CD", key_column="CD (-)")
    controller.problem.edit("x", meaning=d.Predictions(matches=(wrong,), noise=d.GaussianKnown(sd=0.001)))
    tried(page, engines, polar(2))
    page.matching._form_changed(msgspec.structs.replace(wrong, key_output="alpha"))
    assert matches(controller)[0].keys == (("alpha", "Angle of attack (deg)"),)
    page.matching._form_changed(msgspec.structs.replace(matches(controller)[0], key_output=None))
    assert matches(controller)[0].key_column is None


def test_data_that_came_before_the_outputs_are_compared_by_name_with_one_click(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", **msgspec.structs.asdict(wing()))
    imported(qtbot, page, tmp_path)
    controller.problem.edit("x", outputs=wing("alpha", "CL", "CD").outputs)
    tried(page, engines, polar())
    assert page.message.words() == "Are CL (-) and CD (-) compared with the outputs of the same name?"
    click(qtbot, page.message._button)
    assert {m.output: m.keys for m in matches(controller)} == dict.fromkeys(("CL", "CD"), (("alpha", "Angle of attack (deg)"),))


def test_a_column_whose_output_was_removed_is_compared_by_name_once(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("x", **msgspec.structs.asdict(wing("alpha", "CL", "CD")))
    imported(qtbot, page, tmp_path)
    old = (d.Match(output="gone", column="CL (-)"), d.Match(output="CD", column="CD (-)"))
    controller.problem.edit("x", meaning=d.Predictions(matches=old, noise=d.GaussianKnown(sd=0.001)))
    page.matching.match_by_name()
    assert sorted((m.output, m.column) for m in matches(controller)) == [("CD", "CD (-)"), ("CL", "CL (-)")]


@pytest.mark.parametrize("removed", [1, 2])
def test_the_buttons_below_the_comparisons_stay_where_they_are_when_one_is_removed(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, removed: int
) -> None:
    controller.problem.edit("x", **msgspec.structs.asdict(wing("alpha", "CL", "CD")))
    imported(qtbot, page, tmp_path)
    same = tuple(d.Match(output="CL", column="CL (-)", factor=float(k)) for k in range(1, 6))
    controller.problem.edit("x", meaning=d.Predictions(matches=same, noise=d.GaussianKnown(sd=0.001)))
    QApplication.processEvents()
    before = page.matching.remove_button.mapToGlobal(page.matching.remove_button.rect().topLeft())
    for _ in range(removed):
        click(qtbot, page.matching.remove_button)
    assert page.matching.remove_button.mapToGlobal(page.matching.remove_button.rect().topLeft()) == before


def test_the_fields_stay_where_they_are_while_they_are_changed(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", **msgspec.structs.asdict(wing("alpha", "CL", "CD")))
    imported(qtbot, page, tmp_path)
    keyed = d.Match(output="CL", column="CL (-)", key_output="alpha", key_column="Angle of attack (deg)")
    controller.problem.edit("x", meaning=d.Predictions(matches=(keyed,), noise=d.GaussianKnown(sd=0.001)))
    tried(page, engines, polar(2, 4, 6))
    page.matching.area.ensureWidgetVisible(page.matching.form.editor("left_out"))
    field = page.matching.form.editor("key_output")

    def place() -> int:
        for _ in range(5):
            QApplication.processEvents()
        return field.mapToGlobal(QPoint(0, 0)).y()

    before = place()
    for changed in ({"key_output": None}, {"key_output": "alpha"}, {"left_out": (2,)}, {"key_output": None}):
        page.matching._form_changed(msgspec.structs.replace(matches(controller)[0], **changed))
        assert place() == before, changed
