"""Codes behind names, abbreviations of places on the globe, and flags that pair no rows."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.problem.data.names.codes import codes_differ, without_code
from bayescope.engine.problem.data.names.column_names import says_where
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.rows.whole_pairing import Side, whole_pairing
from bayescope.engine.problem.data.tables.quality_flags import is_flags
from bayescope.engine.problem.definition import DataTable


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("lat_degN_D32", "Latitude D34", True),
        ("lat_degN_D32", "Latitude D32", False),
        ("head_W1", "drawdown W01", False),
        ("u_z10", "wind M12", False),
        ("T1", "T2", False),
        ("hour", "Longitude D33", False),
    ],
)
def test_codes_of_one_kind_tell_different_things(one: str, other: str, differ: bool) -> None:
    assert codes_differ(one, other) is differ


def test_longitudes_and_latitudes_are_told_by_abbreviation_and_code() -> None:
    outputs = [f"{name}_D{k}" for k in (31, 32, 34) for name in ("hour", "lon_degE", "lat_degN")]
    columns = [f"{name} D{k}" for k in (32, 31, 34, 33) for name in ("Latitude", "Longitude")]
    told = names_told(outputs, columns)
    names = (("lon_degE", "Longitude"), ("lat_degN", "Latitude"))
    assert told == {f"{a}_D{k}": f"{b} D{k}" for k in (31, 32, 34) for a, b in names}


def test_what_names_speak_against_is_never_proposed() -> None:
    values = np.array([54.06, 54.05, 54.1])
    outputs = [Side("lat_D32", values), Side("v_D32", values + 9.0)]
    columns = [Side("Latitude D34", values), Side("B", values + 9.0)]
    pairs = whole_pairing(outputs, columns, never={("lat_D32", "Latitude D34")})
    assert [(pair.output, pair.column) for pair in pairs if pair.output == "lat_D32"] != [("lat_D32", "Latitude D34")]


@pytest.mark.parametrize("name", ["hours", "days", "minutes", "Seconds", "hour"])
def test_plurals_of_times_say_when(name: str) -> None:
    assert says_where(name)


def test_the_name_before_a_code() -> None:
    assert (without_code("hour_D31"), without_code("hour")) == ("hour", "hour")


def test_flags_are_known_as_such() -> None:
    data = DataTable(columns={"u": (1.0, 2.0, 3.0)}, texts={"QF": ("1", "1", "4"), "Unit": ("D31", "D32", "D34")})
    assert is_flags(data, "QF")
    assert not is_flags(data, "Unit")


def test_names_of_the_same_parts_in_another_order_are_told_by_their_number() -> None:
    columns = ["%R 8deg (%)", "%R 45deg s (%)", "%R 45deg p (%)", "T 45deg s (%)"]
    told = names_told(["R_8", "Rs_45", "Rp_45", "Rx_45"], columns)
    assert told == {"R_8": columns[0], "Rs_45": columns[1], "Rp_45": columns[2]}
