"""Names and units of numbers, from real lines of what programs print."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.marks.labels.label_names import distinct_names, heading_name, heading_names, short_name
from bayescope.engine.problem.marks.labels.number_label import label_of
from bayescope.engine.problem.marks.labels.words_behind import words_behind
from bayescope.engine.problem.numbers.numbers_in_text import numbers

LINES = [
    # xtb
    ("         :: total energy              -5.070369819159 Eh    ::", "-5.070369819159", "total_energy", "Eh"),
    ("         :: gradient norm              0.007328104797 Eh/a0 ::", "0.007328104797", "gradient_norm", "Eh/a0"),
    ("         :: HOMO-LUMO gap             14.648806958921 eV    ::", "14.648806958921", "HOMO_LUMO_gap", "eV"),
    ("         :: -> isotropic ES            0.031401726294 Eh    ::", "0.031401726294", "isotropic_ES", "Eh"),
    ("                  HL-Gap            0.5383338 Eh           14.6488 eV", "0.5383338", "HL_Gap", "Eh"),
    (" Mol. C6AA /au·bohr⁶  :         44.527408", "44.527408", "Mol_C6AA", "au·bohr⁶"),
    (" Mol. α(0) /au        :          9.428774", "9.428774", "Mol_α_0", "au"),
    # MOPAC
    ("  FINAL HEAT OF FORMATION =  -57.79986 KCAL/MOL =  -241.8346 KJ/MOL", "-57.79986", "final_heat_of_formation", "KCAL/MOL"),
    ("          COSMO AREA              =         42.43 SQUARE ANGSTROMS", "42.43", "cosmo_area", "SQUARE ANGSTROMS"),
    ("          IONIZATION POTENTIAL    =         12.115540 EV", "12.115540", "ionization_potential", "EV"),
    ("          HOMO LUMO ENERGIES (EV) =        -12.116  4.049", "-12.116", "homo_lumo_energies", "EV"),
    ("          NO. OF FILLED LEVELS    =          4", "4", "filled_levels", ""),
    (" CYCLE:     3 TIME:   0.000 TIME LEFT:  2.00D  GRAD.:     0.038 HEAT: -57.79986", "-57.79986", "HEAT", ""),
    (" CYCLE:     3 TIME:   0.000 TIME LEFT:  2.00D  GRAD.:     0.038 HEAT: -57.79986", "0.038", "GRAD", ""),
    # LAMMPS
    ("Created 256 atoms", "256", "atoms", ""),
    ("Loop time of 0.0688604 on 1 procs for 300 steps with 256 atoms", "0.0688604", "Loop_time", ""),
    ("Loop time of 0.0688604 on 1 procs for 300 steps with 256 atoms", "300", "steps", ""),
    ("Performance: 1505.656 ns/day, 0.016 hours/ns, 4356.643 timesteps/s", "1505.656", "Performance", "ns/day"),
    ("Total # of neighbors = 16573", "16573", "neighbors", ""),
    ("  master list distance cutoff = 10.5", "10.5", "master_list_distance_cutoff", ""),
    # MPB, Meep
    ("Finished solving for bands 2 to 3 after 14 iterations.", "14", "iterations", ""),
    ('epsilon: 1-12, mean 2.38231, harm. mean 1.16967, 17.5781% > 1, 12.5664% "fill"', "1.16967", "harm_mean", ""),
    ("field energy in box: 0.017143467092020796", "0.017143467092020796", "field_energy_in_box", ""),
    ("Elapsed run time = 0.576178 s", "0.576178", "Elapsed_run_time", "s"),
    # XFOIL
    ("       a =  4.000      CL =  0.7146", "0.7146", "CL", ""),
    ("      Cm = -0.0573     CD =  0.00693   =>   CDf =  0.00463    CDp =  0.00230", "0.00463", "CDf", ""),
    # SWMM
    ("  Number of rain gages ...... 1", "1", "rain_gages", ""),
    ("  Routing Time Step ........ 20.00 sec", "20.00", "Routing_Time_Step", "sec"),
    ("  Continuity Error (%) .....        -0.017", "-0.017", "Continuity_Error", "%"),
    # gmsh, FreeFem++
    ("Info    : 19 nodes 39 elements", "19", "nodes", ""),
    ("Info    : 19 nodes 39 elements", "39", "elements", ""),
    ("  -- Square mesh : nb vertices  =121 ,  nb triangles = 200 ,  nb boundary edges 40", "200", "triangles", ""),
    ("          min 1.28131e-62  max 0.0730984", "0.0730984", "max", ""),
    ("mean temperature = 0.0340297 K", "0.0340297", "mean_temperature", "K"),
    # Cantera, CalculiX
    ("           density   0.28411 kg/m^3", "0.28411", "density", "kg/m^3"),
    ("  mean mol. weight   27.976 kg/kmol", "27.976", "mean_mol_weight", "kg/kmol"),
    (" heat capacity c_p            923.23             25828  J/K", "923.23", "heat_capacity_c_p", ""),
    (" Total CalculiX Time: 0.031264", "0.031264", "Total_CalculiX_Time", ""),
    # sentences, brackets
    ("The maximum deflection of the beam at the free end is 12.53 mm", "12.53", "maximum_deflection_of_beam", "mm"),
    ("Temperature at outlet (probe 3) = 351.2 K", "351.2", "Temperature_at_outlet", "K"),
    ("P_max [bar]                 =   81.3", "81.3", "P_max", "bar"),
]


@pytest.mark.parametrize(("line", "number", "name", "unit"), LINES)
def test_a_number_is_named_by_its_label_and_its_unit_stands_apart(line: str, number: str, name: str, unit: str) -> None:
    found = next(n for n in numbers(line) if line[n.start : n.end] == number)
    label = label_of(line, found.start, found.end)
    assert label is not None
    assert (short_name(label.words), label.unit) == (name, unit)


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("                  HL-Gap            0.5383338 Eh           14.6488 eV", "14.6488"),
        ("    FINAL HEAT OF FORMATION =   -57.79986 KCAL/MOL =  -241.83461 KJ/MOL", "-241.83461"),
        ("   full:       -0.000       0.000      -0.893       2.270", "2.270"),
        ("  12.5   7.25   3.5", "7.25"),
    ],
)
def test_a_number_behind_another_one_has_no_label_of_its_own(line: str, number: str) -> None:
    found = next(n for n in numbers(line) if line[n.start : n.end] == number)
    assert label_of(line, found.start, found.end) is None


def test_names_that_would_be_the_same_get_more_words_or_a_number() -> None:
    labels = ["mean temperature of the fluid at the inlet", "mean temperature of the fluid at the outlet", "pressure", "pressure"]
    assert distinct_names(labels) == [
        "mean_temperature_of_fluid_at_inlet", "mean_temperature_of_fluid_at_outlet", "pressure", "pressure_2",
    ]  # fmt: skip


def test_a_symbol_alone_in_brackets_is_the_name() -> None:
    assert [heading_name(h) for h in ("[A]", "[B]", "time [min]")] == [("A", ""), ("B", ""), ("time", "min")]
    assert [heading_name(h) for h in ("[S] [M]", "[A] (nM)")] == [("S", "M"), ("A", "nM")], "S and A are units too"


def test_a_heading_gives_its_unit_away() -> None:
    assert heading_name("Surface temp. [K]") == ("Surface temp", "K")
    assert heading_name("Energy/eV") == ("Energy", "eV")
    assert [heading_name(h) for h in ("v(in)", "x(in)", "p(ps)")] == [("v_in", ""), ("x", "in"), ("p", "ps")]
    assert heading_name("v(4)") == ("v(4)", "")


BEHIND = [
    ("  3.5   ! Young's modulus", "3.5", ("Young's modulus", "")),
    (" -76.4 ! total energy (Eh)", "-76.4", ("total energy", "Eh")),
    ("  0.3 / nu", "0.3", ("nu", "")),
    ("  3.5 = E", "3.5", ("E", "")),
    ("1.5, 0.3 ! mass, drag", "0.3", ("drag", "")),
    ("  3.5 # mm", "3.5", None),
    ("  3.5 / s", "3.5", None),
    ("1.5 2.5 ! a remark of all", "2.5", None),
    ("12:30:05 : start", "30", None),
    ("x = 3.5 ! y", "3.5", ("x", "")),
]


@pytest.mark.parametrize(("line", "number", "told"), BEHIND)
def test_words_behind_a_sign_name_the_number_with_which_their_line_begins(
    line: str, number: str, told: tuple[str, str] | None
) -> None:
    text = f"step 1 of 3 done\n{line}\n"
    start = text.index(number, 17)
    label = label_of(text, start, start + len(number))
    assert (None if label is None else (label.words, label.unit)) == told


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="x1 2.5,;=!#/-:(E)", max_size=40), st.integers(0, 40), st.integers(1, 6))
def test_words_behind_numbers_are_words_of_their_line(line: str, start: int, length: int) -> None:
    said = words_behind(line, min(start, len(line)), min(start + length, len(line)))
    assert said in line
    assert not said or said[0].isalpha()


@pytest.mark.parametrize(
    ("heading", "name", "unit"),
    [
        ("<u>/kJ mol-1", "u", "kJ mol-1"), ("<p>/mN m-1", "p", "mN m-1"), ("<V>/m s-1", "V", "m s-1"),
        ("q/W m-2 K-1", "q", "W m-2 K-1"), ("v/m s^-1", "v", "m s^-1"), ("rho/A^-2", "rho", "A^-2"),
        ("energy <eV>", "energy", "eV"),
    ],
)  # fmt: skip
def test_averages_and_units_with_blanks_leave_the_letters_of_a_name(heading: str, name: str, unit: str) -> None:
    assert heading_name(heading) == (name, unit)
    assert short_name(heading) == name


@pytest.mark.parametrize(
    ("heading", "name", "unit"),
    [
        ("rate (K per day)", "rate", "K per day"),
        ("rate (counts per second)", "rate", "counts per second"),
        ("deaths [new deaths per day]", "deaths", "new deaths per day"),
        ("flux (mol per square metre per second)", "flux", "mol per square metre per second"),
        ("growth (mass per protocol)", "growth (mass per protocol)", ""),
    ],
)
def test_a_unit_that_says_per_in_words_is_taken_out_of_the_heading(heading: str, name: str, unit: str) -> None:
    assert heading_name(heading) == (name, unit)
    assert unit_in(heading) == unit


def test_a_function_of_a_symbol_is_one_name() -> None:
    assert heading_name("tan(psi)") == ("tan_psi", "")  # psi is a unit elsewhere
    assert heading_name("log10(eps) [K]")[1] == "K"


@pytest.mark.parametrize(
    ("headings", "names"),
    [
        (["EPS(+y)", "EPS(-y)"], ["EPS plus y", "EPS minus y"]),
        (["x", "-x"], ["x", "minus x"]),
        (["T+", "T-"], ["T plus", "T minus"]),
        (["y+", "u+"], ["y plus", "u plus"]),
        (["a [-]", "b [-]", "a [K]"], ["a", "b", "a"]),  # without a unit
        (["E - E0", "T/K"], ["E - E0", "T/K"]),
    ],
)
def test_headings_that_differ_in_signs_give_names_that_say_them(headings: list[str], names: list[str]) -> None:
    assert heading_names(headings) == names


def test_a_label_with_a_signed_direction_keeps_the_sign() -> None:
    assert [short_name(label) for label in ("EPS(+y)", "EPS(-y)", "flux (+)", "slope [-]", "Na+")] == [
        "EPS_plus_y", "EPS_minus_y", "flux_plus", "slope", "Na_plus",
    ]  # fmt: skip
