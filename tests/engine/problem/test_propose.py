"""Marking a number with the mouse proposes extractors that read exactly that number."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.problem.definition import (
    CsvColumn,
    JsonPath,
    LabelledNumber,
    LastNumber,
    MarkerOffset,
    RowsAfter,
    TableBlock,
)
from bayescope.engine.problem.extract import extract
from bayescope.engine.problem.numbers.numbers_in_text import line_bounds, number_at, numbers, parse_number
from bayescope.engine.problem.propose import propose

LOG = """solver v2.1 starting
step 1  residual 4.0e-01
step 2  residual 3.5e-03
converged: chi2 = 12.75 (dof 8)
log-likelihood: -1.25D+02
"""

TABLE = """# time x
run 7
  time   prey   pred
  0.0    30.1   4.0
  1.0    47.2   6.1
  2.0    70.2   9.8
end of table
"""


def mark(text: str, what: str, nth: int = 0) -> tuple[int, int]:
    start = -1
    for _ in range(nth + 1):
        start = text.index(what, start + 1)
    return start, start + len(what)


def test_a_labelled_number_is_proposed_by_its_label() -> None:
    best = propose(LOG, *mark(LOG, "12.75"))[0]
    assert best.extractor == LabelledNumber(label="converged: chi2")
    assert best.values == (12.75,)
    assert "converged: chi2" in best.words


def test_digits_inside_a_word_are_no_number() -> None:
    assert number_at(LOG, *mark(LOG, "chi2")) is None
    assert [n.value for n in numbers("x2 a_3 7")] == [7.0]


def test_a_click_inside_a_number_takes_the_whole_number() -> None:
    start, _ = mark(LOG, "12.75")
    number = number_at(LOG, start + 2, start + 2)
    assert number is not None
    assert number.value == 12.75


def test_fortran_exponents_are_read() -> None:
    best = propose(LOG, *mark(LOG, "-1.25D+02"))
    assert best[0].values == (-125.0,)
    assert LastNumber() in [p.extractor for p in best]


def test_a_label_that_comes_again_is_taken_at_its_last_appearance_first() -> None:
    found = propose(LOG, *mark(LOG, "3.5e-03"))
    labelled = [p.extractor for p in found if isinstance(p.extractor, LabelledNumber)]
    assert labelled == [LabelledNumber(label="residual", occurrence=-1), LabelledNumber(label="residual", occurrence=2)]


def test_one_cell_of_a_table_proposes_its_column_below_the_heading() -> None:
    found = propose(TABLE, *mark(TABLE, "47.2"))
    block = next(p for p in found if isinstance(p.extractor, TableBlock))
    assert block.values == (30.1, 47.2, 70.2)
    assert isinstance(block.extractor, TableBlock)
    assert block.extractor.columns == (2,)
    marker = next(p.extractor for p in found if isinstance(p.extractor, MarkerOffset))
    assert marker == MarkerOffset(marker="time   prey   pred", lines=2, column=2)


def test_marking_several_rows_proposes_whole_columns_and_leaves_the_axis_for_later() -> None:
    start, end = mark(TABLE, "0.0")[0], mark(TABLE, "9.8")[1]
    found = propose(TABLE, start, end)
    assert found[0].values == (30.1, 47.2, 70.2)
    assert found[-1].values == (0.0, 1.0, 2.0)
    assert all(p.is_vector for p in found)


def test_a_csv_cell_is_proposed_by_its_column_name() -> None:
    text = "t,prey,pred\n0,1.5,2\n1,2.5,4\n"
    found = propose(text, *mark(text, "2.5"), source="out.csv")
    assert found[0].extractor == CsvColumn(column="prey", delimiter=",", header=True)
    assert found[0].values == (1.5, 2.5)
    assert found[1].extractor == CsvColumn(column="prey", row=1, delimiter=",", header=True)
    assert found[1].values == (2.5,)


def test_a_json_number_is_proposed_by_its_keys_and_a_list_as_a_whole() -> None:
    text = json.dumps({"fit": {"chi2": 8.5, "steps": [1, 2.5, 3]}}, indent=1)
    assert propose(text, *mark(text, "8.5"))[0].extractor == JsonPath(path="fit.chi2")
    found = propose(text, *mark(text, "2.5"))
    assert [p.extractor for p in found] == [JsonPath(path="fit.steps.1"), JsonPath(path="fit.steps")]
    assert found[1].values == (1.0, 2.5, 3.0)


def test_a_row_that_comes_again_is_proposed_for_every_heading() -> None:
    text = "Station A\n 1.0 2.0\nStation B\n 3.0 4.0\n"
    found = propose(text, *mark(text, "2.0"))
    again = next((p for p in found if isinstance(p.extractor, RowsAfter)), None)
    assert again is None  # the headings differ
    text = "Station\n 1.0 2.0\nStation\n 3.0 4.0\n"
    again = next(p for p in propose(text, *mark(text, "2.0")) if isinstance(p.extractor, RowsAfter))
    assert again.values == (2.0, 4.0)


def test_a_decimal_comma_is_noticed() -> None:
    text = "Druck: 12,5 bar\n"
    best = propose(text, *mark(text, "12,5"))[0]
    assert best.values == (12.5,)
    assert best.decimal_comma


@pytest.mark.parametrize("text", ["", "no numbers here", "\x00\x01binary\xff", "{" * 5000, "[" * 200_000])
def test_text_without_a_number_proposes_nothing(text: str) -> None:
    assert propose(text, 0, len(text)) == []


@settings(max_examples=30, deadline=None)
@given(st.text(alphabet="ab1.-+e,:= \n\t{}[]\"", max_size=120), st.integers(0, 130), st.integers(0, 130))
def test_every_proposal_shows_numbers_that_stand_in_the_text(text: str, a: int, b: int) -> None:
    for proposal in propose(text, a, b):
        assert proposal.words
        for value, (start, end) in zip(proposal.values, proposal.spans, strict=True):
            shown = text[start:end].strip().strip('"')
            shown = shown.replace(",", ".") if proposal.decimal_comma else shown
            assert parse_number(shown) == pytest.approx(value, nan_ok=True)


def test_a_white_space_table_with_a_heading_is_proposed_by_its_column_name() -> None:
    text = "time left right\n0.1 1.5 2\n0.2 2.5 4\n0.3 3.5 6\n"
    found = propose(text, *mark(text, "2.5"), source="readings.txt")
    assert found[0].extractor == CsvColumn(column="left", delimiter=" ", header=True)
    assert found[0].values == (1.5, 2.5, 3.5)


CSV = "time,conc [mmol/L]\n0,1.5\n1,2.5\n2,3.5\n"


@pytest.mark.parametrize("comments", ["# run 1\n", "% made 2024-05-01, by hand, at 20 C\n\n# run 1\n", "  # a,b,c\n"])
@pytest.mark.parametrize("source", ["stdout", "conc.csv"])
def test_a_table_with_comments_above_and_between_is_proposed_as_without_them(comments: str, source: str) -> None:
    text = comments + CSV.replace("1,2.5", "# half time: 7\n1,2.5")
    found = propose(text, *mark(text, "2.5"), source=source)
    assert [p.words for p in found] == [p.words for p in propose(CSV, *mark(CSV, "2.5"), source=source)]
    assert found[0].extractor == CsvColumn(column="conc [mmol/L]", delimiter=",", header=True)
    assert found[0].values == (1.5, 2.5, 3.5)
    whole = propose(text, 0, len(text), source)  # the mark begins in a comment
    assert whole[0].values == (0.0, 1.0, 2.0)


def test_a_white_space_table_with_a_comment_above_is_proposed_by_its_column_name() -> None:
    text = "# run 1\ntime left\n0.1 1.5\n0.2 2.5\n0.3 3.5\n"
    assert propose(text, *mark(text, "2.5"))[0].extractor == CsvColumn(column="left", delimiter=" ", header=True)


ROWS = [f"{k / 2:.1f} {k * k}.25" for k in range(13)]
COLUMN = tuple(k * k + 0.25 for k in range(13))


@pytest.mark.parametrize("above", ["", "solver v2\n time  level\n"])
@pytest.mark.parametrize("between", ["! --- half time ---", "# half", "half time", "", "---\n\nsecond half:"])
@pytest.mark.parametrize("below", ["", "END\n", "\nTotal: 12.5 kg\n"])
def test_marked_rows_on_both_sides_of_a_line_of_text_are_all_read(above: str, between: str, below: str) -> None:
    text = above + "\n".join([*ROWS[:7], between, *ROWS[7:]]) + "\n" + below
    best = propose(text, mark(text, ROWS[0])[0], mark(text, ROWS[-1])[1])[0]
    assert best.values == COLUMN
    assert "13 numbers" in best.words
    assert extract(best.extractor, text).values == COLUMN
    if between == "! --- half time ---":  # one number marked: this side of the line, or all
        clicked = [p for p in propose(text, *mark(text, "4.25")) if isinstance(p.extractor, TableBlock)]
        assert [p.values for p in clicked] == [COLUMN[:7], COLUMN]
        assert "beyond the next line of text are not" in clicked[0].words
        assert "whole" not in clicked[0].words


def test_marked_rows_that_cannot_be_read_are_counted_in_the_words() -> None:
    text = " t level\n" + "\n".join([*ROWS[:7], "half 3.5 kg", *ROWS[7:]]) + "\n\n1 2\n3 4\n5 6\n"
    found = propose(text, mark(text, ROWS[0])[0], mark(text, ROWS[-1])[1])
    assert found
    assert all(len(p.values) == 7 and "6 of the 13 marked rows are not among them" in p.words for p in found)


def test_a_block_stored_before_still_ends_at_the_first_line_of_text() -> None:
    text = "\n".join([*ROWS[:7], "half time", *ROWS[7:]])
    assert extract(TableBlock(columns=(2,)), text).values == COLUMN[:7]
    assert extract(TableBlock(columns=(2,), to_end=True), text).values == COLUMN


block_lines = st.sampled_from(
    ["1 2.5", "2 3.5", "3 5", "4 5.5", "7", "1 2 3", "# c", "half", "half 2", "", "x,y", "END 3", "! 1 2"]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(block_lines, max_size=16), st.data())
def test_the_whole_of_a_marked_table_is_read_or_the_words_say_what_is_not(lines: list[str], data: st.DataObject) -> None:
    text = "\n".join(lines)
    a, b = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    marked = [n for n in numbers(text, a, b) if all(parse_number(w) is not None for w in line_of(text, n.start).split())]
    for p in propose(text, a, b):
        if isinstance(p.extractor, TableBlock) and p.is_vector:
            read_lines = {text.count("\n", 0, start) for start, _ in p.spans}
            missed = {text.count("\n", 0, n.start) for n in marked} - read_lines
            assert not missed or "marked row" in p.words


def line_of(text: str, position: int) -> str:
    start, end = line_bounds(text, position)
    return text[start:end]
