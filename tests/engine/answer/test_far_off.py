"""Values far off their neighbours as they are stored with an answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bayescope.engine.answer.best_fit import best_fit_of
from bayescope.engine.answer.failures.far_off import FATES, FarOff, chance_words, notes
from bayescope.engine.answer.failures.set_aside import set_aside_of
from bayescope.engine.answer.known_runs import counted_runs, known_runs
from bayescope.engine.app.failures_command import make_again, print_failures
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.report.export import export_evaluations
from bayescope.engine.session.store import SessionStore

ROWS = [(12.0, -52.4, 30.0, 1.0, 37.0), (4.0, -6.2, -87.1, 2.0, 20.0), (44.0, -9.0, -200.0, 0.0, -1.0)]


@given(
    st.lists(
        st.tuples(st.integers(0, 999), st.floats(-99, 0), st.floats(-1e6, 1e6), st.integers(0, 2), st.integers(-1, 999)),
        max_size=8,
    )
)
def test_what_is_stored_comes_back(rows: list[tuple[float, ...]]) -> None:
    found = FarOff.of_rows(rows)
    again = FarOff.of(found.arrays())
    assert all(np.array_equal(a, b) for a, b in zip(vars(found).values(), vars(again).values(), strict=True))
    assert again.not_counted == {int(r[0]) for r in rows if FATES[int(r[3])] != "kept"}
    assert all(again.words_of(int(r[0])) for r in rows)


def test_arrays_that_make_no_sense_are_none_at_all() -> None:
    arrays = FarOff.of_rows(ROWS).arrays()
    for name, wrong in {"chance": [0.0], "fate": [1.0, 7.0, 0.0], "residual": [np.nan] * 3, "index": [[1.0]]}.items():
        assert not len(FarOff.of(arrays | {f"far_off.{name}": np.array(wrong)}).index)
    assert not len(FarOff.of({}).index)


def test_each_run_is_told_in_words_that_agree_with_its_fate() -> None:
    found = FarOff.of_rows(ROWS)
    assert found.words_of(12) == (
        "Far off its neighbours (less than 1 in 10^12): 30 nats above what its neighbours imply. Run 37, right beside it, came "
        "out otherwise: this value is left out. Either the program or the reading of its output went wrong there, or its "
        "outputs jump."
    )
    assert "(1 in 10^6): 87 nats below" in found.words_of(4)
    assert found.words_of(4).endswith("Run 20, right beside it, gave the same: it counts.")
    assert "does not count until" in found.words_of(44)
    assert found.words_of(3) == ""
    assert found.not_counted == {12, 44}


def test_the_notes_of_an_answer_name_the_runs() -> None:
    out, open_, kept = notes(FarOff.of_rows(ROWS), 50)
    assert out.startswith("1 of 50 values lies far off the neighbours, and did not come again right beside (run 12)")
    assert "run 44" in open_
    assert "run 4 " in kept
    assert notes(FarOff.of({}), 50) == ()


def test_chances_beyond_meaning_are_not_told_apart() -> None:
    assert chance_words(-6.7) == "1 in 10^6"
    assert chance_words(-80.0) == "less than 1 in 10^12"


def test_what_is_left_out_counts_nowhere_and_can_be_made_again(
    session_path, problem, make_ask, make_evaluation, make_iteration, capsys
) -> None:
    with SessionStore.create(session_path, problem, own=True) as store:
        for i in range(5):
            store.add_cycle(asks=[make_ask(i)])
            store.add_evaluation(make_evaluation(i))
        assert best_fit_of(store).index == 0
        answer = replace(make_iteration(0), n_evaluations=5)
        far_off = FarOff.of_rows([(0.0, -30.0, 30.0, 1.0, 4.0), (2.0, -7.0, -9.0, 2.0, 3.0)])
        store.add_iteration(replace(answer, slices=answer.slices | far_off.arrays()))
        assert best_fit_of(store).index == 1
        assert [e.index for e in counted_runs(store)] == [1, 2, 3, 4]
        theta, y, _ = known_runs(store, store.last_iteration(), ParameterSpace(problem.parameters))
        assert len(theta) == 5
        assert np.flatnonzero(np.isnan(y)).tolist() == [0]
        export_evaluations(store, session_path.with_suffix(".csv"))
        rows = session_path.with_suffix(".csv").read_text().splitlines()
        assert "this value is left out" in rows[1]
        assert "it counts" in rows[3]
    assert print_failures(session_path) == 0
    said = capsys.readouterr().out
    assert "Run 0. Far off its neighbours" in said
    assert "--again" in said
    assert make_again(session_path) == 0
    with SessionStore.open(session_path) as store:
        assert [e.index for e in store.evaluations()] == [1, 2, 3, 4]
        (gone,) = set_aside_of(store)
        assert (gone.index, gone.outcome) == (0, "ok")
        assert FarOff.of(store.last_iteration().slices).index.tolist() == [2.0], "of the run made again nothing is said any more"
        assert gone.reason.startswith("Far off")
