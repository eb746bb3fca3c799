"""Errors typed as certificates state them, with a coverage factor or a level: the size is the standard uncertainty."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayescope.gui.models.data.errors.error_size import error_size_of, text_of_size
from bayescope.gui.models.data.errors.expanded_size import divided_words


@pytest.mark.parametrize(("text", "size"), [
    ("0.40 (k=2)", "0.2"), ("U = 0.40, k = 2", "0.2"), ("U=0.40 (k=2)", "0.2"), ("0,40 (k=2)", "0.2"), ("0.40 k=2", "0.2"),
    ("k = 2: 0.40", "0.2"), ("±0.40, k = 2", "0.2"), ("0.40 (95 %)", "0.2041"), ("0.40 at 95 %", "0.2041"),
    ("±0.4 95% CI", "0.2041"), ("95 % CI: ±0.4", "0.2041"), ("0.4 (95 % confidence)", "0.2041"), ("0.8 (2σ)", "0.4"),
    ("2 sigma 0.8", "0.4"), ("3 % (k=2)", "1.5 %"), ("U = 0.02 + 3 %, k = 2", "0.01 + 1.5 %"), ("0.4 mm (k=2)", "0.2 mm"),
    ("U95 = 0.4", "0.2041"),
])  # fmt: skip
def test_an_expanded_uncertainty_is_divided_and_that_is_said(text: str, size: str) -> None:
    assert text_of_size(error_size_of(text)) == size
    assert f"the error is {size}." in divided_words(text, size)


@pytest.mark.parametrize("text", [
    "0.4", "95 %", "3 %", "0.01 + 95 %", "5 %, at least 0.2", "95 %, at least 0.2", "0.01 + 3 % in quadrature",
    "3 % of the predicted value",
])  # fmt: skip
def test_what_says_no_coverage_stays_as_it_is(text: str) -> None:
    assert text_of_size(error_size_of(text)) == text
    assert divided_words(text, text) == ""


def test_a_standard_uncertainty_with_its_sign_is_no_expanded_one() -> None:
    assert text_of_size(error_size_of("u = 0.2")) == "0.2"


def test_an_expanded_uncertainty_without_its_factor_is_asked_for_it() -> None:
    with pytest.raises(ValueError, match=r"Write its coverage factor too: U = 0\.4, k = 2"):
        error_size_of("U = 0.4")


@given(st.floats(min_value=1e-6, max_value=1e6), st.sampled_from((1.5, 2.0, 3.0)), st.sampled_from(
    ("{} (k={})", "U = {}, k = {}", "±{} (k = {})", "{}, k={}")))  # fmt: skip
def test_any_size_with_any_factor_is_divided(size: float, k: float, form: str) -> None:
    found = error_size_of(form.format(f"{size:.6g}", f"{k:g}"))
    assert found is not None
    assert found.number == pytest.approx(float(f"{size:.6g}") / k)


@given(st.text(max_size=30))
def test_any_words_are_a_size_or_are_refused_with_words(text: str) -> None:
    with suppress(ValueError):
        error_size_of(text)
