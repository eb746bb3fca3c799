"""Columns that say when, by what they count: DAS (d), days after sowing; and those that were measured."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.names.column_names import says_where
from bayescope.engine.problem.data.rows.place_columns import counts_time, says_place
from bayescope.engine.problem.definition import DataTable

RISES, YIELD = (10.0, 20.0, 35.0, 60.0), (0.1, 0.9, 2.2, 3.1)


@pytest.mark.parametrize("name", ["days after sowing", "Days after planting", "hours post infection", "weeks since dose (wk)"])
def test_what_is_counted_since_something_says_when(name: str) -> None:
    assert says_where(name)


@pytest.mark.parametrize("name", ["value after treatment", "yield after days", "effect since"])
def test_what_happened_after_something_does_not(name: str) -> None:
    assert not says_where(name)


@pytest.mark.parametrize("name", ["DAS (d)", "DAP [days]", "hpi / h", "age_min", "DAS (d) (b.csv)"])
def test_a_first_column_that_rises_in_a_unit_of_time_counts_time_whatever_its_name(name: str) -> None:
    first = {"DAS (d)": RISES} if "csv" in name else {}
    assert says_place(DataTable(columns={**first, name: RISES, "biomass": YIELD}), name)
    assert says_place(DataTable(columns={**first, name: (10.0, 10.0, 20.0, 30.0), "biomass": YIELD}), name)


def test_one_that_falls_stands_behind_another_or_has_errors_was_measured() -> None:
    assert not counts_time(DataTable(columns={"lag (s)": (3.0, 1.0, 2.0, 4.0), "y": YIELD}), "lag (s)")
    assert not counts_time(DataTable(columns={"dose": YIELD, "lag (s)": RISES}), "lag (s)")
    assert not counts_time(DataTable(columns={"lag (s)": RISES, "sd_lag (s)": YIELD, "y": YIELD}), "lag (s)")
    assert not counts_time(DataTable(columns={"lag (s)": RISES, "depth (m)": RISES, "y": YIELD}), "lag (s)")
    assert not counts_time(DataTable(columns={"mass (g)": RISES, "y": YIELD}), "mass (g)")
