"""Rows, search, numbers and differences of long texts, against what Python itself says of the whole text."""

from __future__ import annotations

from difflib import SequenceMatcher
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.problem.numbers.numbers_in_text import Number, numbers
from bayescope.gui.models.simulator.numbers import next_number as stepping
from bayescope.gui.models.simulator.texts.text_changes import THOROUGH, changes
from bayescope.gui.models.simulator.texts.text_rows import Rows, from_utf16, unified, utf16_length
from bayescope.gui.models.simulator.texts.text_search import Search

texts = st.text(st.sampled_from("ab\n\r\tä𝛼0. "), max_size=80)
lines = st.lists(st.sampled_from(["a", "b", "c 1", "", "d"]), max_size=14)


def indexed(text: str, longest: int | None, part: int) -> Rows:
    rows = Rows(text, longest)
    while not rows.grow(part):
        pass
    return rows


@settings(max_examples=60, deadline=None)
@given(texts, st.integers(1, 30), st.integers(1, 20))
def test_rows_are_the_lines_in_pieces_however_the_text_is_cut_for_indexing(text: str, part: int, longest: int) -> None:
    text = unified(text)
    rows, wanted, begins = indexed(text, longest, part), [], []
    for line in text.split("\n"):
        pieces = [line[k : k + longest] for k in range(0, len(line), longest)] or [""]
        begins += [True] + [False] * (len(pieces) - 1)
        wanted += pieces
    assert [text[a:b] for a, b in map(rows.span, range(len(rows)))] == wanted
    assert [rows.starts_a_line(k) for k in range(len(rows))] == begins
    assert rows.n_lines == text.count("\n") + 1
    for position in range(len(text) + 1):
        assert rows.line_of(position) == text.count("\n", 0, position)
        start, end = rows.span(rows.row_of(position))
        assert start <= position <= end
    assert [rows.line_of_row(k) for k in range(len(rows))] == [
        text.count("\n", 0, rows.span(k)[0]) for k in range(len(rows))
    ]


@settings(max_examples=50, deadline=None)
@given(texts)
def test_lines_are_those_of_splitlines_whatever_the_line_ends(text: str) -> None:
    rows = indexed(unified(text), None, 7)
    found = [rows.text[a:b] for a, b in map(rows.span, range(len(rows)))]
    last = [""] if not text or text[-1] in "\r\n" else []  # a last line end begins one more, empty row
    assert found == text.splitlines() + last


@settings(max_examples=50, deadline=None)
@given(texts, st.integers(1, 12))
def test_known_rows_never_change_while_the_index_grows(text: str, part: int) -> None:
    rows, before = Rows(unified(text), 5), []
    done = rows.complete
    while not done:
        done = rows.grow(part)
        now = [rows.span(k) for k in range(len(rows))]
        assert now[: len(before)] == before
        before = now


@given(st.text(max_size=30))
def test_positions_are_converted_to_utf16_and_back(text: str) -> None:
    for k in range(len(text) + 1):
        assert from_utf16(text, utf16_length(text[:k])) == k


@settings(max_examples=60, deadline=None)
@given(texts, st.text(st.sampled_from("abä𝛼0\n"), min_size=1, max_size=3), st.integers(1, 9))
def test_as_many_places_are_found_as_str_count_says(text: str, wanted: str, part: int) -> None:
    search = Search(text, wanted, match_case=True)
    while not search.grow(part):
        pass
    assert len(search.starts) == text.count(wanted)
    assert all(text.startswith(wanted, a) for a in search.starts)
    assert search.within(0, len(text)) == [(a, a + len(wanted)) for a in search.starts]


@settings(max_examples=50, deadline=None)
@given(
    st.text(st.sampled_from("aAbB ä"), max_size=60),
    st.text(st.sampled_from("aAb"), min_size=1, max_size=3),
    st.integers(1, 9),
)
def test_upper_and_lower_case_are_the_same_unless_asked_for(text: str, wanted: str, part: int) -> None:
    search = Search(text, wanted)
    while not search.grow(part):
        pass
    assert len(search.starts) == text.lower().count(wanted.lower())


pieces = st.lists(
    st.sampled_from(["1", "2.5", "-3e-4", "x", "chi2", ",", " ", "\n", "1,5", "1.0D+02", "3rd", "ä"]), max_size=40
)


def stepped(text: str) -> tuple[list[Number], list[Number]]:
    """All numbers, found from the beginning and from the end."""
    found, back, at = [], [], 0
    while (number := stepping.next_number(text, at)) is not None:
        found.append(number)
        at = number.end
    at = len(text)
    while (number := stepping.previous_number(text, at)) is not None:
        back.append(number)
        at = number.start
    return found, back[::-1]


@settings(max_examples=60, deadline=None)
@given(pieces, st.integers(1, 12))
def test_stepping_meets_every_number_of_the_text_in_either_direction(parts: list[str], part: int) -> None:
    text = "".join(parts)
    with patch.object(stepping, "PART", part):
        found, back = stepped(text)
    assert found == back == list(numbers(text))


@given(st.lists(st.sampled_from(["1", "2.5", "-3e-4", "nan"]), min_size=1, max_size=30))
def test_numbers_in_a_line_without_any_space_are_met_too(values: list[str]) -> None:
    text = ",".join(values)
    with patch.object(stepping, "PART", 5), patch.object(stepping, "LONGEST_WORD", 12):
        found, back = stepped(text)
    assert [text[n.start : n.end] for n in found] == [text[n.start : n.end] for n in back] == values


def count_of_difflib(a: list[str], b: list[str]) -> int:
    codes = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    return sum(max(j - i, m - k) for tag, i, j, k, m in codes if tag != "equal")


@settings(max_examples=60, deadline=None)
@given(lines, lines)
def test_as_many_lines_differ_as_difflib_says(a: list[str], b: list[str]) -> None:
    found = changes("\n".join(a), "\n".join(b))
    assert found.count == count_of_difflib("\n".join(a).split("\n"), "\n".join(b).split("\n"))
    assert (found.count == 0) == ("\n".join(a) == "\n".join(b))


@settings(max_examples=60, deadline=None)
@given(lines, lines)
def test_lines_that_are_the_same_stand_beside_each_other(a: list[str], b: list[str]) -> None:
    original, text = "\n".join(a).split("\n"), "\n".join(b).split("\n")
    found = changes("\n".join(a), "\n".join(b))
    touched = set(found.lines()) if found.count else set()
    for k, line in enumerate(text):
        if k not in touched:
            beside = found.in_original(k)
            assert original[beside] == line
            assert found.in_text(beside) == k


def test_in_a_long_text_too_the_changed_lines_are_told() -> None:
    original = [f"{i}, {i * 0.5}" for i in range(3 * THOROUGH)]
    text = original[:]
    text[7], text[5000] = "7, @k@", "@rate@"
    assert changes("\n".join(original), "\n".join(text)).lines() == [7, 5000]
    text.insert(900, "a new line")
    found = changes("\n".join(original), "\n".join(text))
    assert found.lines() == [7, 900, 5001]
    assert found.count == count_of_difflib(original, text)
    assert found.in_original(5001) == 5000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\nb", "Same as the original"),
        ("a\nc", "1 line differs from the original"),
        ("c\nd", "2 lines differ from the original"),
    ],
)
def test_the_difference_is_said_in_words(text: str, words: str) -> None:
    assert changes("a\nb", text).words() == words
