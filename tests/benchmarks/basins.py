"""Archives with one basin sampled a thousand times as often as the other: is the small one kept?

    nice -n 10 python tests/benchmarks/basins.py [--dimensions 2,4] [--rows 14000:14] [--weights .5,.1] [--budget 0] [--seeds 1]

Two normals (sd 1) ten apart, at opposite places of the box; the archive has many evaluations around the one and few around the
other, from normals 1.5 sds wide. The truth of log Z is 0; ``share`` is the mass of the small basin in the answer.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np
from scipy.special import logsumexp

from bayescope.engine.library.infer import Answer, Inference
from bayescope.engine.numerics.randomness import generator

APART, WIDE = 10.0, 1.5  # sds


def centres(dimension: int) -> np.ndarray:
    """(2, D)."""
    half = 0.5 * APART / np.sqrt(dimension)
    return np.array([np.full(dimension, -half), np.full(dimension, half)])


def log_density(x: np.ndarray, small: float) -> np.ndarray:
    """(n,) for x (n, D); ``small``: the mass of the second normal."""
    square = ((x[:, None, :] - centres(x.shape[1])[None]) ** 2).sum(axis=2)
    parts = np.log([1.0 - small, small]) - 0.5 * square - 0.5 * x.shape[1] * np.log(2.0 * np.pi)
    found: np.ndarray = logsumexp(parts, axis=1)
    return found


def archive(dimension: int, many: int, few: int, small: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = generator(seed, "basins", dimension)
    x = np.concatenate([
        c + WIDE * rng.standard_normal((n, dimension)) for c, n in zip(centres(dimension), (many, few), strict=True)
    ])  # fmt: skip
    return x, log_density(x, small)


def one(dimension: int, many: int, few: int, small: float, budget: int, seed: int, at: set[int]) -> None:
    x, y = archive(dimension, many, few, small, seed)
    box = [(-10.0, 10.0)] * dimension
    run = Inference(box, None, budget, seed, "svbmc", options={"stop": False}, archive=(x, y))
    clock = time.process_time()

    def note(answer: Answer | None) -> None:
        if answer is None or not (answer.n_evaluations in at or answer.n_evaluations == budget):
            return
        draws = answer.sample(20_000, seed=1)
        square = ((draws[:, None, :] - centres(dimension)[None]) ** 2).sum(axis=2)
        print(json.dumps({
            "D": dimension, "rows": f"{many}:{few}", "weight": small, "seed": seed, "n": answer.n_evaluations,
            "error": round(answer.log_evidence, 4), "sd": round(answer.log_evidence_sd, 4),
            "share": round(float((square[:, 1] < square[:, 0]).mean()), 4),
            "far": round(float((square.min(axis=1) > 25.0 + 2.0 * dimension).mean()), 4),
            "inducing": answer.snapshot.diagnostics.get("inducing", 0.0), "cpu": round(time.process_time() - clock, 1),
        }), flush=True)  # fmt: skip

    note(run.update())
    while not run.finished:
        for point in run.ask():
            run.tell(point.index, float(log_density(np.asarray(point.theta)[None, :], small)[0]))
        note(run.update())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dimensions", default="2,4")
    parser.add_argument("--rows", default="20000:14,14000:14,5000:60")
    parser.add_argument("--weights", default=".5,.1", help="masses of the small basin")
    parser.add_argument("--budget", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first-seed", type=int, default=0)
    arguments = parser.parse_args()
    for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
        for d in (int(v) for v in arguments.dimensions.split(",")):
            for rows in arguments.rows.split(","):
                many, few = (int(v) for v in rows.split(":"))
                for small in (float(w) for w in arguments.weights.split(",")):
                    one(d, many, few, small, arguments.budget, seed, {0, 10, 20, 30, 50})


if __name__ == "__main__":
    main()
