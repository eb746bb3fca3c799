"""Columns of errors that are percentages of the values they are of, however a heading says it, are counted in their unit."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.errors.error_units import error_units
from bayescope.engine.problem.data.errors.intervals import level_in, limits_only
from bayescope.engine.problem.data.files.data_files import DataFile, parse_with
from bayescope.engine.problem.data.files.read_options import Options
from bayescope.engine.problem.data.names.column_names import says_sd
from bayescope.engine.problem.data.names.percent_names import in_percent, of_values, parts_of
from bayescope.engine.problem.data.tables.table_edges import joined_names


def read(text: str) -> DataFile:
    return parse_with(text.encode(), "m.csv", Options(relative=True, named=True))


@pytest.mark.parametrize(
    "heading",
    ["sd (% of value)", "st. dev. (% of value (k = 1))", "error [% of reading]", "rel. error (%)", "err (pct)", "percent error",
     "R_err_%", "R error (per cent)", "relative error [%]"],
)  # fmt: skip
def test_percentages_become_errors_in_the_unit_of_their_values(heading: str) -> None:
    found = read(f"angle (deg)\tR (1/m)\t{heading}\n24\t800\t4\n32\t500\t3\n40\t20\t5\n")
    sds = next(cells for name, cells in found.table.columns.items() if name not in ("angle (deg)", "R (1/m)"))
    assert sds == pytest.approx((32.0, 15.0, 1.0))
    assert any("is taken for percent of “R (1/m)”: 4 % of 800 is 32." in note for note in found.preview.notes)


def test_a_heading_over_two_rows_says_it_in_its_second_one() -> None:
    text = "angle\tR\tst. dev.\ndeg\t10^-3 cm^-1\t% of value (k = 1)\n24\t800\t4\n32\t500\t3\n40\t20\t5\n"
    found = read(text)
    assert list(found.table.columns) == ["angle (deg)", "R (10^-3 cm^-1)", "st. dev."]
    assert found.table.columns["st. dev."] == pytest.approx((32.0, 15.0, 1.0))
    assert not found.preview.limits


def test_brackets_within_the_unit_of_a_heading_are_closed() -> None:
    first, second = ("a", "b", "c", "d"), ("[m]", "% of value (k = 1)", "((s))", "(m) (wet)")
    assert joined_names(first, second) == ("a (m)", "b (% of value (k = 1))", "c (s)", "d ((m) (wet))")


def test_a_relative_error_without_a_percent_sign_is_a_part_where_it_is_below_one() -> None:
    found = read("t,R,rel. error\n1,800,0.04\n2,500,0.03\n")
    assert next(c for n, c in found.table.columns.items() if "err" in n) == pytest.approx((32.0, 15.0))


def test_errors_of_percentages_are_parts_only_where_their_heading_says_so() -> None:
    assert not parts_of("sd (%)", "porosity (%)")
    assert parts_of("sd (% of value)", "porosity (%)")
    assert not parts_of("relative humidity sd (%)", "relative humidity (%)")


@pytest.mark.parametrize("name", ["uncertainty (95 %)", "95 % CI", "Stressed (V)", "relative strain", "err (V)"])
def test_levels_and_other_words_are_no_percentages(name: str) -> None:
    assert not in_percent(name)
    assert not of_values(name)


def test_percentages_beside_values_without_a_unit_are_told() -> None:
    units = error_units("sd (%)", "Abs", (0.5, 0.5))
    assert units is not None
    assert units.relative
    assert units.sds((5.0,), (2.0,)) == (0.1,)


@pytest.mark.parametrize("name", ["scatter (% of value (k = 1)", "spread (% of value)", "spread (% of reading, k = 2)"])
def test_percent_of_a_value_is_no_level_of_an_interval(name: str) -> None:
    assert level_in(name) is None
    assert not limits_only(name)
    assert not says_sd(name)


def test_levels_and_quantiles_of_intervals_are_still_read() -> None:
    assert level_in("95 % CI lower") == 95.0
    assert level_in("2.5 %") == 95.0
    assert level_in("97.5th percentile") == 95.0
