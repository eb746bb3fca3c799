"""Errors of a size and a percentage: typed, chosen and taken from the words of the data file, added or in quadrature."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import click, opened
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.session.read_files import ReadFile
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.errors.error_size import ErrorSize, error_size_of, in_unit_of, text_of_size
from bayescope.gui.models.data.errors.noise import added_words, kind_of
from bayescope.gui.models.data.errors.stated_by_files import stated_by_files
from bayescope.gui.models.data.errors.stated_sizes import (
    Stated,
    stated_by_remarks,
    stated_by_several,
    stated_for_all,
    stated_of_columns,
    stated_size,
)
from bayescope.gui.pages.data.error_steps import stated_step
from bayescope.gui.pages.data.page import DataPage

FILE = "# level gauge 7\n# errors: 0.02 mm and 1 % of reading in quadrature\nt,d (cm)\n0,1.5\n1,1.7\n2,1.9\n"


@pytest.mark.parametrize("text", [
    "0.02 + 1 % in quadrature", "0.02 ⊕ 1 %", "0.02 (+) 1%", "± 0.02 and 1 % (added in quadrature)", "1 % of reading + 0.02, rss",
    "0.02 + 1 %, root-sum-square", "0.02 + 1 % of reading combined in quadrature",
])  # fmt: skip
def test_quadrature_is_read_as_people_write_it(text: str) -> None:
    assert error_size_of(text) == ErrorSize(0.02, 1.0, "", "quadrature")


@pytest.mark.parametrize("text", [
    "5 %, at least 0.2", "5 %, never better than 0.2",
    "5 % of the reading, at least 0.2", "5 %, but not less than 0.2", "5 % (min. 0.2)",
    "5 % of reading, min 0.2", "5 %, mindestens 0.2", "5 % jedoch mindestens 0.2", "the larger of 0.2 and 5 %", "max(5 %, 0.2)",
    "± 5 % or ± 0.2, whichever is greater", "0.2 or 5 % of reading, whichever is the larger", "5 % with a minimum of 0.2",
    "5 %, no less than 0.2",
])  # fmt: skip
def test_the_larger_of_two_is_read_as_people_write_it(text: str) -> None:
    assert error_size_of(text) == ErrorSize(0.2, 5.0, "", "larger")
    assert error_size_of(text_of_size(ErrorSize(0.2, 5.0, "", "larger"))) == ErrorSize(0.2, 5.0, "", "larger")


def test_what_is_no_size_is_refused_with_the_ways_in_which_sizes_are_written() -> None:
    with pytest.raises(ValueError, match=r"Standard deviation must be a number, a percentage or both, such as 0.5, 3 %, 0.01"):
        error_size_of("about five", "Standard deviation")


def test_a_sum_stays_a_sum_and_one_part_alone_is_neither() -> None:
    assert error_size_of(".02 + 1 %") == ErrorSize(0.02, 1.0)
    assert error_size_of("0.02 in quadrature") == ErrorSize(0.02)
    assert text_of_size(ErrorSize(0.02, 1.0, "mm", "quadrature")) == "0.02 mm + 1 % in quadrature"
    assert error_size_of(text_of_size(ErrorSize(0.02, 1.0, "mm", "quadrature"))) == ErrorSize(0.02, 1.0, "mm", "quadrature")


@pytest.mark.parametrize(("words", "size"), [
    ("errors: 0.02 mm and 1 % of reading in quadrature", ErrorSize(0.02, 1.0, "mm", "quadrature")),
    ("Accuracy of the gauge: ±0.5 % of reading + 2 mm.", ErrorSize(2.0, 0.5, "mm")),
    ("Gauge: accuracy 5 % of the reading, at least 0.2 l/s.", ErrorSize(0.2, 5.0, "l/s", "larger")),
    ("Reaction (load cell under node 4, accuracy ±0.4 kN)", ErrorSize(0.4, None, "kN")),
    ("sigma = 0.3", ErrorSize(0.3)), ("measurement uncertainty (1 sd) is 5 %", ErrorSize(None, 5.0)),
    ("accuracy of the probes: 0.3 K", ErrorSize(0.3, None, "K")), ("accuracy: 0.5 °C", ErrorSize(0.5, None, "°C")),
    ("emissivity paint 0.95; std. uncertainty 1.5 °C each point", ErrorSize(1.5, None, "°C")),
    ("uncertainty: 2 % for all readings.", ErrorSize(None, 2.0)),
    ("the error was found in 2019 and mended", None), ("no errors", None), ("std,0.1", None),
])  # fmt: skip
def test_what_a_file_says_of_its_errors_is_understood_or_left(words: str, size: ErrorSize | None) -> None:
    assert stated_size(["nothing here 3", words]) == (None if size is None else Stated(size, words))


@pytest.mark.parametrize(("words", "size", "level"), [
    ("RSD 5 %", ErrorSize(None, 5.0), ""), ("* RSD 5 %, n = 3", ErrorSize(None, 5.0), ""),
    ("uncertainty (k=2) 0.3", ErrorSize(0.15), " (what it says divided by k = 2)"),
    ("U = 0.3 (k=2)", ErrorSize(0.15), " (what it says divided by k = 2)"),
    ("Uncertainty at 95 % confidence: 1.96 K", ErrorSize(1.0, None, "K"), " (what it says divided by k = 1.96)"),
    ("Measurement uncertainty ±10 % (k=2)", ErrorSize(None, 5.0), " (what it says divided by k = 2)"),
    ("errors are 2 sigma: 0.3", ErrorSize(0.15), " (what it says divided by k = 2)"),
    ("expanded uncertainty: 0.3", ErrorSize(0.15),
     " (what it says divided by k = 2: expanded errors mostly have that factor)"),
])  # fmt: skip
def test_a_footnote_that_says_its_level_is_divided_by_its_factor_and_says_so(words: str, size: ErrorSize, level: str) -> None:
    found = stated_size([words])
    assert found is not None
    assert (found.size, found.level) == (size, level)


@pytest.mark.parametrize("words", ["coverage factor k = 2 was used", "errors are given at the 95 % level", "U: expanded, k = 2"])
def test_a_level_alone_is_no_size(words: str) -> None:
    assert stated_size([words]) is None


def test_levels_of_columns_are_divided_too() -> None:
    found = stated_by_remarks(["errors (k=2): CL ±0.02; CD ±4 %"], ["CL", "CD"])
    assert {name: one.size for name, one in found.items()} == {"CL": ErrorSize(0.01), "CD": ErrorSize(None, 2.0)}
    assert stated_of_columns([("T (mm)", "±0.3 mm (k = 2)")])["T (mm)"].size == ErrorSize(0.15, None, "mm")


def test_a_footnote_below_the_table_is_offered_with_its_level(
    page: DataPage, controller: SessionController, tmp_path: Path, qtbot: QtBot
) -> None:
    controller.problem.replace(d.Problem(
        name="gauge", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")),
        outputs=(d.Output(name="u", source="res.txt", extractor=d.LabelledNumber(label="u ="), length=3),),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
    ), "x")  # fmt: skip
    opened(page, tmp_path / "m.csv", "depth;u\n1;3,1\n2;0,5\n3;4,2\nuncertainty (k=2) 0,3\n")
    click(qtbot, page.importer.use)
    assert page.message.words().startswith("The data file says: “uncertainty (k=2) 0,3”. Are these the errors")
    assert page.message.suggestion() == "Each measured value then has an error of 0.15 (what it says divided by k = 2)."
    click(qtbot, page.message._button)
    assert controller.problem.declared.meaning.noise == d.GaussianKnown(sd=0.15)  # type: ignore[union-attr]


def test_a_size_in_kelvins_is_one_in_degrees_celsius_and_none_in_metres() -> None:
    assert in_unit_of(ErrorSize(0.3, None, "K"), "T (°C)") == ErrorSize(0.3)
    with pytest.raises(ValueError, match="K cannot be counted in it"):
        in_unit_of(ErrorSize(0.3, None, "K"), "d (cm)")


def test_a_stated_size_has_the_unit_of_the_data_where_no_column_says_any_and_that_is_told() -> None:
    problem = d.Problem(
        name="soil", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")),
        outputs=(d.Output(name="d", source="res.txt", extractor=d.LabelledNumber(label="d ="), length=3),),
        meaning=d.Predictions(matches=(d.Match(output="d", column="T_5cm"),), noise=d.GaussianKnown()),
    )  # fmt: skip
    size = ErrorSize(0.3, None, "K")
    step = stated_step(problem, Stated(size, "accuracy of the probes: 0.3 K"), "")
    assert step.hint == "Each measured value then has an error of 0.3, in the unit of the data: no column says whether that is K."
    assert step.mended is not None
    assert step.mended.meaning.noise == d.GaussianKnown(sd=0.3)  # type: ignore[union-attr]
    said = msgspec.structs.replace(problem.meaning, matches=(d.Match(output="d", column="T [m]"),))
    other = stated_step(msgspec.structs.replace(problem, meaning=said), Stated(size, "accuracy: 0.3 K"), "")
    assert other.mended is None


def test_the_choice_stands_where_sizes_are_set_and_its_words_tell_what_it_makes() -> None:
    both = d.GaussianKnown(sd=3.0, percent=4.0, together="quadrature")
    assert "together" in [f.name for f in kind_of(both).fields]
    assert "together" in [f.name for f in kind_of(d.StudentTNoise(dof=4.0)).fields]
    assert added_words(both) == "sd = 3 + 4 % of each measured value; the two are taken in quadrature: 5 for a value of 100."
    larger = d.GaussianKnown(sd=3.0, percent=4.0, together="larger")
    assert added_words(larger) == "sd = the larger of 3 and 4 % of each measured value: 4 for a value of 100."
    assert added_words(d.GaussianKnown(sd=3.0, percent=4.0)).endswith("the two are added: 7 for a value of 100.")


@pytest.mark.window
def test_the_errors_that_a_file_states_are_offered_in_the_unit_of_the_column_and_can_be_chosen_otherwise(
    page: DataPage, controller: SessionController, tmp_path: Path, qtbot: QtBot
) -> None:
    controller.problem.replace(d.Problem(
        name="gauge", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")),
        outputs=(d.Output(name="d", source="res.txt", extractor=d.LabelledNumber(label="d ="), length=3),),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
    ), "x")  # fmt: skip
    opened(page, tmp_path / "gauge.csv", FILE)
    page.importer.use.click()
    assert page.message.words().startswith("The data file says: “errors: 0.02 mm and 1 % of reading in quadrature”. Are these")
    click(qtbot, page.message._button)
    known = d.GaussianKnown(sd=0.002, percent=1.0, together="quadrature")
    assert controller.problem.declared.meaning.noise == known  # type: ignore[union-attr]
    choice = page.errors.noise.form.editor("together")
    assert [choice.itemText(i) for i in range(choice.count())] == ["Added", "In quadrature", "The larger of the two"]  # type: ignore[attr-defined]
    choice.chosen.emit("sum")  # type: ignore[attr-defined]
    assert controller.problem.declared.meaning.noise == d.GaussianKnown(sd=0.002, percent=1.0)  # type: ignore[union-attr]


HEADED = "t,u [GPa] ±2 %; min 0.01,v\n0,1.5,4\n1,1.7,5\n2,1.9,6\n"


def test_errors_in_a_heading_are_no_part_of_the_name_and_are_offered_for_its_column(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    meaning = d.Predictions(matches=(), noise=d.GaussianKnown())
    controller.problem.edit("x", meaning=meaning)
    opened(page, tmp_path / "press.csv", HEADED)
    assert "is called “u [GPa]” here: “±2 %; min 0.01” states its errors." in page.importer.message.words()
    click(qtbot, page.importer.use)
    controller.problem.edit("x", meaning=msgspec.structs.replace(
        meaning, matches=(d.Match(output="u", column="u [GPa]"), d.Match(output="v", column="v"))))  # fmt: skip
    assert page.message.words().startswith("The file says of “u [GPa]”: “±2 %; min 0.01”. Are these its errors?")
    assert "has an error of 2 %, at least 0.01" in page.message.suggestion()
    click(qtbot, page.message._button)
    first, second = controller.problem.declared.meaning.matches  # type: ignore[union-attr]
    assert first.noise == d.GaussianKnown(sd=0.01, percent=2.0, together="larger")
    assert second.noise is None
    assert page.message.words().startswith("How large are the errors of v?")


def test_one_column_alone_has_the_errors_of_its_heading_as_the_common_ones(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("x", meaning=d.Predictions(matches=(), noise=d.GaussianKnown()))
    opened(page, tmp_path / "press.csv", "t,u (K) ±0.3\n0,1.5\n1,1.7\n2,1.9\n")
    click(qtbot, page.importer.use)
    controller.problem.edit("x", meaning=d.Predictions(matches=(d.Match(output="u", column="u (K)"),), noise=d.GaussianKnown()))
    click(qtbot, page.message._button)
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.noise == d.GaussianKnown(sd=0.3)
    assert meaning.matches[0].noise is None


@pytest.mark.parametrize(
    ("line", "sizes"),
    [
        ("Fehler: CL ±0,01; CD ±3 %", {"CL": (0.01, None), "CD (-)": (None, 3.0)}),
        ("CL ±0.01, CD ±3 %", {"CL": (0.01, None), "CD (-)": (None, 3.0)}),
        ("Messunsicherheit CL 0,01 CD 3 %", {"CL": (0.01, None), "CD (-)": (None, 3.0)}),
        ("incertitude : CD = 3 % ; CL +/- 0,01", {"CL": (0.01, None), "CD (-)": (None, 3.0)}),
        ("CL = 0.5, CD = 3", {}),  # nothing says that these are errors
        ("CL = 0.5 ± 0.1", {}),  # a value and its error
        ("Fehler: CLX ±0,01", {}),
    ],
)
def test_a_line_of_words_states_the_errors_of_several_columns(line: str, sizes: dict[str, Any]) -> None:
    found = stated_by_remarks([line], ["alpha", "CL", "CD (-)"])
    assert {name: (one.size.number, one.size.percent) for name, one in found.items()} == sizes


def test_errors_of_columns_in_a_remark_are_offered_whatever_the_language_and_the_encoding(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("x", meaning=d.Predictions(matches=(), noise=d.GaussianKnown()))
    text = "# Profil, Kanal II\n# Fehler: u ±0,01; v ±3 %\nt;u;v\n0;1,5;4,1\n1;1,7;5,2\n2;1,9;6,3\n"
    opened(page, tmp_path / "messung.csv", text.encode("latin-1"))
    click(qtbot, page.importer.use)
    matches = tuple(d.Match(output=n, column=n) for n in ("u", "v"))
    controller.problem.edit("x", meaning=d.Predictions(matches=matches, noise=d.GaussianKnown()))
    assert page.message.words() == "The data file says: “Fehler: u ±0,01; v ±3 %”. Are these the errors of u and v?"
    assert page.message.suggestion() == "u: 0.01; v: 3 %. A percentage is of each measured value."
    click(qtbot, page.message._button)
    first, second = controller.problem.declared.meaning.matches  # type: ignore[union-attr]
    assert first.noise == d.GaussianKnown(sd=0.01)
    assert second.noise == d.GaussianKnown(percent=3.0)


def test_of_what_a_percentage_alone_is_is_said() -> None:
    assert added_words(d.GaussianKnown(percent=3.0)) == "sd = 3 % of each measured value."
    assert added_words(d.GaussianKnown(sd=0.1)) == ""


ELLIPSOMETER = "\n".join([
    "Spektroskopisches Ellipsometer SE-850      Messprotokoll", "Probe:\t23-117 Wafer 4", "Einfallswinkel:\t65°\t70°",
    "Messgenauigkeit:\tPsi 0,05°\tDelta 0,1° (1 Sigma)", "Integrationszeit:\t2,5 s", "",
    "Wellenlänge\tPsi(65°)\tDelta(65°)\tPsi(70°)\tDelta(70°)", "nm\tGrad\tGrad\tGrad\tGrad",
    "400\t20,5\t110,2\t15,5\t95,1", "410\t21,5\t111,2\t16,5\t96,1", "420\t22,5\t112,2\t17,5\t97,1", "",
])  # fmt: skip


def test_errors_said_of_what_several_columns_begin_with_are_taken_for_each_of_them(
    page: DataPage, controller: SessionController, tmp_path: Path, qtbot: QtBot
) -> None:
    opened(page, tmp_path / "se.txt", ELLIPSOMETER)
    click(qtbot, page.importer.use)
    names = list(controller.problem.declared.data.columns)
    assert names[1:] == ["Psi(65°) (Grad)", "Delta(65°) (Grad)", "Psi(70°) (Grad)", "Delta(70°) (Grad)"]
    stated = stated_by_remarks(page.importer.remarks, names)
    assert [stated[name].size.number for name in names[1:]] == [0.05, 0.1, 0.05, 0.1]
    assert all(in_unit_of(stated[name].size, name) == ErrorSize(stated[name].size.number) for name in names[1:])


def test_a_number_behind_a_shared_beginning_is_an_error_only_where_a_word_or_a_sign_says_so() -> None:
    columns = ["Psi(65)", "Psi(70)", "Psi"]
    assert stated_by_remarks(["Psi 0.05"], columns) == {}
    assert list(stated_by_remarks(["accuracy: Psi 0.05"], columns)) == ["Psi"], "a column of that very name is meant"


def test_a_size_said_of_something_else_or_beside_another_table_is_doubted_and_one_of_a_named_column_is_no_others() -> None:
    columns = ["K exch (cmol/kg)", "Corg (%)"]
    line = "K exch by extraction; Corg: dry combustion, error 3 %"
    assert list(stated_by_remarks([line], columns)) == ["Corg (%)"]
    assert stated_for_all([line], columns) is None
    other = stated_for_all(["Total N by Kjeldahl, precision ±5 %"], columns)
    assert other is not None
    assert (other.other, other.elsewhere) == ("Total N by Kjeldahl", False)
    assert stated_for_all(["Total N: error 5 %", "errors: 2 %"], columns) == Stated(ErrorSize(None, 2.0), "errors: 2 %")
    both = Stated(ErrorSize(None, 2.0), "errors: 2 %")
    assert stated_by_several(both, both) == both
    alone = stated_by_several(None, both)
    assert alone is not None
    assert alone.elsewhere
    problem = d.Problem(
        name="soil", simulator=d.Simulator(command=("sh",)), parameters=(), outputs=(),
        meaning=d.Predictions(matches=(d.Match(output="K", column=columns[0]),), noise=d.GaussianKnown()),
    )  # fmt: skip
    step = stated_step(problem, other, "")
    assert (step.level, step.dismiss, step.confirms) == ("warning", "They are &not", other.words)
    assert step.hint.startswith("It names “Total N by Kjeldahl”. Each measured value then has")
    assert stated_step(problem, both, "").level == "info"


def read_file(name: str, columns: tuple[str, ...], *remarks: str, elsewhere: tuple[str, ...] = ()) -> ReadFile:
    return ReadFile(name=name, digest=name, columns=columns, remarks=remarks, elsewhere=elsewhere)


def test_what_one_of_several_files_says_of_all_errors_is_said_of_its_own_columns() -> None:
    logger = read_file("logger", ("time", "TC1", "TC2"))
    plate = read_file("plate", ("time", "kW/m2"), "Accuracy: 5 % of reading (1 sigma)")
    columns = ("time", "TC1", "TC2", "kW/m2")
    every, single = stated_by_files((logger, plate), columns)
    assert every is None
    assert {column: one.size.percent for column, one in single.items()} == {"kW/m2": 5.0}
    one = read_file("logger", ("time", "TC1", "TC2"), "errors: 3 K")
    _, single = stated_by_files((one, plate), columns)
    assert {column: s.size.number or s.size.percent for column, s in single.items()} == {"TC1": 3.0, "TC2": 3.0, "kW/m2": 5.0}
    every, single = stated_by_files((plate,), columns[2:])
    assert (every is None, single) == (False, {})
    every, single = stated_by_files((plate, read_file("more", ("time", "kW/m2"))), columns)
    assert (every is not None and every.elsewhere, single) == (True, {}), "both hold the same columns: it is doubted"


def test_errors_said_not_to_be_these_are_asked_for_anew(
    page: DataPage, controller: SessionController, tmp_path: Path, qtbot: QtBot
) -> None:
    controller.problem.edit("x", meaning=d.Predictions(matches=(), noise=d.GaussianKnown()))
    opened(page, tmp_path / "m.csv", "# nitrate: error 5 %\nt,u\n0,1.5\n1,1.7\n2,1.9\n")
    click(qtbot, page.importer.use)
    controller.problem.edit("x", meaning=d.Predictions(matches=(d.Match(output="u", column="u"),), noise=d.GaussianKnown()))
    assert page.message.suggestion().startswith("It names “nitrate”.")
    click(qtbot, page.message._dismiss)
    assert page.message.words().startswith("How large are the errors")


def test_the_words_of_a_level_before_names_say_that_what_stands_behind_them_are_errors() -> None:
    found = stated_by_remarks(["VINDTA 3C, batch 198; 1 sigma: DIC 4 umol/kg, TA 3 umol/kg"], ["DIC", "TA"])
    assert {column: said.size for column, said in found.items()} == {
        "DIC": ErrorSize(4.0, None, "umol/kg"), "TA": ErrorSize(3.0, None, "umol/kg"),
    }  # fmt: skip
    assert stated_by_remarks(["DIC 4 umol/kg in the reference; errors 1 sigma"], ["DIC"]) == {}
    said = stated_for_all(["std. deviation 0.10 mV each"], ["gain"])
    assert said is not None
    assert said.size == ErrorSize(0.1, None, "mV")
