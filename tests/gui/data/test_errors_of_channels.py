"""The lines of a logger that describe its channels: each error that they state belongs to the column that its line names."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from data_pages import PROBLEM, click, matches, opened
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.file_remarks import remarks_on_errors
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.units.unit_scales import of_other_kind
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.errors.error_size import ErrorSize, in_unit_of
from bayescope.gui.models.data.errors.stated_sizes import stated_by_remarks, stated_for_all
from bayescope.gui.models.data.list_edits import with_scaling
from bayescope.gui.pages.data.page import DataPage

LOAD = "Channel 2: LOAD load cell U2B 100 kN, push positive; U = 2 % of reading but not less than 1.2 kN (k=2)"
TILT = "Channel 3: TILT inclinometer, towards push; U = 0.2 mrad (k=2)"
COLUMNS = ("TIME (s)", "LOAD (kN)", "TILT (mrad)")


def test_each_line_is_about_the_column_that_it_names() -> None:
    found = stated_by_remarks([LOAD, TILT], COLUMNS)
    assert {column: said.size for column, said in found.items()} == {
        "LOAD (kN)": ErrorSize(0.6, 1.0, "kN", "larger"), "TILT (mrad)": ErrorSize(0.1, None, "mrad"),
    }  # fmt: skip
    assert all(said.remark and said.factor == 2.0 for said in found.values())
    assert stated_for_all([LOAD, TILT], COLUMNS) is None, "what is said of one is not said of all"


@pytest.mark.parametrize("line", [
    "all channels: U = 0.2 mrad (k=2)",  # names none
    "the load of the tilt table: U = 0.2 mrad (k=2)",  # words of a sentence
    "after TIME 0 the error: 0.02 mm",  # in a unit that is none of the column's
])  # fmt: skip
def test_a_line_about_no_column_stays_said_of_all(line: str) -> None:
    assert stated_by_remarks([line], COLUMNS) == {}
    assert stated_for_all([line], COLUMNS) is not None


def test_a_line_about_several_columns_is_about_those_in_whose_unit_its_size_can_be_counted() -> None:
    assert list(stated_by_remarks(["LOAD and TILT: U = 0.2 mrad (k=2)"], COLUMNS)) == ["TILT (mrad)"]
    assert list(stated_by_remarks(["LOAD and TILT: error 2 %"], COLUMNS)) == ["LOAD (kN)", "TILT (mrad)"]


def test_both_lines_are_shown_and_taken_in_one_step(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    rows = "".join(f"{t}\t{4.5 + t}\t{0.3 * t}\n" for t in range(4))
    opened(page, tmp_path / "m.asc", f"{LOAD}\n{TILT}\n\nTIME\tLOAD\tTILT\ns\tkN\tmrad\n{rows}")
    click(qtbot, page.importer.use)
    assert controller.problem.declared.data is not None
    assert set(COLUMNS) <= set(controller.problem.declared.data.columns)
    pairs = (d.Match(output="u", column="LOAD (kN)"), d.Match(output="v", column="TILT (mrad)"))
    controller.problem.edit("x", meaning=d.Predictions(matches=pairs, noise=d.GaussianKnown(), aside=("TIME (s)",)))
    assert page.message.words().endswith("and 1 more. Are these the errors of LOAD (kN) and TILT (mrad)?")
    assert "LOAD (kN): 1 %, at least 0.6 kN" in page.message.suggestion()
    assert "TILT (mrad): 0.1 mrad" in page.message.suggestion()
    click(qtbot, page.message._button)
    noises = [m.noise for m in matches(controller)]
    assert noises == [d.GaussianKnown(sd=0.6, percent=1.0, together="larger"), d.GaussianKnown(sd=0.1)]


def test_a_unit_of_another_kind_is_called_so() -> None:
    assert unit_in("TILT (mrad)") == "mrad"
    assert of_other_kind("kN", "mrad")
    assert not of_other_kind("kN", "widgets")
    said = "“TILT \\(mrad\\)” is in mrad, a unit of another kind, so kN cannot be counted in it"
    with pytest.raises(ValueError, match=said):
        in_unit_of(ErrorSize(0.6, None, "kN"), "TILT (mrad)")
    pair = d.Match(output="v", column="TILT (mrad)")
    table, meaning = d.DataTable(columns={"TILT (mrad)": (1.0,)}), d.Predictions(matches=(pair,), noise=d.GaussianKnown())
    whole = msgspec.structs.replace(PROBLEM, data=table, meaning=meaning)
    with pytest.raises(ValueError, match=said):
        with_scaling(whole, 0, "kN")


NOTES = (
    "Note 1: expanded uncertainty (k=2) of the pressure 60 bar at every state (gauge 0..2000 bar)",
    "Note 2: expanded uncertainty (k=2) of U_res 60 J/mol",
)


def test_a_note_that_names_the_quantity_of_a_column_whose_name_is_a_symbol_is_about_that_column() -> None:
    found = stated_by_remarks(NOTES, ("t / °C", "rho / mol/L", "p / bar", "U_res / J/mol"))
    assert {column: (said.size, said.factor) for column, said in found.items()} == {
        "p / bar": (ErrorSize(30.0, None, "bar"), 2.0), "U_res / J/mol": (ErrorSize(30.0, None, "J/mol"), 2.0),
    }  # fmt: skip
    assert stated_for_all(NOTES, ("p / bar", "U_res / J/mol")) is None
    assert stated_by_remarks(NOTES[:1], ("p_in / bar", "rho / mol/L")) == {}, "another pressure, perhaps"


@pytest.mark.parametrize("line", ["Assay CV;glucose 1,5 %, insulin 6 %", "CVs: glucose 1.5 %; insulin 6 %"])
def test_coefficients_of_variation_of_several_columns_in_one_line(line: str) -> None:
    assert remarks_on_errors(f"{line}\nt;u\n1;2\n".encode()) == (line,)
    found = stated_by_remarks([line], ("Time (min)", "Glucose (mmol/L)", "Insulin (mU/L)"))
    sizes = {"Glucose (mmol/L)": ErrorSize(percent=1.5), "Insulin (mU/L)": ErrorSize(percent=6.0)}
    assert {column: said.size for column, said in found.items()} == sizes


def test_a_cv_without_a_percentage_says_nothing_of_errors() -> None:
    assert remarks_on_errors(b"CV of the author, 3 pages\nt;u\n1;2\n") == ()
