"""A name and what is known of a number are typed in one field."""

from __future__ import annotations

import pytest

from bayescope.gui.models.simulator.numbers.name_and_prior import name_and_prior


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("C_CI", ("C_CI", "")),
        ("k2", ("k2", "")),
        ("eps shell 2", ("eps shell 2", "")),
        ("12", ("12", "")),  # no prior, and no name: it is refused as such
        ("60 to 125", ("P", "60 to 125")),
        ("1 +- 0.08 in 0.7 to 1.3", ("P", "1 +- 0.08 in 0.7 to 1.3")),
        ("log-uniform 5 to 600", ("P", "log-uniform 5 to 600")),
        ("uniform(0, 1)", ("P", "uniform(0, 1)")),
        ("C = 60 to 125", ("C", "60 to 125")),
        ("= 60 to 125", ("P", "60 to 125")),
        ("K ~ log-uniform 5 to 600", ("K", "log-uniform 5 to 600")),
        ("K log-uniform 5 to 600", ("K", "log-uniform 5 to 600")),
        ("eps shell: 0 to 1", ("eps shell", "0 to 1")),
        ("k: nonsense", ("k", "nonsense")),  # said to be one: it is refused as such
    ],
)
def test_a_name_a_prior_or_both(typed: str, found: tuple[str, str]) -> None:
    assert name_and_prior(typed, "P") == found
