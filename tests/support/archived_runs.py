"""A problem of two parameters with a log-likelihood, earlier evaluations of it, and one whose program prints a curve."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.archive.table import Table
from bayescope.engine.problem import definition as d

Array = NDArray[np.float64]
TIMES = np.arange(12) / 4.0
CURVE = "import math, sys; a, k = map(float, sys.argv[1:]); [print(a * math.exp(-k * i / 4) + k * i / 40) for i in range(12)]"


def two_parameters(
    kappa: d.Parameter | None = None, templates: Sequence[d.TemplateFile] = (), command: Sequence[str] = ("true",)
) -> d.Problem:
    """rho between 0 and 1, and kappa around 50 unless it is given."""
    return d.Problem(
        name="two",
        parameters=(
            d.Parameter("rho", d.Uniform(low=0.0, high=1.0)), kappa or d.Parameter("kappa", d.Normal(mean=50.0, sd=20.0)),
        ),
        simulator=d.Simulator(command=tuple(command), templates=tuple(templates)),
        outputs=(d.Output("ll", "stdout", d.LabelledNumber(label="loglik")),),
        meaning=d.LogLikelihoodOutput(output="ll"),
    )  # fmt: skip


def evaluations(n: int, seed: int = 0, of_kappa: float = 0.0) -> Array:
    """(n, 3): rho, kappa, log-likelihood; ``of_kappa``: how much of it is."""
    rng = np.random.default_rng(seed)
    x = np.column_stack([rng.uniform(0.05, 0.95, n), rng.uniform(20, 80, n)])
    return np.column_stack([x, -0.5 * ((x[:, 0] - 0.4) / 0.1) ** 2 - 0.5 * of_kappa * ((x[:, 1] - 60) / 20) ** 2])


def table_of(rows: object, name: str = "a.csv", columns: Sequence[str] = ("rho", "kappa", "loglik")) -> Table:
    return Table(tuple(columns), np.asarray(rows, dtype=float), name)


def curve(a: float, k: float) -> Array:
    """What CURVE prints."""
    return np.asarray(a * np.exp(-k * TIMES) + k * TIMES / 10.0)


def curve_problem(noise: d.NoiseModel | None = None, keys: tuple[tuple[str, str], ...] = (), **more: object) -> d.Problem:
    """``keys``: (output, data column) by which rows are paired; ``more``: further parameters by name."""
    data = curve(1.2, 0.8) + 0.03 * np.random.default_rng(1).standard_normal(12)
    names = ("y", *(own for own, _ in keys))
    return d.Problem(
        name="curve",
        parameters=(
            d.Parameter(name="a", prior=d.Uniform(low=0.0, high=5.0)), d.Parameter(name="k", prior=d.Uniform(low=0.0, high=3.0)),
            *(d.Parameter(name=name, prior=prior) for name, prior in more.items()),  # type: ignore[arg-type]
        ),
        simulator=d.Simulator(command=(sys.executable, "-c", CURVE, "@a@", "@k@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.Region(columns=(1,))) for n in names),
        meaning=d.Predictions(
            matches=(d.Match(output="y", column="measured", **(_paired(keys))),), noise=noise or d.GaussianKnown(sd=0.03)
        ),
        data=d.DataTable(columns={"t": tuple(TIMES.tolist()), "measured": tuple(data.tolist())}),
        settings=d.Settings(seed=1, max_evaluations=40, options={"final_draws": 2000}),
    )  # fmt: skip


def _paired(keys: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {} if not keys else {"key_output": keys[0][0], "key_column": keys[0][1]}


def curve_runs(n: int, seed: int = 0) -> Array:
    """(n, 14): a, k and the twelve outputs, around the truth and nearer and nearer to it."""
    rng = np.random.default_rng(seed)
    near = np.exp(-3.0 * rng.random(n))[:, None]
    x = np.clip(np.array([1.2, 0.8]) + near * rng.standard_normal((n, 2)) * [1.0, 0.6], 0.01, 2.9)
    return np.column_stack([x, [curve(a, k) for a, k in x]])


CURVE_COLUMNS = ("a", "k", *(f"y[{i}]" for i in range(12)))
