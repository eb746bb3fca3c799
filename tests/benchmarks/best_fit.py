"""How many evaluations until the best run is within .1 of the highest log density; ours beside other optimizers.

    python tests/benchmarks/best_fit.py TARGETS... [--seeds 10] [--first-seed 0] [--methods ours,cma,pybads,scipy,botorch]
        [--budget 300] [--out FILE]
    python tests/benchmarks/best_fit.py --table [--out FILES...]

BoTorch 0.18.1 is no dependency (pip install --no-deps --target FOLDER botorch pyro-ppl pyro-api opt_einsum multipledispatch
pyre_extensions typing_inspect mypy_extensions, then PYTHONPATH=FOLDER).

``n_found``: evaluations until the best so far is within .1 nats of the maximum, where other optimizers end; ``n_stop``: where the
method stopped by itself; ``gap``: what the best run lacks then. Results are appended to results/best_fit.jsonl.
TARGETS: of ``targets.py``, or with outputs: contamination4, lotka_volterra8, and ``drawn5000`` and on, the random simulators of
``honest_outputs.py`` with that seed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from scipy import optimize

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from honest_outputs import Drawn  # noqa: E402
from outputs import CASES  # noqa: E402

from bayescope.engine.answer.predictions.misfit import misfits  # noqa: E402
from bayescope.engine.library.outputs_problem import problem_of  # noqa: E402
from bayescope.engine.likelihood.evaluate import LikelihoodError, log_likelihood  # noqa: E402
from bayescope.engine.loop_interface import LoopSettings, Tell  # noqa: E402
from bayescope.engine.methods.ask_tell import AskTellLoop  # noqa: E402
from bayescope.engine.methods.best_fit import BestFitMethod  # noqa: E402
from bayescope.engine.methods.default.framed import FramedMethod  # noqa: E402
from bayescope.engine.methods.loops import loop_settings  # noqa: E402
from bayescope.engine.problem.definition import Problem  # noqa: E402
from bayescope.engine.problem.transforms import ParameterSpace  # noqa: E402
from targets import TARGETS as ALL  # noqa: E402

RESULTS = HERE / "results" / "best_fit.jsonl"
NEAR = 0.1
TARGETS = "rosenbrock2 lumpy4 correlated6 cigar6 student6 skew_banana4 anisotropic4 correlated10".split()
DRAWN = "drawn"  # ... and a seed of honest_outputs.py
Program = Callable[[Mapping[str, float]], Mapping[str, np.ndarray] | None]
Density = Callable[[np.ndarray], float]  # (D,) of the unit box of plausible ranges, which it may leave


class Found(Exception):
    """Enough."""


@dataclass
class Task:
    """``density`` in the user's units at x (D,); ``settings`` for our loop, ``residuals`` (D,) -> (m,) where there are some."""

    name: str
    density: Density
    space: ParameterSpace
    settings: LoopSettings
    evaluate: Callable[[np.ndarray], tuple[float | None, np.ndarray | None]]  # x -> density, outputs
    residuals: Callable[[np.ndarray], np.ndarray] | None = None
    enough: float = np.inf  # the density at which other optimizers need not go on

    @property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        return self.space.to_user(self.settings.plausible_lower), self.space.to_user(self.settings.plausible_upper)


def task_of(name: str, seed: int, budget: int) -> Task:
    if name in CASES:
        return output_task(name, CASES[name]().problem, CASES[name]().program, seed, budget)
    if name.startswith(DRAWN):
        return output_task(name, *drawn(int(name.removeprefix(DRAWN))), seed, budget)
    target = ALL[name]()
    bounds = target.bounds or [(None, None)] * target.dimension
    lower = [-np.inf if a is None else a for a, _ in bounds]
    upper = [np.inf if b is None else b for _, b in bounds]
    box = np.array(target.plausible).T
    space = ParameterSpace.from_bounds([f"x{i}" for i in range(target.dimension)], lower, upper, *box)
    low, high = space.plausible_box()
    settings = LoopSettings(low, high, seed=seed, max_evaluations=budget, log_jacobian=space.log_jacobian)

    def evaluate(x: np.ndarray) -> tuple[float | None, None]:
        y = target.log_density(x)
        return (y, None) if np.isfinite(y) else (None, None)

    return Task(name, target.log_density, space, settings, evaluate)


def drawn(seed: int) -> tuple[Problem, Program]:
    case = Drawn.of(seed)
    names = [f"p{k}" for k in range(len(case.box))]
    problem = problem_of(case.data, case.sd, dict(zip(names, ((float(a), float(b)) for a, b in case.box), strict=True)), {})
    output = problem.outputs[0].name
    return problem, lambda v: {output: case.kind.f(np.array([[v[n] for n in names]]), case.keys)[0]}


