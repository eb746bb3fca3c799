"""A table with one value of another quantity in each row, and six single numbers that a program prints."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from data_pages import imported, matches
from PySide6.QtWidgets import QPushButton

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.name_words import names_by_words
from bayescope.engine.problem.data.tables.naming_column import naming_column, split_with_units
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.taking_part import idle
from bayescope.gui.pages.data.page import DataPage

MEASURED = """\
Quantity,Measured,Std. uncertainty,Unit
Rotational constant A,10.17,0.15,cm-1
Rotational constant B,0.8850,0.006,cm-1
Rotational constant C,0.8539,0.006,cm-1
Dipole moment,1.54,0.06,D
Ionization potential,10.89,0.15,eV
Highest OH stretch,2877,60.0,cm-1
"""
NAMES = ("DIPOLE", "POTENTIAL", "A", "B", "C", "FREQUENCY")
PAIRED = {
    "DIPOLE": "Dipole moment [D]", "POTENTIAL": "Ionization potential [eV]", "A": "Rotational constant A [cm-1]",
    "B": "Rotational constant B [cm-1]", "C": "Rotational constant C [cm-1]",
}  # fmt: skip


@pytest.fixture
def problem() -> d.Problem:
    return d.Problem(
        name="H2O2",
        parameters=(d.Parameter(name="r", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "-c", "echo @r@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LabelledNumber(label=f"{n} ="), length=1) for n in NAMES),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
    )


@pytest.fixture
def size() -> tuple[int, int]:
    return 1280, 800


def main_button(page: DataPage) -> QPushButton:
    return page.message.findChildren(QPushButton)[0]


def taken_whole(page: DataPage, folder: Path) -> None:
    """The table as it is, not split, and its values compared with the first output."""
    (folder / "measured.csv").write_text(MEASURED)
    page.open_file(folder / "measured.csv")
    page.importer.split.choose("")
    page.importer.accept()
    page.matching.add_button.click()
    page.matching.form.editor("column").choose("Measured")  # type: ignore[attr-defined]


def test_a_table_whose_texts_hold_names_of_outputs_is_split_by_itself_with_its_units(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, MEASURED)
    data = controller.problem.declared.data
    assert data is not None
    assert set(PAIRED.values()) < set(data.columns)
    assert data.columns["Dipole moment sd"] == (None, None, None, 0.06, None, None)
    assert list(data.texts) == ["Quantity"], "rows are labelled by their quantity; its unit stands in the names"
    assert "named alike" in page.message.words()
    main_button(page).click()
    assert {m.output: m.column for m in matches(controller)} == PAIRED
    assert matches(controller)[0].sd_column == "Dipole moment sd"


def test_comparing_by_name_goes_by_words_that_fit_one_column_only(page: DataPage) -> None:
    columns = [name.split(" [")[0] for name in PAIRED.values()]
    assert names_by_words(NAMES, [*columns, "Highest OH stretch"]) == {o: c.split(" [")[0] for o, c in PAIRED.items()}
    assert names_by_words(["flow"], ["inner flow", "outer flow"]) == {}
    assert names_by_words(["A"], ["mass of a ball"]) == {}


def test_an_output_called_frequency_is_named_among_those_in_no_comparison(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, MEASURED)
    main_button(page).click()
    assert idle(controller.problem.declared).outputs == ("FREQUENCY",)
    status, words = page.status()
    assert (status, words) == ("todo", "Which column does FREQUENCY predict?")
    page.matching.match("FREQUENCY")
    assert matches(controller)[-1].column == "Highest OH stretch [cm-1]", "the only one that is left"


def test_one_output_against_all_rows_is_mended_by_one_button_that_splits_the_table(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    taken_whole(page, tmp_path)
    assert "has 1 value" in page.message.words()
    assert main_button(page).text() == "&Split the table by “Quantity”"
    main_button(page).click()
    assert {m.output: m.column for m in matches(controller)} == PAIRED
    assert not controller.problem.findings("meaning.matches", "error")


def test_a_comparison_whose_column_a_new_table_lacks_is_mended_by_its_name(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    taken_whole(page, tmp_path)
    imported(page, tmp_path, f"{MEASURED}\n")  # another file: what was said of the first is not said of it
    assert {m.output: m.column for m in matches(controller)} == {"DIPOLE": "Dipole moment [D]"}
    assert not controller.problem.findings("meaning.matches", "error")
    imported(page, tmp_path, "other\n1\n2\n")
    assert [m.column for m in matches(controller)] == [""]
    assert "Which column holds the measured values of DIPOLE?" in page.message.words()


@pytest.mark.parametrize(
    ("texts", "by"),
    [
        ({"Time": ("00:00", "00:00", "00:30", "00:30"), "Probe": ("P1", "P2", "P1", "P2")}, "Probe"),
        ({"Time": ("0:00:00", "0:30:00", "1:00:00", "1:30:00"), "Probe": ("P1", "P2", "P1", "P2")}, "Probe"),
        ({"Quantity": ("q", "r", "s", "t"), "Unit": ("K", "K", "m", "m")}, "Quantity"),
        ({"Unit": ("K", "K", "m", "m"), "What was seen": ("q", "r", "s", "t")}, "What was seen"),
        ({"Remark": ("good", "bad", "so so", "fine")}, ""),
    ],
)
def test_the_column_that_names_quantities_is_neither_of_units_nor_of_times(texts: dict[str, tuple[str, ...]], by: str) -> None:
    table = d.DataTable(columns={"value": (1.0, 2.0, 3.0, 4.0)}, texts=texts)
    assert naming_column(table) == by
    if by:
        assert len(split_with_units(table, by).columns) == len(set(texts[by]))
    assert msgspec.structs.asdict(table)["texts"] == texts


def test_a_comparison_whose_only_row_is_left_out_does_not_count_and_locks_nothing(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, MEASURED)
    main_button(page).click()
    left = tuple(msgspec.structs.replace(m, left_out=(5,)) if m.output == "POTENTIAL" else m for m in matches(controller))
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, matches=left))
    assert not controller.problem.findings("meaning", "error")
    (found,) = controller.problem.findings("meaning", "warning")
    assert found.message == "“Ionization potential [eV]” does not count: its only measured row is left out."
    alone = msgspec.structs.replace(meaning, matches=tuple(m for m in left if m.output == "POTENTIAL"))
    controller.problem.edit("x", meaning=alone)
    assert "has no values" in controller.problem.findings("meaning", "error")[0].message


def test_no_smooth_curve_is_offered_for_a_single_number(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, MEASURED)
    main_button(page).click()
    page.tabs.setCurrentIndex(2)
    assert not page.off_card.isVisible()


def test_rows_of_a_split_table_are_labelled_and_columns_are_told_apart(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, MEASURED)
    main_button(page).click()
    width = page.table.fontMetrics().horizontalAdvance("Rotational constant A")
    assert page.table.columnWidth(0) > width, "the label stands whole"
    names = [page.plot._which.itemText(i) for i in range(page.plot._which.count())]
    assert sorted(names) == sorted(PAIRED.values())
