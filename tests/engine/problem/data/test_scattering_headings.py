"""Headings of reflectometry and small-angle scattering: Q says where, whatever its unit is called; sQz and dR are errors."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import Options, parse_with
from bayescope.engine.problem.data.names.column_names import says_sd_of, says_where, sd_columns, unit_in, without_unit
from bayescope.engine.problem.data.units.unit_scales import times

ORSO = """# # ORSO reflectivity data file | 1.1 standard | YAML encoding | https://www.reflectometry.org/
# data_source:
#   experiment: {title: Film, start_date: 2024-02-12T10:00:00, probe: neutron}
# columns:
# - {name: Qz, unit: 1/angstrom, physical_quantity: wavevector transfer}
# - {name: R, physical_quantity: reflectivity}
# - {error_of: R, error_type: uncertainty, value_is: sigma}
# - {error_of: Qz, error_type: resolution, value_is: sigma}
# # Qz             R              sR             sQz
1.03563296e-02 3.88100068e+00 4.33909068e+00 5.17816478e-05
1.06717294e-02 1.16430511e+01 8.89252719e+00 5.33586471e-05
"""


@pytest.mark.parametrize("name", [
    "Q (1/Å)", "q [Å^-1]", "Qz (nm-1)", "Qz / nm^-1", "Q (Å⁻¹)", "Q_z (1/A)", "Qz (1/angstrom)", "Q (A-1)", "q_nm-1", "Q 1/nm",
    "Qz [inv Å]", "Q (invA)", "Q_inv_A", "q (1/Å) (cell3.ort)", "Q (\u212b^-1)", "Qx (1/cm)", "momentum transfer (1/nm)",
])  # fmt: skip
def test_a_momentum_transfer_says_where(name: str) -> None:
    assert says_where(name)


@pytest.mark.parametrize("name", ["Q", "Qz", "Q (m3/s)", "q (W/m2)", "Q (C)", "I (1/cm)", "R", "k (1/m)"])
def test_a_flow_a_heat_and_an_intensity_say_no_place(name: str) -> None:
    assert not says_where(name)


@pytest.mark.parametrize(("name", "bare", "unit"), [
    ("Q 1/nm", "Q", "1/nm"), ("q_nm-1", "q", "nm-1"), ("Q_inv_A", "Q", "inv A"), ("R (1/Å) (cell3.ort)", "R", "1/Å"),
])  # fmt: skip
def test_a_unit_behind_a_name_or_before_a_file_is_told(name: str, bare: str, unit: str) -> None:
    assert unit_in(name) == unit
    if "ort" not in name:
        assert without_unit(name) == bare


@pytest.mark.parametrize(("unit", "other", "by"), [
    ("1/Å", "1/nm", 10.0), ("1/angstrom", "nm^-1", 10.0), ("1/A", "1/nm", 10.0), ("A^-1", "nm⁻¹", 10.0), ("invA", "1/Å", 1.0),
    ("inverse angstrom", "1/m", 1e10), ("Ang^-1", "1/nm", 10.0), ("\u212b", "nm", 0.1), ("10^-6 Å^-2", "Å^-2", 1e-6),
    ("1e-6/Å^2", "nm^-2", 1e-4), ("10^3 kg", "t", 1.0), ("A", "mA", 1e3), ("V/A", "mV/A", 1e3),
])  # fmt: skip
def test_angstroms_to_powers_are_other_units(unit: str, other: str, by: float) -> None:
    assert times(unit, other) == pytest.approx(by)


@pytest.mark.parametrize("names", [
    ("Qz (1/Å)", "R", "sR", "sQz (1/Å)"), ("Q [Å^-1]", "R", "dR", "dQ"), ("q (1/nm)", "I", "dI", "dq"),
])  # fmt: skip
def test_what_begins_with_s_or_d_is_the_error_of_what_follows(names: tuple[str, str, str, str]) -> None:
    assert sd_columns(names) == list(names[2:])
    assert says_sd_of(names[2], names[1], names)
    assert says_sd_of(names[3], names[0], names)


def test_an_orso_file_says_its_units_in_the_lines_above() -> None:
    table = parse_with(ORSO.encode(), "film.ort", Options(named=True)).table
    assert list(table.columns) == ["Qz (1/angstrom)", "R", "sR", "sQz (1/angstrom)"]
    assert sd_columns(list(table.columns)) == ["sR", "sQz (1/angstrom)"]
