"""Further rows of a table by what stands first in them."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.marks.labels.label_names import distinct_names
from bayescope.gui.models.simulator.outputs.rows_by_key import keyed_rows
from bayescope.gui.models.simulator.texts.run_texts import RunTexts

ROWS = [(node, 0.1 * node, -0.01 * node) for node in (*range(1, 9), 929, 1393)]
NODES = "\n".join(["displacements", "", "Node   U(1)   U(2)", "", *(f"{n:6d} {a:+.4E} {b:+.4E}" for n, a, b in ROWS)]) + "\n"
LAYERS = "layer,E,h\n" + "".join(f"L{i},{i}.5,{10 * i}\n" for i in range(8))


def spans(text: str, cell: str, typed: str) -> tuple[list[str], list[str]] | None:
    at = text.index(cell)
    texts = RunTexts()
    texts.take({"out": text}, {}, ())
    found = keyed_rows(text, (at, at + len(cell)), texts.mark("out", at + 1, at + 1).table)
    if found is None:
        return None
    places, missing = found.named(typed)
    return [text[a:b] for a, b in places], missing


@pytest.mark.parametrize("typed", ["929, 1393, 4", "929 1393 4", "929; 1393;4.0"])
def test_numbers_of_the_column_are_found_by_the_nodes_that_are_typed(typed: str) -> None:
    assert spans(NODES, "-1.0000E-02", typed) == (["-9.2900E+00", "-1.3930E+01", "-4.0000E-02"], [])


def test_rows_that_there_are_not_are_named() -> None:
    assert spans(NODES, "-1.0000E-02", "5 77") == (["-5.0000E-02"], ["77"])


def test_rows_may_begin_with_words() -> None:
    assert spans(LAYERS, "0.5", "l3, L7") == (["3.5", "7.5"], [])


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        (NODES, "929 "),  # first of its row
        ("a b\n" + "".join(f"1 {i}.5\n" for i in range(9)), "3.5"),  # all rows begin alike
        ("a b\n1 1.5\n2 2.5\n", "1.5"),  # a small table
    ],
)
def test_nothing_is_asked_where_rows_cannot_be_told_or_all_are_in_sight(text: str, cell: str) -> None:
    assert spans(text, cell, "1") is None


def test_numbers_of_rows_do_not_change_the_letters_of_names() -> None:
    assert distinct_names(["U(2) 929", "U(2) 1393"]) == ["U_2_929", "U_2_1393"]
