"""Other methods beside SVBMC on the archives of tables 1 to 4 of seed 001, and SVBMC without noise shaping.

    nice -n 10 python tests/benchmarks/archive_baselines.py --seeds 3 --out results/archive_baselines.jsonl [--cases banana,...]
    python tests/benchmarks/archive_baselines.py --table      medians, beside those of archives.py and of the paper

laplace: from the archive's best point, on the target itself (its evaluations are counted). slice: four chains on the target with
as many evaluations as the archive has, first halves dropped. stacking: the same chains, weighted. surrogate: long chains on
SVBMC's surrogate of the archive alone. no_shaping: SVBMC on the archive alone with the noise of values as given.
"""

from __future__ import annotations

import argparse
import json
import math
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from archives import HERE, REPORT_AT, errors, make, unbounded

import targets
from bayescope.engine.baselines import ensemble, slice_sampling
from bayescope.engine.baselines.evidence import evidence_of
from bayescope.engine.baselines.laplace import laplace_of
from bayescope.engine.baselines.stacking import stack
from bayescope.engine.diagnostics.chains import bulk_ess
from bayescope.engine.diagnostics.metrics import gskl, mmtv_to_densities, weighted_moments
from bayescope.engine.library.infer import Inference
from bayescope.engine.numerics.randomness import generator

Back = Callable[[np.ndarray], np.ndarray]
FROM_TARGET = ("laplace", "slice", "stacking")  # use of an archive its best point, or its size
METHODS = ("laplace", "slice", "stacking", "surrogate", "no_shaping")
CHAINS, COMPONENTS, DRAWS = 4, 4, 50_000
ENSEMBLES, WALKERS, SWEEPS = 2, 40, 1_500  # of the chains on the surrogate
# Seed 001 tables 1 to 4: |dLML|, MMTV, gsKL.
PAPER = {
    ("banana", "laplace"): (1.3, 0.27, 5.2), ("banana", "slice"): (0.36, 0.12, 0.37),
    ("moons", "laplace"): (0.42, 0.19, 15.0), ("moons", "slice"): (0.26, 0.12, 0.059),
    ("lotka_slice", "laplace"): (0.45, 0.082, 0.59), ("lotka_slice", "slice"): (1.1, 0.24, 2.5),
    ("lotka_slice", "stacking"): (0.58, 0.24, 2.6),
    ("timing", "laplace"): (0.43, 0.14, 1.4), ("timing", "slice"): (0.98, 0.29, 18.0), ("timing", "stacking"): (0.40, 0.29, 9.5),
}  # fmt: skip


def errors_of(target: targets.Target, theta: np.ndarray, log_z: float, weights: np.ndarray | None = None) -> dict[str, float]:
    """Of draws (n, D) in the user's units."""
    charted = target.chart(theta)
    mean, covariance = weighted_moments(charted if target.moments_in_chart else theta, weights)
    return {
        "lml": abs(log_z - target.log_evidence), "mmtv": mmtv_to_densities(charted, weights, target.marginals, "improved"),
        "gskl": gskl(mean, covariance, target.mean, target.covariance),
    }  # fmt: skip


def laplace(target: targets.Target, seen: targets.Target, back: Back, best: np.ndarray, seed: int) -> dict[str, float]:
    count = 0

    def density(u: np.ndarray) -> np.ndarray:
        nonlocal count
        count += len(u)
        return np.array([seen.log_density(p) for p in u])

    low, high = np.array(seen.plausible).T
    fit = laplace_of(density, best, high - low)
    draws = generator(seed, "laplace").multivariate_normal(fit.mode, fit.covariance, DRAWS)
    return errors_of(target, back(draws), fit.log_evidence) | {"n": count}


