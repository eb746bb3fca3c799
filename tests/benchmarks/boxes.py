"""Plausible boxes that are wrong: a normal posterior of sd 1 (mean .3), and a box too narrow, beside it or far too wide.

    python tests/benchmarks/boxes.py [--dimensions 2,4,6] [--boxes 0,1,2] [--seeds 1] [--first-seed 0] [--goal posterior]
        [--resume] [--out FILE]

One line for each run is appended to FILE as it ends (several processes may share one); with --resume what stands there is not
run again.

Error of the log evidence with the sd that is stated, of mean and sd of the worst parameter in sds; whether it converged.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any, Literal

import numpy as np

from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.loops import make_loop

BOXES = ((-0.1, 0.1), (0.0, 0.01), (12.0, 15.0), (-30.0, 30.0), (-100.0, 100.0), (-1e3, 1e3), (-1e4, 1e4))
MEAN = 0.3
BUDGETS = {2: 100, 4: 150, 6: 200}


def one(d: int, box: tuple[float, float], seed: int, goal: Literal["posterior", "best_fit"]) -> dict[str, Any]:
    rng = np.random.default_rng(100 + d)
    a = rng.standard_normal((d, d))
    correlation = a @ a.T + d * np.eye(d)
    correlation /= np.sqrt(np.outer(np.diag(correlation), np.diag(correlation)))
    precision, log_det = np.linalg.inv(correlation), float(np.linalg.slogdet(correlation)[1])
    evidence = 0.5 * d * np.log(2.0 * np.pi) + 0.5 * log_det

    def density(u: np.ndarray) -> float:
        return float(-0.5 * (u - MEAN) @ precision @ (u - MEAN))

    settings = LoopSettings(np.full(d, box[0]), np.full(d, box[1]), seed=seed, max_evaluations=BUDGETS[d], goal=goal)
    clock, loop, best, last, n = time.process_time(), make_loop("default", settings), -np.inf, None, 0
    found = None
    while not loop.finished:
        asks = loop.ask(1)
        if not asks:
            break
        for ask in asks:
            y, n = density(ask.u), n + 1
            best = max(best, y)
            found = n if found is None and best > -0.1 else found
            loop.tell(Tell(ask.index, ask.u, y))
        last = loop.update() or last
    row: dict[str, Any] = {"d": d, "box": box, "seed": seed, "goal": goal, "n": n, "best": best, "n_found": found}
    if last is not None and last.draws is not None:
        w, x = last.draws.weights, last.draws.points
        mean = w @ x
        sd = np.sqrt(np.maximum(w @ np.square(x - mean), 0.0))
        row |= {
            "dlml": last.log_evidence - evidence, "stated": last.log_evidence_sd, "converged": last.converged,
            "mean_error": float(np.abs(mean - MEAN).max()), "sd_least": float(sd.min()), "sd_most": float(sd.max()),
            "reasons": list(last.reasons)[:3],
        }  # fmt: skip
    return row | {"cpu": time.process_time() - clock}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dimensions", default="2,4,6")
    parser.add_argument("--boxes", default=",".join(str(k) for k in range(len(BOXES))))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--goal", choices=("posterior", "best_fit"), default="posterior")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "boxes.jsonl")
    parser.add_argument("--resume", action="store_true", help="runs that stand in the file are not made again")
    a = parser.parse_args()
    a.out.parent.mkdir(exist_ok=True, parents=True)
    known = [json.loads(line) for line in a.out.read_text().splitlines()] if a.resume and a.out.exists() else []
    made = {(r["d"], tuple(r["box"]), r["seed"], r["goal"]) for r in known}
    for d in map(int, a.dimensions.split(",")):
        for k in map(int, a.boxes.split(",")):
            for seed in range(a.first_seed, a.first_seed + a.seeds):
                if (d, BOXES[k], seed, a.goal) in made:
                    continue
                row = one(d, BOXES[k], seed, a.goal)
                print(json.dumps(row), flush=True)
                with a.out.open("a") as file:
                    file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
