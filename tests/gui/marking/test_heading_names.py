"""Names that headings of columns give to outputs, by clicks and drags on the Outputs page."""

from __future__ import annotations

from typing import Any

from marked_texts import click, drag, ran, shown_spans

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.simulator.page import SimulatorPage

MC2D = (
    "two-dimensional fluid\n\n  pt    T/K   rho/A^-2     <u>/kJ mol-1   err(block)    <p>/mN m-1   err(block)\n"
    "  ---------------------------------------------------------------------------\n"
    "   1   160.0   0.0150         -0.67807      0.01628        3.2767       0.1028\n"
    "   2   190.0   0.0350         -1.45213      0.01328        8.8239       0.4785\n\n"
)


def test_headings_whose_units_have_blanks_name_the_column_that_is_clicked_or_dragged(
    page: SimulatorPage, engines: list[Any]
) -> None:
    page.panel.run()
    ran(engines, 1.0, MC2D)
    picker: Any = page.outputs.picker
    for clicked, name, read in (("<u>", "u", ["-0.67807", "-1.45213"]), ("<p>", "p", ["3.2767", "8.8239"])):
        click(picker, clicked)
        assert picker.strip.scopes["column"].isChecked()
        assert picker.name.text() == name
        assert shown_spans(picker) == read
        drag(picker, read[0], read[1])
        assert picker.name.text() == name
    picker.strip.scopes["table"].click()
    assert picker.name.text() == "pt, T_K, rho, u, err_block, p, err_block2"


def test_no_word_of_other_columns_is_the_name_of_one_without_a_heading(page: SimulatorPage, engines: list[Any]) -> None:
    page.panel.run()
    ran(engines, 1.0, MC2D[MC2D.index("\n\n") :].replace("<u>/kJ mol-1", " " * 12))
    picker: Any = page.outputs.picker
    drag(picker, "-0.67807", "-1.45213")
    assert picker.strip.scopes["column"].isChecked()
    assert picker.name.text() == "output"


def test_columns_whose_headings_differ_in_a_sign_are_told_apart_by_it(page: SimulatorPage, engines: list[Any]) -> None:
    page.panel.run()
    ran(engines, 1.0, "strain at the faces\n step  EPS(+y)  EPS(-y)\n 1     0.01     0.03\n 2     0.02     0.05\n")
    picker: Any = page.outputs.picker
    click(picker, "EPS(-y)")
    assert picker.name.text() == "EPS_minus_y"
    drag(picker, "0.01", "0.05")
    assert picker.name.text() == "EPS_plus_y, EPS_minus_y"
    assert shown_spans(picker) == ["0.01", "0.02", "0.03", "0.05"]


STATISTICS = (
    "### density 20.5 mol/l\n\nStatistics over 8001 steps [ 10.0000 through 50.0000 ps ], 2 data sets\n\n"
    "Energy                      Average   Err.Est.       RMSD  Tot-Drift\n" + "-" * 79 + "\n"
    "Potential                  -4.13651      0.013  0.0995127 -0.0249414  (kJ/mol)\n"
    "Pressure                    317.835         11     127.16    15.9672  (bar)\n"
)


def test_a_number_of_a_table_of_statistics_is_called_like_its_row_rather_than_average(
    page: SimulatorPage, engines: list[Any]
) -> None:
    page.panel.run()
    kinetic = "Kinetic En.                 2.99414      0.011  0.0995127 -0.0249414  (kJ/mol)\n"
    ran(engines, 1.0, STATISTICS + STATISTICS.replace("20.5", "12.7").replace("317.835", "159.461") + kinetic)
    picker: Any = page.outputs.picker
    for clicked, name in (("-4.13651", "Potential"), ("2.99414", "Kinetic_En"), ("159.461", "Pressure"), ("127.16", "RMSD")):
        click(picker, clicked)
        assert picker.strip.scopes["number"].isChecked()
        assert picker.name.text() == name


CATCHMENT = (
    "Sulzbach   area 12.4 km2   period 2022-10-01 - 2023-09-30\n"
    "date            flow      head\n"
    "yyyy-mm-dd      mm/d  m a.s.l.\n"
    "2022-10-01   0.48630  412.1678\n"
    "2022-10-02   0.48730  412.1578\n"
)


def test_a_click_on_a_name_above_a_line_of_units_adds_its_column_with_its_name_and_unit(
    page: SimulatorPage, engines: list[Any], controller: SessionController
) -> None:
    page.panel.run()
    ran(engines, 1.0, CATCHMENT)
    picker: Any = page.outputs.picker
    for clicked, name in (("flow", "flow"), ("a.s.l", "head")):
        click(picker, clicked)
        assert picker.strip.scopes["column"].isChecked()
        assert picker.name.text() == name
        picker.take.click()
    assert [(o.name, o.unit) for o in controller.problem.declared.outputs] == [("flow", "mm/d"), ("head", "m a.s.l.")]


SPECTRUM = (
    " TABLE 1.  SPECTRUM, sites per 120 loci\n\n"
    "  class     deme 1      +/-       deme 2      +/-\n  -----   --------- ---------   --------- ---------\n"
    "      1      640.00 (  12.10)      630.00 (  12.20)\n      2      330.00 (   8.10)      320.00 (   8.20)\n"
)


def test_a_heading_of_two_words_names_its_column_and_errors_are_called_after_their_values(
    page: SimulatorPage, engines: list[Any]
) -> None:
    page.panel.run()
    ran(engines, 1.0, SPECTRUM)
    picker: Any = page.outputs.picker
    click(picker, "deme 1")
    assert picker.strip.scopes["column"].isChecked()
    assert picker.name.text() == "deme_1"
    assert shown_spans(picker) == ["640.00", "330.00"]
    picker.strip.scopes["table"].click()
    assert picker.name.text() == "class, deme_1, deme_1_se, deme_2, deme_2_se"
