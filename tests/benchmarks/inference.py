"""The inference benchmark: evaluations to "tight", quality at the declared stop, CPU, honesty; PyVBMC in the same conditions.

    python tests/benchmarks/inference.py --targets issue --seeds 10 --methods default,pyvbmc
    python tests/benchmarks/inference.py --table            # print the tables of what results/ holds

One run appends one JSON line to results/METHOD.jsonl; a (method, target, seed) that is there already is not run again unless
--again. One BLAS thread; CPU seconds by time.process_time; the target's own time is subtracted; metrics are not counted.
"Tight" means |dLML| < 0.1, MMTV < 0.05 and gsKL < 0.05 from that number of evaluations to the end of the run.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from targets_elsewhere import ELSEWHERE  # noqa: E402

from bayescope.engine.diagnostics.metrics import gskl, mmtv_to_densities  # noqa: E402
from targets import TARGETS as TUNED  # noqa: E402
from targets import Target  # noqa: E402

TARGETS = {**TUNED, **ELSEWHERE}
RESULTS = HERE / "results"
SAMPLES = 10_000
ISSUE = (
    "rosenbrock2 lumpy2 lumpy6 lumpy10 cigar2 cigar6 cigar10 student2 student6 student10 two_banana6 two_moons "
    "betas3 correlated6 lotka_volterra8 contamination4 banana10"
).split()
QUICK = "rosenbrock2 betas3 lumpy4 correlated6 cigar6 student2 bimodal2 skew_banana4".split()


class CountedTarget:
    """The target's log density, its calls and its own CPU seconds."""

    def __init__(self, target: Target) -> None:
        self.target, self.calls, self.cpu = target, 0, 0.0

    def __call__(self, x: np.ndarray) -> float:
        start = time.process_time()
        value = self.target.log_density(np.asarray(x, dtype=float).ravel())
        self.cpu += time.process_time() - start
        self.calls += 1
        return value


def quality(target: Target, samples: np.ndarray) -> tuple[float, float]:
    """(MMTV, gsKL) of samples (n, d) in the user's units."""
    charted = target.chart(samples)
    x = charted if target.moments_in_chart else samples
    covariance = np.cov(x.T).reshape(target.dimension, target.dimension)
    try:
        kl = gskl(x.mean(0), covariance, target.mean, target.covariance)
    except np.linalg.LinAlgError:
        kl = float("inf")
    return mmtv_to_densities(charted, None, target.marginals, "improved"), kl


def point(
    target: Target, n: int, log_z: float, log_z_sd: float, elbo: float, elbo_sd: float, samples: np.ndarray
) -> dict[str, float]:
    distance, kl = quality(target, samples)
    dlml = float(log_z - target.log_evidence)
    return {
        "n": n, "dlml": dlml, "sd": float(log_z_sd), "elbo_error": float(elbo - target.log_evidence),
        "elbo_sd": float(elbo_sd), "mmtv": distance, "gskl": kl,
    }  # fmt: skip


class Unfolded:
    """A target with one-sided bounds in the coordinates PyVBMC can take: log(x - low) there, with the Jacobian."""

    def __init__(self, target: Target) -> None:
        bounds = target.bounds or [(None, None)] * target.dimension
        self.folded = np.array([a is not None and b is None for a, b in bounds])
        self.origin = np.array([a if f else 0.0 for (a, _), f in zip(bounds, self.folded, strict=True)], dtype=float)
        self.low = np.array([-np.inf if a is None or f else a for (a, _), f in zip(bounds, self.folded, strict=True)])
        self.high = np.array([np.inf if b is None else b for _, b in bounds])
        self.box = self.into(np.array(target.plausible).T)

    def into(self, x: np.ndarray) -> np.ndarray:
        return np.where(self.folded, np.log(np.where(self.folded, x - self.origin, 1.0)), x)

    def back(self, v: np.ndarray) -> np.ndarray:
        return np.where(self.folded, self.origin + np.exp(np.where(self.folded, v, 0.0)), v)

    def log_jacobian(self, v: np.ndarray) -> float:
        return float(np.sum(np.where(self.folded, v, 0.0)))


