"""Large and small numbers are written shortly, and read back as the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayescope.engine.problem.numbers.shown_digits import compact
from bayescope.gui.models.plain import number_of, shown


@pytest.mark.parametrize(("text", "short"), [
    ("210000000000", "2.1e11"), ("2.1e+11", "2.1e11"), ("1e-09", "1e-9"), ("-70000000", "-7e7"), ("1000000", "1000000"),
    ("2457000", "2457000"), ("123456789", "123456789"), ("120", "120"), ("0", "0"), ("0.5", "0.5"), ("1.25e-05", "1.25e-5"),
])  # fmt: skip
def test_noughts_and_signs_of_exponents_are_left_out(text: str, short: str) -> None:
    assert compact(text) == short


@given(st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(-10**14, 10**14).map(float),
                 st.builds(lambda m, e: float(m) * 10.0**e, st.integers(-999, 999), st.integers(0, 18))))  # fmt: skip
def test_every_number_that_is_shown_is_read_back_as_the_same(value: float) -> None:
    assert number_of(shown(value)) == value
