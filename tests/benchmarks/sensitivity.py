"""Do the intervals of Sobol indices hold what they state? Functions that are known, learnt from few runs by the real loop.

    python tests/benchmarks/sensitivity.py [CASES...] [--runs 30,60] [--seeds 6] [--learn outputs,score] [--keep FOLDER]
        [--emulator]
    python tests/benchmarks/sensitivity.py --table

Inputs are uniform; one value is compared with data that tell hardly anything, so that runs spread over the prior. Exact indices
by quasi-random brute force on the function itself (Saltelli et al. 2010 for the first order, Jansen 1999 for the total).
"""

from __future__ import annotations

import argparse
import json
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from scipy.stats import qmc

from bayescope.engine.answer.predictions.data_parts import columns_of
from bayescope.engine.answer.sensitivity import Indices
from bayescope.engine.likelihood.evaluate import log_likelihood
from bayescope.engine.loop_interface import Tell
from bayescope.engine.methods.loops import loop_settings, make_loop
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.sampling.trusted_density import TrustedDensity
from bayescope.engine.sensitivity import indices
from bayescope.engine.sensitivity.distribution import over_prior
from bayescope.engine.sensitivity.possible_functions import PossibleFunctions
from bayescope.engine.surrogate.outputs.log_joint import EmulatedLogJoint

RESULTS = Path(__file__).parent / "results" / "sensitivity.jsonl"
AS_IS = True  # --emulator: functions by the surrogate's own kernel and likeliest hyperparameters instead
EXACT = 2**17  # points of the brute force
Array = np.ndarray
Function = Callable[[Array], Array]  # (n, D) of the unit cube -> (n,)


@dataclass(frozen=True)
class Case:
    """``measured`` with ``sd``: the value that the function is compared with."""

    dimension: int
    function: Function
    measured: float
    sd: float


def ishigami(x: Array) -> Array:
    a, b, c = (np.pi * (2.0 * x - 1.0)).T
    return np.sin(a) + 7.0 * np.sin(b) ** 2 + 0.1 * c**4 * np.sin(a)


def g_function(x: Array) -> Array:
    a = np.array([0.0, 1.0, 4.5, 9.0])
    return np.prod((np.abs(4.0 * x - 2.0) + a) / (1.0 + a), axis=1)


def friedman(x: Array) -> Array:
    return 10.0 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20.0 * (x[:, 2] - 0.5) ** 2 + 10.0 * x[:, 3] + 5.0 * x[:, 4]


def bratley(x: Array) -> Array:
    return np.cumprod(x, axis=1) @ np.array([-1.0, 1.0, -1.0, 1.0])


def ridge(x: Array) -> Array:
    return np.tanh(4.0 * (x[:, 0] + x[:, 1] - 1.0)) + 0.5 * x[:, 2] ** 2


def bump(x: Array) -> Array:
    return np.exp(-8.0 * ((x[:, 0] - 0.3) ** 2 + (x[:, 1] - 0.7) ** 2)) + 0.3 * x[:, 2] * x[:, 3]


def ratio(x: Array) -> Array:
    return (x[:, 0] + 0.2) / (x[:, 1] + 0.3) * (1.0 + np.cos(2.0 * np.pi * x[:, 2])) + x[:, 3]


def sag(x: Array) -> Array:
    return (0.5 + x[:, 0]) * (0.5 + x[:, 1]) ** 2 / (0.3 + x[:, 2])


def ringing(x: Array) -> Array:
    return np.exp(-2.0 * x[:, 0]) * np.cos(5.0 * x[:, 1]) + x[:, 2] * x[:, 3]


CASES = {
    "ishigami": Case(3, ishigami, 3.5, 10.0),
    "g": Case(4, g_function, 1.0, 2.0),
    "friedman": Case(5, friedman, 14.0, 10.0),
    "bratley": Case(4, bratley, -0.3, 0.5),
    "ridge": Case(3, ridge, 0.2, 1.5),
    "bump": Case(4, bump, 0.3, 0.5),
    "ratio": Case(4, ratio, 1.8, 2.0),
    "sag": Case(3, sag, 1.5, 2.0),
    "ringing": Case(4, ringing, 0.3, 0.5),
}


