"""SVBMC on archives: the table of seed 001 section 5, initial sets made by CMA-ES and by short slice-sampling chains.

    nice -n 10 python tests/benchmarks/archives.py --seeds 10 --out results/archives.jsonl [--cases banana,...] [--budget 100]
    python tests/benchmarks/archives.py --table      medians of what was kept, against the paper
    python tests/benchmarks/archives.py --cost       time and memory against N and M

One line per answer: case, seed, N_f, |dLML|, MMTV, gsKL, CPU seconds so far. Archives are kept in ``--cache``.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from timing import timing5

import targets
from bayescope.engine.diagnostics.metrics import gskl, mmtv_to_densities, weighted_moments
from bayescope.engine.library.infer import Answer, Inference
from bayescope.engine.numerics.randomness import generator
from bayescope.engine.problem.transforms import ParameterSpace

HERE = Path(__file__).parent
NOISE = 5.0  # sd of the noisy case of table 4
# Seed 001 tables 1 to 4, medians at 200 (timing_noisy: 900) new evaluations: |dLML|, MMTV, gsKL.
PAPER = {
    "banana": (0.26, 0.086, 0.12),
    "banana_truncated": (0.23, 0.083, 0.11),
    "moons": (0.0058, 0.021, 0.00048),
    "lotka_cma": (0.11, 0.053, 0.12),
    "lotka_slice": (0.17, 0.053, 0.15),
    "timing": (0.27, 0.057, 0.093),
    "timing_noisy": (0.11, 0.13, 0.14),
}
REPORT_AT = (0, 20, 50, 100)


def cma_archive(target: targets.Target, count: int, seed: int, noise: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """All evaluations of CMA-ES runs from random starts in the plausible box, in inference coordinates scaled by the box."""
    import cma

    rng = generator(seed, "cma")
    low, high = np.array(target.plausible).T
    points: list[np.ndarray] = []
    values: list[float] = []
    run = 0
    while len(points) < count:
        run += 1
        start = rng.uniform(0, 1, target.dimension)
        search = cma.CMAEvolutionStrategy(start, 0.25, {"seed": 1000 * seed + run, "verbose": -9})
        while not search.stop() and len(points) < count:
            asked = [low + (high - low) * np.asarray(x) for x in search.ask()]
            found = [target.log_density(x) + noise * float(rng.standard_normal()) for x in asked]
            search.tell([(x - low) / (high - low) for x in asked], [-y if np.isfinite(y) else 1e30 for y in found])
            points += asked
            values += found
    return np.array(points[:count]), np.array(values[:count])


def slice_archive(target: targets.Target, chains: int, each: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """All evaluations (auxiliary ones too) of coordinate-wise slice sampling with stepping out (Neal 2003)."""
    rng = generator(seed, "slice")
    low, high = np.array(target.plausible).T
    points: list[np.ndarray] = []
    values: list[float] = []
    for chain in range(chains):
        limit = (chain + 1) * each

        def density(x: np.ndarray, limit: int = limit) -> float:
            if len(points) >= limit:
                raise StopIteration
            y = target.log_density(x)
            points.append(x.copy())
            values.append(y)
            return y

        try:
            x = rng.uniform(low, high)
            y = density(x)
            while not np.isfinite(y):
                x = rng.uniform(low, high)
                y = density(x)
            width = 0.3 * (high - low)
            while True:
                for i in rng.permutation(target.dimension):
                    level = y - rng.exponential()
                    left = x[i] - width[i] * rng.random()
                    right = left + width[i]
                    for sign in (-1, 1):
                        for _ in range(8):
                            edge = x.copy()
                            edge[i] = left if sign < 0 else right
                            if density(edge) <= level:
                                break
                            left, right = (left - width[i], right) if sign < 0 else (left, right + width[i])
                    while True:
                        trial = x.copy()
                        trial[i] = rng.uniform(left, right)
                        y_trial = density(trial)
                        if y_trial > level:
                            x, y = trial, y_trial
                            break
                        left, right = (trial[i], right) if trial[i] < x[i] else (left, trial[i])
        except StopIteration:
            continue
    return np.array(points), np.array(values)


def unbounded(target: targets.Target) -> tuple[targets.Target, Callable[[np.ndarray], np.ndarray]]:
    """The target as its optimizers and samplers see it, in unbounded coordinates (inference space), and the way back."""
    if target.bounds is None:
        return target, lambda u: u
    low, high = (list(side) for side in zip(*target.plausible, strict=True))
    lower = [-math.inf if a is None else a for a, _ in target.bounds]
    upper = [math.inf if b is None else b for _, b in target.bounds]
    space = ParameterSpace.from_bounds([f"x{i}" for i in range(target.dimension)], lower, upper, low, high)
    box = list(zip(*(edge.tolist() for edge in space.plausible_box()), strict=True))

    def density(u: np.ndarray) -> float:
        return target.log_density(space.to_user(u)) + float(space.log_jacobian(u))

    return replace(target, log_density=density, plausible=box, bounds=None), space.to_user


def make(case: str, seed: int, cache: Path) -> tuple[targets.Target, np.ndarray, np.ndarray]:
    target = {
        "banana": targets.two_banana6, "moons": targets.two_moons, "lotka": targets.lotka_volterra8, "timing": timing5,
    }[case.split("_")[0]]()  # fmt: skip
    name = {"banana_truncated": "banana", "lotka_plain": "lotka_slice"}.get(case, case)
    kept = cache / f"{name}_{seed}.npz"
    if not kept.exists():
        cache.mkdir(parents=True, exist_ok=True)
        seen, back = unbounded(target)
        if name == "moons":
            x, y = slice_archive(seen, 4, 250, seed)
        elif name == "lotka_slice":
            x, y = slice_archive(seen, 4, 3000, seed)
        else:
            x, y = cma_archive(seen, 5000, seed, NOISE if case == "timing_noisy" else 0.0)
        if target.bounds is not None:
            errors_seen = y - np.array([seen.log_density(p) for p in x])  # noise stays that by which the search chose
            x = back(x)
            y = np.array([target.log_density(p) for p in x]) + np.where(np.isfinite(errors_seen), errors_seen, 0.0)
        np.savez(kept, x=x, y=y)
    with np.load(kept) as stored:
        x, y = stored["x"], stored["y"]
    if case == "banana_truncated":
        x, y = x[x[:, 0] <= 0], y[x[:, 0] <= 0]
    return target, x, y


def errors(target: targets.Target, answer: Answer) -> tuple[float, float, float]:
    draws = answer.sample(100_000, seed=1)
    mean, covariance = weighted_moments(target.chart(draws) if target.moments_in_chart else draws)
    return (
        abs(answer.log_evidence - target.log_evidence),
        mmtv_to_densities(target.chart(draws), None, target.marginals, "improved"),
        gskl(mean, covariance, target.mean, target.covariance),
    )


def run(
    case: str, seed: int, budget: int, cache: Path, options: dict[str, float | int | str | bool]
) -> list[dict[str, object]]:
    target, x, y = make(case, seed, cache)
    if case == "lotka_plain":  # the ablation of noise shaping
        options = {**options, "noise_shaping": False}
    inside = np.ones(len(x), dtype=bool)
    if target.bounds is not None:
        for i, (low, high) in enumerate(target.bounds):
            inside &= (x[:, i] > (-np.inf if low is None else low)) & (x[:, i] < (np.inf if high is None else high))
    noise, rng = NOISE if case == "timing_noisy" else 0.0, generator(seed, "noise of runs")
    archive = (x[inside], y[inside], np.full(inside.sum(), noise)) if noise else (x[inside], y[inside])
    inference = Inference(
        target.plausible, target.bounds, budget, seed, "svbmc", noisy=noise > 0, options={"stop": False, **options},
        archive=archive,
    )  # fmt: skip
    rows: list[dict[str, object]] = []

    def note(answer: Answer | None) -> None:
        if answer is None or not (answer.n_evaluations in REPORT_AT or answer.n_evaluations == budget):
            return
        lml, mmtv, gaussian = errors(target, answer)
        rows.append({
            "case": case, "seed": seed, "n": answer.n_evaluations, "archive": int(inside.sum()), "lml": lml, "mmtv": mmtv,
            "gskl": gaussian, "sd": answer.log_evidence_sd, "cpu": answer.cpu_seconds, "preferred": answer.snapshot.preferred,
            "inducing": answer.snapshot.diagnostics.get("inducing", 0.0), "options": options,
        })  # fmt: skip
        print(json.dumps(rows[-1]), flush=True)

    note(inference.update())
    while not inference.finished:
        for point in inference.ask():
            inference.tell(point.index, target.log_density(point.theta) + noise * rng.standard_normal(), noise)
        note(inference.update())
    return rows


COST_CELLS = ((1_000, 300), (5_000, 100), (5_000, 200), (5_000, 300), (20_000, 300))  # N, M


def cost_cell(count: int, most: int) -> None:
    """CPU seconds of the first posterior and of an active iteration, and the peak memory, for one N and M."""
    target = targets.two_banana6()
    x = generator(0, "cost", count).normal(0, 1.6, (count, 6))
    y = np.array([target.log_density(p) for p in x])
    options: dict[str, float | int | str | bool] = {"stop": False, "surrogate": "sparse", "inducing": most}
    inference = Inference(target.plausible, None, 20, 0, "svbmc", options=options, archive=(x, y))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    clock = time.process_time()
    first = inference.update()
    seconds, own = time.process_time() - clock, 0.0
    assert first is not None
    while not inference.finished:
        clock = time.process_time()
        points = inference.ask()
        own += time.process_time() - clock
        values = [target.log_density(p.theta) for p in points]
        clock = time.process_time()
        for point, value in zip(points, values, strict=True):
            inference.tell(point.index, value)
        inference.update()
        own += time.process_time() - clock
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    used, chosen = (int(first.snapshot.diagnostics[k]) for k in ("archive", "inducing"))
    print(f"| {count} | {used} | {chosen} | {seconds:.1f} | {own / 4:.2f} | {peak:.2f} ({before:.2f} before) |", flush=True)


def cost() -> None:
    """Each cell in a process of its own, so that peak memory is its own."""
    print("| N | N used | M | first posterior, CPU s | iteration of 5, CPU s | peak memory, GiB |")
    print("|---|---|---|---|---|---|", flush=True)
    for count, most in COST_CELLS:
        subprocess.run([sys.executable, __file__, "--cost-cell", f"{count},{most}"], check=True)


def report(path: Path) -> None:
    """Medians per case and number of new evaluations, the sd's honesty, and the paper's medians."""
    rows = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    print("| Case | N_f | seeds | dLML | MMTV | gsKL | error / sd | CPU s | paper at 200 |")
    print("|---|---|---|---|---|---|---|---|---|")
    for case, n in sorted({(r["case"], r["n"]) for r in rows}):
        chosen = [r for r in rows if r["case"] == case and r["n"] == n]
        middle = [float(np.median([r[k] for r in chosen])) for k in ("lml", "mmtv", "gskl")]
        ratios = np.array([r["lml"] / r["sd"] for r in chosen])
        paper = " / ".join(f"{v:g}" for v in PAPER[case]) if case in PAPER else ""
        print(
            f"| {case} | {n} | {len(chosen)} | " + " | ".join(f"{v:.3g}" for v in middle)
            + f" | {np.median(ratios):.2g}, at most {ratios.max():.2g} | {np.median([r['cpu'] for r in chosen]):.0f} | {paper} |"
        )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--budget", type=int, default=100)
    parser.add_argument("--cases", default="banana,banana_truncated,moons,lotka_cma,lotka_slice,lotka_plain")
    parser.add_argument("--options", default="{}", help="options of SVBMC as JSON")
    parser.add_argument("--out", type=Path, default=HERE / "results" / "archives.jsonl")
    parser.add_argument("--cache", type=Path, default=Path("/tmp/bayescope_archives"))
    parser.add_argument("--table", action="store_true", help="print the medians of --out and run nothing")
    parser.add_argument("--cost", action="store_true", help="time and memory against N and M")
    parser.add_argument("--cost-cell", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.table:
        report(arguments.out)
        return
    if arguments.cost:
        cost()
        return
    if arguments.cost_cell:
        cost_cell(*(int(v) for v in arguments.cost_cell.split(",")))
        return
    warnings.filterwarnings("ignore", module="cma")
    arguments.out.parent.mkdir(exist_ok=True)
    for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
        for case in arguments.cases.split(","):
            rows = run(case, seed, arguments.budget, arguments.cache, json.loads(arguments.options))
            with arguments.out.open("a") as file:
                file.writelines(json.dumps(row) + "\n" for row in rows)
    report(arguments.out)


if __name__ == "__main__":
    main()
