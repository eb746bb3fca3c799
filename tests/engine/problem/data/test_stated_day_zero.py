"""Where a program's text says from which date it counts; dates and times of day in a text; months by their names."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bayescope.engine.problem.data.dates.stated_day_zero import stated, statements
from bayescope.engine.problem.data.rows.text_keys import seconds_of, unit_of
from bayescope.engine.problem.numbers.dates_in_text import dates_in


def at(*parts: int) -> float:
    return datetime(*parts, tzinfo=UTC).timestamp()  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("text", "unit", "start"),
    [
        ("time(hours since 2019-09-01 00:00:00) T_10cm", "h", at(2019, 9, 1)),
        ('time:units = "hours since 2019-09-01 06:30" ;', "h", at(2019, 9, 1, 6, 30)),
        ("days since 2000-1-1", "d", at(2000, 1, 1)),
        ("seconds since 1970-01-01T00:00Z", "s", 0.0),
        ("minutes since 1992-10-8 15:15:42.5 -6:00", "min", at(1992, 10, 8, 21, 15, 42) + 0.5),
        ("# t [d after 1 Sep 2019]", "d", at(2019, 9, 1)),
        ("days since 1-1-1 0:0:0", "d", at(1, 1, 1)),
        ("time 0 = 3 March 2021", "", at(2021, 3, 3)),
        ("Time zero is March 3, 2021, and so on", "", at(2021, 3, 3)),
        ("t = 0 is 2021-03-03 06:00", "", at(2021, 3, 3, 6)),
        ("Day 0 (2021-03-03)", "", at(2021, 3, 3)),
        ("reference_time = '2021-03-03'", "", at(2021, 3, 3)),
    ],
)
def test_a_time_0_is_read_with_its_unit_as_it_is_stated(text: str, unit: str, start: float) -> None:
    (found,) = statements(text)
    assert (found.unit, found.start) == (unit, start)
    assert found.words in " ".join(text.split())


@pytest.mark.parametrize(
    "text",
    ["5 days since 2019-09-01", "ran for 12.5 hours after 2019-09-01", "time 0.5 = 3 March 2021", "Started 2026-11-27 14:03:22",
     "time step 0", "days since 31-2-2000", "daylight 0 2021", "hours since the start", "part0 2021-03-03"],
)  # fmt: skip
def test_a_length_of_time_or_the_date_of_a_run_is_no_time_0(text: str) -> None:
    assert statements(text) == ()


CDL = """variables:
  double time(time) ;
    time:units = "hours since 2019-09-01 00:00:00" ;
  double forecast(time) ;
    forecast:units = "hours since 2019-08-31 00:00:00" ;
data:
 time = 0, 3, 6 ;
"""


def test_of_several_statements_that_of_the_line_with_the_output_counts() -> None:
    found = stated("time", (), (CDL,))
    assert found is not None
    assert found.start == at(2019, 9, 1)
    assert stated("depth", (), (CDL,)) is None, "two are said"
    one = stated("depth", (), ("0 1\n", "days since 2000-1-1\ndays since 2000-01-01\n"))
    assert one is not None
    assert one.start == at(2000, 1, 1), "another text of the run says it, twice the same"
    both = stated("depth", (), ("days since 2000-1-1\nhours since 2000-1-1\n",))
    assert both is not None
    assert (both.unit, both.start) == ("", at(2000, 1, 1))
    own = stated("time", ("time (days since 2001-01-01)",), (CDL,))
    assert own is not None
    assert own.unit == "d", "its own heading comes before the rest of the text"


def test_the_calendar_by_which_a_program_counts_is_told_with_its_time_0() -> None:
    found = stated("time", (), (CDL + 'time:calendar = "noleap" ;',))
    assert found is not None
    assert (found.calendar, found.words) == ("noleap", "hours since 2019-09-01 00:00:00, calendar noleap")
    civil = stated("time", (), (CDL + 'time:calendar = "gregorian" ;',))
    assert civil is not None
    assert (civil.calendar, civil.words) == ("", "hours since 2019-09-01 00:00:00")
    own = stated("time", ("time (days since 2001-01-01)",), ("1 2\n", "calendar: 360_day"))
    assert own is not None
    assert own.calendar == "360_day", "another text of the run says it"


@pytest.mark.parametrize("text", ["1 Sep 2019", "01-Sep-2019", "Sep 1, 2019", "September 1st, 2019", "1. September 2019"])
def test_months_are_known_by_their_names(text: str) -> None:
    assert seconds_of(text) == at(2019, 9, 1)
    assert seconds_of(f"{text} 06:30") == at(2019, 9, 1, 6, 30)
    assert unit_of([text]) == "s since 1970"
    assert seconds_of(text.replace("Sep", "Sap")) is None


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Run of 2026-11-27 14:03:22 model v2", "2026-11-27 14:03:22"),
        ("Fri Nov 27 14:03:22 UTC 2026  results", "Fri Nov 27 14:03:22 UTC 2026"),
        ("Results 27/11/2026 14:03", "27/11/2026 14:03"),
        ("Run of 27.11.2026: temperature", "27.11.2026"),
        ("November 27th, 2026, 2:03 PM", "November 27th, 2026, 2:03 PM"),
        ("Started 14:03:22.", "14:03:22"),
        ("2026-11-27T14:03:22+01:00 x", "2026-11-27T14:03:22+01:00"),
    ],
)
def test_dates_and_times_of_day_are_found_in_a_text(text: str, date: str) -> None:
    assert [text[a:b] for a, b in dates_in(text)] == [date]


@pytest.mark.parametrize("text", ["version 1.2.3", "nodes 10-3-5", "1/2/3", "May 2.5 mm", "chi2 = 12.5", "ids 2026-112-7"])
def test_numbers_with_dots_and_dashes_are_no_dates(text: str) -> None:
    assert dates_in(text) == []
