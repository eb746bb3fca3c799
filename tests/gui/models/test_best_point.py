"""What the runs at the best point of a random program gave is told beside what was measured."""

from __future__ import annotations

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.run_data import Evaluation
from bayescope.gui.models.results.best_point import NOT_OVER_DATA, best_index, best_words


def evaluation(index: int, outcome: str, density: float | None) -> Evaluation:
    return Evaluation(index, {}, outcome, density, density, 0.1, 1.0, 0.0)  # type: ignore[arg-type]


PROBLEM = d.Problem(
    name="x", parameters=(), simulator=d.Simulator(command=("a",)), outputs=(),
    data=d.DataTable(columns={"Sites": (1539.0,), "many": (1.0, 2.0)}),
    meaning=d.SyntheticLikelihood(
        summaries=(d.Summary(output="sites", column="Sites", statistic="values"), d.Summary(output="many", column="many"))
    ),
)  # fmt: skip


def test_the_best_point_is_told_by_mean_and_spread_of_its_runs() -> None:
    assert best_index([evaluation(0, "failed", None), evaluation(1, "ok", -5.0), evaluation(2, "ok", -7.0)]) == 1
    assert best_index([evaluation(0, "failed", None)]) is None
    outputs = {"sites": np.array([[1500.0], [1540.0], [1520.0]]), "many": np.ones((3, 2))}
    words = best_words(PROBLEM, 1, outputs)
    assert "sites: 1520 ± 20; measured 1539, 0.9 spreads away" in words
    assert "many: 1 of 2 measured values lie within 2 spreads of the mean of the runs" in words, "1 is as measured, 2 is not"
    assert best_words(PROBLEM, 1, {}) == NOT_OVER_DATA
    assert "appears here" in best_words(PROBLEM, None, {})


def test_curves_that_are_paired_by_a_key_are_told_at_the_keys_of_the_data() -> None:
    keyed = d.Summary(output="ill", column="ill", key_output="day", key_column="day")
    data = d.DataTable(columns={"day": (0.0, 2.0), "ill": (6.0, 50.0)})
    problem = msgspec.structs.replace(PROBLEM, data=data, meaning=d.SyntheticLikelihood(summaries=(keyed,)))
    days = np.tile([0.0, 1.0, 2.0], (3, 1))
    ill = np.array([[5.0, 9.0, 20.0], [6.0, 9.0, 21.0], [7.0, 9.0, 22.0]])
    words = best_words(problem, 4, {"ill": ill, "day": days})
    assert "ill: 1 of 2 measured values lie within 2 spreads" in words
    lost = best_words(problem, 4, {"ill": ill, "day": days + 0.5})
    assert lost == NOT_OVER_DATA
