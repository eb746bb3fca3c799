"""Columns of numbers or letters that say whether rows are good hold no measured values; remarks name no quantities."""

from __future__ import annotations

import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.files import data_files
from bayescope.engine.problem.data.files.data_files import DataFile, Options
from bayescope.engine.problem.data.tables import long_form, naming_pairs
from bayescope.engine.problem.data.tables.naming_column import naming_column
from bayescope.engine.problem.data.tables.quality_flags import all_flags, flags_as_numbers, flags_in, value_flagged

LEVELS = (1.5, 2.5, 3.5, 4.5, 5.5, 5.7)


def read(heading: str, last: str, **options: object) -> DataFile:
    rows = (f"{t},{c},{cell}" for t, (c, cell) in enumerate(zip(LEVELS, last.split(","), strict=True)))
    return data_files.parse_with("\n".join([heading, *rows, ""]).encode(), "x.csv", Options(named=True, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "cells", "bad"),
    [
        ("flag", "0,0,1,0,0,0", {"1": (3,)}),
        ("qc_c", "1,1,4,1,1,9", {"4": (3,), "9": (6,)}),
        ("c_qc", "1,1,4,1,1,4", {"4": (3, 6)}),
        ("quality code", "200,200,151,200,200,200", {"151": (3,)}),
        ("code", "0,0,0,0,2,0", {"2": (5,)}),
        ("quality", "1,1,1,1,3,1", {"3": (5,)}),
        ("flag", "A,A,P,A,E,A", {"P": (3,), "E": (5,)}),
        ("c_cd", "A,A,P,A,A:e,A", {"P": (3,), "A:e": (5,)}),
    ],
)
def test_a_column_of_flags_is_no_measurement_and_tells_rows(name: str, cells: str, bad: dict[str, tuple[int, ...]]) -> None:
    found = read(f"t,c,{name}", cells)
    assert list(found.table.columns) == ["t", "c"]
    assert long_form.value_columns(found.table) == ["c"]
    assert (long_form.offered(found.table), long_form.label_columns(found.table), naming_column(found.table)) == ([], [], "")
    flags = flags_in(found.table)
    assert flags is not None
    assert (flags.column, flags.bad) == (name, bad)
    assert f"Column “{name}” says of each row whether it is good." in found.preview.notes


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("quality", "5,6,5,7,6,4"),  # of a wine: no grade is what most have
        ("code", "1,1,2,2,3,3"),
        ("station code", "1,1,1,1,2,1"),
        ("flag", "0.5,0.2,1.5,0.1,0.3,0.4"),
        ("count", "0,0,1,0,0,0"),
        ("status", "12,15,17,22,31,40"),
    ],
)
def test_other_whole_numbers_stay_measured(name: str, cells: str) -> None:
    assert name in read(f"t,c,{name}", cells).table.columns


def test_a_flag_is_measured_where_an_output_is_called_so_or_nothing_else_is() -> None:
    assert "flag" in read("t,c,flag", "0,0,1,0,0,0", outputs=("Flag",)).table.columns
    assert "flag" in data_files.parse_with(b"t,flag\n0,0\n1,1\n2,0\n3,0\n", "x.csv", Options(named=True)).table.columns


def test_flags_that_are_numbers_can_be_taken_as_numbers() -> None:
    table = read("t,c,flag", "0,0,1,0,0,0").table
    assert flags_as_numbers(table, "flag") == (0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    assert flags_as_numbers(read("t,c,flag", "A,A,P,A,E,A").table, "flag") is None


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("remark", ",rain,,,rain,sensor cleaned"),
        ("field notes", "rain,rain,calm,calm,rain,calm"),  # few texts that come again, and still remarks
        ("Bemerkung", "Regen,,Regen,,,Regen"),
        ("seen", "rain,,rain,,,"),  # mostly empty
        ("seen", "a,b,c,d,e,e"),  # mostly distinct
    ],
)
def test_remarks_are_never_what_a_table_is_split_by(name: str, cells: str) -> None:
    table = read(f"t,c,{name}", cells).table
    assert long_form.offered(table) == []
    assert naming_column(table) == ""


