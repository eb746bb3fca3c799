"""Names that say where a substance is: on an exchanger, dissolved, all of it; each finds the column that says the same."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.names.column_names import unit_in, without_unit
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.rows.place_columns import leading_column
from bayescope.engine.problem.data.tables.table_edges import joined_names
from bayescope.engine.problem.data.units.molar_masses import apart
from bayescope.engine.problem.definition import DataTable

OUTPUTS = ("x_m", "NaX_mmol", "KX_mmol", "CaX2_mmol", "PV", "Cl_mmol", "Na_mmol", "K_mmol", "Ca_mmol")
WATER = ("Na (mg/L)", "K (mg/L)", "Ca (mg/L)", "Cl (mg/L)")


def test_exchanged_species_find_exchanged_columns() -> None:
    told = names_told(OUTPUTS, (*WATER, "K exch", "Ca exch"))
    assert (told["KX_mmol"], told["CaX2_mmol"]) == ("K exch", "Ca exch")
    assert {o: told[o] for o in OUTPUTS if o.endswith("a_mmol") or o in ("K_mmol", "Cl_mmol")} == {
        "Na_mmol": "Na (mg/L)", "K_mmol": "K (mg/L)", "Ca_mmol": "Ca (mg/L)", "Cl_mmol": "Cl (mg/L)"
    }  # fmt: skip
    assert "Ca_mmol" not in names_told(OUTPUTS, ("Na (mg/L)", "K exch", "Ca exch")), "the better one has it"
    assert "KX_mmol" not in names_told(OUTPUTS, WATER)


def test_dissolved_and_total_are_told_apart() -> None:
    told = names_told(("Pb_total", "Pb_diss"), ("Lead dissolved (µg/L)", "Lead total (µg/L)"))
    assert told == {"Pb_total": "Lead total (µg/L)", "Pb_diss": "Lead dissolved (µg/L)"}
    assert names_told(("Ca_mmol",), ("Ca total",)) == {"Ca_mmol": "Ca total"}, "nothing says otherwise"


@pytest.mark.parametrize(
    ("one", "other", "are"),
    [("NaX_mmol", "Ca (mg/L)", True), ("NaX", "Na (mg/L)", True), ("Pb_diss", "Pb total", True), ("Ca_mmol", "Ca (mg/L)", False),
     ("U", "V", False), ("flow", "Na", False)],
)  # fmt: skip
def test_other_substances_are_never_a_pair(one: str, other: str, are: bool) -> None:
    assert apart(one, other) is are


FALLS, MEASURED = (9.0, 8.0, 6.0, 5.0, 3.0, 1.0), (2.0, 3.0, 2.5, None, 4.0, 1.0)


def test_a_first_column_that_falls_beside_measured_ones_says_where() -> None:
    table = DataTable(columns={"Effluent volume (mL)": FALLS, "Na (mg/L)": MEASURED})
    assert leading_column(table, ("PV", "Na_mmol")) == "Effluent volume (mL)"
    assert leading_column(table, ("effluent volume", "Na_mmol")) == "", "an output is called like it"
    assert leading_column(table, ()) == ""


@pytest.mark.parametrize(
    "columns",
    [{"Na": MEASURED, "volume used": FALLS}, {"used": FALLS, "sd_used": MEASURED, "Na": MEASURED}, {"used": FALLS, "fed": FALLS},
     {"used": FALLS[:4], "Na": MEASURED[:4]}, {"used": FALLS, "time (s)": FALLS, "Na": MEASURED}],
)  # fmt: skip
def test_other_columns_that_fall_are_taken_as_they_are(columns: dict[str, tuple[float | None, ...]]) -> None:
    assert leading_column(DataTable(columns=columns), ("PV", "Na_mmol")) == ""


def test_a_word_behind_a_unit_in_the_line_of_units_goes_to_the_name() -> None:
    names = joined_names(("Volume", "Na", "p"), ("mL (cumulative)", "[mg/L]", "(bar)"))
    assert names == ("Volume (cumulative) (mL)", "Na (mg/L)", "p (bar)")
    assert (without_unit(names[0]), unit_in(names[0])) == ("Volume (cumulative)", "mL")
