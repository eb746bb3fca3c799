"""Quantities of several tables with one heading: which is which is told by the titles, else by their order."""

from __future__ import annotations

from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.names.titled_names import name_and_title
from bayescope.engine.problem.definition import DataTable
from bayescope.engine.problem.marks.find_quantities import find_quantities, quantities
from bayescope.engine.problem.marks.quantity import Quantity


def report(angles: tuple[float, ...]) -> str:
    tables = [
        f" ANGLES   angle of incidence = {a:6.2f} deg\n\n   Wavelength       Psi      Delta\n      nm            deg       deg\n"
        + "".join(f"   {400 + 5 * i:8.1f} {a + i / 10:10.5f} {2 * a + i / 7:10.5f}\n" for i in range(6))
        for a in angles
    ]
    return " STACKFIT 0.2\n\n" + "\n".join(tables)


def measured(*titles: str) -> DataTable:
    names = [f"{name} (°) ({title})" if title else name for title in titles for name in ("Psi", "Delta")]
    return DataTable(columns={"Wavelength (nm)": (400.0, 405.0), **dict.fromkeys(names, (1.0, 2.0))})


def firsts(table: DataTable, angles: tuple[float, ...]) -> dict[str, float]:
    found, _ = find_quantities(quantities(table), {"out.rpt": report(angles)}, {})
    return {f.name: f.proposal.values[0] for f in found}


def test_each_is_found_in_the_table_with_its_title_whatever_their_order() -> None:
    table = measured("Angle (°): 65.00", "Angle (°): 70.00", "Angle (°): 75.00")
    in_order = {"Psi_65": 65.0, "Delta_65": 130.0, "Psi_70": 70.0, "Delta_70": 140.0, "Psi_75": 75.0, "Delta_75": 150.0}
    assert firsts(table, (65.0, 70.0, 75.0)) == in_order
    assert firsts(table, (75.0, 70.0, 65.0)) == in_order


def test_a_title_that_the_run_does_not_have_is_missing_and_takes_no_other_table() -> None:
    table = measured("Angle (°): 65.00", "Angle (°): 80.00")
    assert firsts(table, (65.0, 70.0)) == {"Psi_65": 65.0, "Delta_65": 130.0}


def test_without_titles_that_agree_the_order_of_the_file_is_kept() -> None:
    every = quantities(measured("wafer 1", "wafer 2", "wafer 3"))
    found, missing = find_quantities(every, {"out.rpt": report((65.0, 70.0, 75.0))}, {})
    assert [f.proposal.values[0] for f in found] == [65.0, 130.0, 70.0, 140.0, 75.0, 150.0]
    assert missing == []


def test_a_number_in_the_name_of_a_column_is_looked_for_in_the_titles_of_tables() -> None:
    names = ("Psi 65 deg", "Psi at 70", "Psi_75deg", "Psi 80 deg")
    found, missing = find_quantities([Quantity(n, "", None, 4) for n in names], {"o.rpt": report((65.0, 70.0, 75.0))}, {})
    assert [(f.name, f.proposal.values[0]) for f in found] == [("Psi_65_deg", 65.0), ("Psi_at_70", 70.0), ("Psi_75deg", 75.0)]
    assert [q.name for q in missing] == ["Psi 80 deg"]
    heads = "Psi 65 deg,Psi 70 deg\n1.5,2.5\n1.6,2.6\n"
    own, _ = find_quantities([Quantity("Psi 70 deg", "", None, 2)], {"a.csv": heads, "o.rpt": report((70.0,))}, {})
    assert own[0].proposal.values == (2.5, 2.6), "a heading of that name says it better"


def test_a_heading_of_one_letter_with_its_unit_is_found_and_the_same_letter_in_the_other_case_is_not() -> None:
    text = "t [min];c_A [mol/L];X [%]\n0;2.00;0.0\n5;1.12;43.8\n"
    found, _ = find_quantities([Quantity("X", "%", None, 2)], {"profile.csv": text}, {})
    assert [f.proposal.values for f in found] == [(0.0, 43.8)]
    assert find_quantities([Quantity("x", "%", None, 2)], {"profile.csv": text}, {})[0] == []


def test_a_title_is_apart_from_the_name_and_its_unit() -> None:
    table = measured("Angle (°): 65.00", "Angle (°): 70.00")
    column = "Psi (°) (Angle (°): 65.00)"
    assert quantities(table)[0] == Quantity("Psi", "°", None, 2, column, "Angle (°): 65.00")
    assert name_and_title("S (mM) (200 mM)") == ("S (mM)", "200 mM")
    assert name_and_title("time (318 K) / min") == ("time / min", "318 K")
    for plain in ("S (mM)", "energy (total) (eV)", "R (cell3.ort)", "flux (m2)"):
        assert name_and_title(plain) is None, plain


def test_outputs_are_paired_with_the_columns_whose_titles_have_their_numbers() -> None:
    columns = list(measured("Angle (°): 65.00", "Angle (°): 70.50", "Angle (°): -3").columns)
    told = names_told(["Psi_65", "Psi_70_5", "Delta_m3", "Psi_80"], columns)
    assert told == {
        "Psi_65": "Psi (°) (Angle (°): 65.00)", "Psi_70_5": "Psi (°) (Angle (°): 70.50)", "Delta_m3": "Delta (°) (Angle (°): -3)",
    }  # fmt: skip
