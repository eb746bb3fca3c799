"""Programs with two solutions whose outputs are learnt: which modes are found, and with which mass.

    python tests/benchmarks/two_modes_outputs.py 60000 60001 ...       # one line each in results/two_modes_outputs.jsonl
    python tests/benchmarks/two_modes_outputs.py --table

The number of parameters is 2 + seed // 4 % 4, the family seed % 4. Truth: least squares from many starts on the program, then
importance sampling from Student-t kernels at all solutions, adapted to it; its own error is told.
"Wrong": converged with |dLML| > .1 or a mass of a mode off by more than .05.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import time  # noqa: E402
from dataclasses import dataclass  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Protocol  # noqa: E402

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from scipy import optimize, special  # noqa: E402

from bayescope.engine import infer_outputs  # noqa: E402

Array = NDArray[np.float64]
RESULTS = Path(__file__).resolve().parent / "results" / "two_modes_outputs.jsonl"
FAMILIES = ("decays", "product", "resonances", "turning")
STARTS, DRAWS, ROUNDS, DOF = 300, 40_000, 4, 4.0
NATS = 14.0  # below the best: solutions beyond hold nothing
APART = 0.02  # of the box: nearer ends of least squares are one solution


def _background(x: Array, t: Array) -> Array:
    """What the parameters past the second add: x (m, E) in [0, 1], t (L,) in [0, 1] -> (m, L)."""
    found = np.zeros((len(x), len(t)))
    for k in range(x.shape[1]):
        found += 0.5 * (x[:, k : k + 1] ** 2 + x[:, k : k + 1]) * np.cos((2.0 * k + 1.0) * np.pi * t + x[:, k : k + 1])
    return found


def program(family: str, x: Array, t: Array, tilt: float) -> Array:
    """x (m, D) in [0, 1] -> (m, L); ``tilt``: by how much the two solutions differ."""
    a, b, rest = x[:, :1], x[:, 1:2], _background(x[:, 2:], t)
    if family == "decays":
        return np.exp(-(0.3 + 6.0 * a) * t) + (1.0 + tilt) * np.exp(-(0.3 + 6.0 * b) * t) + rest
    if family == "product":
        return (a * b) * (1.0 + 2.0 * t) + (a + (1.0 + tilt) * b) * np.sin(3.0 * t) + rest
    if family == "resonances":
        one, two = (1.0 / (1.0 + ((t - 0.1 - 0.8 * c) / 0.12) ** 2) for c in (a, b))
        return one + (1.0 + tilt) * two + rest
    angle = 2.0 * np.pi * (a - 0.5)
    return (0.4 + b) * np.cos(angle) * (1.0 + t) + tilt * (0.4 + b) * np.sin(angle) * t + (0.4 + b) * t**2 + rest


@dataclass(frozen=True)
class Drawn:
    """Uniform priors on the unit box, noise ``sd``."""

    family: str
    d: int
    keys: Array
    data: Array
    sd: float
    tilt: float

    @classmethod
    def of(cls, seed: int) -> Drawn:
        rng = np.random.default_rng([seed, 81])
        family, d = FAMILIES[seed % 4], 2 + seed // 4 % 4
        keys = np.linspace(0.0, 1.0, int(rng.integers(10, 31)))
        truth = rng.uniform(0.15, 0.85, d)
        if abs(truth[0] - truth[1]) < 0.25:
            truth[1] = truth[0] + 0.35 if truth[0] < 0.5 else truth[0] - 0.35
        sd = float(10.0 ** rng.uniform(-2.6, -1.1))
        tilt = float(sd * rng.uniform(0.0, 6.0))
        clean = program(family, truth[None], keys, tilt)[0]
        return cls(family, d, keys, clean + sd * rng.standard_normal(len(keys)), sd, tilt)

    def residuals(self, x: Array) -> Array:
        return np.asarray((program(self.family, np.atleast_2d(x), self.keys, self.tilt) - self.data) / self.sd)

    def log_density(self, x: Array) -> Array:
        inside = ((x >= 0.0) & (x <= 1.0)).all(1)
        found = np.full(len(x), -np.inf)
        found[inside] = -0.5 * np.square(self.residuals(x[inside])).sum(1) - len(self.keys) * np.log(self.sd * np.sqrt(2 * np.pi))
        return found


class Case(Protocol):
    """Uniform priors on the unit box of ``d`` parameters."""

    @property
    def family(self) -> str: ...

    @property
    def d(self) -> int: ...

    def residuals(self, x: Array) -> Array: ...

    def log_density(self, x: Array) -> Array: ...


def solutions(case: Case, rng: np.random.Generator) -> list[tuple[Array, Array]]:
    """Ends of least squares (D,) that hold anything, with their covariances (D, D), the best first."""
    ends = []
    for start in rng.random((STARTS, case.d)):
        found = optimize.least_squares(lambda x: case.residuals(x)[0], start, bounds=(0.0, 1.0), max_nfev=60)
        ends.append((found.cost, found.x, found.jac))
    ends.sort(key=lambda e: e[0])
    kept: list[tuple[Array, Array]] = []
    for cost, x, jac in ends:
        if cost > ends[0][0] + NATS:
            break
        if all(np.abs(x - y).max() > APART for y, _ in kept):
            kept.append((x, np.linalg.inv(jac.T @ jac + 4.0 * np.eye(case.d))))
    return kept


@dataclass(frozen=True)
class Truth:
    log_evidence: float
    error: float
    second: float  # mass of where the second of the first two parameters is the larger, or of the turned angle
    modes: int


def side(family: str, x: Array) -> NDArray[np.bool_]:
    return np.asarray(x[:, 0] > 0.5 if family == "turning" else x[:, 1] > x[:, 0])


def truth_of(case: Case, seed: int, draws: int = DRAWS) -> Truth:
    rng = np.random.default_rng([seed, 82])
    kept = solutions(case, rng)
    middles, covs = [m for m, _ in kept], [1.5 * c for _, c in kept]
    shares = np.full(len(kept), 1.0 / len(kept))
    for _ in range(ROUNDS):
        which = rng.choice(len(shares), draws, p=shares)
        x = np.empty((draws, case.d))
        for k, (m, c) in enumerate(zip(middles, covs, strict=True)):
            rows = np.flatnonzero(which == k)
            scale = np.sqrt(DOF / rng.chisquare(DOF, len(rows)))[:, None]
            x[rows] = m + scale * (rng.standard_normal((len(rows), case.d)) @ np.linalg.cholesky(c).T)
        parts = np.stack([np.log(s) + _t(x, m, c) for s, m, c in zip(shares, middles, covs, strict=True)])
        log_q = special.logsumexp(parts, axis=0)
        log_w = case.log_density(x) - log_q
        w = special.softmax(log_w)
        held = np.exp(parts - log_q) * w
        shares = np.maximum(held.sum(1), 0.02)
        shares /= shares.sum()
        for k, weights in enumerate(held):
            if weights.sum() > 1e-3:
                weights = weights / weights.sum()
                middles[k] = weights @ x
                covs[k] = (weights[:, None] * (x - middles[k])).T @ (x - middles[k]) + 1e-10 * np.eye(case.d)
    return Truth(
        float(special.logsumexp(log_w) - np.log(draws)), float(np.sqrt(np.sum(w**2) - 1.0 / draws)),
        float(w @ side(case.family, x)), len(kept),
    )  # fmt: skip


def _t(x: Array, mean: Array, cov: Array) -> Array:
    d, root = len(mean), np.linalg.cholesky(cov)
    squared = np.square(np.linalg.solve(root, (x - mean).T)).sum(0)
    return np.asarray(
        special.gammaln(0.5 * (DOF + d)) - special.gammaln(0.5 * DOF) - 0.5 * d * np.log(DOF * np.pi)
        - np.log(np.diag(root)).sum() - 0.5 * (DOF + d) * np.log1p(squared / DOF)
    )  # fmt: skip


def one(seed: int, budget: int = 140) -> dict[str, object]:
    case = Drawn.of(seed)
    truth = truth_of(case, seed)
    names = [f"p{k}" for k in range(case.d)]

    def simulate(values: dict[str, float]) -> Array:
        return np.asarray(program(case.family, np.array([[values[n] for n in names]]), case.keys, case.tilt)[0])

    start = time.process_time()
    priors = dict.fromkeys(names, (0.0, 1.0))
    r = infer_outputs(simulate, case.data, noise=case.sd, priors=priors, max_evaluations=budget, seed=seed)
    cpu = time.process_time() - start
    second = float(np.mean(side(case.family, r.sample(20_000))))
    return {
        "seed": seed, "family": case.family, "d": case.d, "n": r.n_evaluations, "converged": bool(r.converged),
        "dlml": round(r.log_evidence - truth.log_evidence, 4), "sd": round(r.log_evidence_sd, 4),
        "truth_error": round(truth.error, 4), "mass": round(second, 3), "true_mass": round(truth.second, 3),
        "modes": truth.modes, "cpu": round(cpu, 1),
    }  # fmt: skip


def is_wrong(row: dict[str, object]) -> bool:
    off, mass = abs(float(row["dlml"])), abs(float(row["mass"]) - float(row["true_mass"]))  # type: ignore[arg-type]
    return bool(row["converged"]) and (off > 0.1 or mass > 0.05)


def table() -> None:
    rows = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    for d in sorted({r["d"] for r in rows}):
        mine = [r for r in rows if r["d"] == d]
        wrong = [(r["family"], r["seed"]) for r in mine if is_wrong(r)]
        told, n = sum(r["converged"] for r in mine), np.median([r["n"] for r in mine])
        print(f"D = {d}: {told} of {len(mine)} converged, runs {n:.0f}, wrong {len(wrong)} {wrong}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seeds", type=int, nargs="*")
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    for seed in arguments.seeds:
        found = one(seed)
        with RESULTS.open("a") as file:
            file.write(json.dumps(found) + "\n")
        print(json.dumps(found), flush=True)
    if arguments.table:
        table()


if __name__ == "__main__":
    main()
