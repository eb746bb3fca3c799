"""Outputs that scatter about a smooth surface (a Monte Carlo program with a fixed seed), by a size that depends on the place.

    python tests/benchmarks/rough_outputs.py --seeds 6 --results FOLDER --label now
    python tests/benchmarks/rough_outputs.py --table --results FOLDER --label now,before
    python tests/benchmarks/rough_outputs.py --without --label before  # as it was before: not looked for, outputs are exact
    python tests/benchmarks/rough_outputs.py --even --label even       # the same everywhere

The decay of lying.py, 12 cells measured with sd .05; each run adds independent normal noise to every cell, of a size in units of
that sd (left and right: .05 and .5 on either side of the top of the posterior; distance: .05 and .1 for every posterior sd from
there). The place decides its luck: a repetition gives the same. The truth is the posterior without the scatter. One JSON line a
run.
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

import lying  # noqa: E402
from inference import RESULTS, SAMPLES, point, tight  # noqa: E402

from bayescope.engine.methods.default.outputs_memory import OutputsMemory  # noqa: E402
from bayescope.engine.surrogate.outputs.scatter import Level  # noqa: E402

Array = np.ndarray
MIDDLE = np.array([0.2, -0.35])  # about the top of the posterior, whose sds are about .05
WIDTH = 0.05


def left_and_right(x: Array) -> float:
    return 0.05 if x[1] < MIDDLE[1] else 0.5


def with_distance(x: Array) -> float:
    return float(0.05 + 0.1 * np.linalg.norm((x - MIDDLE) / WIDTH))


CASES: dict[str, Callable[[Array], float]] = {
    "none": lambda x: 0.0,
    "even small": lambda x: 0.1,
    "even": lambda x: 0.5,
    "left and right": left_and_right,
    "distance": with_distance,
}


def run(case: str, seed: int, budget: int) -> dict[str, Any]:
    from bayescope.engine import infer_outputs
    from bayescope.engine.problem.definition import Normal

    target = lying.decay_target()
    made: dict[tuple[float, float], Array] = {}

    def simulate(v: Any) -> Array:
        key = (v["a"], v["b"])
        x = np.array(key)
        luck = np.random.default_rng([seed, *np.abs(x.view(np.int64)).tolist()]).standard_normal(len(lying.DATA))
        made[key] = lying.decay(x[None])[0] + CASES[case](x) * lying.NOISE * luck
        return made[key]

    priors = {name: Normal(mean=mean, sd=sd) for name, (mean, sd) in lying.DECAY.items()}
    clock = time.process_time()
    answer = infer_outputs(
        simulate, lying.DATA, lying.NOISE, priors, budget, seed, plausible=dict(zip(lying.DECAY, target.plausible, strict=True))
    )
    cpu = time.process_time() - clock

    def figures(h: Any) -> dict[str, float]:
        return point(target, h.n_evaluations, h.log_evidence, h.log_evidence_sd, h.elbo, h.elbo_sd, h.sample(SAMPLES, seed))

    answers = [h for h in answer.history if np.isfinite(h.log_evidence)]
    return {
        "case": case, "seed": seed, "budget": budget, "converged": answer.converged, "final": figures(answer),
        "history": [figures(h) for h in answers[:: max(1, len(answers) // 15)]], "calls": len(made), "cpu": cpu,
        "headline": answer.reasons[0], "map": "noise.sd" in answer.snapshot.success,
        "left_out": len(lying.FarOff.of(answer.snapshot.far_off).not_counted),
    }  # fmt: skip


def load(folder: Path, label: str) -> list[dict[str, Any]]:
    name = f"rough_outputs_{label}.jsonl"
    paths = [folder / name, *sorted(folder.glob(f"*/{name}"))]
    return [json.loads(line) for path in paths if path.exists() for line in path.read_text().splitlines()]


def table(folder: Path, labels: list[str]) -> str:
    rows = [
        "| label | scatter | runs | tight at (runs) | stop at | converged (wrong) | dLML: rms, stated | MMTV: mean, largest "
        "| map shown | ms |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for label in labels:
        records = load(folder, label)
        for case in [c for c in CASES if any(r["case"] == c for r in records)]:
            mine = [r for r in records if r["case"] == case]
            tights = [np.inf if (t := tight([*r["history"], r["final"]])) is None else t for r in mine]
            ends = np.array([[r["final"]["dlml"], r["final"]["mmtv"]] for r in mine])
            done = [r["converged"] for r in mine]
            wrong = sum(lying.wrong(r) for r in mine)
            said = np.sqrt(np.mean([r["final"]["sd"] ** 2 for r in mine]))
            rows.append(
                f"| {label} | {case} | {len(mine)} | {np.median(tights):.0f} ({np.isfinite(tights).sum()}) | "
                f"{np.median([r['final']['n'] for r in mine]):.0f} | {sum(done)} ({wrong}) | "
                f"{np.sqrt(np.mean(ends[:, 0] ** 2)):.3f}, {said:.3f} | {ends[:, 1].mean():.3f}, {ends[:, 1].max():.3f} | "
                f"{sum(r['map'] for r in mine)} | {1000 * np.mean([r['cpu'] / max(r['calls'], 1) for r in mine]):.0f} |"
            )
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--budget", type=int, default=70)
    parser.add_argument("--label", default="now")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the JSON lines; one for each process at once")
    parser.add_argument("--without", action="store_true", help="nothing is looked for, as it was before")
    parser.add_argument("--even", action="store_true", help="the scatter is taken as the same everywhere")
    parser.add_argument("--table", action="store_true", help="only print what is there; --label may name several")
    chosen = parser.parse_args()
    if chosen.without:
        OutputsMemory.may_look_beside = lambda self, n: False  # type: ignore[method-assign]
    if chosen.even:
        Level.learnt = classmethod(lambda cls, *arrays: None)  # type: ignore[assignment]
    labels, folder = chosen.label.split(","), chosen.results
    if not chosen.table:
        folder.mkdir(parents=True, exist_ok=True)
        have = {(r["case"], r["seed"]) for r in load(folder, labels[0])}
        for seed in range(chosen.first_seed, chosen.first_seed + chosen.seeds):
            for case in chosen.cases.split(","):
                if (case, seed) not in have:
                    record = run(case, seed, chosen.budget)
                    with (folder / f"rough_outputs_{labels[0]}.jsonl").open("a") as file:
                        file.write(json.dumps(record, default=float) + "\n")
    print(table(folder, labels))


if __name__ == "__main__":
    main()
