"""Expanded uncertainties in data files: divided by the factor that stands there, or as a person says."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.errors.expanded_errors import Coverage
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.files.data_files import ALL_PARTS, DataFile, Options, parse_with
from bayescope.engine.problem.data.tables.table_lines import Told
from tests.support.sheet_files import xlsx

LINE = "label,y\na,2\nb,3\nexpanded uncertainty (k=2),0.1\n"


def read(text: str | bytes, coverage: Coverage | None = None, **more: object) -> DataFile:
    name = "m.xlsx" if isinstance(text, bytes) else "m.csv"
    data = text if isinstance(text, bytes) else text.encode()
    return parse_with(data, name, Options(coverage=coverage or Coverage(), named=True, **more))  # type: ignore[arg-type]


def sds(found: DataFile) -> list[float | None]:
    columns = found.table.columns
    return [columns[sd][0] for sd in sd_pairs(list(columns)).values()]


def test_expanded_uncertainties_are_divided_by_their_factor_unless_they_are_to_stay_as_they_are() -> None:
    found = read("t,T,U(k=2),S,2σ\n0,1.5,.2,3,.6\n1,2.5,.2,4,.6\n")
    assert sds(found) == [0.1, 0.3]
    assert "Column “± T” holds expanded uncertainties (k = 2): they are divided by 2." in found.preview.notes
    kept = read("t,T,U(k=2),S,2σ\n0,1.5,.2,3,.6\n1,2.5,.2,4,.6\n", Coverage(undivided=True))
    assert sds(kept) == [0.2, 0.6]
    assert "Column “± T” is taken as standard deviations, not divided by 2." in kept.preview.notes
    assert kept.preview.expanded == found.preview.expanded, "the choice is there both ways"


@pytest.mark.parametrize("heading", ["U(T)", "U_T", "U(T) [K]", "expanded uncertainty of T", "T expanded uncertainty"])
def test_expanded_uncertainties_without_a_factor_stay_as_they_are_until_somebody_tells_it(heading: str) -> None:
    text = f"t,T,{heading}\n0,1.5,.2\n1,2.5,.2\n"
    found = read(text)
    assert [one.said for one in found.preview.expanded] == [False]
    assert found.preview.expanded[0].words(Coverage()) == ""
    last = list(found.table.columns)[-1]
    assert found.table.columns[last] == (0.2, 0.2)
    assert read(text, Coverage(factor=2.0)).table.columns[last] == (0.1, 0.1)
    assert read(text, Coverage(factor=1.0)).table.columns[last] == (0.2, 0.2)
    assert read(text, Coverage(undivided=True, factor=2.0)).table.columns[last] == (0.1, 0.1), "that is of said factors"


@pytest.mark.parametrize(
    "columns", ["T,u(T)", "T,sd_T", "T,U(T) (k=1)", "U,U_err", "U,U error", "x,U(x)", "U_x,U_y", "T,± T", "y,U"]
)
def test_what_says_no_expanded_uncertainty_is_not_taken_for_one(columns: str) -> None:
    assert read(f"t,{columns}\n0,1.5,.2\n1,2.5,.2\n").preview.expanded == ()


def test_a_line_of_expanded_uncertainties_can_be_taken_as_it_is() -> None:
    divided, kept = (read(LINE, coverage, told=Told(as_errors=True)) for coverage in (None, Coverage(undivided=True)))
    assert divided.table.columns["y sd"] == (0.05, 0.05)
    assert kept.table.columns["y sd"] == (0.1, 0.1)
    assert [one.where for one in kept.preview.expanded] == ["Line 4"]
    assert read(LINE).preview.expanded == (), "nothing is taken yet"


def test_expanded_uncertainties_of_all_tables_of_a_file_are_named() -> None:
    book = xlsx({"A": [["t", "T", "U(k=2)"], [0, 1.5, 0.2], [1, 2.5, 0.2]], "B": [["t", "S", "U(S)"], [0, 3, 0.4], [1, 4, 0.4]]})
    found = read(book, part=ALL_PARTS)
    assert [(one.where, one.said) for one in found.preview.expanded] == [("Column “± T”", True), ("Column “U(S)”", False)]


def test_problem_files_leave_their_columns_as_they_are() -> None:
    assert parse_with(b"t,T,U(k=2)\n0,1.5,.2\n1,2.5,.2\n", "m.csv", Options()).table.columns["U(k=2)"] == (0.2, 0.2)


@pytest.mark.parametrize("heading", ["±95%", "± 95 %", "±(95%)", "U95", "U_95", "uncertainty (95 %)", "T ±95%", "T ± (95 %)"])
def test_a_level_in_a_heading_divides_the_errors_of_the_column_before(heading: str) -> None:
    file = parse_with(f"t,T,{heading}\n1,10,0.4\n2,11,0.4\n3,12,0.4\n".encode(), "x", Options(named=True))
    assert file.table.columns["± T"] == pytest.approx((0.4 / 1.96,) * 3)
    assert "are divided by 1.96" in " ".join(file.preview.notes)


def test_percentiles_of_a_velocity_are_no_errors() -> None:
    file = parse_with(b"t,U5,U50,U95\n1,1,2,3\n2,1,2,3\n3,1,2,3\n", "x", Options(named=True, header=True))
    assert list(file.table.columns) == ["t", "U5", "U50", "U95"]


@pytest.mark.parametrize(
    ("heading", "factor"),
    [
        ("2s", 2.0), ("±2s", 2.0), ("2SE", 2.0), ("T 2s", 2.0), ("T err 2s", 2.0), ("err (2s)", 2.0), ("3 SEM", 3.0),
        ("expanded uncertainty (k=2)", 2.0), ("95 % CI half width", 1.96), ("± 95% CI", 1.96), ("T_unc_95", 1.96),
    ],
)  # fmt: skip
def test_headings_of_several_standard_deviations_divide_the_errors_of_their_values(heading: str, factor: float) -> None:
    found = read(f"x,T,{heading}\n0,10.5,.4\n1,11.5,.4\n2,12.5,.4\n")
    assert sds(found) == pytest.approx([0.4 / factor])


@pytest.mark.parametrize(
    "heading", ["95% CI", "CI95", "95 % confidence", "T 95% CI", "T_CI95", "95% C.L.", "95 % confidence limits"]
)
def test_a_single_number_of_an_interval_is_half_its_width_or_the_whole_one_which_is_asked(heading: str) -> None:
    text = f"x,T,{heading}\n0,10.5,.4\n1,11.5,.4\n2,12.5,.4\n"
    assert sds(read(text)) == [0.4], "nobody told"
    assert [(one.k, one.said, one.width) for one in read(text).preview.expanded] == [(1.96, False, True)]
    assert sds(read(text, Coverage(factor=2.0))) == pytest.approx([0.4 / 1.96]), "divided"
    assert sds(read(text, Coverage(factor=3.92))) == pytest.approx([0.4 / 3.92]), "typed, of the whole width"
    assert sds(read(text, Coverage(factor=1.0))) == [0.4]


@pytest.mark.parametrize("headings", ["T,95% CI,95% CI", "T,95% CI lower,95% CI upper", "1s,2s,3s", "CL,CD,CM", "T,S,CI"])
def test_limits_times_and_coefficients_are_no_half_widths(headings: str) -> None:
    assert read(f"x,{headings}\n0,10.5,9,11\n1,11.5,10,12\n2,12.5,11,13\n").preview.expanded == ()
