"""Lines below the names that say how columns are written are no units; words for nothing have no decimal point."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files import data_files
from bayescope.engine.problem.data.files.data_files import DataFile


def read(*lines: str) -> DataFile:
    return data_files.parse("\n".join([*lines, ""]).encode(), "measured.csv")


GAUGE = (
    "# U.S. Geological Survey",
    "agency_cd\tsite_no\tdatetime\t69928_00060_00003\t69928_00060_00003_cd",
    "5s\t15s\t20d\t14n\t10s",
    *(f"USGS\t01646500\t2020-01-0{day}\t{1400 + 100 * day}\t{'A' if day != 3 else 'P'}" for day in range(1, 7)),
)


def test_the_codes_of_a_gauge_are_left_out_and_said() -> None:
    found = read(*GAUGE)
    assert list(found.table.columns) == ["site_no", "69928_00060_00003"]
    assert len(found.table.columns["site_no"]) == 6
    assert "Line 3 (“5s 15s 20d 14n 10s”) is left out: it says how the columns are written." in found.preview.notes


@pytest.mark.parametrize(
    "line", ["F8.3,E12.4", "float,float", "int64,float64", "<dbl>,<dbl>", "-----,------", "===,====", "double,date", "10n,14n"]
)
def test_a_rule_or_formats_below_the_names_are_no_units(line: str) -> None:
    found = read("t,flow", line, "1,15.5", "2,16.5", "3,17.5")
    assert found.table.columns == {"t": (1.0, 2.0, 3.0), "flow": (15.5, 16.5, 17.5)}
    assert found.preview.row_count == 3


def test_units_beside_a_rule_stay_units() -> None:
    for between in (("s;m3/s", "---;---"), ("---;---", "s;m3/s")):
        assert list(read("t;flow", *between, "1;15.5", "2;16.5", "3;17.5").table.columns) == ["t (s)", "flow (m3/s)"]


@pytest.mark.parametrize("second", ["A1,D2", "s,m", "time,text", "1d,7d", "10s,20s"])
def test_words_below_the_names_that_are_no_formats_go_to_them(second: str) -> None:
    found = read("x,flow", second, "1,15.5", "2,16.5", "3,17.5")
    assert list(found.table.columns) == [f"x ({second.split(',')[0]})", f"flow ({second.split(',')[1]})"]


@pytest.mark.parametrize("word", ["n.d.", "n. d.", "n.a.", "N.A.", "k.A.", "k. A.", "n.b.", "n.v.", "k.W."])
@pytest.mark.parametrize("sign", [";", "\t"])
def test_a_word_for_nothing_among_decimal_commas_is_a_missing_value(word: str, sign: str) -> None:
    found = read(f"Zeit{sign}Gehalt", *(f"{k}{sign}{cell}" for k, cell in enumerate(("1,5", "2,25", word, "0,75"), 1)))
    assert found.table.columns["Gehalt"] == (1.5, 2.25, None, 0.75)
    assert found.preview.missing == f"1 cell missing (1 “{word}”)"


@pytest.mark.parametrize("word", ["b.d.l.", "b. d. l.", "bdl", "BLQ", "BQL", "u.B.", "u. BG", "u.NWG", "n.n.", "<LOD"])
def test_below_detection_among_decimal_commas_is_said_to_be_a_limit(word: str) -> None:
    found = read("Zeit;Gehalt", "1;1,5", "2;2,25", f"3;{word}", "4;0,75")
    assert found.table.columns["Gehalt"] == (1.5, 2.25, None, 0.75)
    assert f"gives a limit only (“{word}”)" in " ".join(found.preview.notes)


def test_a_decimal_point_among_decimal_commas_is_still_said() -> None:
    with pytest.raises(data_files.DataFileError, match="a decimal point"):
        read("Zeit;Gehalt", "1;1,5", "2;2.25", "3;n.d.", "4;0,75")
