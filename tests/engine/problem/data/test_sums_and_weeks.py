"""A last line of sums is no row whatever it is called; ISO weeks are dates; delimiters at line ends make no column."""

from __future__ import annotations

from datetime import date

import pytest

from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.files.data_files import Options, parse, parse_with
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.rows.text_keys import code, is_date
from bayescope.engine.problem.data.tables.special_rows import SpecialRow, special_rows

COUNTS = {"young": (1.0, 2.0, 3.0, 6.0), "old": (1.5, None, 2.0, 3.5)}


def test_a_last_line_of_the_sums_of_all_columns_is_a_summary() -> None:
    assert special_rows(["w 1", "w 2", "w 3", "Season"], COUNTS) == (SpecialRow(3, "summary", "Season"),)


def test_a_date_a_number_or_another_value_is_a_row() -> None:
    assert special_rows(["2024-W01", "2024-W02", "2024-W03", "2024-W04"], COUNTS) == ()
    assert special_rows(["w 1", "w 2", "w 3", "Season"], {**COUNTS, "old": (1.5, None, 2.0, 3.6)}) == ()
    assert special_rows(["a", "b", "c"], {"x": (1.0, 2.0, 3.0)}) == ()  # of two numbers a third may be the sum by chance


@pytest.mark.parametrize(("text", "day"), [("2023-W41", "2023-10-09"), ("2020W53", "2020-12-28"), ("2024-W01-7", "2024-01-07")])
def test_an_iso_week_is_its_monday(text: str, day: str) -> None:
    assert is_date(text)
    assert code(text) == code(day)
    year, week, _ = date.fromisoformat(day).isocalendar()
    assert text.replace("-", "").startswith(f"{year}W{week:02}")


@pytest.mark.parametrize("text", ["2023-W53", "2023-W00", "2023-W4", "W41", "2023-W41-8"])
def test_no_week_of_the_year_is_a_label(text: str) -> None:
    assert not is_date(text)


def test_delimiters_at_the_end_of_some_lines_make_no_column() -> None:
    table = parse(b"Sera;;;;;\nClass;Tested;Infected (%);;;\nyoung;212;67.0;;\nold;410;25.6;\n", "x.csv").table
    assert table.columns == {"Tested": (212.0, 410.0), "Infected (%)": (67.0, 25.6)}
    assert table.texts == {"Class": ("young", "old")}


def test_a_small_s_before_the_name_of_a_quantity_says_its_errors() -> None:
    assert sd_pairs(["Qz (1/nm)", "R", "sR", "sQz"]) == {"Qz (1/nm)": "sQz", "R": "sR"}
    assert sd_pairs(["alt", "salt"]) == {}
    both = ["R", "sR", "R (b.ort)", "sR (b.ort)"]
    assert sd_pairs(both) == {"R": "sR", "R (b.ort)": "sR (b.ort)"}


def test_outputs_and_columns_of_one_class_find_each_other() -> None:
    columns = ["Tested", "0\u20134 y", "18\u201364 y", "65+ y"]
    found = names_told(["cases_0_4", "cases_18_64", "cases_65", "run_3"], columns)
    assert found == {"cases_0_4": columns[1], "cases_18_64": columns[2], "cases_65": columns[3]}


def test_columns_that_are_called_alike_in_several_files_are_told_by_their_files() -> None:
    columns = ["R", "R (cell3_H2O.ort)"]
    assert names_told(["R_D2O", "R_H2O"], columns) == {"R_D2O": "R", "R_H2O": "R (cell3_H2O.ort)"}
    assert names_told(["R_a", "R_b"], columns) == {}


@pytest.mark.parametrize(
    "rows",
    [
        "n_0,0.0,NA\nn_0,0.0,NA\nn_0,1.0,NA\nn_0,1.0,NA\n",  # its label is another row's too
        "north,0,0\neast,0,3\nsouth,2,0\nwest,2,3\n",  # one count and zeros above
    ],
)
def test_a_last_row_that_equals_the_only_number_above_it_is_a_measurement(rows: str) -> None:
    found = parse_with(("node,a,b\n" + rows).encode(), "t", Options()).table
    assert len(found.texts["node"]) == 4
