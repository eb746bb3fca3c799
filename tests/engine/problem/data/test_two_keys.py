"""Rows that are known only by two keys together: one depth on many dates."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.answer.likelihood_words import likelihood_words
from bayescope.engine.problem import definition as d
from bayescope.engine.problem import files
from bayescope.engine.problem.checks.validate import check
from bayescope.engine.problem.data.rows import pairing, text_keys
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match, unpaired
from bayescope.engine.problem.extract import ExtractionError, read_output

CASTS = d.DataTable(
    columns={"depth": (0.5, 2.5, 0.5, None), "T": (4.0, 3.0, 9.0, 8.0)},
    texts={"date": ("2021-03-04", "2021-03-04", "2021-04-01", "2021-04-01")},
)
BOTH = d.Match(
    output="T", column="T", key_output="depth", key_column="depth", second_key_output="date", second_key_column="date"
)
DAYS = np.array([text_keys.code(t) for t in ("2021-04-01", "2021-03-04", "2021-03-04", "2021-04-01")])
PRINTED = {"depth": np.array([0.5, 2.5, 0.5, 2.5]), "date": DAYS, "T": np.array([9.1, 3.1, 4.1, 7.7])}


def test_a_row_is_paired_where_both_keys_agree() -> None:
    found = compare_match(BOTH, CASTS, PRINTED)
    np.testing.assert_array_equal(found.prediction[:3], [4.1, 3.1, 9.1])
    assert found.present.tolist() == [True, True, True, False]  # a row without one of its keys is not compared
    assert found.x_label == "row of the data (by depth, date)"


def test_one_of_the_keys_alone_cannot_tell_the_rows_apart() -> None:
    one = d.Match(output="T", column="T", key_output="depth", key_column="depth")
    with pytest.raises(ComparisonError, match=r"several rows where “depth” is 0.5"):
        compare_match(one, CASTS, PRINTED)


def test_rows_that_come_twice_with_both_keys_are_refused() -> None:
    twice = {k: np.append(v, v[2]) for k, v in PRINTED.items()} | {"T": np.append(PRINTED["T"], 5.0)}
    with pytest.raises(ComparisonError, match=r"several rows where “depth, date” is 0.5, 2021-03-04"):
        compare_match(BOTH, CASTS, twice)


def test_a_row_that_the_program_lacks_is_listed_with_the_nearest_of_its_date() -> None:
    less = {k: np.delete(v, 1) for k, v in PRINTED.items()}
    with pytest.raises(ComparisonError, match=r"no row where “depth, date” is 2.5, 2021-03-04"):
        compare_match(BOTH, CASTS, less)
    lost = unpaired(BOTH, CASTS, less)
    assert [(one.row, one.key) for one in lost] == [(2, "2.5, 2021-03-04"), (4, "none, 2021-04-01")]
    assert lost[0].nearest == (1,)


def test_half_a_second_key_is_an_error_and_a_whole_one_comes_back_from_a_file() -> None:
    def problem(match: d.Match) -> d.Problem:
        names = ("depth", "date", "T")
        return d.Problem(
            name="p",
            parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
            simulator=d.Simulator(command=("x", "@k@")),
            outputs=tuple(
                d.Output(name=n, source="stdout", extractor=d.CsvColumn(column=n), text=n == "date") for n in names
            ),
            meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=0.5)),
            data=CASTS,
        )

    half = d.Match(output="T", column="T", key_output="depth", key_column="depth", second_key_output="date")
    assert "meaning.matches[0].second_key_column" in [f.where for f in check(problem(half)) if f.level == "error"]
    whole = problem(BOTH)
    assert not [f for f in check(whole) if f.level == "error"]
    assert files.loads(files.dumps(whole)).meaning == whole.meaning
    words = str(likelihood_words(whole.meaning))
    assert "output “depth” with column “depth” and output “date” with column “date”" in words


keys = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=20)


@settings(deadline=None, max_examples=40)
@given(keys, st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20, unique=True))
def test_two_keys_pair_as_a_dictionary_of_pairs_does(measured: list[tuple[int, int]], printed: list[tuple[int, int]]) -> None:
    match = d.Match(output="u", column="u")
    mine = [np.array(column, dtype=float) for column in zip(*measured, strict=True)]
    theirs = [np.array(column, dtype=float) for column in zip(*printed, strict=True)]
    expected = [{pair: i for i, pair in enumerate(printed)}.get(pair, -1) for pair in measured]
    assert pairing.by_keys(match, mine, theirs).tolist() == expected


def test_dates_beside_the_numbers_of_a_marked_table_are_read_as_labels() -> None:
    text = "Header 1 2\n\n#     date  lev value\n 2021-03-04 0.5 4.2\n 2021-03-04 1.5 4.1\n 2021-04-01 0.5 9\n\nTotal 3 rows\n"
    marked = d.Region(anchor="date lev value", columns=(1,), by="word", form="tnn")
    found = read_output(d.Output(name="date", source="stdout", extractor=marked, text=True), text)
    assert found.texts == ("2021-03-04", "2021-03-04", "2021-04-01")
    assert [text[a:b] for a, b in found.spans] == list(found.texts)
    two = msgspec.structs.replace(marked, columns=(4,))
    with pytest.raises(ExtractionError, match="has only 3 columns"):
        read_output(d.Output(name="date", source="stdout", extractor=two, text=True), text)
