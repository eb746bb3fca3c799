"""A drag over labels proposes the table that they belong to; over words alone, a sentence says what to do."""

from __future__ import annotations

from typing import Any

import pytest
from marked_texts import click, drag, ran, shown_spans

from bayescope.engine.problem.marks.mark import Mark
from bayescope.gui.pages.simulator.page import SimulatorPage
from bayescope.gui.widgets.marking_words import why_nothing

PROBES = "RESULTS\n\n probe     x[m]   T[degC]\n  P1   0.180   33.7\n  P2   0.040   32.0\n  P3   0.040   23.0\n\nend of run\n"
GRADES = "grade of each beam\n A  good\n B  bad\n C  good\n"


def dragged(text: str, first: str, last: str) -> tuple[Mark, str]:
    start = text.index(first)
    end = text.index(last, start) + len(last)
    mark = Mark(text, start, end)
    return mark, why_nothing(mark, text, start, end)


@pytest.mark.parametrize("last", ["P2", "P3"])
def test_a_drag_over_the_labels_of_rows_proposes_their_table_and_their_labels(last: str) -> None:
    mark, _ = dragged(PROBES, "P1", last)
    assert mark.offers("table")[0].names == ("x[m]", "T[degC]")
    assert "labels" in mark.scopes


@pytest.mark.parametrize(
    ("text", "first", "last", "where"),
    [
        (PROBES, "end", "run", "line 6"),
        (GRADES, "A", "C", ""),
        ("log\nmesh read\nconverged\n  3.5\n", "mesh", "converged", "line 4"),
    ],
)
def test_a_drag_over_words_alone_says_what_to_mark_instead_and_where_it_is(text: str, first: str, last: str, where: str) -> None:
    mark, said = dragged(text, first, last)
    assert not mark.scopes or not any(mark.offers(scope) for scope in mark.scopes)
    assert said.startswith("There is no number in what you marked")
    assert ("the nearest stands in " + where in said) is bool(where)
    assert "Mark numbers beside or below these words, or the heading above them." in said


def test_a_column_with_a_cell_that_is_no_number_says_where_and_what_to_do(page: SimulatorPage, engines: list[Any]) -> None:
    page.panel.run()
    ran(engines, 1.0, "Wells\n\n  well   head    flow\n  W1     10.25   ----\n  W2     11.50   2.75\n  W3     12.75   3.25\n")
    picker: Any = page.outputs.picker
    click(picker, "flow")
    said = picker.hints.hint.text()
    assert "“----” stands where the number should be. Drag over the rows above or below it" in said
    drag(picker, "2.75", "3.25")
    assert shown_spans(picker) == ["2.75", "3.25"]