@lru_cache
def exact(name: str, of: str) -> tuple[Array, Array]:
    """First order and total (D,), of the output or of the log density."""
    case = CASES[name]
    both = qmc.Sobol(2 * case.dimension, seed=0).random(EXACT)
    a, b = both[:, : case.dimension], both[:, case.dimension :]

    def value(x: Array) -> Array:
        y = case.function(x)
        return y if of == "output" else -0.5 * ((y - case.measured) / case.sd) ** 2

    fa, fb = value(a), value(b)
    whole, first, total = np.var(np.concatenate([fa, fb])), [], []
    for i in range(case.dimension):
        mixed = a.copy()
        mixed[:, i] = b[:, i]
        fm = value(mixed)
        first.append(np.mean(fb * (fm - fa)) / whole)
        total.append(0.5 * np.mean((fa - fm) ** 2) / whole)
    return np.array(first), np.array(total)


def problem_of(name: str, seed: int, runs: int, learn: str) -> d.Problem:
    case = CASES[name]
    names = [f"x{k}" for k in range(case.dimension)]
    return d.Problem(
        name=name,
        parameters=tuple(d.Parameter(name=n, prior=d.Uniform(low=0.0, high=1.0)) for n in names),
        simulator=d.Simulator(command=("x", *(f"@{n}@" for n in names))),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
        meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=case.sd)),
        data=d.DataTable(columns={"y": (case.measured,)}),
        settings=d.Settings(seed=seed, max_evaluations=runs, options={"stop": False, "learn": learn}),
    )


def learnt(name: str, seed: int, runs: int, learn: str) -> tuple[d.Problem, TrustedDensity]:
    """What the loop knows after so many runs."""
    case, problem = CASES[name], problem_of(name, seed, runs, learn)
    space = ParameterSpace(problem.parameters)
    known = loop_settings(problem, space, runs, 1)
    loop = make_loop("default", known)
    while not loop.finished:
        asks = loop.ask(1)
        if not asks:
            break
        for ask in asks:
            v = space.values(ask.u)
            out = {"y": case.function(space.to_user(ask.u)[None])}
            y = log_likelihood(problem, out, v)[0] + float(space.log_prior_in_inference(ask.u))
            loop.tell(Tell(ask.index, ask.u, y, outputs=None if known.cells is None else known.cells.cells(out)))
        loop.update()
    density = loop.log_density  # type: ignore[attr-defined]
    assert isinstance(density, TrustedDensity)
    return problem, density


def kept(folder: Path | None, name: str, seed: int, runs: int, learn: str) -> tuple[d.Problem, TrustedDensity]:
    """... from an earlier time, if it is in ``folder``."""
    if folder is None:
        return learnt(name, seed, runs, learn)
    path = folder / f"{name}-{seed}-{runs}-{learn}.pickle"
    if not path.exists():
        path.write_bytes(pickle.dumps(learnt(name, seed, runs, learn)))
    return pickle.loads(path.read_bytes())  # type: ignore[no-any-return]  # noqa: S301 (made here)


