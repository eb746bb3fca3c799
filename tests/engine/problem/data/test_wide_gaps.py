"""Tables of words and numbers parted by two blanks or more, and lines of another length that are taken out."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import DataFile, DataFileError, Options, parse_with
from bayescope.engine.problem.data.tables.table_lines import Told

HEADING = "sample age  wall temperature  heat flux"
NAMES = ("sample age", "wall temperature", "heat flux")


def read(text: str, *out: int) -> DataFile:
    return parse_with(text.encode(), "m.txt", Options(told=Told(out=out), named=True))


def test_the_heading_among_the_lines_above_is_cut_where_the_columns_are() -> None:
    found = read(f"Rig 3, series of May\n{HEADING}\n1  2  3\n2  3  4\n3  4  5\n")
    assert found.preview.columns == NAMES
    assert [(one.line, one.cells, one.heading) for one in found.preview.above] == [
        (1, ("Rig 3, series of May",), False), (2, NAMES, True),
    ]  # fmt: skip


def test_a_remark_behind_single_rows_leaves_the_headings_whole() -> None:
    found = read(f"{HEADING}  remark\n1  2  3\n2  3  4  door open\n3  4  5\n4  5  6\n")
    assert found.preview.columns == (*NAMES, "remark")
    assert found.table.texts["remark"] == (None, "door open", None, None)
    assert found.table.columns["heat flux"] == (3.0, 4.0, 5.0, 6.0)


@pytest.mark.parametrize(("text", "out", "first"), [
    ("t,T,p\n1,2,3\n2,3\n3,4,5\n", 3, (1.0, 3.0)), ("t,T,p\n1,2,3\n2,3,4,9\n3,4,5\n", 3, (1.0, 3.0)),
    ("t T p\n1 2 3\n2 3\n3 4 5\n", 3, (1.0, 3.0)), ("1,2\n1,2,3\n3,4,5\n", 1, (1.0, 3.0)),
])  # fmt: skip
def test_a_line_of_another_length_is_no_error_once_it_is_taken_out(text: str, out: int, first: tuple[float, ...]) -> None:
    with pytest.raises(DataFileError, match=r"Line [23] of m.txt has"):
        read(text)
    found = read(text, out)
    assert next(iter(found.table.columns.values())) == first
    assert out in found.preview.lines, "it is still in sight, and can be a row again"
    assert {len(row) for row in found.preview.rows} == {3}
    assert f"Line {out} is left out: it is no row of the table." in found.preview.notes


def test_a_line_taken_out_of_a_table_of_wide_gaps_does_not_cut_its_headings() -> None:
    found = read(f"{HEADING}\n1  2  3\n2  3\n3  4  5\n4  5  6\n", 3)
    assert tuple(found.table.columns) == NAMES
    assert found.table.columns["heat flux"] == (3.0, 5.0, 6.0)
