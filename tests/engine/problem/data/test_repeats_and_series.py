"""Replicates side by side, sheets of a workbook, files of a program: whose they are, in which unit, with which errors."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.files.data_files import Options, parse_with
from bayescope.engine.problem.data.names.column_names import unit_in, without_unit
from bayescope.engine.problem.data.names.series_names import numbered, titled, without_repeat
from bayescope.engine.problem.data.rows.repeats import repeats_in, repeats_of_outputs
from bayescope.engine.problem.data.rows.series_pairing import series_pairs
from bayescope.engine.problem.data.rows.whole_pairing import Side, whole_pairing
from bayescope.engine.problem.definition import DataTable

FALLING, RISING = np.linspace(200.0, 5.0, 12), np.linspace(1.0, 190.0, 12)


def test_the_unit_of_a_group_goes_behind_the_names_below_it() -> None:
    lines = "Time (min)\tS (µM)\t\tT / K\t\tRemarks\n\tA\tB\tA\tB\t\n0\t199\t201\t300\t301\t\n2\t188\t187\t302\t303\tok\n"
    table = parse_with(lines.encode(), "lab.tsv", Options(named=True)).table
    assert [*table.columns] == ["Time (min)", "S A (µM)", "S B (µM)", "T A / K", "T B / K"]


@pytest.mark.parametrize(
    ("name", "bare", "unit"),
    [("S A (µM) (200 µM)", "S A", "µM"), ("S (µM) (Experiment 1)", "S", "µM"), ("energy (total) (eV)", "energy (total)", "eV"),
     ("volume (1000 m3)", "volume", "1000 m3"), ("flow (20 °C) (L/min)", "flow (20 °C)", "L/min")],
)  # fmt: skip
def test_the_title_of_a_table_behind_the_unit_is_not_taken_for_it(name: str, bare: str, unit: str) -> None:
    assert (without_unit(name), unit_in(name)) == (bare, unit)


@pytest.mark.parametrize(
    ("name", "base"),
    [("S A (µM)", "S (µM)"), ("S A (µM) (200 µM)", "S (µM) (200 µM)"), ("OD rep 2", "OD rep"), ("OD (3)", "OD"), ("gain", ""),
     ("A", ""), ("Rotational constant B", "Rotational constant")],
)  # fmt: skip
def test_what_counts_a_repeated_measurement_is_told_from_its_quantity(name: str, base: str) -> None:
    assert without_repeat(name) == base


def test_titles_and_numbers_of_files_tell_series_only_where_several_have_the_name() -> None:
    assert titled(["S (µM) (20 µM)", "S (µM) (200 µM)", "T (K)", "T (°C)"]) == {
        "S (µM) (20 µM)": ("S (µM)", "20 µM"), "S (µM) (200 µM)": ("S (µM)", "200 µM"), "T (K)": ("T (K)", ""),
        "T (°C)": ("T (°C)", ""),
    }  # fmt: skip
    assert numbered(["S_1", "S_2", "u_x"]) == {"S_1": ("S", "1"), "S_2": ("S", "2"), "u_x": ("u_x", "")}


def test_columns_of_other_values_are_no_repeats() -> None:
    columns = {"k A": (1.0, 2.0, 3.0), "k B": (1.1, 2.0, 3.1), "k C": (9.0, 1.0, 7.0)}
    assert repeats_in(DataTable(columns=columns), [*columns]) == {"k B": "k A"}


def sides(names: dict[str, np.ndarray | None], unit: str) -> list[Side]:
    return [Side(name, values, None, unit) for name, values in names.items()]


def test_files_stand_beside_the_tables_that_the_run_is_nearest_to_all_quantities_together() -> None:
    outputs = sides({"S_1": FALLING / 1e7, "P_1": RISING / 1e7, "S_2": FALLING / 1e6, "P_2": RISING / 1e6}, "M")
    columns = sides({"Substrate S A (µM) (200 µM)": FALLING, "Product P A (µM) (200 µM)": RISING,
                     "Substrate S A (µM) (20 µM)": FALLING / 10, "Product P A (µM) (20 µM)": RISING / 10}, "µM")  # fmt: skip
    pairs = series_pairs(outputs, columns, [c.name for c in columns])
    assert {p.output: p.column for p in pairs} == {
        "S_1": "Substrate S A (µM) (20 µM)", "P_1": "Product P A (µM) (20 µM)",
        "S_2": "Substrate S A (µM) (200 µM)", "P_2": "Product P A (µM) (200 µM)",
    }  # fmt: skip
    assert all(p.sure and p.ground == "series" for p in pairs)


def test_the_number_of_a_file_in_the_title_of_a_table_tells_before_values_do() -> None:
    outputs = sides({"S_1": FALLING, "S_2": RISING}, "")
    columns = sides({"S (Experiment 2)": FALLING, "S (Experiment 1)": RISING}, "")
    pairs = series_pairs(outputs, columns)
    assert [(p.output, p.column, p.ground) for p in pairs] == [
        ("S_1", "S (Experiment 1)", "name"), ("S_2", "S (Experiment 2)", "name")
    ]  # fmt: skip


def test_without_values_files_and_tables_stand_in_order_and_are_not_sure() -> None:
    pairs = series_pairs(sides({"S_1": None, "S_2": None}, ""), sides({"S (left)": RISING, "S (right)": RISING}, ""))
    assert [(p.output, p.column, p.sure) for p in pairs] == [("S_1", "S (left)", False), ("S_2", "S (right)", False)]


def test_names_that_share_nothing_tell_no_series() -> None:
    assert series_pairs(sides({"o1": FALLING, "o2": RISING}, ""), sides({"alpha": FALLING, "beta": RISING}, "")) == []


def test_one_column_of_errors_is_of_all_repeats_of_the_quantity_that_it_names() -> None:
    columns = ["t", "Substrate S A (µM)", "Substrate S B (µM)", "Intermediate I A (nM)", "Intermediate I B (nM)", "SD I (nM)"]
    assert sd_pairs(columns) == {"Intermediate I A (nM)": "SD I (nM)", "Intermediate I B (nM)": "SD I (nM)"}
    assert sd_pairs(["time", "T inlet", "T outlet", "SD T"]) == {}, "two quantities: whose they are is not known"


ALIKE = {"I": (7.0, 47.0, 72.0, 87.0), "II": (5.0, 51.0, 75.0, 86.0), "III": (6.0, 51.0, 69.0, 85.0)}


@pytest.mark.parametrize("spelled", ["CC {} (%)", "CC_{}", "CC rep {} (%)", "canopy cover, camera {}"])
@pytest.mark.parametrize("marks", ["I II III", "A B C", "1 2 3"])
def test_columns_that_bear_the_name_of_an_output_and_a_mark_repeat_what_it_predicts(spelled: str, marks: str) -> None:
    output = "CC" if spelled.startswith("CC") else "canopy cover, camera"
    columns = {spelled.format(mark): cells for mark, cells in zip(marks.split(), ALIKE.values(), strict=True)}
    table = DataTable(columns={"DAS (d)": (24.0, 35.0, 42.0, 49.0), **columns, "SW 15 (vol-%)": (22.3, 17.1, 21.1, 8.8)})
    assert repeats_of_outputs(table, ["th2", output], [*table.columns]) == dict.fromkeys(columns, output)


def test_the_column_of_an_outputs_very_name_is_meant_rather_than_repeats_and_other_outputs_keep_theirs() -> None:
    own = DataTable(columns={"CC": ALIKE["I"], "CC A": ALIKE["II"], "CC B": ALIKE["III"]})
    assert repeats_of_outputs(own, ["CC"], [*own.columns]) == {}
    two = DataTable(columns={"T 1": ALIKE["I"], "T 2": ALIKE["II"]})
    assert repeats_of_outputs(two, ["T", "T1", "T2"], [*two.columns]) == {}
    unlike = DataTable(columns={"u 1": (1.0, 0.9, 0.5, 0.1), "u 2": (0.1, 3.0, 2.5, 0.9)})
    assert repeats_of_outputs(unlike, ["u"], [*unlike.columns]) == {}


def test_of_two_outputs_with_one_column_of_their_name_values_tell_which_it_is_of() -> None:
    core, joint = np.array([15.3, 12.8, 10.5, 7.8]), np.array([7.8, 8.1, 5.5, 1.4])
    outputs = [Side("T_joint", joint + 0.1), Side("T_core", core + 0.1)]
    columns = [Side("T_degC", joint), Side("T", core)]
    assert series_pairs(outputs, columns) == []
    assert {p.output: p.column for p in whole_pairing(outputs, columns)} == {"T_joint": "T_degC", "T_core": "T"}
