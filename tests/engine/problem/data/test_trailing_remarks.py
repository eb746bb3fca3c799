"""Words behind the numbers of some lines of a table that is parted by blanks."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import DataFileError, Options, parse, parse_with

NUMBERS = ["0.01 16.85", "0.0158 20.70", "0.0251 24.36", "0.0398 27.39", "0.0631 31.49"]


def read(*lines: str) -> tuple[dict[str, tuple[float | None, ...]], dict[str, tuple[str | None, ...]]]:
    table = parse_with("\n".join(lines).encode(), "m.txt", Options()).table
    return dict(table.columns), dict(table.texts)


@pytest.mark.parametrize("heading", ["f/kHz gain/dB   remark", "f/kHz gain/dB"])
@pytest.mark.parametrize("title", [(), ("A. gain source to output, analyser, 5 mV",)])
def test_words_behind_the_numbers_of_single_lines_are_a_column_of_remarks(heading: str, title: tuple[str, ...]) -> None:
    numbers, texts = read(*title, heading, *NUMBERS[:4], f"{NUMBERS[4]}  * hum again", "0.1 31.29")
    assert list(numbers) == ["f/kHz", "gain/dB"]
    assert numbers["gain/dB"] == (16.85, 20.70, 24.36, 27.39, 31.49, 31.29)
    assert texts == {"remark": (None, None, None, None, "* hum again", None)}


def test_a_heading_of_remarks_may_stand_above_none() -> None:
    numbers, texts = read("f/kHz gain/dB remarks", *NUMBERS)
    assert (list(numbers), len(numbers["f/kHz"])) == (["f/kHz", "gain/dB"], 5)
    assert texts == {}


def test_another_number_in_a_line_is_no_remark() -> None:
    with pytest.raises(DataFileError, match=r"Line 3 of m\.txt has 3 cells"):
        read("f/kHz gain/dB", NUMBERS[0], f"{NUMBERS[1]} 7.5", *NUMBERS[2:])


def test_remarks_behind_the_cells_of_single_lines_are_a_column_whatever_separates_the_cells() -> None:
    for mark in (";", ",", "\t", "|"):
        cells = (("nm", "Abs"), ("900", "0.1138"), ("850", "0.1751", "lamp change"), ("800", "0.1634"))
        lines = [mark.join(row) for row in cells]
        numbers, texts = read("Sample: latex 41", *lines)
        assert (list(numbers), texts) == (["nm", "Abs"], {"remark": (None, "lamp change", None)}), mark


def test_remarks_may_stand_below_names_that_a_comment_holds() -> None:
    rows = (" 30 0.5 4", " 40 0.43 4", " 90 1.0 - reference", "160 47.4 6 stray (stop)")
    numbers, texts = read("# SLS, HeNe", "# arm   ratio   u/%", *rows)
    assert list(numbers) == ["arm", "ratio", "u/%"]
    assert texts == {"remark": (None, None, "reference", "stray (stop)")}


def test_cells_of_several_words_are_parted_by_two_blanks_where_single_blanks_make_no_table() -> None:
    rows = ("S1        7.8958     mainland only", "S2        1.7604     island only", "Ss        0.8125     shared")
    numbers, texts = read("Podarcis, 96 loci", "mean of all loci", "", "class     per locus    remark", *rows)
    assert numbers == {"per locus": (7.8958, 1.7604, 0.8125)}
    assert texts == {"class": ("S1", "S2", "Ss"), "remark": ("mainland only", "island only", "shared")}


def test_numbers_parted_by_one_blank_are_not_joined_because_others_are_parted_by_two() -> None:
    numbers, _ = read("a b  c", "1.0 -2.0  3", "1.5 -2.5  4", "1.7 -2.7  5")
    assert list(numbers) == ["a", "b", "c"]


FALLING_WEIGHT = (
    "Falling weight deflectometer   road B 471, km 17.350",
    "plate 300 mm, mean of drops 2-4",
    "",
    " geophone   distance   deflection",
    "              [mm]       [um]",
    "   D1           0         389",
    "   D2         200         318",
    "   D4         450         201    foot on a loose stone?",
    "   D7        1200         ---    cable broken",
    "   D8        1500        66.5",
    "",
    "earth pressure cell EPC-2, under the plate centre:  48.3 kPa",
)


def test_labels_before_the_numbers_remarks_behind_them_and_units_of_the_numbers_alone() -> None:
    numbers, texts = read(*FALLING_WEIGHT)
    assert numbers == {"distance (mm)": (0, 200, 450, 1200, 1500), "deflection (um)": (389, 318, 201, None, 66.5)}
    assert texts["geophone"] == ("D1", "D2", "D4", "D7", "D8")
    assert texts["remark"] == (None, None, "foot on a loose stone?", "cable broken", None)


@pytest.mark.parametrize(
    ("units", "names"),
    [
        ("       (K)        (m)", ["T (K)", "p", "h (m)"]),  # where they stand
        ("(K) (bar) (m)", ["T (K)", "p (bar)", "h (m)"]),  # of all but the labels
    ],
)
def test_units_of_some_columns_go_to_the_names_above_them(units: str, names: list[str]) -> None:
    numbers, texts = read("site   T    p    h", units, "A  280  1.0  3", "B  281  1.1  4", "C  282  1.2  5")
    assert list(numbers) == names
    assert texts["site"] == ("A", "B", "C")


EFFLUENT = (
    "Column K3     effluent fractions, all in mg/L",
    "n.d. = not determined (vial lost)   <x = below reporting limit",
    "",
    "fraction   pore volume     Cl-      Na+    Ca2+",
    "                          mg/L     mg/L    mg/L",
    "  F01          0.625       9.44    22.72    8.44",
    "  F03          0.825      26.67     n.d.    7.54",
    "  F05          1.025      35.31    22.51    9.05",
    "  F07          1.225      35.13    21.33    8.67",
    "  F08          1.325      43.00    22.41   10.39",
    "",
    "* peak overlapped by an unknown, value too high",
)


def test_names_of_several_words_and_units_of_some_columns_without_brackets() -> None:
    numbers, texts = read(*EFFLUENT)
    assert list(numbers) == ["pore volume", "Cl- (mg/L)", "Na+ (mg/L)", "Ca2+ (mg/L)"]
    assert numbers["Na+ (mg/L)"] == (22.72, None, 22.51, 21.33, 22.41)
    assert texts["fraction"] == ("F01", "F03", "F05", "F07", "F08")


BANDS = b"""polarisation,band,f / GHz,u(f) / MHz,note
TM,1,9.410,35,
TM,3,19.649,60,weak feature, may be a box resonance
TM,4,22.276,60,
TE,2,,35,not resolved
TE,3,22.790,60,
"""


@pytest.mark.parametrize("named_first", [True, False])
def test_a_remark_with_an_unquoted_comma_stays_whole_in_the_last_column(named_first: bool) -> None:
    data = BANDS if named_first else b"\n".join(line.partition(b",")[2] for line in BANDS.splitlines())
    found = parse(data, "edges.csv")
    assert found.table.texts["note"] == (None, "weak feature, may be a box resonance", None, "not resolved", None)
    assert list(found.table.columns) == ["band", "f / GHz", "u(f) / MHz"]
    assert "Line 3 has a comma in the last column, “note”: all of it is taken for that column." in found.preview.notes


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"TM,3,19,649,60,weak feature", "Line 3 of edges.csv has 6 cells, the header has 5"),  # a decimal comma
        (b"TM,x,3,19.649,60,weak feature", "Line 3 of edges.csv has 6 cells, the header has 5"),
        (b"TM,3,19.649,60", "Line 3 of edges.csv has 4 cells, the header has 5"),
    ],
)
def test_a_comma_that_may_stand_elsewhere_is_an_error_of_its_line(line: bytes, words: str) -> None:
    lines = BANDS.splitlines()
    with pytest.raises(DataFileError, match=words) as error:
        parse(b"\n".join([*lines[:2], line, *lines[3:]]), "edges.csv")
    assert error.value.line == 3
    assert "take it out" in error.value.suggestion


def test_a_comma_is_not_joined_where_two_last_columns_hold_texts() -> None:
    data = BANDS.replace(b",note", b",by,device").replace(b"35,", b"35,me,").replace(b"60,", b"60,you,")
    data = data.replace(b"TM,", b"TM,X,").replace(b"TE,", b"TE,M,").replace(b"polarisation", b"polarisation,k point")
    with pytest.raises(DataFileError, match=r"Line 3 of edges\.csv has 8 cells, the header has 7"):
        parse(data, "edges.csv")
