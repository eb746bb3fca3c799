"""Several numbers of one table become outputs together, each with those in its place in all tables of that heading."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bayescope.engine.problem import definition as d
from hands import Hands

pytestmark = pytest.mark.window
SCRIPT = """
for case, shift in ((1, 0.0), (2, 5.0)):
    print(f"DISPLACEMENTS   LOAD CASE {case}\\n\\n  NODE      UX      UY")
    for node in range(1, 5):
        print(f"{node:>6}{node + 0.125 + shift:>8.3f}{-node - 0.25 - shift:>8.3f}")
    print()
"""


@pytest.fixture
def hands(tmp_path: Path, hands_on: Callable[[int, int], Hands]) -> Hands:
    (tmp_path / "frame.py").write_text(SCRIPT)
    h = hands_on(1280, 800)
    h.click("New analysis")
    h.type(f"{sys.executable} {tmp_path / 'frame.py'}")
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.actions.clear()
    return h


def outputs_of(hands: Hands) -> tuple[d.Output, ...]:
    window: Any = hands.window
    found: tuple[d.Output, ...] = window.controller.problem.declared.outputs
    return found


def read(hands: Hands) -> dict[str, list[str]]:
    view, column = hands.table("Reads", 0)
    model = view.model()
    return {model.index(row, 0).data(): model.index(row, column).data() for row in range(model.rowCount())}


def test_numbers_of_two_columns_are_read_in_both_tables_under_names_typed_at_once(hands: Hands) -> None:
    hands.mark("2.125")
    hands.mark("3.125", more=True)
    hands.mark("-4.250", more=True)
    hands.choose("this table", "all these tables")
    hands.type("D1, D2,D4")
    assert [o.name for o in outputs_of(hands)] == ["D1", "D2", "D4"]
    assert read(hands) == {
        "D1": "2 numbers: 2.125, 7.125", "D2": "2 numbers: 3.125, 8.125", "D4": "2 numbers: −4.25, −9.25",
    }  # fmt: skip
    assert not hands.reads("D4 is a list of numbers"), "so are the others"
    assert len(hands.actions) == 5


def test_what_was_chosen_for_the_first_number_is_so_for_those_marked_beside_it(hands: Hands) -> None:
    hands.mark("2.125")
    hands.choose("this table", "all these tables")
    hands.mark("3.125", more=True)
    assert hands.sees("all these tables")
    hands.choose("all these tables", "this table")
    hands.click("Add 2 outputs")
    assert list(read(hands).values()) == ["2.125", "3.125"]


def test_fewer_or_more_names_than_numbers_are_refused(hands: Hands) -> None:
    hands.mark("2.125")
    hands.mark("3.125", more=True)
    hands.type("a, b, c")
    assert outputs_of(hands) == ()
    assert hands.reads("2 names are needed, with commas between; there are 3")
    hands.key("Ctrl+A")
    hands.type("a, b")
    assert [o.name for o in outputs_of(hands)] == ["a", "b"]
