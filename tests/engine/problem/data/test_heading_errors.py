"""Errors that headings state beside the names of columns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bayescope.engine.problem.data.errors.heading_errors import stated_in
from bayescope.engine.problem.data.files.data_files import parse_with
from bayescope.engine.problem.data.files.read_options import Options

STATED = [
    ("Press [GPa] ±2 %, min 0.01", "Press [GPa]", "±2 %, min 0.01"),
    ("Press [GPa]±2 %, min 0.01", "Press [GPa]", "±2 %, min 0.01"),
    ("T (K) +/- 0.3", "T (K)", "±0.3"), ("T +- 0.3 (K)", "T (K)", "±0.3"), ("T (K, ±0.3)", "T (K)", "±0.3"),
    ("yield (± 5%)", "yield", "±5%"), ("yield [%] (± 5 %)", "yield [%]", "±5 %"), ("yield, error 0.2", "yield", "0.2"),
    ("yield error 0.2", "yield", "0.2"), ("yield (error 5 %, at least 0.2)", "yield", "5 %, at least 0.2"),
    ("u sd = 1", "u", "1"), ("force [N]; sigma = 2 N", "force [N]", "2 N"), ("q, accuracy 1 % + 0.2", "q", "1 % + 0.2"),
    ("q ± max(2 %, 0.01)", "q", "±max(2 %, 0.01)"), ("q ± the larger of 2 % and 0.01", "q", "±the larger of 2 % and 0.01"),
    ("x (±1e-3)", "x", "±1e-3"), ("T (K) standard error 0.2", "T (K)", "0.2"), ("T (K, rel. error 2 %)", "T (K)", "2 %"),
    ("x ± 1 % + 0.2 in quadrature", "x", "±1 % + 0.2 in quadrature"),
]  # fmt: skip


@pytest.mark.parametrize(("heading", "name", "size"), STATED)
def test_a_heading_that_states_errors_is_parted_from_them(heading: str, name: str, size: str) -> None:
    assert stated_in(heading) == (name, size)


@pytest.mark.parametrize("heading", [
    "T", "± T", "T ±", "T +/-", "T sd", "sd 1", "T sd 1", "T err", "T (±1σ)", "± 0.3", "error 0.2", "u ± v", "T [K] (k=2)",
    "a-1", "T error (K)", "hit accuracy 95 %", "standard error 0.2", "precision 0.1", "sigma_xx 3", "T ± 0.3 ± 0.1 sys", "",
])  # fmt: skip
def test_columns_of_errors_and_other_names_are_left_as_they_are(heading: str) -> None:
    assert stated_in(heading) is None


def test_the_column_loses_its_errors_and_they_are_told_where_a_person_imports_a_file() -> None:
    text = "a [A];Press [GPa]±2 %, min 0.01;±\n3.3;75.1;1\n3.4;60;1\n".encode()
    found = parse_with(text, "cu.csv", Options(named=True))
    assert list(found.table.columns) == ["a [A]", "Press [GPa]", "± Press [GPa]"]
    assert found.preview.stated == (("Press [GPa]", "±2 %, min 0.01"),)
    assert any("is called “Press [GPa]” here: “±2 %, min 0.01” states its errors." in n for n in found.preview.notes)
    as_ever = parse_with(text, "cu.csv", replace(Options(named=True), named=False))
    assert list(as_ever.table.columns)[1] == "Press [GPa]±2 %, min 0.01"
    assert as_ever.preview.stated == ()
