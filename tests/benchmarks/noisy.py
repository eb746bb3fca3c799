"""The benchmark of noisy log densities: usable answers, MMTV, evidence z-scores, false stops, CPU; PyVBMC in the same conditions.

    python tests/benchmarks/noisy.py --cases issue --seeds 20 --methods default,pyvbmc
    python tests/benchmarks/noisy.py --cases programs --seeds 2      # the bundled random programs through the real engine
    python tests/benchmarks/noisy.py --cases bad --seeds 5           # zero, huge, heavy-tailed and misreported noise
    python tests/benchmarks/noisy.py --table                         # what results/ holds

"Usable": |dLML| < 1, MMTV < .2, gsKL < 1. A false stop says converged with |dLML| > 1 or MMTV > .2. One run appends one JSON
line to results/noisy_METHOD.jsonl; a (method, case, seed) that is there is not run again unless --again. One BLAS thread; CPU
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
from collections.abc import Callable  # noqa: E402
from dataclasses import dataclass, replace  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import random_simulators  # noqa: E402
from inference import Unfolded, point  # noqa: E402

from bayescope.engine.likelihood.errors import LikelihoodError  # noqa: E402
from bayescope.engine.methods.loops import OWN_ERRORS_SD  # noqa: E402
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
FAILED = -1000.0


@dataclass(frozen=True)
class Case:
    """``sd``: of the noise added, or its function of theta; ``reported``: factor on the sd told to the method (None: nothing is
    told); ``tails``: Student-t dof of the noise; ``program``: a bundled random program, simulated here in the same process;
    ``engine``: ... run as the external program it is, by the real engine.
    """

    target: Callable[[], Target]
    sd: float | Callable[[np.ndarray], float]
    budget: int
    reported: float | None = 1.0
    tails: float | None = None
    program: str = ""
    engine: bool = False


def patchy(theta: np.ndarray) -> float:
    """No noise at all on one side, far too much on the other."""
    return 0.0 if theta[0] < -1.0 else 30.0 if theta[0] > 1.5 else 3.0


def program(name: str) -> Callable[[], Target]:
    return lambda: random_simulators.target(name)


ISSUE: dict[str, Case] = {
    "rosenbrock2_sd3": Case(rosenbrock2, 3.0, 170),
    "student8_sd3": Case(lambda: student(8), 3.0, 300),
    "lumpy4_sd3": Case(lambda: lumpy(4), 3.0, 100),
    "gaussian6_sd1": Case(lambda: correlated(6), 1.0, 200),
    "gaussian6_sd5": Case(lambda: correlated(6), 5.0, 200),
    "banana2_sd1": Case(rosenbrock2, 1.0, 150),
    "lotka_volterra8_sd3": Case(lotka_volterra8, 3.0, 300),
    "birth_death": Case(program("birth_death"), 0.0, 100, program="birth_death"),
    "ricker": Case(program("ricker"), 0.0, 100, program="ricker"),
}
PROGRAMS: dict[str, Case] = {
    "birth_death_program": Case(program("birth_death"), 0.0, 60, program="birth_death", engine=True),
    "ricker_program": Case(program("ricker"), 0.0, 60, program="ricker", engine=True),
}
MORE: dict[str, Case] = {  # beyond the issue's list, to catch tuning
    "student4_sd3": Case(lambda: student(4), 3.0, 160),
    "skew_banana4_sd3": Case(skew_banana4, 3.0, 250),
}
BAD: dict[str, Case] = {
    "gaussian6_sd3_told10": Case(lambda: correlated(6), 3.0, 200, 10.0),
    "gaussian6_sd3_told_tenth": Case(lambda: correlated(6), 3.0, 200, 0.1),
    "rosenbrock2_sd3_told_tenth": Case(rosenbrock2, 3.0, 170, 0.1),
    "rosenbrock2_sd3_untold": Case(rosenbrock2, 3.0, 170, None),
    "rosenbrock2_sd3_heavy": Case(rosenbrock2, 3.0, 170, 1.0, 2.5),
    "rosenbrock2_patchy": Case(rosenbrock2, patchy, 170),
    "lumpy4_patchy": Case(lambda: lumpy(4), patchy, 150),
}
CASES = {**ISSUE, **PROGRAMS, **MORE, **BAD}
GROUPS = {"issue": ISSUE, "programs": PROGRAMS, "more": MORE, "bad": BAD, "all": CASES}


class NoisyTarget:
    """The target plus noise; draws are keyed by the seed and the call's number, so every method meets the same noise."""

    def __init__(self, case: Case, target: Target, seed: int) -> None:
        self.case, self.target, self.calls, self.cpu = case, target, 0, 0.0
        self.rng = np.random.default_rng([77, seed])
        self.synthetic = random_simulators.SyntheticTarget(case.program) if case.program else None

    def __call__(self, x: np.ndarray) -> tuple[float, float]:
        start = time.process_time()
        self.calls += 1
        try:
            return self._value(np.asarray(x, dtype=float).ravel())
        finally:
            self.cpu += time.process_time() - start

    def _value(self, theta: np.ndarray) -> tuple[float, float]:
        if self.synthetic is not None:
            return self.synthetic.noisy(theta, self.rng)
        tails = self.case.tails
        noise = (
            self.rng.standard_normal() if tails is None else self.rng.standard_t(tails) / np.sqrt(tails / (tails - 2))
        )
        sd = self.case.sd(theta) if callable(self.case.sd) else self.case.sd
        return float(self.target.log_density(theta) + sd * noise), float(sd * (self.case.reported or 0.0))