def chains(seen: targets.Target, budget: int, seed: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """States (n_k, D) of each chain and their log densities, first halves dropped."""
    low, high = np.array(seen.plausible).T
    points, values = [], []
    for k in range(CHAINS):
        rng, left = generator(seed, "slice chain", k), budget // CHAINS
        x = rng.uniform(low, high)
        f, left = seen.log_density(x), left - 1
        while not np.isfinite(f):
            x = rng.uniform(low, high)
            f, left = seen.log_density(x), left - 1
        xs, fs = [], []
        covariance = np.diag(np.square(0.3 * (high - low)))
        while left > 0:
            steps, value = slice_sampling.sweep(x, f, covariance, rng), None
            try:
                while left > 0:
                    asked = next(steps) if value is None else steps.send(value)
                    value, left = seen.log_density(asked), left - 1
            except StopIteration as end:
                x, f = end.value
                xs.append(x)
                fs.append(f)
        points.append(np.array(xs[len(xs) // 2 :]))
        values.append(np.array(fs[len(fs) // 2 :]))
    return points, values


def _ess(points: np.ndarray) -> float:
    return float(max(1.0, bulk_ess(points[None]).min()))


def pooled(target: targets.Target, back: Back, points: list[np.ndarray], values: list[np.ndarray], seed: int) -> dict[str, float]:
    x, f = np.concatenate(points), np.concatenate(values)
    found = evidence_of(x, f, sum(map(_ess, points)), generator(seed, "evidence"), COMPONENTS)
    return errors_of(target, back(x), found.log_z) | {"n": 0}


def stacked(
    target: targets.Target, back: Back, points: list[np.ndarray], values: list[np.ndarray], seed: int
) -> dict[str, float]:
    rng = generator(seed, "stacking")
    found = stack(points, values, [_ess(p) for p in points], rng, COMPONENTS)
    if not np.isfinite(found.weights).all():  # chains too short to be weighed
        return {"lml": math.nan, "mmtv": math.nan, "gskl": math.nan, "n": 0}
    weights = np.concatenate([np.full(len(p), w / len(p)) for p, w in zip(points, found.weights, strict=True)])
    return errors_of(target, back(np.concatenate(points)), found.log_evidence, weights / weights.sum()) | {"n": 0}


def on_surrogate(target: targets.Target, run: Inference, seed: int) -> dict[str, float]:
    """Chains on the surrogate's mean, guarded as for the answer."""
    method = run.loop.method  # type: ignore[attr-defined]
    rng = generator(seed, "surrogate chains")
    begin = method.memory.mixture.sample(ENSEMBLES * WALKERS, rng).reshape(ENSEMBLES, WALKERS, -1)
    found = ensemble.sample(method.guarded_mean, begin, SWEEPS, rng)
    x, f = found.points.reshape(-1, target.dimension), found.values.ravel()
    thin = max(1, len(x) // DRAWS)
    ess = float(bulk_ess(found.chains).min())
    log_z = evidence_of(x[::thin], f[::thin], ess, rng, 20).log_z + method.memory.frame.log_volume
    return errors_of(target, run.space.to_user(method.memory.frame.back(x[::thin])), log_z) | {"n": 0}


def archive_alone(target: targets.Target, x: np.ndarray, y: np.ndarray, seed: int, shaping: bool) -> tuple[Inference, object]:
    options: dict[str, float | int | str | bool] = {"stop": False, "noise_shaping": shaping}
    run = Inference(target.plausible, target.bounds, 0, seed, "svbmc", options=options, archive=(x, y))
    return run, run.update()


def measured(case: str, seed: int, method: str, cache: Path) -> dict[str, object]:
    target, x, y = make(case, seed, cache)
    seen, back = unbounded(target)
    inside = np.ones(len(x), dtype=bool)
    for i, (low, high) in enumerate(target.bounds or ()):
        inside &= (x[:, i] > (-np.inf if low is None else low)) & (x[:, i] < (np.inf if high is None else high))
    x, y = x[inside], y[inside]
    clock = time.process_time()
    match method:
        case "laplace":
            space = Inference(target.plausible, target.bounds, 0, seed, "svbmc", archive=(x[:20], y[:20])).space
            best = x[int(np.argmax(y))]
            found = laplace(target, seen, back, best if target.bounds is None else space.to_inference(best), seed)
        case "slice":
            found = pooled(target, back, *chains(seen, len(x), seed), seed)
        case "stacking":
            found = stacked(target, back, *chains(seen, len(x), seed), seed)
        case "surrogate":
            found = on_surrogate(target, archive_alone(target, x, y, seed, True)[0], seed)
        case _:
            answer = archive_alone(target, x, y, seed, False)[1]
            lml, mmtv, gaussian = errors(target, answer)  # type: ignore[arg-type]
            found = {"lml": lml, "mmtv": mmtv, "gskl": gaussian, "n": 0}
    return {"case": case, "seed": seed, "method": method, "archive": len(x), **found, "cpu": time.process_time() - clock}


def report(path: Path, ours: Path) -> None:
    rows = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    svbmc = [json.loads(line) for line in ours.read_text().splitlines() if line.strip()] if ours.exists() else []
    print("| case | method | new evaluations | seeds | dLML | MMTV | gsKL | CPU s | paper |")
    print("|---|---|---|---|---|---|---|---|---|")
    for case in dict.fromkeys(r["case"] for r in (*svbmc, *rows)):
        for n in REPORT_AT:
            _line(case, "svbmc", [r for r in svbmc if r["case"] == case and r["n"] == n])
        for method in METHODS:
            _line(case, method, [r for r in rows if r["case"] == case and r["method"] == method])


def _line(case: str, method: str, chosen: list[dict[str, float]]) -> None:
    if not chosen:
        return
    middle = " | ".join(f"{np.nanmedian([r[k] for r in chosen]):.2g}" for k in ("lml", "mmtv", "gskl"))
    paper = " / ".join(f"{v:g}" for v in PAPER.get((case, method), ()))
    n, cpu = (np.median([r[k] for r in chosen]) for k in ("n", "cpu"))
    print(f"| {case} | {method} | {n:.0f} | {len(chosen)} | {middle} | {cpu:.0f} | {paper} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--cases", default="moons,banana,banana_truncated,lotka_cma,lotka_slice")
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--out", type=Path, default=HERE / "results" / "archive_baselines.jsonl")
    parser.add_argument("--ours", type=Path, default=HERE / "results" / "archives.jsonl", help="what archives.py found")
    parser.add_argument("--cache", type=Path, default=Path("/tmp/bayescope_archives"))
    parser.add_argument("--table", action="store_true", help="print the medians and run nothing")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore", module="cma")
    if not arguments.table:
        arguments.out.parent.mkdir(exist_ok=True)
        for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
            for case in arguments.cases.split(","):
                for method in arguments.methods.split(","):
                    if case == "banana_truncated" and method in FROM_TARGET:
                        continue  # as from the whole archive
                    row = measured(case, seed, method, arguments.cache)
                    print(json.dumps(row), flush=True)
                    with arguments.out.open("a") as file:
                        file.write(json.dumps(row) + "\n")
    report(arguments.out, arguments.ours)


if __name__ == "__main__":
    main()
