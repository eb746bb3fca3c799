"""Outputs and columns whose names do not tell are paired all at once, by values, by order, or not at all."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import has_unit, unit_in, without_unit
from bayescope.engine.problem.data.names.name_symbols import names_by_symbols, short_for
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.rows.whole_pairing import Side, whole_pairing
from bayescope.engine.problem.data.tables.naming_column import label_column, numbered, split_with_units


def sides(**values: float | list[float]) -> list[Side]:
    return [Side(name, np.atleast_1d(np.array(v, dtype=float))) for name, v in values.items()]


def told(outputs: list[Side], columns: list[Side], names: dict[str, str] | None = None) -> dict[str, str]:
    return {p.output: p.column for p in whole_pairing(outputs, columns, names)}


def test_each_output_goes_to_the_measured_value_that_is_nearest_and_all_are_sure() -> None:
    outputs = sides(a=1.2, b=300, c=-5, d=0.02, e=45, f=7000)
    columns = sides(U=7100, V=44, W=0.021, X=-5.5, Y=290, Z=1.3)
    found = whole_pairing(outputs, columns)
    assert {p.output: p.column for p in found} == {"a": "Z", "b": "Y", "c": "X", "d": "W", "e": "V", "f": "U"}
    assert all(p.sure and p.ground == "value" and not p.rival for p in found)


def test_values_that_are_alike_are_not_sure_and_keep_their_order() -> None:
    found = whole_pairing(sides(a=10, b=10.4, c=9.8), sides(X=11, Y=10, Z=9))
    assert [p.column for p in found] == ["X", "Y", "Z"]
    assert not any(p.sure for p in found)
    assert found[0].rival == "Y"


def test_a_small_stated_error_tells_values_apart_that_are_near_zero() -> None:
    columns = [Side("X", np.array([0.5]), np.array([0.01])), Side("Y", np.array([-0.5]), np.array([0.01]))]
    assert told(sides(a=-0.4, b=0.6), columns) == {"a": "Y", "b": "X"}


def test_curves_are_told_apart_by_their_ups_and_downs() -> None:
    t = np.arange(6.0)
    outputs = [Side("a", 10 + t), Side("b", 15 - t)]
    columns = [Side("down", 14.5 - 0.9 * t), Side("up", 10.5 + 0.9 * t)]
    assert told(outputs, columns) == {"a": "up", "b": "down"}


def test_one_number_is_never_paired_with_many_nor_more_rows_than_the_program_gives() -> None:
    assert told(sides(a=1.0, b=[1.0, 2.0]), sides(X=[1.0, 2.0, 3.0], Y=1.0)) == {"a": "Y"}


def test_a_longer_output_is_compared_as_its_values_are_distributed() -> None:
    outputs = [Side("a", np.linspace(0, 1, 50)), Side("b", np.linspace(100, 200, 50))]
    assert told(outputs, sides(X=[110.0, 190.0], Y=[0.1, 0.9])) == {"a": "Y", "b": "X"}


def test_units_that_both_names_say_speak_against_another_one() -> None:
    outputs = [Side("a", np.array([1.0]), unit="mm"), Side("b", np.array([1.0]), unit="Hz")]
    columns = [Side("X", np.array([1.1]), unit="Hz"), Side("Y", np.array([1.1]), unit="mm")]
    assert told(outputs, columns) == {"a": "Y", "b": "X"}


def test_without_a_test_run_the_order_is_proposed_where_both_lists_have_one_length_and_nothing_is_sure() -> None:
    found = whole_pairing([Side("a"), Side("b")], sides(X=1, Y=2))
    assert [(p.output, p.column, p.ground, p.sure, p.rival) for p in found] == [
        ("a", "X", "order", False, ""), ("b", "Y", "order", False, ""),
    ]  # fmt: skip
    assert whole_pairing([Side("a"), Side("b")], sides(X=1)) == []


def test_what_names_tell_stays_and_the_last_two_are_left_for_each_other() -> None:
    found = whole_pairing(sides(a=1, b=2), sides(X=2, Y=1), {"a": "X"})
    assert [(p.output, p.column, p.ground) for p in found] == [("a", "X", "name"), ("b", "Y", "left")]


@pytest.mark.parametrize(
    ("short", "name"),
    [
        ("GAP", "HOMO-LUMO gap"), ("Etot", "total energy (eV)"), ("freq_1", "frequency 1"), ("mu", "Dipole moment [D]"),
        ("Tmax", "maximum temperature (K)"), ("T_outlet", "Outlet temperature (°C)"), ("SOC", "state of charge"),
        ("disp_mm", "Displacement [mm]"), ("Ek", "kinetic energy"), ("maxDisp", "maximum displacement"), ("u3", "displacement 3"),
    ],
)  # fmt: skip
def test_a_name_that_is_short_for_another_one_tells(short: str, name: str) -> None:
    assert short_for(short, name)
    assert names_told([short], [name]) == {short: name}
    assert names_told([name], [short]) == {name: short}


@pytest.mark.parametrize(
    ("short", "name"),
    [("freq_1", "frequency 2"), ("freq", "frequency 1"), ("a", "mass of a ball"), ("foot", "force of"), ("sag", "load")],
)
def test_another_number_or_letters_by_chance_tell_nothing(short: str, name: str) -> None:
    assert not short_for(short, name)


def test_what_is_short_for_two_names_tells_nothing() -> None:
    assert names_by_symbols(["E"], ["total energy", "kinetic energy"]) == {}
    assert names_by_symbols(["Etot", "Ekin"], ["kinetic energy", "total energy"]) == {
        "Etot": "total energy", "Ekin": "kinetic energy",
    }  # fmt: skip


def test_words_in_brackets_do_not_hide_the_unit_behind_them() -> None:
    assert without_unit("energy (total) (eV)") == "energy (total)"
    assert unit_in("energy (total) (eV)") == "eV"
    assert not has_unit("energy (total)")
    columns = ["energy (total) (eV)", "energy (kinetic) (eV)"]
    assert names_told(["energy_total"], columns) == {"energy_total": columns[0]}
    table = d.DataTable(
        columns={"Value": (1.0, 2.0)}, texts={"Quantity": ("energy (total)", "gap"), "Unit": ("eV", "eV")}
    )
    assert list(split_with_units(table, "Quantity").columns) == ["energy (total) [eV]", "gap [eV]"]


def test_rows_are_told_apart_by_their_only_labels_and_without_labels_by_their_numbers() -> None:
    table = d.DataTable(columns={"v": (1.0, 2.0, 3.0)}, texts={"what": ("T", "P", "V")})
    assert label_column(table) == "what"
    bare = d.DataTable(columns={"v": (1.0, 2.0, 3.0)})
    assert label_column(bare) == ""
    assert list(split_with_units(numbered(bare), "row").columns) == ["row 1", "row 2", "row 3"]


def test_of_long_curves_some_rows_tell_as_much_as_all() -> None:
    t = np.linspace(0.0, 1.0, 50_000)
    outputs = [Side("a", np.sin(7 * t) + 2), Side("b", np.cos(7 * t) + 2), Side("c", np.linspace(5, 9, 60_000))]
    down = 9 - 4 * t[:40_000]
    columns = [Side("X", np.cos(7 * t) + 2.1, np.full(len(t), 0.1)), Side("Y", np.sin(7 * t) + 2.1), Side("Z", down)]
    assert told(outputs, columns) == {"a": "Y", "b": "X", "c": "Z"}


def test_units_of_another_kind_tell_more_than_any_values() -> None:
    """A discharge in mm/d is no depth in m, though its values are nearer to those."""
    t = np.linspace(0.0, 1.0, 20)
    outputs = [Side("Q", 3.0 + t, unit="mm/d"), Side("head", 412.0 - t, unit="m a.s.l.")]
    columns = [Side("depth", 3.1 + t, unit="m u. MOK"), Side("discharge", 25.0 + t)]
    found = whole_pairing(outputs, columns)
    assert [(p.output, p.column, p.ground) for p in found] == [("Q", "discharge", "unit"), ("head", "depth", "unit")]


def test_values_in_another_unit_of_the_same_kind_are_compared_in_one() -> None:
    outputs = [Side("a", np.array([2000.0]), unit="mm"), Side("b", np.array([2.0]), unit="mm")]
    columns = [Side("X", np.array([0.002]), unit="m"), Side("Y", np.array([2.1]), unit="m")]
    assert told(outputs, columns) == {"a": "Y", "b": "X"}


def test_outputs_that_are_a_thousand_times_off_every_column_are_not_guessed() -> None:
    outputs = sides(a=3.0, b=1e9, c=2e-8)
    assert told(outputs, sides(X=2.9, Y=40.0, Z=700.0, W=0.1)) == {"a": "X"}


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_curves_of_the_opposite_sign_in_other_units_go_to_those_that_mirror_them(sign: float, order: tuple[int, ...]) -> None:
    t = np.array([1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0])
    curves = [size * np.log1p(t / late) for size, late in ((0.09, 2.0), (0.05, 10.0), (0.03, 30.0))]
    outputs = [Side(f"h{i}", sign * curve, None, "m") for i, curve in enumerate(curves)]
    columns = [Side(f"P{i}", by * curves[i], None, unit) for i, (by, unit) in enumerate(((100, "cm"), (100, "cm"), (1000, "mm")))]
    assert told(outputs, [columns[i] for i in order]) == {"h0": "P0", "h1": "P1", "h2": "P2"}
