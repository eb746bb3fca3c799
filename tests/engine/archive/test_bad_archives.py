"""Archives as they come: several files, names as people write them, wrong units, copies, outliers, failures, rows on a line."""

from __future__ import annotations

import math

import numpy as np
import pytest
from archived_runs import evaluations, table_of, two_parameters
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.archive.column_words import plain, without_unit
from bayescope.engine.archive.interpret import interpret
from bayescope.engine.archive.mapping import Mapped, mapping_from_options
from bayescope.engine.archive.read import read_all
from bayescope.engine.archive.several import other_units, together
from bayescope.engine.archive.table import ArchiveError
from bayescope.engine.problem.definition import (
    Parameter,
    Uniform,
)
from bayescope.engine.problem.transforms import ParameterSpace

PROBLEM = two_parameters(Parameter("kappa", Uniform(low=0.0, high=1e5), plausible=(20.0, 80.0)))
PLAIN = Mapped({"rho": "rho", "kappa": "kappa"}, "loglik", "log_likelihood")


def runs(n, seed=0):
    return evaluations(n, seed, of_kappa=1.0)



def said(found):
    return " ".join(found.words())


def test_several_files_are_one_table_whatever_the_order_of_their_columns(tmp_path):
    a, b = runs(30), runs(20, 1)
    (tmp_path / "a.csv").write_text("rho,kappa,loglik\n" + "\n".join(",".join(map(repr, r)) for r in a.tolist()))
    (tmp_path / "b.txt").write_text("Kappa\tlogLik\tRHO\tjob\n" + "\n".join(f"{k!r}\t{v!r}\t{r!r}\t7" for r, k, v in b.tolist()))
    found = read_all([tmp_path / "a.csv", tmp_path / "b.txt"], PROBLEM)
    assert found.columns == ("rho", "kappa", "loglik")
    assert np.array_equal(found.values, np.concatenate([a, b]))
    assert found.source == "2 files (a.csv, b.txt)"
    assert any("job" in note for note in found.notes)
    assert len(interpret(found, PROBLEM, PLAIN).record.values) == 50


def test_files_without_a_column_in_common_are_refused_in_words():
    with pytest.raises(ArchiveError, match=r"b\.csv|no column of the same name"):
        together([table_of(runs(3)), table_of(runs(3), "b.csv", ("p", "q", "r"))])


def test_the_same_file_twice_counts_once_and_is_said():
    found = interpret(together([table_of(runs(40)), table_of(runs(40), "b.csv")]), PROBLEM, PLAIN)
    assert len(found.record.values) == 40
    assert "b.csv holds the same rows as a.csv" in said(found)
    assert "40 repeated rows were merged" in said(found)


def test_files_that_contradict_each_other_are_averaged_and_said():
    other = runs(40)
    other[:, 2] += 4.0
    found = interpret(together([table_of(runs(40)), table_of(other, "b.csv")]), PROBLEM, PLAIN)
    assert np.allclose(np.sort(found.record.values), np.sort(runs(40)[:, 2] + 2.0))
    assert "At 40 points the same parameters have different values" in said(found)


def test_wrong_units_in_one_file_of_three_are_named_with_the_file():
    metres = runs(30, 2)
    metres[:, 1] /= 1000.0
    found = interpret(together([table_of(runs(30)), table_of(runs(30, 1), "b.csv"), table_of(metres, "c.csv")]), PROBLEM, PLAIN)
    assert "In c.csv kappa is about 0.00" in said(found)
    assert "other units" in said(found)
    wide = [runs(200, seed) for seed in range(3)]
    for rows, unit in zip(wide, (1.0, 1.0, 1e-3), strict=True):
        rows[:, 1] = unit * np.random.default_rng(0).uniform(0.0, 100.0, 200)  # so wide that the ranges touch at 0
    three = together([table_of(rows, name) for rows, name in zip(wide, "abc", strict=True)])
    assert "In c kappa is about 0.001 times" in said(interpret(three, PROBLEM, PLAIN))
    fine = interpret(together([table_of(runs(30)), table_of(runs(30, 1), "b.csv")]), PROBLEM, PLAIN)
    assert "units" not in said(fine)


