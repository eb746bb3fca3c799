"""Headings that begin with a digit, 2theta, 10min and 5 cm, mean their columns wherever they are clicked."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.marks import Mark

ALIGNED = """# pattern
  2theta     I_calc     I_bg
 10.000     102.50     3.10
 10.500     104.10     3.20
"""
SHIFTED = "well  10min  20min  30min\n1  0.31  0.32  0.33\n2  0.30  0.31  0.33\n3  0.29  0.30  0.32\n"
COMMAS = "day,5 cm,10 cm,20 cm\n1,0.31,0.32,0.33\n2,0.30,0.31,0.33\n3,0.29,0.30,0.32\n"
DEPTHS = """ SOIL MOISTURE
  Depth      5 cm     10 cm
    1      0.31     0.32
    2      0.30     0.31
"""


WORDS = "time (h),Theta 5 cm,Theta 20 cm\n2,0.31,0.32\n4,0.30,0.31\n6,0.29,0.30\n"


@pytest.mark.parametrize(
    ("text", "source", "name", "first"),
    [
        (ALIGNED, "o.txt", "2theta", 10.0), (SHIFTED, "o.txt", "10min", 0.31), (SHIFTED, "o.txt", "30min", 0.33),
        (COMMAS, "o.csv", "5 cm", 0.31), (COMMAS, "o.csv", "20 cm", 0.33), (DEPTHS, "o.txt", "5 cm", 0.31),
        (DEPTHS, "o.txt", "10 cm", 0.32), (DEPTHS, "o.txt", "Depth", 1.0),
        (WORDS, "o.csv", "Theta 5 cm", 0.31), (WORDS, "o.csv", "Theta 20 cm", 0.32),
    ],
)  # fmt: skip
def test_a_click_on_any_of_its_characters_means_the_column(text: str, source: str, name: str, first: float) -> None:
    for at in range(text.index(name), text.index(name) + len(name) + 1):
        mark = Mark(text, at, at, source)
        assert mark.first() == "column"
        offer = mark.offers("column")[0]
        assert (offer.names, offer.proposals[0].values[0]) == ((name,), first)


def test_numbers_with_units_in_every_row_are_results() -> None:
    text = "a  0.5 cm  0.7 cm\nb  0.6 cm  0.8 cm\nc  0.4 cm  0.9 cm\n"
    mark = Mark(text, text.index("0.7"), text.index("0.7"))
    assert mark.first() == "number"
    assert mark.offers("number")[0].proposals[0].values == (0.7,)


def test_a_text_that_comes_again_at_the_end_without_rows_is_no_fault() -> None:
    text = "Step  a  b\nJ-1 1.5 **** 3\n1 2.5 3.5\n1,5;2,5\nNaN 1 2\nStep  a  b"
    mark = Mark(text, 0, 0)
    assert all(offer.proposals for scope in mark.scopes for offer in mark.offers(scope))
