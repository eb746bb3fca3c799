"""Programs with two exact modes, as parts change places, each with local copies: are all of them held by a converged answer?

    python tests/benchmarks/exchanged.py layers 1 2 3 ...       # one JSON line a seed, on stdout

``layers``: bands of a periodic stack of two layers (plane waves; what ``real_two_modes.py`` asks of MPB): exchanging the layers changes nothing.
``tones``: two oscillations that share an amplitude, measured at few times, so that some wrong frequencies fit nearly as well.
``decays``: two decays that share an amplitude, on a slope.
Truth as in ``two_modes_outputs.py``. "Wrong": converged with |dLML| > .1 or the mass of a mode off by more than .05.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from dataclasses import dataclass  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from scipy import optimize, special  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bayescope.engine import infer_outputs  # noqa: E402

Array = NDArray[np.float64]
BUDGET = 140
WAVES = np.linspace(0.1, 0.5, 4)  # wave numbers of the bands, in 2 pi
BANDS, PLANE_WAVES = 4, 10  # ... on each side
STARTS, DRAWS, ROUNDS, DOF, NATS = 300, 40_000, 5, 4.0, 14.0
APART = 0.02  # of the box: nearer ends of least squares are one solution


def layers(x: Array) -> Array:
    """x (k, 3): two indices and the thickness of the first layer -> the lowest BANDS frequencies at every wave (k, 16)."""
    n, m, d = x[:, 0, None, None], x[:, 1, None, None], x[:, 2, None, None]
    order = np.arange(-PLANE_WAVES, PLANE_WAVES + 1)
    apart = order[:, None] - order[None]
    permittivity = (n**2 - m**2) * d * np.sinc(apart * d) + m**2 * np.eye(len(order))  # the first layer is about 0
    inverse = np.linalg.inv(permittivity)
    there = WAVES[:, None] + order
    squared = np.linalg.eigvalsh(there[:, :, None] * inverse[:, None] * there[:, None, :])[..., :BANDS]
    return np.asarray(np.sqrt(np.maximum(squared, 0.0)).reshape(len(x), -1))


@dataclass(frozen=True)
class Case:
    """Uniform priors from ``low`` to ``high``, noise ``sd``; ``run`` (k, D) -> (k, L)."""

    names: tuple[str, ...]
    low: Array
    high: Array
    run: Callable[[Array], Array]
    truth: Array
    data: Array
    sd: float

    def residuals(self, x: Array) -> Array:
        return np.asarray((self.run(np.atleast_2d(x)) - self.data) / self.sd)


def case_of(family: str, seed: int) -> Case:
    rng = np.random.default_rng([seed, 93])
    if family == "layers":
        names, low, high, sd, least = ("n1", "n2", "d1"), [1.0, 1.0, 0.1], [3.5, 3.5, 0.9], 0.004, 0.28
        run = layers
    elif family == "tones":
        names, low, high, least = ("f1", "f2", "share"), [1.0, 1.0, 0.1], [6.0, 6.0, 0.9], 0.2
        t, sd = np.sort(rng.random(int(rng.integers(5, 9)))), float(10.0 ** rng.uniform(-1.3, -0.4))

        def run(x: Array) -> Array:
            return x[:, 2:3] * np.sin(2 * np.pi * x[:, :1] * t) + (1 - x[:, 2:3]) * np.sin(2 * np.pi * x[:, 1:2] * t)
    else:
        names, low, high, least = ("k1", "k2", "share", "slope"), [0.5, 0.5, 0.1, -1.0], [8.0, 8.0, 0.9, 1.0], 0.25
        t, sd = np.linspace(0.0, 1.0, 15), float(10.0 ** rng.uniform(-2.6, -1.6))

        def run(x: Array) -> Array:
            return x[:, 2:3] * np.exp(-x[:, :1] * t) + (1 - x[:, 2:3]) * np.exp(-x[:, 1:2] * t) + x[:, 3:] * t**2

    lower, upper = np.array(low), np.array(high)
    truth = lower
    while abs(truth[0] - truth[1]) < least * (upper[0] - lower[0]):
        truth = lower + rng.uniform(0.15, 0.85, len(low)) * (upper - lower)
    clean = run(truth[None])[0]
    return Case(names, lower, upper, run, truth, clean + sd * rng.standard_normal(len(clean)), sd)


def solutions(case: Case, rng: np.random.Generator) -> list[tuple[Array, Array]]:
    """Ends of least squares (D,) in the unit box that hold anything, with their covariances (D, D), the best first."""
    ends, width = [], case.high - case.low
    for start in rng.random((STARTS, len(width))):
        found = optimize.least_squares(
            lambda u: case.residuals(case.low + u * width)[0], start, bounds=(0.0, 1.0), max_nfev=60
        )
        ends.append((found.cost, found.x, found.jac))
    ends.sort(key=lambda e: e[0])
    kept: list[tuple[Array, Array]] = []
    for cost, u, jac in ends:
        if cost > ends[0][0] + NATS:
            break
        if all(np.abs(u - v).max() > APART for v, _ in kept):
            kept.append((u, np.linalg.inv(jac.T @ jac + 4.0 * np.eye(len(width)))))
    return kept


def log_density(case: Case, u: Array) -> Array:
    """Of places (n, D) in the unit box."""
    inside = ((u >= 0.0) & (u <= 1.0)).all(1)
    found = np.full(len(u), -np.inf)
    r = case.residuals(case.low + u[inside] * (case.high - case.low))
    found[inside] = -0.5 * np.square(r).sum(1) - len(case.data) * np.log(case.sd * np.sqrt(2 * np.pi))
    return found


def truth_of(case: Case, seed: int) -> tuple[float, float, list[float], list[Array]]:
    """Log evidence, its sd, and the mass and centre (in the unit box) of every solution."""
    rng = np.random.default_rng([seed, 94])
    kept = solutions(case, rng)
    middles, covs = [m for m, _ in kept], [1.5 * c for _, c in kept]
    shares, d = np.full(len(kept), 1.0 / len(kept)), len(case.low)
    draws = DRAWS if case.run is not layers else DRAWS // 4
    for _ in range(ROUNDS):
        which = rng.choice(len(shares), draws, p=shares)
        u = np.empty((draws, d))
        for k, (m, c) in enumerate(zip(middles, covs, strict=True)):
            rows = np.flatnonzero(which == k)
            scale = np.sqrt(DOF / rng.chisquare(DOF, len(rows)))[:, None]
            u[rows] = m + scale * (rng.standard_normal((len(rows), d)) @ np.linalg.cholesky(c).T)
        parts = np.stack([np.log(s) + _t(u, m, c) for s, m, c in zip(shares, middles, covs, strict=True)])
        log_q = special.logsumexp(parts, axis=0)
        log_w = log_density(case, u) - log_q
        w = special.softmax(log_w)
        held = np.exp(parts - log_q) * w
        masses = held.sum(1)
        shares = np.maximum(masses, 0.02)
        shares /= shares.sum()
        for k, weights in enumerate(held):
            if weights.sum() > 1e-3:
                weights = weights / weights.sum()
                middles[k] = weights @ u
                covs[k] = (weights[:, None] * (u - middles[k])).T @ (u - middles[k]) + 1e-10 * np.eye(d)
    return float(special.logsumexp(log_w) - np.log(draws)), float(np.sqrt(np.sum(w**2) - 1.0 / draws)), list(masses), middles


def _t(x: Array, m: Array, c: Array) -> Array:
    chol = np.linalg.cholesky(c)
    z = np.square(np.linalg.solve(chol, (x - m).T)).sum(0)
    d = len(m)
    constant = special.gammaln((DOF + d) / 2) - special.gammaln(DOF / 2) - 0.5 * d * np.log(DOF * np.pi)
    return np.asarray(constant - np.log(np.diag(chol)).sum() - 0.5 * (DOF + d) * np.log1p(z / DOF))


def one(family: str, seed: int) -> dict[str, object]:
    case, start = case_of(family, seed), time.process_time()

    def run(v: dict[str, float]) -> Array:
        return np.asarray(case.run(np.array([[v[name] for name in case.names]]))[0])

    priors = dict(zip(case.names, zip(case.low, case.high, strict=True), strict=True))
    r = infer_outputs(run, case.data, noise=case.sd, priors=priors, max_evaluations=BUDGET, seed=seed)
    cpu = time.process_time() - start
    drawn = r.sample(20_000)
    u = (drawn - case.low) / (case.high - case.low)
    log_z, error, masses, centres = truth_of(case, seed)
    near = np.argmin([np.square(u - c).sum(1) for c in centres], axis=0)
    found = [round(float((near == k).mean()), 3) for k in range(len(centres))]
    half, off = float(np.mean(u[:, 0] > u[:, 1])), r.log_evidence - log_z
    return {
        "family": family, "seed": seed, "n": r.n_evaluations, "converged": bool(r.converged), "half": round(half, 3),
        "dlml": round(off, 3), "sd": round(r.log_evidence_sd, 3), "error": round(error, 3),
        "wrong": bool(r.converged) and (abs(half - 0.5) > 0.05 or abs(off) > 0.1), "cpu": round(cpu, 1),
        "true": [round(m, 3) for m in masses if m > 0.005], "found": [f for f, m in zip(found, masses, strict=True) if m > 0.005],
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=["layers", "tones", "decays"])
    parser.add_argument("seeds", type=int, nargs="+")
    given = parser.parse_args()
    for seed in given.seeds:
        print(json.dumps(one(given.family, seed)), flush=True)


if __name__ == "__main__":
    main()
