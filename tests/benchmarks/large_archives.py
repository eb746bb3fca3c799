"""Large and growing archives: time and memory to the first posterior, surrogates compared on held-out blocks, streaming.

    nice -n 10 python tests/benchmarks/large_archives.py --cost 5000,20000,100000     each in a process of its own
    nice -n 10 python tests/benchmarks/large_archives.py --variants [--case lotka_slice] [--seed 0]
    nice -n 10 python tests/benchmarks/large_archives.py --stream [--batches 50]

``--cost`` also runs under an older version of the package: PYTHONPATH=FOLDER with its ``bayescope``.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from archives import errors, make

import targets
from bayescope.engine.library.infer import Answer, Inference
from bayescope.engine.numerics.randomness import generator

STREAM_BATCH = 100
FINE = 2**16  # draws of a surrogate: with the 4,096 of an answer two sets of one and the same are .02 apart in MMTV


def bananas(count: int) -> tuple[targets.Target, np.ndarray, np.ndarray]:
    """Two bananas and two normals, 6-D, from normal draws wider than the posterior."""
    target = targets.two_banana6()
    x = generator(0, "cost", count).normal(0, 1.6, (count, 6))
    return target, x, np.array([target.log_density(p) for p in x])


def started(target: targets.Target, x: np.ndarray, y: np.ndarray, seed: int = 0) -> tuple[Inference, Answer, float, float]:
    """The first posterior, its CPU and wall seconds."""
    one = Inference(target.plausible, target.bounds, 0, seed, "svbmc", options={"stop": False}, archive=(x, y))
    clock, wall = time.process_time(), time.monotonic()
    answer = one.update()
    assert answer is not None
    return one, answer, time.process_time() - clock, time.monotonic() - wall


def cost_cell(count: int) -> None:
    target, x, y = bananas(count)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    _, answer, cpu, wall = started(target, x, y)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    lml, mmtv, gaussian = errors(target, answer)
    d = answer.snapshot.diagnostics
    print(
        f"| {count:,} | {d['points']:,.0f} | {d['inducing']:,.0f} | {cpu:.1f} | {wall:.1f} | {peak:.2f} ({before:.2f} before) | "
        f"{lml:.3f} ± {answer.log_evidence_sd:.3f} | {mmtv:.3f} | {gaussian:.3f} |",
        flush=True,
    )


def cost(counts: list[int]) -> None:
    print("| N | N used | M | first posterior, CPU s | wall s | peak memory, GiB | dLML ± stated | MMTV | gsKL |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    for count in counts:
        subprocess.run([sys.executable, __file__, "--cost-cell", str(count)], check=True)


def variants(case: str, seed: int, cache: Path) -> None:
    """At the hyperparameters found: numbers of inducing points; then ten more steps by other searches."""
    import torch
    from svgp import train

    from bayescope.engine.methods.svbmc.surrogate import Data, blocks
    from bayescope.engine.surrogate.fit import maximize, with_prior
    from bayescope.engine.surrogate.held_out import held_out
    from bayescope.engine.surrogate.inducing import select
    from bayescope.engine.surrogate.model import Model
    from bayescope.engine.surrogate.priors import HyperPrior
    from bayescope.engine.surrogate.sparse import SparseSurrogate, Variant
    from bayescope.engine.surrogate.sparse_fit import bound

    target, x, y = bananas(5000) if case == "bananas" else make(case, seed, cache)
    method = started(target, x, y)[0].loop.method  # type: ignore[attr-defined]
    data: Data = method._data(method.values)
    model: Model = method.surrogate.model
    block = blocks(data.x, data.level)
    every, few = data, data.for_tuning()

    def chosen(given: Model, count: int, among: Data) -> torch.Tensor:
        among = among if len(among.x) <= 6000 else among.for_tuning()
        noise = given.scaled_noise(among.noise).clamp_min(1e-12)
        return among.x[select(given.kernel, among.x, noise, count, count).indices]

    def row(name: str, find: Callable[[], Model], count: int) -> None:
        clock = time.process_time()
        found = find()
        seconds = time.process_time() - clock
        surrogate = SparseSurrogate.build(found, chosen(found, count, every), data.x, data.y, data.noise)
        h = held_out(surrogate, block)
        print(
            f"| {name} | {len(surrogate.inducing):,} | {float(h.log_density().mean()):.2f} | "
            f"{float(h.residual.abs().median()):.3f} | {float((h.residual**2).mean().sqrt()):.3f} | {seconds:.1f} |",
            flush=True,
        )

    def searched(on: Data, variant: Variant) -> Model:
        prior = HyperPrior.default(model, on.x, on.y)
        objective = with_prior(bound(model, chosen(model, 200, on), on.x, on.y, on.noise, variant), prior)
        start = np.clip(model.hyperparameters().numpy(), prior.lower, prior.upper)
        return model.with_hyperparameters(torch.as_tensor(maximize(objective, [start], prior, 10, 14)[0]))

    print(f"{case}, seed {seed}, N = {len(data.x):,}")
    print("| hyperparameters | M | held-out log density | median residual | rms | CPU s of the search |")
    print("|---|---|---|---|---|---|", flush=True)
    for count in (300, 600, 1000):
        row("as found (2,000 points)", lambda: model, count)
    row("10 steps on 2,000 points, VFE", lambda: searched(few, "vfe"), 300)
    row("10 steps on 2,000 points, DTC", lambda: searched(few, "dtc"), 300)
    row("10 steps on the whole archive, VFE", lambda: searched(every, "vfe"), 300)
    prior = HyperPrior.default(model, data.x, data.y)
    z = chosen(model, 300, every)
    row("SVGP, minibatches of the whole", lambda: train(model, z, data.x, data.y, data.noise, prior, generator(0, "svgp")), 300)


def fine(run: Inference, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """FINE draws of what the surrogate says, and their weights, more than an answer has."""
    from bayescope.engine.methods.svbmc.draws import weighted

    method = run.loop.method  # type: ignore[attr-defined]
    found = weighted(method.guarded_mean, method._proposal().mixture, generator(seed, "fine"), FINE)
    return method.memory.frame.back(found.points), found.weights


def stream(batches: int) -> None:
    """Batches that arrive one after another, against the whole imported at once."""
    from bayescope.engine.diagnostics.metrics import mmtv

    count = 5000 + STREAM_BATCH * batches
    target, x, y = bananas(count)
    one, answer, _, _ = started(target, x[:5000], y[:5000])
    print(f"first: dLML {errors(target, answer)[0]:.3f} ± {answer.log_evidence_sd:.3f}", flush=True)
    cpu, wall = [], []
    for at in range(5000, count, STREAM_BATCH):
        clock, begin = time.process_time(), time.monotonic()
        one.add(x[at : at + STREAM_BATCH], y[at : at + STREAM_BATCH])
        answer = one.update() or answer
        cpu.append(time.process_time() - clock)
        wall.append(time.monotonic() - begin)
    batch, whole, seconds, _ = started(target, x, y)
    other, _, _, _ = started(target, x, y, seed=1)
    draws = [[fine(run, seed) for seed in (1, 2)] for run in (one, batch, other)]
    floors = [mmtv(*a, *b) for a, b in draws]
    apart, seeds = (mmtv(*draws[i][0], *draws[j][0]) for i, j in ((0, 1), (1, 2)))
    shown = mmtv(answer.sample(50_000, seed=0), None, whole.sample(50_000, seed=0), None)
    print(
        f"{batches} batches of {STREAM_BATCH}: CPU s {np.median(cpu):.2f} (at most {max(cpu):.2f}), "
        f"wall s {np.median(wall):.2f}; M {answer.snapshot.diagnostics['inducing']:.0f}\n"
        f"streamed dLML {errors(target, answer)[0]:.3f}, at once {errors(target, whole)[0]:.3f} ({seconds:.1f} CPU s); "
        f"apart: dLML {abs(answer.log_evidence - whole.log_evidence):.3f}, MMTV {apart:.4f} ({FINE:,} draws of each surrogate); "
        f"two batches with different seeds {seeds:.4f}; two sets of draws of one surrogate "
        f"{', '.join(f'{f:.4f}' for f in floors)}; the answers' own draws (4,096) {shown:.3f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cost", metavar="N,N", help="first posteriors of so many evaluations")
    parser.add_argument("--cost-cell", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--variants", action="store_true")
    parser.add_argument("--stream", action="store_true")
    parser.add_argument("--batches", type=int, default=50)
    parser.add_argument("--case", default="bananas", help="bananas, or a case of archives.py")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, default=Path("/tmp/bayescope_archives"))
    arguments = parser.parse_args()
    if arguments.cost_cell:
        cost_cell(arguments.cost_cell)
    if arguments.cost:
        cost([int(n) for n in arguments.cost.split(",")])
    if arguments.variants:
        variants(arguments.case, arguments.seed, arguments.cache)
    if arguments.stream:
        stream(arguments.batches)


if __name__ == "__main__":
    main()
