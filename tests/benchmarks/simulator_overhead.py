"""How much time the runner itself takes per run, the simulator excluded; and what a second worker brings.

    python tests/benchmarks/simulator_overhead.py [runs]

    python tests/benchmarks/simulator_overhead.py --confined [runs]

Overhead of a run: time from asking for it to having its outputs, minus the time the same program takes when it is
started with nothing around it (median, same number at once). Must be at most 15 ms at 2 workers, and confined
at most 30 ms more.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bayescope.engine.problem.definition import CsvColumn, LastNumber, Output, Simulator, TemplateFile
from bayescope.engine.session.trust import confinement
from bayescope.engine.session.trust.consent import permit_for, sign
from bayescope.engine.simulator.executors import local_executor
from bayescope.engine.simulator.runner import run_once

WORKERS = 2


def timed(work: Callable[[int], None], runs: int, workers: int) -> list[float]:
    """Seconds of each of ``runs`` calls, ``workers`` at a time."""

    def one(i: int) -> float:
        start = time.perf_counter()
        work(i)
        return time.perf_counter() - start

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(one, range(runs)))


def bare(command: list[str], folder: Path) -> Callable[[int], None]:
    return lambda i: subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True) and None


def report(
    name: str, simulator: Simulator, outputs: tuple[Output, ...], command: list[str], runs: int, confined: bool
) -> None:
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where)
        permit = permit_for(sign(simulator, folder, confined=confined), simulator, folder)

        def wrapped(i: int) -> None:
            result = run_once(
                simulator, outputs, {"a": 1.5 + i}, permit=permit, folder=folder / f"run-{i}", base=folder, seed=i
            )
            if result.outcome != "ok":
                raise SystemExit(result.reason)

        wrapped(-1)
        with_runner = timed(wrapped, runs, WORKERS)
        alone = timed(bare(command, folder), runs, WORKERS)
    both = statistics.median(with_runner), statistics.median(alone)
    overhead = 1000 * (both[0] - both[1])
    worst = 1000 * statistics.quantiles(with_runner, n=20)[-1]
    print(f"{name:34} {1000 * both[0]:8.1f} {1000 * both[1]:8.1f} {overhead:9.1f} {worst:12.1f}")


def speed_up(seconds: float, runs: int) -> None:
    simulator = Simulator(command=("sh", "-c", f"sleep {seconds}; echo @a@"))
    spec = (Output(name="y", source="stdout", extractor=LastNumber()),)
    wall = []
    for workers in (1, 2):
        with tempfile.TemporaryDirectory() as name, local_executor(workers) as executor:
            where = Path(name)
            permit = permit_for(sign(simulator, where), simulator, where)
            start = time.perf_counter()
            futures = [
                executor.submit(
                    run_once, simulator, spec, {"a": 1.0}, permit=permit, folder=where / str(i), base=where, seed=i
                )
                for i in range(runs)
            ]
            for future in futures:
                future.result()
            wall.append(time.perf_counter() - start)
    print(f"\n{runs} runs of {seconds:g} s: {wall[0]:.2f} s with one worker, {wall[1]:.2f} s with two: {wall[0] / wall[1]:.2f} x")


def main() -> None:
    arguments = sys.argv[1:]
    confined = "--confined" in arguments
    runs = int(next((a for a in arguments if not a.startswith("-")), 300))
    print(f"{runs} runs, {WORKERS} at a time; milliseconds" + (f"; confined by {confinement.kind()}" if confined else ""))
    print(f"{'':34} {'median':>8} {'program':>8} {'overhead':>9} {'95 % of runs':>13}")
    last = (Output(name="y", source="stdout", extractor=LastNumber()),)
    echo = Simulator(command=("/bin/echo", "@a@"))
    report("echo, number from stdout", echo, last, ["/bin/echo", "1.5"], runs, confined)
    deck = TemplateFile(target="in.txt", text="t,y\n" + "".join(f"{i},@a@\n" for i in range(200)))
    column = (Output(name="y", source="out.csv", extractor=CsvColumn(column="y"), length=200),)
    copy = Simulator(command=("/bin/cp", "in.txt", "out.csv"), templates=(deck,))
    report("template in, table of 200 rows back", copy, column, ["/bin/cp", "/etc/hostname", "/dev/null"], runs, confined)
    python = Simulator(command=(sys.executable, "-I", "-S", "-c", "print(@a@)"))
    report("a Python program", python, last, [sys.executable, "-I", "-S", "-c", "print(1.5)"], runs, confined)
    if not confined:
        speed_up(0.5, 8)


if __name__ == "__main__":
    main()
