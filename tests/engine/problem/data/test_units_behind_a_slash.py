"""Headings of quantities divided by their unit (time / min), and sheets whose columns bear the same names."""

from __future__ import annotations

import io

import openpyxl
import pytest

from bayescope.engine.problem.data.files.data_files import ALL_PARTS, Options, parse_with
from bayescope.engine.problem.data.names.column_names import says_where, unit_in, without_unit
from bayescope.engine.problem.data.names.titled_names import with_title
from bayescope.engine.problem.data.tables.table_lines import Told


@pytest.mark.parametrize(
    ("name", "bare", "unit"),
    [
        ("time / min", "time", "min"), ("[A] / mol/L", "[A]", "mol/L"), ("wl/nm", "wl", "nm"), ("km/h", "km/h", ""),
        ("signal/noise", "signal/noise", ""), ("m/s", "m/s", ""), ("speed [km/h]", "speed", "km/h"), ("T / K", "T", "K"),
        ("time (318 K) / min", "time (318 K)", "min"), ("-Im(Z)/mOhm", "-Im(Z)", "mOhm"), ("Zreal (ohm.cm2)", "Zreal", "ohm.cm2"),
        ("R (cell3.ort)", "R", ""), ("PSI/rad", "PSI", "rad"), ("psi/ft", "psi/ft", ""), ("F_fN", "F_fN", "fN"),
        ("FAA/mGal", "FAA", "mGal"), ("FAA [mGal]", "FAA", "mGal"), ("B/nT", "B", "nT"),
    ],
)  # fmt: skip
def test_a_unit_behind_a_slash_is_a_unit_and_a_quotient_is_none(name: str, bare: str, unit: str) -> None:
    assert (without_unit(name), unit_in(name)) == (bare, unit)


def test_times_and_places_are_known_with_their_unit_behind_a_slash() -> None:
    assert says_where("time / min")
    assert not says_where("[A] / mol/L")


def test_a_title_goes_before_the_unit_behind_a_slash() -> None:
    assert with_title("[A] / mol/L", "318 K") == "[A] (318 K) / mol/L"
    assert with_title("T [K]", "wet") == "T [K] (wet)"


def workbook() -> bytes:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for title, rows in {
        "298 K": [(0, 0.08, 0.0, None), (5, 0.07, 0.01, "x"), (10, 0.06, 0.02, None), (15, None, 0.03, None)],
        "318 K": [(0, 0.08, 0.0, None), (5, 0.05, 0.03, None), (10, 0.03, 0.05, None), (15, 0.02, 0.06, None)],
    }.items():
        sheet = made.create_sheet(title)
        for row in [("time / min", "[A] / mol/L", "[C] / mol/L", "outlier?"), *rows]:
            sheet.append(row)
    content = io.BytesIO()
    made.save(content)
    return content.getvalue()


def test_columns_of_one_name_on_several_sheets_all_get_the_title_of_theirs_and_the_time_is_shared() -> None:
    found = parse_with(workbook(), "vial.xlsx", Options(part=ALL_PARTS))
    assert list(found.table.columns) == [
        "time / min", "[A] (298 K) / mol/L", "[C] (298 K) / mol/L", "[A] (318 K) / mol/L", "[C] (318 K) / mol/L",
    ]  # fmt: skip
    assert found.table.columns["time / min"] == (0.0, 5.0, 10.0, 15.0) * 2


def test_a_line_taken_out_of_one_sheet_stays_in_the_other() -> None:
    line = parse_with(workbook(), "vial.xlsx", Options(part=0)).preview.lines[1]
    found = parse_with(workbook(), "vial.xlsx", Options(part=ALL_PARTS, told=Told(out=(line,), part=0)))
    assert found.table.columns["time / min"] == (0.0, 10.0, 15.0, 0.0, 5.0, 10.0, 15.0)
    assert [one.line for one in found.preview.said] == [line]


def test_what_is_true_of_one_sheet_is_said_of_it_alone() -> None:
    shown = parse_with(workbook(), "vial.xlsx", Options(part=ALL_PARTS)).preview
    assert "“318 K”: Column “outlier?” has no values and is left out." in shown.notes
    assert shown.missing == "“298 K”: 1 cell missing"
