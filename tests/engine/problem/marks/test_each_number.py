"""A drag over labelled lines: each number an output of its own; quantities of a table found by their names."""

from __future__ import annotations

import pytest
from program_logs import CANTERA, MOPAC, SWMM, XFOIL, XTB, XTB_2

from bayescope.engine.problem.definition import DataTable
from bayescope.engine.problem.extract import extract
from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.marks.each import each_number, these_numbers
from bayescope.engine.problem.marks.find_quantities import find_quantities, quantities
from bayescope.engine.problem.marks.found import Each
from bayescope.engine.problem.marks.quantity import Quantity


def dragged(text: str, first: str, last: str, nth: int = 0) -> Each:
    start = text.index(first)
    for _ in range(nth):
        start = text.index(first, start + 1)
    end = text.index(last, start) + len(last)
    return each_number(Mark(text, start, end))


def named(each: Each) -> dict[str, float]:
    return {found.name: found.proposal.values[0] for found in each.found}


def test_six_labelled_lines_are_six_outputs_whose_lines_in_between_do_not_count() -> None:
    each = dragged(XTB, "-5.070369819159", "0.000592530715")
    assert each.apart
    assert list(named(each)) == ["total_energy", "gradient_norm", "HOMO_LUMO_gap", "SCC_energy", "isotropic_ES", "anisotropic_ES"]
    assert [f.unit for f in each.found] == ["Eh", "Eh/a0", "eV", "Eh", "Eh", "Eh"]


def test_each_is_found_again_in_another_run() -> None:
    each = dragged(XTB, "-5.070369819159", "0.000592530715")
    values = [extract(f.proposal.extractor, XTB_2, False).values for f in each.found]
    assert sum(values, ()) == (-5.170369819159, 0.007328104797, 13.248806958921, -5.105449412988, 0.041401726294, 0.000592530715)


def test_the_drag_may_begin_at_the_labels_and_end_behind_the_units() -> None:
    assert named(dragged(XTB, "total energy", "eV")) == named(dragged(XTB, "-5.070369819159", "14.648806958921"))


def test_of_a_line_with_the_same_in_two_units_the_first_is_taken() -> None:
    found = named(dragged(MOPAC, "-57.79986", "18.0152"))
    assert found["final_heat_of_formation"] == -57.79986
    assert found["ionization_potential"] == 12.11554
    assert "filled_levels" in found
    assert -241.83461 not in found.values()


def test_lines_whose_labels_lead_to_one_of_two_columns() -> None:
    each = dragged(SWMM, "0.902", "-0.017")
    assert each.apart
    assert named(each) == {
        "Total_Precipitation": 0.902, "Evaporation_Loss": 0.0, "Infiltration_Loss": 0.542, "Surface_Runoff": 0.352,
        "Final_Storage": 0.007, "Continuity_Error": -0.017,
    }  # fmt: skip


def test_several_labelled_numbers_on_a_line_are_all_taken_and_of_a_repeated_block_the_last() -> None:
    each = dragged(XFOIL, "4.000", "0.00231", nth=1)
    assert each.apart
    assert list(named(each)) == ["a", "CL", "Cm", "CD", "CDf", "CDp"]
    again = XFOIL + XFOIL[XFOIL.index("\n Side") :].replace("0.7149", "0.7151").replace("0.00465", "0.00466")
    values = {f.name: extract(f.proposal.extractor, again, False).values for f in each.found if f.name in ("CL", "CDf")}
    assert values == {"CL": (0.7151,), "CDf": (0.00466,)}


def test_items_of_a_list_stay_one_list_but_may_be_taken_one_by_one() -> None:
    each = dragged(CANTERA, "0.020589", "0.81601")
    assert not each.apart
    assert len(each.found) == 3
    assert dragged(CANTERA, "1200", "27.976").apart


def test_numbers_of_a_table_are_named_by_column_and_row() -> None:
    table = "  node      ux        uy\n    12   0.125    -0.5\n    17   0.25     -0.75\n"
    each = dragged(table, "0.125", "-0.75")
    assert named(each) == {"ux_12": 0.125, "uy_12": -0.5, "ux_17": 0.25, "uy_17": -0.75}
    assert not each.apart


