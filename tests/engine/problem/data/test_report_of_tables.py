"""A report with titles cut by commas above several tables, and columns of standard errors in it."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.errors.error_headings import error_headings
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.files.data_files import ALL_PARTS, parse, parse_with, tables_in
from bayescope.engine.problem.data.files.read_options import Options
from bayescope.engine.problem.data.names.column_names import says_sd

TITLES = '"PATIENT FLOW REPORT","Ward 4B","printed 02 Oct 2026 14:07"\n"Period 02 Oct 2023 - 27 Sep 2026 (156 weeks)"\n\n'
WAITS = '"Class","Mean wait [h]","s.e. [h]"\n"urgent",0.70,0.05\n"routine",3.05,0.25\n'
DAYS = '"Day","Mean bed occupancy [%] (± 0.8)"\n"Monday",81.7\n"Tuesday",86.0\n"Sunday",75.3\n"Note: 30 beds. Standard errors."\n'
REPORT = f"{TITLES}{WAITS}\n{DAYS}".encode()


def test_titles_with_dates_are_no_table_and_those_without_titles_are_called_by_their_columns() -> None:
    assert tables_in(REPORT, "m.csv") == ((0, "Class, Mean wait [h], s.e. [h]"), (1, "Day, Mean bed occupancy [%] (± 0.8)"))


def test_titles_cut_into_as_many_cells_as_the_table_are_passed_over() -> None:
    found = parse(f"{TITLES}{WAITS}".encode(), "m.csv")
    assert found.table.columns == {"Mean wait [h]": (0.7, 3.05), "s.e. [h]": (0.05, 0.25)}
    assert "Lines 1 to 2 above the table: taken for a title." in found.preview.notes


def test_a_blank_line_between_names_and_units_makes_no_title_of_the_names() -> None:
    found = parse(b"t,x\n\ns,mm\n1,2\n2,3\n3,5\n", "m.csv")
    assert list(found.table.columns) == ["t (s)", "x (mm)"]


def test_the_errors_of_each_table_go_to_its_own_column() -> None:
    found = parse_with(REPORT, "m.csv", Options(part=ALL_PARTS, named=True))
    assert sd_pairs(list(found.table.columns)) == {"Mean wait [h]": "s.e. [h]"}
    assert found.preview.stated == (("Mean bed occupancy [%]", "±0.8"),)


def test_tables_with_one_heading_are_told_apart_by_their_lines() -> None:
    table = "x,y\n1,2\n2,3\n3,5\n"
    titles = [title for _, title in tables_in(f"{table}\n{table}".encode(), "m.csv")]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(
    ("name", "told"),
    [("s.e. [h]", True), ("SE", True), ("se", True), ("yield_se", True), ("Mean wait s.e.", True), ("SEM (h)", True),
     ("stderr", True),
     ("standard error of the mean", True), ("Std. Error", True), ("Se [ug/L]", False), ("base", False), ("phase", False),
     ("Wind NSE", False), ("course", False)],
)  # fmt: skip
def test_standard_errors_are_known_by_their_usual_names(name: str, told: bool) -> None:
    assert says_sd(name) is told


@pytest.mark.parametrize(
    ("columns", "pairs"),
    [
        (("Mean wait [h]", "s.e. [h]", "beds [%]"), {"Mean wait [h]": "s.e. [h]"}),
        (("Mean wait [h]", "s.e. [h]", "stay [h]"), {}),  # perhaps of both
        (("wait", "s.e.", "beds"), {}),
        (("yield", "yield_se", "b"), {"yield": "yield_se"}),
        (("yield", "b", "se(yield)"), {"yield": "se(yield)"}),
    ],
)
def test_a_lone_column_of_errors_belongs_to_the_only_values_in_its_unit(
    columns: tuple[str, ...], pairs: dict[str, str]
) -> None:
    assert sd_pairs(columns) == pairs


def test_selenium_holds_no_errors() -> None:
    assert error_headings(("site", "As", "Se")) == {}


WELL = (
    "Observation well B3, readings by hand\t\t\t\nHeight of the datum (MOK):\t415.32\tm ü. NHN\t\n\n"
    "Date\tTime\tDepth [m]\tObserver\n2022-09-19\t08:00\t3.21\tRA\n2022-10-24\t09:15\t3.15\tHb\n2022-11-08\t10:30\t3.16\tHb\n"
)


def test_a_line_that_states_a_number_of_the_whole_table_is_not_joined_to_a_heading_below_an_empty_line() -> None:
    found = parse(WELL.encode(), "well.tsv")
    assert found.table.columns == {"Depth [m]": (3.21, 3.15, 3.16)}
    assert list(found.table.texts) == ["Date", "Time", "Observer"]
    assert "Lines 1 to 2 above the table: taken for a title." in found.preview.notes


def test_how_many_cells_count_as_missing_and_what_stands_there_is_said() -> None:
    rows = "".join(f"{k},{'frozen' if k in (3, 5) else f'{k}.5'}\n" for k in range(9))
    found = parse_with(f"t,depth\n{rows}".encode(), "well.csv", Options(nothing=frozenset({"frozen"})))
    assert found.table.columns["depth"].count(None) == 2
    assert "In column “depth” 2 cells that are no numbers count as missing: “frozen”." in found.preview.notes