def output_task(name: str, problem: Problem, program: Program, seed: int, budget: int) -> Task:
    problem = msgspec.structs.replace(problem, settings=msgspec.structs.replace(problem.settings, seed=seed, options={}))
    space = ParameterSpace(problem.parameters)
    settings = loop_settings(problem, space, budget, 1)

    def outputs(x: np.ndarray) -> tuple[dict[str, float], Mapping[str, np.ndarray] | None]:
        values = space.values(space.to_inference(x))
        return values, program(values)

    def evaluate(x: np.ndarray) -> tuple[float | None, np.ndarray | None]:
        values, out = outputs(x)
        try:
            if out is None:
                return None, None
            y = log_likelihood(problem, out, values)[0] + float(space.log_prior(x[None])[0])
        except LikelihoodError:
            return None, None
        return y, None if settings.cells is None else settings.cells.cells(out)

    def residuals(x: np.ndarray) -> np.ndarray:
        values, out = outputs(x)
        return np.concatenate([m.residuals for m in misfits(problem, out or {}, values)])

    def density(x: np.ndarray) -> float:
        y = evaluate(x)[0]
        return -1e10 if y is None else y

    return Task(name, density, space, settings, evaluate, residuals)


def maximum(task: Task) -> float:
    """By many ascents of the true density, without counting."""
    low, high = task.settings.plausible_lower, task.settings.plausible_upper
    rng = np.random.default_rng(0)

    def f(u: np.ndarray) -> float:
        value = task.density(task.space.to_user(u))
        return 1e10 if not np.isfinite(value) else -value

    def r(u: np.ndarray) -> np.ndarray:
        assert task.residuals is not None
        return task.residuals(task.space.to_user(u))

    starts = [rng.uniform(low, high) for _ in range(12)]
    if task.residuals:  # the ends of descents, of which the best are climbed on from
        starts = [optimize.least_squares(r, start, x_scale=high - low, max_nfev=60).x for start in starts]
        starts = sorted(starts, key=f)[:2]
    best = np.inf
    for start in starts:
        found = optimize.minimize(f, start, method="Nelder-Mead", options={"maxfev": 2500, "adaptive": True})
        found = optimize.minimize(f, found.x, method="Powell", options={"maxfev": 2500})
        best = min(best, float(found.fun))
    return -best


def ours(task: Task, best: list[float]) -> bool:
    loop = AskTellLoop(BestFitMethod(task.settings))
    _run(loop, task, best)
    return loop.method.satisfied


def posterior(task: Task, best: list[float]) -> bool:
    """The posterior alone, to its end: what ``then_posterior`` is to be compared with."""
    loop = AskTellLoop(FramedMethod(task.settings))
    _run(loop, task, best)
    return loop.method.memory.converged


def then_posterior(task: Task, best: list[float]) -> bool:
    """The best fit, then the posterior."""
    first = AskTellLoop(BestFitMethod(task.settings))
    _run(first, task, best)
    loop = AskTellLoop(FramedMethod(task.settings))
    loop.restore(first.state())
    _run(loop, task, best)
    return loop.method.memory.converged


def _run(loop: AskTellLoop[Any], task: Task, best: list[float]) -> None:
    while not loop.finished:
        asks = loop.ask(1)
        if not asks:
            break
        for ask in asks:
            x = task.space.to_user(ask.u)
            y, outputs = task.evaluate(x)
            best.append(-np.inf if y is None else y)
            told = None if y is None else y + float(task.space.log_jacobian(ask.u[None])[0])
            loop.tell(Tell(ask.index, ask.u, told, outputs=outputs, impossible=y is None and task.residuals is None))
        loop.update()


def _counted(task: Task, best: list[float]) -> Density:
    """In inference space, to be minimized."""

    def f(u: np.ndarray) -> float:
        if len(best) >= task.settings.max_evaluations:
            raise Found
        y = task.density(task.space.to_user(np.asarray(u, float).ravel()))
        best.append(y)
        if y > task.enough:
            raise Found
        return -y if np.isfinite(y) else 1e10

    return f


def cma(task: Task, best: list[float]) -> bool:
    from cma import CMAEvolutionStrategy

    low, high = task.settings.plausible_lower, task.settings.plausible_upper
    rng, f = np.random.default_rng(task.settings.seed), _counted(task, best)
    options = {"verbose": -9, "seed": task.settings.seed + 1, "CMA_stds": list((high - low) / 4)}
    es = CMAEvolutionStrategy(rng.uniform(low, high), 1.0, options)
    while not es.stop():
        points = es.ask()
        es.tell(points, [f(p) for p in points])
    return True


def pybads(task: Task, best: list[float]) -> bool:
    from pybads import BADS

    low, high = task.settings.plausible_lower, task.settings.plausible_upper
    rng, wide = np.random.default_rng(task.settings.seed), 10 * (high - low)
    options = {"display": "off", "max_fun_evals": task.settings.max_evaluations, "uncertainty_handling": False}
    options["random_seed"] = task.settings.seed
    BADS(_counted(task, best), rng.uniform(low, high), low - wide, high + wide, low, high, options=options).optimize()
    return True


