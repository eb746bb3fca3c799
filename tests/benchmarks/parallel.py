"""Several simulator runs at a time against one: wall time on a slow simulator, and evaluations to the same quality.

    python tests/benchmarks/parallel.py [--seconds 5] [--evaluations 24] [--seeds 3] [--at-once 2]

Wall time: a real session with an external program that sleeps. Evaluations: the default loop on known targets, the next point
always chosen while the others are under way, counted to "tight" (see inference.py).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from inference import default_budget, point, tight  # noqa: E402

from bayescope.engine.library.infer import Inference  # noqa: E402
from bayescope.engine.problem import definition as d  # noqa: E402
from bayescope.engine.run.analysis import Analysis  # noqa: E402
from bayescope.engine.run.control import Control  # noqa: E402
from bayescope.engine.session.store import SessionStore  # noqa: E402
from targets import TARGETS, Target  # noqa: E402

PROGRAM = """
import sys, time
x, y, seconds = map(float, sys.argv[1:])
time.sleep(seconds)
print(-0.5 * (x * x + (y - x * x) ** 2 / 0.5))
"""


def wall_time(workers: int, evaluations: int, seconds: float) -> float:
    """Seconds for a session of ``evaluations`` runs of a program that takes ``seconds``."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "slow.py").write_text(PROGRAM)
        problem = d.Problem(
            name="slow banana",
            parameters=tuple(d.Parameter(name=p, prior=d.Normal(mean=0.0, sd=2.0)) for p in ("x", "y")),
            simulator=d.Simulator(command=(sys.executable, "-I", "-S", str(folder / "slow.py"), "@x@", "@y@", str(seconds))),
            outputs=(d.Output(name="value", source="stdout", extractor=d.LastNumber()),),
            meaning=d.LogLikelihoodOutput(output="value"),
            settings=d.Settings(max_evaluations=evaluations, workers=workers, options={"stop": False}),
        )
        with SessionStore.create(folder / "slow.bayescope", problem, own=True) as store:
            start = time.perf_counter()
            Analysis(store, control=Control(), observer=lambda event: None).run()
            assert store.evaluation_count == evaluations
            return time.perf_counter() - start


def evaluations_to_tight(target: Target, workers: int, seed: int) -> int | None:
    """Each point is chosen while the ``workers`` - 1 before it are still under way; they end in the order of their start."""
    budget = default_budget(target.dimension)
    run = Inference(plausible=target.plausible, bounds=target.bounds, max_evaluations=budget, seed=seed)
    waiting, history = list(run.ask(workers)), []
    while waiting:
        now = waiting.pop(0)
        run.tell(now.index, target.log_density(now.theta))
        answer = run.update()
        if answer is not None and np.isfinite(answer.log_evidence):
            history.append(point(target, answer.n_evaluations, answer.log_evidence, answer.log_evidence_sd, answer.elbo,
                                 answer.elbo_sd, answer.sample(10_000, seed)))
        if not run.finished:
            waiting.extend(run.ask(workers - len(waiting)))
    return tight(history)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--evaluations", type=int, default=24)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--targets", default="rosenbrock2,lumpy4,correlated6,betas3")
    parser.add_argument("--at-once", type=int, default=2)
    arguments = parser.parse_args()
    most = arguments.at_once
    one, many = (wall_time(k, arguments.evaluations, arguments.seconds) for k in (1, most))
    print(f"{arguments.evaluations} runs of {arguments.seconds:g} s: {one:.1f} s one at a time, {many:.1f} s {most} at a time, "
          f"{one / many:.2f} x faster", flush=True)
    ratios = []
    for name in arguments.targets.split(","):
        found = {k: [evaluations_to_tight(TARGETS[name](), k, s) for s in range(arguments.seeds)] for k in (1, most)}
        medians = {k: float(np.median([np.inf if n is None else n for n in v])) for k, v in found.items()}
        ratios.append(medians[most] / medians[1])
        print(f"{name}: evaluations to tight {found[1]} one at a time, {found[most]} {most} at a time", flush=True)
    print(f"median ratio of evaluations {np.median(ratios):.2f} (asked: <= 1.15 with 2, <= 1.6 with 16)")


if __name__ == "__main__":
    main()
