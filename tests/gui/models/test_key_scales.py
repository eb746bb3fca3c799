"""Places of a program beside those of the data: which are the same, and by what the others are to be multiplied."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.order_places import apart
from bayescope.gui.models.data.keys.key_candidates import Key
from bayescope.gui.models.data.keys.key_scales import KeyScale, common, likely_scale, scales_of, share_inside

PLACES = np.linspace(1e9, 3e9, 101)


def problem(unit: str = "") -> d.Problem:
    output = d.Output(name="f", source="res.txt", extractor=d.CsvColumn(column=0), unit=unit)
    return d.Problem(
        name="x", parameters=(), simulator=d.Simulator(command=("sh",)), outputs=(output,),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
    )  # fmt: skip


def test_units_on_both_sides_tell_the_one_factor_and_those_of_other_kinds_that_it_is_another_quantity() -> None:
    assert scales_of(problem("Hz"), Key("f", "Frequency (GHz)")) == [KeyScale(1e-9, told=True)]
    assert scales_of(problem("s"), Key("f", "t (min)")) == [KeyScale(pytest.approx(1 / 60), told=True)]
    assert scales_of(problem("K"), Key("f", "T (°C)")) == [KeyScale(1.0, -273.15, told=True)]
    assert scales_of(problem("Hz"), Key("f", "depth (m)")) == []


def test_without_units_the_factor_is_one_if_the_places_lie_there_else_the_power_by_which_they_do() -> None:
    scales = scales_of(problem(), Key("f", "Frequency (GHz)"))
    assert likely_scale(scales, PLACES, np.linspace(1.05e9, 2.9e9, 101)) == KeyScale()
    assert likely_scale(scales, PLACES, np.linspace(1.05, 2.9, 101)) == KeyScale(1e-9)
    assert likely_scale(scales, PLACES, np.linspace(4.0, 5.0, 101)) is None
    minutes = scales_of(problem(), Key("f", "time (min)"))
    found = likely_scale(minutes, np.linspace(0.0, 3600.0, 61), np.linspace(0.5, 58.0, 61))
    assert found is not None
    assert found.factor == pytest.approx(1 / 60)


def test_places_are_the_same_but_for_their_digits_also_where_steps_grow() -> None:
    assert not apart(PLACES * (1 + 1e-5), PLACES).any()
    logs = np.geomspace(1.0, 1e9, 91)
    assert not apart(np.array([float(f"{x:.3e}") for x in logs]), logs).any()
    assert apart(logs + np.where(np.arange(91) == 3, 0.2, 0.0), logs).tolist() == (np.arange(91) == 3).tolist()
    assert apart(np.array([2.0]), np.array([1.0])).all()


def test_what_two_ranges_share() -> None:
    assert common(np.array([0.0, 2.0]), np.array([1.0, 3.0])) == pytest.approx(1 / 3)
    assert common(np.array([0.0, 1.0]), np.array([2.0, 3.0])) == 0.0
    assert share_inside(np.array([0.0, 1.0]), np.array([0.5, 2.0])) == 0.5