def run_default(case: Case, seed: int, options: dict[str, Any]) -> dict[str, Any]:
    from bayescope.engine import infer

    target = case.target()
    noisy = NoisyTarget(case, target, seed)
    if case.program:  # as the application does where it works out the standard errors itself
        options = {"noise_scale_sd": OWN_ERRORS_SD, **options}
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
        if np.isfinite(h.log_evidence)
    ]
    return {
        "history": history, "final": history[-1], "converged": answer.converged, "cpu": cpu, "calls": noisy.calls,
        "reasons": list(answer.reasons),
    }  # fmt: skip


def run_pyvbmc(case: Case, seed: int, options: dict[str, Any]) -> dict[str, Any]:
    from pyvbmc import VBMC

    target = case.target()
    noisy = NoisyTarget(case, target, seed)
    chart = Unfolded(target)
    low, high, box = chart.low[None], chart.high[None], chart.box
    start = np.random.default_rng(seed).uniform(box[0], box[1])[None]
    given = {
        "display": "off",
        "max_fun_evals": case.budget,
        "show_tips": False,
        "specify_target_noise": True,
        **options,
    }

    def told(x: np.ndarray) -> tuple[float, float]:
        try:
            y, sd = noisy(chart.back(x))
            return y + chart.log_jacobian(x), sd
        except (OverflowError, LikelihoodError):  # PyVBMC knows no failed evaluations: a very low value instead
            return FAILED, 1.0

    clock = time.process_time()
    vbmc = VBMC(told, start, low, high, box[:1], box[1:], options=given, seed=seed)
    vp, results = vbmc.optimize()
    cpu = time.process_time() - clock - noisy.cpu
    x = chart.back(vp.sample(SAMPLES)[0])
    elbo, sd = float(results["elbo"]), float(results["elbo_sd"])
    final = point(target, int(results["func_count"]), elbo, sd, elbo, sd, x)
    return {"history": [], "final": final, "converged": bool(results["success_flag"]), "cpu": cpu, "calls": noisy.calls}


def run_engine(case: Case, seed: int, options: dict[str, Any]) -> dict[str, Any]:
    """The bundled program as an external program: a session, real processes, several runs per point, synthetic likelihood."""
    import tempfile

    import msgspec

    from bayescope.engine.answer.posterior import StoredPosterior
    from bayescope.engine.run.analysis import Analysis
    from bayescope.engine.run.control import Control
    from bayescope.engine.session.store import SessionStore

    target, it = case.target(), random_simulators.SyntheticTarget(case.program)
    settings = msgspec.structs.replace(
        it.problem.settings, max_evaluations=case.budget, seed=seed, workers=1, options=dict(options)
    )
    problem = msgspec.structs.replace(it.problem, settings=settings)
    clock = time.process_time()
    with (
        tempfile.TemporaryDirectory() as folder,
        SessionStore.create(Path(folder) / "noisy.bayescope", problem, own=True) as store,
    ):
        ended = Analysis(store, control=Control(), observer=lambda _: None).run()
        cpu = time.process_time() - clock
        last = store.last_iteration()
        if last is None:
            raise RuntimeError(f"the analysis ended without an answer: {ended.words}")
        x = StoredPosterior.of_iteration(it.space, last).sample(SAMPLES, seed)
        calls = len(store.evaluations())
        f = point(target, calls, last.log_evidence, last.log_evidence_sd, last.elbo, last.elbo_sd, x)
        return {
            "history": [], "final": f, "converged": ended.outcome == "converged", "cpu": cpu, "calls": calls,
            "reasons": [ended.words],
        }  # fmt: skip


