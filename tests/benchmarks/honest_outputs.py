"""Honesty of answers from learnt outputs: random simulators of twelve kinds, drawn afresh, each with its truth.

    python tests/benchmarks/honest_outputs.py --first 1000 --count 200      # one line each in results/honest_outputs.jsonl
    python tests/benchmarks/honest_outputs.py --table
    python tests/benchmarks/honest_outputs.py --scatter ...  # random programs, results/honest_scatter.jsonl

With --scatter each run adds independent normal noise to all values, of a size drawn from .2 to 1 sds of the measurement; it is
not part of what was measured, and the truth is that of the program's mean.

Truth: annealed particles (20,000), then importance sampling from Student-t kernels about 300 of them; its own error is told.
"Wrong": converged with |dLML| > .1 or MMTV > .05 beyond what sampling gives.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from dataclasses import dataclass  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from scipy import optimize, special  # noqa: E402

from bayescope.engine import infer_outputs  # noqa: E402

Array = NDArray[np.float64]
RESULTS = Path(__file__).resolve().parent / "results"
EXACT, SCATTERED = RESULTS / "honest_outputs.jsonl", RESULTS / "honest_scatter.jsonl"
PARTICLES, KERNELS, DRAWS, DOF = 20_000, 300, 60_000, 5.0
BINS = 40  # of a marginal


@dataclass(frozen=True)
class Kind:
    """``f``: values (m, D), keys (L,) -> outputs (m, L); widest uniform ranges of the parameters; range of the keys."""

    f: Callable[[Array, Array], Array]
    ranges: tuple[tuple[float, float], ...]
    keys: tuple[float, float]


def _steps(rates: Callable[[Array], Array], start: Array, keys: Array, many: int = 12) -> Array:
    """Runge and Kutta's method: states (m, S) at the keys (m, S, L)."""
    found, z, t = [], start, 0.0
    for key in keys:
        h = (key - t) / many
        for _ in range(many):
            a = rates(z)
            b = rates(z + 0.5 * h * a)
            c = rates(z + 0.5 * h * b)
            z = z + h / 6.0 * (a + 2.0 * b + 2.0 * c + rates(z + h * c))
        found.append(z)
        t = key
    return np.stack(found, axis=2)


def _infection(v: Array, t: Array) -> Array:
    def rates(z: Array) -> Array:
        new, gone = v[:, 0] * z[:, 0] * z[:, 1], v[:, 1] * z[:, 1]
        return np.stack([-new, new - gone], axis=1)

    return _steps(rates, np.stack([1.0 - v[:, 2], v[:, 2]], axis=1), t)[:, 1]


def _relaxation(v: Array, t: Array) -> Array:
    def rates(z: Array) -> Array:
        return np.stack([z[:, 1], v[:, 0] * (1.0 - z[:, 0] ** 2) * z[:, 1] - v[:, 1] * z[:, 0]], axis=1)

    return _steps(rates, np.tile([1.5, 0.0], (len(v), 1)), t)[:, 0]


def _drug(v: Array, t: Array) -> Array:
    rise, fall, volume = v[:, :1], v[:, 1:2], v[:, 2:3]
    rise = np.where(np.abs(rise - fall) < 1e-6, fall + 1e-6, rise)
    return rise / (volume * (rise - fall)) * (np.exp(-fall * t) - np.exp(-rise * t))


def _beam(v: Array, x: Array) -> Array:
    """Of unit length on an elastic clamp, a load at v1 of it: stiffness v0, spring v2."""
    a, rigid, spring = v[:, 1:2], v[:, :1], v[:, 2:3]
    bent = np.where(x < a, x**2 * (3.0 * a - x) / 6.0, a**2 * (3.0 * x - a) / 6.0)
    return bent / rigid + a * x / spring


