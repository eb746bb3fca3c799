"""Second modes: how often one is missed, and whether what is said of unseen ones is true.

    python tests/benchmarks/modes.py runs --dimensions 5,6,8 --modes 2 --draws 0-9    # one JSON line a run, on stdout
    python tests/benchmarks/modes.py table FILE --draws 900-939 --processes 16 --minutes 8     # all kinds, one JSON line a run
    python tests/benchmarks/modes.py summary FILE...
    python tests/benchmarks/modes.py claim --modes 1000

``table`` appends each run to FILE as it ends, begins none anew that is there already, and gives up those under way at the limit:
two modes at every dimension and draw, every third draw targets on one mode, every tenth the claim on one.


Targets are random mixtures of normals, rotated, with sds of .04 to .14 of the side of the plausible box and weights of .1 to .9;
draw k in D dimensions is always the same one. A converged answer is wrong if |dLML| > .1 or MMTV > .05.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import multiprocessing  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
from scipy import stats  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))

from inference import TARGETS, CountedTarget, default_budget, quality  # noqa: E402

from targets import Target, gaussian_mixture  # noqa: E402

SDS = 0.04, 0.14  # of the side of the box
LIGHTEST = 0.1
MIDDLE = 0.15, 0.85  # of the box: where the modes lie
ONE_MODE = "banana10 student10 cigar10 lumpy6 cigar6 student6 two_banana6".split()  # in ``inference.py``
ONE_MODE_EVERY, CLAIM_EVERY = 3, 10  # draws

Job = tuple[str, str, int, int]  # kind, name of a target or number of modes, dimension, draw


def random_mixture(dimension: int, modes: int, draw: int) -> Target:
    rng = np.random.default_rng([23, dimension, modes, draw])
    weights = LIGHTEST + (1.0 - modes * LIGHTEST) * rng.dirichlet(np.ones(modes))
    means = rng.uniform(*MIDDLE, (modes, dimension))
    covariances = []
    for _ in range(modes):
        sds = np.exp(rng.uniform(*np.log(SDS), dimension))
        turn = stats.special_ortho_group.rvs(dimension, random_state=rng) if dimension > 1 else np.eye(1)
        covariances.append((turn * np.square(sds)) @ turn.T)
    box = [(0.0, 1.0)] * dimension
    return gaussian_mixture(f"mixture{modes} {dimension} {draw}", weights, means, np.array(covariances), box)


def run(target: Target, seed: int) -> dict[str, Any]:
    from bayescope.engine import infer

    counted, clock = CountedTarget(target), time.process_time()
    budget = default_budget(target.dimension)
    found = infer(counted, plausible=target.plausible, bounds=target.bounds, max_evaluations=budget, seed=seed)
    cpu = time.process_time() - clock
    mmtv, _ = quality(target, found.sample(10_000, seed))
    dlml = found.log_evidence - target.log_evidence
    return {
        "target": target.name, "seed": seed, "n": found.n_evaluations, "converged": found.converged, "dlml": dlml,
        "sd": found.log_evidence_sd, "mmtv": mmtv, "right": bool(abs(dlml) < 0.1 and mmtv < 0.05), "cpu": cpu,
        "refused": found.snapshot.diagnostics.get("certifications_refused"), "reasons": list(found.reasons[:2]),
    }  # fmt: skip


def claims(dimension: int, draw: int, count: int) -> list[dict[str, Any]]:
    """Of one run on one mode: the share of unseen modes as said, and as it is for ``count`` fresh anisotropic ones, by width."""
    from bayescope.engine import infer

    target = random_mixture(dimension, 1, draw)
    found = infer(target.log_density, plausible=target.plausible, max_evaluations=default_budget(dimension), seed=draw)
    points, values = (np.array([getattr(t, name) for t in found.told], dtype=float) for name in ("u", "y"))
    rng, rows = np.random.default_rng([24, dimension, draw]), []
    for width in (0.02, 0.03, 0.05, 0.08):
        hidden = 0
        for _ in range(count):
            spread = rng.standard_normal(dimension)
            sds = width * np.exp(0.3 * (spread - spread.mean()))
            turn = stats.special_ortho_group.rvs(dimension, random_state=rng)
            mode = stats.multivariate_normal(rng.random(dimension), (turn * sds**2) @ turn.T)
            hidden += bool((mode.logpdf(points) + np.log(0.1 / 0.9) <= values).all())
        said = found.unseen(width, 0.1)
        rows.append({"D": dimension, "n": found.n_evaluations, "width": width, "said": said, "true": hidden / count})
    return rows


def summary(rows: list[dict[str, Any]]) -> str:
    """Per kind of target: runs, converged, of these wrong; right but not confirmed; evaluations at the stop; how often the error
    of the log evidence of converged right ones is within 1, 2, 3 stated sds. And the largest difference of claims."""
    head = ["targets", "runs", "converged", "wrong", "right, unconfirmed", "median n at stop", "within 1, 2, 3 sds", "CPU s"]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    runs = [row for row in rows if "target" in row]
    for kind in sorted({_kind(row["target"]) for row in runs}):
        of = [row for row in runs if _kind(row["target"]) == kind]
        sure = [row for row in of if row["converged"]]
        wrong, late = sum(not row["right"] for row in sure), sum(row["right"] and not row["converged"] for row in of)
        middle = f"{np.median([row['n'] for row in sure]):.0f}" if sure else ""
        z = np.array([abs(row["dlml"]) / row["sd"] for row in sure if row["right"]])
        within = ", ".join(f"{(z < k).mean():.2f}" for k in (1, 2, 3)) if len(z) else ""
        cpu = np.median([row["cpu"] for row in of])
        lines.append(f"| {kind} | {len(of)} | {len(sure)} | {wrong} | {late} | {middle} | {within} | {cpu:.0f} |")
    said = [row for row in rows if "said" in row]
    if said:
        off = [row["said"] - row["true"] for row in said]
        lines.append(f"Claims: {len(said)}, said minus true from {min(off):+.3f} to {max(off):+.3f}.")
    lines += [f"{row['job']}: {row['error']}" for row in rows if "error" in row]
    return "\n".join(lines)


def _kind(target: str) -> str:
    return target.rsplit(" ", 1)[0]


def jobs_of(dimensions: list[int], draws: range) -> list[Job]:
    """Of every draw in turn, the dearest first, so that all kinds come as far whenever it ends."""
    jobs: list[Job] = []
    for draw in draws:
        jobs += [("runs", "2", d, draw) for d in sorted(dimensions, reverse=True)]
        if draw % ONE_MODE_EVERY == 0:
            jobs += [("runs", "1", d, draw) for d in sorted(dimensions, reverse=True) if d > 4]
            jobs.append(("target", ONE_MODE[draw // ONE_MODE_EVERY % len(ONE_MODE)], 0, draw))
        if draw % CLAIM_EVERY == 0:
            jobs += [("claim", "1", d, draw) for d in dimensions]
    return jobs


def done(job: Job) -> list[dict[str, Any]]:
    """The lines of a job; what went wrong is one too."""
    kind, name, dimension, draw = job
    try:
        if kind == "claim":
            rows = claims(dimension, draw, 1000)
        else:
            rows = [run(TARGETS[name]() if kind == "target" else random_mixture(dimension, int(name), draw), draw)]
    except Exception as error:  # the others go on
        rows = [{"error": repr(error)}]
    return [{"job": list(job), **row} for row in rows]


def table(file: Path, jobs: list[Job], processes: int, minutes: float) -> None:
    """Appends the lines of the jobs that ``file`` lacks, each as it ends, for so many minutes."""
    ended = time.monotonic() + 60.0 * minutes
    had = {tuple(row["job"]) for row in read(file)} if file.exists() else set()
    left = [job for job in jobs if job not in had]
    with multiprocessing.get_context("spawn").Pool(processes) as pool, file.open("a") as out:
        coming = pool.imap_unordered(done, left)
        for k in range(len(left)):
            try:
                rows = coming.next(timeout=max(0.0, ended - time.monotonic()))
            except multiprocessing.TimeoutError:
                print(f"{k} of {len(left)} jobs ended within {minutes:g} minutes; run it again for the others", file=sys.stderr)
                break
            out.writelines(json.dumps(row) + "\n" for row in rows)
            out.flush()
        pool.terminate()


def read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    runs = kinds.add_parser("runs")
    runs.add_argument("--dimensions", default="5,6,8")
    runs.add_argument("--modes", type=int, default=2)
    runs.add_argument("--draws", default="0-9", help="first-last")
    said = kinds.add_parser("claim")
    said.add_argument("--dimensions", default="2,4,5,6,8")
    said.add_argument("--modes", type=int, default=1000)
    kinds.add_parser("summary").add_argument("files", nargs="+", type=Path)
    whole = kinds.add_parser("table")
    whole.add_argument("file", type=Path)
    whole.add_argument("--dimensions", default="2,3,4,5,6,8")
    whole.add_argument("--draws", default="900-939", help="first-last")
    whole.add_argument("--processes", type=int, default=2)
    whole.add_argument("--minutes", type=float, default=8.0)
    given = parser.parse_args()
    if given.kind == "summary":
        print(summary([row for file in given.files for row in read(file)]))
        return
    if given.kind == "table":
        first, last = (int(k) for k in given.draws.split("-"))
        jobs = jobs_of([int(k) for k in given.dimensions.split(",")], range(first, last + 1))
        table(given.file, jobs, given.processes, given.minutes)
        print(summary(read(given.file)))
        return
    if given.kind == "claim":
        for d in (int(k) for k in given.dimensions.split(",")):
            for row in claims(d, 0, given.modes):
                print(json.dumps(row), flush=True)
        return
    first, last = (int(k) for k in given.draws.split("-"))
    for draw in range(first, last + 1):
        for d in (int(k) for k in given.dimensions.split(",")):
            print(json.dumps(run(random_mixture(d, given.modes, draw), draw)), flush=True)


if __name__ == "__main__":
    main()
