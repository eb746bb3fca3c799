"""Which line of a file is the heading, where a person says it."""

from __future__ import annotations

import io

import openpyxl
import pytest

from bayescope.engine.problem.data.files.data_files import (
    ALL_PARTS,
    DataFile,
    DataFileError,
    Options,
    first_lines_of,
    parse_with,
)
from bayescope.engine.problem.data.tables.table_lines import NO_HEADING, Told


def read(text: str, heading: int | None, delimiter: str | None = None) -> DataFile:
    return parse_with(text.encode(), "m.txt", Options(told=Told(heading=heading), delimiter=delimiter, named=True))


@pytest.mark.parametrize(
    ("text", "line", "names"),
    [
        ("Run 7, March\n2024 1 2\nx y z\n1 2 3\n4 5 6\n", 3, ("x", "y", "z")),
        ("1,2\n3,4\n", 1, ("1", "2")),
        ("site;2019;2020\nNorth;1;2\nSouth;3;4\n", 1, ("site", "2019", "2020")),
        ("notes\n\nx,y\nm,s\n1,2\n3,4\n", 3, ("x (m)", "y (s)")),
        ("# run of May\n# x y\n# made by J. M.\n1 2\n3 4\n", 2, ("x", "y")),
        ("depth below sea  temperature\n1 2\n3 4\n", 1, ("depth below sea", "temperature")),
        ("speed lift\n1 2 3\n2 4 5\n", 1, ("column 1", "speed", "lift")),
    ],
)
def test_the_line_that_is_said_to_be_the_heading_gives_the_names(text: str, line: int, names: tuple[str, ...]) -> None:
    found = read(text, line)
    assert found.preview.columns == names
    assert next(one.line for one in found.preview.above if one.heading) == line


def test_where_there_is_said_to_be_none_the_first_line_is_a_row() -> None:
    assert read("year,1\n2020,2\n2021,3\n", None).preview.columns == ("year", "1")
    found = read("a,1\nb,2\nc,3\n", NO_HEADING)
    assert found.preview.columns == ("column 1", "column 2")
    assert found.preview.row_count == 3


def test_the_lines_above_a_table_are_shown_with_their_numbers() -> None:
    above = read("Río Seco; surveyed in June\n\nx;y\n1;2\n3;4\n", None).preview.above
    assert [(one.line, one.heading) for one in above] == [(1, False), (3, True)]
    assert above[1].cells == ("x", "y")


def test_too_many_names_for_a_line_of_the_table_are_an_error_after_which_the_lines_are_still_known() -> None:
    text = "x,y,z,extra\n1,2,3\n4,5,6\n"
    with pytest.raises(DataFileError):
        read(text, 1)
    assert [one.line for one in first_lines_of(text.encode(), "m.txt", 0)] == [1, 2, 3]


def test_each_table_of_a_file_has_its_own_heading() -> None:
    book = openpyxl.Workbook()
    first, second = [("a", 1), (2, 3), (4, 5)], [("seen", "by J. M."), ("u", "v"), (9, 6), (7, 8)]
    for sheet, rows in ((book.active, first), (book.create_sheet("two"), second)):
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    told = Told(part=1, heading=2, others=(Told(part=0, heading=1),))
    found = parse_with(out.getvalue(), "m.xlsx", Options(part=ALL_PARTS, told=told))
    assert list(found.table.columns) == ["a", "1", "u", "v"]
    assert parse_with(out.getvalue(), "m.xlsx", Options(part=1, told=told)).table.columns == {"u": (9.0, 7.0), "v": (6.0, 8.0)}
