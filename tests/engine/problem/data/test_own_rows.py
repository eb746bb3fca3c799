"""Rows of one quantity in a table of several, with missing values at every place: they keep their place in the order."""

from __future__ import annotations

import io

import numpy as np
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.files.data_files import Options, parse_with
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match
from bayescope.engine.problem.data.rows.own_rows import counted, in_order, missing_rows
from bayescope.engine.problem.data.tables import long_form
from bayescope.engine.problem.data.tables.together import together

WEEKS = 8
CASES = d.Match(output="cases", column="cases")
SERO = d.Match(output="sero", column="sero")


def file(text: str, name: str) -> d.DataTable:
    table = parse_with(text.encode(), name, Options()).table
    assert table is not None
    return table


def cases(missing: dict[int, str]) -> str:
    rows = (f"{i + 1}.10.2023;{missing.get(i + 1, str(10 * (i + 1)))}" for i in range(WEEKS))
    return "week ending;cases\n" + "\n".join(rows) + "\n"


def survey(missing: dict[int, str], head: str = "age") -> str:
    rows = (f"{10 * i}-{10 * i + 9};{100 + i};{missing.get(i + 1, str(30 + i))};2" for i in range(3))
    return f"{head};tested;sero;sd\n" + "\n".join(rows) + "\n"


def below(first: str, second: str) -> d.DataTable:
    return together([file(first, "a.csv"), file(second, "b.csv")], ["a.csv", "b.csv"])


def predicted(table: d.DataTable, match: d.Match, n: int) -> list[float]:
    values = np.arange(1.0, n + 1.0)
    found = compare_match(match, table, {match.output: values})
    return [float(p) for p in found.prediction[found.present]]


@pytest.mark.parametrize("word", ["n/a", "-", "", "NA", "NaN", "."])
@pytest.mark.parametrize("row", [1, 5, WEEKS])
@pytest.mark.parametrize("first", [True, False])
def test_a_missing_value_of_two_files_keeps_its_place_in_its_own_file(word: str, row: int, first: bool) -> None:
    own, other = cases({row: word}), survey({})
    table = below(own, other) if first else below(other, own)
    assert predicted(table, CASES, WEEKS) == [float(i) for i in range(1, WEEKS + 1) if i != row]
    assert predicted(table, SERO, 3) == [1.0, 2.0, 3.0]
    assert len(missing_rows(table, "cases")) == 1


@pytest.mark.parametrize("row", [1, 2, 3])
def test_both_files_may_lack_values(row: int) -> None:
    table = below(cases({WEEKS: "n/a"}), survey({row: "n/a"}))
    assert predicted(table, CASES, WEEKS) == [float(i) for i in range(1, WEEKS)]
    assert predicted(table, SERO, 3) == [float(i) for i in range(1, 4) if i != row]


def test_as_many_values_as_were_measured_are_those_of_the_measured_rows() -> None:
    table = below(cases({5: "n/a"}), survey({}))
    assert predicted(table, CASES, WEEKS - 1) == [float(i) for i in range(1, WEEKS)]


@pytest.mark.parametrize("row", [2, 5])
def test_files_that_share_their_column_of_dates_are_told_apart(row: int) -> None:
    rain = "week ending;rain\n" + "\n".join(f"{i + 1}.10.2023;{i}" for i in range(4)) + "\n"
    table = below(cases({row: "n/a"}), rain)
    assert predicted(table, CASES, WEEKS) == [float(i) for i in range(1, WEEKS + 1) if i != row]
    assert predicted(table, d.Match(output="rain", column="rain"), 4) == [1.0, 2.0, 3.0, 4.0]


def test_a_date_without_a_value_in_the_middle_of_the_other_file_is_no_row_of_this_one() -> None:
    rain = "week ending;rain\n1.10.2023;1\n2.10.2023;n/a\n3.10.2023;3\n"
    assert missing_rows(below(cases({}), rain), "cases") == []
    assert missing_rows(below(rain, cases({})), "cases") == []


def test_where_files_of_the_same_columns_lack_values_between_others_the_places_between_count() -> None:
    rain = "week ending;rain\n1.10.2023;1\n2.10.2023;n/a\n3.10.2023;3\n"
    table = below(cases({5: "n/a"}), rain)
    assert predicted(table, CASES, WEEKS) == [float(i) for i in range(1, WEEKS + 1) if i != 5]
    assert predicted(table, d.Match(output="rain", column="rain"), 3) == [1.0, 3.0]


@pytest.mark.parametrize("row", [0, 2, 4])
@pytest.mark.parametrize("mixed", [True, False])
def test_a_missing_value_in_long_form_keeps_its_place(row: int, mixed: bool) -> None:
    rows = [(q, t, "n/a" if q == "u" and t == row else f"{t + 0.5}") for q in "uv" for t in range(5)]
    rows = sorted(rows, key=lambda r: r[1]) if mixed else rows
    text = io.StringIO()
    text.write("what,t,value\n" + "".join(f"{q},{t},{v}\n" for q, t, v in rows))
    table = long_form.split(file(text.getvalue(), "long.csv"), "what")
    assert predicted(table, d.Match(output="u", column="u"), 5) == [float(t + 1) for t in range(5) if t != row]
    assert predicted(table, d.Match(output="v", column="v"), 5) == [1.0, 2.0, 3.0, 4.0, 5.0]


def test_two_missing_values_and_one_too_few_are_not_guessed() -> None:
    table = below(cases({3: "n/a", 6: "-"}), survey({}))
    assert missing_rows(table, "cases") == [3, 6]
    with pytest.raises(ComparisonError, match="has 7 values"):
        predicted(table, CASES, WEEKS - 1)
    one = d.Match(output="cases", column="cases", left_out=(6,))
    assert predicted(table, one, WEEKS - 1) == [1.0, 2.0, 4.0, 5.0, 6.0, 7.0]


def test_a_row_of_no_file_is_nobodys() -> None:
    table = d.DataTable(columns={"cases": (1.0, None, 3.0, None), "sero": (None, None, None, 4.0)})
    assert counted(3, CASES, table) is None
    assert in_order(2, CASES, table) is not None
    assert in_order(4, CASES, table) is not None


def test_as_many_values_as_two_tables_below_each_other_have_rows_are_not_one_for_each_of_them() -> None:
    spectrum = "nm;cases\n" + "".join(f"{900 - 10 * i};{i + 1}\n" for i in range(5))
    angles = "angle;R;sd;remark\n" + "".join(f"{10 + i};{i + 3};1;{'dust' if i == 2 else ''}\n" for i in range(4))
    for table in (below(spectrum, angles), below(angles, spectrum)):
        assert counted(9, CASES, table) is None
        assert counted(9, d.Match(output="R", column="R"), table) is None
        assert in_order(5, CASES, table) is not None
        assert in_order(4, d.Match(output="R", column="R"), table) is not None


def test_rows_of_two_quantities_at_places_of_one_column_may_be_all_that_a_program_gives() -> None:
    table = d.DataTable(columns={
        "t": (1.0, 2.0, 3.0, 4.0), "cases": (1.0, None, 3.0, None), "sero": (None, 2.0, None, 4.0),
    })  # fmt: skip
    assert in_order(4, CASES, table) is not None