def test_numbers_picked_one_by_one_keep_their_order_and_names_in_use_are_passed_by() -> None:
    spans = [(XTB.index(t), XTB.index(t) + len(t)) for t in ("0.035079593799", "-5.070369819159")]
    each = these_numbers(Mark(XTB, *spans[0]), spans, taken=["total_energy"])
    assert list(named(each)) == ["repulsion_energy", "total_energy_2"]


def test_a_drag_within_one_line_is_none_over_several() -> None:
    assert dragged(XFOIL, "CL =", "0.7146").found == ()


@pytest.mark.parametrize(
    ("line", "names", "units"),
    [
        ("fx = 1.25  fy = 2.5  fz = -3.75", ["fx", "fy", "fz"], ["", "", ""]),
        ("Totals: mass=1.25 kg, energy=2.5 J; loss: -3.75 W", ["mass", "energy", "loss"], ["kg", "J", "W"]),
        ("peak 1.25 kPa (p_max), 2.5 s (t_peak), -3.75 m (x_peak)", ["p_max", "t_peak", "x_peak"], ["kPa", "s", "m"]),
        ("probe\t\tP1\t1.25\tP2\t2.5\tP3\t-3.75", ["probe_P1", "P2", "P3"], ["", "", ""]),
        ("1.25 drag 2.5 lift -3.75 moment", ["drag", "lift", "moment"], ["", "", ""]),
    ],
)
def test_numbers_of_one_line_that_are_named_before_or_behind_are_outputs_with_these_names(
    line: str, names: list[str], units: list[str]
) -> None:
    text = f"run finished\n{line}\ndone\n"
    each = dragged(text, "1.25", "-3.75")
    assert each.apart
    assert named(each) == dict(zip(names, (1.25, 2.5, -3.75), strict=True))
    assert [f.unit for f in each.found] == units
    again = text.replace("1.25", "11.25").replace("2.5", "12.5").replace("-3.75", "-13.75")
    assert [extract(f.proposal.extractor, again, False).values for f in each.found] == [(11.25,), (12.5,), (-13.75,)]


@pytest.mark.parametrize("line", ["Levels: 1.25 2.5 -3.75", "alpha 1.25 2.5 -3.75", "x 1.25 m 2.5 m -3.75 m", "1.25 2.5 -3.75"])
def test_numbers_of_one_line_without_names_of_their_own_stay_one_list(line: str) -> None:
    assert dragged(f"run finished\n{line}\n", "1.25", "-3.75").found == ()


TABLE = DataTable(
    columns={"value": (-5.07, 14.0, 12.6, -57.8, 3.2), "sd": (0.1, 0.1, 0.1, 0.1, 0.1)},
    texts={
        "quantity": ("Total energy", "HOMO-LUMO gap", "Ionization potential", "Heat of formation", "Viscosity"),
        "unit": ("Eh", "eV", "eV", "kcal/mol", "Pa s"),
    },
)


def test_quantities_that_a_table_names_are_found_by_their_labels_and_the_rest_is_named() -> None:
    found, missing = find_quantities(quantities(TABLE), {"stdout": XTB, "m.out": MOPAC}, {})
    assert [(f.source, f.name, f.proposal.values[0]) for f in found] == [
        ("stdout", "Total_energy", -5.070369819159), ("stdout", "HOMO_LUMO_gap", 14.648806958921),
        ("m.out", "Ionization_potential", 12.11554), ("m.out", "Heat_of_formation", -57.79986),
    ]  # fmt: skip
    assert [f.note for f in found][:2] == ["measured \u22125.07 Eh", "measured 14 eV"]
    assert [q.name for q in missing] == ["Viscosity"]


def test_labels_of_rows_name_quantities_where_the_columns_only_say_that_they_hold_values() -> None:
    bare = DataTable(columns={"measured": (-5.07, 14.0), "sd": (0.1, 0.1)}, texts={"item": ("Total energy", "HOMO-LUMO gap")})
    assert [(q.name, q.value) for q in quantities(bare)] == [("Total energy", -5.07), ("HOMO-LUMO gap", 14.0)]
    nodes = DataTable(columns={"pressure": (3.1, 3.4)}, texts={"node": ("N1", "N2")})
    assert [(q.name, q.rows) for q in quantities(nodes)] == [("pressure", 2)]


