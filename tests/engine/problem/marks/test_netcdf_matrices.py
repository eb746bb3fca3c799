"""What ncdump prints of a variable of two dimensions: a table of as many columns as the last one is long."""

from __future__ import annotations

import numpy as np
import pytest
from awkward_lists import SOIL as TEXT
from awkward_lists import SOIL_HEAD as HEAD
from awkward_lists import SOIL_ROWS as ROWS

from bayescope.engine.problem.extract import ExtractionError, extract
from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.netcdf_text import row_length

WRAPPED = HEAD + "\n".join(row.replace(", ", ",\n    ", 1) for row in ROWS) + "\n}\n"
LONGER = TEXT.replace("(4 currently)", "(6 currently)").replace(ROWS[0], f"{ROWS[0]}\n{ROWS[1]}\n{ROWS[2]}")


def click(text: str, what: str) -> Mark:
    at = text.index(what) + 1
    return Mark(text, at, at, "soil.txt")


def test_a_click_on_the_name_means_the_columns_each_an_output_with_its_number() -> None:
    mark = click(TEXT, "tsoil =")
    assert mark.scopes == ["table", "column", "list"]
    offer = mark.offers("table")[0]
    assert offer.names == ("tsoil_1", "tsoil_2", "tsoil_3")
    assert [p.values for p in offer.proposals] == [
        (10.5, 9.5, 8.75, 8.25), (13.75, 12.5, 11.5, 11.25), (16.25, 15.5, 14.75, 14.5),
    ]  # fmt: skip


def test_a_click_on_a_number_offers_its_column_and_the_list_of_all() -> None:
    mark = click(TEXT, "11.5")
    assert mark.first() == "number"
    column = mark.offers("column")[0]
    assert (column.names, column.proposals[0].values) == (("tsoil_2",), (13.75, 12.5, 11.5, 11.25))
    assert len(mark.offers("list")[0].proposals[0].values) == 12


def test_columns_are_read_in_runs_with_more_rows() -> None:
    for part, first in zip(click(TEXT, "tsoil =").offers("table")[0].proposals, (10.5, 13.75, 16.25), strict=True):
        values = extract(part.extractor, LONGER).values
        assert len(values) == 6
        assert values[0] == first


def test_a_drag_down_a_column_means_those_rows_of_it() -> None:
    mark = Mark(TEXT, TEXT.index("12.5"), TEXT.index("11.25") + 5, "soil.txt")
    assert mark.first() == "piece"
    assert mark.offers("piece")[0].proposals[0].values == (12.5, 11.5, 11.25)


@pytest.mark.parametrize(
    "text", [WRAPPED, TEXT.replace("tsoil(time, depth)", "tsoil(time)"), TEXT.removeprefix("netcdf soil {\n")]
)
def test_rows_over_several_lines_or_of_one_dimension_stay_one_list(text: str) -> None:
    mark = click(text, "tsoil =")
    assert mark.scopes == ["list"]
    assert len(mark.offers("list")[0].proposals[0].values) == 12


@pytest.mark.parametrize(
    ("variable", "long"), [("tsoil", 3), ("time", None), ("depth", None), ("nothing", None), ("", None)]
)
def test_the_length_of_a_row_is_that_of_the_last_dimension(variable: str, long: int | None) -> None:
    assert row_length(TEXT, variable) == long


def test_a_last_dimension_that_grows_is_as_long_as_it_is_now() -> None:
    assert row_length(TEXT.replace("tsoil(time, depth)", "tsoil(depth, time)"), "tsoil") == 4


def test_a_column_with_a_missing_number_is_not_offered_and_in_another_run_it_is_refused() -> None:
    """Never the number of another column in its place."""
    missing = TEXT.replace("11.5", "_")
    mark = click(missing, "tsoil =")
    assert mark.offers("table")[0].names == ("tsoil_1", "tsoil_3")
    (whole,) = mark.offers("list")
    assert np.isnan(whole.proposals[0].values).sum() == 1
    for part in click(TEXT, "tsoil =").offers("table")[0].proposals:
        with pytest.raises(ExtractionError, match="line 20 breaks off the table"):
            extract(part.extractor, missing)


def test_what_the_program_prints_before_the_text_of_its_file_is_no_bar() -> None:
    """A script runs the program, then ncdump."""
    mark = click(f"run 7: done\n{TEXT}", "tsoil =")
    assert mark.scopes == ["table", "column", "list"]


def test_of_several_files_each_says_its_own_and_where_they_disagree_none_is_believed() -> None:
    other = TEXT.replace("netcdf soil", "netcdf deep").replace("tsoil", "tdeep").replace("depth = 3 ;", "depth = 6 ;")
    assert (row_length(TEXT + other, "tsoil"), row_length(TEXT + other, "tdeep")) == (3, 6)
    assert row_length(TEXT + other.replace("tdeep", "tsoil"), "tsoil") is None
