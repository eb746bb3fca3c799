"""A sign that the file explains as one against its row is a remark on it; a line that looks like a heading is offered as it."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import DataFile, parse_with
from bayescope.engine.problem.data.files.read_options import Options
from bayescope.engine.problem.data.tables.flag_legends import signs_of
from bayescope.engine.problem.data.tables.table_columns import DataFileError

ROWS = '990;0.18;""\n950;0.21;""\n910;0.23;"*"\n870;0.29;""\n'


def read(text: str) -> DataFile:
    return parse_with(text.encode(), "m.csv", Options(relative=True, named=True))


@pytest.mark.parametrize(
    "line",
    ['"Comment";"* = detector change, not valid"', "* = detector change, not valid", "# * = detector change, not valid",
     "Marks: * means detector change, not valid"],
)  # fmt: skip
def test_the_meaning_stands_in_place_of_the_sign(line: str) -> None:
    found = read(f'{line}\n\n"nm";"Abs";"Mark"\n{ROWS}')
    assert found.table.texts["Mark"] == (None, None, "detector change, not valid (*)", None)
    assert any("holds remarks, 1 against its row" in note for note in found.preview.notes)


@pytest.mark.parametrize("line", ["* = smoothed", "** Results **", "a * b = invalid", "n/a"])
def test_signs_that_say_nothing_against_a_row_stay(line: str) -> None:
    assert not signs_of((line,))


def test_a_line_of_words_above_numbers_is_offered_as_the_heading() -> None:
    text = "Sample\tlot 1\tT\t25 C\nangle\tR\tsd\tremark\ndeg\t1/m\tV\t\n"
    text += "24\t800\t4\t\n32\t500\t3\t\n40\t20\t5\t\n48\t20\t5\tdust\n"
    text += "".join(f"{50 + i}\t{i}\t5\t\n" for i in range(4))
    with pytest.raises(DataFileError) as refused:
        read(text)
    assert (refused.value.heading, refused.value.line) == (2, 3), "the one over the units"


def test_the_heading_may_stand_below_several_lines_of_words() -> None:
    text = "Sample\tlot 1\tT\t25 C\nBlank\tsubtracted\tby\tus\nangle\tR\tsd\tremark\ndeg\t1/m\tV\t\n"
    with pytest.raises(DataFileError) as refused:
        read(text + "".join(f"{50 + i}\t{i}\t5\t\n" for i in range(8)) + "60\t3\t5\tdust\n")
    assert refused.value.heading == refused.value.line == 3


def test_a_bad_cell_among_numbers_is_no_heading() -> None:
    with pytest.raises(DataFileError) as refused:
        read("t,a\n0,1.5\n1,oops\n2,3.5\n3,4.5\n")
    assert refused.value.heading is None