def botorch(task: Task, best: list[float]) -> bool:
    """Log expected improvement under its own Gaussian process (defaults: RBF, log-normal priors), half a box wider all around."""
    import warnings

    import torch
    from botorch.acquisition import LogExpectedImprovement
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import SingleTaskGP
    from botorch.models.transforms import Standardize
    from botorch.optim import optimize_acqf
    from gpytorch.mlls import ExactMarginalLogLikelihood

    warnings.simplefilter("ignore")
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(task.settings.seed)
    low, high = (torch.tensor(end) for end in (task.settings.plausible_lower, task.settings.plausible_upper))
    width, f, d = high - low, _counted(task, best), len(low)
    sobol = torch.quasirandom.SobolEngine(d, scramble=True, seed=task.settings.seed)
    x = 0.25 + 0.5 * sobol.draw(d + 4, dtype=torch.float64)  # the design in the box itself, as ours
    unit = torch.stack([torch.zeros(d), torch.ones(d)])

    def value(v: Any) -> float:
        return -f((low - 0.5 * width + 2.0 * width * v).numpy())

    y = torch.tensor([[value(v)] for v in x])
    while True:
        shaped = y.clamp(min=float(y.max()) - 40.0 * d)  # as far down as ours looks: outliers of thousands hide all else
        model = SingleTaskGP(x, shaped, torch.full_like(y, 1e-6), outcome_transform=Standardize(1))
        fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
        found, _ = optimize_acqf(LogExpectedImprovement(model, shaped.max()), unit, 1, num_restarts=4, raw_samples=128)
        x, y = torch.cat([x, found]), torch.cat([y, torch.tensor([[value(found[0])]])])


def scipy_local(task: Task, best: list[float]) -> bool:
    """Least squares where there are residuals, else L-BFGS by differences; from random places of the box until stopped."""
    low, high = task.settings.plausible_lower, task.settings.plausible_upper
    rng, f = np.random.default_rng(task.settings.seed), _counted(task, best)
    while True:
        start = rng.uniform(low, high)
        if task.residuals is None:
            optimize.minimize(f, start, method="L-BFGS-B")
        else:
            def r(u: np.ndarray) -> np.ndarray:
                f(u)
                assert task.residuals is not None
                return task.residuals(task.space.to_user(u))

            optimize.least_squares(r, start, x_scale=high - low)


METHODS: dict[str, Callable[[Task, list[float]], bool]] = {
    "ours": ours, "cma": cma, "pybads": pybads, "scipy": scipy_local, "botorch": botorch, "posterior": posterior,
    "then_posterior": then_posterior,
}  # fmt: skip


def one(name: str, method: str, seed: int, budget: int, top: float) -> dict[str, Any]:
    task, best = task_of(name, seed, budget), []
    task.enough = top - NEAR
    clock, stopped = time.process_time(), False
    try:
        stopped = METHODS[method](task, best)
    except Found:
        pass
    lack = top - np.maximum.accumulate(np.array(best))
    near = np.flatnonzero(lack < NEAR)
    return {
        "method": method, "target": name, "seed": seed, "n_found": int(near[0]) + 1 if len(near) else None,
        "n_stop": len(best) if stopped else None, "gap": float(lack[-1]), "cpu": time.process_time() - clock,
    }  # fmt: skip


def table(rows: list[dict[str, Any]]) -> str:
    heads = ("target", "method", "seeds", "found within .1 after", "never", "stopped after", "gap there: median, worst", "CPU s")
    said = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for target, method in sorted({(r["target"], r["method"]) for r in rows}):
        own = [r for r in rows if (r["target"], r["method"]) == (target, method)]
        found = [r["n_found"] if r["n_found"] else np.inf for r in own]
        stop = [r for r in own if r["n_stop"]]
        where = f"{np.median([r['n_stop'] for r in stop]):.0f} ({len(stop)} of {len(own)})" if stop else "never"
        gaps = f"{np.median([r['gap'] for r in stop]):.3f}, {max(r['gap'] for r in stop):.2f}" if stop else ""
        said.append(
            f"| {target} | {method} | {len(own)} | {np.median(found):.0f} | {sum(np.isinf(found))} | {where} | {gaps} "
            f"| {np.median([r['cpu'] for r in own]):.1f} |"
        )
    return "\n".join(said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=TARGETS)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--methods", default="ours")
    parser.add_argument("--budget", type=int, default=300)
    parser.add_argument("--out", type=Path, default=[RESULTS], nargs="+")
    parser.add_argument("--table", action="store_true")
    a = parser.parse_args()
    if a.table:
        lines = [line for path in a.out for line in path.read_text().splitlines()]
        newest = {(r["target"], r["method"], r["seed"]): r for r in map(json.loads, lines)}
        print(table(list(newest.values())))
        return
    a.out[0].parent.mkdir(exist_ok=True, parents=True)
    for name in a.targets:
        top = maximum(task_of(name, 0, a.budget))
        for method in a.methods.split(","):
            for seed in range(a.first_seed, a.first_seed + a.seeds):
                row = one(name, method, seed, a.budget, top)
                print(json.dumps(row), flush=True)
                with a.out[0].open("a") as file:
                    file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
