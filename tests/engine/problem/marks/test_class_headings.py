"""Classes such as 0-4 and 65+ head columns; a title over several columns means the table, a program's banner names no column."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.marks import Mark
from bayescope.engine.problem.marks.tables.equal_tables import equal_tables

WEEKS = """2  NOTIFIED CASES BY WEEK AND AGE
   Week of           0-4      18-64        65+        all
   2023-10-09      1.082      0.474      0.211      2.045
   2023-10-16      2.440      0.974      0.399      4.449
   2023-10-23      4.211      1.564      0.601      7.493
"""
CURVE = """# reflect.py / refnx   Si | oxide | brush | {0}
# SLD of the liquid 6.36   scale 1.0
#   Q (1/A)            R
    0.007000    9.999594e-01
    0.007067    9.999594e-01
    0.007135    9.999594e-01
"""


@pytest.mark.parametrize(("clicked", "meant"), [("NOTIFIED", "table"), ("AGE", "table"), ("0-4", "column")])
def test_classes_head_the_columns_of_a_table_whose_title_or_heading_is_clicked(clicked: str, meant: str) -> None:
    at = WEEKS.index(clicked) + 1
    mark = Mark(WEEKS, at, at)
    offer = mark.offers("table")[0]
    assert offer.names == ("date", "0-4", "18-64", "65+", "all"), "the dates, whose heading has two words, pair the rows"
    assert mark.scopes[0] == meant


def test_the_heading_of_the_dates_means_the_dates() -> None:
    at = WEEKS.index("Week of") + 2
    assert Mark(WEEKS, at, at).scopes[0] == "labels"


def test_a_banner_far_above_is_no_part_of_a_name_and_files_are_told_apart_by_words() -> None:
    text, other = CURVE.format("D2O"), CURVE.format("H2O")
    at = text.index("   R\n") + 3
    mark = Mark(text, at, at, "brush_D2O.dat")
    offer = mark.offers("table")[0]
    assert offer.names == ("Q (1/A)", "R")
    found = equal_tables(mark, offer, {"brush_D2O.dat": text, "brush_H2O.dat": other}, {})
    assert [(table.source, table.behind) for table in found] == [("brush_D2O.dat", "D2O"), ("brush_H2O.dat", "H2O")]
