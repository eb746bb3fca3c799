"""Outputs of one letter beside columns whose names begin with it."""

from __future__ import annotations

from bayescope.engine.problem.data.names.name_words import names_told


def test_single_letters_are_the_initials_of_columns_where_two_are_and_no_other_column_begins_so() -> None:
    assert names_told(["t", "G", "X", "I"], ["Glucose (mmol/L)", "Insulin (mU/L)", "Comment"]) == {
        "G": "Glucose (mmol/L)", "I": "Insulin (mU/L)",
    }  # fmt: skip
    assert names_told(["S", "I", "R"], ["Susceptible", "Sick", "Infected", "Recovered"]) == {"I": "Infected", "R": "Recovered"}
    assert names_told(["G", "X"], ["Glucose (mmol/L)", "Insulin (mU/L)"]) == {}, "one may be chance"
    assert "G" not in names_told(["G", "I", "N", "glu"], ["Glucose", "Insulin", "Nitrate"]), "two outputs begin with g"
