"""What is named like a place or a time and was measured: natural frequencies beside displacements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, matches, opened, trial_run, words
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names.column_names import says_sd
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.taking_part import unpaired
from bayescope.gui.pages.data.page import DataPage

FRAME = Path(__file__).parents[1] / "journeys" / "frame"
MODES = d.DataTable(columns={
    "D1 (mm)": (3.1, -0.06, None, None, None), "D1 sd (mm)": (0.04, 0.04, None, None, None),
    "modo": (None, None, 1.0, 2.0, 3.0), "frecuencia (Hz)": (None, None, 2.4, 6.7, 9.8),
    "amortiguamiento (%)": (None, None, 1.3, 0.9, 1.7),
})  # fmt: skip


def outputs() -> tuple[d.Output, ...]:
    return (
        d.Output(name="D1", source="res.txt", extractor=d.RowsAfter(marker="D1")),
        d.Output(name="FREQUENCY", source="res.txt", extractor=d.RowsAfter(marker="FREQUENCY")),
    )


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=outputs(), meaning=d.Predictions(matches=(), noise=d.GaussianKnown()))


@pytest.mark.parametrize(
    "name", ["desv_tip", "desv. est.", "Desviación típica", "écart-type", "Std.abw.", "Standardabweichung", "dev.st.", "Stabw",
             "deviazione standard", "desvio padrão", "desv.pad.", "incertitude", "T Messunsicherheit (K)", "std. afw."],
)  # fmt: skip
def test_standard_deviations_are_known_by_their_words_in_other_languages(name: str) -> None:
    assert says_sd(name)


@pytest.mark.parametrize("name", ["desvio", "Kraft", "deviation angle", "station", "desviador", "écart"])
def test_other_words_are_none(name: str) -> None:
    assert not says_sd(name)


def test_errors_behind_a_column_in_its_unit_are_its_own_though_it_is_named_like_a_place() -> None:
    names = ["modo", "frecuencia (Hz)", "desv_tip (Hz)", "amortiguamiento (%)"]
    assert sd_pairs(names) == {"frecuencia (Hz)": "desv_tip (Hz)"}
    assert sd_pairs(["desv_tip frecuencia", "frecuencia"]) == {"frecuencia": "desv_tip frecuencia"}


@pytest.mark.parametrize("name", ["frecuencia (Hz)", "Eigenfrequenz (Hz)", "fréquence propre (Hz)", "frequenza (Hz)"])
def test_an_output_and_a_column_are_named_alike_in_two_languages(name: str) -> None:
    assert names_told(["FREQUENCY"], [name, "modo", "amortiguamiento (%)"]) == {"FREQUENCY": name}


def test_neither_side_of_a_pair_that_nothing_uses_is_left_out_of_what_is_in_no_comparison() -> None:
    meaning = d.Predictions(matches=(d.Match(output="D1", column="D1 (mm)", sd_column="D1 sd (mm)"),), noise=d.GaussianKnown())
    left = unpaired(msgspec.structs.replace(PROBLEM, outputs=outputs(), data=MODES, meaning=meaning))
    assert left.outputs == ("FREQUENCY",)
    assert "frecuencia (Hz)" in left.columns


def test_a_place_beside_what_is_compared_is_still_expected_in_no_comparison() -> None:
    data = d.DataTable(columns={"depth (m)": (1.0, 2.0), "T": (3.0, 4.0)})
    made = tuple(d.Output(name=n, source="res.txt", extractor=d.LastNumber()) for n in ("depth", "T"))
    meaning = d.Predictions(matches=(d.Match(output="T", column="T"),), noise=d.GaussianKnown())
    assert unpaired(msgspec.structs.replace(PROBLEM, outputs=made, data=data, meaning=meaning)).columns == ()


def test_frequencies_of_another_language_are_proposed_with_their_errors_and_one_click_compares_them(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "d1.csv", "D1 (mm),D1 sd (mm)\n3.1,0.04\n-0.06,0.04\n")
    page.importer.use.click()
    page.open_file(FRAME / "frecuencias_ensayo.csv")
    page.importer.add.click()
    trial_run(page, engines, "D1\n3.0\nD1\n-0.05\nFREQUENCY\n2.5\nFREQUENCY\n6.6\nFREQUENCY\n9.9\n")
    assert [m.column for m in matches(controller)] == ["D1 (mm)"]
    assert "frecuencia" in page.message.words()
    assert page.status()[0] != "done"
    page.tabs.setCurrentIndex(1)
    assert "“FREQUENCY”" in page.matching.message.words()
    assert "“frecuencia (Hz)”" in page.matching.message.words()
    click(qtbot, next(b for b in page.message.findChildren(QPushButton) if words(b) == "Compare by name"))
    made = matches(controller)[1]
    assert (made.output, made.column, made.sd_column) == ("FREQUENCY", "frecuencia (Hz)", "desv_tip (Hz)")
    assert made.keys == ()


def test_they_are_compared_at_once_where_they_come_first(
    page: DataPage, controller: SessionController, engines: list[Any]
) -> None:
    page.open_file(FRAME / "frecuencias_ensayo.csv")
    page.importer.use.click()
    trial_run(page, engines, "D1\n3.0\nD1\n-0.05\nFREQUENCY\n2.5\nFREQUENCY\n6.6\nFREQUENCY\n9.9\n")
    if not matches(controller):
        assert "frecuencia" in page.message.words()
        page.message.pressed.emit()
    assert [(m.output, m.column, m.sd_column) for m in matches(controller)] == [
        ("FREQUENCY", "frecuencia (Hz)", "desv_tip (Hz)")
    ]
