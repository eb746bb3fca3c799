"""Printed digits follow the answer's accuracy."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayescope.engine.answer.digits import (
    correlation,
    decimals_for,
    of_intervals,
    own_step,
    plain,
    resolution,
    rough,
    sd_step,
    typeset,
    with_error,
)
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.answer.surrogate_peak import PeakCheck
from bayescope.engine.problem.numbers.shown_digits import raised
from bayescope.engine.problem.transforms import ParameterSpace

SPACE = ParameterSpace.from_bounds(["a"], [-np.inf], [np.inf], [-1.0], [1.0])


def shown(sd: float, relative_error: float) -> int:
    """Significant digits of ``sd`` as printed."""
    text = plain(sd, resolution(sd, relative_error))
    return len(re.sub(r"^0+|\.", "", re.sub(r"^0\.0*", "", text)))


def test_the_sd_has_two_significant_digits_and_the_mean_the_same_decimals() -> None:
    assert [plain(v, 0.0567) for v in (1.23456, 0.0567)] == ["1.235", "0.057"]
    assert [typeset(v, 12.3) for v in (-4321.0, 12.3)] == ["−4321", "12"]


@given(st.floats(1e-3, 1e4), st.floats(0.0, 0.09))
def test_an_answer_known_to_a_tenth_of_its_sd_shows_two_digits_of_it(sd: float, error: float) -> None:
    assert decimals_for(resolution(sd, error)) == 1 - math.floor(math.log10(sd))


@given(st.floats(1e-3, 1e4), st.floats(1.0, 1e6))
def test_however_little_is_known_the_last_digit_is_a_third_of_the_sd_at_most(sd: float, error: float) -> None:
    unit = 10.0 ** -decimals_for(resolution(sd, error))
    assert 0.99 * sd / 34 < unit < 1.01 * sd / 3
    assert plain(sd, resolution(sd, error)) not in ("0", "0.0", "0.00", "0.000")


def test_few_draws_or_a_poor_surrogate_cost_digits() -> None:
    rng = np.random.default_rng(0)
    mixture = ([1.0], np.zeros((1, 1)), np.eye(1)[None])
    many = StoredPosterior(SPACE, *mixture, rng.normal(size=(8000, 1)), None, "draws")
    few = StoredPosterior(SPACE, *mixture, rng.normal(size=(30, 1)), None, "draws")
    poor = StoredPosterior(SPACE, *mixture, evidence_sd=0.7)
    sure = StoredPosterior(SPACE, *mixture, evidence_sd=0.03)
    assert np.isclose(many.relative_error, 8000**-0.5)
    assert [decimals_for(float(p.resolution()[0] / p.sd()[0]) * 0.5) for p in (many, sure, few, poor)] == [2, 2, 2, 1]
    assert shown(0.57, many.relative_error) == 2
    assert shown(0.57, few.relative_error) == 1
    assert shown(0.57, poor.relative_error) == 1


def test_the_ends_of_a_narrow_interval_are_told_apart_and_share_their_decimals() -> None:
    step = of_intervals([(1.2341, 1.2359)], 0.5, 0.5)
    assert plain(1.2341, step) != plain(1.2359, step)
    coarse = of_intervals([(1.0, 2.0)], 0.3, 3.0)
    assert [plain(v, coarse) for v in (1.0, 2.0)] == ["1.0", "2.0"]


def test_a_skew_interval_that_begins_near_a_bound_shows_two_digits_of_each_end() -> None:
    """The newcomer's: 50 to 95 % intervals of a log-uniform size all began with the prior's limit."""
    step, wide = 100_000.0, 95_000.0
    ends = [10_520.0, 11_340.0, 13_700.0, 62_300.0, 105_500.0]
    assert [plain(v, own_step(v, step, wide)) for v in ends] == ["11000", "11000", "14000", "62000", "110000"]
    assert plain(0.0031, own_step(0.0031, 1.0, 4.2)) == "0.003", "no finer than the width tells"
    assert plain(-3.2, own_step(-3.2, 0.5, 6.4)) == plain(-3.2, 0.5), "never coarser than the answer's accuracy"
    assert own_step(0.0, 0.5, 0.0) == 0.5


def test_there_is_no_minus_zero() -> None:
    assert plain(-0.001, 0.5) == "0.00"
    assert typeset(-0.001, 0.5) == "0.00"


def test_rough_sizes_have_two_digits_and_no_powers_of_ten():
    cases = {0.314159: "0.31", 2.0: "2", 137.2: "140", 98765.0: "99000", 3e9: "over a million", 1e-9: "less than 0.001"}
    assert {value: rough(value) for value in cases} == cases
    assert rough(float("nan")) == "an unknown amount"


def test_a_correlation_of_two_parameters_is_never_written_as_one() -> None:
    said = [correlation(v) for v in (0.18, -0.9949, 0.9989, -0.99997, 1.0, 0.0)]
    assert said == ["+0.18", "-0.99", "+0.999", "-0.999", "+0.999", "+0.00"]


def test_a_number_and_its_error_have_the_same_decimals() -> None:
    """The newcomer's: off by 0.00 ± 0.0042, ELBO -21.92 ± 0.00."""
    assert with_error(0.0049, 0.0042) == "0.0049 ± 0.0042"
    assert with_error(-21.9153, 0.00084) == "-21.91530 ± 0.00084"
    assert with_error(-21.9153, 0.00084, "−") == "−21.91530 ± 0.00084"
    assert with_error(-0.001, 0.2) == "0.00 ± 0.20", "no minus zero"
    assert with_error(3.21, math.nan) == with_error(3.21, 0.0) == "3.21"
    assert with_error(math.nan, 0.1) == "not known"


