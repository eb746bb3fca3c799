"""A list of single results, each named by two columns of texts: a statistic and the group that it is of."""

from __future__ import annotations

import io

import openpyxl

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.files.data_files import ALL_PARTS, Options, parse_with
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.tables.long_form import split, value_columns
from bayescope.engine.problem.data.tables.naming_column import naming_column
from bayescope.engine.problem.data.tables.naming_pairs import named_together, pairs_offered, proposed

ROWS = [
    ("statistic", "population", "estimate", "s.e."), ("diversity per kb", "North", 1.063, 0.0441),
    ("diversity per kb", "South", 0.698, 0.0406), ("Tajima's D", "North", -0.12, 0.0677), ("Tajima's D", "South", 0.083, 0.0994),
    ("divergence per kb", "North-South", 1.243, 0.0477), ("fixation index", "North-South", 0.2918, 0.02074),
]  # fmt: skip
SPECTRUM = [
    ("derived alleles", "North", "s.e.", "South", "s.e."), (1, "filtered", None, "filtered", None), (2, 609, 39.6, 341, 41.3),
    (3, 409, 37.2, 265, 33.3), (4, 324, 38.8, 187, 29.2), (5, 281, 45.8, 206, 42.7), (6, 133, 21.2, "n.d.", None),
]  # fmt: skip
NAMES = ["diversity per kb North", "diversity per kb South", "Tajima's D North", "Tajima's D South",
         "divergence per kb North-South", "fixation index North-South"]  # fmt: skip


def table(part: int) -> d.DataTable:
    book = openpyxl.Workbook()
    for title, rows in (("Spectrum", SPECTRUM), ("Summary", ROWS)):
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return parse_with(stream.getvalue(), "lab.xlsx", Options(part=part, named=True)).table


def test_two_columns_that_tell_rows_apart_together_are_proposed_where_one_says_that_it_names_quantities() -> None:
    for one in (table(1), table(ALL_PARTS)):
        assert named_together(one) == ["statistic, population"]
        assert pairs_offered(one) == []
        assert proposed(one, ["a", "b"]) == "statistic, population"
        assert naming_column(one) == "statistic", "population is of what"
        columns = split(one, "statistic, population").columns
        assert [name for name in columns if name in NAMES] == NAMES
        assert [v for v in columns["Tajima's D South sd"] if v is not None] == [0.0994]


def test_errors_of_columns_that_stay_are_not_split() -> None:
    assert value_columns(table(ALL_PARTS), "statistic, population") == ["estimate", "s.e."]


def test_two_columns_are_only_offered_where_neither_says_that_it_names_quantities() -> None:
    rows = {"site": ("a", "a", "b", "b"), "species": ("fir", "oak", "fir", "oak")}
    counts = d.DataTable(columns={"count": (3.0, 4.0, 5.0, 6.0)}, texts=rows)
    assert named_together(counts) == ["site, species"]
    assert proposed(counts, ["u"]) == ""


def test_two_columns_name_nothing_together_where_one_does_so_alone_or_rows_come_again() -> None:
    values = {"value": (3.0, 4.0, 5.0, 6.0)}
    alone = d.DataTable(columns=values, texts={"name": ("a", "b", "c", "e"), "group": ("x", "x", "y", "y")})
    again = d.DataTable(columns=values, texts={"name": ("a", "a", "b", "b"), "group": ("x", "x", "y", "y")})
    units = d.DataTable(columns=values, texts={"name": ("a", "a", "b", "b"), "unit": ("mm", "kg", "mm", "kg")})
    assert [named_together(one) for one in (alone, again, units)] == [[], [], []]


def test_symbols_of_population_genetics_tell_their_columns() -> None:
    found = names_told(["F_ST", "D_XY"], NAMES)
    assert found == {"F_ST": "fixation index North-South", "D_XY": "divergence per kb North-South"}
