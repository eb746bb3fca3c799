"""Memory and processor time of the engine over a long run. Run by hand (all cases: an hour):

    python tests/benchmarks/memory.py --label after                       # every case that results/memory.jsonl lacks
    python tests/benchmarks/memory.py --label after --cases bananas4,resumed4
    python tests/benchmarks/memory.py --table                             # what it holds, label beside label

A real engine process, started as the window starts it, on a program that costs next to nothing; one run at a time, so that a run
is the same digit by digit every time. Memory is the process's resident set, its highest over the last ten evaluations, sampled
every 20 ms. Processor time is per evaluation over the 25 before, simulators not counted. ``digest`` stands for every digit of
all points, values and answers: two labels must agree in it. The window's memory is measured by window.py.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from bayescope.engine import protocol as p
from bayescope.engine.problem.definition import (
    LabelledNumber,
    LogLikelihoodOutput,
    Output,
    Parameter,
    Problem,
    Settings,
    Simulator,
    Uniform,
)
from bayescope.engine.session import orphans
from bayescope.engine.session.store import SessionStore

RESULTS = Path(__file__).with_name("results") / "memory.jsonl"
AT = (10, 50, 100, 150, 200, 250, 300, 350, 400)
MEMORY_SPAN, TIME_SPAN = 10, 25  # evaluations before n that the figures at n are of
EARLY = 50  # evaluations after which memory should stay where it is
SAMPLE_SECONDS = 0.02

BANANAS = "-sum(5 * (b - a * a) ** 2 + 0.5 * (a - 0.3) ** 2 for a, b in zip(x[::2], x[1::2]))"
CHAIN = "-0.5 * sum(a * a for a in x) - 2 * sum((a - b) ** 2 for a, b in zip(x, x[1:])) - 0.02 * sum(a ** 4 for a in x)"


@dataclass(frozen=True)
class Case:
    """``halt_at``: the engine ends after so many evaluations, and another one goes on from the file."""

    dimension: int
    evaluations: int
    density: str = BANANAS
    method: str = "default"
    noise_sd: float = 0.0
    halt_at: int = 0
    seed: int = 1

    def problem(self) -> Problem:
        noise = f" + random.Random(repr(x)).gauss(0, {self.noise_sd})" if self.noise_sd else ""
        code = (
            "import sys, random; x = [float(a) for a in sys.argv[1:]]; "
            f"print('logl', {self.density}{noise}); print('sd', {self.noise_sd})"
        )
        names = [f"x{k}" for k in range(self.dimension)]
        wanted = ("logl", "sd") if self.noise_sd else ("logl",)
        stops = self.method in ("default", "vbmc")  # the others have no such option
        return Problem(
            name="memory",
            parameters=tuple(Parameter(name=n, prior=Uniform(low=-4.0, high=4.0)) for n in names),
            simulator=Simulator(command=(sys.executable, "-I", "-S", "-c", code, *(f"@{n}@" for n in names))),
            outputs=tuple(Output(name=n, source="stdout", extractor=LabelledNumber(label=n), length=1) for n in wanted),
            meaning=LogLikelihoodOutput(output="logl", noise_sd="sd" if self.noise_sd else None),
            settings=Settings(
                max_evaluations=self.evaluations, workers=1, seed=self.seed, method=self.method,
                options={"stop": False} if stops else {},
            ),
        )  # fmt: skip


CASES = {
    "bananas4": Case(4, 400),
    "resumed4": Case(4, 200, halt_at=90, seed=2),
    "chain20": Case(20, 300, CHAIN),
    "bananas20": Case(20, 300),
    "noisy4": Case(4, 250, noise_sd=1.0),
    "bvbmc4": Case(4, 150, method="bvbmc"),
    "vbmc4": Case(4, 120, method="vbmc"),
}


class Watched:
    """An engine process on one session: what it took, sampled by a thread while it works."""

    def __init__(self, session: Path, home: Path) -> None:
        self.id = orphans.new_engine_id()
        environment = {**os.environ, "BAYESCOPE_ENGINE": self.id, "BAYESCOPE_HOME": str(home)}
        command = [sys.executable, "-P", "-m", "bayescope.gui", "--engine"]
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self.process = psutil.Process(self.child.pid)
        self.n = 0
        self.highest: dict[int, float] = {}  # evaluation -> MB, until the next one
        self.cpu: dict[int, float] = {}  # evaluation -> seconds since the start
        self._sent = 0
        self._over = False
        threading.Thread(target=self._sample, daemon=True).start()
        self.send(p.StartRun(session=str(session)))

    def send(self, command: p.Command) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write(p.encode_frame(command, self.id, self._sent))
        self.child.stdin.flush()
        self._sent += 1

    def _sample(self) -> None:
        while not self._over:
            try:
                megabytes = self.process.memory_info().rss / 2**20
            except psutil.Error:
                return
            self.highest[self.n] = max(megabytes, self.highest.get(self.n, 0.0))
            time.sleep(SAMPLE_SECONDS)

    def watch(self, halt_at: int) -> str:
        """Until the run has ended, or is stopped after ``halt_at`` evaluations; how it ended."""
        assert self.child.stdout is not None
        reader, words = p.FrameReader(), "the engine died"
        while data := os.read(self.child.stdout.fileno(), 65536):
            for envelope in reader.feed(data):
                message = envelope.message
                if isinstance(message, p.EvaluationDone):
                    self.n = message.index + 1
                    used = self.process.cpu_times()
                    self.cpu[self.n] = used.user + used.system
                    if self.n == halt_at:
                        self.send(p.StopRun())
                elif isinstance(message, p.RunEnded):
                    words = message.words
                    self.send(p.Quit())
        self._over = True
        self.child.wait()
        return words


def measure(case: Case) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="bayescope-memory-") as folder:
        session, home = Path(folder) / "run.bayescope", Path(folder) / "home"
        os.environ["BAYESCOPE_HOME"] = str(home)  # the signature must be this home's
        SessionStore.create(session, case.problem(), own=True).close()
        memory: dict[int, float] = {}
        spent: dict[int, float] = {}  # evaluation -> seconds of it alone
        for halt_at in (case.halt_at, 0) if case.halt_at else (0,):
            engine = Watched(session, home)
            words = engine.watch(halt_at)
            memory.update(engine.highest)
            spent.update({n: engine.cpu[n] - engine.cpu[n - 1] for n in engine.cpu if n - 1 in engine.cpu})
        rows = [figures(n, memory, spent) for n in AT if n in spent]
        early, late = ([mb for n, mb in memory.items() if (n <= EARLY) == first] for first in (True, False))
        return {
            "rows": rows, "early_mb": round(max(early), 1), "late_mb": round(max(late), 1), "ended": words,
            "digest": digest(session), "bytes": session.stat().st_size,
        }  # fmt: skip


def figures(n: int, memory: dict[int, float], spent: dict[int, float]) -> dict[str, float]:
    last = [memory[k] for k in range(n - MEMORY_SPAN, n + 1) if k in memory]
    times = [spent[k] for k in range(n - TIME_SPAN + 1, n + 1) if k in spent]
    return {"n": n, "mb": round(max(last), 1), "cpu_s": round(sum(times) / len(times), 4)}


def digest(session: Path) -> str:
    """Of every digit of points, values and answers."""
    sha = hashlib.sha256()

    def add(*values: object) -> None:
        for v in values:
            sha.update(np.asarray(v, dtype=float).tobytes() if v is not None else b"none")

    with SessionStore.open(session, mode="read") as store:
        for ask in store.asks():
            add(ask.index, ask.u)
        for e in store.evaluations():
            add(e.order, e.u, e.log_target, e.noise_sd)
        for r in store.iterations(bulky=True):
            add(r.n_evaluations, r.elbo, r.elbo_sd, r.log_evidence, r.log_evidence_sd, r.converged)
            add(r.weights, r.means, r.covariances, r.draws, r.draw_weights, *r.slices.values(), *r.diagnostics.values())
    return sha.hexdigest()[:16]


def held() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []


def table() -> None:
    runs = held()
    labels = list(dict.fromkeys(r["label"] for r in runs))
    for name in CASES:
        found = {r["label"]: r for r in runs if r["case"] == name}
        if not found:
            continue
        print(f"\n{name}: digests " + ", ".join(f"{k} {r['digest']}" for k, r in found.items()))
        highest = (f"{k} {r['early_mb']:.0f} and {r['late_mb']:.0f} MB" for k, r in found.items())
        print(f"highest in the first {EARLY} evaluations and after: " + ", ".join(highest))
        shown = [k for k in labels if k in found]
        print("| n | " + " | ".join(f"MB {k} | CPU ms {k}" for k in shown) + " |")
        print("|---" * (1 + 2 * len(shown)) + "|")
        for n in AT:
            cells = []
            for k in shown:
                row = next((x for x in found[k]["rows"] if x["n"] == n), None)
                cells += ["", ""] if row is None else [f"{row['mb']:.0f}", f"{1000 * row['cpu_s']:.0f}"]
            if any(cells):
                print(f"| {n} | " + " | ".join(cells) + " |")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--label", default="now")
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if options.table:
        table()
        return
    for name in options.cases.split(","):
        known = [r for r in held() if (r["case"], r["label"]) != (name, options.label)]
        if len(known) < len(held()) and not options.again:
            continue
        found = {"case": name, "label": options.label, **measure(CASES[name])}
        print(json.dumps(found), flush=True)
        RESULTS.write_text("".join(json.dumps(r) + "\n" for r in [*known, found]))


if __name__ == "__main__":
    main()