@given(st.floats(-1e9, 1e9), st.floats(1e-12, 1e9))
def test_however_large_both_are_written_to_the_same_place(value: float, error: float) -> None:
    found = re.fullmatch(r"\(?(-?[0-9.]+) ± ([0-9.]+)(\) × 10\S+)?", with_error(value, error))
    assert found is not None
    assert len({len(part.partition(".")[2]) for part in found.groups()[:2]}) == 1
    assert float(found[2]) > 0.0


def test_powers_of_ten_keep_the_digits_that_tell_intervals_apart() -> None:
    """The newcomer's thermal diffusivity: 90 and 95 % intervals were printed alike in the report."""
    step = 0.017e-5
    written = [plain(v * 1e-5, step) for v in (1.2312, 1.2861, 1.2257, 1.2913)]
    assert written == ["1.231e-05", "1.286e-05", "1.226e-05", "1.291e-05"]
    assert plain(0.017e-5, step) == "1.7e-07"
    assert plain(2_345_678.0, 1200.0) == "2.3457e+06"
    assert [plain(v, 3e6) for v in (0.0, 5.0, 4.4e6)] == ["0", "0", "4.4e+06"]
    assert plain(1.23456e-7, math.nan) == "1.23e-07"


@given(st.floats(-7.0, 7.0), st.floats(0.001, 0.5), st.floats(0.01, 0.3))
def test_the_terminal_and_the_report_show_the_digits_of_the_window(power: float, relative: float, gap: float) -> None:
    value, step = 10.0**power, relative * 10.0**power
    here, there = plain(value, step), plain(value * (1.0 + gap), step)
    window = [typeset(v, step).partition(" × ")[0] for v in (value, value * (1.0 + gap))]
    assert (here == there) == (window[0] == window[1]) or "10" in typeset(value, step)[-4:]
    assert abs(float(here) - value) <= 0.51 * 10.0 ** -decimals_for(step)


@pytest.mark.parametrize(
    ("value", "error", "words"), [(-239.39, 140.0, "-240 ± 140"), (1.23456, 30.0, "1 ± 30"), (12345.6, 2.0, "12345.6 ± 2.0")]
)
def test_a_value_is_told_no_finer_than_its_error(value: float, error: float, words: str) -> None:
    assert with_error(value, error) == words
    run = PeakCheck(5, value, error, value, 0.0, "")
    assert f"{words} predicted" in run.words("run")


def test_powers_of_ten_are_written_as_such_in_the_window() -> None:
    assert raised("about 1.933e-09") == "about 1.933 × 10⁻⁹"
    assert raised("2e+06, 0.3, e5, 12") == "2 × 10⁶, 0.3, e5, 12"


def test_a_standard_deviation_has_two_digits_of_its_own_however_roughly_the_answer_is_known() -> None:
    step = resolution(834.0, 0.3)
    assert plain(11130.0, step) == "11100"
    assert plain(834.0, sd_step(834.0, step)) == "830"
    assert sd_step(math.nan, 2.0) == 2.0
