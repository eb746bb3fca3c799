"""The benchmark of noisy log densities: usable answers, MMTV, evidence z-scores, CPU; PyVBMC in the same conditions.

    python tests/benchmarks/noisy.py --cases rosenbrock2_sd3,lumpy4_sd3 --seeds 20 --methods default,pyvbmc

"Usable": |dLML| < 1, MMTV < .2, gsKL < 1. One run appends one JSON line to results/noisy_METHOD.jsonl. One BLAS thread; CPU
seconds by time.process_time, the target's own time subtracted.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from dataclasses import dataclass  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from inference import point  # noqa: E402

from targets import (  # noqa: E402
    Target,
    correlated,
    lotka_volterra8,
    lumpy,
    rosenbrock2,
    skew_banana4,
    student,
)

RESULTS = HERE / "results"
SAMPLES = 10_000


@dataclass(frozen=True)
class Case:
    """``sd``: of the noise added; ``reported``: factor on the sd told to the method; ``tails``: Student-t dof of the noise."""

    target: Any
    sd: float
    budget: int
    reported: float | None = 1.0  # None: nothing is told
    tails: float | None = None


CASES: dict[str, Case] = {
    "rosenbrock2_sd3": Case(rosenbrock2, 3.0, 170),
    "student8_sd3": Case(lambda: student(8), 3.0, 300),
    "lumpy4_sd3": Case(lambda: lumpy(4), 3.0, 100),
    "gaussian6_sd1": Case(lambda: correlated(6), 1.0, 200),
    "gaussian6_sd5": Case(lambda: correlated(6), 5.0, 200),
    "banana2_sd1": Case(rosenbrock2, 1.0, 150),
    "lotka_volterra8_sd3": Case(lotka_volterra8, 3.0, 300),
    "student4_sd3": Case(lambda: student(4), 3.0, 160),
    "skew_banana4_sd3": Case(skew_banana4, 3.0, 250),
    # bad input
    "gaussian6_sd3_told10": Case(lambda: correlated(6), 3.0, 200, 10.0),
    "gaussian6_sd3_told_tenth": Case(lambda: correlated(6), 3.0, 200, 0.1),
    "rosenbrock2_sd3_untold": Case(rosenbrock2, 3.0, 170, None),
    "rosenbrock2_sd3_heavy": Case(rosenbrock2, 3.0, 170, 1.0, 2.5),
}


class NoisyTarget:
    """The target plus noise; draws are keyed by the call's number, so every method meets the same noise."""

    def __init__(self, case: Case, target: Target, seed: int) -> None:
        self.case, self.target, self.calls, self.cpu = case, target, 0, 0.0
        self.rng = np.random.default_rng([77, seed])

    def __call__(self, x: np.ndarray) -> tuple[float, float]:
        start = time.process_time()
        tails = self.case.tails
        noise = (
            self.rng.standard_normal() if tails is None else self.rng.standard_t(tails) / np.sqrt(tails / (tails - 2))
        )
        value = self.target.log_density(np.asarray(x, dtype=float).ravel()) + self.case.sd * noise
        self.calls += 1
        self.cpu += time.process_time() - start
        return float(value), self.case.sd * (self.case.reported or 0.0)


def run_default(case: Case, seed: int, options: dict[str, Any]) -> dict[str, Any]:
    from bayescope.engine import infer

    target = case.target()
    noisy = NoisyTarget(case, target, seed)
    clock = time.process_time()
    answer = infer(
        noisy, plausible=target.plausible, bounds=target.bounds, max_evaluations=case.budget, seed=seed, noisy=True,
        options=options,
    )  # fmt: skip
    cpu = time.process_time() - clock - noisy.cpu
    history = [
        {
            **point(
                target, h.n_evaluations, h.log_evidence, h.log_evidence_sd, h.elbo, h.elbo_sd, h.sample(SAMPLES, seed)
            ),
            "variation": h.snapshot.diagnostics.get("expected_variation", 1.0),
            "scale": h.snapshot.diagnostics.get("noise_scale", 1.0),
            "converged": h.converged,
        }
        for h in answer.history
    ]
    return {
        "history": history, "final": history[-1], "converged": answer.converged, "cpu": cpu, "calls": noisy.calls,
        "reasons": list(answer.reasons),
    }  # fmt: skip


