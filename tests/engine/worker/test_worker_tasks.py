"""Comparisons and the check of an archive by the real engine process."""

from __future__ import annotations

from bayescope.engine import protocol as p
from bayescope.engine.session.store import SessionStore
from consents import command_fields


def test_a_finished_session_is_compared_without_new_runs(start_engine, session_path, make_problem):
    SessionStore.create(session_path, make_problem(evaluations=16), own=True).close()
    engine = start_engine()
    engine.send(p.StartRun(session=str(session_path)))
    engine.wait_end()
    engine.send(p.Compare(session=str(session_path), method="laplace"))
    engine.wait_for(lambda: engine.of(p.BaselineReady) or engine.of(p.BaselineFailed))
    (ready,) = engine.of(p.BaselineReady)
    assert ready.means.array().shape == (1, 2)
    assert ready.n_evaluations == len(engine.of(p.EvaluationDone)) == 16
    engine.send(p.Compare(session=str(session_path), method="mcmc"))
    engine.send(p.Compare(session=str(session_path), method="stacking"))  # one at a time
    engine.wait_for(lambda: engine.of(p.BaselineFailed))
    assert "still being computed" in engine.of(p.BaselineFailed)[0].words
    engine.send(p.CancelCompare())
    engine.wait_for(lambda: len(engine.of(p.BaselineFailed)) == 2)
    assert engine.of(p.BaselineFailed)[1].words == ""
    engine.send(p.Quit())
    assert engine.process.wait(10) == 0


def test_what_cannot_be_compared_is_said(start_engine, session_path, make_problem):
    SessionStore.create(session_path, make_problem(), own=True).close()
    engine = start_engine()
    engine.send(p.Compare(session=str(session_path), method="mcmc"))
    engine.wait_for(lambda: engine.of(p.BaselineFailed))
    assert "too few" in engine.of(p.BaselineFailed)[0].words


def test_a_row_of_an_archive_is_recomputed_by_the_simulator(start_engine, tmp_path, make_problem):
    values = {"a": 1.0, "b": 1.5}
    right = -0.5 * (1.0 + 0.5**2)
    engine = start_engine()
    rows = [p.ArchivedRow(values=values, value=right), p.ArchivedRow(values=values, value=right + 3.0)]
    for k, row in enumerate(rows):
        engine.send(
            p.CheckArchive(**command_fields(make_problem(), tmp_path), rows=(row,), meaning="log_likelihood")
        )
        engine.wait_for(lambda k=k: len(engine.of(p.ArchiveChecked)) > k)
    first, second = engine.of(p.ArchiveChecked)
    assert first.agrees, first.words
    assert second.agrees is False
    assert "disagrees" in second.words
