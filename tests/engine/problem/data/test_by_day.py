"""Dates without an hour against a program of several hours a day: each date has that day's value nearest to noon."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer.likelihood_words import likelihood_words
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.validate import check
from bayescope.engine.problem.data.dates.by_day import Days, by_days, daily, days_of, without_hours
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match, unpaired
from bayescope.engine.problem.data.rows.given_cells import given_cells

DATES = ("2019-09-02", None, "2019-09-04", "2019-09-03")
TEXTS = d.DataTable(columns={"T": (1.0, 2.0, 3.0, 4.0)}, texts={"date": DATES})
COUNTED = "date (h since 2019-09-01 06:00)"
HOURS = d.DataTable(columns={"T": (1.0, 2.0, 3.0, 4.0), COUNTED: (18.0, None, 66.0, 42.0)})
MATCH = d.Match(output="T", column="T", key_output="time", key_column=COUNTED, by_day=True)


def by_hand(times: list[float], start_hour: float, days: list[int]) -> list[float]:
    """The place of the first of those nearest to noon of each day after 2019-09-01, one by one."""
    found = []
    for day in days:
        there = [(abs((t + start_hour) % 24 - 12), t, i) for i, t in enumerate(times) if (t + start_hour) // 24 == day]
        found.append(float(min(there)[2]))
    return found


@pytest.mark.parametrize("step", [3.0, 5.0, 8.0, 12.0])
def test_a_date_is_paired_with_that_day_s_value_nearest_to_noon(step: float) -> None:
    times = np.arange(0.0, 120.0, step)
    found = compare_match(MATCH, HOURS, {"T": np.arange(float(len(times))), "time": times})
    expected = by_hand(times.tolist(), 6.0, [1, 3, 2])
    assert found.prediction[[0, 2, 3]].tolist() == expected
    assert np.isnan(found.data[1]), "a row without a date is not compared"
    assert found.x[0] == 30.0, "12 h of the day, where its value stands"


def test_a_day_without_a_value_has_no_partner_though_midnight_of_the_next_day_is_near() -> None:
    times = np.array([0.0, 42.0, 66.0, 90.0])  # 2019-09-01 06:00, then 0:00 of the 3rd, 4th, 5th
    outputs = {"T": np.arange(4.0), "time": times}
    assert [one.row for one in unpaired(MATCH, HOURS, outputs)] == [1, 2], "nor has a row without a date"
    with pytest.raises(ComparisonError, match="as row 1 of the data"):
        compare_match(MATCH, HOURS, outputs)
    kept = msgspec.structs.replace(MATCH, left_out=(1,))
    assert compare_match(kept, HOURS, outputs).prediction[2:].tolist() == [2.0, 1.0]
    problem = d.Problem(
        name="x", parameters=(), simulator=d.Simulator(command=("x",)), outputs=(), data=HOURS,
        meaning=d.Predictions(matches=(MATCH,), noise=d.GaussianKnown(sd=1.0)),
    )  # fmt: skip
    assert np.isnan(given_cells(problem, outputs)[0])
    assert given_cells(problem, outputs)[1:].tolist() == [2.0, 1.0]


def test_dates_at_whose_hour_the_program_has_no_row_are_advised_the_day_as_well_as_interpolation() -> None:
    by_hour = msgspec.structs.replace(MATCH, by_day=False)
    times = np.arange(1.0, 120.0, 3.0)
    with pytest.raises(ComparisonError) as caught:
        compare_match(by_hour, HOURS, {"T": np.arange(float(len(times))), "time": times + 0.5})
    assert "pair the rows by the day, interpolate between its rows" in caught.value.suggestion
    plain = d.DataTable(columns={"T": (1.0, 2.0), "x": (18.2, 30.2)})
    with pytest.raises(ComparisonError) as caught:
        compare_match(msgspec.structs.replace(by_hour, key_column="x"), plain, {"T": np.arange(40.0), "time": times})
    assert "by the day" not in caught.value.suggestion


def test_dates_as_texts_on_both_sides_are_paired_by_the_day_too() -> None:
    match = msgspec.structs.replace(MATCH, key_column="date")
    seconds = 1567296000.0 + 3600.0 * np.arange(0.0, 120.0, 6.0)  # from 2019-09-01 on
    found = compare_match(match, TEXTS, {"T": np.arange(20.0), "time": seconds})
    assert found.prediction[[0, 2, 3]].tolist() == [6.0, 14.0, 10.0]


def test_with_a_second_key_the_nearest_to_noon_is_looked_for_among_rows_that_agree_in_it() -> None:
    data = d.DataTable(columns={"T": (1.0, 2.0), "depth": (5.0, 10.0), COUNTED: (18.0, 18.0)})
    match = msgspec.structs.replace(MATCH, second_key_output="z", second_key_column="depth")
    outputs = {"time": np.array([18.0, 30.0, 18.0, 24.0]), "z": np.array([5.0, 5.0, 10.0, 10.0]), "T": np.arange(4.0)}
    assert compare_match(match, data, outputs).prediction.tolist() == [1.0, 3.0]


def test_several_values_at_the_very_same_time_cannot_be_told_apart() -> None:
    with pytest.raises(ComparisonError, match="several rows"):
        compare_match(MATCH, HOURS, {"T": np.arange(5.0), "time": np.array([30.0, 30.0, 54.0, 78.0, 80.0])})


def test_how_many_values_fall_on_a_day_and_ties_are_told() -> None:
    days = days_of(HOURS, COUNTED)
    assert days == Days(3600.0, 1567296000.0 + 6 * 3600.0)
    keys = np.array([18.0, np.nan, 66.0, 42.0])
    assert without_hours(days, keys)
    assert not without_hours(days, keys + 1.0)
    told = daily(days, keys, np.arange(0.0, 120.0, 8.0) + 2.0)  # 8, 16 and 24 o'clock
    assert (told.most, told.ties, told.hours) == (3, 3, (28800.0, 57600.0))
    assert daily(days, keys, np.arange(0.0, 120.0, 3.0)).ties == 0
    first = by_days(days, [keys], [np.array([26.0, 34.0])])[1][0]
    assert np.isfinite(first).tolist() == [True, False], "the earlier of two that are as near"


def test_pairing_by_the_day_without_dates_is_refused_where_it_is_declared_and_where_it_is_done() -> None:
    data = d.DataTable(columns={"T": (1.0, 2.0), "t": (0.0, 1.0)})
    match = msgspec.structs.replace(MATCH, key_column="t")
    with pytest.raises(ComparisonError, match="holds no dates"):
        compare_match(match, data, {"T": np.arange(2.0), "time": np.arange(2.0)})
    outputs = tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in ("T", "time"))
    problem = d.Problem(
        name="x", parameters=(), simulator=d.Simulator(command=("x",)), outputs=outputs, data=data,
        meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=1.0)),
    )  # fmt: skip
    said = [f for f in check(problem) if f.where == "meaning.matches[0].by_day"]
    assert [f.level for f in said] == ["error"]
    assert "holds no dates" in said[0].message


def test_the_report_says_that_rows_are_paired_by_the_day() -> None:
    words, _ = likelihood_words(d.Predictions(matches=(MATCH,), noise=d.GaussianKnown(sd=1.0)))
    assert f"rows paired by the day, output “time” with column “{COUNTED}”: of a day the value nearest to 12 h" in words
