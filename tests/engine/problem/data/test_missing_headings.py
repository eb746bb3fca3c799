"""What is said of columns without a heading: which ones, and what nobody knows of them."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import parse


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("t,T,\n0,1.5,.2\n1,2.5,.2\n",
         "Not all columns have a heading: “column 3” says neither what it holds nor in which unit."),
        ("t,,T,\n0,1.5,.2,3\n1,2.5,.2,3\n",
         "Not all columns have a heading: “column 2” and “column 4” say neither what they hold nor in which unit."),
        ("0,1.5\n1,2.5\n", "The table has no header: “column 1” and “column 2” say neither what they hold nor in which unit."),
        ("0,1,2,3,4\n1,2,3,4,5\n",
         "The table has no header: “column 1”, “column 2”, “column 3” and 2 more say neither what they hold nor in which unit."),
    ],
)  # fmt: skip
def test_columns_without_a_heading_are_named_with_what_is_missing(text: str, note: str) -> None:
    assert note in parse(text.encode()).preview.notes


@pytest.mark.parametrize(
    "text",
    ["t,T\n0,1.5\n1,2.5\n", ",t,T\n1,5,1.5\n2,6,2.5\n", '"",t,T\n"0",5,1.5\n"1",6,2.5\n', "t,,T\n0,,1.5\n1,,2.5\n"],
)  # fmt: skip
def test_nothing_is_missing_of_numbered_rows_and_empty_columns(text: str) -> None:
    assert not any("heading" in note for note in parse(text.encode()).preview.notes)
