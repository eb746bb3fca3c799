"""Displacements and reactions of two load cases, two tables of one sheet: split by the load case, and put together."""

from __future__ import annotations

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.tables import long_form
from bayescope.engine.problem.data.tables.naming_column import split_with_units
from bayescope.engine.problem.data.tables.together import together

GAUGES = d.DataTable(
    columns={
        "node": (2.0, 7.0, 9.0, 2.0, 7.0, 9.0), "load case": (1.0, 1.0, 1.0, 2.0, 2.0, 2.0),
        "ux (mm)": (None, 0.64, 0.49, None, 1.53, 0.91), "uy (mm)": (-1.41, None, -2.16, -2.05, None, -2.28),
    }
)  # fmt: skip
CELL = d.DataTable(columns={"load case": (1.0, 2.0), "reaction (kN)": (35.1, 58.7)})
APART = d.DataTable(
    columns={
        **{name: (*cells, None, None) for name, cells in GAUGES.columns.items()},
        "case of the cell": (None,) * 6 + (1.0, 2.0), "reaction (kN)": (None,) * 6 + (35.1, 58.7),
    }
)  # fmt: skip


def test_a_column_of_which_no_row_has_a_name_stays_as_it_is_where_the_table_is_split() -> None:
    made = split_with_units(APART, "load case", ["ux (mm)", "uy (mm)", "reaction (kN)"])
    assert made.columns["reaction (kN)"] == (None,) * 6 + (35.1, 58.7)
    assert made.columns["ux 1 (mm)"] == (None, 0.64, 0.49) + (None,) * 5


def test_the_rows_of_a_split_column_that_have_no_name_stay_in_a_column_of_their_own() -> None:
    table = d.DataTable(columns={"x": (1.0, 2.0, 3.0), "R": (0.1, 0.2, 0.3)}, texts={"kind": ("a", "b", None)})
    made = long_form.split(table, "kind", ["R"])
    assert made.columns == {
        "x": (1.0, 2.0, 3.0), "a": (0.1, None, None), "b": (None, 0.2, None), "R (no kind)": (None, None, 0.3)
    }  # fmt: skip


def test_columns_with_gaps_or_of_one_unit_are_split_together() -> None:
    assert long_form.value_columns(GAUGES, "load case") == ["ux (mm)", "uy (mm)"]
    whole = d.DataTable(columns={**GAUGES.columns, "ux (mm)": (0.1, 0.64, 0.49, 0.2, 1.53, 0.91)})
    assert long_form.value_columns(whole, "load case") == ["ux (mm)", "uy (mm)"]


def test_columns_that_are_split_together_keep_their_units() -> None:
    made = split_with_units(GAUGES, "load case")
    assert list(made.columns) == ["node", "ux 1 (mm)", "uy 1 (mm)", "ux 2 (mm)", "uy 2 (mm)"]


def test_the_load_case_of_two_tables_is_one_column() -> None:
    both = together([GAUGES, CELL], ["Dial gauges", "Load cell"], first_too=True)
    assert list(both.columns) == ["node", "load case", "ux (mm)", "uy (mm)", "reaction (kN)"]
    assert both.columns["load case"] == (1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 2.0)


def test_the_reaction_of_each_load_case_keeps_its_load_case_where_the_displacements_are_split() -> None:
    both = together([GAUGES, CELL], ["Dial gauges", "Load cell"], first_too=True)
    made = split_with_units(both, "load case")
    assert list(made.columns) == [
        "load case", "node", "reaction (kN)", "ux 1 (mm)", "uy 1 (mm)", "ux 2 (mm)", "uy 2 (mm)"
    ]  # fmt: skip
    assert made.columns["load case"][-2:] == (1.0, 2.0)
    assert made.columns["reaction (kN)"][-2:] == (35.1, 58.7)


def test_equal_counts_of_two_tables_that_do_not_come_again_are_two_quantities() -> None:
    one = d.DataTable(columns={"t": (1.0, 2.0), "caught": (3.0, 5.0)})
    both = together([one, one], ["first", "second"], first_too=True)
    assert "caught" not in both.columns


def test_columns_that_are_split_already_are_none_to_be_split_by_the_labels_that_stayed() -> None:
    columns = {"x": (1.0, 2.0, 1.0, 2.0), "Ra": (0.1, 0.2, None, None), "Rb": (None, None, 0.3, 0.4)}
    table = d.DataTable(columns=columns, texts={"kind": ("a", "a", "b", "b")})
    assert long_form.value_columns(table, "kind") == ["Rb"]
