"""Lines of words about errors: of which columns they speak, of what else, and beside which table of a file they stand."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.errors.said_of import SaidOf, said_of
from bayescope.engine.problem.data.files.data_files import Options, parse_with

SOIL = ("Depth (cm)", "K exch (cmol/kg)", "Corg (%)", "pH")
K, CORG = SOIL[1:3]


@pytest.mark.parametrize(
    ("words", "columns", "other"),
    [
        ("K exch by ammonium acetate; Corg: dry combustion, rel. error 3 %", (CORG,), ""),
        ("Total N by Kjeldahl, precision ±5 %", (), "Total N by Kjeldahl"),
        ("Exchangeable K: error 5 %", (K,), ""),
        ("errors of K exch and Corg: 0.3", (K, CORG), ""),
        ("± 0.05 for pH", ("pH",), ""),
        ("± 0.05 for the nitrate", (), "nitrate"),
        ("uncertainty of the moisture: 2 %", (), "moisture"),
        ("errors: 5 %", (), ""),
        ("accuracy of the probes: 0.3 K", (), ""),
        ("Gauge: accuracy 5 % of the reading, at least 0.2 l/s.", (), ""),
        ("emissivity paint 0.95; std. uncertainty 1.5 °C each point", (), ""),
        ("Incertitude de mesure : 3 %", (), ""),
        ("uncertainty: 2 % for all readings.", (), ""),
        ("0.02 mm and 1 % of reading in quadrature", (), ""),
        ("* RSD 5 %, n = 3", (), ""),
    ],
)
def test_a_line_about_errors_names_columns_something_else_or_nothing(words: str, columns: tuple[str, ...], other: str) -> None:
    assert said_of(words, SOIL) == SaidOf(columns, other)


TWO = "# errors of all: 1 %\n\ndepth,K exch\n1,0.5\n2,0.6\n3,0.7\n# precision ±5 %\n\nsite,N,P\n1,10,3\n2,11,4\n# accuracy ±0.2\n"


@pytest.mark.parametrize(("part", "elsewhere"), [(0, ("accuracy ±0.2",)), (1, ("precision ±5 %",))])
def test_a_remark_right_below_another_table_of_the_file_stands_elsewhere(part: int, elsewhere: tuple[str, ...]) -> None:
    found = parse_with(TWO.encode(), "soil.csv", Options(part=part)).preview
    assert len(found.parts) == 2
    assert set(found.elsewhere) == set(elsewhere)


@pytest.mark.parametrize(
    ("note", "stated"),
    [
        ("# Total N by Kjeldahl, precision ±0.02 mg/kg\n", ()),
        ("# K exch: precision ±0.02 mg/kg\n", (("K exch (mg/kg)", "±0.02 mg/kg"),)),
        ("# precision ±0.02 mg/kg\n", (("K exch (mg/kg)", "±0.02 mg/kg"), ("P (mg/kg)", "±0.02 mg/kg"))),
    ],
)
def test_a_note_below_the_rows_that_names_something_else_is_of_no_column(note: str, stated: tuple[tuple[str, str], ...]) -> None:
    text = f"depth (cm),K exch (mg/kg),P (mg/kg)\n1,0.5,3\n2,0.6,4\n3,0.7,5\n{note}"
    assert parse_with(text.encode(), "soil.csv", Options(named=True)).preview.stated == stated
