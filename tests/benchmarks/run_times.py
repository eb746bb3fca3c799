"""Run times that differ by place: seconds of simulator until "tight" and until the end, chosen per second and not.

    python tests/benchmarks/run_times.py --seeds 3

A run takes from 2 s to 60 s: over the plausible box by the first parameter, quick and slow on either side of its middle. "Tight"
and the targets as in inference.py. Nothing is waited for: the loop is told the seconds.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))

from inference import SAMPLES, TARGETS, point, tight  # noqa: E402

from bayescope.engine.library.infer import Inference  # noqa: E402
from bayescope.engine.loop_interface import Tell  # noqa: E402

NAMES = "rosenbrock2 lumpy2 lumpy4 elliptical_t4".split()
QUICK, SLOW = 2.0, 60.0
TOO_QUICK = 1e-4  # times the seconds: they do not matter then


def run(name: str, seed: int, told: bool) -> tuple[int, float, int | None, float, bool]:
    """Evaluations and seconds in all; evaluations and seconds until tight; whether it converged."""
    target = TARGETS[name]()
    low, high = target.plausible[0]
    inference = Inference(target.plausible, target.bounds, 40 + 30 * target.dimension, seed)
    spent, history = [], []
    while not inference.finished:
        for asked in inference.ask():
            position = (asked.theta[0] - low) / (high - low)
            seconds = QUICK + (SLOW - QUICK) / (1.0 + np.exp(-10.0 * (position - 0.5)))
            spent.append(float(seconds))
            u = inference.space.to_inference(asked.theta)
            y = target.log_density(asked.theta) + float(np.asarray(inference.space.log_jacobian(u)))
            inference._asked.pop(asked.index)
            inference.loop.tell(Tell(asked.index, u, y, seconds=seconds * (1.0 if told else TOO_QUICK)))
        h = inference.update()
        if h is not None and np.isfinite(h.log_evidence):
            x = h.sample(SAMPLES, seed)
            history.append(point(target, len(spent), h.log_evidence, h.log_evidence_sd, h.elbo, h.elbo_sd, x))
    n = tight(history)
    return len(spent), sum(spent), n, sum(spent[:n]) if n else np.inf, bool(inference._history[-1].converged)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", default=" ".join(NAMES))
    parser.add_argument("--seeds", type=int, default=3)
    chosen = parser.parse_args()
    print("| target | choice | tight at, runs | s until tight | s until the end | runs | converged |")
    print("|---|---|---|---|---|---|---|")
    for name in chosen.targets.replace(",", " ").split():
        for told in (False, True):
            found = [run(name, seed, told) for seed in range(chosen.seeds)]
            n, total, at, until = (np.median([np.inf if f[k] is None else f[k] for f in found]) for k in range(4))
            choice = "per second" if told else "as before"
            print(
                f"| {name} | {choice} | {at:.0f} | {until:.0f} | {total:.0f} | {n:.0f} | {sum(f[4] for f in found)} |", flush=True
            )


if __name__ == "__main__":
    main()
