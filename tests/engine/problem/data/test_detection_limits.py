"""<0.05, <LOD and > 200 are limits and no values: they are left out with their count, or count as half the limit."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import DataFile, Options, parse_with
from bayescope.engine.problem.data.tables.limit_cells import Limit, limit_in


def proposed(text: str, **options: bool) -> DataFile:
    return parse_with(text.encode(), "water.csv", Options(missing=None, named=True, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cell", "limit"),
    [
        ("<0.05", Limit(True, 0.05)), ("< 0.05", Limit(True, 0.05)),
        ("≤0.05", Limit(True, 0.05)), ("<=0.05", Limit(True, 0.05)),
        ("<0.05 mg/L", Limit(True, 0.05)), ("< 5 %", Limit(True, 5.0)), ("> 200", Limit(False, 200.0)),
        (">1e5", Limit(False, 1e5)),
        ("<LOD", Limit(True)), ("< LOQ", Limit(True)), ("<LOD (0.05)", Limit(True, 0.05)), ("<MDL", Limit(True)),
        ("BDL", Limit(True)), ("b.d.l.", Limit(True)), ("below detection limit", Limit(True)), ("< LOD", Limit(True)),
        ("n.n.", Limit(True)), ("<NWG", Limit(True)), ("unter Bestimmungsgrenze", Limit(True)), ("not detected", Limit(True)),
        (">ULOQ", Limit(False)), ("0.05", None), ("", None), ("-", None), ("<", None), ("< five", None), ("5-14", None),
        ("n.d.", None), ("~5", None), ("<https://a.b>", None),
    ],
)  # fmt: skip
def test_cells_that_give_a_limit(cell: str, limit: Limit | None) -> None:
    assert limit_in(cell) == limit


WATER = "well;depth;As (µg/L)\nA;1;3,1\nB;2;<0,5\nC;3;<LOD\nD;4;>200\nE;5;7,5\n"


def test_limits_are_left_out_and_it_is_said_how_many() -> None:
    found = proposed(WATER)
    assert found.table.columns["As (µg/L)"] == (3.1, None, None, None, 7.5)
    assert found.preview.notes[0] == "Column “As (µg/L)”: 3 of 5 cells give a limit only (“<0,5”, “<LOD”, “>200”): left out."
    assert found.preview.missing == ""


def test_half_the_limit_is_taken_where_one_is_said() -> None:
    found = proposed(WATER, half_limits=True)
    assert found.table.columns["As (µg/L)"] == (3.1, 0.25, None, None, 7.5)
    assert found.preview.notes[0].endswith("(“<0,5”, “<LOD”, “>200”): 1 taken as half the limit, 2 left out.")


@pytest.mark.parametrize("first", ["<0.5", "> 200", "<LOD"])
def test_a_limit_in_the_first_or_the_most_rows_makes_no_text_and_no_heading_of_a_column(first: str) -> None:
    found = proposed(f"t,c\n0,{first}\n1,{first}\n2,{first}\n3,2.5\n")
    assert found.table.columns == {"t": (0.0, 1.0, 2.0, 3.0), "c": (None, None, None, 2.5)}
    bare = proposed(f"0 {first}\n1 2.5\n2 {first}\n3 2.5\n")
    assert list(bare.table.columns.values()) == [(0.0, 1.0, 2.0, 3.0), (None, 2.5, None, 2.5)]


def test_limits_among_values_with_errors() -> None:
    found = proposed("t;c\n0;1,2 ± 0,1\n1;<0,5\n2;1,4 ± 0,2\n")
    assert found.table.columns["c"] == (1.2, None, 1.4)
    assert found.table.columns["c sd"] == (0.1, None, 0.2)


def test_classes_of_ages_stay_labels() -> None:
    found = proposed("age;cases\n<5;3\n5-14;7\n15-64;9\n>64;4\n")
    assert found.table.texts["age"] == ("<5", "5-14", "15-64", ">64")
    assert found.preview.censored == ()


def test_other_words_among_numbers_are_still_said() -> None:
    with pytest.raises(Exception, match="Line 3"):
        proposed("t,c\n0,1.5\n1,~2\n2,<0.5\n3,4.5\n4,5.5\n")
