"""Lines of separators alone, as spreadsheets write empty rows, are no rows of a table."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files import data_files


@pytest.mark.parametrize("line", [";;", ";", '"";"";""', " ; ; "])
def test_a_line_of_separators_is_no_row_and_is_not_counted(line: str) -> None:
    text = f"Laboratory;;\n{line}\nt;u;sd\ns;V;V\n0;1.5;0.1\n1;2.5;0.1\n{line}\n2;3.5;0.2\n{line}\n"
    found = data_files.parse_with(text.encode(), "m.csv", data_files.Options(named=True))
    assert found.table.columns == {"t (s)": (0.0, 1.0, 2.0), "u (V)": (1.5, 2.5, 3.5), "sd (V)": (0.1, 0.1, 0.2)}
    assert found.preview.row_count == 3
    assert found.preview.missing == ""
    assert [one.line for one in found.preview.above] == [1, 3, 4]


def test_rows_that_lack_values_but_hold_a_key_stay_rows() -> None:
    found = data_files.parse_with(b"t,u,v\n0,1.5,2\n1,,\n2,3.5,3\n", "m.csv", data_files.Options())
    assert found.table.columns["u"] == (1.5, None, 3.5)
