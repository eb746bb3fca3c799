"""Labels, times and dates that pair rows; several quantities in one table; cells without a value; rows left out."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from bayescope.engine.likelihood.evaluate import LikelihoodError, log_likelihood, predictions
from bayescope.engine.problem import definition as d
from bayescope.engine.problem import files
from bayescope.engine.problem.checks.validate import check
from bayescope.engine.problem.data.files.data_files import Options, parse_with
from bayescope.engine.problem.data.rows import pairing, text_keys
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match, unpaired
from bayescope.engine.problem.data.tables import long_form, naming_pairs
from bayescope.engine.problem.data.tables.naming_column import naming_column
from bayescope.engine.problem.data.tables.together import together
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.extract import ExtractionError, read_output, values_of

NODES = d.DataTable(columns={"u": (1.0, 2.0, 3.0)}, texts={"node": ("A1", "B 7", "Co")})
BY_NODE = d.Match(output="u", column="u", key_output="node", key_column="node")
PRINTED = "node u\nCO 9.0\nCo 3.1\nA1 1.1\nB_7 5\n"


def outputs(*names: str) -> tuple[d.Output, ...]:
    return tuple(
        d.Output(name=n, source="stdout", extractor=d.CsvColumn(column=n, delimiter=" "), text=n == "node")
        for n in names
    )


def problem(data: d.DataTable, *matches: d.Match, noise: d.NoiseModel | None = None) -> d.Problem:
    return d.Problem(
        name="p",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("x", "@k@")),
        outputs=outputs("u", "v", "node", "t"),
        meaning=d.Predictions(matches=matches, noise=noise or d.GaussianKnown(sd=0.5)),
        data=data,
    )


def coded(*labels: str) -> np.ndarray:
    return np.array([text_keys.code(label) for label in labels])


BANDS = d.DataTable(
    columns={"k index": (2.0, 2.0, 3.0, 3.0), "band": (1.0, 2.0, 1.0, 2.0), "frequency (c/a)": (0.15, 0.45, 0.29, None),
             "sd (c/a)": (0.01, 0.02, 0.01, None)},
)  # fmt: skip


def test_a_table_is_split_by_a_column_of_whole_numbers_too_and_their_names_are_made_of_its_own() -> None:
    assert long_form.label_columns(BANDS) == ["k index", "band"]
    assert naming_pairs.proposed(BANDS, ["te_band_1", "te_band_2"]) == "band"
    assert naming_pairs.proposed(BANDS, ["te1", "te2"]) == ""
    found = long_form.split(BANDS, "band")
    assert found.columns["band 1"] == (0.15, None, 0.29, None)
    assert found.columns["band 2 sd"] == (None, 0.02, None, None)
    assert found.columns["k index"] == BANDS.columns["k index"]
    assert found.texts["band"][3] == "band 2", "of which quantity the empty row is, nothing else tells"


def test_a_column_in_which_several_quantities_share_their_places_holds_no_values_whatever_it_is_called() -> None:
    named = d.DataTable(
        columns={k: v for k, v in BANDS.columns.items() if k != "band"}, texts={"what": ("a", "b", "a", "b")}
    )
    assert long_form.value_columns(named, "what") == ["frequency (c/a)", "sd (c/a)"]


def test_measured_numbers_are_no_labels() -> None:
    counts = d.DataTable(columns={"t": (0.5, 1.0, 1.5, 2.0), "cells": (3.0, 3.0, 4.0, 4.0)})
    assert long_form.label_columns(counts) == []


# --------------------------------------------------------------------------- what stands for a key


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("00:30:00", 1800.0),
        ("0:30", 1800.0),
        ("1:00:00.5", 3600.5),
        ("-0:30", -1800.0),
        ("2 d 03:00:00", 2 * 86400.0 + 3 * 3600.0),
        ("100:00:00", 360000.0),
        ("1970-01-02", 86400.0),
        ("2024-05-01T12:00:00Z", datetime(2024, 5, 1, 12, tzinfo=UTC).timestamp()),
        ("2024-05-01 12:00+02:00", datetime(2024, 5, 1, 10, tzinfo=UTC).timestamp()),
        ("01.05.2024", datetime(2024, 5, 1, tzinfo=UTC).timestamp()),
        ("2024-02-30", None),
        ("12:75", None),
        ("1.2.3", None),
        ("N1", None),
    ],
)
def test_times_and_dates_are_seconds(text: str, seconds: float | None) -> None:
    assert text_keys.seconds_of(text) == seconds


def test_spaces_and_minus_signs_make_no_difference_and_capital_letters_do() -> None:
    assert text_keys.code(" A\u00a01 ") == text_keys.code("A 1")
    assert text_keys.code("\u22125") == -5.0
    assert text_keys.code("B\u22127") == text_keys.code("B-7")
    assert text_keys.code("Co") != text_keys.code("CO")
    assert math.isnan(text_keys.code("  "))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=12).filter(lambda t: text_keys.plain(t)), min_size=2, max_size=30))
def test_different_labels_have_different_codes_that_survive_storage(labels: list[str]) -> None:
    codes = {text_keys.plain(label): text_keys.code(label) for label in labels}
    words = {label: c for label, c in codes.items() if c >= text_keys.FIRST_LABEL}
    assert len(set(words.values())) == len(words)
    assert all(c == float(repr(c)) and math.isfinite(c) for c in codes.values())


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_a_time_written_out_is_read_back(seconds: int) -> None:
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    assert text_keys.code(text) == float(seconds)


# --------------------------------------------------------------------------- pairing


def test_labels_of_the_program_are_read_and_pair_rows_as_numbers_do() -> None:
    table = msgspec.structs.replace(NODES, texts={"node": ("A1", "B_7", "Co")})
    texts = {o.name: read_output(o, PRINTED) for o in outputs("u", "node")}
    assert texts["node"].texts == ("CO", "Co", "A1", "B_7")
    read = {name: values_of(reading) for name, reading in texts.items()}
    value, _ = log_likelihood(problem(table, BY_NODE), read, {})
    assert value == pytest.approx(stats.norm.logpdf([1.0, 2.0, 3.0], [1.1, 5.0, 3.1], 0.5).sum())


def test_labels_are_read_from_a_block_of_a_report_and_from_json() -> None:
    report = "NODES\n  N1  1.5  x\n  N2  2.5  y\n\n"
    block = d.Output(name="n", source="stdout", extractor=d.TableBlock(columns=(1,), start="NODES"), text=True)
    assert read_output(block, report).texts == ("N1", "N2")
    listed = d.Output(name="n", source="stdout", extractor=d.JsonPath(path="nodes"), text=True)
    assert read_output(listed, '{"nodes": ["N1", "00:30:00", 7]}').values == (text_keys.code("N1"), 1800.0, 7.0)
    with pytest.raises(ExtractionError, match="labels can only be read"):
        read_output(d.Output(name="n", source="stdout", extractor=d.LastNumber(), text=True), "N1 5")


def test_times_of_the_data_meet_seconds_of_the_program() -> None:
    table = d.DataTable(columns={"u": (1.0, 2.0)}, texts={"t": ("00:30:00", "01:00:00")})
    match = d.Match(output="u", column="u", key_output="t", key_column="t")
    found = compare_match(match, table, {"u": [7.0, 8.0, 9.0], "t": [0.0, 1800.0, 3600.0]})
    np.testing.assert_array_equal(found.prediction, [8.0, 9.0])
    np.testing.assert_array_equal(found.x, [1800.0, 3600.0])


def test_what_does_not_match_is_listed_with_the_nearest_keys() -> None:
    found = unpaired(BY_NODE, NODES, {"u": [1, 2, 3], "node": coded("CO", "A1", "b_7")}, ("CO", "A1", "b_7"))
    assert [(one.row, one.key) for one in found] == [(2, "B 7"), (3, "Co")]
    assert found[0].nearest[0] == 2
    assert found[1].nearest[0] == 0
    with pytest.raises(ComparisonError, match=r"no row where “node” is B 7, as row 2 .* 1 more row has none"):
        compare_match(BY_NODE, NODES, {"u": [1.0, 2.0, 3.0], "node": coded("CO", "A1", "b_7")})


def test_a_wide_tolerance_never_makes_a_label_another_one() -> None:
    loose = msgspec.structs.replace(BY_NODE, key_tolerance=1e300)
    assert len(unpaired(loose, NODES, {"u": [1, 2, 3], "node": coded("X", "Y", "Z")})) == 3


def test_keys_that_differ_in_the_last_digit_are_the_same() -> None:
    table = d.DataTable(columns={"x": (0.1, 0.2, 0.3), "u": (1.0, 2.0, 3.0)})
    match = d.Match(output="u", column="u", key_output="t", key_column="x")
    found = compare_match(match, table, {"u": [3.0, 2.0, 1.0], "t": [0.30000001, 0.2, 0.1]})
    np.testing.assert_array_equal(found.prediction, [1.0, 2.0, 3.0])


def test_a_key_measured_twice_is_compared_twice() -> None:
    table = d.DataTable(columns={"u": (1.0, 2.0)}, texts={"node": ("A", "A")})
    found = compare_match(BY_NODE, table, {"u": [7.0, 8.0], "node": coded("A", "B")})
    np.testing.assert_array_equal(found.prediction, [7.0, 7.0])


# --------------------------------------------------------------------------- several quantities, cells without a value


def test_missing_cells_are_dropped_before_rows_are_counted() -> None:
    table = d.DataTable(columns={"u": (1.0, 2.0, None, None, None), "v": (None, None, 9.0, 8.0, 7.0)})
    whole = problem(table, d.Match(output="u", column="u"), d.Match(output="v", column="v"))
    read = {"u": [1.1, 2.2], "v": [9.0, 8.1, 7.0]}
    value, _ = log_likelihood(whole, read, {})
    expected = stats.norm.logpdf([1.0, 2.0, 9.0, 8.0, 7.0], [1.1, 2.2, 9.0, 8.1, 7.0], 0.5).sum()
    assert value == pytest.approx(expected)
    assert not [f for f in check(whole) if f.level == "error"]
    with pytest.raises(LikelihoodError, match="5 rows, 3 of them measured"):
        log_likelihood(whole, {"u": [1.1, 2.2], "v": [9.0, 8.1, 7.0, 6.0]}, {})


def test_a_covariance_matrix_may_be_of_the_measured_values_only() -> None:
    table = d.DataTable(columns={"u": (1.0, None, 3.0)})
    matrix = ((1.0, 0.5), (0.5, 2.0))
    whole = problem(table, d.Match(output="u", column="u"), noise=d.CovarianceNoise(matrix=matrix))
    value, _ = log_likelihood(whole, {"u": [1.5, 2.0]}, {})
    assert value == pytest.approx(stats.multivariate_normal([0.0, 0.0], matrix).logpdf([-0.5, 1.0]))
    assert not [f for f in check(whole) if f.level == "error"]
    sd = predictions(whole, {"u": [1.5, 2.0]})[0].sd
    assert sd is not None
    np.testing.assert_allclose(sd, [1.0, np.nan, math.sqrt(2.0)])


def test_rows_left_out_are_counted_from_one_and_checked() -> None:
    table = d.DataTable(columns={"u": (1.0, 2.0, 3.0)})
    without = problem(table, d.Match(output="u", column="u", left_out=(2,)))
    value, _ = log_likelihood(without, {"u": [1.5, 99.0, 3.5]}, {})
    assert value == pytest.approx(stats.norm.logpdf([1.0, 3.0], [1.5, 3.5], 0.5).sum())
    value, _ = log_likelihood(without, {"u": [1.5, 3.5]}, {})
    assert value == pytest.approx(stats.norm.logpdf([1.0, 3.0], [1.5, 3.5], 0.5).sum())
    with pytest.raises(LikelihoodError, match="1 value, but the data column “u” has 3 rows, 2 of them left in"):
        log_likelihood(without, {"u": [1.5]}, {})
    wrong = [f for f in check(problem(table, d.Match(output="u", column="u", left_out=(0,)))) if "left_out" in f.where]
    assert "rows 1 to 3 (counted from 1)" in wrong[0].message


def test_row_numbers_of_a_block_that_count_from_zero_are_refused() -> None:
    whole = problem(NODES, BY_NODE)
    block = d.Output(name="u", source="stdout", extractor=d.TableBlock(columns=(2,), rows=(0, 1, 2)))
    found = check(msgspec.structs.replace(whole, outputs=(block, *whole.outputs[1:])))
    assert any("count from 1" in f.message and f.where == "outputs.u.extractor.rows" for f in found)
    with pytest.raises(ExtractionError, match="row 0 is asked for"):
        read_output(block, "1 1.5\n2 2.5\n3 3.5\n")


def test_labels_cannot_be_predictions() -> None:
    whole = problem(NODES, d.Match(output="node", column="u"))
    assert any("holds labels or times" in f.message for f in check(whole))
    text = problem(NODES, d.Match(output="u", column="node"))
    assert any("holds text, not numbers" in f.message for f in check(text))


# --------------------------------------------------------------------------- long form


LONG = d.DataTable(
    columns={"t": (0.0, 1.0, 0.0), "value": (1.5, 2.5, 9.0), "sd": (0.1, 0.2, 1.0)}, texts={"what": ("u", "u ", "v")}
)


def test_a_long_table_is_split_into_one_column_for_each_quantity() -> None:
    found = long_form.split(LONG, "what")
    assert found.columns == {
        "t": (0.0, 1.0, 0.0),
        "u": (1.5, 2.5, None),
        "u sd": (0.1, 0.2, None),
        "v": (None, None, 9.0),
        "v sd": (None, None, 1.0),
    }
    assert found.texts == {}
    assert naming_pairs.proposed(LONG, ("U", "v (mm)")) == "what"
    assert naming_pairs.proposed(LONG, ("p",)) == ""
    with pytest.raises(ProblemError, match="no column of text called “who”"):
        long_form.split(LONG, "who")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("uvw"), st.integers(0, 9), st.floats(-1e6, 1e6)), min_size=1, max_size=30))
def test_nothing_is_lost_or_made_up_by_splitting(rows: list[tuple[str, int, float]]) -> None:
    table = d.DataTable(
        columns={"t": tuple(float(t) for _, t, _ in rows), "value": tuple(v for _, _, v in rows)},
        texts={"what": tuple(q for q, _, _ in rows)},
    )
    found = long_form.split(table, "what")
    again = [
        (q, int(t), v)
        for i, t in enumerate(found.columns["t"])
        for q in "uvw"
        if t is not None and (v := found.columns.get(q, (None,) * len(rows))[i]) is not None
    ]
    assert again == rows


def test_tables_are_put_below_each_other_and_columns_of_one_name_stay_apart() -> None:
    first = d.DataTable(columns={"t": (0.0,), "value": (1.0,)}, texts={"node": ("A",)}, origin="a.csv")
    second = d.DataTable(columns={"t": (5.0,), "value": (2.0,), "f": (3.0,)}, origin="b.csv")
    both = together([first, second], ["a.csv", "b.csv"])
    assert both.columns == {"t": (0.0, 5.0), "value": (1.0, None), "value (b.csv)": (None, 2.0), "f": (None, 3.0)}
    assert both.texts == {"node": ("A", None)}


def test_times_become_numbers_in_a_chosen_unit() -> None:
    assert long_form.times_as_numbers(("00:30:00", None, "02:00"), 3600.0) == (0.5, None, 2.0)
    assert long_form.times_as_numbers(("2024-05-01", "2024-05-03"), 86400.0) == (0.0, 2.0)
    with pytest.raises(ProblemError, match="neither a time nor a date"):
        long_form.times_as_numbers(("soon",), 1.0)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.text(alphabet="abcXYZ_é0123456789", min_size=1, max_size=8).map("n_".__add__),
            st.floats(-1e9, 1e9),
            st.one_of(st.none(), st.floats(-1e9, 1e9)),
        ),
        min_size=2,
        max_size=12,
    ),
    st.sampled_from([",", ";", "\t"]),
)
def test_a_table_with_labels_is_read_back_exactly(rows: list[tuple[str, float, float | None]], delimiter: str) -> None:
    assume(not math.isclose(rows[-1][1], math.fsum(a for _, a, _ in rows[:-1]), rel_tol=1e-6))  # that would be a line of totals
    lines = [delimiter.join((q, repr(a), "NA" if b is None else repr(b))) for q, a, b in rows]
    text = delimiter.join(("node", "a", "b")) + "\n" + "\n".join(lines) + "\n"
    found = parse_with(text.encode(), "t", Options()).table
    assert found.texts["node"] == tuple(q for q, _, _ in rows)
    assert found.columns["a"] == tuple(a for _, a, _ in rows)
    assert found.columns.get("b", (None,) * len(rows)) == tuple(b for _, _, b in rows)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.booleans(), min_size=1, max_size=12),
    st.integers(0, 14),
)
def test_rows_in_order_use_each_value_once_and_in_order(measured: list[bool], n: int) -> None:
    rows = pairing.in_order(n, measured)
    if rows is None:
        assert n not in {sum(measured), len(measured)}
        return
    used = [int(r) for r in rows if r >= 0]
    assert used == list(range(n))
    assert all(rows[i] >= 0 for i, k in enumerate(measured) if k)


# --------------------------------------------------------------------------- problem files and sessions


def document(data: dict[str, Any]) -> bytes:
    whole = msgspec.to_builtins(problem(NODES, BY_NODE))
    return json.dumps({**whole, "data": data}).encode()


def test_text_keys_missing_cells_and_rows_left_out_come_back_from_a_problem_file() -> None:
    table = d.DataTable(columns={"u": (1.0, None)}, texts={"node": ("A", None)}, origin="x")
    whole = problem(table, msgspec.structs.replace(BY_NODE, left_out=(1,)))
    assert files.loads(files.dumps(whole)) == whole


def test_a_problem_file_of_the_old_form_still_opens() -> None:
    old = files.loads(document({"columns": {"u": [1.0, None, 3.0]}, "origin": "a.csv"}))
    assert old.data == d.DataTable(columns={"u": (1.0, None, 3.0)}, origin="a.csv")


def test_long_data_are_split_whether_spelled_out_or_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "long.csv").write_text("what,t,value\nu,0,1.5\nu,1,-999\nv,0,9\n")
    spelled = {
        "columns": {"t": [0, 1, 0], "value": [1.5, None, 9]},
        "texts": {"what": ["u", "u", "v"]},
        "split_by": "what",
    }
    in_file = {"path": "long.csv", "missing": [-999], "split_by": "what"}
    expected = {"t": (0.0, 1.0, 0.0), "u": (1.5, None, None), "v": (None, None, 9.0)}
    for data in (spelled, in_file):
        found = files.loads(document(data), tmp_path).data
        assert found is not None
        assert found.columns == expected


def test_a_file_of_several_tables_asks_which_and_counts_them_from_one(tmp_path: Path) -> None:
    (tmp_path / "two.csv").write_text("t,u\n0,1.5\n1,2.5\n\nmode,f\n1,10\n2,20\n")
    with pytest.raises(ProblemError, match=r"2 tables in two\.csv"):
        files.loads(document({"path": "two.csv"}), tmp_path)
    with pytest.raises(ProblemError, match=r"Table 0 \(counted from 1\)"):
        files.loads(document({"path": "two.csv", "table": 0}), tmp_path)
    found = [files.loads(document({"path": "two.csv", "table": t}), tmp_path).data for t in (1, 2, "all")]
    assert [list(t.columns) for t in found if t] == [["t", "u"], ["mode", "f"], ["t", "u", "mode", "f"]]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"columns": {"v": [1.0]}, "split_by": "what"}, "no column of text called “what”"),
        ({"columns": {"v": [1.0]}, "split_by": 3}, "“split_by” is the name of a column"),
        ({"path": "x.csv", "missing": ["NA"]}, "“missing” is a list of numbers"),
        ({"path": "x.csv", "table": True}, "“table” is a number"),
        ({"path": "x.csv", "table": "Sheet9"}, "no table “Sheet9”"),
    ],
)
def test_what_is_wrong_with_long_data_is_said(data: dict[str, Any], words: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("t,u\n0,1\n")
    with pytest.raises(ProblemError, match=words):
        files.loads(document(data), tmp_path)


def test_the_schema_knows_long_data_and_says_from_where_rows_are_counted() -> None:
    schema = files.schema()["$defs"]
    assert {"texts", "split_by", "missing", "table"} <= set(schema["DataTable"]["properties"])
    assert "THE FIRST IS 1" in schema["TableBlock"]["description"]
    assert "the first is 1" in schema["Match"]["description"]
    assert "labels" in schema["Output"]["description"]


def test_all_misspelt_entries_and_choices_are_named_at_once_with_what_is_allowed() -> None:
    whole = msgspec.to_builtins(problem(NODES, BY_NODE))
    whole["parameters"][0]["prior"]["kind"] = "unifrom"
    whole["parameters"][0]["transfrom"] = "logit"
    whole["simulator"]["keep_runs"] = "everything"
    whole["meaning"]["noise"]["kind"] = "gausian"
    with pytest.raises(ProblemError) as caught:
        files.loads(json.dumps(whole).encode())
    said = str(caught.value)
    assert "4 entries need to be corrected" in said
    assert "Did you mean “uniform”? The choices: “uniform”, “log_uniform”" in said
    assert "Did you mean “transform”?" in said
    assert "The choices: “all”, “failures”, “none”." in said
    assert "Did you mean “gaussian”?" in said


def test_a_key_rounded_to_the_decimals_of_the_table_is_the_same_key() -> None:
    match = d.Match(output="p", column="p", key_output="x", key_column="x")
    measured = np.array([1.7171, 1.7499, 1.7835, 1.8181])
    printed = np.array([1.6850889, 1.7170834, 1.749893, 1.7835439, 1.8180632])
    assert pairing.by_key(match, measured, printed).tolist() == [1, 2, 3, 4]
    assert pairing.by_key(match, measured, printed + 1e-4).tolist() == [-1, -1, -1, -1]


def test_whole_keys_are_no_roundings_of_what_lies_between_them() -> None:
    match = d.Match(output="p", column="p", key_output="x", key_column="x")
    assert pairing.by_key(match, np.array([1.0, 2.0, 3.0]), np.array([1.2, 2.2, 3.2])).tolist() == [-1, -1, -1]


def test_remarks_on_a_few_rows_name_no_quantities() -> None:
    remarks = (None, None, "below road bridge", None, None, None, "gravel bar", None)
    table = d.DataTable(columns={"Elevation (m)": tuple(float(i) for i in range(8))}, texts={"Remarks": remarks})
    assert naming_column(table) == ""
    assert naming_column(msgspec.structs.replace(table, texts={"What": ("u", "v") * 4})) == "What"
