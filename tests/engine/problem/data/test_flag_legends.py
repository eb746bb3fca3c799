"""A file's own legend says what flags mean: in comments, on lines of their own, in attributes, on another sheet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayescope.engine.problem.data.files.data_files import Options, parse_with
from bayescope.engine.problem.data.tables.flag_legends import legend_lines, legend_of
from bayescope.engine.problem.data.tables.quality_flags import all_flags
from bayescope.engine.problem.data.tables.quality_words import speaks_against
from tests.support.sheet_files import xlsx


@pytest.mark.parametrize(("text", "column", "meanings"), [
    ("# Flag: 0 = good, 1 = suspect, 2 = bad\n", "Flag", {"0": "good", "1": "suspect", "2": "bad"}),
    ("# qc_flag 1=ok 4=bad\n", "qc_flag", {"1": "ok", "4": "bad"}),
    ("# Quality flags:\n#  0: good\n#  1: suspect (drift)\n\n1,2\n", "quality", {"0": "good", "1": "suspect (drift)"}),
    ("flag_values = 0b, 1b; flag_meanings = good not_calibrated", "", {"0": "good", "1": "not calibrated"}),
    ("Q: 0 - good; 1 - doubtful, recalibrated\n", "Q", {"0": "good", "1": "doubtful, recalibrated"}),
    ("Note: flags 0 (good), 1 (suspect)", "", {"0": "good", "1": "suspect"}),
    ("A = accepted, R = rejected\n", "", {"A": "accepted", "R": "rejected"}),
])  # fmt: skip
def test_a_legend_is_read(text: str, column: str, meanings: dict[str, str]) -> None:
    found = legend_of(legend_lines(text), [column] if column else [])
    assert {k: dict(v) for k, v in found.items()} == {column.replace("_", " ").casefold(): meanings}


@pytest.mark.parametrize("text", ["T = temperature, k = 2, n = 3\n", "1,2,3\n4,5,6\n", "time = 5 min, good weather\n", ""])
def test_other_lines_are_no_legend(text: str) -> None:
    assert legend_lines(text) == ()


@given(st.text(max_size=300))
def test_any_text_is_read_without_a_fault(text: str) -> None:
    legend_of(legend_lines(text), ["Flag", "T"])


def test_a_legend_below_the_table_says_which_rows_are_good_where_most_are_not() -> None:
    text = "t,u,flag\n1,1.5,4\n2,2.5,4\n3,3.5,1\n4,4.5,4\n\nflag: 1 = ok; 4 = ice on the sensor\n"
    file = parse_with(text.encode(), "x.csv", Options(named=True))
    flags = all_flags(file.table, legend_of(file.preview.legends, ["flag"]))
    assert flags[0].bad == {"4": (1, 2, 4)}
    assert flags[0].meanings["4"] == "ice on the sensor"


def test_numbers_of_a_column_that_the_legend_names_are_flags() -> None:
    text = "# Q: 0 = good, 3 = bad\nt,u,Q\n1,1.5,0\n2,2.5,3\n3,3.5,0\n"
    file = parse_with(text.encode(), "x.csv", Options(named=True))
    assert file.table.texts["Q"] == ("0", "3", "0")


def test_a_legend_on_a_sheet_of_notes_is_read() -> None:
    book = xlsx({"Data": [["t", "u", "flag"], [1, 1.5, 0], [2, 2.5, 2], [3, 3.5, 0]],
                 "Notes": [["Quality flags"], [0, "good"], [2, "pump off"]]})  # fmt: skip
    file = parse_with(book, "x.xlsx", Options(named=True))
    assert legend_of(file.preview.legends, ["flag"])[""] == {"0": "good", "2": "pump off"}


@pytest.mark.parametrize(("text", "against"), [
    ("sensor fault", True), ("unreliable", True), ("instrument fault", True), ("suspect?", True), ("do not use", True),
    ("no fault found", False), ("fault repaired", False), ("windy", False), ("not suspect", False), ("defekt", True),
    ("outlier", True), ("default settings", False),
])  # fmt: skip
def test_a_remark_speaks_against_a_row_or_does_not(text: str, against: bool) -> None:
    assert speaks_against(text) is against
