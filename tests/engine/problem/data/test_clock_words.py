"""What a file says of its clock beside the program's, and what the clocks of dates of one day show."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.dates.clock_words import said_clock, zoned_clock
from bayescope.engine.problem.data.dates.one_day import clock_on_one_day

WINTER = "LOGGER CLOCK = WINTER TIME all year (model and SCADA run on summer time: logger 01:00 is model 02:00)"


@pytest.mark.parametrize(
    ("line", "column", "alone", "shift", "sure"),
    [
        (WINTER, "Logger clock", False, -3600.0, True),
        ("model 02:30 = logger 01:00", "Logger clock", False, -5400.0, True),
        (WINTER, "Clock on 2026-06-16", False, None, False),  # another one is named
        (WINTER, "Time", True, -3600.0, True),
        ("times in winter time", "Time", True, -3600.0, False),
        ("SCADA archive, summer time (CEST)", "Time", True, 3600.0, False),
        ("SCADA archive, summer time (CEST)", "Time", False, None, False),  # of which of two?
        ("logger 5 min fast", "Logger clock", False, 300.0, True),
        ("the clock was 2 h behind", "Time", True, -7200.0, True),
        ("shift change 06:00 is 14:00", "Time", True, None, False),
        ("logger 01:00 is model 01:00", "Logger clock", False, None, False),
        ("wintertime series of 2026", "Time", True, -3600.0, False),
        ("no clocks here", "Time", True, None, False),
    ],
)
def test_a_line_tells_how_a_clock_runs_beside_the_program(
    line: str, column: str, alone: bool, shift: float | None, sure: bool
) -> None:
    found = said_clock([line], column, alone)
    assert (shift, sure) == (None, False) if found is None else (found.shift, found.sure) == (shift, sure)


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        (("2026-06-16 02:00", None, "16.06.2026 23:30:15"), ("2026-06-16", ("02:00", None, "23:30:15"))),
        (("2026-06-16 02:00", "2026-06-17 02:00"), None),
        (("2026-06-16", "2026-06-16"), None),
        (("2026-06-16 02:00Z",), None),
        (("02:00",), None),
        ((None,), None),
    ],
)
def test_dates_of_one_day_show_a_clock(cells: tuple[str | None, ...], shown: object) -> None:
    assert clock_on_one_day(cells) == shown


@pytest.mark.parametrize(
    ("lines", "column", "printed", "shift", "sure"),
    [
        (["Clock,BST (= GMT + 1 h)", "times BST"], "Time", ["time"], 3600.0, False),
        (["local time (UTC+10)"], "when", ["time_UTC"], 36000.0, True),
        (["times in CEST"], "t", ["t (CET)"], 3600.0, True),
        ([], "Time (EST)", ["time"], -18000.0, False),
        (["times in UTC"], "t", ["time"], None, False),  # as the program's, if it says nothing
        (["local time (UTC+10)"], "t", ["time (AEST)"], None, False),
        (["times BST"], "t", ["time"], None, False),  # several zones are called so
        (["CET, from 12:00 on CEST"], "t", ["time"], None, False),
    ],
)
def test_a_zone_of_the_data_tells_how_its_clock_runs_beside_one_in_utc_or_in_a_zone_of_its_own(
    lines: list[str], column: str, printed: list[str], shift: float | None, sure: bool
) -> None:
    found = zoned_clock(lines, column, printed)
    assert (None if found is None else (found.shift, found.sure)) == (None if shift is None else (shift, sure))
