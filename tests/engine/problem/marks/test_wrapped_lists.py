"""One list of numbers that a program prints over several lines: marked by its heading or by a drag, and read in reading order."""

from __future__ import annotations

import random

import msgspec
import pytest

from bayescope.engine.problem.definition import LabelledNumber, Region
from bayescope.engine.problem.extract import ExtractionError, extract
from bayescope.engine.problem.marks import Mark, Offer
from bayescope.engine.problem.marks.each import each_number


def printed(values: list[float], width: int = 8, field: str = "10.5f") -> str:
    rows = [" ".join(f"{v:{field}}" for v in values[k : k + width]) for k in range(0, len(values), width)]
    return (
        "\n        POINT GROUP : C1\n\n            EIGENVALUES\n" + "\n".join(rows) + "\n\n NET CHARGES\n  1  C  0.25\n"
    )


def made(seed: int, n: int) -> list[float]:
    random.seed(seed)
    return sorted(round(random.uniform(-30, 6), 5) for _ in range(n))


HERE, THERE = made(1, 19), made(2, 19)  # no multiple of the widths
TEXT = printed(HERE)


def mark(text: str, first: str, last: str = "", other: str | None = None) -> Mark:
    start = text.index(first)
    end = text.index(last, start) + len(last) if last else start + 4
    return Mark(text, start if last else end, end, other=other)


def best(marked: Mark) -> Offer:
    scope = marked.first()
    assert scope is not None
    return marked.offers(scope)[0]


def shown(value: float) -> str:
    return f"{value:.5f}"


def test_a_heading_above_a_list_of_several_lines_means_the_list() -> None:
    offer = best(mark(TEXT, "EIGENVALUES", other=printed(THERE)))
    assert (offer.scope, offer.words) == ("list", "every number, row by row, below “EIGENVALUES”")
    assert [p.values for p in offer.proposals] == [tuple(HERE)]
    assert extract(offer.proposals[0].extractor, printed(THERE)).values == tuple(THERE)
    assert extract(offer.proposals[0].extractor, printed(made(3, 13), 5)).values == tuple(made(3, 13))


@pytest.mark.parametrize("width", [3, 5, 8])
@pytest.mark.parametrize("field", ["10.5f", ".5f", "25.16E"])
@pytest.mark.parametrize(("first", "last"), [(0, 10), (2, 18), (7, 16)])
def test_a_drag_over_several_lines_of_a_list_takes_its_numbers_in_reading_order(
    width: int, field: str, first: int, last: int
) -> None:
    text, there = printed(HERE, width, field), printed(THERE, width, field)
    offer = best(mark(text, f"{HERE[first]:{field}}".strip(), f"{HERE[last]:{field}}".strip(), there))
    if offer.scope in ("piece", "column"):  # straight down: a column is meant, or the list
        offer = mark(text, f"{HERE[first]:{field}}".strip(), f"{HERE[last]:{field}}".strip(), there).offers("list")[0]
    assert [p.values for p in offer.proposals] == [tuple(HERE[first : last + 1])]
    assert extract(offer.proposals[0].extractor, there).values == tuple(THERE[first : last + 1])
    assert offer.words.startswith(f"numbers {first + 1}–{last + 1}, row by row, below “EIGENVALUES”")


def test_a_list_of_one_full_line_and_a_shorter_one_is_a_list() -> None:
    text = printed(HERE[:11])
    assert best(mark(text, "EIGENVALUES")).proposals[0].values == tuple(HERE[:11])
    assert best(mark(text, shown(HERE[1]), shown(HERE[9]))).proposals[0].values == tuple(HERE[1:10])


def test_below_headings_of_columns_there_is_a_table_whose_last_cells_are_missing() -> None:
    text = "results\n\n  energy   force   stress\n   1.50    2.50     3.50\n   4.50    5.50     6.50\n   7.50    8.50\n"
    marked = mark(text, "energy")
    assert marked.first() != "list"
    assert mark(text, "1.50", "5.50").first() == "block"


@pytest.mark.parametrize(
    "rows",
    [
        ["1  0.50  0.25", "2  0.75  0.50", "3  0.25"],  # numbered rows
        ["0.50  0.25  1.5", "0.75  0.50  2.5", "0.25  0.75  3.5"],  # nothing is shorter
        ["0.50", "0.75  0.50", "0.25  0.75  3.5"],  # a triangle
        ["0.50  0.25  1.5", "0.75  0.50", "0.25  0.75  3.5"],
    ],
)
def test_other_rows_of_numbers_are_no_such_list(rows: list[str]) -> None:
    text = "matrix\n\n" + "\n".join(rows) + "\n"
    selection = mark(text, rows[0], rows[1]).selection
    assert selection.listed == ()


def test_a_list_that_became_too_short_says_so() -> None:
    offer = best(mark(TEXT, shown(HERE[0]), shown(HERE[10])))
    with pytest.raises(ExtractionError, match=r"numbers 1 to 11 of the list below .* are asked for, but it has 9"):
        extract(offer.proposals[0].extractor, printed(THERE[:9]))


def test_the_numbers_of_a_list_are_kept_in_a_file() -> None:
    region = Region(anchor="EIGENVALUES", first_number=3, number_count=4)
    assert msgspec.json.decode(msgspec.json.encode(region), type=Region) == region
    assert extract(region, TEXT).values == tuple(HERE[2:6])
    assert extract(msgspec.structs.replace(region, number_count=None), TEXT).values == tuple(HERE[2:])


OCTAVE = (
    "well =\n\n"
    + "".join(f"   {k}.5   {k}.25\n" for k in range(25))
    + (
        "\ns2 =\n\n Columns 1 through 3:\n\n   7.36e-04   2.05e-02   7.90e-02\n\n Columns 4 and 5:\n\n   1.62e-01   6.48e-02\n\n"
        "---- summary ----\nmax_drawdown =\n\n   1.9319   1.1465\n\nrecovery_ratio = 0.9663\nlowest: 1.932 m after 2880 minutes\n"
    )
)  # the first twenty lines alone would be a table with a heading


@pytest.mark.parametrize("first", ["s2", "s2 =", "   7.36e-04", "7.36e-04", " Columns 1 through 3:"])
def test_a_row_vector_below_a_long_matrix_is_a_list_however_it_is_dragged_over(first: str) -> None:
    values = (7.36e-4, 2.05e-2, 7.9e-2, 0.162, 0.0648)
    marked = mark(OCTAVE, first, "6.48e-02")
    assert [p.values for p in marked.offers("list")[0].proposals] == [values]
    assert each_number(marked, []) is not None


@pytest.mark.parametrize("number", ["0.9663", "1.932 "])
def test_a_number_behind_tables_of_other_widths_is_read_by_what_stands_before_it(number: str) -> None:
    proposal = best(mark(OCTAVE, number, number.strip())).proposals[0]
    assert isinstance(proposal.extractor, LabelledNumber)
    assert proposal.values == (float(number),)
