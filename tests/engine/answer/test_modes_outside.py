"""Modes in what leaves a session: samples, report, terminal; and nothing of them where there is one."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer import latest
from bayescope.engine.answer.modes import modes_of_store
from bayescope.engine.answer.unseen import claim_of_store
from bayescope.engine.app.headless import show_answer
from bayescope.engine.report import export, report
from bayescope.engine.session.store import SessionStore


@pytest.fixture
def two_modes(session_path, problem, make_evaluation, make_iteration):
    """An answer of two modes on a problem whose second parameter is called ``mode``."""
    parameters = (msgspec.structs.replace(problem.parameters[0], label="<Width>"), problem.parameters[1])
    parameters = (parameters[0], msgspec.structs.replace(parameters[1], name="mode"))
    simulator = msgspec.structs.replace(problem.simulator, command=("true", "@a@", "@mode@"))
    declared = msgspec.structs.replace(problem, parameters=parameters, simulator=simulator)
    with SessionStore.create(session_path, declared, own=True) as store:
        for k in range(6):
            made = make_evaluation(k)
            store.add_evaluation(replace(made, values={"a": 0.2 + 0.25 * k, "mode": 3.0 - k}))
        mixture = np.array([0.6, 0.4]), np.array([[-1.0, 2.0], [1.0, -2.0]]), np.tile(0.04 * np.eye(2), (2, 1, 1))
        record = replace(make_iteration(3), n_evaluations=6, draws=None, draw_weights=None, preferred="mixture")
        weights, means, covariances = mixture
        store.add_iteration(replace(record, weights=weights, means=means, covariances=covariances))
        yield store


def test_samples_name_the_mode_of_each_draw_in_a_column_that_is_no_parameters(two_modes, tmp_path):
    beside = export.export_samples(two_modes, tmp_path / "s.csv", n=400, seed=1)
    with open(tmp_path / "s.csv", newline="") as file:
        head, *rows = list(csv.reader(file))
    assert head == ["a", "mode", "posterior_mode"]
    assert all((row[2] == "1") == (float(row[1]) > 0) for row in rows)
    assert np.mean([row[2] == "1" for row in rows]) == pytest.approx(0.6, abs=0.1)
    posterior, _ = latest.posterior_of(two_modes)
    assert np.array_equal(np.array([row[:2] for row in rows], dtype=float), posterior.sample(400, 1))
    assert [m["name"] for m in json.loads(beside.read_text())["modes"]] == ["1", "2"]


def test_the_report_states_each_mode_and_its_summary_with_every_name_escaped(two_modes):
    page = report.report_html(two_modes)
    part = page[page.index("<h2>Modes</h2>") : page.index("<h2>Correlations</h2>")]
    assert "<h3>Mode 1</h3>" in part
    assert "<h3>Mode 2</h3>" in part
    assert "smaller mode, larger &lt;Width&gt;" in part
    assert "<Width>" not in page


def test_the_terminal_states_the_modes_that_the_claim_counts(two_modes, capsys):
    assert show_answer(two_modes)
    said = capsys.readouterr().out
    modes, claim = modes_of_store(two_modes), claim_of_store(two_modes)
    assert modes is not None
    assert claim is not None
    assert claim.modes == len(modes) == 2
    assert "Two modes were found." in said
    assert "Mode 2: 0.40 ± " in said


def test_of_a_single_mode_nothing_is_said_anywhere(session_path, problem, make_evaluation, make_iteration, tmp_path, capsys):
    with SessionStore.create(session_path, problem, own=True) as store:
        for k in range(6):
            store.add_evaluation(make_evaluation(k))
        one = np.ones(1), np.zeros((1, 2)), 0.04 * np.eye(2)[None]
        weights, means, covariances = one
        store.add_iteration(replace(make_iteration(3), n_evaluations=6, weights=weights, means=means, covariances=covariances))
        beside = export.export_samples(store, tmp_path / "s.csv", n=10)
        assert (tmp_path / "s.csv").read_text().startswith("a,b\n")
        assert "modes" not in json.loads(beside.read_text())
        show_answer(store)
    assert "Mode " not in capsys.readouterr().out