RUNNERS = {"default": run_default, "pyvbmc": run_pyvbmc}


def run_one(method: str, case: Case, seed: int, options: dict[str, Any]) -> dict[str, Any] | None:
    """None: the method cannot run this case."""
    if case.engine:
        return run_engine(case, seed, options) if method == "default" else None
    return RUNNERS[method](case, seed, options)


def usable(p: dict[str, float]) -> bool:
    return abs(p["dlml"]) < 1.0 and p["mmtv"] < 0.2 and p["gskl"] < 1.0


def false_stop(run: dict[str, Any]) -> bool:
    return bool(run["converged"]) and (abs(run["final"]["dlml"]) > 1.0 or run["final"]["mmtv"] > 0.2)


def at(run: dict[str, Any], n: int) -> dict[str, float]:
    """The answer as it stood after n evaluations (the last one at or before)."""
    before = [h for h in run["history"] if h["n"] <= n]
    return before[-1] if before else run["final"]


def table(runs: list[dict[str, Any]]) -> str:
    rows = [
        "| case | method | runs | evaluations | usable | MMTV | abs dLML | gsKL | RMS z | converged | false stops "
        "| within 3 sd (converged) | CPU ms per evaluation |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
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
                f"{np.median([p['gskl'] for p in f]):.3f} | {np.sqrt(np.mean(np.square(z))):.2f} | {len(done)} | "
                f"{sum(false_stop(r) for r in mine)} | {sum(done)}/{len(done)} | "
                f"{np.median([1000 * r['cpu'] / max(r['calls'], 1) for r in mine]):.0f} |"
            )
    for method in sorted({r["method"] for r in runs}):
        mine = [r for r in runs if r["method"] == method]
        done = [r for r in mine if r["converged"]]
        honest = sum(abs(r["final"]["dlml"]) <= 3 * r["final"]["sd"] for r in done)
        rows.append(
            f"\n{method}: {len(mine)} runs, {len(done)} said converged, {sum(map(false_stop, mine))} of those falsely; "
            f"log evidence within 3 stated sd in {honest} of {len(done)}."
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
    parser.add_argument("--cases", default="issue", help=f"{', '.join(GROUPS)} or names separated by commas")
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
    names = list(GROUPS.get(chosen.cases, {})) or chosen.cases.split(",")
    for seed in range(chosen.first_seed, chosen.first_seed + chosen.seeds) if not chosen.table else ():
        for name in names:
            for method in chosen.methods.split(","):
                if (method, name, seed) in have:
                    continue
                case = CASES[name]
                if chosen.budget:
                    case = replace(case, budget=chosen.budget)
                found = run_one(method, case, seed, chosen.options)
                if found is None:
                    continue
                run = {"method": method, "case": name, "seed": seed, **found}
                with (chosen.results / f"noisy_{method}.jsonl").open("a") as file:
                    file.write(json.dumps(run, default=float) + "\n")
                f = run["final"]
                print(
                    f"{name} {method} seed {seed}: n {f['n']}, usable {usable(f)}, dLML {f['dlml']:+.2f} sd {f['sd']:.2f}, "
                    f"MMTV {f['mmtv']:.3f} (expected {f.get('variation', float('nan')):.3f}), gsKL {f['gskl']:.3f}, "
                    f"converged {run['converged']}, CPU {1000 * run['cpu'] / run['calls']:.1f} ms",
                    flush=True,
                )
    shown = list(CASES) if chosen.table and chosen.cases == "issue" else names
    print(table([r for r in load(chosen.results) if r["case"] in shown]))


if __name__ == "__main__":
    main()
