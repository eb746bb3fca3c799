"""Extractors on arbitrary text: an answer or an ExtractionError, never anything else."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.problem.definition import (
    CsvColumn,
    JsonPath,
    LabelledNumber,
    LastNumber,
    MarkerOffset,
    RegexGroup,
    RowsAfter,
    TableBlock,
)
from bayescope.engine.problem.extract import ExtractionError, decode, extract
from bayescope.engine.problem.extract.numbers import parse_word, scan
from bayescope.engine.problem.propose import propose

pieces = st.sampled_from(
    ["1.5", "-2", "1.0D+03", "1.0+103", "****", "NaN", "-inf", "1,5", "x", "x=", "E:", ",", ";", "\t", " ", "\n", "\r\n", '"',
     "{", '{"x": [1, 2]}', "[", "]", "#", "0x1", "1e999", "1.2-3.4", "\0", "é", "١", "-", "."]
)  # fmt: skip
texts = st.one_of(st.text(max_size=80), st.lists(pieces, max_size=25).map("".join))
words = st.text(max_size=6) | st.sampled_from(["x", "E:", "x=", "1"])
places = st.integers(-3, 4)
extractors = st.one_of(
    st.builds(LastNumber),
    st.builds(LabelledNumber, label=words, occurrence=places),
    st.builds(
        RegexGroup, pattern=words | st.sampled_from([r"x=(\S+)", r"(\d+)", "(", "(a)|(b)"]), group=places, occurrence=places
    ),
    st.builds(
        CsvColumn, column=words | places, row=st.none() | places, delimiter=st.sampled_from([None, " ", ",", ";", "\t"]),
        header=st.sampled_from([None, True, False]), axis=st.sampled_from(["row", "column"]),
    ),
    st.builds(JsonPath, path=st.sampled_from(["", "x", "x.0", "x.1.y", ".", "0"])),
    st.builds(MarkerOffset, marker=words, lines=places, column=places, occurrence=places),
    st.builds(
        TableBlock, columns=st.lists(places, max_size=3).map(tuple), start=st.none() | words, end=st.none() | words, skip=places,
        rows=st.none() | st.lists(places, max_size=2).map(tuple), key_column=st.none() | places,
        key_values=st.none() | st.sampled_from([(1.5,), ()]), to_end=st.booleans(),
    ),
    st.builds(RowsAfter, marker=words, column=places, lines=places, count=st.none() | places),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(extractors, texts, st.booleans())
def test_an_extractor_answers_or_says_why_not(extractor, text: str, comma: bool) -> None:  # type: ignore[no-untyped-def]
    try:
        reading = extract(extractor, text, comma)
    except ExtractionError:
        return
    assert reading.values
    assert all(isinstance(value, float) for value in reading.values)
    assert len(reading.spans) in (0, len(reading.values))
    assert all(0 <= a < b <= len(text) for a, b in reading.spans)


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_text_or_an_error_in_words(data: bytes) -> None:
    try:
        text = decode(data, "out.txt")
    except ExtractionError:
        return
    assert len(text) <= len(data)


finite = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=50, deadline=None)
@given(finite)
def test_a_number_is_read_back_however_it_is_written(value: float) -> None:
    fortran = f"{value:.17e}".replace("e", "D")
    for text, comma in ((repr(value), False), (fortran, False), (repr(value).replace(".", ","), True)):
        assert parse_word(text, comma) == float(repr(value))
        assert [token.number() for token in scan(f"E = {text} eV", comma)] == [value]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(finite, min_size=3, max_size=3), min_size=2, max_size=8), st.sampled_from([",", ";", "\t", " "]))
def test_every_column_of_a_table_is_read_back(rows: list[list[float]], delimiter: str) -> None:
    lines = ["a b c".replace(" ", delimiter), *(delimiter.join(map(repr, row)) for row in rows)]
    for k, name in enumerate("abc"):
        expected = tuple(row[k] for row in rows)
        assert extract(CsvColumn(column=name), "\n".join(lines)).values == expected
        assert extract(CsvColumn(column=k), "\r\n".join(lines) + "\r\n").values == expected
    block = "Results\n\n" + "\n".join(" ".join(map(repr, row)) for row in rows) + "\n\nend"
    assert extract(TableBlock(columns=(2, 1), start="Results"), block).values == tuple(v for r in rows for v in (r[1], r[0]))


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.text(min_size=1, max_size=5), st.lists(finite, min_size=1, max_size=4), min_size=1, max_size=4))
def test_every_list_of_a_json_text_is_read_back(document: dict[str, list[float]]) -> None:
    text = "starting\n" + json.dumps(document, indent=1)
    for key, values in document.items():
        assert extract(JsonPath(path=key), text).values == tuple(values)
        assert extract(JsonPath(path=f"{key}.0"), text).values == (values[0],)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.0D+03", 1e3), ("1.0+103", 1e103), ("-1.5-200", -1.5e-200), (".5", 0.5), ("5.", 5.0), ("1d0", 1.0), ("−3", -3.0)],
)
def test_fortran_and_plain_spellings(text: str, value: float) -> None:
    assert parse_word(text) == value


@pytest.mark.parametrize("text", ["NaN", "nan", "-nan(ind)", "-1.#IND", "NaNQ", "1.#QNAN"])
def test_every_spelling_of_not_a_number(text: str) -> None:
    assert math.isnan(parse_word(text))
    assert math.isnan(extract(LastNumber(), f"y = {text}").values[0])


@pytest.mark.parametrize("text", ["inf", "Infinity", "+Inf", "1.#INF"])
def test_every_spelling_of_infinity(text: str) -> None:
    assert parse_word(text) == np.inf


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("E = ******", "could not fit the number"),
        ("E = 1,5", "in two ways because of its comma"),
        ("n = 1,234,567", "in two ways because of its comma"),
        ("1.234E+00-5.678E+00", "several numbers with no space"),
        ("no digits here", "there is no number"),
        ("   \n", "it is empty"),
    ],
)
def test_what_only_looks_like_a_number_is_named(text: str, words: str) -> None:
    with pytest.raises(ExtractionError, match=words):
        extract(LastNumber(), text)


def test_stars_as_decoration_do_not_hide_the_last_number() -> None:
    assert extract(LastNumber(), "E = 5.5\n******** normal end ********\n").values == (5.5,)


def test_a_label_reads_the_number_on_its_line_and_no_other() -> None:
    text = "Energy: none\nSteps: 500\nTime: 3.2s\nMass:\n   4.5\n"
    with pytest.raises(ExtractionError, match="no number follows"):
        extract(LabelledNumber(label="Energy:"), text)
    assert extract(LabelledNumber(label="Time:"), text).values == (3.2,)
    assert extract(LabelledNumber(label="Mass:"), text).values == (4.5,)


def test_a_table_is_read_by_key_value_and_by_row_number() -> None:
    text = "FREQ  GAIN\n---- ----\n 1.0  5.0\n 2.0  6.0\n 3.0  ****\nEND"
    block = {"columns": (2,), "start": "FREQ", "end": "END"}
    assert extract(TableBlock(**block, key_column=1, key_values=(2.0, 1.0)), text).values == (6.0, 5.0)
    assert extract(TableBlock(**block, rows=(-2,)), text).values == (6.0,)
    with pytest.raises(ExtractionError, match=r"in line 5 .*could not fit"):
        extract(TableBlock(**block), text)
    with pytest.raises(ExtractionError, match="cut off"):
        extract(TableBlock(**block), text.removesuffix("END"))
    with pytest.raises(ExtractionError, match="no row of the table has 9"):
        extract(TableBlock(**block, key_column=1, key_values=(9.0,)), text)


def test_a_wrong_column_name_is_answered_with_the_names_there_are() -> None:
    with pytest.raises(ExtractionError, match=r"the columns are “time”, “level”\. Is “level” meant"):
        extract(CsvColumn(column="levl"), "time,level\n0,1\n")


REPORTS = {
    "stdout": "Run 3 took 2.5 s\nchi2 = 3.25 ndf 7\nchi2 = 4.5 ndf 8\n\n T  Y  Z\n 0 1 2.5\n 1 3 4.5\n 2 5 6.5\nTotal: -1.5e-3\n",
    "out.csv": "time,level,other\n0,1.5,2\n1,2.5,4\n2,3.5,8\n",
    "semi.csv": "t;y\n0;1,5\n1;2,5\n",
    "a.json": '{"r": {"chi2": 2.5, "y": [1, 2, 3]}}',
    "steps.txt": "STEP 1\n E 1.0 2.0\nSTEP 2\n E 3.0 4.0\nSTEP 3\n E 5.0 6.0\n",
}


@pytest.mark.parametrize("source", sorted(REPORTS))
def test_what_is_proposed_for_a_marked_number_reads_the_values_it_promised(source: str) -> None:
    text, checked = REPORTS[source], 0
    for mark in re.finditer(r"[-+]?\d+\.?\d*(?:[eE][-+]\d+)?", text):
        for proposal in propose(text, mark.start(), mark.end(), source):
            reading = extract(proposal.extractor, text, proposal.decimal_comma)
            assert reading.values == proposal.values
            checked += 1
    assert checked > 2


def test_a_label_below_a_heading_is_read_there_only_and_words_say_what_is_missing() -> None:
    text = "A = 1\nSIZES\n ALPHA = 2\n A   =  3\nMASSES\n A = 4\n"
    below = LabelledNumber(label="A =", below="SIZES")
    assert extract(below, text).values == (3.0,)
    for changed, words in (
        (text.replace("SIZES", "SIZE"), "the heading “SIZES” does not occur"),
        (text + "SIZES\n", "the heading “SIZES” stands in the text twice, not once"),
        (text.replace("A ", "B "), "the label “A =” below “SIZES” does not occur"),
    ):
        with pytest.raises(ExtractionError, match=words):
            extract(below, changed)
