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
