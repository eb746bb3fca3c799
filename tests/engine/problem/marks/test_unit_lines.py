"""Headings of two lines: a click in either takes its column, which is called by its name, not by its unit."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.marks.tables.unit_lines import are_units, unit_of_column
from bayescope.gui.models.simulator.outputs.picked_headings import picked_each

# as a program for catchments prints it
TEXT = """Sulzbach / Pegel Untermuehle   area 12.4 km2   period 2022-10-01 - 2023-09-30
water balance: P 1520 mm  PET 1344 mm  Q 480 mm
date             P         Q     S_ur   S_fast   S_slow      head
yyyy-mm-dd    mm/d      mm/d       mm       mm       mm  m a.s.l.
2022-10-01     0.0   0.48630   88.183   0.0263   11.123  412.1678
2022-10-02     3.1   0.48730   87.183   0.0253   11.023  412.1578
2022-10-03     0.2   0.46630   86.183   0.0243   10.123  412.1478
"""


def at(column: int, line: int) -> int:
    """In the middle of the word that ends at the column."""
    return sum(len(one) + 1 for one in TEXT.splitlines()[:line]) + column - 1


@pytest.mark.parametrize("line", [2, 3], ids=["names", "units"])
@pytest.mark.parametrize(
    ("end", "name", "unit"), [(18, "P", "mm/d"), (28, "Q", "mm/d"), (37, "S_ur", "mm"), (65, "head", "m a.s.l.")]
)
def test_a_click_in_either_line_of_a_heading_takes_the_column_by_its_name(line: int, end: int, name: str, unit: str) -> None:
    place = at(end, line)
    mark = Mark(TEXT, place, place, "sulzbach.out")
    assert mark.first() == "column"
    (offer,) = mark.offers("column")[:1]
    assert offer.names == (name,)
    assert len(offer.proposals[0].values) == 3
    assert unit_of_column(mark.selection.block, mark.lines, name) == unit


def test_a_click_in_either_line_over_dates_takes_them_by_their_name() -> None:
    for line in (2, 3):
        mark = Mark(TEXT, at(3, line), at(3, line), "sulzbach.out")
        assert mark.first() == "labels"
        assert mark.offers("labels")[0].names == ("date",)


def test_columns_picked_by_names_and_units_are_named_and_have_units_each_once() -> None:
    mark = Mark(TEXT, 0, 0, "sulzbach.out")
    spans = [(at(28, 2), at(28, 2) + 1), (at(62, 2), at(62, 2) + 4), (at(25, 3), at(25, 3) + 4)]
    found = picked_each(lambda a, b: mark.at(a, b), TEXT, "sulzbach.out", spans, ())
    assert [(f.name, f.unit) for f in found.found] == [("Q", "mm/d"), ("head", "m a.s.l.")]


@pytest.mark.parametrize("sign", [",", "\t", ";"])
def test_units_below_names_are_those_of_separated_columns(sign: str) -> None:
    rows = [["day", "flow", "level"], ["d", "m3/s", "m ü. NHN"], ["0.5", "300.5", "1.5"], ["1.5", "301.5", "1.6"]]
    text = "\n".join(sign.join(row) for row in rows) + "\n"
    for word in ("level", "m ü. NHN"):
        mark = Mark(text, text.index(word) + 1, text.index(word) + 1, "out.csv")
        assert mark.offers("column")[0].names == ("level",)
        assert unit_of_column(mark.selection.block, mark.lines, "level") == "m ü. NHN"


@pytest.mark.parametrize("line", ["yyyy-mm-dd mm/d m a.s.l.", "HH:MM °C [W/m2]", "- s kg/s", "dd.mm.yyyy m ü. NHN", "d m bgl"])
def test_units_forms_of_dates_and_heights_are_units(line: str) -> None:
    assert are_units(line.split())


@pytest.mark.parametrize("line", ["date P Q head", "m a-side", "time depth", "Q head m a.s.l."])
def test_names_are_no_units(line: str) -> None:
    assert not are_units(line.split())


ENSEMBLE = """ STATE POINTS
 state       T      density     pressure      U_conf
            [K]    [kg/m3]        [MPa]    [kJ/mol]
 ---------------------------------------------------
 A1      150.00    1250.00      36.6343    -4.80961
 A2      200.00    1150.00      61.7189    -4.22278
 A3      275.00     950.00      82.0648    -3.26603
"""


@pytest.mark.parametrize("title", [" STATE POINTS\n", "", f"{'mean':>33}\n"], ids=["title", "none", "more of a name"])
@pytest.mark.parametrize(("name", "unit"), [("T", "K"), ("density", "kg/m3"), ("pressure", "MPa"), ("U_conf", "kJ/mol")])
def test_a_column_of_labels_without_a_unit_or_a_title_over_it_hides_no_unit(title: str, name: str, unit: str) -> None:
    text = ENSEMBLE.replace(" STATE POINTS\n", title)
    at_name = text.index(f" {name} " if name != "U_conf" else name) + (name != "U_conf")
    (one,) = picked_each(lambda a, b: Mark(text, a, b, "md.rpt"), text, "md.rpt", [(at_name, at_name + len(name))], ()).found
    assert one.unit == unit


def test_a_word_below_two_names_is_the_unit_of_neither() -> None:
    text = " label  load  strain\n        [kN       ]\n A  1.5  2.5\n B  2.5  3.5\n"
    mark = Mark(text, text.index("load"), text.index("load") + 4, "out.txt")
    assert unit_of_column(mark.selection.block, mark.lines, "load") in ("", "[kN")


LABELLED = """   GAUGES   (MM)

     STAGE       BULGE-A        PLATE      BULGE-B
                U-RADIAL      U-AXIAL     U-RADIAL
        S1      0.410201    -0.306068     0.095118
        S2      1.125855    -0.826565     0.268007
"""


@pytest.mark.parametrize("word", ["BULGE-A", "U-RADIAL"])
def test_names_above_labels_that_come_again_are_those_of_the_columns(word: str) -> None:
    place = LABELLED.index(word) + 2
    mark = Mark(LABELLED, place, place, "sm60.rpt")
    assert mark.first() == "column"
    assert mark.offers("column")[0].names == ("BULGE-A",)
    assert unit_of_column(mark.selection.block, mark.lines, "BULGE-A") == ""
    spans = [(LABELLED.index(name), LABELLED.index(name) + len(name)) for name in ("BULGE-A", "PLATE", "BULGE-B")]
    found = picked_each(lambda a, b: mark.at(a, b), LABELLED, "sm60.rpt", spans, ())
    assert [(f.label, f.unit) for f in found.found] == [("BULGE-A", ""), ("PLATE", ""), ("BULGE-B", "")]


def test_names_below_headings_of_groups_that_are_all_different_stay_names() -> None:
    text = "  case    left   right\n   run       x       y\n     1     0.5     1.5\n     2     0.7     1.9\n"
    place = text.index("x")
    assert Mark(text, place, place, "out.txt").offers("column")[0].names[0].endswith("x")
