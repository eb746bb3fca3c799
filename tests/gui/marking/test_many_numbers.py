"""Many numbers by one action on the Outputs tab: a drag over labelled lines, Ctrl and clicks, quantities that the table names."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from marked_texts import LEFT, at, click, drag, ran, shown_spans
from program_logs import MOPAC, XTB, XTB_2
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.outputs.table_quantities import without_output
from bayescope.gui.pages.simulator.page import SimulatorPage

SIX = ["total_energy", "gradient_norm", "HOMO_LUMO_gap", "SCC_energy", "isotropic_ES", "anisotropic_ES"]
MEASURED = d.DataTable(
    columns={"value": (-5.07, 14.0, 12.6, 3.2), "sd": (0.1, 0.1, 0.1, 0.1)},
    texts={
        "quantity": ("Total energy", "HOMO-LUMO gap", "Ionization potential", "Viscosity"), "unit": ("Eh", "eV", "eV", "Pa s"),
    },
)  # fmt: skip
PREDICTIONS = d.Predictions(matches=(), noise=d.GaussianKnown())


@pytest.fixture
def picker(page: SimulatorPage, engines: list[Any]) -> Any:
    """With one run of a program that prints labelled numbers."""
    page.panel.run()
    ran(engines, 1.0, XTB)
    return page.outputs.picker


def ctrl_click(picker: Any, what: str) -> None:
    QTest.mouseClick(picker.text.viewport(), LEFT, Qt.KeyboardModifier.ControlModifier, at(picker, what))


def names(controller: SessionController) -> list[str]:
    return [o.name for o in controller.problem.declared.outputs]


def test_one_drag_and_one_click_make_six_outputs_with_names_and_units(picker: Any, controller: SessionController) -> None:
    drag(picker, "-5.070369819159", "0.000592530715")
    assert picker.strip.scopes["each"].isChecked()
    assert picker.strip.take_each.text() == "&Add 6 outputs"
    assert [one.name.text() for one in picker.strip.each.ones] == SIX
    assert len(shown_spans(picker)) == 6
    QTest.mouseClick(picker.strip.take_each, LEFT)
    assert names(controller) == SIX
    assert [o.unit for o in controller.problem.declared.outputs] == ["Eh", "Eh/a0", "eV", "Eh", "Eh", "Eh"]


def test_lines_of_the_proposal_are_unticked_and_renamed_and_a_bad_name_is_said(
    picker: Any, controller: SessionController
) -> None:
    drag(picker, "-5.070369819159", "14.648806958921")
    first, second, third = picker.strip.each.ones
    QTest.mouseClick(second.tick, LEFT, pos=QPoint(9, second.tick.height() // 2))
    assert picker.strip.take_each.text() == "&Add 2 outputs"
    assert len(shown_spans(picker)) == 2, "what is not ticked has no frame"
    first.name.setText("total energy")
    QTest.mouseClick(picker.strip.take_each, LEFT)
    assert names(controller) == []
    assert picker.strip.told.text() == "A name has letters, digits and _ only, no digit first: “total_energy” instead?"
    assert first.name.text() == "total_energy", "what is allowed is filled in"
    first.name.selectAll()
    QTest.keyClicks(first.name, "gap")
    third.name.setText("gap")
    QTest.keyClick(third.name, Qt.Key.Key_Return)
    assert picker.strip.told.text() == "Each name once."
    third.name.setText("gap_eV")
    QTest.keyClick(third.name, Qt.Key.Key_Return)
    assert names(controller) == ["gap", "gap_eV"]


def test_an_empty_name_among_several_leaves_its_number_out(picker: Any, controller: SessionController) -> None:
    drag(picker, "-5.070369819159", "14.648806958921")
    first = picker.strip.each.ones[0]
    first.name.setText("total, , gap")
    QTest.keyClick(first.name, Qt.Key.Key_Return)
    assert names(controller) == ["total", "gap"]


def test_the_other_readings_of_a_drag_are_one_click_away(picker: Any, controller: SessionController) -> None:
    drag(picker, "-5.070369819159", "14.648806958921")
    QApplication.processEvents()
    QTest.mouseClick(picker.strip.scopes["piece"], LEFT)
    assert picker.ways.isVisible()
    assert not picker.strip.take_each.isVisible()
    QTest.mouseClick(picker.take, LEFT)
    assert [o.length for o in controller.problem.declared.outputs] == [None]


def test_ctrl_and_clicks_gather_numbers_and_take_them_back(picker: Any, controller: SessionController) -> None:
    click(picker, "0.035079593799")
    ctrl_click(picker, "-5.070369819159")
    ctrl_click(picker, "14.648806958921")
    assert [one.name.text() for one in picker.strip.each.ones] == ["repulsion_energy", "total_energy", "HOMO_LUMO_gap"]
    ctrl_click(picker, "-5.070369819159")
    assert picker.strip.take_each.text() == "&Add 2 outputs"
    ctrl_click(picker, "14.648806958921")
    assert not picker.strip.by_itself, "one is left, as a click marks it"
    assert picker.name.text() == "repulsion_energy"


def test_a_proposal_stays_when_a_second_run_ends_meanwhile(page: SimulatorPage, picker: Any, engines: list[Any]) -> None:
    drag(picker, "-5.070369819159", "0.000592530715")
    page.outputs.check_button.click()
    ran(engines, 1.2, XTB_2)
    assert picker.strip.take_each.text() == "&Add 6 outputs"
    ctrl_click(picker, "-5.070369819159")
    assert picker.strip.take_each.text() == "&Add 5 outputs"
    page.outputs.check_button.click()
    ran(engines, 1.3, XTB_2.replace("-5.17036", "-5.27036"))
    assert picker.strip.take_each.text() == "&Add 5 outputs"


def test_what_another_run_does_not_have_is_not_ticked(page: SimulatorPage, picker: Any, engines: list[Any]) -> None:
    page.outputs.check_button.click()
    ran(engines, 1.2, XTB_2.replace("HOMO-LUMO gap", "no gap       "))
    drag(picker, "-5.070369819159", "0.000592530715")
    assert [one.tick.isChecked() for one in picker.strip.each.ones] == [True, True, False, True, True, True]
    assert picker.strip.told.text() == "1 of 6 not found at other values"


def test_nothing_of_the_text_moves_from_the_drag_to_the_last_of_many_outputs(page: SimulatorPage, picker: Any) -> None:
    def stands() -> tuple[Any, ...]:
        QApplication.processEvents()
        text = picker.text
        return text.mapTo(page, QPoint(0, 0)), text.size(), text.verticalScrollBar().value(), picker.below.height()

    at(picker, "-5.070369819159")
    before = stands()
    drag(picker, "-5.070369819159", "14.648806958921")
    assert stands() == before
    QTest.mouseClick(picker.strip.take_each, LEFT)
    assert stands() == before
    for number in ("-5.105449412988", "0.031401726294", "0.000592530715"):
        click(picker, number)
        QTest.mouseClick(picker.take, LEFT)
        assert stands() == before


def test_a_unit_stands_beside_what_is_read_and_the_whole_description_in_the_details(page: SimulatorPage, picker: Any) -> None:
    drag(picker, "-5.070369819159", "14.648806958921")
    QTest.mouseClick(picker.strip.take_each, LEFT)
    assert page.outputs.model.rows[0].reads == "\u22125.0703698 Eh"
    page.outputs.tabs.setCurrentWidget(page.outputs.editor)
    whole = page.outputs.editor.whole
    assert whole.wordWrap()
    assert whole.text() == "Read from stdout: after “:: total energy”."


def test_what_the_table_names_is_offered_found_and_compared_with_one_button(
    page: SimulatorPage, picker: Any, controller: SessionController, engines: list[Any]
) -> None:
    controller.problem.edit("data", data=MEASURED, meaning=PREDICTIONS)
    message = page.outputs.message
    assert message.words().startswith("Your table names 4 quantities not read yet: Total energy, HOMO-LUMO gap, ")
    page.panel.run()
    ran(engines, 1.0, XTB, m_out=MOPAC)
    QTest.mouseClick(message.findChildren(QPushButton)[0], LEFT)
    ones = picker.strip.each.ones
    assert [one.name.text() for one in ones] == ["Total_energy", "HOMO_LUMO_gap", "Ionization_potential"]
    assert ones[0].value.whole == "\u22125.0704 Eh; measured \u22125.07 Eh"
    assert picker.strip.told.text() == "Not found: Viscosity"
    assert names(controller) == [], "nothing is added silently"
    picker.source.choose("m.out")
    assert picker.marking, "another text is looked at, and the proposal stays"
    assert shown_spans(picker) == ["12.115540"]
    QTest.mouseClick(picker.strip.take_each, LEFT)
    assert [o.source for o in controller.problem.declared.outputs] == ["stdout", "stdout", "m.out"]
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert [(m.output, m.column) for m in meaning.matches] == [
        ("Total_energy", "Total energy [Eh]"), ("HOMO_LUMO_gap", "HOMO-LUMO gap [eV]"),
        ("Ionization_potential", "Ionization potential [eV]"),
    ]  # fmt: skip
    assert message.words() == "3 outputs are read and compared with the table."
    page.outputs.refresh()
    assert "names" not in message.words(), "what was not found is not offered again"


def test_columns_of_several_tables_are_found_by_their_titles_and_not_offered_again(
    page: SimulatorPage, picker: Any, controller: SessionController, engines: list[Any]
) -> None:
    columns = {f"Psi (deg) (angle: {angle}.0)": (1.0, 2.0) for angle in (65, 70)}
    controller.problem.edit("data", data=d.DataTable(columns={"wavelength": (400.0, 410.0), **columns}), meaning=PREDICTIONS)
    rows = [f"  wavelength   Psi\n  400.0   {a / 3:.4f}\n  410.0   {a / 4:.4f}\n" for a in (65, 70)]
    tables = [f"ANGLE OF INCIDENCE = {a}.00 deg\n{below}" for a, below in zip((65, 70), rows, strict=True)]
    page.panel.run()
    ran(engines, 1.0, "\n".join(tables))
    QTest.mouseClick(page.outputs.message.findChildren(QPushButton)[0], LEFT)
    assert [one.name.text() for one in picker.strip.each.ones] == ["Psi_65", "Psi_70"]
    assert [one.value.whole[:19] for one in picker.strip.each.ones] == ["2 numbers: 21.6667,", "2 numbers: 23.3333,"]
    QTest.mouseClick(picker.strip.take_each, LEFT)
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert [(m.output, m.column) for m in meaning.matches] == list(zip(("Psi_65", "Psi_70"), columns, strict=True))
    assert without_output(controller.problem.declared) == []


def test_rows_of_a_column_that_is_compared_as_it_stands_are_not_said_to_be_unread(
    page: SimulatorPage, controller: SessionController
) -> None:
    ward = d.DataTable(columns={"measured": (3.1, 3.4)}, texts={"item": ("Ward north", "Ward south")})
    output = d.Output(name="occupied", source="stdout", extractor=d.NumberList(name="occupied"))
    controller.problem.edit("data", data=ward, outputs=(output,), meaning=PREDICTIONS)
    assert [q.name for q in without_output(controller.problem.declared)] == ["Ward north", "Ward south"]
    compared = d.Predictions(matches=(d.Match(output="occupied", column="measured"),), noise=d.GaussianKnown())
    controller.problem.edit("compared", meaning=compared)
    assert without_output(controller.problem.declared) == []
    assert "not read yet" not in page.outputs.message.words()


def test_a_column_by_which_rows_are_paired_is_read_though_its_key_has_another_name(
    page: SimulatorPage, controller: SessionController
) -> None:
    lab = d.DataTable(columns={"Schritt": (1.0, 2.0), "Calcium (mg/l)": (3.1, 3.4)})
    outputs = tuple(d.Output(name=name, source="stdout", extractor=d.NumberList(name=name)) for name in ("Ca", "shift"))
    match = d.Match(output="Ca", column="Calcium (mg/l)")
    meaning = d.Predictions(matches=(match,), noise=d.GaussianKnown())
    controller.problem.edit("data", data=lab, outputs=outputs, meaning=meaning)
    assert [q.name for q in without_output(controller.problem.declared)] == ["Schritt"]
    keyed = msgspec.structs.replace(match, key_output="shift", key_column="Schritt")
    controller.problem.edit("paired", meaning=msgspec.structs.replace(meaning, matches=(keyed,)))
    assert without_output(controller.problem.declared) == []
    assert "not read yet" not in page.outputs.message.words()


def test_where_no_text_has_what_the_table_names_that_is_said(
    page: SimulatorPage, picker: Any, controller: SessionController
) -> None:
    controller.problem.edit("data", data=d.DataTable(columns={"Viscosity [Pa s]": (3.0,)}), meaning=PREDICTIONS)
    QTest.mouseClick(page.outputs.message.findChildren(QPushButton)[0], LEFT)
    assert page.outputs.message.words() == "Not found: Viscosity in any text of the run."
    assert not picker.marking


def test_a_drag_along_a_line_of_named_numbers_and_a_click_on_a_heading(
    page: SimulatorPage, controller: SessionController, engines: list[Any]
) -> None:
    page.panel.run()
    table = "  time     flow    head\n  0.0      7.5     9.5\n  1.0      8.5     9.25\n"
    ran(engines, 1.0, f"run finished\nfx = 1.25  fy = 2.5  fz = -3.75\n\n{table}")
    picker: Any = page.outputs.picker
    drag(picker, "1.25", "-3.75")
    assert [f.name for f in picker.strip.each.ticked()] == ["fx", "fy", "fz"]
    QTest.mouseClick(picker.strip.take_each, LEFT)
    click(picker, "flow")
    assert shown_spans(picker) == ["7.5", "8.5"]
    QTest.mouseClick(picker.take, LEFT)
    assert names(controller) == ["fx", "fy", "fz", "flow"]
