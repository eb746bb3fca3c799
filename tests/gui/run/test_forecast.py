"""How long an analysis takes is told before Start as an honest range."""

from __future__ import annotations

import msgspec
import pytest
from data_pages import PROBLEM

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.counting import brief_words
from bayescope.gui.analysis.forecast import seconds_ahead


def of(parameters: int) -> d.Problem:
    names = [f"p{k}" for k in range(parameters)]
    free = tuple(d.Parameter(name=n, prior=d.Uniform(low=0.0, high=1.0)) for n in names)
    return msgspec.structs.replace(PROBLEM, parameters=free)


@pytest.mark.parametrize(
    ("runs", "parameters", "workers", "test_run_s", "took_s"),
    [  # of real programs on a busy computer with two cores
        (95, 4, 2, 1.894, 122), (42, 3, 1, 8.1, 360), (57, 5, 2, 0.816, 70), (39, 4, 2, 3.889, 102), (40, 3, 2, 0.167, 15),
        (140, 3, 2, 0.613, 184), (122, 3, 2, 1.528, 136), (78, 3, 2, 0.851, 68), (140, 3, 2, 30.9, 2483), (67, 4, 2, 0.168, 50),
        (169, 3, 2, 8.96, 846), (36, 3, 2, 0.065, 27),
    ],
)  # fmt: skip
def test_the_range_holds_what_real_analyses_took(
    runs: int, parameters: int, workers: int, test_run_s: float, took_s: float
) -> None:
    low, high = seconds_ahead(of(parameters), runs, workers, test_run_s, cores=2)
    assert low < took_s < high


def test_computing_grows_with_the_parameters_to_learn() -> None:
    assert seconds_ahead(of(10), 140, 1, 0.01)[1] > 3 * seconds_ahead(of(5), 140, 1, 0.01)[1]
    four = of(4)
    fixed = (*four.parameters, d.Parameter(name="f", prior=d.Uniform(low=0.0, high=1.0), fixed=0.5))
    assert seconds_ahead(msgspec.structs.replace(four, parameters=fixed), 140, 1, 0.01) == seconds_ahead(four, 140, 1, 0.01)
    assert brief_words(four, 140, 1, 60.0) == "140 runs, 2 – 3 h in all"
    assert brief_words(four, 140, 1, 60.0, first=True) == "140 runs, up to 3 h in all"
    assert brief_words(four, 3, 1, 0.001, first=True) == "3 runs, up to 4 s in all"


def test_more_runs_at_a_time_than_cores_may_gain_nothing_on_this_computer() -> None:
    few, many = (seconds_ahead(of(3), 100, at_once, 60.0, cores=2) for at_once in (2, 8))
    assert many[0] < few[0]
    assert many[1] == few[1]
    assert seconds_ahead(of(3), 100, 8, 60.0, here=False, cores=2)[1] < few[1]
