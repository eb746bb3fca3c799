"""What is predicted at every recorded row, from runs alone: places, runs that end early, other grids, rows without a value."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer.predictions import whole
from bayescope.engine.answer.predictions.learnt_runs import RunsMade
from bayescope.engine.answer.predictions.predictive import Predicted, predicted
from bayescope.engine.answer.predictions.whole import with_whole_curves
from bayescope.engine.problem import definition as d

T = np.arange(11.0)
RATES = np.linspace(0.1, 0.5, 9)
MATCH = d.Match(output="y", column="u", factor=2.0, key_output="t", key_column="t")


def problem(match: d.Match = MATCH, **columns: tuple[float | None, ...]) -> d.Problem:
    return d.Problem(
        name="Decay",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("decay", "@k@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.CsvColumn(column=n)) for n in "ty"),
        meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=0.1)),
        data=d.DataTable(columns=columns or {"t": (3.0, 5.0, 6.0), "u": (1.0, 0.5, 0.4)}),
    )


def made(outputs: dict[int, dict[str, np.ndarray]]) -> RunsMade:
    return RunsMade(RATES[:, None], list(outputs), outputs, np.full(len(outputs), 1.0 / len(outputs)))


def curve(of: d.Problem, outputs: dict[int, dict[str, np.ndarray]]) -> Predicted:
    (match,) = of.meaning.matches  # type: ignore[union-attr]
    runs = made(outputs)
    found = predicted(of, match, runs.indices, outputs, runs.weights)  # type: ignore[arg-type]
    assert found is not None
    (one,) = with_whole_curves(of, [found], runs, None, {})
    return one


def decays(t: np.ndarray = T) -> dict[int, dict[str, np.ndarray]]:
    return {i: {"t": t, "y": np.exp(-k * t)} for i, k in enumerate(RATES)}


def test_the_band_of_the_runs_is_known_at_every_row_in_the_unit_of_the_data() -> None:
    found = curve(problem(), decays())
    assert found.whole is not None
    np.testing.assert_array_equal(found.whole.x, T)
    np.testing.assert_allclose(found.whole.middle, 2.0 * np.exp(-RATES[4] * T))
    at = np.isin(T, found.x)
    for line, same in zip((found.whole.low, found.whole.middle, found.whole.high), found.ends, strict=True):
        np.testing.assert_allclose(line[at], same)


def test_runs_that_end_early_or_print_at_other_times_still_give_one_curve() -> None:
    outputs = decays()
    outputs[0] = {n: v[:8] for n, v in outputs[0].items()}  # one of nine ends early: it is left out of the curve
    other = np.arange(0.0, 10.5, 0.5)
    outputs[4] = {"t": other, "y": np.exp(-RATES[4] * other)}
    found = curve(problem(), outputs).whole
    assert found is not None
    np.testing.assert_array_equal(found.x, other)
    assert found.low[0] == found.high[0] == 2.0
    assert np.all(found.low <= found.middle)
    assert np.all(found.middle <= found.high)


def test_nothing_is_added_where_nothing_more_is_recorded_or_the_keys_are_no_axis() -> None:
    t = np.array([3.0, 5.0, 6.0])
    assert curve(problem(), decays(t)).whole is None
    twice = {i: {"t": np.concatenate([T, [3.0]]), "y": np.exp(-k * np.concatenate([T, [3.0]]))} for i, k in enumerate(RATES)}
    assert curve(problem(), twice).whole is None, "two values at one place are no curve"


def test_rows_of_the_table_without_a_value_are_predicted_where_rows_are_paired_in_order() -> None:
    plain = msgspec.structs.replace(MATCH, key_output=None, key_column=None)
    of = problem(plain, t=tuple(T.tolist()), u=(None, None, None, 1.0, None, 0.5, 0.4, None, None, None, None))
    found = curve(of, decays()).whole
    assert found is not None
    np.testing.assert_array_equal(found.x, T)


def test_a_very_long_output_is_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole, "MOST_NUMBERS", 40)
    found = curve(problem(), decays()).whole
    assert found is not None
    assert len(found.x) <= 40 // len(RATES) + 1
