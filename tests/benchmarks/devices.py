"""Processor and graphics card side by side: single operations, whole evaluations of the loops, first posteriors of archives.

    python tests/benchmarks/devices.py --operations --loops --archives 5000,20000,100000 [--devices cpu,cuda,auto]
    python tests/benchmarks/devices.py --loops outputs:15,outputs:40,default:50

Wall seconds (a card's work is nobody's processor time), one thread of the processor; medians, of loops means. A loop runs to
its number of evaluations once; from that state each device makes the same further ones, and how far their points lie from the
processor's is said.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from functools import partial  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
import torch  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))

from large_archives import bananas  # noqa: E402
from where_time_goes import Outcome, outputs, plain  # noqa: E402

from bayescope.engine.library.infer import Answer, Inference  # noqa: E402
from bayescope.engine.loop_interface import InferenceLoop  # noqa: E402
from bayescope.engine.machine.devices import compute_device  # noqa: E402
from bayescope.engine.surrogate.frames import Whitening  # noqa: E402
from bayescope.engine.surrogate.inducing import select  # noqa: E402
from bayescope.engine.surrogate.model import Model  # noqa: E402
from bayescope.engine.surrogate.quadratic import kernel  # noqa: E402
from bayescope.engine.surrogate.quadratic.posterior import QuadraticSurrogate  # noqa: E402
from bayescope.engine.surrogate.sparse import SparseSurrogate  # noqa: E402
from bayescope.engine.surrogate.sparse_fit import bound, bounded_by  # noqa: E402

torch.set_num_threads(1)
WARM, MEASURED = 3, 12  # evaluations after a loop is put back
LOOPS = {"default": "lumpy10", "noisy": "lumpy10", "outputs": "lotka_volterra8"}
AT = "default:300,noisy:300,outputs:90"  # evaluations
DRAWS = 20_000


def seconds(work: Callable[[], object], least: float = 0.3) -> float:
    """Median of repeats for about ``least`` seconds after a first one, the card waited for; of one that is long, itself."""
    first, found = _timed(work), list[float]()
    if first > 10 * least:
        return first
    while sum(found) < least or len(found) < 3:
        found.append(_timed(work))
    return float(np.median(found))


def _timed(work: Callable[[], object]) -> float:
    _wait()
    start = time.perf_counter()
    work()
    _wait()
    return time.perf_counter() - start


def _wait() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


# ---------------------------------------------------------------------- operations


def operations(devices: list[str]) -> None:
    quadratic(devices)
    sparse(devices)


def quadratic(devices: list[str]) -> None:
    """The surrogate of the default loop: mean and variance of many points, as the loop asks for them."""
    print("| n | D | points | what | " + " | ".join(devices) + " | goes to |")
    print("|" + "---|" * (5 + len(devices)), flush=True)
    for n, d in ((30, 4), (50, 4), (100, 4), (150, 10), (300, 10), (1000, 10)):
        rng = np.random.default_rng(n)
        b = rng.standard_normal((n, d))
        y = -np.square(b).sum(1) - 0.3 * np.sin(3.0 * b[:, 0])
        frame = Whitening(np.zeros(d), np.eye(d))
        one = kernel.Kernel(kernel.prior_of(d)[0], kernel.Frames(frame, frame, "smooth"))
        surrogate = QuadraticSurrogate(one, b, y - y.max(), np.full(n, 1e-3))
        for points in (256, 2_048, 8_000, DRAWS):
            x = rng.normal(0.0, 1.5, (points, d))
            for what in ("mean", "variance"):
                cells = []
                for device in devices:
                    surrogate.wanted = device  # type: ignore[assignment]
                    cells.append(1e3 * seconds(partial(getattr(surrogate, what), x), 0.1))
                surrogate.wanted = "auto"
                place = surrogate.place_for(points, variance=what == "variance")
                shown = " | ".join(f"{c:.2f} ms" for c in cells)
                print(f"| {n} | {d} | {points:,} | {what} | {shown} | {'cpu' if place is None else place.type} |", flush=True)


def sparse(devices: list[str]) -> None:
    """The objective of a search for hyperparameters, with its gradient, and the posterior of a sparse surrogate."""
    method = begun(5_000, "auto")[0].loop.method  # type: ignore[attr-defined]
    model = method.surrogate.model
    print("\n| N | M | what | " + " | ".join(devices) + " | goes to |")
    print("|" + "---|" * (4 + len(devices)), flush=True)
    for n, m in ((500, 100), (1_000, 150), (2_000, 200), (5_000, 300), (20_000, 300), (100_000, 1_000)):
        rng = np.random.default_rng(n)
        x = torch.as_tensor(rng.normal(0.0, 1.2, (n, 6)))
        y = -0.5 * (x**2).sum(1)
        noise = torch.full((n,), 1e-3, dtype=torch.float64)
        z = x[select(model.kernel, x[:6000], noise[:6000], m, m).indices]
        rows: dict[str, list[float]] = {"objective and gradient": [], "posterior": []}
        for name in devices:
            at = compute_device(name, n)  # type: ignore[arg-type]
            there = [a.to(at) for a in (z, x, y, noise)]
            objective = bound(model.to(at), *there, bounded_by("vfe"))
            theta = model.hyperparameters().numpy()
            rows["objective and gradient"].append(seconds(partial(objective, theta)))
            rows["posterior"].append(seconds(partial(_built, model.to(at), *there)))
        for what, cells in rows.items():
            shown = " | ".join(f"{1e3 * c:.1f} ms" for c in cells)
            print(f"| {n:,} | {m:,} | {what} | {shown} | {compute_device('auto', n).type} |", flush=True)


def _built(model: Model, *data: torch.Tensor) -> None:
    SparseSurrogate.build(model, *data, "vfe").to(torch.device("cpu"))


# ---------------------------------------------------------------------- loops


def loop(name: str, at: int, devices: list[str]) -> None:
    """Milliseconds of an evaluation from one state on, for each device."""
    target = LOOPS[name]
    budget = at + WARM + MEASURED + 5

    def made(device: str) -> tuple[InferenceLoop, Outcome]:
        if name == "outputs":
            return outputs(target, budget, 1, device)
        return plain(target, budget, 1, device, name, final_draws=DRAWS)

    first, outcome = made("auto")
    further(first, outcome, at)
    state, found, asked = first.state(), [], []
    for device in devices:
        again, same = made(device)  # the same noise for each
        again.restore(state)
        further(again, same, WARM)
        times, points = further(again, same, MEASURED)
        found.append(1e3 * float(np.mean(times)))
        asked.append(points)
    apart = ", ".join(f"{np.abs(p - asked[0]).max():.1e}" for p in asked[1:])
    shown = " | ".join(f"{f:.0f} ms" for f in found)
    print(f"| {name}, {target} | {at} | {shown} | points apart {apart} |", flush=True)


def further(one: InferenceLoop, outcome: Outcome, count: int) -> tuple[list[float], np.ndarray]:
    times, points = [], []
    while len(times) < count and not one.finished:
        start = time.perf_counter()
        asks = one.ask(1)
        spent = time.perf_counter() - start
        for ask in asks:
            told = outcome(ask)
            start = time.perf_counter()
            one.tell(told)
            one.update()
            times.append(spent + time.perf_counter() - start)
            points.append(ask.u)
    return times, np.array(points)


# ---------------------------------------------------------------------- archives


def begun(count: int, device: str) -> tuple[Inference, Answer, float]:
    """The first posterior of an archive, and its seconds."""
    target, x, y = bananas(count)
    one = Inference(target.plausible, target.bounds, 0, 0, "svbmc", options={"stop": False}, archive=(x, y), device=device)
    start = time.perf_counter()
    answer = one.update()
    assert answer is not None
    return one, answer, time.perf_counter() - start


def archives(counts: list[int], devices: list[str]) -> None:
    print("\n| N | " + " | ".join(devices) + " | log evidence |")
    print("|" + "---|" * (2 + len(devices)), flush=True)
    begun(3_000, devices[-1])  # brings libraries and kernels
    for count in counts:
        found = [begun(count, device)[1:] for device in devices]
        cells = " | ".join(f"{spent:.2f} s" for _, spent in found)
        evidence = ", ".join(f"{answer.log_evidence:.4f} ± {answer.log_evidence_sd:.4f}" for answer, _ in found)
        print(f"| {count:,} | {cells} | {evidence} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", default="cpu,cuda,auto")
    parser.add_argument("--operations", action="store_true")
    parser.add_argument("--loops", nargs="?", const=AT, default="", help="NAME:EVALUATIONS,...")
    parser.add_argument("--archives", default="")
    given = parser.parse_args()
    devices = given.devices.split(",")
    print(torch.__version__, torch.cuda.get_device_name(0) if torch.cuda.is_available() else "no card")
    if given.operations:
        operations([name for name in devices if name != "auto"])
    for name, _, at in (case.partition(":") for case in given.loops.split(",") if case):
        loop(name, int(at), devices)
    if given.archives:
        archives([int(n) for n in given.archives.split(",")], devices)


if __name__ == "__main__":
    main()