KINDS: dict[str, Kind] = {
    "decay": Kind(lambda v, t: v[:, :1] * np.exp(-v[:, 1:2] * t) + v[:, 2:3], ((0.5, 5.0), (0.1, 3.0), (-0.5, 1.5)), (0.0, 4.0)),
    "growth": Kind(
        lambda v, t: v[:, :1] / (1.0 + (v[:, :1] / v[:, 2:3] - 1.0) * np.exp(-v[:, 1:2] * t)),
        ((1.0, 6.0), (0.2, 3.0), (0.05, 0.9)), (0.0, 5.0),
    ),
    "oscillation": Kind(
        lambda v, t: v[:, :1] * np.exp(-v[:, 2:3] * t) * np.cos(v[:, 1:2] * t), ((0.5, 3.0), (0.6, 2.2), (0.05, 1.0)), (0.0, 5.0)
    ),
    "enzyme": Kind(
        lambda v, s: v[:, :1] * s / (v[:, 1:2] + s + s**2 / v[:, 2:3]), ((0.5, 5.0), (0.1, 4.0), (2.0, 20.0)), (0.1, 8.0)
    ),
    "peak": Kind(
        lambda v, x: v[:, :1] * np.exp(-0.5 * ((x - v[:, 1:2]) / v[:, 2:3]) ** 2) + v[:, 3:4],
        ((0.5, 4.0), (-1.5, 1.5), (0.3, 1.5), (-0.5, 1.0)), (-3.0, 3.0),
    ),
    "infection": Kind(_infection, ((0.8, 3.0), (0.1, 0.7), (0.002, 0.05)), (0.5, 12.0)),
    "relaxation": Kind(_relaxation, ((0.1, 2.0), (0.5, 2.0)), (0.2, 5.0)),
    "drug": Kind(_drug, ((0.5, 4.0), (0.05, 0.5), (0.5, 5.0)), (0.1, 10.0)),
    "beam": Kind(_beam, ((0.2, 3.0), (0.3, 1.0), (0.5, 10.0)), (0.05, 1.0)),
    "sorption": Kind(
        lambda v, c: v[:, :1] * v[:, 1:2] * c / (1.0 + v[:, 1:2] * c) + v[:, 2:3] * np.sqrt(c),
        ((0.5, 5.0), (0.1, 5.0), (0.0, 1.0)), (0.05, 6.0),
    ),
    "cooling": Kind(
        lambda v, t: sum(  # type: ignore[arg-type, return-value]
            2.0 / k * (-1.0) ** n * v[:, 1:2] * np.exp(-(k**2) * v[:, :1] * t) for n, k in enumerate(np.pi * (np.arange(8) + 0.5))
        ),
        ((0.05, 1.0), (0.5, 3.0)), (0.05, 2.0),
    ),
    "two_decays": Kind(
        lambda v, t: v[:, :1] * np.exp(-v[:, 1:2] * t) + v[:, 2:3] * np.exp(-v[:, 3:4] * t),
        ((0.3, 3.0), (0.05, 0.6), (0.3, 3.0), (0.8, 4.0)), (0.0, 5.0),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Drawn:
    """A simulator with data made from it: uniform priors ``box`` (D, 2), noise ``sd``."""

    name: str
    kind: Kind
    box: Array
    keys: Array
    data: Array
    sd: float

    @classmethod
    def of(cls, seed: int) -> Drawn:
        rng = np.random.default_rng([seed, 71])
        name = sorted(KINDS)[int(rng.integers(len(KINDS)))]
        kind = KINDS[name]
        widest = np.array(kind.ranges)
        size = np.diff(widest, axis=1)[:, 0]
        width = size * rng.uniform(0.5, 1.0, len(size))
        low = widest[:, 0] + (size - width) * rng.random(len(size))
        box = np.stack([low, low + width], axis=1)
        keys = np.linspace(*kind.keys, int(rng.integers(6, 41)))
        truth = low + width * rng.uniform(0.15, 0.85, len(size))
        clean = kind.f(truth[None], keys)[0]
        sd = float(10 ** rng.uniform(-2.3, -0.7) * max(np.ptp(clean), 1e-3))
        return cls(name, kind, box, keys, clean + sd * rng.standard_normal(len(keys)), sd)

    def log_likelihood(self, v: Array) -> Array:
        """Values (m, D) -> (m,); -inf outside of the box."""
        inside = ((v >= self.box[:, 0]) & (v <= self.box[:, 1])).all(1)
        found = np.full(len(v), -np.inf)
        z = (self.kind.f(v[inside], self.keys) - self.data) / self.sd
        found[inside] = -0.5 * (z**2).sum(1) - len(self.keys) * np.log(self.sd * np.sqrt(2.0 * np.pi))
        return found


@dataclass(frozen=True)
class Truth:
    log_evidence: float
    error: float
    points: Array  # (n, D)
    weights: Array  # (n,)


def _next_power(y: Array, power: float) -> float:
    """The greatest at which half of the particles with log-likelihood y (n,) still count."""

    def effective(higher: float) -> float:
        return 1.0 / float(np.sum(special.softmax((higher - power) * y) ** 2))

    if effective(1.0) > 0.5 * len(y):
        return 1.0
    return float(optimize.brentq(lambda t: effective(t) - 0.5 * len(y), power, 1.0, xtol=1e-12))


def particles(case: Drawn, rng: np.random.Generator) -> Array:
    """Of the posterior (n, D): tempered from the prior (Del Moral, Doucet and Jasra 2006), moved along differences of pairs."""
    width = np.diff(case.box, axis=1)[:, 0]
    v = case.box[:, 0] + width * rng.random((PARTICLES, len(width)))
    y, power = case.log_likelihood(v), 0.0
    while power < 1.0:
        before, power = power, _next_power(y, power)
        rows = rng.choice(PARTICLES, PARTICLES, p=special.softmax((power - before) * y))
        v, y = v[rows], y[rows]
        for step in (1.0, 0.3, 0.1, 0.5, 0.2):
            one, two = rng.integers(PARTICLES, size=(2, PARTICLES))
            to = v + step * (v[one] - v[two]) + 1e-4 * step * width * rng.standard_normal(v.shape)
            there = case.log_likelihood(to)
            taken = np.log(rng.random(PARTICLES)) < power * (there - y)
            v[taken], y[taken] = to[taken], there[taken]
    return v


def truth_of(case: Drawn, seed: int) -> Truth:
    rng = np.random.default_rng([seed, 72])
    v = particles(case, rng)
    d = v.shape[1]
    middles = v[rng.choice(len(v), KERNELS, replace=False)]
    root = np.linalg.cholesky(np.cov(v.T).reshape(d, d) * 0.3 + 1e-12 * np.diag(np.diff(case.box, axis=1)[:, 0] ** 2))
    which = rng.integers(KERNELS, size=DRAWS)
    away = rng.standard_normal((DRAWS, d)) / np.sqrt(rng.chisquare(DOF, DRAWS) / DOF)[:, None]
    x = middles[which] + away @ root.T
    log_q = np.empty(DRAWS)
    white, centres = np.linalg.solve(root, x.T).T, np.linalg.solve(root, middles.T).T
    for part in np.array_split(np.arange(DRAWS), 60):
        squared = ((white[part, None, :] - centres[None]) ** 2).sum(2)
        log_q[part] = special.logsumexp(-0.5 * (DOF + d) * np.log1p(squared / DOF), axis=1)
    log_q += (
        special.gammaln(0.5 * (DOF + d)) - special.gammaln(0.5 * DOF) - 0.5 * d * np.log(DOF * np.pi)
        - np.log(np.diag(root)).sum() - np.log(KERNELS)
    )  # fmt: skip
    log_w = case.log_likelihood(x) - np.log(np.diff(case.box, axis=1)).sum() - log_q
    w = special.softmax(log_w)
    return Truth(
        float(special.logsumexp(log_w) - np.log(DRAWS)), float(np.sqrt(np.sum(w**2) - 1.0 / DRAWS)), x[w > 0], w[w > 0]
    )


def distance(truth: Truth, samples: Array) -> float:
    """Mean total variation of the marginals, by histograms, less what sampling alone would give."""
    total = []
    for k in range(samples.shape[1]):
        low, high = np.quantile(samples[:, k], [0.001, 0.999])
        edges = np.concatenate([[-np.inf], np.linspace(low, high, BINS - 1), [np.inf]])
        p = np.histogram(truth.points[:, k], edges, weights=truth.weights)[0]
        q = np.histogram(samples[:, k], edges)[0] / len(samples)
        effective = 1.0 / (1.0 / len(samples) + np.sum(truth.weights**2))
        chance = 0.5 * np.sum(np.sqrt(2.0 / np.pi * q * (1.0 - q) / effective))
        total.append(max(0.5 * np.abs(p - q).sum() - chance, 0.0))
    return float(np.mean(total))


def one(seed: int, scatters: bool) -> dict[str, object]:
    case = Drawn.of(seed)
    truth = truth_of(case, seed)
    names = [f"p{k}" for k in range(len(case.box))]
    rng = np.random.default_rng([seed, 73])
    scatter = case.sd * 10 ** rng.uniform(-0.7, 0.0) if scatters else 0.0

    def simulate(values: dict[str, float]) -> Array:
        mean = case.kind.f(np.array([[values[n] for n in names]]), case.keys)[0]
        return mean + scatter * rng.standard_normal(len(mean))

    priors = dict(zip(names, ((float(a), float(b)) for a, b in case.box), strict=True))
    start = time.process_time()
    r = infer_outputs(simulate, case.data, noise=case.sd, priors=priors, max_evaluations=140, seed=seed, random=scatters)
    cpu = time.process_time() - start
    return {
        "seed": seed, "kind": case.name, "d": len(names), "values": len(case.keys), "scatter": scatter / case.sd,
        "n": r.n_evaluations, "converged": bool(r.converged), "dlml": r.log_evidence - truth.log_evidence,
        "sd": r.log_evidence_sd, "truth_error": truth.error, "mmtv": distance(truth, r.sample(40_000)),
        "cpu_ms": 1000.0 * cpu / r.n_evaluations,
    }  # fmt: skip


def table(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    done = [r for r in rows if r["converged"]]
    wrong = [r for r in done if abs(r["dlml"]) > 0.1 + 2.0 * r["truth_error"] or r["mmtv"] > 0.05]
    z = np.array([r["dlml"] / np.hypot(r["sd"], r["truth_error"]) for r in done])
    print(f"{len(rows)} runs, {len(done)} converged, wrong {len(wrong)}: {[(r['kind'], r['seed']) for r in wrong]}")
    print("within 1, 2, 3 sd: " + ", ".join(f"{np.mean(np.abs(z) < k):.3f}" for k in (1, 2, 3)))
    for name in sorted(KINDS):
        mine = [r for r in rows if r["kind"] == name]
        if mine:
            n, off, m = (np.median([abs(r[k]) for r in mine]) for k in ("n", "dlml", "mmtv"))
            told = sum(r["converged"] for r in mine)
            print(f"{name:<12} {told}/{len(mine)} converged, runs {n:.0f}, |dLML| {off:.3f}, MMTV {m:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--scatter", action="store_true")
    arguments = parser.parse_args()
    path = SCATTERED if arguments.scatter else EXACT
    if arguments.table:
        table(path)
        return
    for seed in range(arguments.first, arguments.first + arguments.count):
        found = one(seed, arguments.scatter)
        with path.open("a") as file:
            file.write(json.dumps(found) + "\n")
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
