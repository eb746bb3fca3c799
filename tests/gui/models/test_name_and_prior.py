"""A name and what is known of a number are typed in one field."""

from __future__ import annotations

import pytest

from bayescope.gui.models.simulator.numbers.name_and_prior import name_and_prior, several_typed


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


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("dispersivity between 0.0005 and 0.0060 m", ("dispersivity", "between 0.0005 and 0.0060 m")),
        ("dispersivity from 1 to 2 m", ("dispersivity", "from 1 to 2 m")),
        ("disp 0.7 +- 0.15", ("disp", "0.7 +- 0.15")),
        ("disp lies between 1 and 2", ("disp", "between 1 and 2")),
        ("eps shell 0 to 1", ("eps shell", "0 to 1")),
        ("rho 2450 to 2850 kg/m3", ("rho", "2450 to 2850 kg/m3")),
        ("uniform(low=0, high=1)", ("P", "uniform(low=0, high=1)")),
        ("k2 to k3", ("k2 to k3", "")),
    ],
)
def test_the_words_of_a_letter_are_a_name_and_a_prior(typed: str, found: tuple[str, str]) -> None:
    assert name_and_prior(typed, "P") == found


def test_behind_a_prior_the_unit_of_the_number_may_stand_whatever_it_is() -> None:
    assert name_and_prior("x 1 to 2 flurbs", "P", "flurbs") == ("x", "1 to 2 flurbs")


@pytest.mark.parametrize(
    ("typed", "count", "found"),
    [
        ("epsK = 100 to 135, sig = 3.3 to 3.5, nrep", 3, ["epsK = 100 to 135", "sig = 3.3 to 3.5", "nrep"]),
        ("a, uniform(0, 1), c = N(3, 4)", 3, ["a", "uniform(0, 1)", "c = N(3, 4)"]),
        ("k = 0,5 to 0,7, m", 2, ["k = 0,5 to 0,7", "m"]),
        ("k = 5 ± 1, at least 2, m", 2, ["k = 5 ± 1, at least 2", "m"]),
        ("k,m,-", 3, ["k", "m", "-"]),
        ("k, m, n", 2, ["k", "m", "n"]),  # refused as too many
    ],
)
def test_commas_part_what_is_typed_for_several_numbers_but_not_inside_a_prior(typed: str, count: int, found: list[str]) -> None:
    assert several_typed(typed, count) == found
