"""Errors in another unit than the values they are of: what headings say is compared, and the errors are counted in one unit."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.errors.error_units import error_units
from bayescope.engine.problem.data.files.data_files import Options, parse_with


@pytest.mark.parametrize(("heading", "name", "sds"), [
    ("O-C (d);O-C err (min)", "O-C err (d)", (20 / 1440, 30 / 1440)),
    ("U (V);sU (mV)", "sU (V)", (0.02, 0.03)),
    ("f (Hz);sd f (ppm)", "sd f (Hz)", (3e-5, 7.5e-5)),
    ("T (°C);sd T (mK)", "sd T (°C)", (0.02, 0.03)),
    ("c (%);sd c (ppm)", "sd c (%)", (0.002, 0.003)),
    ("t / d;t err / min", "t err (d)", (20 / 1440, 30 / 1440)),
    ("BJD;err (s)", "± BJD (d)", (20 / 86400, 30 / 86400)),
])  # fmt: skip
def test_errors_in_another_unit_are_counted_in_that_of_their_values(heading: str, name: str, sds: tuple[float, float]) -> None:
    found = parse_with(f"{heading}\n1.5;20\n-2.5;30\n".encode(), "x.csv", Options(named=True))
    assert found.table.columns[name] == pytest.approx(sds)
    assert any("in another unit than" in note and "20 " in note for note in found.preview.notes)


@pytest.mark.parametrize("heading", [
    "a (mm);sd a (mm)", "T (°C);sd T (K)", "c (mg/kg);sd c (ppm)", "CO2;CO2 err (ppm)", "U (V);sd U (A)", "a;b (mV)",
    "a (m);b (mm)",
])  # fmt: skip
def test_errors_in_the_same_unit_or_in_one_that_is_not_known_stay(heading: str) -> None:
    found = parse_with(f"{heading}\n1.5;20\n-2.5;30\n".encode(), "x.csv", Options(named=True))
    assert (20.0, 30.0) in found.table.columns.values()


def test_a_table_of_a_problem_file_keeps_its_names_and_numbers() -> None:
    found = parse_with(b"t (d);t err (min)\n1.5;20\n2.5;30\n", "x.csv", Options())
    assert found.table.columns["t err (min)"] == (20.0, 30.0)


def test_a_share_of_each_value_is_told_from_a_unit() -> None:
    share, unit = error_units("err (ppm)", "f (Hz)"), error_units("err (ppm)", "c (%)")
    assert share is not None
    assert unit is not None
    assert (share.relative, unit.relative) == (True, False)
    assert share.sds((100.0, None, 50.0), (-2e6, 1.0, None)) == (200.0, None, None)
