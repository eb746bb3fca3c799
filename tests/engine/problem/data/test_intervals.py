"""Confidence intervals beside measured values, in one column of texts or in two columns of limits, are their errors."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.errors.intervals import level_in, limits_only
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.files.data_files import DataFile, Options, parse_with

RATES = (29.0, 15.3, 7.6)
LOWER, UPPER = (23.3, 11.9, 5.0), (34.7, 18.7, 10.2)
SDS = pytest.approx([(b - a) / 3.92 for a, b in zip(LOWER, UPPER, strict=True)], rel=1e-4)


def read(text: str, as_errors: bool = True) -> DataFile:
    return parse_with(text.encode(), "sero.csv", Options(named=True, intervals=as_errors))


@pytest.mark.parametrize("cell", ["{} – {}", "{}-{}", "[{}; {}]", "({}, {})", "{} to {}", "{} — {}", "{}% – {}%", "({},{})"])
def test_an_interval_in_one_cell_is_the_error_of_the_value_beside_it(cell: str) -> None:
    every = zip(("0-4", "5-14", "15-29"), RATES, LOWER, UPPER, strict=True)
    rows = [f"{g}\t{v}\t{cell.format(a, b)}" for g, v, a, b in every]
    found = read("\n".join(["Age group\tAttack rate (%)\t95 % CI", *rows]))
    assert found.table.columns["± Attack rate (%)"] == SDS
    assert found.table.texts == {"Age group": ("0-4", "5-14", "15-29")}
    assert sd_pairs(list(found.table.columns)) == {"Attack rate (%)": "± Attack rate (%)"}
    said = "Column “95 % CI” is taken as the errors of “Attack rate (%)”: standard deviation = (upper − lower) / 3.92."
    assert found.preview.limits == ((said, ""),)


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("95 % CI lower", "95 % CI upper"), ("CI lower", "CI upper"), ("2.5 %", "97.5 %"), ("lcl", "ucl"),
        ("conf.low", "conf.high"),
        ("95% CI lo", "95% CI hi"), ("CI min", "CI max"), ("rate_lower_95", "rate_upper_95"), ("L95", "U95"), ("lwr", "upr"),
        ("lower 95 % limit", "upper 95 % limit"), ("q2.5", "q97.5"),
        ("95 % CI lower (%)", "95 % CI upper (%)"), ("X2.5.", "X97.5."),
    ],
)  # fmt: skip
def test_two_columns_of_limits_are_the_errors_of_the_values(low: str, high: str) -> None:
    rows = [f"{i},{v},{a},{b}" for i, (v, a, b) in enumerate(zip(RATES, LOWER, UPPER, strict=True))]
    found = read("\n".join([f"n,rate,{low},{high}", *rows])).table
    assert list(found.columns) == ["n", "rate", "± rate"]
    assert found.columns["± rate"] == SDS


def test_the_level_is_read_and_where_none_is_said_that_is_said() -> None:
    found = read("n,rate,90 % CI lower,90 % CI upper\n1,5,4,6\n2,6,5,7\n")
    assert found.table.columns["± rate"] == pytest.approx((1 / 1.6449, 1 / 1.6449), rel=1e-4)
    assert "3.29." in found.preview.limits[0][0]
    assert "95 % as no level is said" in read("n,rate,CI lower,CI upper\n1,5,4,6\n2,6,5,7\n").preview.limits[0][0]
    assert (level_in("95 % CI"), level_in("CI (68 %)"), level_in("2.5 %"), level_in("5 %")) == (95.0, 68.0, 95.0, 90.0)
    assert [limits_only(name) for name in ("95 % CI lower", "lower", "rate")] == [True, False, False]


def test_an_interval_that_is_lopsided_about_its_value_is_warned_of() -> None:
    found = read("group\trate\t95 % CI\na\t29.0\t23.3 – 35.5\nb\t0.8\t0.3 – 2.0\n")
    (_, warning), = found.preview.limits
    assert warning.startswith("In 1 of 2 rows the interval is lopsided (0.8 in 0.3 to 2): normal errors are only rough there.")


@pytest.mark.parametrize(
    "text",
    [
        "T lower,T,T upper\n1,2,3\n2,3,4\n",  # three heights
        "year,ages,n\n2020,0-4,5\n2021,5-14,7\n",  # groups, no intervals
        "n,rate,95 % CI lower,95 % CI upper\n1,9,4,6\n2,6,5,7\n",  # a value outside
        "n,min,max\n1,4,6\n2,5,7\n", "n,T (K),min,max\n1,5,4,6\n2,6,5,7\n",
    ],
)  # fmt: skip
def test_what_does_not_say_that_it_is_an_interval_stays(text: str) -> None:
    assert read(text).preview.limits == ()


def test_the_limits_can_be_left_as_they_are_and_go_where_errors_are_given_too() -> None:
    text = "n,rate,95 % CI lower,95 % CI upper\n1,5,4,6\n2,6,5,7\n"
    found = read(text, as_errors=False)
    assert list(found.table.columns) == ["n", "rate", "95 % CI lower", "95 % CI upper"]
    assert found.preview.limits[0][0].endswith("hold intervals of “rate”, left as they are.")
    both = read("n,rate,rate SE,95 % CI lower,95 % CI upper\n1,5,0.5,4,6\n2,6,0.5,5,7\n")
    assert list(both.table.columns) == ["n", "rate", "rate SE"]
    assert both.preview.limits[0][0].endswith("are left out: “rate SE” holds the errors of “rate”.")


def test_a_value_with_its_interval_in_a_gap_is_missing() -> None:
    found = read("group\trate\t95 % CI\na\t29.0\t23.3 – 35.5\nb\tn.r.\tn.r.\nc\t8\t6 – 10\n").table
    assert found.columns["± rate"][1] is None