@pytest.mark.parametrize(("unit", "named"), [(1e-3, True), (1e3, True), (0.1, False)])
def test_other_units_show_also_where_values_lie_on_both_sides_of_zero(unit, named):
    rows = [np.random.default_rng(k).normal(0.5, 1.0, (100, 1)) * (unit if k == 2 else 1.0) for k in range(3)]
    joined = together([table_of(r, f"{name}.csv", ("p",)) for r, name in zip(rows, "abc", strict=True)])
    assert other_units(joined, "p", "p").startswith("In c.csv p is about") == named


@pytest.mark.parametrize(
    ("column", "factor", "meaning"),
    [
        ("log-likelihood", 1, "log_likelihood"), ("lnL", 1, "log_likelihood"), ("chi^2", -2, "minus_two_log_likelihood"),
        ("χ²", -2, "minus_two_log_likelihood"), ("Chi squared", -2, "minus_two_log_likelihood"),
        ("-2 ln L", -2, "minus_two_log_likelihood"), ("−2logL", -2, "minus_two_log_likelihood"),
        ("NLL", -1, "minus_log_likelihood"), ("neg_log_like", -1, None), ("log post", 1, "log_posterior"),
    ],
)  # fmt: skip
def test_the_density_is_known_by_what_people_call_it(column, factor, meaning):
    rows = runs(10)
    rows[:, 2] *= factor
    one = table_of(rows, columns=("Rho [-]", "kappa (cm)", column))
    if meaning is None:
        with pytest.raises(ArchiveError, match="was not said"):
            mapping_from_options(one, PROBLEM, {}, None, None, None)
        return
    mapped = mapping_from_options(one, PROBLEM, {}, None, None, None)
    assert mapped == Mapped({"rho": "Rho [-]", "kappa": "kappa (cm)"}, column, meaning)
    assert np.allclose(interpret(one, PROBLEM, mapped).record.values, runs(10)[:, 2])


@given(st.text(max_size=30))
@settings(max_examples=50, deadline=None)
def test_any_name_has_one_form_of_letters_and_digits(name):
    assert plain(plain(name)) == plain(name)
    assert without_unit(f"{name} [cm]") == (plain(name) or "cm")


def test_a_row_a_million_above_all_others_is_named():
    rows = runs(200)
    rows[17, 2] = 1e6
    found = interpret(table_of(rows), PROBLEM, PLAIN)
    assert "1 row lies 1,000," in said(found)
    assert "row 18 of the table" in said(found)
    low = runs(200)
    low[:60, 2] = -1e6  # how far below does not matter
    assert "above all others" not in said(interpret(table_of(low), PROBLEM, PLAIN))


def test_failures_are_counted_and_the_rest_is_used():
    rows = runs(100)
    rows[:30, 2] = math.nan
    found = interpret(table_of(rows), PROBLEM, PLAIN)
    assert len(found.record.values) == 70
    assert "30 rows whose value or noise is not a number" in said(found)


def test_rows_on_a_line_or_with_one_value_of_a_parameter_are_said():
    t = np.linspace(-1.0, 1.0, 50)
    space = ParameterSpace(PROBLEM.parameters)
    theta = space.to_user(space.plausible_box()[0] * 0.1 + np.outer(t, [0.5, 1.0]))
    line = interpret(table_of(np.column_stack([theta, -(t**2)])), PROBLEM, PLAIN)
    assert "All rows lie on a line" in said(line)
    still = runs(50)
    still[:, 1] = 50.0
    assert "All rows have the same kappa" in said(interpret(table_of(still), PROBLEM, PLAIN))
    assert "lie on" not in said(interpret(table_of(runs(50)), PROBLEM, PLAIN))
