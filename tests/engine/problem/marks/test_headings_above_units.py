"""A click on a name that stands above a row of units, a rule or more of the names, or on the unit, offers its one column."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.marks import Mark

BARE = "run\n  Time Depth Flow\n  s m m3/s\n  0.0 1.5 2.5\n  1.0 1.6 2.6\n"
FEWER = (
    "run\n   Node      Demand      Head  Pressure\n                gpm        ft       psi\n"
    " ------------------------------------\n"
    "   1          150.0     985.2    119.26\n   2          250.0     975.2    109.26\n"
)
RULED = (
    "run\n Depth   Velocity  Stress\n ------  --------  ------\n m       m/s       Pa\n ------  --------  ------\n"
    " 1.0     0.5       2.5\n 2.0     0.7       2.8\n"
)
PHRASES = (
    "Results\n  Step   Load   Disp at tip   Stress max\n         kN     mm            MPa\n"
    "  1      10.0   0.5           100.5\n  2      20.0   1.0           201.0\n"
)
STACKED = (
    "run\n            Surface     Bottom\n  time      temp        temp\n"
    "    1        2.5          3.5\n    2        3.5          4.5\n"
)
CASES = [
    (BARE, "Depth", (1.5, 1.6)), (BARE, "m3/s", (2.5, 2.6)),
    (FEWER, "Head", (985.2, 975.2)), (FEWER, "psi", (119.26, 109.26)),
    (RULED, "Velocity", (0.5, 0.7)), (RULED, "Pa", (2.5, 2.8)), (PHRASES, "Load", (10.0, 20.0)), (PHRASES, "tip", (0.5, 1.0)),
    (PHRASES, "MPa", (100.5, 201.0)), (STACKED, "Surface", (2.5, 3.5)), (STACKED, "Bottom", (3.5, 4.5)),
    (STACKED, "time", (1, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "clicked", "values"), CASES)
@pytest.mark.parametrize("drag", [False, True])
def test_one_name_or_unit_takes_its_column(text: str, clicked: str, values: tuple[float, ...], drag: bool) -> None:
    at = text.index(clicked)
    mark = Mark(text, at if drag else at + 1, at + (len(clicked) if drag else 1))
    assert mark.first() == "column"
    assert [p.values for p in mark.offers("column")[0].proposals] == [values]


@pytest.mark.parametrize(
    ("text", "first", "last", "names"),
    [
        (BARE, "Depth", "Flow", ("Depth", "Flow")), (FEWER, "Demand", "Head", ("Demand", "Head")),
        (RULED, "m ", "m/s", ("Depth", "Velocity")), (PHRASES, "Load", "tip", ("Load", "Disp at tip")),
        (STACKED, "Surface", "Bottom", ("Surface temp", "Bottom temp")),
    ],
)  # fmt: skip
def test_a_drag_over_several_names_takes_these_columns(text: str, first: str, last: str, names: tuple[str, ...]) -> None:
    at = text.index(first)
    mark = Mark(text, at, text.index(last, at) + len(last))
    assert mark.first() == "column"
    assert mark.offers("column")[0].names == names


@pytest.mark.parametrize("word", ["Flow", "results", "pump and"])
def test_a_title_that_has_the_names_in_it_takes_the_table(word: str) -> None:
    text = "run\n Flow results of pump and valve\n time   pump   valve\n 0      2.5    3.5\n 2      3.5    4.5\n"
    at = text.index(word) + 2
    assert Mark(text, at, at).first() == "table"
