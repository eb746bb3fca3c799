"""A row of marks for missing values (n.r., k.A., …) is a row of its table: it is no heading of a second one."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import ALL_PARTS, DataFile, DataFileError, Options, parse_with
from bayescope.engine.problem.data.tables.table_parts import parts_of
from tests.support.sheet_files import xlsx

MARKS = ["n.r.", "-----", "n/r", "n.a.", "ND", "nd", "not reported", "missing", "k.A.", "-", "…", "..."]
WEEKS = ["01/01/2024", "08/01/2024", "15/01/2024", "22/01/2024", "29/01/2024"]


def rows(mark: str, dates: list[str]) -> list[list[object]]:
    counts: list[list[object]] = [[4, 2], [5, 3], [mark, mark], [14, 7], [32, 24]]
    noted = ["", "", "office closed", "", ""]
    title: list[list[object]] = [["Northvale, 1 January to 30 June 2024"], ["Status 31 July 2024, not complete"], []]
    return [*title, ["Week", "Cases", "confirmed", "Remarks"],
            *([day, *two, note] for day, two, note in zip(dates, counts, noted, strict=True))]  # fmt: skip


def read(content: bytes, **options: object) -> DataFile:
    return parse_with(content, "weeks.xlsx", Options(named=True, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("dates", [[f"2024-01-{k:02}" for k in (1, 8, 15, 22, 29)], WEEKS, ["Jan", "Feb", "Mar", "Apr", "May"]])
def test_a_week_without_report_is_a_row_with_missing_counts(mark: str, dates: list[str]) -> None:
    found = read(xlsx({"Weekly": rows(mark, dates)}))
    assert found.preview.parts == ()
    assert found.table.columns == {"Cases": (4.0, 5.0, None, 14.0, 32.0), "confirmed": (2.0, 3.0, None, 7.0, 24.0)}
    assert len(found.table.texts["Week"]) == 5
    assert found.table.texts["Remarks"][2] == "office closed"


@pytest.mark.parametrize("mark", ["n.r.", "no report", "closed"])
def test_a_date_below_dates_is_no_heading_whatever_stands_beside_it(mark: str) -> None:
    lines = ["date\ta\tb", "2024-01-01\t1\t2", "2024-01-08\t3\t4", f"2024-01-15\t{mark}\t{mark}", "2024-01-22\t5\t6"]
    assert len(parts_of("\n".join(lines))) == 1


def test_whole_numbers_of_several_tables_are_shown_as_they_are() -> None:
    found = read(xlsx({"Weekly": rows("n.r.", WEEKS), "Other": [["Age", "n"], [1, 2]]}), part=ALL_PARTS)
    assert found.preview.rows[0][found.preview.columns.index("Cases")] == "4"


def test_a_second_heading_below_a_table_still_begins_another() -> None:
    assert len(parts_of("date\ta\n2024-01-01\t1\n2024-01-08\t2\nday\tb\n2024-01-15\t3\n2024-01-22\t4")) == 2


def test_blank_cells_above_one_number_are_refused_in_words() -> None:
    with pytest.raises(DataFileError, match="can be read in two ways because of its comma"):
        parse_with(b",\n,0", "x.csv", Options())
