"""Earlier evaluations for an analysis that has some: what is new, what is there already, what contradicts it, other units."""

from __future__ import annotations

import numpy as np
import pytest
from archived_runs import evaluations, two_parameters

from bayescope.engine.archive.additions import addition, known_of
from bayescope.engine.archive.interpret import interpret
from bayescope.engine.archive.mapping import mapping_from_options
from bayescope.engine.archive.table import Table
from bayescope.engine.session.errors import SessionError
from bayescope.engine.session.records import AskRecord, EvaluationRecord
from bayescope.engine.session.store import SessionStore

PROBLEM = two_parameters()


def understood(values, name="runs.csv", columns=("rho", "kappa", "loglik"), sd=None):
    table = Table(columns, values, name)
    return interpret(table, PROBLEM, mapping_from_options(table, PROBLEM, {}, None, None, sd))


@pytest.fixture
def store(tmp_path):
    with SessionStore.create(tmp_path / "s.bayescope", PROBLEM, own=True) as made:
        made.save_archive(understood(evaluations(40), "first.csv").record)
        yield made


def added(store, values, **named):
    return addition(understood(values, **named), PROBLEM, known_of(store))


def test_rows_that_are_there_are_not_taken_twice_and_another_value_is_a_contradiction(store):
    values = np.concatenate([evaluations(40)[:10], evaluations(5, seed=1)])
    values[3, 2] += 2.5
    found = added(store, values)
    assert (found.count, found.repeated, found.contradicting) == (5, 9, 1)
    assert "5 of 15 rows of runs.csv are new; 9 are there already." in found.words()
    assert any("1 row contradicts" in words and "2.5" in words for words in found.words())


def test_a_constant_that_was_left_out_and_other_units_are_said(store):
    shifted = evaluations(40)[:10] + np.array([0.0, 0.0, 7.0])
    assert any("All differ by 7" in words for words in added(store, shifted).words())
    other = evaluations(10, seed=2) * [1.0, 1000.0, 1.0]
    assert any("kappa is about" in words and "in the analysis" in words for words in added(store, other).words())


def test_noisy_rows_at_known_places_are_news_and_the_same_file_twice_is_not(store):
    noisy = np.column_stack([evaluations(40)[:6], np.full(6, 0.5)])
    noisy[:, 2] += np.linspace(-0.4, 0.4, 6)
    once = added(store, noisy, columns=("rho", "kappa", "loglik", "sd"))
    assert once.count == 6
    store.add_to_archive(once.record)
    assert added(store, evaluations(40)).count == 0


def test_parts_are_joined_in_order_and_a_posterior_column_becomes_what_the_archive_has(store):
    values = evaluations(5, seed=3)
    prior = PROBLEM.parameters[1].prior
    joint = values.copy()
    joint[:, 2] += -0.5 * ((values[:, 1] - prior.mean) / prior.sd) ** 2 - np.log(prior.sd * np.sqrt(2 * np.pi))
    found = added(store, joint, columns=("rho", "kappa", "logpost"))
    assert np.allclose(found.record.values, values[:, 2])
    assert store.add_to_archive(found.record) == 2
    assert len(store.archive().values) == 45
    assert [number for number, _ in store.archive_parts(1)] == [2]
    assert store.archive().source == "first.csv, runs.csv"


def test_runs_of_the_analysis_count_as_known_and_the_archive_can_grow_after_them(store):
    theta = evaluations(1, seed=4)[0]
    values = {"rho": float(theta[0]), "kappa": float(theta[1])}
    store.add_cycle(asks=[AskRecord(0, np.zeros(2), 0, "design")])
    store.add_evaluation(EvaluationRecord(0, 0, np.zeros(2), values, "ok", float(theta[2]), 0.0, float(theta[2]), 0.0, 1.0, 0.0))
    with pytest.raises(SessionError, match="only before the first run"):
        store.save_archive(None)
    found = added(store, np.concatenate([theta[None], evaluations(3, seed=5)]))
    assert (found.count, found.repeated) == (3, 1)
    store.add_to_archive(found.record)
    assert store.evaluation_count == 1
