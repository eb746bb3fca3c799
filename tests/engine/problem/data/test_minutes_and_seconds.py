"""Times of two parts are minutes and seconds where the heading says so, and asked about where it says nothing."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files import data_files
from bayescope.engine.problem.data.files.data_files import DataFile, Options
from bayescope.engine.problem.data.rows.text_keys import seconds_of

CELLS = ("0:30", "01:00", "01:30", "75:00")
IN_SECONDS = [30.0, 60.0, 90.0, 4500.0]


def read(heading: str, cells: tuple[str, ...] = CELLS, **options: object) -> DataFile:
    rows = (f"{cell};{k}.5" for k, cell in enumerate(cells))
    return data_files.parse_with("\n".join([f"{heading};T", *rows, ""]).encode(), "x.csv", Options(named=True, **options))  # type: ignore[arg-type]


def seconds(found: DataFile, heading: str) -> list[float | None]:
    return [None if cell is None else seconds_of(cell) for cell in found.table.texts[heading]]


@pytest.mark.parametrize(
    "heading", ["time [mm:ss]", "t (m:ss)", "time MM:SS", "t (min:s)", "t [min:sec]", "lap_mm:ss", "t [min]", "Zeit [mmm:ss]"]
)
def test_a_heading_of_minutes_and_seconds_decides(heading: str) -> None:
    found = read(heading)
    assert seconds(found, heading) == IN_SECONDS
    assert found.preview.clocks == ()
    assert any("minutes and seconds" in note for note in found.preview.notes)


@pytest.mark.parametrize("heading", ["time [hh:mm]", "t (h:min)", "time hh:mm", "t [h]", "Uhrzeit", "clock", "hour"])
def test_a_heading_of_hours_and_minutes_decides_too(heading: str) -> None:
    found = read(heading)
    assert seconds(found, heading) == [60.0 * s for s in IN_SECONDS]
    assert found.preview.clocks == ()


def test_where_no_heading_tells_what_was_assumed_can_be_said_otherwise() -> None:
    found = read("time")
    assert found.preview.clocks == (("time", "0:30"),)
    assert seconds(found, "time") == [60.0 * s for s in IN_SECONDS]
    other = read("time", minutes=True)
    assert other.preview.clocks == (("time", "0:30"),)
    assert seconds(other, "time") == IN_SECONDS


def test_parts_of_seconds_tell_and_so_do_dates_beside() -> None:
    assert seconds(read("time", ("0:30.5", "1:00.0", "1:30.25")), "time") == [30.5, 60.0, 90.25]
    dated = data_files.parse(b"date;time;T\n2024-05-01;00:30;1.5\n2024-05-02;01:30;2.5\n2024-05-03;02:30;3.5\n", "x.csv")
    assert dated.preview.clocks == ()


def test_times_of_three_parts_and_missing_ones_stay() -> None:
    assert read("t [mm:ss]", ("00:00:30", "00:01:30")).table.texts["t [mm:ss]"] == ("00:00:30", "00:01:30")
    assert seconds(read("t [mm:ss]", ("0:30", "n.d.", "1:30")), "t [mm:ss]") == [30.0, None, 90.0]
