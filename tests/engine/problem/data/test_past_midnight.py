"""A night of a tide gauge: times of the clock go on counting behind midnight where they are used as numbers."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.dates.past_midnight import midnight
from bayescope.engine.problem.data.files.data_files import Options, parse_with
from bayescope.engine.problem.data.rows.text_keys import seconds_of
from bayescope.engine.problem.data.tables.long_form import times_as_numbers

NIGHT = ("22:30", "23:30", None, "00:30", "01:00")


def test_times_behind_midnight_go_on_counting() -> None:
    assert times_as_numbers(NIGHT, 3600.0) == (22.5, 23.5, None, 24.5, 25.0)


def test_it_is_said_when_the_file_is_read() -> None:
    text = "time;level\n" + "".join(f"{t or ''};{i}\n" for i, t in enumerate(NIGHT))
    notes = parse_with(text.encode(), "tide.csv", Options(named=True)).preview.notes
    assert any("runs past midnight (after 23:30 comes 00:30)" in note for note in notes)


@pytest.mark.parametrize(
    "times",
    [
        ("00:00", "12:00", "23:00"), ("00:00", "12:00", "23:00", "00:00", "12:00", "23:00"), ("22:00", "23:00", "22:00", "23:00"),
        ("10:00", "09:30", "11:00"), ("22:00", "01:00", "23:00", "02:00"), ("30:00", "31:00", "02:00"),
    ],
)  # fmt: skip
def test_other_times_stay_as_they_are(times: tuple[str, ...]) -> None:
    assert midnight([seconds_of(t) for t in times]) is None
    assert times_as_numbers(times, 1.0) == tuple(seconds_of(t) for t in times)
