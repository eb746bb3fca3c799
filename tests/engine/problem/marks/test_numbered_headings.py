"""Headings of several words that end with a number, errors beside values, and numbers picked from several tables."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.marks.each import these_numbers
from bayescope.engine.problem.marks.tables.block import Column
from bayescope.engine.problem.marks.tables.numbered_headings import error_of, numbered_headings

TEXT = """ replicates 1200   seed 4711
 Ne(1) = 10000   Ne(2) = 10000   split 8000 gen

 TABLE 1.  SPECTRUM, sites per 120 loci

  class     deme 1      +/-       deme 2      +/-
  -----   --------- ---------   --------- ---------
      1      640.00 (  12.10)      630.00 (  12.20)
      2      330.00 (   8.10)      320.00 (   8.20)
      3      220.00 (   6.90)      210.00 (   6.80)

 TABLE 2.  WITHIN DEMES

  deme        pi        s.e.      D_Taj     s.e.
   1     1.0646E-03  2.10E-05   -0.0734   0.0301
   2     1.0547E-03  2.00E-05   -0.0806   0.0299

 TABLE 3.  BETWEEN DEMES

   D_XY   =  1.3600E-03  +/-  2.50E-05
   F_ST   =  0.22100     +/-  0.00900   (Hudson)
"""
NAMES = ("class", "deme 1", "deme 1 se", "deme 2", "deme 2 se")


@pytest.mark.parametrize(
    ("words", "within", "name"),
    [("deme 1", 2, "deme 1"), ("deme 1", 5, "deme 1"), ("deme 2", 0, "deme 2"), ("+/-   ", 1, "deme 1 se")],
)
def test_a_click_on_a_heading_of_a_word_and_a_number_means_its_column(words: str, within: int, name: str) -> None:
    at = TEXT.index(words) + within
    mark = Mark(TEXT, at, at)
    assert mark.first() == "column"
    assert mark.offers("column")[0].names == (name,)
    assert mark.offers("table")[0].names == NAMES


def test_the_columns_below_such_headings_are_read() -> None:
    at = TEXT.index("deme 2")
    proposal = Mark(TEXT, at, at + 6).offers("column")[0].proposals[0]
    assert proposal.values == (630.0, 320.0, 210.0)


def test_numbers_picked_from_several_tables_are_called_as_their_own_table_says() -> None:
    picked = [(TEXT.index(n), TEXT.index(n) + len(n)) for n in ("1.0646E-03", "1.0547E-03", "-0.0734", "1.3600E-03", "0.22100")]
    for last in (0, -1):
        found = these_numbers(Mark(TEXT, *picked[last]), picked).found
        assert [one.name for one in found] == ["pi_1", "pi_2", "D_Taj_1", "D_XY", "F_ST"]


def test_lines_that_say_numbers_are_no_headings() -> None:
    columns = [Column(1, 2, 8), Column(2, 14, 20)]
    for line in ("  STEP 2   ANGLE 20.0 deg", "  dt = 2   case 1", "  1.5   2.5", "  alone 1", "  first  second"):
        assert numbered_headings(line, columns) == []
    assert numbered_headings("  case 1      case 2", columns) == [(2, 8), (14, 20)]


def test_headings_of_errors_say_which() -> None:
    said = {w: error_of(w) for w in ("+/-", "±", "(+-)", "s.e.", "SE", "sd", "std", "error", "Se", "deme", "-")}
    assert [w for w, kind in said.items() if kind == "se"] == ["+/-", "±", "(+-)", "s.e.", "SE"]
    assert (said["sd"], said["std"], said["error"], said["Se"], said["deme"], said["-"]) == ("sd", "sd", "error", "", "", "")
