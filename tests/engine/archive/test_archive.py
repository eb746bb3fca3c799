"""Archives: any table reads or is refused in words, rows are counted and explained, doubtful columns are noticed."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from archived_runs import table_of, two_parameters
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.archive.interpret import interpret
from bayescope.engine.archive.mapping import Mapped, mapping_from_options
from bayescope.engine.archive.read import read
from bayescope.engine.archive.sources import values_in_template
from bayescope.engine.archive.table import ArchiveError, Table, parse
from bayescope.engine.archive.table_file import read_table
from bayescope.engine.methods.archived import archive_of
from bayescope.engine.problem.definition import (
    Normal,
    Parameter,
    TemplateFile,
)
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.session.store import SessionStore


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("BAYESCOPE_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture
def problem():
    kappa = Parameter("kappa", Normal(mean=50.0, sd=20.0), plausible=(20.0, 80.0))
    return two_parameters(kappa, [TemplateFile("in.txt", "rho = @rho@\nk: @kappa@ cm\n")])


GOOD = [[0.1 * i, 10.0 * i, -float(i)] for i in range(1, 9)]
PLAIN = Mapped({"rho": "rho", "kappa": "kappa"}, "loglik", "log_likelihood")


@pytest.mark.parametrize(
    "text",
    ["rho,kappa,loglik\n.1,2,-3\n.2,3,-inf\n", "rho\tkappa\tloglik\n.1\t2\t-3\n.2\t3\t-inf\n",
     "rho kappa loglik\n.1 2 -3\n.2 3 -inf\n",
     "# rho kappa loglik\n.1 2 -3\n.2 3 -inf\n", "rho;kappa;loglik\n0,1;2;-3\n0,2;3;-inf\n"],
)  # fmt: skip
def test_every_usual_delimiter_is_found_and_infinities_are_numbers(text):
    found = parse(text.encode(), "t")
    assert found.columns == ("rho", "kappa", "loglik")
    assert found.values.tolist() == [[0.1, 2.0, -3.0], [0.2, 3.0, -math.inf]]


@given(
    st.lists(st.tuples(*[st.floats(width=64, allow_nan=False)] * 3), min_size=2, max_size=20),
    st.sampled_from([",", "\t", ";", " "]),
)
@settings(max_examples=30, deadline=None)
def test_numbers_written_to_a_table_come_back(rows, delimiter):
    text = delimiter.join(("a", "b", "c")) + "\n" + "\n".join(delimiter.join(repr(v) for v in row) for row in rows)
    found = parse(text.encode(), "t", delimiter=delimiter, header=True)
    assert np.array_equal(found.values, np.array(rows))


@given(st.binary(max_size=300))
@settings(max_examples=60, deadline=None)
def test_whatever_the_bytes_a_table_or_a_sentence_comes_of_them(data):
    try:
        found = parse(data, "t")
    except ArchiveError:
        return  # the only error there may be
    assert found.values.shape[1] == len(found.columns)


def test_a_wrong_delimiter_is_said_in_words():
    with pytest.raises(ArchiveError, match="delimiter"):
        parse(b"a,b,c\n1,2,3\n4,5\n6,7\n8\n9\n", "t", delimiter=",")


def test_an_npy_array_reads_and_a_pickled_one_is_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(6.0).reshape(2, 3))
    np.save(tmp_path / "b.npy", np.array([{"x": 1}], dtype=object), allow_pickle=True)
    named = np.zeros(3, dtype=[("rho", float), ("loglik", float)])
    np.save(tmp_path / "c.npy", named)
    assert read_table(tmp_path / "a.npy").columns == ("column 1", "column 2", "column 3")
    assert read_table(tmp_path / "c.npy").columns == ("rho", "loglik")
    with pytest.raises(ArchiveError, match="plain numbers"):
        read_table(tmp_path / "b.npy")
    (tmp_path / "d.npy").write_bytes(b"\x93NUMPY broken")
    with pytest.raises(ArchiveError):
        read_table(tmp_path / "d.npy")


def test_rows_are_counted_and_explained(problem):
    rows = [*GOOD, [1.2, 5, -1], [math.nan, 5, -1], [0.5, 5, math.nan], [0.5, 6, -math.inf], GOOD[0]]
    found = interpret(table_of(rows), problem, PLAIN)
    assert len(found.record.values) == 9
    said = " ".join(found.words())
    assert "9 of 13 rows" in said
    assert "1 rows with rho on or outside its bounds 0 to 1" in said
    assert "1 repeated rows were merged" in said
    assert "1 rows without a number for every parameter" in said
    assert "1 rows whose value or noise is not a number" in said
    joint = found.record.values + ParameterSpace(problem.parameters).log_prior(found.record.points)
    assert found.best_log_joint == pytest.approx(joint.max())


def test_swapped_columns_are_noticed(problem):
    swapped = Mapped({"rho": "kappa", "kappa": "rho"}, "loglik", "log_likelihood")
    with pytest.raises(ArchiveError, match="“rho” would fit: are they swapped"):
        interpret(table_of(GOOD), problem, swapped)


def test_wrong_units_are_noticed(problem):
    rows = [[100 * r, k, v] for r, k, v in GOOD]
    with pytest.raises(ArchiveError, match="units"):
        interpret(table_of([[r, k, v * 1000 - 5] for r, k, v in rows]), problem, PLAIN)


def test_minus_two_log_likelihood_is_halved_with_its_noise(problem):
    rows = [[r, k, -2 * v, 0.4] for r, k, v in GOOD]
    mapped = Mapped({"rho": "rho", "kappa": "kappa"}, "chi2", "minus_two_log_likelihood", "sd")
    found = interpret(table_of(rows, columns=("rho", "kappa", "chi2", "sd")), problem, mapped)
    assert np.allclose(found.record.values, [v for _, _, v in GOOD])
    assert np.allclose(found.record.sds, 0.2)
    assert found.record.meaning == "log_likelihood"


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[0.5, 5, -math.inf]] * 3, "minus infinity"),
        ([[math.nan] * 3] * 2, "None of the 2 rows"),
        ([[2.0, 5, 1.0]] * 4, "units"),
    ],
)
def test_hopeless_archives_are_refused_in_words(problem, rows, words):
    with pytest.raises(ArchiveError, match=words):
        interpret(table_of(rows), problem, PLAIN)


def test_equal_rows_are_one_point_and_said_to_be_too_few(problem):
    found = interpret(table_of([[0.5, 5, -1.0]] * 100), problem, PLAIN)
    assert len(found.record.values) == 1
    assert any("single point" in n for n in found.notes)


def test_contradicting_exact_rows_are_averaged_and_said(problem):
    found = interpret(table_of([[0.5, 5, -1.0], [0.5, 5, -2.0], [0.6, 5, -2.0]]), problem, PLAIN)
    assert found.record.values[0] == pytest.approx(-1.5)
    assert any("different values" in n for n in found.notes)


def test_mixed_noise_is_kept_row_by_row(problem):
    mapped = Mapped({"rho": "rho", "kappa": "kappa"}, "loglik", "log_likelihood", "sd")
    found = interpret(
        table_of([[0.5, 5, -1.0, 0.0], [0.6, 5, -2.0, 1.0]], columns=("rho", "kappa", "loglik", "sd")), problem, mapped
    )
    assert found.record.sds.tolist() == [0.0, 1.0]
    assert any("1 rows are noisy and 1 exact" in n for n in found.notes)


def test_columns_are_suggested_by_name(problem):
    found = mapping_from_options(Table(("Kappa", "RHO", "lnLike", "sd"), np.zeros((1, 4)), "t"), problem, {}, None, None, None)
    assert found == Mapped({"rho": "RHO", "kappa": "Kappa"}, "lnLike", "log_likelihood", "sd")
    with pytest.raises(ArchiveError, match="log-likelihood was not said"):
        mapping_from_options(Table(("a", "b", "c"), np.zeros((1, 3)), "t"), problem, {}, None, None, None)


def test_a_missing_column_is_named(problem):
    with pytest.raises(ArchiveError, match="No column is given for kappa"):
        interpret(table_of(GOOD), problem, Mapped({"rho": "rho"}, "loglik", "log_likelihood"))
    with pytest.raises(ArchiveError, match="was not said"):
        mapping_from_options(table_of(GOOD, columns=("rho", "kappa", "z")), problem, {}, None, None, None)


def test_run_folders_give_values_by_template_or_file_and_bad_ones_are_counted(problem, tmp_path):
    for i in range(5):
        run = tmp_path / f"run{i}"
        run.mkdir()
        (run / "stdout.txt").write_text(f"hello\nloglik = {-i}.5\n")
        if i % 2:
            (run / "values.json").write_text(json.dumps({"rho": 0.1 * i, "kappa": 40 + i}))
        else:
            (run / "in.txt").write_text(f"rho = {0.1 * i + 0.05}\nk: {40 + i}  cm\n")
    (tmp_path / "broken").mkdir()
    found = read(tmp_path, problem)
    assert found.values.shape == (5, 4)
    assert found.values[2].tolist() == pytest.approx([0.25, 42.0, -2.5, 0.0])
    assert any("1 folder was left out" in n for n in found.notes)


def test_values_are_found_where_the_template_has_placeholders():
    assert values_in_template("a=@x@ b=@y@\nc\n", "a=1.5e3 b=-2\nc\n") == {"x": 1500.0, "y": -2.0}
    assert values_in_template("a=@x@", "b=3") == {}


def test_another_session_is_an_archive(problem, tmp_path):
    from bayescope.engine.session.records import AskRecord, EvaluationRecord

    with SessionStore.create(tmp_path / "old.bayescope", problem, own=True) as store:
        for i, outcome in enumerate(["ok", "failed", "impossible"]):
            store.add_cycle(asks=[AskRecord(i, np.zeros(2), i)])
            value = -1.5 if outcome == "ok" else None
            store.add_evaluation(
                EvaluationRecord(i, i, np.zeros(2), {"rho": 0.5, "kappa": 50.0 + i}, outcome, value, -1.0, value)
            )
    found = read(tmp_path / "old.bayescope", problem)
    mapped = mapping_from_options(found, problem, {}, None, None, None)
    imported = interpret(found, problem, mapped)
    assert imported.record.values.tolist() == [-1.5, -math.inf]
    assert any("1 failed runs" in n for n in found.notes)


def test_the_loop_gets_prior_and_jacobian_added(problem):
    space = ParameterSpace(problem.parameters)
    record = interpret(table_of(GOOD), problem, PLAIN).record
    archive = archive_of(record, space)
    expected = record.values + space.log_prior_in_inference(archive.points)
    assert np.allclose(archive.values, expected)
    assert np.allclose(space.to_user(archive.points), record.points)
