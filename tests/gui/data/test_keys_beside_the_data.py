"""Keys that lie the same distance beside those of the data in every row, and keys that lie all in one gap. Pure."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM, column

from bayescope.engine.problem import definition as d
from bayescope.engine.protocol import TrialFile, TrialRunReport
from bayescope.gui.models.data.fits_words import fits_words
from bayescope.gui.models.data.keys.between_keys import between_keys
from bayescope.gui.models.data.keys.by_places import by_places
from bayescope.gui.models.data.keys.constant_shift import shift_of
from bayescope.gui.models.data.keys.gaps import has_tie, in_one_gap
from bayescope.gui.models.data.keys.key_doubt import key_doubt
from bayescope.gui.models.data.list_edits import with_key_scaling
from bayescope.gui.models.data.mismatches import mismatch

YEARS = tuple(float(year) for year in range(1870, 1890))
PRINTED = "".join(f"{y}.50 {0.1 * (y % 7):.2f} {y}-07-01 {y / 7:.3f}\n" for y in range(1850, 2000))
REPORT = TrialRunReport(outcome="ok", files=(TrialFile(name="res.txt", text=PRINTED, role="output", size=len(PRINTED)),))
TAS, PLACES, DATE = column("tas", 1), column("yearfrac", 0), column("date", 2, text=True)


def problem(*outputs: d.Output, name: str = "Year", **key: object) -> d.Problem:
    measured = tuple(0.1 * (y % 7) for y in YEARS)
    data = d.DataTable(columns={name: YEARS, "tas_measured": measured})
    match = d.Match(output="tas", column="tas_measured", **key)  # type: ignore[arg-type]
    meaning = d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=0.1))
    return msgspec.structs.replace(PROBLEM, outputs=outputs, data=data, meaning=meaning)


@pytest.mark.parametrize(
    ("wanted", "places", "shift"),
    [
        ([1870, 1871, 1875], np.arange(1850, 1900) + 0.5, -0.5),  # the middle of a year is of that year
        ([10, 20, 30], np.arange(0.0, 40.0) + 0.1, -0.1),
        ([10, 20, 30], np.arange(0.0, 40.0) - 0.1, 0.1),
        ([10, 20, 30], np.arange(0.0, 40.0), None),  # they are there
        ([10, 20, 30.2], np.arange(0.0, 40.0) + 0.5, None),  # not the same in all rows
        ([10, 20], np.arange(0.0, 40.0) + 0.5, None),  # two may agree by chance
        ([0, 1, 2, 4], [0.25, 1.25, 2.25, 4.25, 9.0], -0.25),
    ],
)
def test_a_shift_is_what_all_keys_are_off_by_and_nothing_else(wanted: list[float], places: list[float], shift: float) -> None:
    assert shift_of(np.array(wanted, dtype=float), np.array(places, dtype=float)) == shift


def test_several_keys_between_the_same_two_are_of_something_else() -> None:
    dates = np.linspace(-3.8e9, 1.6e9, 173)
    assert in_one_gap(np.array(YEARS), dates)
    assert not in_one_gap(np.array([0.2, 0.5, 1.2]), np.arange(4.0))
    assert not in_one_gap(np.array([0.2, 0.5]), np.arange(4.0)), "two may well lie there"


def test_half_way_between_two_keys_neither_is_nearest() -> None:
    assert has_tie(np.array([3.0]), np.arange(8.0) + 0.5)
    assert not has_tie(np.array([3.2]), np.arange(8.0) + 0.5)


def test_dates_are_never_interpolated_over_years_since_all_years_lie_between_two_of_them() -> None:
    assert "date" not in [way.key for way in between_keys(problem(TAS, DATE), 0, REPORT)]
    found = mismatch(problem(TAS, DATE, name="t"), 0, REPORT)
    assert found is not None
    ways = [w for w in (found.other_key, found.nearest, found.between) if w is not None]
    assert all(m.key_output != "date" for w in ways for m in w.meaning.matches)  # type: ignore[union-attr]


@pytest.mark.parametrize("outputs", [(TAS, PLACES, DATE), (TAS, DATE)])
def test_keys_that_are_off_by_the_same_in_all_rows_are_shifted_first(outputs: tuple[d.Output, ...]) -> None:
    found = mismatch(problem(*outputs), 0, REPORT)
    assert found is not None
    assert found.shift is not None
    assert found.shift.first
    assert found.shift.button == "&Shift the key by −0.5"
    assert mismatch(found.shift.problem, 0, REPORT) is None


def test_of_keys_half_way_between_two_the_nearest_is_not_offered() -> None:
    found = mismatch(problem(TAS, PLACES, key_output="yearfrac", key_column="Year"), 0, REPORT)
    assert found is not None
    assert found.nearest is None
    assert found.shift is not None
    assert found.between is not None, "though it can be interpolated"


def test_depths_are_points_and_not_shifted_first() -> None:
    found = mismatch(problem(TAS, PLACES, name="z (m)", key_output="yearfrac", key_column="z (m)"), 0, REPORT)
    assert found is not None
    assert found.shift is not None
    assert not found.shift.first


def test_places_that_may_be_the_measured_ones_shifted_are_not_interpolated_at_once() -> None:
    way = by_places(problem(TAS, PLACES), 0, REPORT, ("Year",))
    assert way is not None
    assert way.interpolated
    assert not way.sure


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ({"key_output": "date", "interpolate": True}, "all its rows lie between the same two keys of “date”"),
        ({"key_output": "yearfrac", "key_tolerance": 0.6}, "some lie half way between two keys"),
        ({"key_output": "yearfrac", "interpolate": True}, ""),
        ({"key_output": "yearfrac", "key_offset": -0.5}, ""),
    ],
)
def test_a_key_that_tells_no_rows_apart_is_amber(key: dict[str, object], said: str) -> None:
    made = problem(TAS, PLACES, DATE, key_column="Year", **key)
    doubt = key_doubt(made, 0, REPORT)
    assert said in doubt
    assert bool(said) == bool(doubt)
    words, level = fits_words(made, 0, None, False, doubt)
    assert (level == "warning") == bool(said)
    assert words.startswith("⚠" if said else "✓")


@pytest.mark.parametrize(
    ("text", "scale"), [("-0.5", (1.0, -0.5)), ("− 0.5", (1.0, -0.5)), ("yearfrac - 0.5", (1.0, -0.5)), ("x -1", (-1.0, 0.0))]
)
def test_a_number_with_a_sign_that_is_typed_for_a_key_is_a_shift(text: str, scale: tuple[float, float]) -> None:
    made = with_key_scaling(problem(TAS, PLACES, key_output="yearfrac", key_column="Year"), 0, text)
    assert isinstance(made.meaning, d.Predictions)
    match = made.meaning.matches[0]
    assert (match.key_factor, match.key_offset) == scale
