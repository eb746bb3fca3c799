"""An output that is a table read row by row, as one output for each of its columns."""

from __future__ import annotations

import pytest
from awkward_repeats import BAND_1, BAND_2, MPB, MPB_2

from bayescope.engine.problem.definition import Extractor, JsonPath, LabelledNumber, Output, Region, TableBlock
from bayescope.engine.problem.extract import extract
from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.marks.tables.split_columns import split_columns

FORCES = "FORCES\n node  fx (N)  fy (N)\n    1     0.5     1.5\n    2     2.5     3.5\n    3     4.5     5.5\nend\n"


def marked(text: str, first: str, last: str, scope: str, repeat: str = "") -> Extractor:
    mark = Mark(text, text.index(first), text.index(last) + len(last))
    return next(offer.first for offer in mark.offers(scope) if offer.repeat == repeat)  # type: ignore[arg-type]


def bands() -> Output:
    """Two fields of every line, as one list of 10 numbers."""
    return Output(name="freqs", source="stdout", extractor=marked(MPB, "0.158857", "0.471504", "part", "all"))


def test_three_numbers_of_every_line_become_three_outputs_named_by_the_heading() -> None:
    whole = bands()
    assert len(extract(whole.extractor, MPB).values) == 10
    parts = split_columns(whole, MPB)
    assert [part.name for part in parts] == ["tm_band_1", "tm_band_2"]
    assert [extract(part.extractor, MPB).values for part in parts] == [BAND_1, BAND_2]
    both = [extract(part.extractor, MPB_2).values for part in parts]
    assert tuple(v for row in zip(*both, strict=True) for v in row) == extract(whole.extractor, MPB_2).values


def test_without_a_heading_or_with_a_name_that_is_taken_they_are_counted() -> None:
    bare = "".join(line for line in MPB.splitlines(keepends=True) if "tm band" not in line)
    assert [part.name for part in split_columns(bands(), bare)] == ["freqs_1", "freqs_2"]
    assert [part.name for part in split_columns(bands(), MPB, ["tm_band_2", "freqs_2"])] == ["freqs_1", "freqs_2_2"]


def test_columns_below_a_heading_are_named_by_it_and_keep_the_length_of_one() -> None:
    whole = Output(name="f", source="out", extractor=Region(anchor="FORCES", columns=(2, 3), by="word", form="nnn"), length=6)
    parts = split_columns(whole, FORCES)
    assert [(part.name, part.length, part.source) for part in parts] == [("fx", 3, "out"), ("fy", 3, "out")]
    assert [extract(part.extractor, FORCES).values for part in parts] == [(0.5, 2.5, 4.5), (1.5, 3.5, 5.5)]


def test_a_list_of_every_number_is_split_where_all_rows_have_as_many() -> None:
    whole = Output(name="f", source="out", extractor=Region(anchor="FORCES"))
    assert [extract(part.extractor, FORCES).values for part in split_columns(whole, FORCES)] == [
        (1.0, 2.0, 3.0), (0.5, 2.5, 4.5), (1.5, 3.5, 5.5),
    ]  # fmt: skip
    assert split_columns(whole, FORCES.replace("     3.5", "")) == ()


def test_the_older_table_is_split_too() -> None:
    whole = Output(name="f", source="out", extractor=TableBlock(columns=(2, 3), start="FORCES", end="end"))
    assert [extract(part.extractor, FORCES).values for part in split_columns(whole, FORCES)] == [(0.5, 2.5, 4.5), (1.5, 3.5, 5.5)]


@pytest.mark.parametrize(
    "extractor",
    [
        LabelledNumber(label="FORCES"), JsonPath(path="a"), Region(anchor="FORCES", columns=(2,)),
        Region(anchor="STRESSES", columns=(1, 2)), Region(anchor="FORCES", first_number=2, number_count=4),
    ],
)  # fmt: skip
def test_what_has_one_column_or_cannot_be_read_is_not_split(extractor: Extractor) -> None:
    assert split_columns(Output(name="f", source="out", extractor=extractor), FORCES) == ()
