"""The place column of a program's table is the key of what stands beside it, in whatever unit, and no prediction."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, matches, opened, trial_run
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.keys.possible_keys import able_columns
from bayescope.gui.pages.data.page import DataPage


def height(angstrom: float) -> float:
    return 1.0 + math.sin(3.0 * angstrom) / angstrom


def column(name: str, k: int, unit: str = "") -> d.Output:
    return d.Output(name=name, source="res.txt", extractor=d.CsvColumn(column=k, delimiter=" "), unit=unit)


PRINTED = "".join(f"{2.525 + 0.05 * k:.3f} {height(2.525 + 0.05 * k):.5f}\n" for k in range(100))
# measured beside a flag, below rows of another file that have a label, and a height there too
MEASURED = "State,r_nm,height,note\n" + "".join(
    f",{0.27 + 0.02 * k:.3f},{height(2.7 + 0.2 * k) + 0.003:.4f},\n" for k in range(23)
)


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("pair_r", 0, "A"), column("pair_height", 1)))


def test_a_rising_place_beside_what_is_compared_pairs_its_rows_in_its_unit_by_one_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, PRINTED)
    opened(page, tmp_path / "gr.csv", MEASURED)
    page.importer.use.click()
    assert "r_nm" not in page.message.words()
    click(qtbot, page.message._button)
    assert [(m.output, m.column) for m in matches(controller)] == [("pair_height", "height")]
    if not matches(controller)[0].keys:
        assert page.message.words().startswith("The program gave 100 values of “pair_height”, but 23 were measured.")
        click(qtbot, page.message._button)
    (match,) = matches(controller)
    assert (match.keys, match.key_factor, match.interpolate) == ((("pair_r", "r_nm"),), 0.1, True)


def test_columns_without_an_entry_in_the_measured_rows_pair_none_of_them() -> None:
    data = d.DataTable(
        columns={"p": (5.0, 3.0, 4.0, None, None, None), "r": (None, None, None, 1.0, 2.0, 3.0),
                 "g": (None, None, None, 1.5, 0.5, 2.5)},
        texts={"State": ("A", "B", "C", None, None, None)},
    )  # fmt: skip
    meaning = d.Predictions(matches=(d.Match(output="u", column="g"),), noise=d.GaussianKnown(sd=0.1))
    problem = msgspec.structs.replace(PROBLEM, data=data, meaning=meaning)
    assert able_columns(problem, "g") == ["r"]
    assert able_columns(problem, "p") == ["State"]
