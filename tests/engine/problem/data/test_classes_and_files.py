"""Classes of ages and sizes, and files in brackets, as names of columns say them: one place knows each."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.names.classes import class_bounds, is_class
from bayescope.engine.problem.data.names.column_names import says_sd_of
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.names.of_files import file_of, name_and_file


@pytest.mark.parametrize(
    ("word", "one"), [("0-4", True), ("0\u20134", True), ("65+", True), ("4", False), ("-4", False), ("4-", False)]
)
def test_a_class_is_two_bounds_or_an_open_one(word: str, one: bool) -> None:
    assert is_class(word) is one


@pytest.mark.parametrize(("name", "bounds"), [
    ("cases 0 - 4 years", (0, 4)), ("65 +", (65,)), ("age 5\u20139", (5, 9)), ("run 3", None), ("1.5-2", None),
])  # fmt: skip
def test_the_bounds_of_a_class_are_read_from_a_name(name: str, bounds: tuple[int, ...] | None) -> None:
    assert class_bounds(name) == bounds


@pytest.mark.parametrize(("column", "file"), [
    ("R (cell3_H2O.ort)", "cell3_H2O.ort"), ("R (a.b.csv) ", "a.b.csv"), ("R (0.5)", ""), ("R (mm)", ""), ("(x.csv)", ""),
])  # fmt: skip
def test_a_file_behind_a_name_is_told_from_a_unit_and_a_number(column: str, file: str) -> None:
    assert file_of(column) == file
    assert (name_and_file(column) is not None) is bool(file)


def test_errors_and_outputs_go_with_the_column_of_their_file() -> None:
    assert says_sd_of("dR (a.ort)", "R (a.ort)")
    assert not says_sd_of("dR (a.ort)", "R (b.ort)")
    found = names_told(["R_D2O", "R_H2O"], ["R (x_H2O.ort)", "R (x_D2O.ort)"])
    assert found == {"R_D2O": "R (x_D2O.ort)", "R_H2O": "R (x_H2O.ort)"}
