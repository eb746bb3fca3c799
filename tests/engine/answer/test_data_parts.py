"""How parts of the data are called: by dates and labels as they stand in the table."""

from __future__ import annotations

import numpy as np

from bayescope.engine.answer.predictions.data_parts import columns_of, parts_of
from bayescope.engine.answer.predictions.predictive import Predicted, WholeCurve
from bayescope.engine.problem import definition as d
from bayescope.engine.report.predictions import rows_of


def problem() -> d.Problem:
    """Weekly counts, and rates of age groups below them: a joined table."""
    none = (None,) * 4
    data = d.DataTable(
        columns={"cases": (4.0, 5.0, 14.0, 32.0, *none), "rate": (*none, 29.0, 15.3, 7.6, 0.8)},
        texts={
            "week": ("2024-01-01", "2024-01-08", "2024-01-15", "2024-01-29", *none),
            "age": (*none, "0-4", "5-14", "15-29", "30+"),
        },
    )
    matches = (
        d.Match(output="c", column="cases", key_output="monday", key_column="week"),
        d.Match(output="r", column="rate", key_output="group", key_column="age"),
    )
    texts = ("monday", "group")
    return d.Problem(
        name="Measles",
        parameters=(d.Parameter(name="beta", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("measles", "@beta@")),
        outputs=tuple(
            d.Output(name=n, source="stdout", extractor=d.CsvColumn(column=n), text=n in texts) for n in ("c", "r", *texts)
        ),
        meaning=d.Predictions(matches=matches, noise=d.GaussianKnown(sd=1.0)),
        data=data,
    )


def test_rows_at_dates_are_called_by_their_dates() -> None:
    cases, _ = columns_of(problem())
    assert cases.place(1) == "2024-01-08"
    assert cases.between(2) == "week = 2024-01-22"
    assert cases.ordered
    assert not any("1970" in part.title or "e+09" in part.title for part in parts_of(columns_of(problem())))


def test_rows_with_labels_are_called_by_them_and_nothing_lies_between() -> None:
    _, rate = columns_of(problem())
    assert rate.place(1) == "5-14"
    assert not rate.ordered, "no new row is proposed between two age groups"


def test_the_table_of_predictions_gives_dates_and_labels_as_they_stand_in_the_data() -> None:
    days, one = 1704067200.0 + 86400.0 * np.array([0.0, 14.0]), np.ones(2)
    between = WholeCurve(days + 7 * 86400.0, one, one, one)
    of = Predicted(days, one, np.ones((1, 2)), np.ones(1), "week", "cases", np.arange(2), names=("2024-01-01", "2024-01-15"))
    places = [row[2:4] for row in rows_of(of)]
    assert places == [["week", "2024-01-01"], ["week", "2024-01-15"]]
    whole = Predicted(days, one, np.ones((1, 2)), np.ones(1), "week", "cases", np.arange(2), whole=between, names=of.names)
    assert [row[3] for row in rows_of(whole)] == ["2024-01-01", "2024-01-15", "2024-01-08", "2024-01-22"]
