"""A field book with a table per well, one under the other, each below the well and a remark in brackets."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import ALL_PARTS, parse, parse_with, tables_in
from bayescope.engine.problem.data.files.read_options import Options
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.tables.together import together
from bayescope.engine.problem.definition import DataTable

ABOVE = (
    "PUMPING TEST DE ZANDEN  P1   900 m3/d   start 09:00, pump off after 36 h (2160 min)\n"
    "drawdown with respect to rest level, positive = lower; corrected for trend\n"
)
PB1 = """
PB1  (dip meter, by hand)
   min      drawdown [cm]
     2       24.2
     5       35.1
   100       65.2
   200          -   lunch
   500       74.9
  2165       41.1
"""
PB2 = """
PB2  (diver)
   min      drawdown [cm]
     5        6.2
    50       26.1
  1000       54.1   diver lifted for download?
  2180       25.7
"""
PB3 = """
PB3  (diver, phreatic filter)
   min      drawdown [mm]
   200        2.5
   500        3.9
  2800       14.6
  3500       13.5
"""
BOOK = f"{ABOVE}{PB1}{PB2}{PB3}".encode()


def test_a_title_with_a_remark_set_apart_is_no_row_of_groups_above_names_with_units_of_their_own() -> None:
    found = parse_with(BOOK, "book.txt", Options(part=2, named=True))
    assert list(found.table.columns) == ["min", "drawdown [mm]"]
    assert unit_in("drawdown [mm]") == "mm"
    assert "Line 20 above the table: taken for a title." in found.preview.notes


@pytest.mark.parametrize("mark", ["\t", ";"])
def test_such_a_title_is_one_between_other_marks_too(mark: str) -> None:
    text = f"PB3{mark}(diver)\nmin{mark}drawdown [mm]\n200{mark}2.5\n500{mark}3.9\n900{mark}4.1\n"
    assert list(parse(text.encode(), "book.csv").table.columns) == ["min", "drawdown [mm]"]


def test_names_with_units_below_groups_keep_their_units() -> None:
    found = parse(b"Inlet\tOutlet\nT [K]\tp [bar]\n300\t2.5\n310\t2.9\n320\t3.1\n", "m.tsv")
    assert list(found.table.columns) == ["Inlet T [K]", "Outlet p [bar]"]


def test_units_in_brackets_below_names_are_no_remark_behind_a_title() -> None:
    found = parse(b"time\tdepth\n(s)\t(m)\n1\t2.5\n2\t2.9\n3\t3.1\n", "m.tsv")
    assert list(found.table.columns) == ["time (s)", "depth (m)"]


def test_the_line_right_above_a_table_names_it_rather_than_what_the_file_begins_with() -> None:
    titles = [title for _, title in tables_in(BOOK, "book.txt")]
    assert titles == ["PB1 (dip meter, by hand)", "PB2 (diver)", "PB3 (diver, phreatic filter)"]


def test_tables_whose_titles_are_cut_as_their_rows_are_none_of_them_titles_of_the_last_one() -> None:
    rows = "  0   3.0\n  5   7.5\n  20   9.0\n"
    text = "Field book\n" + "".join(f"\n{well}  (by hand)\n  min   drawdown [cm]\n{rows}" for well in ("PB1", "PB2"))
    assert [title for _, title in tables_in(text.encode(), "book.txt")] == ["PB1 (by hand)", "PB2 (by hand)"]


def test_names_above_their_units_are_no_title_of_a_table_that_has_one() -> None:
    table = "time  conc. of A\n[s]  [mM]\n1  2.5\n2  2.9\n3  3.1\n"
    titles = [
        title for _, title in tables_in(f"Run one of two\n\n{table}\nRun two of two\n\n{table}".encode(), "m.txt")
    ]
    assert titles == ["Run one of two", "Run two of two"]


def test_the_first_columns_of_tables_taken_together_become_one_and_measured_ones_are_named_by_their_titles() -> None:
    table = parse_with(BOOK, "book.txt", Options(part=ALL_PARTS, named=True)).table
    assert list(table.columns) == ["min", "drawdown [cm] (PB1)", "drawdown [cm] (PB2)", "drawdown [mm] (PB3)"]
    assert table.columns["min"] == (2, 5, 100, 200, 500, 2165, 5, 50, 1000, 2180, 200, 500, 2800, 3500)


def one(**columns: tuple[float | None, ...]) -> DataTable:
    return DataTable(columns=columns, origin="m.txt")


def test_tables_added_one_after_the_other_share_the_column_that_rises_in_each() -> None:
    first, second, third = (
        one(min=(1, 2, 5), s=(3, 4, 2)),
        one(min=(1, 3, 4), s=(2, 5, 1)),
        one(min=(2, 3, 9), s=(2, 5, 1)),
    )
    both = together([first, second], ["PB1", "PB2"])
    every = together([both, third], ["m.txt", "PB3"])
    assert every.columns["min"] == (1, 2, 5, 1, 3, 4, 2, 3, 9)
    assert list(every.columns) == ["min", "s", "s (PB2)", "s (PB3)"]


@pytest.mark.parametrize(
    "second",
    [one(a=(1, 3, 2), b=(2, 5, 1)), one(a=(1, 3), b=(2, 5)), one(b=(2, 5, 1), a=(1, 2, 3)), one(a=(1, 2, 3)),
     one(t=(1, 2, 3), a=(1, 2, 3))],
    ids=["does not rise", "rises by chance", "not first", "alone", "beside times"],
)  # fmt: skip
def test_columns_that_may_be_measured_stay_apart(second: DataTable) -> None:
    assert "a (PB2)" in together([one(a=(1, 2, 5), b=(3, 4, 2)), second], ["PB1", "PB2"]).columns
