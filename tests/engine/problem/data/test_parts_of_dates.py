"""Year, month and day in columns of their own are one column of dates, unless the program prints one of them as a key."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import DataFile, Options, parse_with


def proposed(text: str, *outputs: str) -> DataFile:
    return parse_with(text.encode(), "weather.csv", Options(missing=None, named=True, outputs=outputs))


@pytest.mark.parametrize(
    "head", ["year;month;day;T", "Jahr;Monat;Tag;T", "YYYY;MM;DD;T", "année;mois;jour;T", "#YY;MM;DD;T", "jaar;maand;dag;T"]
)
def test_parts_of_dates_in_several_languages_are_one_date(head: str) -> None:
    found = proposed(f"{head}\n2024;5;1;15,3\n2024;5;2;13,1\n2024;12;31;12,8\n")
    assert found.table.texts == {"date": ("2024-05-01", "2024-05-02", "2024-12-31")}
    assert found.table.columns == {"T": (15.3, 13.1, 12.8)}
    assert "are one date together, 2024-05-01 in the first row" in found.preview.moments[0]


def test_hours_and_minutes_belong_to_the_date_and_hour_24_to_the_next_day() -> None:
    found = proposed("YY MM DD hh mm WVHT\n2024 5 1 0 50 1.2\n2024 5 1 24 0 1.4\n")
    assert found.table.texts == {"date": ("2024-05-01 00:50", "2024-05-02 00:00")}
    assert found.table.columns == {"WVHT": (1.2, 1.4)}


def test_the_zone_in_a_heading_stays_in_the_name_of_the_date() -> None:
    assert list(proposed("Year (UTC);Month;Day;T\n2024;5;1;15,3\n2024;5;2;13,1\n").table.texts) == ["date (UTC)"]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("%% yyyy mm dd HH MM (UTC)   u   v\n2026 09 07 06 30  1.5 2\n2026 09 07 09 00  1.7 3\n", "2026-09-07 06:30"),
        ("yyyy mm dd HH MM SS u\n2026 9 7 6 30 15 1.5\n2026 9 7 6 30 45 1.7\n", "2026-09-07 06:30:15"),
        ("yyyy mm dd HH MM (UTC) u [m/s] v\n2026 09 07 06 30 1.5 2\n2026 09 07 09 00 1.7 3\n", "2026-09-07 06:30"),
        ("year;doy;hour;u\n2024;60;6;1.5\n2024;61;0;1.7\n", "2024-02-29 06:00"),
        ("Year,Month,Day,Hour,u\n2024,2,29,6,1.5\n2024,3,1,0,1.7\n", "2024-02-29 06:00"),
    ],
)
def test_dates_in_several_columns_are_one_moment_whichever_parts_there_are(text: str, first: str) -> None:
    found = proposed(text)
    ((_, cells),) = found.table.texts.items()
    assert cells[0] == first
    assert any(name.startswith("u") for name in found.table.columns)
    assert f"one date together, {first} in the first row" in found.preview.moments[0]


def test_the_columns_stay_apart_where_the_user_says_so() -> None:
    options = Options(missing=None, named=True, moments=False)
    found = parse_with(b"year;month;day;T\n2024;5;1;15,3\n2024;5;2;13,1\n", "w.csv", options)
    assert list(found.table.columns) == ["year", "month", "day", "T"]
    assert "may be one date together" in found.preview.moments[0]


@pytest.mark.parametrize(
    ("text", "outputs"),
    [
        ("year;month;T\n2024;5;15,3\n2024;6;13,1\n", ()),
        ("year;month;day;T\n2024;2;30;15,3\n2024;2;1;13,1\n", ()),
        ("year;month;day;T\n2024;2,5;1;15,3\n2024;2;1;13,1\n", ()),
        ("year;month;day;T\n1;2;1;15,3\n2;2;1;13,1\n", ()),
        ("year;month;day;T\n2024;5;1;15,3\n2024;5;2;13,1\n", ("day", "T")),
        ("year;month;day\n2024;5;1\n2024;5;2\n", ()),
    ],
)
def test_other_columns_stay_as_they_are(text: str, outputs: tuple[str, ...]) -> None:
    assert "year" in proposed(text, *outputs).table.columns
