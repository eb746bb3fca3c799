"""A current-voltage curve that the program prints up to the open-circuit voltage: most runs lack rows of what was measured."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.likelihood.evaluate import log_likelihood
from bayescope.engine.loop_interface import Tell
from bayescope.engine.methods.loops import loop_settings, make_loop
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.run.one_evaluation import told_cells

pytestmark = pytest.mark.loops
GRID = np.round(np.arange(0.0, 1.5001, 0.01), 6)
TRUE = {"il": 3.0, "logi0": -8.5, "n": 1.25}
RANGES = {"il": (1.0, 6.0), "logi0": (-9.0, -2.0), "n": (0.8, 1.5)}
THERMAL, SD, BUDGET = 0.02585, 0.01, 45


def program(values: dict[str, float]) -> dict[str, np.ndarray]:
    """Voltages and currents of a single diode, with no series resistance, while the current is above zero."""
    current = values["il"] - 10.0 ** values["logi0"] * np.expm1(GRID / (values["n"] * THERMAL)) - GRID / 200.0
    given = int(np.argmax(current <= 0.0)) if np.any(current <= 0.0) else len(GRID)
    return {"V": GRID[:given], "I": current[:given]}


def problem(seed: int) -> d.Problem:
    true = program(TRUE)
    keys, noise = true["V"][::2], SD * np.random.default_rng(5).standard_normal(len(true["V"][::2]))
    return d.Problem(
        name="iv",
        parameters=tuple(d.Parameter(name=n, prior=d.Uniform(low=a, high=b)) for n, (a, b) in RANGES.items()),
        simulator=d.Simulator(command=("x", "@il@", "@logi0@", "@n@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.CsvColumn(column=n)) for n in ("V", "I")),
        meaning=d.Predictions(
            matches=(d.Match(output="I", column="I", key_output="V", key_column="V"),), noise=d.GaussianKnown(sd=SD)
        ),
        data=d.DataTable(columns={"V": tuple(keys.tolist()), "I": tuple((true["I"][::2] + noise).tolist())}),
        settings=d.Settings(seed=seed, max_evaluations=BUDGET, workers=1, goal="best_fit"),
    )


@pytest.mark.parametrize("seed", [21, 22])
def test_the_best_fit_at_the_edge_of_where_tables_are_whole_is_found_and_few_runs_are_wasted(seed: int) -> None:
    made = problem(seed)
    space = ParameterSpace(made.parameters)
    settings = loop_settings(made, space, BUDGET, 1)
    assert settings.cells is not None
    loop, failed, top = make_loop("default", settings), 0, -np.inf
    told = 0
    while told < BUDGET and not loop.finished:
        (ask,) = loop.ask(1)
        outputs = program(space.values(ask.u))
        good = outputs["V"][-1:].sum() >= settings.cells.places[-1] - 1e-9  # type: ignore[attr-defined]
        cells, value, failed = told_cells(settings.cells, outputs, bool(good)), None, failed + (not good)
        if good:
            found, _ = log_likelihood(made, outputs, space.values(ask.u), {})
            value, top = found + float(space.log_prior_in_inference(ask.u)), max(top, found)
        loop.tell(Tell(ask.index, ask.u, value, outputs=cells, seconds=1.0, reason="" if good else "rows"))
        loop.update()
        told += 1
    true, _ = log_likelihood(made, program(TRUE), TRUE, {})
    assert top > true - 0.1, "the best fit is above the truth"
    assert loop.finished
    assert told < BUDGET
    assert failed <= told // 2
