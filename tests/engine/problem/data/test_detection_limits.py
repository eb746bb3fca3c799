"""<0.05, <LOD and > 200 are limits and no values: they count as such, or as half the limit, or are left out with their count."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import DataFile, Options, parse_with
from bayescope.engine.problem.data.tables.limit_cells import Limit, limit_in
from bayescope.engine.problem.data.tables.naming_column import split_with_units
from bayescope.engine.problem.data.tables.together import together


def proposed(text: str, **options: str) -> DataFile:
    return parse_with(text.encode(), "water.csv", Options(missing=None, named=True, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cell", "limit"),
    [
        ("<0.05", Limit(True, 0.05)), ("< 0.05", Limit(True, 0.05)),
        ("≤0.05", Limit(True, 0.05, True)), ("<=0.05", Limit(True, 0.05, True)), (">= 7", Limit(False, 7.0, True)),
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


def test_limits_stay_limits_where_they_are_said_and_it_is_said_how_many() -> None:
    found = proposed(WATER)
    assert found.table.columns["As (µg/L)"] == (3.1, None, None, None, 7.5)
    assert found.table.limits == {"As (µg/L)": (None, "<0.5", None, ">200", None)}
    assert found.preview.notes[0] == (
        "Column “As (µg/L)”: 3 of 5 cells give a limit only (“<0,5”, “<LOD”, “>200”): 2 count as lying on that side of it, 1 "
        "left out (the limit is not said)."
    )
    below = proposed("t,c\n0,3.5\n1,<0.5\n2,<=0.7\n3,2.5\n")
    assert below.table.limits == {"c": (None, "<0.5", "<=0.7", None)}
    assert "(“<0.5”, “<=0.7”): they count as lying below it." in below.preview.notes[0]


def test_limits_are_left_out_and_it_is_said_how_many() -> None:
    found = proposed(WATER, limits_taken="out")
    assert found.table.columns["As (µg/L)"] == (3.1, None, None, None, 7.5)
    assert found.table.limits == {}
    assert found.preview.notes[0] == "Column “As (µg/L)”: 3 of 5 cells give a limit only (“<0,5”, “<LOD”, “>200”): left out."
    assert found.preview.missing == ""


def test_half_the_limit_is_taken_where_one_is_said() -> None:
    found = proposed(WATER, limits_taken="half")
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
    assert found.table.limits == {"c": (None, "<0.5", None)}


def test_limits_of_a_column_go_with_it_where_it_is_split_or_named_anew() -> None:
    text = "element,day,mg/L\nAs,1,0.4\nAs,2,<0.1\nCd,1,<0.02\nCd,2,0.3\nAs,3,0.6\nCd,3,>5\n"
    table = split_with_units(proposed(text).table, "element", ["mg/L"])
    named = {name[:2]: name for name in table.columns if name != "day"}
    assert table.limits[named["As"]] == (None, "<0.1", None, None, None, None)
    assert table.limits[named["Cd"]] == (None, None, "<0.02", None, None, ">5")


def test_limits_of_two_tables_below_each_other() -> None:
    one, two = proposed("t,c\n0,1.5\n1,<0.5\n").table, proposed("t,d\n5,<0.7\n6,2.5\n").table
    both = together([one, two], ["first", "second"])
    assert both.limits == {"c": (None, "<0.5", None, None), "d": (None, None, "<0.7", None)}
    again = together([one, one], ["first", "second"], first_too=True)
    assert list(again.limits.values()) == [(None, "<0.5", None, None), (None, None, None, "<0.5")]


def test_lines_that_are_taken_out_take_their_limits_with_them() -> None:
    found = proposed("t,c\n0,1.5\n1,<0.5\n2,4\nuncertainty,0.2\n")
    assert found.table.limits == {"c": (None, "<0.5", None)}
    assert len(found.table.columns["c"]) == 3


def test_classes_of_ages_stay_labels() -> None:
    found = proposed("age;cases\n<5;3\n5-14;7\n15-64;9\n>64;4\n")
    assert found.table.texts["age"] == ("<5", "5-14", "15-64", ">64")
    assert found.preview.censored == ()


def test_other_words_among_numbers_are_still_said() -> None:
    with pytest.raises(Exception, match="Line 3"):
        proposed("t,c\n0,1.5\n1,~2\n2,<0.5\n3,4.5\n4,5.5\n")


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("t,c (mg/L)\n0,1.5\n1,<LOD\n2,2.5\nLOD,0.05\n", "<0.05"),
        ("# LOD: 0.05 mg/L\nt,c (mg/L)\n0,1.5\n1,<LOD\n2,2.5\n", "<0.05"),
        ("t,c (mg/L)\n0,1.5\n1,BDL\n2,2.5\n\ndetection limit 50 ug/L\n", "<0.05"),
        ("t,c (mg/L)\n0,1.5\n1,<LOQ\n2,2.5\n\nLOD 0.05\n", None), ("t,c\n0,1.5\n1,<LOD\n2,2.5\n# LOD: As 0.05, Cd 0.01\n", None),
        ("# Nachweisgrenze 0,05 mg/L\nt;c (mg/L)\n0;1,5\n1;<NWG\n2;2,5\n", "<0.05"),
    ],
)  # fmt: skip
def test_a_limit_that_is_only_named_is_the_one_that_the_file_states(text: str, limits: str | None) -> None:
    found = proposed(text)
    column = next(name for name in found.table.columns if name.startswith("c"))
    assert len(found.table.columns[column]) == 3
    assert found.table.limits.get(column, (None,) * 3)[1] == limits
    (told,) = found.preview.censored
    assert (" = 0.05" in told.words("sides")) == (limits is not None)


def test_each_column_has_its_own_limit_in_a_line_of_limits() -> None:
    found = proposed("t,As,Cd\n0,1.5,<LOD\n1,<LOD,0.3\n2,2.5,0.4\nLOD,0.05,0.01\n")
    assert found.table.limits == {"As": (None, "<0.05", None), "Cd": ("<0.01", None, None)}


def test_a_column_of_limits_alone_is_one_of_numbers_where_they_come_again() -> None:
    found = proposed("t,Hg,c\n0,<0.05,1\n1,<0.05,2\n2,<0.05,4\n")
    assert found.table.columns["Hg"] == (None, None, None)
    assert found.table.limits == {"Hg": ("<0.05", "<0.05", "<0.05")}
    assert not any("no values" in note for note in found.preview.notes)
    classes = proposed("size,share\n<2,10\n<63,30\n<2000,60\n")
    assert classes.table.texts["size"] == ("<2", "<63", "<2000")


OF_SPECIES = "t [h],As [mg/L],Pb [mg/L],Cd [mg/L]\n1,0.5,{0},0.2\n2,0.4,0.3,{0}\n3,{0},0.25,0.1\n4,0.3,0.2,0.1\n"


@pytest.mark.parametrize("line", [
    "# LOD, 0.02, 0.05, 0.01\n", "# LOD: 0.02, 0.05, 0.01\n", "# LOD: As 0.02, Pb 0.05, Cd 0.01 mg/L\n",
    "# Detection limits: As=0.02; Pb=0.05; Cd=0.01\n", "# MDL,0.02,0.05,0.01\n",
    "# method detection limit (mg/L): 0.02 0.05 0.01\n",
])  # fmt: skip
@pytest.mark.parametrize("cell", ["<LOD", "ND", "n.d."])
def test_limits_listed_on_a_line_beside_the_table_are_those_of_the_columns(line: str, cell: str) -> None:
    found = proposed(line + OF_SPECIES.format(cell))
    assert [next(v for v in side if v) for side in found.table.limits.values()] == ["<0.02", "<0.05", "<0.01"]
    assert f"(“{cell}” = 0.02): it counts as lying below it." in found.preview.notes[0]


def test_nd_without_a_limit_is_no_data() -> None:
    assert proposed(OF_SPECIES.format("ND")).table.limits == {}


def test_a_line_with_another_count_of_numbers_is_no_list_of_limits() -> None:
    assert proposed("# LOD and LOQ 0.02, 0.05\n" + OF_SPECIES.format("<LOD")).table.limits == {}


@pytest.mark.parametrize("label", ["LOD", "MDL", "Detection limit", "MDL (mg/L)"])
def test_a_row_of_limits_below_a_blank_line_is_of_the_table_above(label: str) -> None:
    found = proposed(OF_SPECIES.format("<LOD") + f"\n{label},0.02,0.05,0.01\n")
    assert len(found.preview.parts) < 2
    assert [next(v for v in side if v) for side in found.table.limits.values()] == ["<0.02", "<0.05", "<0.01"]
    assert f"Line 7 (“{label}”) is left out: it holds detection limits." in found.preview.notes
