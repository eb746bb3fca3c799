"""A click on a number in a text that is nothing but rows of numbers: its column is meant, since no heading can be clicked."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.marks import Mark

RECORDER = "".join(f"{i} {468.5 * i % 97:.3f}\n" for i in range(1, 13))


def first(text: str, what: str) -> str | None:
    at = text.index(what)
    return Mark(text, at, at, "out/top.out").first()


@pytest.mark.parametrize("text", [
    RECORDER,
    "".join(f"{4.5 * i % 3:.3f}\n" for i in range(12)),  # one column
    "1,0.5,2.5\n2,1.5,3.5\n3,2.5,4.5\n",
    "9.0\t1e-3\n8.0\t-2e-3\n7.5\tnan\n\n",  # that falls
])  # fmt: skip
def test_in_rows_of_numbers_alone_a_number_stands_for_its_column(text: str) -> None:
    line = text.splitlines()[1]
    assert first(text, line.replace(",", " ").split()[-1]) == "column"


@pytest.mark.parametrize("text", [
    f"time force\n{RECORDER}",  # its headings can be clicked
    f"step 3 done\n{RECORDER}",
    "1 2.5\n2 3.5\n",  # a few results
    "".join(" ".join(f"{(i * 7 + j * 3) % 11}.25" for j in range(6)) + "\n" for i in range(9)),  # a list over several lines
])  # fmt: skip
def test_elsewhere_it_stands_for_itself(text: str) -> None:
    line = text.splitlines()[-1]
    assert first(text, line.split()[-1]) == "number"


def test_the_column_is_all_rows_and_the_number_is_one_click_away() -> None:
    at = RECORDER.index("\n3 ") + 3
    mark = Mark(RECORDER, at, at, "out/top.out")
    assert len(mark.offers("column")[0].proposals[0].values) == 12
    assert mark.scopes[:2] == ["column", "number"]


def test_lines_of_dashes_hold_no_column_however_far_a_drag_over_them_goes() -> None:
    text = "\n".join(["E N E R G Y", "Step  a  b", "J-1 1.5 **** 3", "| a | 1.5 | 2.5 |", "-", "-"])
    for start in range(0, len(text), 7):
        for end in range(start, len(text) + 1):
            Mark(text, start, end, "stdout")


def test_a_drag_over_some_rows_of_all_columns_means_the_table() -> None:
    rows = "".join(f"{i} {0.5 * i:.2f} {468.5 * i % 97:.3f} 7.5\n" for i in range(1, 13))
    mark = Mark(rows, 0, len("".join(rows.splitlines(keepends=True)[:4])) - 1, "output.dat")
    assert mark.first() == "table"
    assert [len(p.values) for p in mark.offers("table")[0].proposals] == [12] * 4
    assert "block" in mark.scopes
    beside = Mark(f"time a b c\n{rows}", 11, 11 + rows.index("\n4 "), "output.dat")
    assert beside.first() == "block", "its headings can be clicked"
