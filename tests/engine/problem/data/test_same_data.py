"""Whether two problems explain the same measured numbers, so that their evidences may be compared."""

from __future__ import annotations

import msgspec
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.same_data import measured, other_data

replace = msgspec.structs.replace
COLUMNS = {"t": (1.0, 2.0, 3.0, 4.0), "y": (10.0, 20.0, 30.0, None), "u": (5.0, 6.0, 7.0, 8.0)}


def problem(*matches: d.Match, columns: dict[str, tuple[float | None, ...]] | None = None, noise: d.NoiseModel | None = None):
    by_t = {"key_output": "t", "key_column": "t"}
    return d.Problem(
        name="any",
        parameters=(d.Parameter(name="a", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("model",)),
        outputs=(),
        meaning=d.Predictions(
            matches=matches or (d.Match(output="y", column="y", **by_t), d.Match(output="u", column="u", **by_t)),
            noise=noise or d.GaussianKnown(sd=1.0),
        ),
        data=d.DataTable(columns=columns or COLUMNS),
    )  # fmt: skip


def without(rows: tuple[int, ...]) -> d.Problem:
    whole = problem()
    assert isinstance(whole.meaning, d.Predictions)
    first, *rest = whole.meaning.matches
    return replace(whole, meaning=replace(whole.meaning, matches=(replace(first, left_out=rows), *rest)))


def test_one_value_left_out_is_told_from_both_sides() -> None:
    assert other_data(problem(), without((2,))) == "6 of the 7 values"
    assert other_data(without((2,)), problem()) == "the 6 values and 1 more"
    assert other_data(without((1,)), without((2,))) == "6 values, 5 of them among the 6"


def test_a_row_without_a_value_is_no_datum_that_could_be_left_out() -> None:
    assert not other_data(problem(), without((4,)))


def test_other_noise_priors_units_of_the_program_and_ways_of_pairing_are_the_same_data() -> None:
    plain = problem(d.Match(output="y", column="y", key_output="t", key_column="t"))
    in_order = problem(d.Match(output="other", column="y", factor=1000.0), noise=d.StudentTNoise(dof=4.0, scale=1.0))
    assert not other_data(plain, in_order)
    assert not other_data(in_order, plain)


def test_rows_in_another_order_and_columns_of_another_name_or_of_no_use_are_the_same_data() -> None:
    turned = {name: values[::-1] for name, values in COLUMNS.items()}
    assert not other_data(problem(), problem(columns=turned | {"unused": (1.0,) * 4}))
    renamed = problem(
        d.Match(output="y", column="level", key_output="t", key_column="t"),
        d.Match(output="u", column="u", key_output="t", key_column="t"),
        columns={"level" if name == "y" else name: values for name, values in COLUMNS.items()},
    )
    assert not other_data(problem(), renamed)


def test_transformed_data_a_changed_value_and_values_measured_elsewhere_are_other_data() -> None:
    assert other_data(problem(), problem(columns=COLUMNS | {"y": (1.0, 1.3, 1.5, None)})) == "7 values, 4 of them among the 7"
    assert other_data(problem(), problem(columns=COLUMNS | {"y": (10.0, 20.0, 31.0, None)})) == "7 values, 6 of them among the 7"
    assert other_data(problem(), problem(columns=COLUMNS | {"t": (1.0, 2.0, 3.5, 4.0)})) == "7 values, 5 of them among the 7"


@pytest.mark.parametrize("statistic", ["mean", "quantiles"])
def test_summaries_are_other_data_than_the_numbers_and_than_other_summaries(statistic: str) -> None:
    def summarized(**more) -> d.Problem:
        made = d.Summary(output="y", column="y", statistic=statistic, **more)
        return replace(problem(), meaning=d.SyntheticLikelihood(summaries=(made,)))

    one = summarized()
    assert not other_data(one, summarized(scale=(3.0,), error_sd=0.1))
    assert not other_data(one, replace(one, meaning=d.ApproximateBayes(summaries=one.meaning.summaries)))
    assert other_data(one, summarized(levels=(0.5,))) == "other summaries of them"
    assert "summaries" in other_data(problem(), one)


def test_what_only_the_program_knows_is_not_judged() -> None:
    alone = replace(problem(), data=None, meaning=d.LogLikelihoodOutput(output="y"))
    assert measured(alone) is None
    assert not other_data(problem(), alone)
    assert not other_data(alone, problem())
