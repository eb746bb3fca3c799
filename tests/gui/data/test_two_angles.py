"""Two tables of one heading for two angles, measured side by side in columns with the angle in their names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, matches, opened, trial_run
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.mismatches import mismatch
from bayescope.gui.pages.data.page import DataPage

pytestmark = pytest.mark.window

ANGLES = (65, 70)
MEASURED = "Wellenlänge (nm)\tPsi(65°)\tDelta(65°)\tPsi(70°)\tDelta(70°)\n" + "".join(
    f"{nm:.1f}\t{k + 65:.2f}\t{2 * k + 65:.2f}\t{k + 70:.2f}\t{2 * k + 70:.2f}\n"
    for k, nm in enumerate((405.3, 413.5, 421.6, 428.8))
)
PRINTED = "ellips 1.3\n\n" + "\n".join(
    f"# angle of incidence {angle} deg\n   lambda/um      Psi/deg    Delta/deg\n"
    + "".join(f"      {0.4 + 0.005 * k:.4f}   {angle + k + 0.5:.4f}   {angle + 2 * k + 0.5:.4f}\n" for k in range(8))
    for angle in ANGLES
)


def output(name: str, column: int, table: int | str) -> d.Output:
    region = d.Region(anchor="lambda/um      Psi/deg    Delta/deg", columns=(column,), occurrence=table)  # type: ignore[arg-type]
    return d.Output(name=name, source="res.txt", extractor=region, unit=("um", "deg", "deg")[column - 1])


@pytest.fixture
def problem() -> d.Problem:
    names = ("lambda", "Psi", "Delta")
    outputs = tuple(output(f"{name}_{angle}", c + 1, k + 1) for k, angle in enumerate(ANGLES) for c, name in enumerate(names))
    pairs = tuple(d.Match(output=f"{n}_{a}", column=f"{n}({a}°)") for a in ANGLES for n in names[1:])
    return msgspec.structs.replace(PROBLEM, outputs=outputs, meaning=d.Predictions(matches=pairs, noise=d.GaussianKnown(sd=0.1)))


@pytest.fixture
def tried(qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any]) -> DataPage:
    opened(page, tmp_path / "m.txt", MEASURED)
    click(qtbot, page.importer.use)
    trial_run(page, engines, PRINTED)
    page.tabs.setCurrentIndex(1)
    return page


def test_all_comparisons_are_paired_by_the_keys_of_their_own_tables(
    qtbot: QtBot, tried: DataPage, controller: SessionController
) -> None:
    click(qtbot, tried.message._button)
    assert [m.keys for m in matches(controller)] == [
        ((f"lambda_{angle}", "Wellenlänge (nm)"),) for angle in ANGLES for _ in range(2)
    ]
    assert {(m.key_factor, m.interpolate) for m in matches(controller)} == {(1000.0, True)}


def test_outputs_of_all_tables_are_compared_with_the_columns_of_their_own_numbers(
    tried: DataPage, controller: SessionController
) -> None:
    whole = tuple(output(name, c + 1, "all") for c, name in enumerate(("lambda", "Psi", "Delta")))
    pairs = (d.Match(output="Psi", column="Psi(70°)"), d.Match(output="Delta", column="Delta(65°)"))
    meaning = d.Predictions(matches=pairs, noise=d.GaussianKnown(sd=0.1))
    found = mismatch(msgspec.structs.replace(controller.problem.declared, outputs=whole, meaning=meaning), 0, tried.trial.report)
    assert found is not None
    assert found.by_label is not None
    assert isinstance(found.by_label.meaning, d.Predictions)
    assert [(m.output, m.column) for m in found.by_label.meaning.matches] == [
        (f"{name}_{angle}", f"{name}({angle}°)") for name in ("Psi", "Delta") for angle in ANGLES
    ]
