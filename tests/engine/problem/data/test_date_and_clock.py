"""A column of dates and one of the clock beside it are one moment; a word for no value is a row, and ends no table."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import ALL_PARTS, DataFile, Options, parse_with
from bayescope.engine.problem.data.rows.place_columns import says_place


def proposed(text: str, *outputs: str, joined: bool = True, part: int | None = None) -> DataFile:
    options = Options(missing=None, named=True, outputs=outputs, moments=joined, decimal_comma=True, part=part)
    return parse_with(text.encode(), "dips.csv", options)


@pytest.mark.parametrize(
    "head",
    ["datum;tijd;h", "Date;Time;h", "Fecha;Hora;h", "Datum;Uhrzeit;h", "date;heure;h", "Data;Ora;h", "Date;Time (UTC);h",
     "day;local time;h"],
)  # fmt: skip
def test_date_and_clock_are_one_moment_in_several_languages(head: str) -> None:
    found = proposed(f"{head}\n12-03-2024;23:30;2,25\n13-03-2024;00:15;2,5\n13-03-2024;09:05;2,75\n")
    (cells,) = found.table.texts.values()
    assert cells == ("2024-03-12 23:30", "2024-03-13 00:15", "2024-03-13 09:05")
    assert "are one moment together, 2024-03-12 23:30 in the first row" in found.preview.moments[0]
    assert found.preview.times == tuple(found.table.texts)
    assert not any("midnight" in note for note in found.preview.notes)


def test_a_date_stands_for_the_rows_below_it_and_a_clock_that_goes_back_is_the_next_day() -> None:
    found = proposed("Date;Time;h\n2024-03-12;22:00;2,25\n;23:30;2,4\n;00:30;2,5\n2024-03-14;08:00:30;2,75\n")
    (cells,) = found.table.texts.values()
    assert cells == ("2024-03-12 22:00", "2024-03-12 23:30", "2024-03-13 00:30", "2024-03-14 08:00:30")


def test_that_can_be_undone_and_is_still_said() -> None:
    found = proposed("datum;tijd;h\n12-03-2024;23:30;2,25\n13-03-2024;00:15;2,5\n", joined=False)
    assert tuple(found.table.texts) == ("datum", "tijd")
    assert found.preview.moments == ("Columns “datum” and “tijd” may be one moment together.",)


@pytest.mark.parametrize(
    ("head", "outputs"),
    [("date;elapsed time;h", ()), ("date;duration;h", ()), ("date;time;h", ("date", "time")), ("date;remark;h", ())],
)
def test_durations_and_what_the_program_prints_in_two_stay_apart(head: str, outputs: tuple[str, ...]) -> None:
    found = proposed(f"{head}\n2024-03-12;01:30;2,25\n2024-03-13;02:15;2,5\n", *outputs)
    assert tuple(found.table.texts) == tuple(head.split(";")[:2])


def test_dates_between_hyphens_tell_day_and_month_or_are_asked_about() -> None:
    assert proposed("d;h\n12-03-2024;2,25\n13-03-2024;2,5\n").table.texts["d"] == ("2024-03-12", "2024-03-13")
    asked = proposed("d;h\n12-03-2024;2,25\n11-03-2024;2,5\n").preview.either
    assert asked == (("d", "12-03-2024", "2024-03-12", "2024-12-03"),)
    assert proposed("d;h\n1-2-10;2,25\n13-2-24;2,5\n").table.texts["d"] == ("1-2-10", "13-2-24")


@pytest.mark.parametrize("words", ["n.m.", "n.b.", "not measured", "niet gemeten", "droog", "-"])
@pytest.mark.parametrize("label", ["13-03-2024;00:30", "B7;x"])
def test_a_word_for_the_value_is_a_row_of_the_table(words: str, label: str) -> None:
    first, last = ("12-03-2024;09:20", "13-03-2024;06:45") if ":" in label else ("B6;x", "B8;x")
    text = f"a;b;h;remark\n{first};2,25;\n{label};{words};night, nobody there\n{label};{words};\n{last};2,5;rain\n{last};2,75;\n"
    options = Options(named=True, decimal_comma=True, nothing=frozenset(("droog",)))
    found = parse_with(text.encode(), "dips.csv", options)
    assert found.preview.parts == ()
    assert found.table.columns == {"h": (2.25, None, None, 2.5, 2.75)}


def test_a_new_heading_begins_a_table() -> None:
    found = proposed("a;h\nB6;2,25\nB7;2,5\na;q\nB6;7,5\nB7;8,5\n")
    assert len(found.preview.parts) == 2


def test_tables_of_one_shape_of_which_the_second_has_no_heading_go_below_each_other() -> None:
    found = proposed("a;h;q\n1;2,25;1\n2;2,5;1\n\nby hand at night\n3;7,5;1\n4;8,5;1\n", part=ALL_PARTS)
    assert len(found.preview.parts) == 2
    assert found.table.columns == {"a": (1, 2, 3, 4), "h": (2.25, 2.5, 7.5, 8.5), "q": (1, 1, 1, 1)}


def test_a_depth_alone_beside_moments_was_measured() -> None:
    wells = proposed("datum;tijd;depth_m\n12-03-2024;23:30;2,25\n13-03-2024;00:15;2,5\n").table
    assert not says_place(wells, "depth_m")
    profile = proposed("datum;depth_m;T\n12-03-2024;2;2,25\n13-03-2024;3;2,5\n").table
    assert says_place(profile, "depth_m")