def test_of_two_places_with_the_same_label_the_one_that_changes_is_taken() -> None:
    text = "settings\n  damping  0.5\nresult\n  damping  0.31\n"
    wide = DataTable(columns={"Damping [-]": (0.4,)})
    found, _ = find_quantities(quantities(wide), {"stdout": text}, {"stdout": text.replace("0.31", "0.29")})
    assert [f.proposal.values for f in found] == [(0.31,)]


def test_a_column_of_several_measured_values_is_the_column_of_that_heading() -> None:
    text = "Section Summary\n  Name  Area   Width  Max. Width\n  S1    12.5   400.0   500.0\n  S2     8.0   310.0   520.0\n"
    table = DataTable(columns={"node": (1.0, 2.0), "Width": (390.0, 300.0), "Width sd": (1.0, 1.0)})
    found, missing = find_quantities(quantities(table), {"stdout": text}, {})
    assert [(f.name, f.proposal.values) for f in found] == [("Width", (400.0, 310.0))]
    assert missing == []


@pytest.mark.parametrize("text", ['{"fit": {"gap": 2.5, "steps": 12}}', "gap = 2.5\nsteps = 12\n"])
def test_keys_of_json_and_labels_are_looked_through_alike(text: str) -> None:
    found, _ = find_quantities(quantities(DataTable(columns={"Gap": (2.4,)})), {"result": text}, {})
    assert [(f.name, f.proposal.values) for f in found] == [("Gap", (2.5,))]


@pytest.mark.parametrize("heading", ["age", "group", "quantity"])
def test_classes_of_one_quantity_are_no_quantities_by_their_ranges(heading: str) -> None:
    classes = DataTable(columns={"cases": (3.0, 7.0, 9.0)}, texts={heading: ("0-9", "10 to 19", "20+")})
    assert [(q.name, q.rows) for q in quantities(classes)] == [("cases", 3)]


def test_times_places_errors_and_numbers_of_rows_are_no_quantities() -> None:
    table = DataTable(columns={"time": (0.0, 1.0), "id": (1.0, 2.0), "T (K)": (290.0, 291.0), "T sd": (1.0, 1.0)})
    assert [(q.name, q.unit, q.rows) for q in quantities(table)] == [("T", "K", 2)]


def test_a_quantity_of_one_letter_is_not_found_in_a_remark() -> None:
    text = 'flux_g:long_name = "relative flux, band g" ;\n:title = "bands r and g" ;\ndata:\n\n time = 412.57, 412.574 ;\n'
    found, missing = find_quantities([Quantity("g", "", None, 40), Quantity("r", "", None, 40)], {"transit.txt": text}, {})
    assert not found
    assert [q.name for q in missing] == ["g", "r"]
    columns = {"t": "t g r\n0 1.5 2.5\n1 1.7 2.9\n"}
    table, _ = find_quantities([Quantity("g", "", None, 2), Quantity("r", "", None, 2)], columns, {})
    assert [f.name for f in table] == ["g", "r"]


def test_quantities_are_found_under_their_names_in_english_and_their_formulas() -> None:
    text = "state\tstep\tpH\tNA\tCa\tNa\tK\n" + "".join(f"transp\t{k}\t7.{k}\t-1\t{k}e-3\t{k}e-4\t{k}e-5\n" for k in (1, 2, 3))
    columns = dict.fromkeys(("Schritt", "pH-Wert", "Calcium (mg/l)", "Natrium (mg/l)", "Kalium (mg/l)", "Eisen (g)"), (1.0, 2.0))
    found, missing = find_quantities(quantities(DataTable(columns=columns)), {"stdout": "CEC 8.0, 3 steps\n", "s.sel": text}, {})
    assert [(f.name, f.label, f.proposal.values[1]) for f in found] == [
        ("Schritt", "step", 2.0), ("pH_Wert", "pH", 7.2), ("Calcium", "Ca", 2e-3), ("Natrium", "Na", 2e-4), ("Kalium", "K", 2e-5),
    ]  # fmt: skip
    assert [q.name for q in missing] == ["Eisen"], "NA is no sodium, and iron is not there"