def run_pyvbmc(case: Case, seed: int, options: dict[str, Any]) -> dict[str, Any]:
    from pyvbmc import VBMC

    target = case.target()
    noisy = NoisyTarget(case, target, seed)
    d = target.dimension
    bounds = target.bounds or [(None, None)] * d
    low = np.array([[-np.inf if a is None else a for a, _ in bounds]])
    high = np.array([[np.inf if b is None else b for _, b in bounds]])
    box = np.array(target.plausible).T
    start = np.random.default_rng(seed).uniform(box[0], box[1])[None]
    given = {
        "display": "off",
        "max_fun_evals": case.budget,
        "show_tips": False,
        "specify_target_noise": True,
        **options,
    }
    clock = time.process_time()
    vbmc = VBMC(noisy, start, low, high, box[:1], box[1:], options=given, seed=seed)
    vp, results = vbmc.optimize()
    cpu = time.process_time() - clock - noisy.cpu
    x, _ = vp.sample(SAMPLES)
    elbo, sd = float(results["elbo"]), float(results["elbo_sd"])
    final = point(target, int(results["func_count"]), elbo, sd, elbo, sd, x)
    return {"history": [], "final": final, "converged": bool(results["success_flag"]), "cpu": cpu, "calls": noisy.calls}


RUNNERS = {"default": run_default, "pyvbmc": run_pyvbmc}


def usable(p: dict[str, float]) -> bool:
    return abs(p["dlml"]) < 1.0 and p["mmtv"] < 0.2 and p["gskl"] < 1.0


def at(run: dict[str, Any], n: int) -> dict[str, float]:
    """The answer as it stood after n evaluations (the last one at or before)."""
    before = [h for h in run["history"] if h["n"] <= n]
    return before[-1] if before else run["final"]


def table(runs: list[dict[str, Any]]) -> str:
    rows = [
        "| case | method | runs | evaluations | usable | MMTV | abs dLML | gsKL | RMS z "
        "| within 3 sd (converged) | CPU ms per evaluation |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name in CASES:
        for method in sorted({r["method"] for r in runs}):
            mine = [r for r in runs if r["case"] == name and r["method"] == method]
            if not mine:
                continue
            f = [r["final"] for r in mine]
            z = [p["dlml"] / max(p["sd"], 1e-9) for p in f]
            done = [abs(v) <= 3 for v, r in zip(z, mine, strict=True) if r["converged"]]
            rows.append(
                f"| {name} | {method} | {len(mine)} | {np.median([p['n'] for p in f]):.0f} | "
                f"{100 * np.mean([usable(p) for p in f]):.0f} % | "
                f"{np.median([p['mmtv'] for p in f]):.3f} | {np.median([abs(p['dlml']) for p in f]):.2f} | "
                f"{np.median([p['gskl'] for p in f]):.3f} | {np.sqrt(np.mean(np.square(z))):.2f} | {sum(done)}/{len(done)} | "
                f"{np.median([1000 * r['cpu'] / max(r['calls'], 1) for r in mine]):.0f} |"
            )
    return "\n".join(rows)


def load(folder: Path) -> list[dict[str, Any]]:
    found: dict[tuple[str, str, int], dict[str, Any]] = {}
    for path in sorted(folder.glob("noisy_*.jsonl")):
        for line in path.read_text().splitlines():
            run = json.loads(line)
            found[run["method"], run["case"], run["seed"]] = run
    return list(found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(list(CASES)[:7]))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--methods", default="default")
    parser.add_argument("--budget", type=int, default=0)
    parser.add_argument("--options", type=json.loads, default={}, help="JSON of options of the method")
    parser.add_argument("--again", action="store_true", help="run again what is there")
    parser.add_argument("--table", action="store_true", help="only print what results/ holds")
    parser.add_argument("--results", type=Path, default=RESULTS)
    chosen = parser.parse_args()
    chosen.results.mkdir(parents=True, exist_ok=True)
    have = set() if chosen.again else {(r["method"], r["case"], r["seed"]) for r in load(chosen.results)}
    names = chosen.cases.split(",")
    for seed in range(chosen.first_seed, chosen.first_seed + chosen.seeds) if not chosen.table else ():
        for name in names:
            for method in chosen.methods.split(","):
                if (method, name, seed) in have:
                    continue
                case = CASES[name]
                if chosen.budget:
                    case = Case(case.target, case.sd, chosen.budget, case.reported, case.tails)
                run = {"method": method, "case": name, "seed": seed, **RUNNERS[method](case, seed, chosen.options)}
                with (chosen.results / f"noisy_{method}.jsonl").open("a") as file:
                    file.write(json.dumps(run, default=float) + "\n")
                f = run["final"]
                print(
                    f"{name} {method} seed {seed}: n {f['n']}, usable {usable(f)}, dLML {f['dlml']:+.2f} sd {f['sd']:.2f}, "
                    f"MMTV {f['mmtv']:.3f} (expected {f.get('variation', float('nan')):.3f}), gsKL {f['gskl']:.3f}, "
                    f"converged {run['converged']}, CPU {1000 * run['cpu'] / run['calls']:.1f} ms",
                    flush=True,
                )
    print(table([r for r in load(chosen.results) if r["case"] in names]))


if __name__ == "__main__":
    main()
