"""Sensitivities over a posterior whose parameters depend on each other, in words."""

from __future__ import annotations

from bayescope.engine.answer.sensitivity import Indices
from bayescope.engine.answer.sensitivity_words import sentence


def told(first: list[float], total: list[float]) -> str:
    i = Indices(
        kind="output", name="sero", over="posterior", row=0, place="", known=1.0, sd=1.0,
        first=tuple((v, v, v) for v in first), total=tuple((v, v, v) for v in total),
    )  # fmt: skip
    return sentence(i, ["beta", "gamma", "rho"], {})


def test_what_every_parameter_tells_through_the_others_is_not_called_independent_of_them() -> None:
    said = told([0.95, 0.97, 0.05], [0.005, 0.01, 0.001])
    assert said.startswith("“sero” goes with gamma (.97) and beta (.95). These shares overlap")
    assert "none of them tells more than .10" in said
    assert "no parameter" not in said


def test_what_correlated_parameters_leave_to_each_other_is_not_called_known() -> None:
    """Correlations of .86, -.56 and -.63 let none of three parameters be known from the others."""
    said = told([0.99, 0.74, 0.30], [0.05, 0.01, 0.005])
    assert "known from the others" not in said
    assert "correlated" in said


def test_what_no_parameter_tells_depends_on_none() -> None:
    assert told([0.01, 0.02, 0.0], [0.02, 0.01, 0.0]) == "“sero” depends on no parameter much."


def test_a_large_first_order_is_told_though_the_total_is_between_little_and_some() -> None:
    said = told([0.3, 0.25, 0.52], [0.19, 0.17, 0.05])
    assert said.startswith("“sero” depends on beta (.19) and gamma (.17); it goes with rho (.52) too, which the others tell")
    assert said.endswith("for the most part.")
