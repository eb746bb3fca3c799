"""Far starts where values hardly tell the way: ours beside ranks and classification (BORE, LFBO; seed 002 ch. 5).

    python tests/benchmarks/plateaus.py [CASES...] [--dimensions 2,4,6] [--seeds 5] [--first-seed 0]
        [--methods ours,forest,network,random] [--budget 150] [--out FILE]

A correlated normal of sd 1 in a box of +-30, its log density shaped by the case. ``n_found``: evaluations until the best run lies
within 2 nats of the top. Ours: the goal "best fit". Forest, network: the highest third of the runs against the others (BORE, Tiao
et al. 2021), weighted by ranks (LFBO, Song et al. 2022), by a random forest or a torch network of two layers; the next run is
the likeliest of 2,000 places, half of them even in the box, half around the best runs.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from bayescope.engine.loop_interface import LoopSettings, Tell  # noqa: E402
from bayescope.engine.methods.ask_tell import AskTellLoop  # noqa: E402
from bayescope.engine.methods.best_fit import BestFitMethod  # noqa: E402

RESULTS = HERE / "results" / "plateaus.jsonl"
HALF, NEAR, FLOOR = 30.0, 2.0, -1e6
Density = Callable[[np.ndarray], float]


def bowl(d: int, seed: int) -> Density:
    rng = np.random.default_rng(6000 + 10 * d + seed)
    a = rng.standard_normal((d, d))
    corr = a @ a.T / d + np.eye(d)
    scale = 1.0 / np.sqrt(np.diag(corr))
    precision = np.linalg.inv(corr * np.outer(scale, scale))
    mean = rng.uniform(-0.5, 0.5, d) * HALF
    return lambda x: float(-0.5 * (x - mean) @ precision @ (x - mean))


def steep(f: Density, d: int) -> Density:
    """Millions of nats: -(distance)^4."""
    return lambda x: float(-np.square(f(x)) + f(x))


def floor(f: Density, d: int) -> Density:
    """The same number far out: a solver that gives up there and says so with -10^6."""
    edge = -0.5 * d * 12.0**2  # of the bowl: about 12 sds in each parameter
    return lambda x: f(x) if f(x) > edge else FLOOR


def impossible(f: Density, d: int) -> Density:
    edge = -0.5 * d * 12.0**2
    return lambda x: f(x) if f(x) > edge else -np.inf


def steps(f: Density, d: int) -> Density:
    """Plateaus: rounded to steps of the square root of ten, from millions of nats on, smooth within 30."""

    def shaped(x: np.ndarray) -> float:
        drop = -np.square(f(x)) + f(x)
        return drop if drop > -30.0 else float(-(10.0 ** (np.round(2.0 * np.log10(-drop)) / 2.0)))

    return shaped


def wavy(f: Density, d: int) -> Density:
    """Millions of nats with ripples of a third of the drop."""

    def shaped(x: np.ndarray) -> float:
        drop = np.square(f(x)) - f(x)
        return float(-drop * (1.0 + 0.33 * np.sin(3.0 * x).mean() * drop / (drop + 100.0)))

    return shaped


CASES = {"steep": steep, "floor": floor, "impossible": impossible, "steps": steps, "wavy": wavy}


def ours(f: Density, d: int, seed: int, budget: int, values: list[float]) -> None:
    loop = AskTellLoop(BestFitMethod(LoopSettings(np.full(d, -HALF), np.full(d, HALF), seed=seed, max_evaluations=budget)))
    while not loop.finished:
        asks = loop.ask(1)
        if not asks:
            return
        for ask in asks:
            y = f(ask.u)
            values.append(y)
            loop.tell(Tell(ask.index, ask.u, y if np.isfinite(y) else None, impossible=not np.isfinite(y)))
        loop.update()
        if max(values) > -NEAR:
            return


def by_classes(score: Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int], np.ndarray]) -> Callable[..., None]:
    def run(f: Density, d: int, seed: int, budget: int, values: list[float]) -> None:
        rng = np.random.default_rng(seed)
        x = rng.uniform(-HALF, HALF, (d + 4, d))
        values.extend(f(p) for p in x)
        while len(values) < budget and max(values) <= -NEAR:
            y = np.array(values)
            order = np.argsort(-y)
            good = np.zeros(len(y), dtype=bool)
            good[order[: max(2, len(y) // 3)]] = True
            good &= np.isfinite(y)
            gain = np.where(good, 2.0 - np.argsort(order) / len(y), 1.0)  # of ranks: values span millions
            around = x[rng.choice(order[: max(2, len(y) // 4)], 1000)]
            near = around + rng.standard_normal((1000, d)) * HALF * 10.0 ** rng.uniform(-3, -0.3, (1000, 1))
            places = np.clip(np.concatenate([rng.uniform(-HALF, HALF, (1000, d)), near]), -HALF, HALF)
            chance = score(x, good, gain, places, seed) if good.any() and not good.all() else rng.random(len(places))
            x = np.vstack([x, places[int(np.argmax(chance + 1e-9 * rng.random(len(places))))]])
            values.append(f(x[-1]))

    return run


def forest(x: np.ndarray, good: np.ndarray, gain: np.ndarray, places: np.ndarray, seed: int) -> np.ndarray:
    from sklearn.ensemble import RandomForestClassifier

    model = RandomForestClassifier(100, min_samples_leaf=2, random_state=seed).fit(x, good, sample_weight=gain)
    return np.asarray(model.predict_proba(places)[:, 1])


def network(x: np.ndarray, good: np.ndarray, gain: np.ndarray, places: np.ndarray, seed: int) -> np.ndarray:
    import torch

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    d = x.shape[1]
    layers = torch.nn.Sequential(
        torch.nn.Linear(d, 32), torch.nn.ELU(), torch.nn.Linear(32, 32), torch.nn.ELU(), torch.nn.Linear(32, 1)
    )
    at, wanted, weight = (torch.tensor(v, dtype=torch.float32) for v in (x / HALF, good[:, None], gain[:, None]))
    steps_of = torch.optim.Adam(layers.parameters(), lr=0.01)
    for _ in range(200):
        steps_of.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(layers(at), wanted, weight)
        loss.backward()
        steps_of.step()
    with torch.no_grad():
        return np.asarray(layers(torch.tensor(places / HALF, dtype=torch.float32)).numpy()[:, 0], dtype=float)


def at_random(x: np.ndarray, good: np.ndarray, gain: np.ndarray, places: np.ndarray, seed: int) -> np.ndarray:
    return np.random.default_rng(len(x) + 1000 * seed).random(len(places))


METHODS: dict[str, Callable[..., None]] = {
    "ours": ours, "forest": by_classes(forest), "network": by_classes(network), "random": by_classes(at_random),
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", default=list(CASES))
    parser.add_argument("--dimensions", default="2,4,6")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--methods", default="ours,forest,network,random")
    parser.add_argument("--budget", type=int, default=150)
    parser.add_argument("--out", type=Path, default=RESULTS)
    a = parser.parse_args()
    a.out.parent.mkdir(exist_ok=True, parents=True)
    for case in a.cases:
        for d in (int(v) for v in a.dimensions.split(",")):
            for method in a.methods.split(","):
                rows: list[dict[str, Any]] = []
                for seed in range(a.first_seed, a.first_seed + a.seeds):
                    values: list[float] = []
                    clock = time.process_time()
                    METHODS[method](CASES[case](bowl(d, seed), d), d, seed, a.budget, values)
                    found = len(values) if max(values) > -NEAR else None
                    row = {"case": case, "dimension": d, "method": method, "seed": seed, "n_found": found, "best": max(values)}
                    rows.append({**row, "cpu": time.process_time() - clock})
                    with a.out.open("a") as file:
                        file.write(json.dumps(rows[-1]) + "\n")
                print(case, d, method, [r["n_found"] for r in rows], [round(r["best"], 1) for r in rows], flush=True)


if __name__ == "__main__":
    main()
