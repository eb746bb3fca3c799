"""Dates on an axis of seconds since 1970 stand at the beginnings of years, months, weeks, days and hours."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bayescope.gui.models.date_ticks import date_ticks


def at(*date: int) -> float:
    return datetime(*date, tzinfo=UTC).timestamp()  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("low", "high", "first", "second"),
    [
        (at(1950, 3, 1), at(2020, 1, 1), "1960", "1980"),
        (at(2023, 10, 8), at(2024, 9, 15), "Nov 2023", "Jan 2024"),
        (at(2023, 10, 8), at(2023, 11, 7), "9 Oct 2023", "16 Oct 2023"),
        (at(2023, 12, 30), at(2024, 1, 3), "30 Dec 2023", "31 Dec 2023"),
        (at(2023, 12, 30, 22), at(2023, 12, 31, 2), "22:00", "23:00"),
        (at(2023, 12, 30, 22, 0, 1), at(2023, 12, 30, 22, 0, 7), "22:00:01", "22:00:02"),
    ],
)
def test_ticks_stand_where_people_would_put_them(low: float, high: float, first: str, second: str) -> None:
    ticks = date_ticks(low, high, 6)
    assert [word for _, word in ticks[:2]] == [first, second]
    assert 2 <= len(ticks) <= 8
    assert all(low <= place <= high for place, _ in ticks)


def test_a_narrow_axis_has_two_dates_at_least() -> None:
    ticks = date_ticks(at(2023, 10, 5), at(2023, 12, 24), 2)
    assert [word for _, word in ticks] == ["Nov 2023", "Dec 2023"]
    assert len(date_ticks(at(2023, 10, 8), at(2023, 11, 28), 2)) > 1


def test_places_beyond_the_calendar_have_no_ticks_and_do_no_harm() -> None:
    assert date_ticks(1e15, 2e15, 6) == []
    assert date_ticks(0.0, 0.0, 6) == []
    assert len(date_ticks(-1e18, 1e18, 6)) <= 8