def run_pyvbmc(target: Target, seed: int, budget: int) -> dict[str, Any]:
    from pyvbmc import VBMC

    counted = CountedTarget(target)
    chart = Unfolded(target)
    low, high, box = chart.low[None], chart.high[None], chart.box

    def log_density(v: np.ndarray) -> float:
        v = np.asarray(v, dtype=float).ravel()
        value = counted(chart.back(v)) + chart.log_jacobian(v)
        return value if np.isfinite(value) else -1e6  # PyVBMC ends with an error where the density is zero

    start = np.random.default_rng(seed).uniform(box[0], box[1])[None]
    options = {"display": "off", "max_fun_evals": budget, "show_tips": False}
    clock = time.process_time()
    vbmc = VBMC(log_density, start, low, high, box[:1], box[1:], options=options, seed=seed)
    vp, results = vbmc.optimize()
    cpu = time.process_time() - clock - counted.cpu
    history = []
    record = vbmc.iteration_history
    for i in range(len(record["iter"])):
        x = chart.back(record["vp"][i].sample(SAMPLES)[0])
        stats_i = record["vp"][i].stats
        n, elbo, sd = int(record["func_count"][i]), float(stats_i["elbo"]), float(stats_i["elbo_sd"])
        history.append(point(target, n, elbo, sd, elbo, sd, x))
    x = chart.back(vp.sample(SAMPLES)[0])
    elbo, sd = float(results["elbo"]), float(results["elbo_sd"])
    final = point(target, int(results["func_count"]), elbo, sd, elbo, sd, x)
    return {
        "history": history,
        "final": final,
        "converged": bool(results["success_flag"]),
        "cpu": cpu,
        "calls": counted.calls,
    }


