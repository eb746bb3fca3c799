"""Keys of which one is the reciprocal of the other: wavelengths and photon energies, periods and frequencies."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer.likelihood_words import likelihood_words
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.validate import check
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match
from bayescope.engine.problem.data.rows.given_cells import given_cells
from bayescope.engine.problem.data.rows.key_scale import Scale
from bayescope.engine.problem.data.rows.text_keys import code
from bayescope.engine.problem.data.units.spectral_keys import spectral
from bayescope.engine.problem.files import dumps, loads

HC = 1239.84198433  # eV nm: CODATA 2022
DATA = d.DataTable(columns={"E (eV)": (1.5, 2.0, 4.0), "psi": (1.0, 1.0, 1.0)})
OUTPUTS = {"wl": np.array([200.0, 400.0, 800.0, 1000.0]), "psi": np.array([6.0, 3.0, 1.5, 1.2])}
MATCH = d.Match(
    output="psi", column="psi", key_output="wl", key_column="E (eV)", key_factor=HC, key_inverse=True, interpolate=True
)


def problem(match: d.Match = MATCH) -> d.Problem:
    return d.Problem(
        name="x", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.CsvColumn(column=n)) for n in ("wl", "psi")),
        meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=1.0)), data=DATA,
    )  # fmt: skip


def test_what_is_predicted_lies_on_the_straight_line_over_the_converted_key() -> None:
    found = compare_match(MATCH, DATA, OUTPUTS)
    straight = np.array([1.5, 2.0, 4.0]) * 1200.0 / HC  # psi is proportional to the energy
    np.testing.assert_allclose(found.prediction, straight, rtol=1e-12)
    assert found.curve_x is not None
    np.testing.assert_allclose(found.curve_x, HC / OUTPUTS["wl"])
    assert found.x_label == "E (eV)"
    np.testing.assert_allclose(given_cells(problem(), OUTPUTS), straight)


def test_rows_are_paired_one_by_one_by_the_reciprocal() -> None:
    data = d.DataTable(columns={"f (Hz)": (0.5, 2.0), "a": (1.0, 1.0)})
    match = d.Match(output="a", column="a", key_output="T", key_column="f (Hz)", key_inverse=True)
    outputs = {"T": np.array([0.5, 2.0, 0.0]), "a": np.array([7.0, 8.0, 9.0])}
    assert compare_match(match, data, outputs).prediction.tolist() == [8.0, 7.0], "one over zero is no key"
    missing = d.DataTable(columns={"f (Hz)": (0.5, 3.0), "a": (1.0, 1.0)})
    with pytest.raises(ComparisonError, match=r"no row where “1 / T” is 3"):
        compare_match(match, missing, outputs)


def test_an_offset_is_added_last_and_keys_can_be_made_back() -> None:
    scale, keys = Scale(2.0, 3.0, inverse=True), np.array([4.0, 0.5, -1.0])
    assert scale.of(keys).tolist() == [3.5, 7.0, 1.0]
    np.testing.assert_allclose(scale.back(scale.of(keys)), keys)
    np.testing.assert_allclose(Scale(0.5, 1.0).back(Scale(0.5, 1.0).of(keys)), keys)
    assert scale.written("T") == "2 / T + 3"
    label = np.array([code("node A")])
    assert scale.of(label).tolist() == label.tolist()


def test_it_is_kept_in_the_file_and_said_in_the_report_and_older_files_read_as_ever() -> None:
    one = problem()
    assert b'"key_inverse": true' in dumps(one)
    assert loads(dumps(one)) == one
    assert b"key_inverse" not in dumps(problem(msgspec.structs.replace(MATCH, key_inverse=False)))
    assert not [f for f in check(one) if f.level == "error"]
    words = " ".join(map(str, likelihood_words(one.meaning)))
    assert "output interpolated linearly in 1239.84198433 over “wl” at the values of column “E (eV)”" in words


@pytest.mark.parametrize(
    ("program", "data", "factor", "inverse"),
    [
        ("lambda (nm)", "E (eV)", HC, True), ("photon energy (eV)", "wavelength_nm", HC, True),
        ("Wavelength / nm", "wavenumber (cm^-1)", 1e7, True), ("wavelength (A)", "nu (THz)", 2_997_924.58, True),
        ("period (s)", "f (Hz)", 1.0, True), ("f (kHz)", "T (ms)", 1.0, True), ("T (s)", "omega (rad/s)", 2 * np.pi, True),
        ("q (1/Å)", "d (Å)", 2 * np.pi, True), ("Q (1/nm)", "d-spacing (A)", 20 * np.pi, True),
        ("qz (A^-1)", "d_hkl (nm)", np.pi / 5, True),
        ("q (1/Angstrom)", "d (Angstrom)", 2 * np.pi, True),
        ("E_eV", "wavenumber (1/cm)", 8065.543937, False), ("f (THz)", "E (meV)", 4.135667697, False),
    ],
)  # fmt: skip
def test_units_in_headings_tell_the_law(program: str, data: str, factor: float, inverse: bool) -> None:
    found = spectral(program, data)
    assert found is not None
    assert (found.factor, found.inverse) == (pytest.approx(factor, rel=1e-9), inverse)
    back = spectral(data, program)
    assert back is not None
    assert back.factor == pytest.approx(factor if inverse else 1.0 / factor)


@pytest.mark.parametrize(
    ("program", "data"),
    [("t (s)", "f (Hz)"), ("depth (nm)", "E (eV)"), ("lambda (nm)", "lambda (um)"), ("Q (1/Å)", "depth (Å)"),
     ("Q (kJ)", "d (m)"), ("Q (1/Å)", "q (1/nm)"),
     ("E (kJ/mol)", "l (nm)"), ("lambda", "E (eV)"), ("m (kg)", "E (eV)"), ("period (s)", "E (eV)")],
)  # fmt: skip
def test_times_and_places_of_other_kinds_are_not_converted(program: str, data: str) -> None:
    assert spectral(program, data) is None
