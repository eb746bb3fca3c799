"""What remarks in input files say of where a number may lie."""

from __future__ import annotations

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.models.parameters import around
from bayescope.gui.models.simulator.numbers.remarked_range import first_prior, without_range

RANGES = [
    ("k = 1.4   # 0.5 to 2", "1.4", (0.5, 2.0)),
    ("k = 1.4   # W/(m K), between .5 and 2", "1.4", (0.5, 2.0)),
    ("k = 1.4   # conductivity (0.5 - 2.0) W/(m K)", "1.4", (0.5, 2.0)),
    ("k = 1.4   # conductivity [0.5, 2]", "1.4", (0.5, 2.0)),
    ("k = 1.4   # 0.5-2.0, guess", "1.4", (0.5, 2.0)),
    ("k = 1.4   # 0.5..2 W/(m K)", "1.4", (0.5, 2.0)),
    ("k = 1.4   # from 0.5 W/m to 2 W/m", "1.4", (0.5, 2.0)),
    ("k = 1.4   # min 0.5, max 2", "1.4", (0.5, 2.0)),
    ("k = 1.4   # 0.5 \u2013 2", "1.4", (0.5, 2.0)),
    ("k = 1.4   # 0.5 < k < 2", "1.4", (0.5, 2.0)),
    ("d = 104  ! film thickness, nm (80..140)", "104", (80.0, 140.0)),
    ("T = -5.0  ; degC, -20 to 3", "-5.0", (-20.0, 3.0)),
    ("double k = 4.0e-3; // 1e-3 to 1e-2 W/(m K)", "4.0e-3", (1e-3, 1e-2)),
]


@pytest.mark.parametrize(("line", "number", "ends"), RANGES)
def test_a_range_in_a_remark_is_the_first_prior(line: str, number: str, ends: tuple[float, float]) -> None:
    at = line.index(number)
    assert first_prior(line, at, at + len(number), float(number)) == d.Uniform(low=ends[0], high=ends[1])


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        ("I0   1.0E-09  ! saturation current  [A]   ??? could be anything, 1e-12..1e-6", (1e-12, 1e-6)),
        ("k = 1.0E-09   # 1e-10 to 1e-7", (1e-10, 1e-7)),
    ],
)
def test_a_positive_range_over_three_decades_and_more_is_one_of_logarithms(line: str, ends: tuple[float, float]) -> None:
    at = line.index("1.0E-09")
    assert first_prior(line, at, at + 7, 1e-9) == d.LogUniform(low=ends[0], high=ends[1])


@pytest.mark.parametrize("says", ["log-uniform", "loguniform", "on a log scale", "uniform in log", "logarithmically uniform"])
def test_a_range_that_is_said_to_be_one_of_logarithms_is_one(says: str) -> None:
    line = f"KSAT  1.25  ! conductivity, cm/h (prior 0.3 to 4, {says})"
    at = line.index("1.25")
    assert first_prior(line, at, at + 4, 1.25) == d.LogUniform(low=0.3, high=4.0)


@pytest.mark.parametrize(
    ("line", "sd"),
    [
        ("k = 2.0   # W/(m K) +- 0.25", 0.25),
        ("k = 2.0   # +/- 10 %", 0.2),
        ("k = 2.0   # \u00b1 10%", 0.2),
        ("k = 2.0   # known as 2.0 +- 0.5", 0.5),
    ],
)
def test_what_stands_behind_plus_and_minus_is_a_standard_deviation(line: str, sd: float) -> None:
    assert first_prior(line, 4, 7, 2.0) == d.Normal(mean=2.0, sd=sd)


@pytest.mark.parametrize(("says", "sd"), [("2.1 +- 0.05", 0.05), ("2.1 \u00b1 5 %", 0.105)])
def test_the_middle_that_a_remark_says_holds_where_the_number_lies_near(says: str, sd: float) -> None:
    assert first_prior(f"k = 2.0   # thickness, {says}", 4, 7, 2.0) == d.Normal(mean=2.1, sd=sd)


@pytest.mark.parametrize(
    "line",
    [
        "k = 2.0   # W/(m K)",
        "k = 2.0   # measured 2011-2014 in lab 3",  # the number does not lie between them
        "k = 2.0   # 3 to 5 in the old deck",
        "k = 2.0   # node 1, 2 and 3",
        "k = 2.0   # 1.5 +- 0.1 in the old deck",  # of another number
        "k = 2.0   # +- 0",
        "k = 2.0   # see run 1-3-2",
        "k = 2.0   # date 2019-03-01",
        "k = 2.0   # 5 to 1",
    ],
)
def test_other_remarks_say_no_range(line: str) -> None:
    assert first_prior(line, 4, 7, 2.0) == around(2.0)


def test_of_several_numbers_on_a_line_no_range_is_told() -> None:
    line = "layer 2.0 3.0   # 1 to 5"
    assert first_prior(line, 10, 13, 3.0) == around(3.0)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("conductivity of the plate, 5 to 40", "conductivity of the plate"),
        ("radius (between 3 and 5)", "radius"),
        ("storativity +- 10 %", "storativity"),
        ("distance from node 1 to the wall", "distance from node 1 to the wall"),
    ],
)
def test_the_range_is_no_part_of_the_name(label: str, name: str) -> None:
    assert without_range(label) == name
