"""A single measured value is typed: it becomes a column with its standard deviation, compared with its output."""

from __future__ import annotations

import msgspec
import pytest
from data_pages import PROBLEM

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.definition import GaussianKnown, LogNormalNoise, Match, Predictions
from bayescope.gui.models.data.measured_value import free_outputs, with_value


def outputs(*names: str) -> d.Problem:
    made = tuple(d.Output(name=name, source="stdout", extractor=d.LabelledNumber(label=f"{name} =")) for name in names)
    return msgspec.structs.replace(PROBLEM, outputs=made, data=None, meaning=Predictions(matches=(), noise=GaussianKnown()))


def test_without_a_table_a_typed_value_is_the_data() -> None:
    made = with_value(outputs("Pmp", "Voc"), None, "Pmp", "Pmax", "18.0 W", "3 %")
    assert made.data is not None
    assert made.data.columns == {"Pmax (W)": (18.0,), "Pmax sd (W)": (0.54,)}
    assert made.meaning.matches == (Match(output="Pmp", column="Pmax (W)", sd_column="Pmax sd (W)"),)


def test_the_error_may_stand_behind_the_value_or_in_another_unit() -> None:
    behind = with_value(outputs("Pmp"), None, "Pmp", "Pmax", "18.0 W +- 3 %", "")
    other = with_value(outputs("Pmp"), None, "Pmp", "Pmax", "18.0 W", "540 mW")
    assert behind.data is not None
    assert other.data is not None
    assert behind.data.columns == other.data.columns == {"Pmax (W)": (18.0,), "Pmax sd (W)": (0.54,)}


def test_below_a_table_it_is_a_row_of_its_own_and_no_other_comparison_changes() -> None:
    table = d.DataTable(columns={"V1 (V)": (1.0, 2.0), "I1 (mA)": (5.0, 4.0)}, origin="t.txt")
    matches = (Match(output="I1", column="I1 (mA)", key_output="V1", key_column="V1 (V)", interpolate=True),)
    problem = msgspec.structs.replace(outputs("V1", "I1", "Pmp"), data=table, meaning=Predictions(matches, GaussianKnown(sd=2.0)))
    assert free_outputs(problem) == ("Pmp", "V1", "I1")
    made = with_value(problem, None, "Pmp", "Pmp", "18.0 W", "3 %")
    assert made.data is not None
    assert made.data.columns["Pmp (W)"] == (None, None, 18.0)
    assert made.data.columns["I1 (mA)"] == (5.0, 4.0, None)
    assert made.meaning.matches == (*matches, Match(output="Pmp", column="Pmp (W)", sd_column="Pmp sd (W)"))


def test_a_common_model_that_takes_no_column_gives_way_to_an_own_one() -> None:
    table = d.DataTable(columns={"x": (1.0, 2.0)})
    meaning = Predictions((Match(output="x", column="x"),), LogNormalNoise(log_sd=0.1))
    problem = msgspec.structs.replace(outputs("x", "Pmp"), data=table, meaning=meaning)
    made = with_value(problem, None, "Pmp", "Pmp", "18.0 W", "0.5 W")
    assert made.meaning.matches[-1].noise == GaussianKnown(sd_column="Pmp sd (W)")


@pytest.mark.parametrize(
    ("value", "error", "words"),
    [
        ("", "", "Write a number"), ("eighteen", "", "is no measured value"), ("18 W", "3 V", "cannot be counted"),
        ("0", "3 %", "zero"),
    ],
)
def test_what_cannot_be_used_is_said(value: str, error: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        with_value(outputs("Pmp"), None, "Pmp", "Pmax", value, error)
