"""Rows without a measured value: those of what is compared are counted once, those of other quantities are in no comparison."""

from __future__ import annotations

import msgspec
import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.models.data.rows.flagged_rows import flagged
from bayescope.gui.models.data.rows.rows_without_value import missing_words
from bayescope.gui.models.step_status import data_words

N = None
A_ROWS, B_ROWS = (1.0, 2.0, 3.0, N, N, N), (N, N, N, 4.0, N, 6.0)


@pytest.mark.parametrize(
    ("columns", "labels", "compared", "words", "told"),
    [
        ({"A": (1.0, N, 3.0), "H": (5.0, 6.0, 7.0)}, "", "A", "2 of 3 rows compared, 1 missing", "Row 2 has no “A”."),
        (
            {"A": (1.0, N, 3.0), "B": (1.0, N, N)}, "", "AB",
            "2 of 3 rows compared: 3 values, 3 values missing", "Row 2 has neither “A” nor “B” and row 3 has no “B”.",
        ),
        ({"A": A_ROWS, "B": B_ROWS}, "", "A", "3 of 6 rows compared, 3 rows in no comparison", ""),
        ({"A": A_ROWS, "B": B_ROWS}, "AAABBB", "A", "3 of 6 rows compared, 3 rows in no comparison", ""),
        ({"A": A_ROWS, "B": B_ROWS}, "AAABBB", "AB", "5 of 6 rows compared, 1 without a value", "Row 5 has no “B”."),
        (
            {"A": (1.0, N, 2.0, N, 3.0, N), "B": (N, 4.0, N, N, N, 6.0)}, "ABABAB", "A",
            "3 of 6 rows compared, 3 rows in no comparison", "",
        ),
        (
            {"A": (1.0, N, 2.0, N), "H": (5.0, 6.0, 7.0, 8.0), "C": (N, 4.0, N, 5.0)}, "", "A",
            "2 of 4 rows compared, 2 rows in no comparison", "",
        ),
    ],
    ids=["gap", "row without both", "another block", "another label", "both labels", "alternating labels", "another instrument"],
)  # fmt: skip
def test_only_rows_of_what_is_compared_lack_its_value(
    columns: dict[str, tuple[float | None, ...]], labels: str, compared: str, words: str, told: str
) -> None:
    times = tuple(float(k) for k in range(len(columns["A"])))
    read = d.Region(anchor="x", form="n", columns=(1,))
    outputs = tuple(d.Output(name=c, source="o", extractor=read) for c in (*compared, "s"))
    matches = tuple(d.Match(output=c, column=c, key_output="s", key_column="t") for c in compared)
    data = d.DataTable(columns={"t": times, **columns}, texts={"what": tuple(labels)} if labels else {})
    problem = d.Problem(
        name="p", simulator=d.Simulator(command=("x",)), parameters=(), outputs=outputs, data=data,
        meaning=d.Predictions(matches=matches, noise=d.GaussianKnown(sd=1.0)),
    )  # fmt: skip
    assert (data_words(problem), missing_words(problem)) == (words, told)


def test_a_remark_behind_a_mark_is_asked_about_though_its_row_has_no_value_of_another_table() -> None:
    data = d.DataTable(
        columns={"A": (1.0, 2.0, 3.0, N, N), "B": (N, N, N, 4.0, 5.0)}, texts={"Remark": (N, "# lamp spike - bad", N, N, N)}
    )
    matches = tuple(d.Match(output=c, column=c) for c in "AB")
    problem = d.Problem(
        name="p", simulator=d.Simulator(command=("x",)), parameters=(), outputs=(), data=data,
        meaning=d.Predictions(matches=matches, noise=d.GaussianKnown(sd=1.0)),
    )  # fmt: skip
    assert [one.rows for one in flagged(problem)] == [(2,)]
    beside = msgspec.structs.replace(data, columns={"A": (1.0, 2.0, 3.0, 1.0, 1.0), "B": (1.0, N, 2.0, 4.0, 5.0)})
    assert flagged(msgspec.structs.replace(problem, data=beside)) == (), "the value that is marked is gone already"


def test_a_flag_that_names_a_column_leaves_out_its_value_and_not_the_row() -> None:
    rows = range(1, 8)
    table = d.DataTable(
        columns={"DIC": tuple(2000.0 + k for k in rows), "TA": tuple(2280.0 + k for k in rows)},
        texts={"flag": tuple("TA 4" if k == 3 else "2" for k in rows)},
    )
    meaning = d.Predictions(matches=tuple(d.Match(output=c, column=c) for c in ("DIC", "TA")), noise=d.GaussianKnown())
    problem = d.Problem(name="x", simulator=d.Simulator(command=("sh",)), parameters=(), outputs=(), data=table, meaning=meaning)
    asked = flagged(problem)
    assert [(one.button, one.keep) for one in asked] == [("Leave TA &out of row 3", "It counts")]
    assert isinstance(asked[0].problem.meaning, d.Predictions)
    assert [m.left_out for m in asked[0].problem.meaning.matches] == [(), (3,)]
