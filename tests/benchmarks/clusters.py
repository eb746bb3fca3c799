"""Runs on a real Slurm and over a real sshd on this machine: what a run costs beyond its program, and how busy 32 slots are.

    python tests/benchmarks/clusters.py [--runs 20] [--slots 32] [--seconds 10] [--modes bare,jobs,ahead,pilots]

Needs slurm-wlm, munge, openssh-server, and root (a private Slurm and sshd are started). Prints a table for README.md.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from bayescope.engine.clusters.pilots import place_of
from bayescope.engine.clusters.site import Site
from bayescope.engine.problem.definition import LastNumber, Output, Simulator
from bayescope.engine.session.attempts import AttemptRecord
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.profiles import Profile
from bayescope.engine.session.store import SessionStore
from bayescope.engine.session.trust.consent import permit_for, sign
from bayescope.engine.simulator.run_result import RunResult
from bayescope.engine.simulator.runner import run_once
from clusters import Slurm, Sshd, make, told_problem, why_no_slurm, why_no_sshd

VALUE = (Output(name="y", source="stdout", extractor=LastNumber()),)


class Runner:
    """Runs of ``sleep SECONDS; echo 1`` at a place (None: this computer)."""

    def __init__(self, folder: Path, profile: Profile | None, seconds: float) -> None:
        folder.mkdir()
        self.folder = folder
        self.simulator = Simulator(command=("sh", "-c", f"sleep {seconds}; echo 1"))
        self.permit = permit_for(sign(self.simulator, folder), self.simulator, folder)
        self.store = SessionStore.open(make(folder / "s.bayescope", told_problem(folder / "starts")))
        self.site: Site | None = None
        if profile is not None:
            events = threading.Event(), threading.Event()
            self.site = Site(place_of(profile), Ledger(self.store), lambda _: None, *events)
            self.site.open()

    def one(self, number: int) -> tuple[RunResult, float]:
        began = time.monotonic()
        result = run_once(
            self.simulator, VALUE, {}, permit=self.permit, folder=self.folder / "runs" / f"{number:05d}", base=self.folder,
            seed=1, attempt=None if self.site is None else self.site.attempt(number),
        )  # fmt: skip
        assert result.outcome == "ok", result
        return result, time.monotonic() - began

    def close(self) -> None:
        if self.site is not None:
            self.site.close()
        self.store.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20, help="0: only how busy the slots are")
    parser.add_argument("--slots", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--modes", default="bare,jobs,ahead,pilots", help="of the slots (default: all)")
    a = parser.parse_args()
    for reason in (why_no_slurm(), why_no_sshd()):
        if reason:
            print(f"Cannot be measured here: {reason}.")
            return 1
    with tempfile.TemporaryDirectory(prefix="bayescope-clusters-") as name:
        folder = Path(name)
        os.environ |= {"BAYESCOPE_HOME": str(folder / "home"), "SLURM_TEST_CPUS": str(-(-a.slots // 2))}
        slurm = Slurm(folder / "slurm")
        slurm.up()
        sshd = Sshd(folder / "sshd")
        sshd.up()
        sshd.give(slurm)
        os.environ |= {"SLURM_CONF": str(slurm.conf), "PATH": f"{sshd.bin}:{os.environ['PATH']}"}
        try:
            if a.runs:
                _measure(folder, a.runs)
            _busy(folder, a.slots, a.seconds, slurm, a.modes.split(","))
        finally:
            slurm.down()
            sshd.down()
    return 0


def _measure(folder: Path, runs: int) -> None:
    places = {
        "this computer": None,
        "another computer over SSH": Profile(name="p", host="far", queue="", folder=f"{folder}/a"),
        "Slurm here, pilots": Profile(name="p", pilot=True, folder=f"{folder}/b"),
        "Slurm over SSH, pilots": Profile(name="p", host="far", pilot=True, folder=f"{folder}/c"),
        "Slurm here": Profile(name="p", folder=f"{folder}/d"),
        "Slurm over SSH": Profile(name="p", host="far", folder=f"{folder}/e"),
    }
    print("| place | overhead per run, s: median | 90 % | first |\n|---|---|---|---|")
    for number, (words, profile) in enumerate(places.items()):
        runner = Runner(folder / f"run{number}", profile, 0.1)
        took = [runner.one(i)[1] - 0.1 for i in range(runs + 1)]
        rest = sorted(took[1:])
        print(f"| {words} | {statistics.median(rest):.3f} | {rest[int(0.9 * len(rest))]:.3f} | {took[0]:.2f} |", flush=True)
        runner.close()


def _busy(folder: Path, slots: int, seconds: float, slurm: Slurm, modes: Sequence[str]) -> None:
    """How many of the slots a program of ``seconds`` keeps busy: jobs given to Slurm all at once without us, ours, and pilots."""
    n = 4 * slots
    script = folder / "bare.sh"
    script.write_text(f"#!/bin/sh\nsleep {seconds}\n")

    def told(words: str, wall: float) -> None:
        busy, load = 100 * n * seconds / (slots * wall), os.getloadavg()[0]
        print(f"\n{n} runs of {seconds:g} s on {slots} slots of Slurm, {words}: {wall:.1f} s, {busy:.0f} % busy, load {load:.0f}",
              flush=True)  # fmt: skip

    if "bare" in modes:
        began = time.monotonic()
        for _ in range(n):
            slurm.command("sbatch", "-o", "/dev/null", str(script))
        while slurm.jobs():
            time.sleep(0.1)
        told("bare jobs, handed over before the first ends", time.monotonic() - began)
    for mode in (m for m in modes if m != "bare"):
        pilot = mode == "pilots"
        at_once = slots * 5 // 4 if mode == "ahead" else slots
        profile = Profile(name="p", at_once=at_once, pilot=pilot, folder=f"{folder}/f{mode}")
        runner = Runner(folder / f"busy{mode}", profile, seconds)
        runner.one(0)
        began = time.monotonic()
        with ThreadPoolExecutor(profile.points_at_once) as pool:  # as many as an analysis asks for
            ran = dict(zip(range(1, n + 1), pool.map(runner.one, range(1, n + 1)), strict=True))
        words = {"pilots": "pilots", "ahead": f"a job for each run, {at_once} at once"}.get(mode, "a job for each run")
        told(words, time.monotonic() - began)
        _where_the_time_went({number: result for number, (result, _) in ran.items()}, Ledger(runner.store).find())
        runner.close()


def _where_the_time_went(ran: Mapping[int, RunResult], attempts: Sequence[AttemptRecord]) -> None:
    """Of a slot between two runs: what was ours, and what the queue's. A slot that is free takes the next job that starts."""
    queued = {a.index: a.queued_at for a in attempts}
    known = sorted((result.started_at, queued[number], result.duration_s) for number, result in ran.items())
    free = sorted(start + seconds for start, _, seconds in known)
    first = len(known) // 4  # runs of slots that nobody has used yet
    idle = [start - end for (start, _, _), end in zip(known[first:], free, strict=False)]
    waits = [start - max(handed, end) for (start, handed, _), end in zip(known[first:], free, strict=False)]
    print(f"a slot stood idle for {statistics.median(idle):.2f} s between two runs (mean {statistics.mean(idle):.2f}), "
          f"of which its next job was in the queue for {statistics.median(waits):.2f} s (mean {statistics.mean(waits):.2f}); "
          f"the first runs began over {known[first - 1][0] - known[0][0]:.1f} s", flush=True)  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
