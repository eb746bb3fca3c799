"""A click on the heading of a column offers that column, wherever it stands above its numbers."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.marks import Mark

DATED = "time,kind,temp,flow\n2024-01-01 10:00,a,1.5,2.5\n2024-01-02 10:00,b,1.6,2.6\n2024-01-03 10:00,c,1.7,-999.99\n"
TABBED = DATED.replace(",", "\t")
SPACED = "kind temp flow\nalpha 1.5 2.5\nbe 1.6 2.6\ngamma 1.7 -999.99\n"
COLUMNS = {"temp": (1.5, 1.6, 1.7), "flow": (2.5, 2.6, -999.99)}


@pytest.mark.parametrize("text", [DATED, TABBED, SPACED], ids=["commas", "tabs", "spaces"])
@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("drag", [0, 4], ids=["click", "drag"])
def test_the_column_whose_heading_is_marked_is_offered(text: str, name: str, drag: int) -> None:
    at = text.index(name)
    mark = Mark(text, at + (0 if drag else 2), at + (drag or 2), "out.csv")
    assert mark.scopes == ["table", "column", "list"]
    offer = mark.offers("column")[0]
    assert [p.values for p in offer.proposals] == [COLUMNS[name]]
    assert offer.names == (name,)


def test_a_heading_above_texts_offers_no_column_of_other_numbers() -> None:
    assert Mark(DATED, DATED.index("kind") + 1, DATED.index("kind") + 1, "out.csv").scopes == ["table", "list"]


def test_a_drag_over_two_headings_offers_both_columns() -> None:
    at = DATED.index("temp")
    mark = Mark(DATED, at, at + len("temp,flow"), "out.csv")
    assert [p.values for p in mark.offers(mark.scopes[0])[0].proposals] == list(COLUMNS.values())
