"""Values with errors or intervals in one cell are read in all common spellings; what else is in a cell stays what it is."""

from __future__ import annotations

import pytest
from awkward_errors import INTERVALS, NEITHER, SDS

from bayescope.engine.problem.data.files.data_files import DataFile, Options, parse_with

Z95 = 3.919927969080108  # width of the central 95 % of a standard normal distribution


def proposed(*cells: str, name: str = "v", marked_out: bool = False) -> DataFile:
    text = f"x\t{name}\n" + "".join(f"{i}\t{cell}\n" for i, cell in enumerate(cells, 1))
    return parse_with(text.encode(), "v.txt", Options(missing=None, named=True, marked_out=marked_out))


@pytest.mark.parametrize(("cell", "value", "sd"), SDS)
def test_a_value_and_its_error_become_two_columns(cell: str, value: float, sd: float) -> None:
    found = proposed(cell, cell, cell)
    (name, values), (of, sds) = [(k, v) for k, v in found.table.columns.items() if k != "x"]
    assert of == f"{name} sd"
    assert values == (value,) * 3
    assert sds == pytest.approx((sd,) * 3)
    assert any("in each cell" in note for note in found.preview.notes)


@pytest.mark.parametrize(("cell", "value", "low", "high", "level"), INTERVALS)
def test_a_value_and_its_interval_become_a_value_and_its_error(
    cell: str, value: float, low: float, high: float, level: float | None
) -> None:
    found = proposed(cell, cell, cell)
    columns = {k: v for k, v in found.table.columns.items() if k != "x"}
    values, sds = columns.values()
    assert values == (value,) * 3
    width = (high - low) / sds[0]
    assert width == pytest.approx({None: Z95, 95.0: Z95, 90.0: 3.2897, 50.0: 1.34898}[level], rel=1e-4)
    assert ("as no level is said" in found.preview.limits[0][0]) is (level is None)


def test_a_heading_says_the_level_and_gives_it_no_name() -> None:
    found = proposed("12.3 (11.8–12.9)", "13 (12–14)", name="Prevalence (90 % CI)")
    assert list(found.table.columns) == ["x", "Prevalence", "± Prevalence"]
    assert "/ 3.29." in found.preview.limits[0][0]


def test_a_range_is_no_error() -> None:
    found = proposed("12.3 (range 11.8–12.9)", "13 (range 12–14)")
    assert list(found.table.columns) == ["x", "v", "v range lower", "v range upper"]


@pytest.mark.parametrize("cell", NEITHER)
def test_other_cells_are_not_taken_apart(cell: str) -> None:
    found = proposed(cell, cell, cell)
    assert list(found.table.columns) in (["x"], ["x", "v"])
    assert "in each cell" not in " ".join(found.preview.notes)


def test_numbers_in_brackets_below_a_heading_of_counts_are_counts() -> None:
    assert "v (n)" in proposed("12.3 (4)", "13.1 (5)", name="v (n)").table.texts


def test_plain_numbers_among_values_with_errors_have_none() -> None:
    found = proposed("12.3 ± 0.4", "13", "-", "14.1 ± 0.2")
    assert found.table.columns["v"] == (12.3, 13.0, None, 14.1)
    assert found.table.columns["v sd"] == (0.4, None, None, 0.2)


def test_marks_of_remarks_behind_values_with_errors_are_passed_over() -> None:
    found = proposed("12.3 (11.8–12.9)", "13 (12–14)*", "14†")
    assert found.table.columns["v"] == (12.3, 13.0, 14.0)
    assert any("2 numbers have the mark of a remark" in note for note in found.preview.notes)


def test_what_becomes_of_a_value_with_the_mark_of_a_remark_is_said_exactly() -> None:
    found = proposed("30.1", "31.7*", "29.8")
    assert found.table.columns["v"] == (30.1, 31.7, 29.8)
    (marked,) = found.preview.marked
    assert marked.words(False) == (
        "Column “v”: 1 number has the mark of a remark: “31.7*” is read as 31.7; the mark is dropped."
    )  # fmt: skip
    assert marked.words(False) in found.preview.notes
    several = proposed("1*", "2†", "3*", "4*", "5").preview.marked[0]
    assert several.words(False).endswith("“1*” is read as 1, “2†” as 2, “3*” as 3, …; the marks are dropped.")


def test_values_with_the_mark_of_a_remark_are_left_out_where_that_is_said_but_never_all_of_a_column() -> None:
    found = proposed("30.1", "31.7*", "29.8", marked_out=True)
    assert found.table.columns["v"] == (30.1, None, 29.8)
    assert any("“31.7*” is left out." in note for note in found.preview.notes)
    alone = proposed("1*", "2*", "3*", marked_out=True)
    assert alone.table.columns["v"] == (1.0, 2.0, 3.0)
    assert any("the marks are dropped" in note for note in alone.preview.notes)