def found(problem: d.Problem, density: TrustedDensity, seed: int) -> list[Indices]:
    """Indices over the prior, as ``study`` makes them."""
    space, rng = ParameterSpace(problem.parameters), np.random.default_rng(seed)
    at = over_prior(space, 2048, rng)
    surrogate = density.surrogate

    def nothing() -> None:
        pass

    if isinstance(surrogate, EmulatedLogJoint):
        functions = PossibleFunctions.of_outputs(surrogate.emulator, rng, nothing) if AS_IS else None
        drawn = indices.Drawn.of(surrogate, functions, at, rng)
        prior = lambda u: space.log_prior_in_inference(u) - space.log_jacobian(u)  # noqa: E731
        outputs = indices.of_outputs(surrogate, columns_of(problem), drawn, "prior", rng, nothing)
        return [*outputs, indices.of_log_density(surrogate, prior, drawn, "prior", rng, nothing)]
    u = density.frame.back(surrogate.b)
    values = surrogate.y + density.top - space.log_jacobian(u)
    score = indices.ScoreDensity(
        lambda u: density(u) - space.log_jacobian(u), lambda u: surrogate.joint_covariance(density.frame.into(u)),
        PossibleFunctions.of_values(u, values, surrogate.noise, rng, nothing) if AS_IS else None,
    )  # fmt: skip
    one = indices.of_score(score, at, "prior", rng)
    return [] if one is None else [one]


def one(name: str, seed: int, runs: int, learn: str, folder: Path | None) -> list[dict[str, object]]:
    problem, density = kept(folder, name, seed, runs, learn)
    began = time.process_time()
    rows: list[dict[str, object]] = []
    for i in found(problem, density, seed):
        of = "output" if i.kind == "output" else "log density"
        for order, ranges, truth in zip(("first", "total"), (i.first, i.total), exact(name, of), strict=True):
            for k, (middle, low, high) in enumerate(ranges):
                rows.append(
                    {"case": name, "seed": seed, "runs": runs, "learn": learn, "of": of, "order": order, "parameter": k,
                     "known": i.known, "middle": middle, "low": low, "high": high, "exact": float(truth[k])}
                )  # fmt: skip
    print(f"{name} {seed} {runs} {learn}: {time.process_time() - began:.1f} s", flush=True)
    return rows


def table(rows: list[dict[str, object]]) -> None:
    keys = sorted({(r["learn"], r["of"], r["case"], r["runs"]) for r in rows}, key=str)
    for key in keys:
        mine = [r for r in rows if (r["learn"], r["of"], r["case"], r["runs"]) == key]
        print(f"{key[2]:<9} {key[3]:>3} runs, {key[0]} learnt, {key[1]:<11} {_line(mine)}")
    for key in sorted({(r["learn"], r["of"], r["runs"]) for r in rows}, key=str):
        mine = [r for r in rows if (r["learn"], r["of"], r["runs"]) == key]
        print(f"all       {key[2]:>3} runs, {key[0]} learnt, {key[1]:<11} {_line(mine)}")


def _line(rows: list[dict[str, object]]) -> str:
    low, high, middle, exact_, known = (_column(rows, name) for name in ("low", "high", "middle", "exact", "known"))
    beyond = np.maximum(np.maximum(low - exact_, exact_ - high), 0.0)
    inside = beyond <= 1e-3  # the brute force is known to that
    return (
        f"inside {inside.mean():4.0%} of {len(rows)}, error {np.sqrt(np.mean((middle - exact_) ** 2)):.3f}, "
        f"width {np.mean(high - low):.3f}, farthest beyond {beyond.max():.3f}, known {known.mean():.2f}"
    )


def _column(rows: list[dict[str, object]], name: str) -> Array:
    return np.array([float(str(r[name])) for r in rows])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", nargs="*", default=list(CASES))
    parser.add_argument("--runs", default="30,60")
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--learn", default="outputs,score")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--emulator", action="store_true")
    a = parser.parse_args()
    global AS_IS
    AS_IS = not a.emulator
    if a.table:
        table([json.loads(line) for line in a.results.read_text().splitlines()])
        return
    rows: list[dict[str, object]] = []
    if a.keep is not None:
        a.keep.mkdir(parents=True, exist_ok=True)
    for learn in a.learn.split(","):
        for runs in map(int, a.runs.split(",")):
            for name in a.cases:
                for seed in range(a.seeds):
                    rows += one(name, seed, runs, learn, a.keep)
    a.results.parent.mkdir(exist_ok=True)
    with a.results.open("a") as out:
        out.writelines(json.dumps(r) + "\n" for r in rows)
    table(rows)


if __name__ == "__main__":
    main()
