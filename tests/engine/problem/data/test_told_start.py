"""When a test began, in a data file's own words."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.dates.told_start import ToldStart, told_starts
from bayescope.engine.problem.data.rows.text_keys import seconds_of

TEN = 10 * 3600.0 + 32 * 60.0


@pytest.mark.parametrize(
    "line",
    ["# pump on 10:32", "Pump on at 10:32", "pump switched on: 10:32", "start of test 10:32", "Start of the test: 10:32",
     "Test started at 10:32",
     "Versuchsbeginn: 10:32 Uhr", "Pumpe an 10:32", "test start = 10:32", "Début de l'essai : 10:32", "heater_on,10:32"],
)  # fmt: skip
def test_a_start_is_read_as_people_write_it(line: str) -> None:
    (found,) = told_starts([line])
    assert (found.clock, found.day, found.zero) == (TEN, None, False)
    assert found.words in " ".join(line.split())


def test_time_0_goes_first_and_a_day_beside_the_clock_is_read() -> None:
    day = seconds_of("2021-03-05")
    found = told_starts(["pump on 10:30", "t0 = 2021-03-05 10:32:15", "t = 0 at 10:32"])
    assert [(one.clock, one.day) for one in found] == [(TEN + 15, day), (TEN, None), (TEN - 120, None)]
    assert found[0] == ToldStart("t0 = 2021-03-05 10:32:15", TEN + 15, day, True)


@pytest.mark.parametrize(
    "line", ["pump off 12:40", "printed 10:32", "t0 = 5.3", "depends on 5 things", "ratio 10:32", "on 2021-03-05"]
)
def test_other_times_are_no_start(line: str) -> None:
    assert told_starts([line]) == ()
