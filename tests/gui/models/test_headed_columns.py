"""A number of a table in an input file is named by the comment that heads its column, and by its row."""

from __future__ import annotations

import pytest

from bayescope.gui.models.simulator.numbers.headed_columns import headed, unit_above
from bayescope.gui.models.simulator.numbers.marked_number import name_for

TOPOLOGY = """[ defaults ]
; nbfunc  comb-rule  gen-pairs  fudgeLJ  fudgeQQ
  1       2          no         0.9      1.1

[ atomtypes ]
; name  at.num   mass     charge  ptype  sigma (nm)  epsilon (kJ/mol)
  AR    18     39.948     0.0     A      0.3345      1.0446
  KR    36     83.798     0.0     A      0.3650      1.3500
"""
BARE = TOPOLOGY.replace("; name  at.num   mass     charge  ptype  sigma (nm)  epsilon (kJ/mol)\n", "")


def named(text: str, number: str) -> tuple[str, str]:
    start = text.index(number)
    found = headed(text, start)
    return name_for(text, start, start + len(number)), found.unit if found is not None else ""


@pytest.mark.parametrize(
    ("number", "name", "unit"),
    [
        ("0.3345", "sigma_AR", "nm"), ("0.3650", "sigma_KR", "nm"), ("1.3500", "epsilon_KR", "kJ/mol"),
        ("83.798", "mass_KR", ""), ("0.9", "fudgeLJ", ""),
    ],
)  # fmt: skip
def test_the_heading_of_the_column_and_the_first_word_of_the_row_name_a_number(number: str, name: str, unit: str) -> None:
    assert named(TOPOLOGY, number) == (name, unit)


def test_so_they_do_when_another_number_of_the_row_is_a_parameter_already() -> None:
    assert named(TOPOLOGY.replace("0.3650", "@sigma_Kr@"), "1.3500") == ("epsilon_KR", "kJ/mol")


def test_without_headings_neither_the_letter_of_a_kind_nor_another_parameter_is_the_name() -> None:
    assert named(BARE, "0.3650") == named(BARE, "1.3500") == ("KR", "")
    assert named(BARE.replace("0.3650", "@sigma_Kr@"), "1.3500") == ("KR", "")
    assert named("x = @a@ * 2.5", "2.5") == ("x", "")
    assert named("section 1 A 0.01 I 1e-6", "0.01") == ("A", "")


@pytest.mark.parametrize(
    ("text", "number", "name", "unit"),
    [
        ("# time step size\ndt = 0.1", "0.1", "dt", ""),
        ("# time step size\ndt 0.1 0.2", "0.1", "dt", ""),
        ("# name, E (GPa), nu\nsteel, 210, 0.3\nlead, 16, 0.44", "16", "E_lead", "GPa"),
        ("! depth [m]   K [m/s]\n 1.0   1e-5\n 2.0   3e-5", "1e-5", "K", "m/s"),
        ("* name  n1  n2  value\nR1 in 0 220", "220", "R1", ""),
    ],
)
def test_sentences_head_no_columns(text: str, number: str, name: str, unit: str) -> None:
    assert named(text, number) == (name, unit)


DECK = """$  name     E [kN/m2]     A [m2]
*SECTION
   ST       3.00E+07      0.0400      $ columns
   RI       2.90E+07      0.0500
$ springs at the foot  [kNm/rad]   (node, dof, k)
*SPRING
   1   3   5000.
   5   3   5100.
$ masses [t]
*MASS
   9   1.20
  11   2.50       $ not weighed
$ case node  Fx [kN]   Fy [kN]
*LOAD
   1    4   12.0    0.5
"""


@pytest.mark.parametrize(
    ("number", "name", "unit", "above"),
    [
        ("2.90E+07", "E_RI", "kN/m2", ""), ("0.0400", "A_ST", "m2", ""), ("5100.", "k", "", "kNm/rad"), ("2.50", "", "", "t"),
        ("12.0", "Fx", "kN", ""),
    ],
)  # fmt: skip
def test_keywords_of_a_deck_stand_between_a_heading_and_its_rows(number: str, name: str, unit: str, above: str) -> None:
    start = DECK.index(number)
    found = headed(DECK, start)
    assert (found.name if found is not None else "", found.unit if found is not None else "") == (name, unit)
    assert unit_above(DECK, start) == above


FILM = """#      name     thickness   SLD    roughness   solvent fraction
LAYER  oxide      14.0      3.47     3.0         0.0
LAYER  brush     250.0      1.20     8.0         0.20
"""
CLASSES = """! class   population   reported %
  0-4       41300        12.0
  65+      158600         2.5
"""


@pytest.mark.parametrize(
    ("text", "number", "name", "unit"),
    [
        (FILM, "14.0", "thickness_oxide", ""), (FILM, "250.0", "thickness_brush", ""), (FILM, "1.20", "SLD_brush", ""),
        (FILM, "0.20", "solvent_fraction_brush", ""),
        (CLASSES, "12.0", "reported_0_4", "%"), (CLASSES, "2.5", "reported_65", "%"),
        (CLASSES, "158600", "population_65", ""),
    ],
)  # fmt: skip
def test_headings_of_several_words_stand_over_their_own_cells_also_behind_a_word_that_each_row_begins_with(
    text: str, number: str, name: str, unit: str
) -> None:
    assert named(text, number) == (name, unit)


def test_so_they_do_behind_a_parameter_whose_name_is_longer_than_its_number() -> None:
    assert named(FILM.replace("250.0", "@thickness_brush@"), "0.20")[0] == "solvent_fraction_brush"
