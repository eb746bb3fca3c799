"""Real programs with two exact modes: are both found, and each with half of the mass?

    python tests/benchmarks/real_two_modes.py --cases stages,stack --seeds 10 --first 1     # one JSON line a run, on stdout

``stages`` (ngspice): two buffered low-pass stages of equal capacitors in a row; exchanging their resistors changes nothing.
``stack`` (mpb, Debian): a periodic stack of two layers; exchanging their indices and thicknesses changes nothing.
Each seed draws true values and noise anew. "Wrong": converged with a mass off by more than .05.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import subprocess  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable, Mapping  # noqa: E402
from dataclasses import dataclass  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from bayescope.engine import infer_outputs  # noqa: E402

Array = NDArray[np.float64]
Values = Mapping[str, float]
BUDGET = 140
STAGES = """two buffered stages
V1 1 0 AC 1
R1 1 2 {r1}
C1 2 0 10n
E1 3 0 2 0 {gain}
R2 3 4 {r2}
C2 4 0 10n
.ac dec 4 100 1meg
.control
run
print vdb(4)
.endc
.end
"""
STACK = """(set! geometry-lattice (make lattice (size 1 no-size no-size)))
(set! geometry (list
  (make block (center (* 0.5 (- {d1} 1)) 0 0) (size {d1} infinity infinity) (material (make dielectric (index {n1}))))
  (make block (center (* 0.5 {d1}) 0 0) (size (- 1 {d1}) infinity infinity) (material (make dielectric (index {n2}))))))
(set! k-points (interpolate 2 (list (vector3 0.1 0 0) (vector3 0.5 0 0))))
(set! resolution 64)
(set! num-bands 4)
(run-tm)
"""


@dataclass(frozen=True)
class Study:
    """``sd``: of the measurements; priors are uniform from ``low`` to ``high``."""

    names: tuple[str, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    sd: float
    run: Callable[[Values], Array]
    apart: Callable[[Array], Array]  # values (n, D) -> (n,), positive in one mode and negative in the other
    least: float  # of |apart| of the true values


def _of_text(command: list[str], deck: str, name: str, begins: str, first: int) -> Array:
    """Numbers from column ``first`` on of the lines of what a program prints that begin so."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).write_text(deck)
        printed = subprocess.run([*command, name], cwd=folder, capture_output=True, text=True, check=False).stdout
    separator = "," if begins == "tmfreqs:" else None
    rows = [line.split(separator) for line in printed.splitlines() if _is_row(line, begins)]
    return np.array([[float(cell) for cell in row[first:]] for row in rows]).ravel()


def _is_row(line: str, begins: str) -> bool:
    first = line.split()[:1]
    return line.startswith(begins) and "band" not in line if begins else bool(first) and first[0].isdigit() and "\t" in line


def stages() -> Study:
    def run(v: Values) -> Array:
        return _of_text(["ngspice", "-b"], STAGES.format(r1=v["r1"] * 1e3, r2=v["r2"] * 1e3, gain=v["gain"]), "stages.cir", "", 2)

    names = "r1", "r2", "gain"
    return Study(names, (0.5, 0.5, 1.0), (20.0, 20.0, 4.0), 0.3, run, lambda x: np.asarray(np.log(x[:, 0] / x[:, 1])), 0.8)


def stack() -> Study:
    def run(v: Values) -> Array:
        return _of_text(["mpb"], STACK.format(**v), "stack.ctl", "tmfreqs:", 6)

    return Study(("n1", "n2", "d1"), (1.0, 1.0, 0.1), (3.5, 3.5, 0.9), 0.004, run, lambda x: x[:, 0] - x[:, 1], 0.7)


CASES = {"stages": stages, "stack": stack}


def one(case: str, seed: int) -> dict[str, object]:
    study, rng = CASES[case](), np.random.default_rng([seed, 91])
    low, high = np.array(study.low), np.array(study.high)
    truth = low
    while abs(study.apart(truth[None])[0]) < study.least:
        truth = low + rng.uniform(0.15, 0.85, len(low)) * (high - low)
    clean = study.run(dict(zip(study.names, truth, strict=True)))
    data = clean + study.sd * rng.standard_normal(len(clean))
    start, priors = time.process_time(), dict(zip(study.names, zip(study.low, study.high, strict=True), strict=True))
    r = infer_outputs(study.run, data, noise=study.sd, priors=priors, max_evaluations=BUDGET, seed=seed)
    drawn = r.sample(20_000)
    mass = float(np.mean(study.apart(drawn) > 0.0))
    return {
        "case": case, "seed": seed, "n": r.n_evaluations, "converged": bool(r.converged), "mass": round(mass, 3),
        "wrong": bool(r.converged) and abs(mass - 0.5) > 0.05, "log_evidence": round(r.log_evidence, 3),
        "sd": round(r.log_evidence_sd, 3), "values": len(clean), "cpu": round(time.process_time() - start, 1),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=10)
    arguments = parser.parse_args()
    for case in arguments.cases.split(","):
        for seed in range(arguments.first, arguments.first + arguments.seeds):
            print(json.dumps(one(case, seed)), flush=True)


if __name__ == "__main__":
    main()
