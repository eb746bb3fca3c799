"""What remarks in input files say of the numbers beside them."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.units.unit_scales import raised
from bayescope.gui.models.simulator.numbers.marked_number import marked_at
from bayescope.gui.models.simulator.numbers.remarks import parted, remark_on

BESIDE = [
    ("T   = 300        % transmissivity, m2/day", "300", ("transmissivity", "m2/day")),
    ("S   = 5e-4       % storativity, -", "5e-4", ("storativity", "")),
    ("B   = 800        # leakage factor (m)", "800", ("leakage factor", "m")),
    ("eff = 0.9  % part of the metered discharge that comes from this aquifer", "0.9", ("part of the metered discharge", "")),
    ("r1  = 30         % distance of P1 from the pumped well, m", "30", ("distance of P1 from the pumped well", "m")),
    ("   1.5d0   ! Young's modulus [GPa]", "1.5d0", ("Young's modulus", "GPa")),
    ("double k = 4.0e-3; // heat conductivity, W/(m K)", "4.0e-3", ("heat conductivity", "W/(m K)")),
    ("rate=0.2 ; decay rate in 1/s", "0.2", ("decay rate", "1/s")),
    ("width: 22  # mm", "22", ("", "mm")),
    ("8.5d-3  ! double layer, CPE parameter Q (S s^n / cm2)", "8.5d-3", ("double layer, CPE parameter Q", "S s^n / cm2")),
    ("A = 2.1  ! n = A + B/l^2 + C/l^4   (l in um)", "2.1", ("", "")),
    ("KAMP = 0.008  ! k = KAMP*exp(KEXP*(E-EEDGE))  E in eV", "0.008", ("", "")),
    ("r = 0.008  ! rate = D/L^2 in 1/s", "0.008", ("", "1/s")),
    ("kd = 1e-6 // M", "1e-6", ("", "M")),
    ("kd = 1e-6 # [M]", "1e-6", ("", "M")),
    ("p = 101.3 ! kPa", "101.3", ("", "kPa")),
    ("T = 300 # K", "300", ("", "K")),
    ("0.5 # K", "0.5", ("", "")),
    ("A = 2 // A", "2", ("", "")),
    ("c = 0.5 // in M", "0.5", ("", "M")),
    ("<radius>0.2</radius> <!-- mm -->", "0.2", ("", "mm")),
    ("  int n = 5; /* number of cells */", "5", ("number of cells", "")),
    ("C  initial temperature, K\n   293.15\n", "293.15", ("initial temperature", "K")),
    ("* yield stress (MPa)\n250.0\n", "250.0", ("yield stress", "MPa")),
    ("d = 104  ! nm (guess by eye, 80..140)", "104", ("", "nm")),
    ("T = 300  ! K (280..320)", "300", ("", "K")),
    ("n = 1.46 ! at 632.8 nm (1.40..1.60)", "1.46", ("", "")),
    ("d = 104  ! film thickness, nm (80..140)", "104", ("film thickness", "nm")),
    ("d = 104  ! film thickness (nm), range 80 - 140", "104", ("film thickness", "nm")),
    ("d = 2  # native oxide [nm], known to 0.3", "2", ("native oxide", "nm")),
    ("k = 1.4  # W/(m K), conductivity of the film", "1.4", ("conductivity of the film", "W/(m K)")),
    ("k = 12.0;  // W/(m K)   conductivity of the plate", "12.0", ("conductivity of the plate", "W/(m K)")),
    ("k = 12.0;  // W/(m K) conductivity of the plate", "12.0", ("conductivity of the plate", "W/(m K)")),
    ("k = 12.0;  // [W/(m K)] conductivity", "12.0", ("conductivity", "W/(m K)")),
    ("k = 12.0;  // conductivity [W/(m K)]", "12.0", ("conductivity", "W/(m K)")),
    ("h = 25.0;  // W/(m2 K)  heat transfer coefficient to the air", "25.0",
     ("heat transfer coefficient to the air", "W/(m2 K)")),
    ("k1 = 1.2e-3  ! 1/s, forward rate, between 0.0002 and 0.005", "1.2e-3", ("forward rate", "1/s")),
    ("Keq = 3.2  ! [B]/[A], from NMR, leave it", "3.2", ("", "[B]/[A]")),
    ("Ea2 = 60.0  ! kJ/mol, literature 60 +/- 10", "60.0", ("", "kJ/mol")),
    ("q = 2400.; // W/m2      heater pad, from the power supply", "2400.", ("heater pad", "W/m2")),
    ("a = 3  # mm  radius", "3", ("radius", "mm")),
    ("a = 3  # A coefficient", "3", ("A coefficient", "")),
    ("a = 3  # bar stiffness", "3", ("bar stiffness", "")),
    ("a = 3  # and/or switch", "3", ("", "")),
    ("a = 3  # width/height of the box", "3", ("width/height of the box", "")),
    ("d = 2  # (guess)", "2", ("", "")),
    ("a = 3  % TODO: check", "3", ("", "")),
    ("a = 3  # was 4", "3", ("", "")),
    ("Na 5  # geschaetzt, nicht gemessen", "5", ("", "")),
    ("CEC 8  # geschätzt", "8", ("", "")),
    ("log_k 0.7  # phreeqc.dat", "0.7", ("", "")),
    ("k = 2  # estimé", "2", ("", "")),
    ("k = 2  # Austauschkapazität, geschätzt", "2", ("Austauschkapazität", "")),
    ("porosity = 10 % of volume", "10", ("", "")),
    ("a = 1; b = 2", "1", ("", "")),
    ("a = 1, 2  % both, m", "2", ("", "")),
    ("a = 3", "3", ("", "")),
    ("stretch-modulus = 1000.0  ; pN", "1000.0", ("", "pN")),
    ("# a heading\nx = 3\n", "3", ("", "")),
]


@pytest.mark.parametrize(("text", "number", "said"), BESIDE)
def test_a_remark_gives_the_number_beside_it_a_label_and_a_unit(text: str, number: str, said: tuple[str, str]) -> None:
    start = text.rindex(number) if "\n" in text else text.index(number, text.find("=") if "=" in text else 0)
    assert remark_on(text, start, start + len(number)) == said


RAISED = [("m2/day", "m²/day"), ("m^3/s", "m³/s"), ("W/m2", "W/m²"), ("CO2", "CO2"), ("1/s", "1/s")]


@pytest.mark.parametrize(("unit", "shown"), RAISED)
def test_powers_of_units_are_shown_raised(unit: str, shown: str) -> None:
    assert raised(unit) == shown


@pytest.mark.parametrize(
    ("text", "number", "name", "unit"),
    [
        ("pair_coeff  * * ${D0} ${alpha} 2.866   # r0 = 2.866 A, also a fit parameter", "2.866", "r0", "A"),
        ("pair_coeff * * @D0@ @alpha@ 2.866 # r0=2.8660 (A)", "2.866", "r0", "A"),
        ("1 2 0.35 1.5  ! eps = 0.35 eV, sigma = 1.5", "1.5", "sigma", ""),
        ("# eps = 0.35 eV, sigma = 1.5\n1 2 0.35 1.5", "0.35", "eps", "eV"),
        ("k = 2.5  # k0 = 2.5 1/s", "2.5", "k", "1/s"),  # it has a name already
        ("pair 2.866   # r0 = 2.9 A", "2.866", "pair", ""),  # of another number
    ],
)
def test_a_remark_that_repeats_the_value_says_its_name(text: str, number: str, name: str, unit: str) -> None:
    at = text.rindex(number) if text.startswith("#") else text.index(number)
    mark = marked_at(text, at, at + len(number))
    assert mark is not None
    assert mark.name == name
    assert remark_on(text, at, at + len(number))[1] == unit


NOTED = [
    ("smax = 150.0  ! mm, field capacity store     ?? calibrate", "150.0", ("field capacity store", "mm")),
    ("beta = 1.5    ! shape                        ?? calibrate", "1.5", ("shape", "")),
    ("f = 0.5       ! share of runoff to FR        ?? calibrate", "0.5", ("share of runoff to FR", "")),
    ("k = 0.10      ! 1/d (mm^(1-alpha)/d)         ?? calibrate", "0.10", ("", "1/d")),
    ("k = 0.02      ! 1/d                          ?? calibrate", "0.02", ("", "1/d")),
    ("z = 411.85    ! m a.s.l., bottom of aquifer", "411.85", ("bottom of aquifer", "m a.s.l.")),
    ("k = 3  # stiffness of the spring <-- check this", "3", ("stiffness of the spring", "")),
    ("k = 3  # stiffness   to be calibrated", "3", ("stiffness", "")),
    ("k = 3  # what is this?", "3", ("what is this?", "")),
    ("k = 3  # share of (the rest", "3", ("", "")),
]


@pytest.mark.parametrize(("text", "number", "said"), NOTED)
def test_what_is_noted_for_later_behind_a_remark_is_no_part_of_the_label(text: str, number: str, said: tuple[str, str]) -> None:
    start = text.index(number)
    assert remark_on(text, start, start + len(number)) == said


SECTIONS = {
    "ini": "[fast]\nk = 0.1  ! 1/d\nalpha = 1.5\n[slow]\nk = 0.2\n",
    "namelist": "&fast\n k = 0.1\n/\n&slow\n k = 0.2\n/\n",
    "yaml": "fast:\n  k: 0.1\n  alpha: 1.5\nslow:\n  k: 0.2\n",
    "json": '{\n "fast": {\n  "k": 0.1\n },\n "slow": {\n  "k": 0.2\n }\n}\n',
    "toml": "[store.fast]\nk = 0.1\n[store.slow]\nk = 0.2\n",
}


@pytest.mark.parametrize("form", SECTIONS)
def test_a_key_of_several_sections_is_named_with_its_own(form: str) -> None:
    text = SECTIONS[form]
    for number, name in (("0.1", "k_fast"), ("0.2", "k_slow")):
        marked = marked_at(text, text.index(number), text.index(number) + 3)
        assert marked is not None
        assert marked.name == name


def test_a_key_of_one_section_is_named_alone_also_when_the_other_is_a_placeholder() -> None:
    alone = "[fast]\nk = 0.1\n[slow]\nm = 0.2\n"
    marked = marked_at(alone, alone.index("0.1"), alone.index("0.1"))
    assert marked is not None
    assert marked.name == "k"
    taken = "[fast]\nk = @k_fast@\n[slow]\nk = 0.2\n"
    marked = marked_at(taken, taken.index("0.2"), taken.index("0.2"))
    assert marked is not None
    assert marked.name == "k_slow"


@pytest.mark.parametrize("remark", ["in a naive population", "on the first Monday", "by earlier infections"])
def test_a_remark_on_when_or_of_whom_a_value_is_names_nothing(remark: str) -> None:
    text = f"R0 = 2.60   ! {remark}\n"
    at = text.index("2.60")
    assert remark_on(text, at, at + 4) == ("", "")


def test_a_unit_with_per_stands_before_a_comma_and_what_it_is_of_is_no_part_of_the_label() -> None:
    assert parted("mol per kg water in a cell, the capacity") == ("capacity", "mol per kg")
    assert parted("m per day, recharge") == ("recharge", "m per day")
    assert parted("births per woman, a guess") == ("births per woman, a guess", "")
