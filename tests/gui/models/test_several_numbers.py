"""Which numbers under a drag over an input file may be unknown, and what they are called."""

from __future__ import annotations

import pytest

from bayescope.gui.models.simulator.numbers.marked_number import marked_under

FREEFEM = """real kplate = 12.0;      // W/(m K)   conductivity of the plate
real kfoot  = 1.5;       // W/(m K)   conductivity of the foot (2 fillers)
real hair   = 25.0;      // W/(m2 K)
"""
SCHEME = """(define-param r 0.25)        ; radius of the rods
(define-param eps-rod 9.0)   ; dielectric constant of the 1st ceramic
"""
LAYERS = "layer       SiO2    95.0   1.452  0.0035  0.0      # sputtered, 2 targets\n"


@pytest.mark.parametrize(
    ("text", "names", "values"),
    [
        (FREEFEM, ["kplate", "kfoot", "hair"], [12.0, 1.5, 25.0]),
        (SCHEME, ["r", "eps-rod"], [0.25, 9.0]),
        (LAYERS, None, [95.0, 1.452, 0.0035, 0.0]),
        ("beta <- 0.35\ngamma <- 0.1  # per day, 2 weeks\n", ["beta", "gamma"], [0.35, 0.1]),
        ("A = 210.0              ; OLR = A + 2*Ts,  W m-2\nB = 2.0                   ;  W m-2 K-1\n", ["A", "B"], [210.0, 2.0]),
        ("a = 1.0 ; b = 2.0\n", ["a", "b"], [1.0, 2.0]),
        ("#define K 3.0\n#define L 4.0\n", ["K", "L"], [3.0, 4.0]),
        ("# run 1 of 3\nk = 2.5\n! 4 lines\nm = 3.5\n", ["k", "m"], [2.5, 3.5]),
        ("T = @T@\nk = 2.5\nm = 3.5\n", ["k", "m"], [2.5, 3.5]),
        ('{"k": 2.5, "m": 3.5}', ["k", "m"], [2.5, 3.5]),
    ],
)
def test_every_number_outside_of_remarks_is_meant(text: str, names: list[str] | None, values: list[float]) -> None:
    found = marked_under(text, 0, len(text))
    assert [one.number.value for one in found] == values
    if names is not None:
        assert [one.name for one in found] == names


def test_a_drag_means_the_numbers_that_it_touches() -> None:
    start, end = FREEFEM.index("2.0;"), FREEFEM.index(".5;") + 1
    assert [one.number.value for one in marked_under(FREEFEM, start, end)] == [12.0, 1.5]
    at = LAYERS.index("1.452")
    assert [one.number.value for one in marked_under(LAYERS, at, at + 12)] == [1.452, 0.0035]


def test_a_remark_that_is_marked_itself_is_looked_at() -> None:
    """A deck whose program reads what stands behind a sign is marked as any other."""
    at = LAYERS.index("2 targets")
    assert [one.number.value for one in marked_under(LAYERS, at, at + 1)] == [2.0]


MATERIALS = """     1    288   4800.0  0.35 3 0.   asphalt AC 140 mm
   289    672    350.0  0.35 3 0.   crushed stone base 250 mm
   673    960    150.0  0.35 3 0.   frost blanket 360 mm
   961   1824     70.0  0.42 3 0.   subgrade silt
"""


@pytest.mark.parametrize("sloppy", [0, 1])
def test_a_drag_that_ends_below_the_number_in_which_it_began_means_those_between_called_as_their_lines(sloppy: int) -> None:
    found = marked_under(MATERIALS, MATERIALS.index("4800.0") - sloppy, MATERIALS.index("70.0") + 4 + sloppy)
    assert [one.number.value for one in found] == [4800.0, 350.0, 150.0, 70.0]
    assert [one.name for one in found] == ["asphalt_AC", "crushed_stone_base", "frost_blanket", "subgrade_silt"]


def test_a_drag_to_another_column_or_along_a_line_means_all_that_it_touches() -> None:
    found = marked_under(MATERIALS, MATERIALS.index("150.0"), MATERIALS.index("0.42") + 4)
    assert [one.number.value for one in found] == [150.0, 0.35, 3.0, 0.0, 360.0, 961.0, 1824.0, 70.0, 0.42]


def test_the_columns_of_a_table_without_even_places_count() -> None:
    text = "a,1.5,20\nbc,300.25,4\nd,7,1000\n"
    found = marked_under(text, text.index("1.5"), text.index("7,") + 1)
    assert [(one.name, one.number.value) for one in found] == [("a", 1.5), ("bc", 300.25), ("d", 7.0)]
