"""Units below the names of columns whose divisor stands in brackets: W/(m K) is one unit, whatever parts the columns."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.files.data_files import Options, parse_with
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.units.unit_names import is_unit

NAMES = ["x (m)", "lambda (W/(m K))", "Cp (J/(kg K))"]


def names(text: str) -> list[str]:
    return list(parse_with(text.encode(), "m.txt", Options(named=True)).table.columns)


@pytest.mark.parametrize("head", [
    "x,lambda,Cp\nm,W/(m K),J/(kg K)\n", "x\tlambda\tCp\nm\tW/(m K)\tJ/(kg K)\n", "x lambda Cp\nm W/(m K) J/(kg K)\n",
    "x  lambda  Cp\nm  W/(m K)  J/(kg K)\n", "# x  lambda  Cp\n# m  W/(m K)  J/(kg K)\n", "# x lambda Cp\n# m W/(m K) J/(kg K)\n",
])  # fmt: skip
def test_a_unit_with_brackets_is_one_below_its_name(head: str) -> None:
    mark = "," if "," in head else "\t" if "\t" in head else " "
    rows = "".join(mark.join(str(k + j) for j in range(3)) + "\n" for k in range(4))
    assert names(head + rows) == NAMES
    assert unit_in(NAMES[1]) == "W/(m K)"


def test_a_word_in_brackets_behind_a_unit_is_still_of_the_name() -> None:
    assert names("t,V,k\ns,mL (cumulative),W/(m K)\n1,2,3\n2,3,4\n3,4,5\n") == ["t (s)", "V (cumulative) (mL)", "k (W/(m K))"]


@pytest.mark.parametrize(("word", "told"), [
    ("W/(m K)", True), ("J/(kg·K)", True), ("m3/(m2 d)", True), ("mol/(L s)", True), ("T/(K)", False),
    ("mean/(two halves)", False),
])  # fmt: skip
def test_a_quotient_by_several_units_is_a_unit(word: str, told: bool) -> None:
    assert is_unit(word) == told


@pytest.mark.parametrize("formula", ["q = U/A", "q = k dT", "T = 300 K"])
def test_a_formula_in_a_comment_gives_no_names_and_the_line_above_it_does(formula: str) -> None:
    rows = "".join(",".join(str(k + j) for j in range(3)) + "\n" for k in range(4))
    assert names(f"# t,q,T\n# {formula}\n{rows}") == ["t", "q", "T"]
    assert names(f"# {formula}\n{rows}") == ["column 1", "column 2", "column 3"]
    assert names(f"# t  q  T (x = 0.5)\n{rows.replace(',', ' ')}")[2] == "T (x = 0.5)"
