"""The table of predictions names places as the user's data do: dates, labels, units."""

from __future__ import annotations

import numpy as np

from bayescope.engine.answer.predictions.predictive import Predicted, WholeCurve
from bayescope.engine.problem.data.rows.across import ROW
from bayescope.engine.report.predictions import HEADER, rows_of


def told(p: Predicted) -> list[tuple[object, object, object]]:
    return [tuple(dict(zip(HEADER, row, strict=True))[name] for name in ("row", "along", "place")) for row in rows_of(p)]


def column(x: list[float], along: str, names: tuple[str, ...] = (), whole: list[float] | None = None) -> Predicted:
    measured, runs = np.ones(len(x)), np.ones((3, len(x)))
    curve = None if whole is None else WholeCurve(np.array(whole), *(np.ones(len(whole)) for _ in range(3)))
    return Predicted(np.array(x), measured, runs, np.full(3, 1 / 3), along, "y", np.arange(len(x)), whole=curve, names=names)


def test_dates_are_dates_also_where_nothing_was_measured() -> None:
    days = [1704067200.0, 1704672000.0]
    found = told(column(days, "Week beginning", ("2024-01-01", "2024-01-08"), [*days, 1705276800.0]))
    assert found == [
        (1, "Week beginning", "2024-01-01"), (2, "Week beginning", "2024-01-08"), ("", "Week beginning", "2024-01-15")
    ]  # fmt: skip


def test_places_in_the_units_of_the_data_have_no_digits_of_the_conversion() -> None:
    places = [place for _, _, place in told(column([350 * 0.001], "Distance (km)", whole=[0.001 * 1650.0, 0.15 * 17]))]
    assert [str(p) for p in places] == ["0.35", "1.65", "2.55"]


def test_where_no_column_says_the_place_it_is_the_row() -> None:
    assert told(column([1.0, 2.0], ROW)) == [(1, ROW, 1), (2, ROW, 2)]
