"""Heads of files in words: units, codes for missing values, half widths of ranges; none of them is a table."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.errors.interval_headings import interval_part
from bayescope.engine.problem.data.files.data_files import Options, parse_with, tables_in
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.tables.measured_cells import marks_in
from bayescope.engine.problem.data.tables.stated_missing import stated_missing
from bayescope.engine.problem.data.units.stated_units import stated_units, unit_of_all
from bayescope.engine.problem.data.units.unit_scales import times

HEAD = """HEAT CONTENT, full depth, three-pentad product            issued 2022-02-14
unit: 1.0E22 J          reference: mean of 2005-2014 = 0
missing: -99.99         flag: 0 good, 4 withdrawn (XBT batch)
"""
ROWS = """date            OHC      sigma   flag
01.07.1960    -26.31     1.30     0
01.07.1961    -99.99     1.30     0
01.07.1962    -24.75     1.30     4
01.07.1963    -14.45     1.30     0
"""
READ = Options(named=True, missing=None)


@pytest.mark.parametrize("between", ["\n", ""])
def test_a_paragraph_of_statements_is_no_table(between: str) -> None:
    data = f"{HEAD}{between}{ROWS}".encode()
    assert len(tables_in(data, "ohc.txt")) == 1
    found = parse_with(data, "ohc.txt", READ)
    assert found.preview.row_count == 4
    assert next(iter(found.table.columns)) == "OHC [1.0E22 J]"
    assert found.table.columns["OHC [1.0E22 J]"] == (-26.31, None, -24.75, -14.45)
    said = " ".join(found.preview.notes)
    assert "-99.99 stands for missing values, as the file says, and is taken for that: 1 cell is missing." in said


def test_what_the_file_says_to_be_missing_can_be_taken_as_measured() -> None:
    found = parse_with(f"{HEAD}\n{ROWS}".encode(), "ohc.txt", Options(named=True, missing=()))
    assert -99.99 in found.table.columns["OHC [1.0E22 J]"]
    assert found.preview.marks == (-99.99,)


def test_two_tables_with_words_above_each_stay_two() -> None:
    text = "width of beam: 3 mm\n\nx y\n1 2\n2 3\n3 4\n\nload case 2\n\nx z\n1 5\n2 6\n3 8\n"
    assert len(tables_in(text.encode(), "two.txt")) == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("missing: -99.99   flag: 0 good", (-99.99,)),
        ("# missing value = -999", (-999.0,)),
        ("fill value: 1e20", (1e20,)),
        ("n/a code 9999", (9999.0,)),
        ("-999 = missing", (-999.0,)),
        ("Missing values are coded as -9.", (-9.0,)),
        ("year 1973 is missing (-99.99)", (-99.99,)),
        ("_FillValue = -9999.f", (-9999.0,)),
        ("missing values: 3", ()),
        ("missing data 3 of 12 rows", ()),
        ("2001 missing -3.2", ()),
        ("station 12 is missing", ()),
        ("12 = missing heater", ()),
    ],
)
def test_codes_for_missing_values_are_told_from_how_many_are_missing(line: str, said: tuple[float, ...]) -> None:
    assert stated_missing(line) == said


def test_a_lonely_code_far_from_all_others_is_one_without_words() -> None:
    assert marks_in((-26.31, -99.99, -14.45)) == (-99.99,)
    assert marks_in((-80.0, -99.99, -90.5)) == ()


@pytest.mark.parametrize(
    ("lines", "columns", "found"),
    [
        (["unit: 1.0E22 J   reference: 0"], ("OHC", "sigma"), ("OHC", "1.0E22 J")),
        (["units: 10^22 J"], ("OHC",), ("OHC", "10^22 J")),
        (["units of OHC: ZJ"], ("OHC", "T"), ("OHC", "ZJ")),
        (["units: mm"], ("u", "v"), None),  # of which?
        (["time unit: s"], ("OHC",), None),
        (["units: mm"], ("u (cm)",), None),
        (["unit: test rig 3"], ("u",), None),
    ],
)
def test_a_unit_above_the_table_is_of_the_one_quantity_without_one(
    lines: list[str], columns: tuple[str, ...], found: tuple[str, str] | None
) -> None:
    assert stated_units(lines, dict.fromkeys(columns, (1.0, 2.0))) == (() if found is None else (found,))


@pytest.mark.parametrize(
    ("lines", "columns", "called"),
    [
        (["# ALL lengths in this file in micrometre (travel too)"], ("travel", "LA", "U(LA)", "P"), {"travel", "LA", "P"}),
        (["gauge pressure at hydrant, bar; corrected to junction level"], ("L1 (J-05)", "L2 (J-12)"), {"L1 (J-05)", "L2 (J-12)"}),
        (["pressure in bar", "flow in L/s"], ("a", "b"), set()),  # which is which?
        (["pressure in bar"], ("time", "p", "Q (L/s)"), set()),
        (["pressure in bar"], ("time", "p1", "p2"), {"p1", "p2"}),
        (["Temperature 23 +- 1 degC"], ("LA", "P"), set()),
        (["pressure loggers, Tue 2026-06-16"], ("LA", "P"), set()),
        (["flow meter in chamber (m)"], ("LA", "P"), set()),
    ],
)  # fmt: skip
def test_a_unit_of_a_quantity_above_the_table_is_of_all_columns_without_one(
    lines: list[str], columns: tuple[str, ...], called: set[str]
) -> None:
    assert {c for c, _ in stated_units(lines, dict.fromkeys(columns, (1.0, 2.0)))} == called


def test_units_written_out_become_their_signs() -> None:
    assert unit_of_all(["all lengths in micrometres."]) == ("lengths", "µm", True)
    assert unit_of_all(["# flow in L/s"]) == ("flow", "L/s", False)
    assert unit_of_all(["gauge pressure at hydrant, bar; corrected"]) == ("pressure", "bar", False)


@pytest.mark.parametrize("unit", ["1.0E22 J", "1e22 J", "10^22 J", "10²² J"])
def test_powers_of_ten_of_a_unit_have_their_factor(unit: str) -> None:
    assert times("ZJ", unit) == pytest.approx(0.1)
    assert unit_in(f"OHC [{unit}]") == unit
    assert times("pJ", "PJ") == pytest.approx(1e-27)


@pytest.mark.parametrize(
    "heading", ["half-width 95% (deg C)", "half-width of the 95 % interval", "95 % half-width", "half width (95 %)"]
)
def test_half_widths_of_a_level_are_divided_by_its_factor(heading: str) -> None:
    part = interval_part(heading)
    assert part is not None
    assert part[2:] == (1.96, True)
    found = parse_with(f"Year,T (K),{heading}\n1,2.0,0.98\n2,3.0,0.49\n3,4.0,0.49\n".encode(), "t.csv", READ)
    assert list(found.table.columns.values())[2] == pytest.approx((0.5, 0.25, 0.25))
    assert any("divided by 1.96" in note for note in found.preview.notes)


def test_a_comment_says_the_same_of_a_column_called_just_error() -> None:
    text = "# error: half-width of the 95 % range\nYear,T (K),error\n1,2.0,0.98\n2,3.0,0.49\n3,4.0,0.49\n"
    found = parse_with(text.encode(), "t.csv", READ)
    assert list(found.table.columns.values())[2] == pytest.approx((0.5, 0.25, 0.25))
