"""Keys of an output that are multiplied, and shifted, before rows are paired by them."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer.likelihood_words import likelihood_words
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.validate import check
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match, unpaired
from bayescope.engine.problem.data.rows.given_cells import given_cells
from bayescope.engine.problem.data.rows.text_keys import code
from bayescope.engine.problem.data.units.unit_scales import conversion
from bayescope.engine.problem.files import dumps, loads

DATA = d.DataTable(columns={"a": (3.3, 3.33, 3.36), "P": (75.0, 66.0, 54.0)})
OUTPUTS = {"Lx": np.array([13.44, 13.2, 13.32]), "P": np.array([53.0, 76.0, 65.0])}
MATCH = d.Match(output="P", column="P", key_output="Lx", key_column="a", key_factor=0.25)


def problem(match: d.Match = MATCH) -> d.Problem:
    return d.Problem(
        name="x", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.CsvColumn(column=n)) for n in ("Lx", "P")),
        meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=1.0)), data=DATA,
    )  # fmt: skip


def changed(**fields: Any) -> d.Match:
    return msgspec.structs.replace(MATCH, **fields)


def test_rows_are_paired_by_the_key_times_its_factor_and_the_curve_is_drawn_over_it() -> None:
    found = compare_match(MATCH, DATA, OUTPUTS)
    assert found.prediction.tolist() == [76.0, 65.0, 53.0]
    assert found.curve_x is not None
    np.testing.assert_allclose(found.curve_x, [3.36, 3.3, 3.33])
    assert given_cells(problem(), OUTPUTS).tolist() == [76.0, 65.0, 53.0]
    with pytest.raises(ComparisonError, match="no row where"):
        compare_match(changed(key_factor=1.0), DATA, OUTPUTS)
    with pytest.raises(ComparisonError, match=r"no row where “Lx × 0[.]5” is 3[.]3"):
        compare_match(changed(key_factor=0.5), DATA, OUTPUTS)


def test_an_offset_is_added_behind_the_factor_and_interpolation_goes_over_the_scaled_key() -> None:
    outputs = {"Lx": np.array([273.15, 373.15]), "P": np.array([0.0, 10.0])}
    data = d.DataTable(columns={"a": (25.0, 50.0), "P": (1.0, 1.0)})
    match = changed(key_factor=1.0, key_offset=-273.15, interpolate=True)
    np.testing.assert_allclose(compare_match(match, data, outputs).prediction, [2.5, 5.0])


@pytest.mark.parametrize(
    ("factor", "said"),
    [(1e6, "1 × 10⁶"), (1e-9, "1 × 10⁻⁹"), (-1e3, "-1000"), (1 / 3, "0.3333333333333333"), (1.23456789e-7, "1.23456789 × 10⁻⁷")],
)
def test_factors_of_every_size_are_said_with_all_their_digits(factor: float, said: str) -> None:
    words = repr(likelihood_words(problem(changed(factor=factor, key_factor=factor)).meaning))
    assert words.count(f"times {said}") == 2, words


def test_a_row_without_a_partner_is_shown_the_nearest_scaled_keys() -> None:
    data = d.DataTable(columns={"a": (3.3, 3.5), "P": (1.0, 1.0)})
    assert [(row.row, row.nearest[:1]) for row in unpaired(MATCH, data, OUTPUTS)] == [(2, (0,))]


def test_labels_are_not_multiplied() -> None:
    data = d.DataTable(columns={"P": (1.0, 2.0)}, texts={"node": ("A1", "B7")})
    outputs = {"node": np.array([code("B7"), code("A1")]), "P": np.array([2.0, 1.0])}
    match = d.Match(output="P", column="P", key_output="node", key_column="node", key_factor=4.0)
    assert compare_match(match, data, outputs).prediction.tolist() == [1.0, 2.0]


def test_a_problem_file_keeps_the_factor_and_one_without_it_reads_as_ever() -> None:
    one = problem(changed(key_offset=2.0))
    text = dumps(one)
    assert b'"key_factor": 0.25' in text
    assert loads(text) == one
    plain = d.Match(output="P", column="P", key_output="Lx", key_column="a")
    assert b"key_factor" not in dumps(problem(plain))


@pytest.mark.parametrize("fields", [{"key_factor": 0.0}, {"key_factor": float("nan")}, {"key_offset": float("inf")}])
def test_a_factor_that_pairs_nothing_is_refused_at_its_field(fields: dict[str, float]) -> None:
    (name,) = fields
    assert f"meaning.matches[0].{name}" in {f.where for f in check(problem(changed(**fields))) if f.level == "error"}


def test_the_report_says_by_what_the_key_is_multiplied() -> None:
    words = " ".join(map(str, likelihood_words(problem().meaning)))
    assert "rows paired by value, output “Lx” times 0.25 with column “a”" in words


@pytest.mark.parametrize(
    ("unit", "other", "scale"),
    [
        ("K", "°C", (1.0, -273.15)), ("degC", "K", (1.0, 273.15)), ("°F", "°C", (5 / 9, -160 / 9)), ("K", "K", (1.0, 0.0)),
        ("s", "min", (1 / 60, 0.0)), ("nm", "Å", (10.0, 0.0)),
    ],
)  # fmt: skip
def test_what_brings_a_number_to_another_unit_degrees_included(unit: str, other: str, scale: tuple[float, float]) -> None:
    assert conversion(unit, other) == pytest.approx(scale, rel=1e-9)


@pytest.mark.parametrize(("unit", "other"), [("K", "s"), ("widgets", "K"), ("", "K")])
def test_units_of_different_kinds_have_no_conversion(unit: str, other: str) -> None:
    assert conversion(unit, other) is None
