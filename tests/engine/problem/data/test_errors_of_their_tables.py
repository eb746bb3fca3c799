"""Errors belong to the values whose name ends like theirs, or whose table has the same title; never to those of another one."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.errors.sd_pairs import is_own_sd, sd_pairs
from bayescope.engine.problem.data.files.data_files import ALL_PARTS, Options, parse_with

ANGLES = ("65", "70", "75")


@pytest.mark.parametrize(
    ("value", "sds"),
    [
        ("Psi {}", "Psi_err {}"),
        ("Psi {} (°)", "Psi_err {} (°)"),
        ("Psi (°) (angle: {}.00)", "Psi_err (angle: {}.00)"),
        ("Psi ({} K)", "Psi sd ({} K)"),
        ("c ({} K) / mM", "c_err ({} K) / mM"),
        ("Psi_{}_deg", "Psi_err_{}"),
        ("Psi_{}", "err_Psi_{}"),
        ("Psi_{}", "Psi_uncertainty_{}"),
        ("I run{}", "I_err run{}"),
    ],
)
@pytest.mark.parametrize("grouped", [True, False])
def test_each_value_has_the_errors_of_its_own_number_or_title(value: str, sds: str, grouped: bool) -> None:
    values, errors = [value.format(a) for a in ANGLES], [sds.format(a) for a in ANGLES]
    beside = [name for pair in zip(values, errors, strict=True) for name in pair]
    expected = dict(zip(values, errors, strict=True))
    assert sd_pairs(["t", *(values + errors if grouped else beside)]) == expected
    assert sd_pairs(["t", *values, *errors[::-1]]) == expected, "their order does not count"


def test_two_quantities_of_three_tables_in_one_wide_table() -> None:
    names = [f"{q} {a}" for a in ANGLES for q in ("Psi", "Delta", "Psi_err", "Delta_err")]
    found = sd_pairs(["Wavelength (nm)", *names])
    assert found == {f"{q} {a}": f"{q}_err {a}" for a in ANGLES for q in ("Psi", "Delta")}


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (("Psi 65", "Psi_err 65", "Psi 70"), {"Psi 65": "Psi_err 65"}),
        (("Psi 70", "Psi 75", "Psi_err 65"), {}),
        (("Psi (65 K)", "Psi_err (65 K)", "Psi (70 K)"), {"Psi (65 K)": "Psi_err (65 K)"}),
        (("Psi", "Psi 65", "Psi_err 65"), {"Psi 65": "Psi_err 65"}),
        (("T", "T_err", "T_2", "T_err_2"), {"T": "T_err", "T_2": "T_err_2"}),
    ],
)
def test_values_without_errors_of_their_own_get_none_of_another_table(columns: tuple[str, ...], expected: dict[str, str]) -> None:
    assert sd_pairs(["t", *columns]) == expected


def test_tables_below_each_other_keep_their_errors() -> None:
    block = "angle: {a}\nt\tPsi\tPsi_err\n1\t2{a}\t0.1\n2\t3{a}\t0.2\n3\t4{a}\t0.3\n\n"
    text = "".join(block.format(a=a) for a in ANGLES)
    table = parse_with(text.encode(), "x.txt", Options(named=True, part=ALL_PARTS)).table
    found = sd_pairs(list(table.columns))
    assert len(found) == len(ANGLES)
    for value, sds in found.items():
        there = [[i for i, v in enumerate(table.columns[c]) if v is not None] for c in (value, sds)]
        assert there[0] == there[1]


@pytest.mark.parametrize(
    ("sds", "column", "own"),
    [
        ("Psi_err", "Psi (°)", True),
        ("Psi_err 65", "Psi 65", True),
        ("Psi_err 65", "Psi 70", False),
        ("Psi_err (angle: 65)", "Psi (°) (angle: 65)", True),
        ("Psi_err (angle: 65)", "Psi (°) (angle: 70)", False),
        ("Delta_err 65", "Psi 65", False),
    ],
)
def test_errors_of_another_table_are_not_called_own(sds: str, column: str, own: bool) -> None:
    assert is_own_sd(sds, column) == own
