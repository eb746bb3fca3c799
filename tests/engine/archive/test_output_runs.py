"""Earlier runs imported by their outputs: columns by name, bad rows in words, learnt as outputs, asked again without running."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
import numpy as np
import pytest
from archived_runs import CURVE_COLUMNS, TIMES, curve, curve_problem, curve_runs, table_of

from bayescope.engine.again.answer import answer_again
from bayescope.engine.again.imported_runs import answer_imported, awaits_answer
from bayescope.engine.archive.output_columns import MappedOutputs, groups, holds_outputs, outputs_from_options
from bayescope.engine.archive.output_runs import MOST_RUNS, interpret_outputs
from bayescope.engine.archive.several import together
from bayescope.engine.archive.sources import read_session
from bayescope.engine.archive.store import store_archive, store_runs
from bayescope.engine.archive.table import ArchiveError
from bayescope.engine.archive.table_file import read_table
from bayescope.engine.likelihood.evaluate import log_likelihood
from bayescope.engine.problem import definition as d
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.records import AskRecord
from bayescope.engine.session.store import SessionStore

replace = msgspec.structs.replace
LIST = (
    Path(__file__).parent / "data" / "lists.parquet"
)  # written by pyarrow: a, k, y; in y a short list, none and an empty one


def table(rows, name="old.csv", columns=CURVE_COLUMNS):
    return table_of(rows, name, columns)


def understood(rows, problem=None, **names):
    problem = problem or curve_problem()
    found = table(rows, **names)
    return interpret_outputs(found, problem, outputs_from_options(found, problem, {}, {}))


@pytest.fixture
def store(tmp_path):
    with SessionStore.create(tmp_path / "s.bayescope", curve_problem(), own=True) as made:
        yield made


@pytest.mark.parametrize("spelled", ["y[{}]", "y_{}", "y{}", "y.{}", "y({})", "Y [{}]", "y-{}"])
@pytest.mark.parametrize("first", [0, 1])
def test_numbered_columns_are_one_vector_however_they_are_numbered(spelled, first):
    names = [spelled.format(i + first) for i in range(12)]
    (found,) = groups(["a", "k", *names[::-1], "ll"]).values()
    assert found == tuple(names)


def test_columns_with_a_gap_or_one_number_alone_are_no_vector():
    assert groups(["x0", "x1", "y2", "y3", "z1", "w_1", "w_3"]) == {"x": ("x0", "x1")}


def test_rows_are_scored_by_the_problem_and_kept_with_their_outputs():
    rows, problem = curve_runs(20), curve_problem()
    found = understood(rows)
    assert len(found.runs) == 20
    for run, row in zip(found.runs, rows, strict=True):
        assert run.values == pytest.approx({"a": row[0], "k": row[1]})
        np.testing.assert_array_equal(run.outputs["y"], row[2:])
        assert run.log_likelihood == pytest.approx(log_likelihood(problem, {"y": row[2:]}, run.values)[0])
        assert run.log_target is not None
    assert "20 of 20 rows of old.csv can be used" in found.imported.words()[0]


def test_bad_rows_are_left_out_or_taken_for_failed_runs_and_said():
    rows = curve_runs(30)
    rows[0, 5] = math.nan  # a missing cell
    rows[1:4, 2:] = math.nan  # runs that failed
    rows[4, 0] = math.nan
    rows[5, 0] = 7.0  # beyond the bounds
    rows[6] = rows[7]
    rows[8, :2] = rows[9, :2]  # another result at the same values
    found = understood(rows)
    notes = " ".join(found.imported.notes)
    for words in (
        "1 rows lack some outputs: they have no likelihood, but the outputs they have are learnt",
        "3 rows have no outputs and are taken for runs that failed",
        "1 rows without a number for every parameter", "1 rows with a on or outside its bounds", "2 repeated rows were left out",
        "1 points have other outputs in another row",
    ):  # fmt: skip
        assert words in notes
    failed = [run for run in found.runs if run.outcome == "failed"]
    assert len(failed) == 4
    np.testing.assert_array_equal(failed[0].outputs["y"], rows[0, 2:])  # what it has is kept
    assert len(found.runs) == 26


def test_the_same_file_twice_counts_once_and_a_file_in_other_units_is_noticed():
    one, two, three = curve_runs(40), curve_runs(40, 1), curve_runs(40, 2)
    three[:, 2:] *= 1000.0
    problem = curve_problem()
    joined = together([table(r, n) for r, n in ((one, "a.csv"), (one, "b.csv"), (two, "c.csv"), (three, "d.csv"))])
    found = interpret_outputs(joined, problem, outputs_from_options(joined, problem, {}, {}))
    notes = " ".join(found.imported.notes)
    assert "b.csv holds the same rows as a.csv" in notes
    assert "40 repeated rows were left out" in notes
    assert "In d.csv y is about" in notes
    assert len(found.runs) == 120


def test_vectors_of_the_wrong_length_are_refused_with_both_lengths():
    rows = curve_runs(20)
    with pytest.raises(ArchiveError, match=r"has 10 values.*12 rows"):
        understood(rows[:, :12], columns=CURVE_COLUMNS[:12])


def test_an_output_that_no_column_holds_is_named():
    with pytest.raises(ArchiveError, match="Which columns hold the output y was not said"):
        understood(curve_runs(5), columns=("a", "k", *(f"z[{i}]" for i in range(12))))


def test_a_fixed_parameter_with_another_value_is_refused_or_its_rows_are_left_out():
    problem = curve_problem()
    fixed = d.Parameter(name="k", prior=d.Uniform(low=0, high=3), fixed=0.8)
    problem = replace(problem, parameters=(problem.parameters[0], fixed))
    rows = curve_runs(20)
    with pytest.raises(ArchiveError, match=r"k is fixed at 0.8, and no row has that value"):
        understood(rows, problem)
    rows[:10, 1] = 0.8
    assert "10 rows with k other than 0.8" in " ".join(understood(rows, problem).imported.notes)


def test_keys_that_the_table_lacks_are_those_of_the_data_and_keys_it_has_are_used():
    problem, rows = curve_problem(keys=(("time", "t"),)), curve_runs(15)
    found = understood(rows, problem)
    assert "taken in the order of the data's rows" in " ".join(found.imported.notes)
    np.testing.assert_array_equal(found.runs[0].outputs["time"], TIMES)
    reversed_ = np.column_stack([rows[:, :2], rows[:, :1:-1], np.tile(TIMES[::-1], (15, 1))])
    columns = (*CURVE_COLUMNS, *(f"time[{i}]" for i in range(12)))
    again = understood(reversed_, problem, columns=columns)
    assert [r.log_likelihood for r in again.runs] == pytest.approx([r.log_likelihood for r in found.runs])
    with pytest.raises(ArchiveError, match="no columns hold its key time"):
        understood(rows[:, :12], problem, columns=CURVE_COLUMNS[:12])


def test_of_many_runs_those_near_the_best_and_some_of_all_others_are_used():
    rows = curve_runs(3000)
    found = understood(rows)
    assert len(found.runs) == MOST_RUNS
    assert [r.index for r in found.runs] == list(range(MOST_RUNS))
    values = np.array([r.log_likelihood for r in found.runs], dtype=float)
    assert found.imported.record.values.max() == values.max()
    assert np.quantile(values, 0.05) < np.quantile(found.imported.record.values, 0.3)


def test_cells_that_are_lists_are_columns_and_what_is_missing_in_them_is_too():
    found = read_table(LIST)
    assert found.columns == CURVE_COLUMNS
    assert np.isnan(found.values[1, 10:]).all()  # a list of eight
    assert np.isnan(found.values[2:4, 2:]).all()
    np.testing.assert_allclose(found.values[0, 2:], curve(*found.values[0, :2]))
    kept = interpret_outputs(found, curve_problem(), outputs_from_options(found, curve_problem(), {}, {}))
    assert sum(run.outcome == "failed" for run in kept.runs) == 3  # one of them lacks only some


def test_names_that_suggest_outputs_are_found_and_a_log_density_alone_is_not_taken_for_one():
    problem = curve_problem()
    assert holds_outputs(table(curve_runs(3)), problem)
    assert not holds_outputs(table_of([[1, 1, -3]], columns=("a", "k", "loglik")), problem)


def test_imported_runs_give_an_answer_and_a_session_to_go_on_from(store):
    store_runs(store, understood(curve_runs(60)))
    assert store.problem.settings.method == "default"
    assert store.problem.settings.max_evaluations == 100
    assert awaits_answer(store)
    events = []
    answer_imported(store, events.append)
    assert not awaits_answer(store)
    last = store.last_iteration()
    assert last is not None
    assert last.n_evaluations == 60
    assert {ask.purpose for ask in store.asks()} == {"earlier"}
    assert store.checkpoint()["told"] == 60


def test_other_noise_is_answered_from_imported_runs_as_from_own_ones(store):
    store_runs(store, understood(curve_runs(60)))
    wider = replace(store.problem, meaning=replace(store.problem.meaning, noise=d.GaussianKnown(sd=0.06)))
    found = answer_again(wider, store.evaluations(), store.problem)
    exact = max(log_likelihood(wider, r.outputs, r.values)[0] for r in store.evaluations())
    assert max(r.log_likelihood for r in found.records if r.log_likelihood is not None) == pytest.approx(exact)


def test_parameters_of_the_noise_alone_need_no_column_and_get_values_when_the_runs_are_learnt(tmp_path):
    problem = curve_problem(d.GaussianInferred(parameter="s"), s=d.LogUniform(low=1e-3, high=1.0))
    with SessionStore.create(tmp_path / "n.bayescope", problem, own=True) as store:
        store_runs(store, understood(curve_runs(60), problem))
        assert len({r.values["s"] for r in store.evaluations()}) == 1
        answer_imported(store, lambda event: None)
        assert len({r.values["s"] for r in store.evaluations()}) > 20


def test_another_import_takes_the_place_of_the_first_until_there_are_own_runs(store):
    store_runs(store, understood(curve_runs(60)))
    store_runs(store, understood(curve_runs(30, 1)))
    assert store.evaluation_count == 30
    assert store.problem.settings.max_evaluations == 70
    record = understood(curve_runs(10)).imported
    store_archive(store, record)
    assert store.evaluation_count == 0
    assert store.archive() is not None
    store_runs(store, understood(curve_runs(30)))
    assert store.archive() is None
    store.add_cycle(asks=[AskRecord(30, store.evaluations()[0].u, 30)])
    with pytest.raises(SessionError, match="only before the first run"):
        store_runs(store, understood(curve_runs(60)))


def test_an_import_that_is_broken_off_leaves_the_session_as_it_was(store):
    def stop():
        raise InterruptedError

    before = store.problem
    with pytest.raises(InterruptedError):
        store_runs(store, understood(curve_runs(20)), check=stop)
    assert store.problem == before
    assert not store.has_started


def test_a_session_whose_runs_have_outputs_is_such_a_table(store, tmp_path):
    store_runs(store, understood(curve_runs(20)))
    answer_imported(store, lambda event: None)
    found, problem = read_session(store.path), curve_problem()
    assert holds_outputs(found, problem)
    again = interpret_outputs(found, problem, outputs_from_options(found, problem, {}, {}))
    assert [r.log_likelihood for r in again.runs] == [r.log_likelihood for r in store.evaluations()]


def test_a_column_given_twice_is_refused():
    mapped = MappedOutputs({"a": "a", "k": "a"}, {"y": CURVE_COLUMNS[2:]})
    with pytest.raises(ArchiveError, match="“a” is used twice"):
        interpret_outputs(table(curve_runs(3)), curve_problem(), mapped)
