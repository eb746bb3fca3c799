"""Exports of instruments: many lines about the instrument stand above the table, and a mark ends it."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import DataFileError, Options, parse_with

NAMES, UNITS = ("No.", "V1", "I1"), ("", "(V)", "(mA)")
ROWS = [("1", "1.23", "1219.3"), ("2", "3.37", "1201.8"), ("3", "4.46", "1196.0"), ("4", "5.72", "1188.0"), ("5", "6.68", "")]


def _about(count: int) -> list[str]:
    kinds = ("Operator: H. Krause", "Range V: 60 V", "Sensor: cell RC-2, 45.3 mV/(kW/m2)", "Sweeps: 3", "Time: 11:42; n = 22")
    return [f"{kinds[k % len(kinds)]}" for k in range(count)]


def _export(above: list[str], mark: str = "\t", padded: bool = False, end: str = "[End]") -> bytes:
    widths = [max(len(row[i]) for row in (NAMES, UNITS, *ROWS)) for i in range(3)] if padded else [0, 0, 0]
    table = [mark.join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in (NAMES, UNITS, *ROWS)]
    return "\r\n".join([*above, "[Data]", *table, *([end] if end else [])]).encode()


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("mark", ["\t", ";", ","])
@pytest.mark.parametrize("count", [8, 20, 21, 45, 400])
def test_however_many_lines_stand_above_the_heading_it_is_found(count: int, mark: str, padded: bool) -> None:
    found = parse_with(_export(_about(count), mark, padded), "export.txt", Options(named=True))
    assert list(found.table.columns) == ["No.", "V1 (V)", "I1 (mA)"]
    assert found.table.columns["V1 (V)"] == (1.23, 3.37, 4.46, 5.72, 6.68)
    assert found.table.columns["I1 (mA)"][:2] == (1219.3, 1201.8)


def test_without_a_mark_of_the_end_it_is_found_too() -> None:
    found = parse_with(_export(_about(30), end=""), "export.txt", Options(named=True))
    assert list(found.table.columns) == ["No.", "V1 (V)", "I1 (mA)"]


def test_the_last_line_above_is_told_as_a_title() -> None:
    found = parse_with(_export(_about(30)), "export.txt", Options(named=True))
    assert any("Lines 1 to 31 above the table" in note for note in found.preview.notes)


def test_lines_above_that_are_cut_into_two_cells_are_no_table() -> None:
    above = ["Operator\tH. Krause", "Gain\t12", "Range\t60", "Sweeps\t3"] * 8
    found = parse_with(_export(above), "export.txt", Options(named=True))
    assert list(found.table.columns) == ["No.", "V1 (V)", "I1 (mA)"]
    assert len(found.table.columns["No."]) == 5


def test_white_space_parts_the_cells_below_a_long_header() -> None:
    lines = [*_about(30), "  t      x       y", *[f"  {k}.0   {2 * k}.5   {3 * k}.25" for k in range(1, 12)]]
    found = parse_with("\n".join(lines).encode(), "export.txt", Options(named=True))
    assert list(found.table.columns) == ["t", "x", "y"]
    assert len(found.table.columns["t"]) == 11


def test_a_row_that_lacks_a_cell_is_still_an_error() -> None:
    lines = ["a\tb\tc", *["1\t2\t3"] * 5, "4\t5", *["1\t2\t3"] * 9]
    with pytest.raises(DataFileError, match="Line 7"):
        parse_with("\n".join(lines).encode(), "rows.txt", Options(named=True))


def test_a_row_that_lacks_a_cell_is_still_an_error_where_the_table_has_no_heading() -> None:
    lines = [*["1\t2\t3"] * 5, "4\t5", *["1\t2\t3"] * 9]
    with pytest.raises(DataFileError, match="Line 6"):
        parse_with("\n".join(lines).encode(), "rows.txt", Options(named=True))