def test_a_column_that_names_quantities_is_still_offered() -> None:
    table = d.DataTable(columns={"value": LEVELS}, texts={"quantity": ("p", "p", "q", "q", "p", "q")})
    assert long_form.offered(table) == ["quantity"]


def test_every_column_of_flags_tells_rows() -> None:
    texts = {"T_flag": ("0", "0", "1", "0", "0", "0"), "p_flag": ("A", "A", "A", "A", "A", "P")}
    found = all_flags(d.DataTable(columns={"T": LEVELS}, texts=texts))
    assert [(one.column, one.bad) for one in found] == [("T_flag", {"1": (3,)}), ("p_flag", {"P": (6,)})]


@pytest.mark.parametrize("codes", [("1", "0", "0", "0"), ("P", "A", "A", "A"), ("4", "1", "1", "1"), ("bad", "ok", "ok", "ok")])
def test_rows_of_another_file_below_have_no_flags(codes: tuple[str, ...]) -> None:
    gone = (None, None, None)
    columns = {"wl (nm)": (1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0), "Psi": (5.0, 6.0, 7.0, 8.0, *gone)}
    other = {"R": (*gone, None, 0.1, 0.2, 0.3)}
    for measured in ({**columns, **other}, {**columns, **other, "Psi 70": (None,) * 7}):
        found = all_flags(d.DataTable(columns=measured, texts={"Flag": (*codes, *gone)}))
        assert [one.bad for one in found] == [{codes[0]: (1,)}], "blank cells there are no good rows beside flagged ones"


def test_rows_of_another_file_above_have_no_flags() -> None:
    columns = {"R": (0.1, 0.2, 0.3, None, None, None, None, None), "Psi": (None, None, None, 5.0, 6.0, 7.0, 8.0, 9.0)}
    found = flags_in(d.DataTable(columns=columns, texts={"Flag": (None, None, None, "0", "0", "3", "0", "0")}))
    assert found is not None
    assert found.bad == {"3": (6,)}


def test_a_row_without_a_flag_is_good_where_the_others_of_its_table_are_flagged() -> None:
    columns = {"R": (None, None, None, None, None, 0.1), "Psi": (5.0, 6.0, 7.0, 8.0, 9.0, None)}
    found = flags_in(d.DataTable(columns=columns, texts={"Flag": (None, "B", None, "C", None, None)}))
    assert found is not None
    assert found.bad == {"B": (2,), "C": (4,)}


def test_remarks_on_some_rows_that_hold_names_of_outputs_are_no_names_of_quantities() -> None:
    remarks = (None, "* Na: contaminated vial", None, "bottle broken", None, None)
    for name in ("Remark", "seen"):
        table = d.DataTable(columns={"mL": LEVELS, "Na": LEVELS}, texts={name: remarks})
        assert naming_pairs.proposed(table, ("Na_mmol", "K_mmol")) == ""
    few = ("Na", "K", "Na", "K", "Na", None)
    assert naming_pairs.proposed(d.DataTable(columns={"value": LEVELS}, texts={"of": few}), ("Na_mmol", "K_mmol")) == "of"


def test_a_flag_that_names_a_column_is_of_its_value_alone() -> None:
    lines = ["no\tDIC\tTA\tflag", *(f"{k}\t{2000 + k}\t{2280 + k}\t{'TA 4' if k == 3 else 2}" for k in range(1, 8))]
    table = data_files.parse_with("\n".join(lines).encode(), "b.tsv", Options()).table
    assert table.texts["flag"] == ("2", "2", "TA 4", "2", "2", "2", "2")
    flags = flags_in(table)
    assert flags is not None
    assert flags.bad == {"TA 4": (3,)}
    assert value_flagged("TA 4", table.columns) == ["TA"]
    assert not any(value_flagged(text, table.columns) for text in ("4", "spike 4", "TA"))
