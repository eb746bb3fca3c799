"""Calendars of climate models: which one a text states, and how many days it counts between two dates."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.dates.by_day import days_of
from bayescope.engine.problem.data.dates.calendars import (
    all_dates,
    calendar_in,
    counts_alike,
    elapsed,
    recounted,
    texts_elapsed,
)


def at(*parts: int) -> float:
    return datetime(*parts, tzinfo=UTC).timestamp()  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("calendar", "to_march", "to_2001"),
    # days since 1850-01-01 of 2000-03-01 12:00 and 2001-01-01, as cftime.date2num has them
    [("", 54846.5, 55152.0), ("noleap", 54809.5, 55115.0), ("all_leap", 54960.5, 55266.0), ("360_day", 54060.5, 54360.0),
     ("julian", 54847.5, 55153.0)],
)  # fmt: skip
def test_each_calendar_counts_its_own_days_between_two_dates(calendar: str, to_march: float, to_2001: float) -> None:
    dates = np.array([at(2000, 3, 1, 12), at(2001, 1, 1)])
    assert elapsed(dates, at(1850, 1, 1), calendar) / 86_400.0 == pytest.approx([to_march, to_2001], abs=1e-9)
    assert elapsed(np.array([at(1849, 12, 31, 6)]), at(1850, 1, 1), calendar)[0] == pytest.approx(
        -18 * 3600.0 if calendar != "360_day" else np.nan, nan_ok=True
    )


def test_dates_that_a_calendar_does_not_have_are_counted_by_none_of_its_numbers() -> None:
    assert np.isnan(elapsed(np.array([at(2000, 2, 29)]), at(2000, 1, 1), "noleap"))[0]
    assert recounted([59.0, None, 60.0], "d", at(2000, 1, 1), "noleap") == (None, None, 59.0)
    assert recounted([0.0, 60 * 24.0], "h", at(2000, 1, 1), "360_day") == (0.0, 60 * 24.0)


def test_where_no_leap_day_lies_between_calendars_agree() -> None:
    dates = np.array([at(2001, 1, 5), np.nan, at(2003, 12, 31)])
    assert counts_alike(dates, at(2001, 1, 1), "noleap")
    assert counts_alike(dates, at(1901, 1, 1), "julian")
    assert not counts_alike(dates, at(2000, 1, 1), "noleap")
    assert not counts_alike(dates, at(2001, 1, 1), "360_day")


@pytest.mark.parametrize(
    ("text", "calendar"),
    [('time:calendar = "noleap" ;', "noleap"), ("calendar: 365_day", "noleap"), ("Calendar = '360_DAY'", "360_day"),
     ('time:calendar = "proleptic_gregorian" ;', ""), ("days since 2000-01-01", None), ("calendar of events: julian", None),
     ('time:calendar = "julian" ;\nother:calendar = "standard" ;', "julian"),
     ('a:calendar = "julian" ;\nb:calendar = "standard" ;', None)],
)  # fmt: skip
def test_a_text_states_the_calendar_of_a_variable(text: str, calendar: str | None) -> None:
    assert calendar_in(text, "time") == calendar


def test_a_column_counted_by_such_a_calendar_says_so_in_its_name_and_is_no_column_of_civil_dates() -> None:
    name = day_zero.named("date", "d", at(1850, 1, 1), "noleap")
    assert name == "date (d since 1850-01-01, noleap)"
    assert day_zero.counted(name) is None
    found = day_zero.in_any_calendar(name)
    assert found is not None
    assert (found.name, found.unit, found.start, found.calendar, found.full) == ("date", "d", at(1850, 1, 1), "noleap", name)
    days = days_of(d.DataTable(columns={name: (0.0, 1.0)}), name)
    assert days is not None, "its dates pair with the values of a day"
    assert days.noon(np.array([1.0]))[0] == 1.5


def test_dates_that_only_twelve_months_of_30_days_have_are_counted_as_they_are_written() -> None:
    cells = ("2001-02-28", "2001-02-30", "30.02.2001 12:00", None, "2001-03-31", "2001-03-01")
    days = texts_elapsed(cells, at(2001, 2, 1), "360_day") / 86_400.0
    assert days == pytest.approx([27.0, 29.0, 29.5, np.nan, np.nan, 30.0], nan_ok=True)
    assert all_dates(("2001-02-30", "", None), "360_day")
    assert not all_dates(cells, "360_day"), "there is no 31 March"
    assert not all_dates(("2001-02-30",), "noleap")
    assert not all_dates(("2001-02-30",), "")
    assert texts_elapsed(("2001-02-29",), at(2001, 2, 1), "all_leap")[0] == 28 * 86_400.0
    assert not all_dates(("2001-13-01",), "360_day")
