"""Numbers that count from far away keep their decimals; others are shown as short as before."""

from __future__ import annotations

import math

import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.files.data_files import Options, parse_with
from bayescope.engine.problem.data.rows.comparison import compare_match, keys_shown
from bayescope.engine.problem.numbers.shown_digits import among, digits_among, in_full, rounded_among

DAYS = (2457000.51234, 2457000.98765, 2457001.512346)


@pytest.mark.parametrize(("value", "text"), [
    (2457000.51234, "2457000.51234"), (2457000.512345, "2457000.512345"), (1 / 3, "0.333333333333"), (0.1 + 0.2, "0.3"),
    (1.0, "1"), (1e9, "1000000000"), (-2457000.5, "-2457000.5"), (2.5e-7, "2.5e-07"), (123456789.125, "123456789.125"),
])  # fmt: skip
def test_a_measured_number_is_shown_in_full(value: float, text: str) -> None:
    assert in_full(value) == text


def test_numbers_beside_each_other_are_told_apart() -> None:
    assert [among(v, DAYS) for v in DAYS] == ["2457000.51234", "2457000.98765", "2457001.51235"]
    assert among(1.23456789, (1.0, 2.0)) == "1.23457"
    assert among(2457000.51234, (2457000.51234,)) == "2457000.51234"
    assert among(0.5, (0.5,)) == "0.5"
    assert digits_among((1e300, math.nan, None)) == 12
    assert digits_among(()) == 6
    assert rounded_among(2457000.512345678, (2457000.51, 2457000.52), 4) == pytest.approx(2457000.51235, abs=1e-5)


def test_julian_dates_keep_all_digits_when_read_subtracted_and_shown() -> None:
    rows = "\n".join(f"{t};{k}" for k, t in enumerate(("2457000.51234", "2457000.987654", "2457001.5123456")))
    data = parse_with(f"BJD;flux\n{rows}\n".encode(), "a.csv", Options(named=True)).table
    assert data.columns["BJD"] == (2457000.51234, 2457000.987654, 2457001.5123456)
    match = d.Match(output="f", column="flux", key_output="t", key_column="BJD", key_offset=2457000.0)
    assert keys_shown(match, data) == ["2457000.51234", "2457000.987654", "2457001.5123456"]
    near = [0.51234, 0.987654, 1.5123456]
    found = compare_match(match, data, {"f": [1.0, 2.0, 3.0], "t": near})
    assert list(found.prediction) == [1.0, 2.0, 3.0]
    shifted = compare_match(d.Match(output="t", column="BJD", offset=2457000.0), data, {"t": near})
    assert max(abs(shifted.prediction - shifted.data)) < 1e-9
