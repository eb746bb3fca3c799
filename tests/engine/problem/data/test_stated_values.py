"""A data sheet states values line by line: they open as columns of one row, with their standard deviations."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import DataFileError, Options, parse_with
from bayescope.engine.problem.data.tables.stated_values import stated_values, value_said

SHEET = "SX-20P/36   (maker's data sheet, rev. 4)\nPmax at STC (1000 W/m2, 25 degC): 18.0 W +- 3 %\n"


def read(text: str) -> dict[str, tuple[float | None, ...]]:
    return parse_with(text.encode(), "sheet.txt", Options(named=True)).table.columns


def test_a_value_with_a_percentage_behind_a_name_is_a_column_with_its_standard_deviation() -> None:
    assert read(SHEET) == {
        "Pmax at STC (1000 W/m2, 25 degC) (W)": (18.0,),
        "Pmax at STC (1000 W/m2, 25 degC) sd (W)": (0.54,),
    }


def test_units_decimal_commas_and_values_without_an_error_are_read_line_by_line() -> None:
    lines = ("Pmax: 18.0 W +- 3 %", "Voc = 21,6 V ± 0,2 V", "FF: 0.71", "Isc: 1.213 A ± 12 mA", "Tcell: 25 degC")
    found = read("\n".join(lines))
    assert found == {
        "Pmax (W)": (18.0,), "Pmax sd (W)": (0.54,), "Voc (V)": (21.6,), "Voc sd (V)": (0.2,), "FF": (0.71,),
        "Isc (A)": (1.213,), "Isc sd (A)": (0.012,), "Tcell (degC)": (25.0,),
    }  # fmt: skip


def test_an_expanded_uncertainty_is_divided_by_its_factor() -> None:
    assert read("Pmax: 18.0 W ± 0.6 W (k=2)\n") == {"Pmax (W)": (18.0,), "Pmax sd (W)": (0.3,)}


def test_a_table_of_names_and_numbers_is_read_as_before() -> None:
    table = parse_with(b"u: 1.5\nv: 2.5\nw: 3.5\n", "t.txt", Options(named=True)).table
    assert len(next(iter(table.columns.values()))) == 3


@pytest.mark.parametrize("text", ["Date: 2024-06-18\nTime: 11:42:07\n", "t,u (mm)\n0,1.5 ± 0.1\n1,2.5 ± 0.1\n", "a: b\nc: d\n"])
def test_dates_and_tables_state_nothing(text: str) -> None:
    assert stated_values(text) == ()


def test_a_text_that_states_nothing_is_refused_as_before() -> None:
    with pytest.raises(DataFileError, match="holds numbers"):
        read("Dear all,\nthe sheet comes tomorrow.\n")


@pytest.mark.parametrize("words", ["18.0 W ± 0.4 W (95 %)", "18.0 W ± 0.4 W at 95 % confidence", "18.0 W ± 0.4 W, 95 % CI"])
def test_an_error_at_a_level_of_coverage_is_divided_by_its_factor(words: str) -> None:
    said = value_said(words, "P")
    assert said is not None
    assert (said.value, said.sd) == (18.0, pytest.approx(0.4 / 1.96))


def test_a_percentage_of_the_value_is_no_level() -> None:
    said = value_said("18.0 W ± 5 %", "P")
    assert said is not None
    assert said.sd == pytest.approx(0.9)
