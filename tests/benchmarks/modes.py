"""Second modes: how often one is missed, and whether what is said of unseen ones is true.

    python tests/benchmarks/modes.py runs --dimensions 5,6,8 --modes 2 --draws 0-9    # one JSON line a run, on stdout
    python tests/benchmarks/modes.py summary FILE...
    python tests/benchmarks/modes.py claim --modes 1000

Targets are random mixtures of normals, rotated, with sds of .04 to .14 of the side of the plausible box and weights of .1 to .9;
draw k in D dimensions is always the same one. A converged answer is wrong if |dLML| > .1 or MMTV > .05.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
from scipy import stats  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))

from inference import CountedTarget, default_budget, quality  # noqa: E402

from targets import Target, gaussian_mixture  # noqa: E402

SDS = 0.04, 0.14  # of the side of the box
LIGHTEST = 0.1
MIDDLE = 0.15, 0.85  # of the box: where the modes lie


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
    found = infer(counted, plausible=target.plausible, max_evaluations=default_budget(target.dimension), seed=seed)
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
    """Per kind of target: runs, converged, of these wrong; right but not confirmed; median evaluations at the stop."""
    lines = ["| targets | runs | converged | wrong | right, unconfirmed | median n at stop |", "|---|---|---|---|---|---|"]
    for kind in sorted({row["target"].rsplit(" ", 1)[0] for row in rows}):
        of = [row for row in rows if row["target"].rsplit(" ", 1)[0] == kind]
        sure = [row for row in of if row["converged"]]
        wrong, late = sum(not row["right"] for row in sure), sum(row["right"] and not row["converged"] for row in of)
        middle = f"{np.median([row['n'] for row in sure]):.0f}" if sure else ""
        lines.append(f"| {kind} | {len(of)} | {len(sure)} | {wrong} | {late} | {middle} |")
    return "\n".join(lines)


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
    given = parser.parse_args()
    if given.kind == "summary":
        print(summary([json.loads(line) for file in given.files for line in file.read_text().splitlines()]))
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
