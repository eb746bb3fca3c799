"""Where the processor time of an evaluation goes: which rooms and functions, at a few numbers of evaluations.

    python tests/benchmarks/where_time_goes.py --cases lumpy4,lumpy10 --at 50,150,300
    python tests/benchmarks/where_time_goes.py --cases noisy:correlated4,outputs:lotka_volterra8,svbmc:two_banana6 --at 60

A window of evaluations from each number on is profiled (processor time of this thread, one BLAS thread); the rest runs free.
"Own" is the time in a function and in what it calls outside the engine. The stop rule is off.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import cProfile  # noqa: E402
import pstats  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections import defaultdict  # noqa: E402
from collections.abc import Callable  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import msgspec  # noqa: E402
import numpy as np  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from outputs import CASES  # noqa: E402

from bayescope import engine  # noqa: E402
from bayescope.engine.likelihood.evaluate import LikelihoodError, log_likelihood  # noqa: E402
from bayescope.engine.loop_interface import Archive, Ask, InferenceLoop, LoopSettings, Tell  # noqa: E402
from bayescope.engine.methods.loops import loop_settings, make_loop  # noqa: E402
from bayescope.engine.problem import definition as d  # noqa: E402
from bayescope.engine.problem.transforms import ParameterSpace  # noqa: E402
from targets import TARGETS  # noqa: E402

ENGINE = str(Path(engine.__file__).parent)
WINDOW = 10  # evaluations: two updates of the mixture, two choices of the frames
ARCHIVE = 5_000  # evaluations made earlier, for svbmc
Outcome = Callable[[Ask], Tell]


def plain(name: str, budget: int, seed: int, device: str, kind: str, **options: float) -> tuple[InferenceLoop, Outcome]:
    """A loop on a log density; ``kind``: default, noisy or svbmc."""
    target = TARGETS[name]()
    box = np.array(target.plausible)
    rng, sd = np.random.default_rng(seed), 1.0 if kind == "noisy" else 0.0
    archive = None
    if kind == "svbmc":
        x = rng.normal(box.mean(1), 0.4 * (box[:, 1] - box[:, 0]), (ARCHIVE, len(box)))
        archive = Archive(x, np.array([target.log_density(p) for p in x]), np.zeros(ARCHIVE))
    settings = LoopSettings(
        box[:, 0], box[:, 1], seed, budget, noisy=kind == "noisy", options={"stop": False, **options}, archive=archive,
        device=device,  # type: ignore[arg-type]
    )  # fmt: skip
    loop = make_loop("svbmc" if kind == "svbmc" else "default", settings)
    return loop, lambda ask: Tell(ask.index, ask.u, target.log_density(ask.u) + sd * rng.standard_normal(), sd)


def outputs(name: str, budget: int, seed: int, device: str) -> tuple[InferenceLoop, Outcome]:
    case = CASES[name]()
    options: dict[str, Any] = {"learn": "outputs", "stop": False}
    chosen = d.Settings(seed=seed, max_evaluations=budget, options=options, device=device)  # type: ignore[arg-type]
    problem = msgspec.structs.replace(case.problem, settings=chosen)
    space = ParameterSpace(problem.parameters)
    known = loop_settings(problem, space, budget, 1)
    assert known.cells is not None

    def outcome(ask: Ask) -> Tell:
        values = space.values(ask.u)
        out = case.program(values)
        try:
            if out is None:
                raise LikelihoodError("no output")
            y = log_likelihood(problem, out, values)[0] + float(space.log_prior_in_inference(ask.u))
        except LikelihoodError:
            return Tell(ask.index, ask.u, None)
        return Tell(ask.index, ask.u, y, outputs=known.cells.cells(out))

    return make_loop("default", known), outcome


def run(case: str, at: list[int], seed: int, device: str, top: int) -> None:
    kind, _, name = case.rpartition(":")
    budget = max(at) + WINDOW
    loop, outcome = outputs(name, budget, seed, device) if kind == "outputs" else plain(name, budget, seed, device, kind)
    n, profile, begun, first = 0, None, 0.0, 0.0
    clock = time.process_time()
    loop.update()
    if time.process_time() - clock > 0.1:
        print(f"{case}: first answer {time.process_time() - clock:.1f} s CPU")
    while not loop.finished:
        if n in at:
            profile, begun, first = cProfile.Profile(time.process_time), 0.0, n
        start = time.process_time()
        if profile is not None:
            profile.enable()
        asks = loop.ask(1)
        if profile is not None:
            profile.disable()
        begun += time.process_time() - start
        if not asks:
            break
        for ask in asks:
            told = outcome(ask)
            start = time.process_time()
            if profile is not None:
                profile.enable()
            loop.tell(told)
            loop.update()
            if profile is not None:
                profile.disable()
            begun += time.process_time() - start
            n += 1
        if profile is not None and n >= first + WINDOW:
            report(f"{case}, n = {int(first)}", profile, n - int(first), begun, top)
            profile = None


def report(title: str, profile: cProfile.Profile, count: int, seconds: float, top: int) -> None:
    """Milliseconds per evaluation by function of the engine, what it calls outside the engine counted with it."""
    stats: dict[tuple[str, int, str], Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    inside = {f for f in stats if f[0].startswith(ENGINE)}
    own: dict[tuple[str, int, str], float] = defaultdict(float)
    for f, (_, _, alone, _, callers) in stats.items():
        if f in inside:
            own[f] += alone
            continue
        total = sum(c[2] for c in callers.values()) or 1.0
        for caller, c in callers.items():
            own[_engine_caller(caller, stats, inside)] += alone * c[2] / total
    print(f"\n{title}: {1e3 * seconds / count:.0f} ms per evaluation (profiled)")
    for f in sorted(own, key=lambda f: -own[f])[:top]:
        where = Path(f[0]).relative_to(ENGINE).as_posix() if f in inside else "elsewhere"
        print(f"  {1e3 * own[f] / count:7.1f} ms  {where}:{f[2]}")


def _engine_caller(f: tuple[str, int, str], stats: dict[Any, Any], inside: set[Any]) -> tuple[str, int, str]:
    """The function of the engine on whose behalf ``f`` mostly ran."""
    for _ in range(20):
        if f in inside:
            return f
        callers = stats.get(f, (0, 0, 0, 0, {}))[4]
        if not callers:
            break
        f = max(callers, key=lambda c: callers[c][3])
    return ("", 0, "")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default="lumpy4,lumpy10")
    parser.add_argument("--at", default="50,150,300")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda"))
    parser.add_argument("--top", type=int, default=14)
    given = parser.parse_args()
    for each in given.cases.split(","):
        run(each, [int(n) for n in given.at.split(",")], given.seed, given.device, given.top)
