"""Outputs learnt against their score learnt: evaluations to "tight" and to "converged", honesty, CPU, side by side.

    python tests/benchmarks/outputs.py --cases contamination4,lotka_volterra8 --seeds 5 --budget 110
    python tests/benchmarks/outputs.py --table          # what results/outputs.jsonl holds

"Tight": MMTV < .05, |dLML| < .1 and gsKL < .1 from that number of evaluations to the end of the run. One BLAS thread; CPU seconds
of the method alone. ``--learn score``: the log density alone, as before outputs were learnt.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable, Mapping  # noqa: E402
from dataclasses import dataclass, replace  # noqa: E402
from pathlib import Path  # noqa: E402

import msgspec  # noqa: E402
import numpy as np  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from inference import quality  # noqa: E402
from scipy import integrate, stats  # noqa: E402

from bayescope.engine.likelihood.evaluate import LikelihoodError, log_likelihood  # noqa: E402
from bayescope.engine.loop_interface import Tell  # noqa: E402
from bayescope.engine.methods.loops import loop_settings, make_loop  # noqa: E402
from bayescope.engine.problem import definition as d  # noqa: E402
from bayescope.engine.problem.files import load  # noqa: E402
from bayescope.engine.problem.transforms import ParameterSpace  # noqa: E402
from targets import LYNX_HARE, Target, contamination4, lotka_volterra8  # noqa: E402

RESULTS = HERE / "results" / "outputs.jsonl"
Outputs = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Case:
    target: Target
    problem: d.Problem
    program: Callable[[Mapping[str, float]], Outputs | None]


def contamination() -> Case:
    from bayescope.resources.examples.contamination import contamination_source

    def program(v: Mapping[str, float]) -> Outputs:
        rows = np.array(contamination_source.solve(v["x0"], v["ts"], v["q0"], v["rho"]))
        return {"time": rows[:, 0], "left": rows[:, 1], "right": rows[:, 2]}

    return Case(contamination4(), load(HERE.parents[1] / "resources" / "examples" / "contamination" / "problem.json"), program)


def lotka_volterra() -> Case:
    """The target's priors are cut at zero and not normalized there; the problem's are, so its evidence is larger."""
    target, data = lotka_volterra8(), np.loadtxt(LYNX_HARE, delimiter=",", skiprows=1)
    rate, yield_ = d.TruncatedNormal(mean=1.0, sd=0.5, low=0.0), d.TruncatedNormal(mean=0.05, sd=0.05, low=0.0)
    size, spread = d.LogNormal(log_mean=float(np.log(10.0)), log_sd=1.0), d.LogNormal(log_mean=-1.0, log_sd=1.0)
    priors = {"a": rate, "b": yield_, "c": rate, "d": yield_, "u0": size, "v0": size, "su": spread, "sv": spread}
    matches = tuple(
        d.Match(output=n, column=n, noise=d.LogNormalNoise(parameter=s)) for n, s in (("hare", "su"), ("lynx", "sv"))
    )
    problem = d.Problem(
        name="Lotka-Volterra",
        parameters=tuple(
            d.Parameter(name=n, prior=p, plausible=b) for (n, p), b in zip(priors.items(), target.plausible, strict=True)
        ),
        simulator=d.Simulator(command=("x", *(f"@{n}@" for n in priors if n not in ("su", "sv")))),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in ("hare", "lynx")),
        meaning=d.Predictions(matches=matches, noise=d.LogNormalNoise(parameter="su")),
        data=d.DataTable(columns={"hare": tuple(data[:, 1]), "lynx": tuple(data[:, 2])}),
    )

    def program(v: Mapping[str, float]) -> Outputs | None:
        def rates(t: float, z: np.ndarray) -> list[float]:
            return [v["a"] * z[0] - v["b"] * z[0] * z[1], -v["c"] * z[1] + v["d"] * z[0] * z[1]]

        s = integrate.solve_ivp(rates, (0, 20), [v["u0"], v["v0"]], t_eval=np.arange(21.0), rtol=1e-8, atol=1e-8)
        return {"hare": s.y[0], "lynx": s.y[1]} if s.y.shape[1] == 21 else None

    more = -2.0 * float(stats.norm.logcdf(2.0)) - 2.0 * float(stats.norm.logcdf(1.0))
    return Case(replace(target, log_evidence=target.log_evidence + more), problem, program)


CASES: dict[str, Callable[[], Case]] = {"contamination4": contamination, "lotka_volterra8": lotka_volterra}


def one(name: str, seed: int, budget: int, learn: str, workers: int = 1) -> dict[str, object]:
    case = CASES[name]()
    settings = d.Settings(seed=seed, max_evaluations=budget, options={"learn": learn})
    problem = msgspec.structs.replace(case.problem, settings=settings)
    space = ParameterSpace(problem.parameters)
    known = loop_settings(problem, space, budget, workers)
    loop, cpu, rng = make_loop("default", known), 0.0, np.random.default_rng(seed)
    points, last = [], None
    while not loop.finished:
        start = time.process_time()
        asks = loop.ask(workers)
        cpu += time.process_time() - start
        if not asks:
            break
        for ask in asks:
            v = space.values(ask.u)
            out = case.program(v)
            try:
                if out is None:
                    raise LikelihoodError("no output")
                y = log_likelihood(problem, out, v)[0] + float(space.log_prior_in_inference(ask.u))
            except LikelihoodError:
                loop.tell(Tell(ask.index, ask.u, None))
                continue
            loop.tell(Tell(ask.index, ask.u, y, outputs=None if known.cells is None else known.cells.cells(out)))
        start = time.process_time()
        found = loop.update()
        cpu += time.process_time() - start
        if found is None or found.draws is None:
            continue
        last = found
        rows = rng.choice(len(found.draws.points), 10_000, p=found.draws.weights)
        mmtv, gskl = quality(case.target, space.to_user(found.draws.points[rows]))
        points.append((found.n_evaluations, found.log_evidence - case.target.log_evidence, mmtv, gskl))
    bad = [n for n, dlml, mmtv, gskl in points if not (abs(dlml) < 0.1 and mmtv < 0.05 and gskl < 0.1)]
    tight = next((n for n, *_ in points if n > max(bad, default=0)), None)
    assert last is not None
    n, dlml, mmtv, gskl = points[-1]
    return {
        "case": name, "seed": seed, "learn": learn, "tight": tight, "converged": n if last.converged else None, "n": n,
        "dlml": dlml, "sd": last.log_evidence_sd, "mmtv": mmtv, "gskl": gskl, "cpu_ms": 1000 * cpu / n,
    }  # fmt: skip


def table() -> None:
    rows = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    for case, learn in sorted({(r["case"], r["learn"]) for r in rows}):
        found = [r for r in rows if (r["case"], r["learn"]) == (case, learn)]
        words = ", ".join(f"{r['tight'] or 'never'}/{r['converged'] or '-'}" for r in found)
        off = ", ".join(f"{r['dlml']:+.2f}±{r['sd']:.2f}" for r in found)
        cpu = np.median([r["cpu_ms"] for r in found])
        print(f"{case:<18} {learn:<8} tight/converged: {words} | dLML {off} | CPU {cpu:.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--budget", type=int, default=150)
    parser.add_argument("--learn", default="auto", choices=("auto", "outputs", "score"))
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    if arguments.table:
        table()
        return
    for name in arguments.cases.split(","):
        for seed in range(arguments.first, arguments.first + arguments.seeds):
            found = one(name, seed, arguments.budget, arguments.learn)
            with RESULTS.open("a") as file:
                file.write(json.dumps(found) + "\n")
            print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
