"""A laboratory's report as a program for sheets saves it: every line filled up to one width, two tables with titles, errors
that a footnote calls expanded, and columns that are called alike but for their units."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.files.data_files import ALL_PARTS, parse_with, tables_in
from bayescope.engine.problem.data.files.read_options import Options

HEAD = "LABORATORIO PROVE;;;;;;\nRapporto n.;117/2024;;;;;\nNote;PC1 = vasche (75 kN); PC2 = autocarro;;;;\n;;;;;;\n"
MOVED = (
    "Trasduttori (LVDT), verticali, positivi in basso;;;;;;\nCanale;Nodo;PC1;±;PC2;±;Note\n;;mm;mm;mm;mm;\n"
    "W1;A2;2,60;0,08;2,04;0,08;\nW2;A3;3,15;0,08;2,88;0,08;\nW3;A4;2,54;0,04;3,46;0,04;cassone 17,5 °C\n;;;;;;\n"
)
PULLED = (
    "Estensimetri, trazione positiva;;;;;;\nCanale;Asta;PC1;±;PC2;±;Note\n;;kN;kN;kN;kN;\n"
    "S1;CI3;41,4;2,0;22,5;1,2;\nS2;CI6;19,5;1,0;59,4;2,8;\nS3;CS3;-36,9;1,8;-13,6;0,6;\n;;;;;;\n"
)
FOOT = "±: incertezza estesa, k = 2;;;;;;\n"
REPORT = f"{HEAD}{MOVED}{PULLED}{FOOT}"
BOTH = Options(part=ALL_PARTS, named=True)


def test_lines_filled_up_to_one_width_are_two_tables_each_by_its_title() -> None:
    titles = [title for _, title in tables_in(REPORT.encode(), "r.csv")]
    assert titles == ["Trasduttori (LVDT), verticali, positivi in basso", "Estensimetri, trazione positiva"]
    found = parse_with(REPORT.encode(), "r.csv", BOTH).table
    assert found.texts["Nodo"][:3] == ("A2", "A3", "A4")
    assert found.columns["PC2 (mm)"][:3] == (2.04, 2.88, 3.46)
    assert found.columns["PC1 (kN)"][3:] == (41.4, 19.5, -36.9)


def test_one_table_with_gaps_or_words_for_groups_stays_one() -> None:
    rows = "a;1,5;2,5\nb;1,6;2,6\n"
    assert len(tables_in(f"name;x;y\n{rows};;\n{rows}".encode(), "r.csv")) == 1
    assert len(tables_in(f"name;x;y\n{rows};;\nsecond group;;\n{rows}".encode(), "r.csv")) == 1
    assert len(tables_in(f"name;x;y\n{rows};;\nsecond group;;\nc;n.a.;-\n{rows}".encode(), "r.csv")) == 1


def test_a_title_between_the_head_of_a_report_and_its_names_is_no_row() -> None:
    found = parse_with(f"{HEAD}{MOVED}".encode(), "r.csv", Options(named=True))
    assert list(found.table.columns) == ["PC1 (mm)", "± PC1 (mm)", "PC2 (mm)", "± PC2 (mm)"]
    assert "Lines 1 to 5 above the table: taken for a title." in found.preview.notes


def test_errors_go_to_the_column_in_their_unit() -> None:
    columns = parse_with(REPORT.encode(), "r.csv", BOTH).table.columns
    assert sd_pairs(list(columns)) == {
        "PC1 (mm)": "± PC1 (mm)", "PC2 (mm)": "± PC2 (mm)", "PC1 (kN)": "± PC1 (kN)", "PC2 (kN)": "± PC2 (kN)"
    }  # fmt: skip
    lacking = ["T (K)", "u(T) (K)", "T (degC)"]
    assert sd_pairs(lacking) == {"T (K)": "u(T) (K)"}  # no error in degC is made of one in K
    assert sd_pairs(["T (K)", "T (degC)", "sd of T"]) == {}


@pytest.mark.parametrize(
    ("foot", "by"),
    [("±: incertezza estesa, k = 2", 2.0), ("Uncertainties: expanded, k=3", 3.0), ("erweiterte Messunsicherheit (k = 2)", 2.0),
     ("Expanded uncertainty of the load (k=2): 0.3 kN", 1.0), ("errors at 20 °C", 1.0), ("", 1.0)],
)  # fmt: skip
def test_a_footnote_that_calls_all_errors_expanded_divides_them(foot: str, by: float) -> None:
    found = parse_with(f"{MOVED}{foot};;;;;;\n".encode(), "r.csv", Options(named=True))
    assert found.table.columns["± PC1 (mm)"] == tuple(v / by for v in (0.08, 0.08, 0.04))
    assert [one.k for one in found.preview.expanded] == ([by, by] if by > 1.0 else [])


def test_standard_deviations_are_not_divided_by_the_factor_of_a_footnote() -> None:
    text = "x;PC1;U;PC2;std PC2\n1;2,6;0,8;2,4;0,6\n2;2,7;0,8;2,5;0,4\n3;2,9;0,6;2,5;0,4\n;;;;\nexpanded uncertainty, k = 2;;;;\n"
    columns = parse_with(text.encode(), "r.csv", Options(named=True)).table.columns
    assert columns["std PC2"] == (0.6, 0.4, 0.4)