def run_infer(target: Target, seed: int, budget: int, method: str) -> dict[str, Any]:
    from bayescope.engine import infer

    counted = CountedTarget(target)
    clock = time.process_time()
    answer = infer(
        counted, plausible=target.plausible, bounds=target.bounds, max_evaluations=budget, seed=seed, method=method
    )
    cpu = time.process_time() - clock - counted.cpu
    answers = [h for h in answer.history if np.isfinite(h.log_evidence)]
    every = max(1, len(answers) // 50)
    history = [
        point(target, h.n_evaluations, h.log_evidence, h.log_evidence_sd, h.elbo, h.elbo_sd, h.sample(SAMPLES, seed))
        for h in answers[::every]
    ]
    final = point(
        target, answer.n_evaluations, answer.log_evidence, answer.log_evidence_sd, answer.elbo, answer.elbo_sd,
        answer.sample(SAMPLES, seed),
    )  # fmt: skip
    late = [(h.n_evaluations, h.cpu_seconds) for h in answer.history]
    return {
        "history": history, "final": final, "converged": answer.converged, "cpu": cpu, "calls": counted.calls,
        "cpu_trace": late[:: max(1, len(late) // 40)], "reasons": list(answer.reasons),
    }  # fmt: skip


def tight(history: list[dict[str, float]]) -> int | None:
    """Evaluations from which all three metrics stay below their limits to the end; None if never."""
    found = None
    for h in history:
        good = abs(h["dlml"]) < 0.1 and h["mmtv"] < 0.05 and h["gskl"] < 0.05
        if good and found is None:
            found = int(h["n"])
        if not good:
            found = None
    return found


def default_budget(d: int) -> int:
    return min(50 * (d + 2), 300)


def load(results: Path = RESULTS) -> list[dict[str, Any]]:
    """All runs kept; a later line for the same (method, target, seed) replaces an earlier one."""
    found: dict[tuple[str, str, int], dict[str, Any]] = {}
    for path in sorted(results.glob("*.jsonl")):
        for line in path.read_text().splitlines():
            run = json.loads(line)
            if {"method", "target", "seed"} <= run.keys():  # other benchmarks keep their results in the same folder
                found[run["method"], run["target"], run["seed"]] = run
    return list(found.values())


def _median(values: list[float]) -> float:
    return float(np.median(values)) if values else float("nan")


def table(runs: list[dict[str, Any]]) -> str:
    """Markdown: per target and method medians of evaluations, metrics, CPU, and the honesty counts."""
    rows = [
        "| target | method | runs | tight at (runs) | stop at | converged | false | dLML / MMTV / gsKL at the end | "
        "CPU ms per evaluation | within 3 sd |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name in list(TARGETS):
        for method in sorted({r["method"] for r in runs}):
            mine = [r for r in runs if r["target"] == name and r["method"] == method]
            if not mine:
                continue
            tights = [t if (t := tight([*r["history"], r["final"]])) is not None else np.inf for r in mine]
            done = [r for r in mine if r["converged"]]
            false = [r for r in done if abs(r["final"]["dlml"]) > 0.1 or r["final"]["mmtv"] > 0.05]
            cover = [abs(r["final"]["dlml"]) <= 3 * r["final"]["sd"] for r in done]
            rows.append(
                f"| {name} | {method} | {len(mine)} | {_median(tights):.0f} ({np.isfinite(tights).sum()}) | "
                f"{_median([r['final']['n'] for r in mine]):.0f} | {len(done)} | {len(false)} | "
                f"{_median([abs(r['final']['dlml']) for r in mine]):.3f} / {_median([r['final']['mmtv'] for r in mine]):.3f} / "
                f"{_median([r['final']['gskl'] for r in mine]):.3f} | "
                f"{_median([1000 * r['cpu'] / max(r['calls'], 1) for r in mine]):.1f} | {sum(cover)}/{len(cover)} |"
            )
    return "\n".join(rows)


RUNNERS: dict[str, Callable[[Target, int, int], dict[str, Any]]] = {
    "pyvbmc": run_pyvbmc,
    "default": lambda t, s, b: run_infer(t, s, b, "auto"),
    "bvbmc": lambda t, s, b: run_infer(t, s, b, "bvbmc"),
    "vbmc": lambda t, s, b: run_infer(t, s, b, "vbmc"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", default="quick", help="'issue', 'quick', 'elsewhere', 'all' or names and commas")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--methods", default="default")
    parser.add_argument("--budget", type=int, default=0, help="0: 50 (D + 2), at most 300")
    parser.add_argument("--again", action="store_true", help="run again what is there")
    parser.add_argument("--table", action="store_true", help="only print what results/ holds")
    parser.add_argument("--results", type=Path, default=RESULTS)
    chosen = parser.parse_args()
    groups = {"issue": ISSUE, "quick": QUICK, "elsewhere": list(ELSEWHERE), "all": list(TARGETS)}
    names = groups.get(chosen.targets) or chosen.targets.split(",")
    chosen.results.mkdir(exist_ok=True, parents=True)
    if not chosen.table:
        have = {(r["method"], r["target"], r["seed"]) for r in load(chosen.results)}
        for seed in range(chosen.first_seed, chosen.first_seed + chosen.seeds):
            for name in names:
                for method in chosen.methods.split(","):
                    if name not in TARGETS or ((method, name, seed) in have and not chosen.again):
                        continue
                    target = TARGETS[name]()
                    budget = chosen.budget or target.budget or default_budget(target.dimension)
                    outcome = RUNNERS[method](target, seed, budget)
                    run = {"method": method, "target": name, "seed": seed, "budget": budget, **outcome}
                    with (chosen.results / f"{method}.jsonl").open("a") as file:
                        file.write(json.dumps(run, default=float) + "\n")
                    f = run["final"]
                    print(
                        f"{name} {method} seed {seed}: tight {tight([*run['history'], f])}, stop {f['n']}, "
                        f"converged {run['converged']}, dLML {f['dlml']:.3f} sd {f['sd']:.3f}, MMTV {f['mmtv']:.3f}, "
                        f"gsKL {f['gskl']:.4f}, CPU {run['cpu']:.1f} s",
                        flush=True,
                    )  # fmt: skip
    print(table([r for r in load(chosen.results) if r["target"] in names]))


if __name__ == "__main__":
    main()
