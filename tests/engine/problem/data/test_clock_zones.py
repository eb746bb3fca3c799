"""Dates with a zone on one side only: rows are never paired by a guess, and each way out gives the rows that it promises."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from bayescope.engine.likelihood.evaluate import LikelihoodError, log_likelihood
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates import clock_zones
from bayescope.engine.problem.data.rows import text_keys
from bayescope.engine.problem.data.rows.comparison import compare_match

MATCH = d.Match(output="u", column="u", key_output="t", key_column="time")
PRINTED = tuple(f"2024-06-20 {hour:02}:00:00+02:00" for hour in range(6, 13))
VALUES = np.arange(6.0, 13.0)  # the hour that the program's clock shows


def measured(*times: str) -> d.DataTable:
    return d.DataTable(columns={"u": tuple(float(i) for i in range(len(times)))}, texts={"time": times})


def paired(data: d.DataTable, printed: tuple[str, ...] = PRINTED, values: np.ndarray = VALUES) -> list[float]:
    codes = [text_keys.code(text) for text in printed]
    return compare_match(MATCH, data, {"u": values, "t": codes}).prediction.tolist()


def doubt(data: d.DataTable, printed: tuple[str, ...] = PRINTED) -> clock_zones.OneSided | None:
    return clock_zones.in_doubt(data, MATCH, {"t": printed})


def by_clock(data: d.DataTable, printed: tuple[str, ...] = PRINTED) -> d.DataTable | None:
    found = doubt(data, printed)
    assert found is not None
    return clock_zones.by_the_clock(data, found, printed)


def by_utc(data: d.DataTable, printed: tuple[str, ...] = PRINTED) -> d.DataTable:
    found = doubt(data, printed)
    assert found is not None
    return clock_zones.by_utc(data, found)


def test_a_likelihood_is_refused_where_the_program_alone_states_a_zone() -> None:
    data = measured("2024-06-20 08:00", "2024-06-20 10:00")
    problem = d.Problem(
        name="p",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("x", "@k@")),
        outputs=(),
        meaning=d.Predictions(matches=(MATCH,), noise=d.GaussianKnown(sd=1.0)),
        data=data,
    )
    outputs = {"u": VALUES, "t": np.array([text_keys.code(text) for text in PRINTED])}
    with pytest.raises(LikelihoodError, match=r"\+02:00.*none.*not known.*Write the zone behind each time of the data"):
        log_likelihood(problem, outputs, {}, {"t": PRINTED})
    changed = msgspec.structs.replace(problem, data=by_clock(data))
    value, _ = log_likelihood(changed, outputs, {}, {"t": PRINTED})
    # residuals 8 - 0 and 10 - 1, standard normal errors
    assert value == pytest.approx(-0.5 * (64.0 + 81.0) - np.log(2.0 * np.pi))


def test_times_of_the_same_clock_get_the_zone_of_the_program() -> None:
    data = by_clock(measured("2024-06-20 08:00", "20.06.2024 10:00"))
    assert data is not None
    assert data.texts["time"] == ("2024-06-20 08:00+02:00", "20.06.2024 10:00+02:00")
    assert doubt(data) is None
    assert paired(data) == [8.0, 10.0]


def test_times_in_utc_say_so() -> None:
    data = by_utc(measured("2024-06-20 08:00", "20.06.2024 10:00"))
    assert doubt(data) is None
    assert paired(data) == [10.0, 12.0]


def test_a_zone_that_the_data_alone_state_is_left_out_or_reckoned_with() -> None:
    printed = tuple(text.removesuffix("+02:00") for text in PRINTED)
    data = measured("2024-06-20T08:00+02:00", "2024-06-20 10:00:00.5 +0200", "2024-06-20 12:00Z")
    found = doubt(data, printed)
    assert found is not None
    assert "The times of the data state a zone" in found.words
    clock = by_clock(data, printed)
    assert clock is not None
    assert clock.texts["time"] == ("2024-06-20T08:00", "2024-06-20 10:00:00.5", "2024-06-20 12:00")
    utc = by_utc(data, printed)
    assert utc.texts["time"] == ("2024-06-20 06:00:00Z", "2024-06-20 08:00:00.500000Z", "2024-06-20 12:00Z")
    assert doubt(clock, printed) is None
    assert doubt(utc, printed) is None
    assert paired(measured(*utc.texts["time"][::2]), printed) == [6.0, 12.0]


@pytest.mark.parametrize(
    ("zone", "printed"), [("", ""), ("Z", ""), ("", "+00:00"), ("+02:00", "Z"), ("+01:00", "+02:00"), ("", "Z")]
)
def test_nothing_is_in_doubt_where_both_sides_state_zones_or_a_lone_one_is_utc(zone: str, printed: str) -> None:
    assert doubt(measured(f"2024-06-20 08:00{zone}"), (f"2024-06-20 08:00{printed}",)) is None


def test_labels_times_of_day_and_missing_cells_are_in_no_doubt() -> None:
    table = d.DataTable(columns={"u": (1.0, 2.0, 3.0)}, texts={"time": ("A1", "10:00", None)})
    assert doubt(table) is None


AUTUMN = ("2024-10-27 01:00+02:00", "2024-10-27 02:00+02:00", "2024-10-27 02:00+01:00", "2024-10-27 03:00+01:00")


def test_the_change_from_summer_time_is_followed_where_the_clock_is_plain() -> None:
    values = np.array([1.0, 2.0, 2.5, 3.0])
    data = by_clock(measured("2024-10-27 01:00", "2024-10-27 03:00"), AUTUMN)
    assert data is not None
    assert data.texts["time"] == ("2024-10-27 01:00+02:00", "2024-10-27 03:00+01:00")
    assert paired(data, AUTUMN, values) == [1.0, 3.0]


@pytest.mark.parametrize("time", ["2024-10-27 02:00", "2024-10-27 02:30"])
def test_the_hour_that_a_clock_shows_twice_is_not_guessed(time: str) -> None:
    assert by_clock(measured("2024-10-27 01:00", time), AUTUMN) is None
    found = doubt(measured(time), AUTUMN)
    assert found is not None
    assert "+01:00 and +02:00" in found.words


def test_zones_are_not_left_out_of_data_whose_clock_shows_a_time_twice() -> None:
    assert by_clock(measured(*AUTUMN), ("2024-10-27 02:00",)) is None
