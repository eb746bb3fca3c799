"""Every noise model with learnt outputs against a dense grid: two curves drawn afresh for each seed, data of the model itself.

    python tests/benchmarks/families.py --first 1 --count 2       # one JSON line for each model and seed

The grid computes the likelihoods by scipy alone, over all parameters, the noise's too. "Wrong": converged with |dLML| > .1 or a
marginal more than .05 off in total variation beyond what sampling gives.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse  # noqa: E402
import json  # noqa: E402
from collections.abc import Callable  # noqa: E402
from dataclasses import dataclass  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from scipy import interpolate, special, stats  # noqa: E402

from bayescope.engine import infer_outputs  # noqa: E402
from bayescope.engine.problem import definition as d  # noqa: E402

Array = NDArray[np.float64]
KEYS = np.linspace(0.3, 6.0, 18)
COARSE, FINE, NEGLIGIBLE = (90, 45), (140, 70), 16.0  # points an axis with up to two and with more parameters; nats
BINS, SAMPLES = 25, 40_000


def growth(a: Array, k: Array) -> Array:
    return a[:, None] / (1.0 + (a[:, None] / 2.0 - 1.0) * np.exp(-k[:, None] * KEYS))


def hump(a: Array, k: Array) -> Array:
    return a[:, None] * KEYS * np.exp(-k[:, None] * KEYS) + 0.5


PROGRAMS: tuple[tuple[Callable[[Array, Array], Array], tuple[float, float], tuple[float, float]], ...] = (
    (growth, (5.0, 40.0), (0.2, 2.5)),
    (hump, (5.0, 60.0), (0.2, 1.5)),
)


@dataclass(frozen=True)
class Family:
    """``noise``: as declared; ``own``: ranges and true values of its parameters; ``draw`` (mean (L,), own, rng) -> data (L,);
    ``log_density`` (means (m, L), data (L,), own (m, P)) -> (m,)."""

    noise: Any
    own: dict[str, tuple[float, float, float]]
    draw: Callable[[Array, list[float], np.random.Generator], Array]
    log_density: Callable[[Array, Array, Array], Array]


def _ar1(f: Array, y: Array, own: Array) -> Array:
    sd, rho = own[:, :1], own[:, 1:2]
    r = y - f
    first = stats.norm.logpdf(r[:, 0], 0.0, sd[:, 0])
    return np.asarray(first + stats.norm.logpdf(r[:, 1:], rho * r[:, :-1], sd * np.sqrt(1.0 - rho**2)).sum(1))


def _ar1_draw(f: Array, own: list[float], rng: np.random.Generator) -> Array:
    r = [own[0] * rng.standard_normal()]
    for _ in f[1:]:
        r.append(own[1] * r[-1] + own[0] * np.sqrt(1.0 - own[1] ** 2) * rng.standard_normal())
    return f + np.array(r)


COVARIANCE = 0.8**2 * np.exp(-np.abs(KEYS[:, None] - KEYS) / 1.5) + 0.2**2 * np.eye(len(KEYS))

FAMILIES: dict[str, Family] = {
    "student_t": Family(
        d.StudentTNoise(dof=4.0, parameter="s"), {"s": (0.1, 3.0, 0.7)},
        lambda f, own, rng: f + own[0] * rng.standard_t(4.0, len(f)),
        lambda f, y, own: stats.t.logpdf(y, 4.0, f, own[:, :1]).sum(1),
    ),
    "poisson": Family(
        d.PoissonNoise(), {}, lambda f, own, rng: rng.poisson(f).astype(float),
        lambda f, y, own: stats.poisson.logpmf(y, f).sum(1),
    ),
    "negative_binomial": Family(
        d.NegativeBinomialNoise(parameter="s"), {"s": (1.0, 30.0, 6.0)},
        lambda f, own, rng: rng.negative_binomial(own[0], own[0] / (own[0] + f)).astype(float),
        lambda f, y, own: stats.nbinom.logpmf(y, own[:, :1], own[:, :1] / (own[:, :1] + f)).sum(1),
    ),
    "ar1": Family(d.Ar1Noise(sd="s", rho="r"), {"s": (0.1, 3.0, 0.8), "r": (-0.5, 0.95, 0.6)}, _ar1_draw, _ar1),
    "log_normal": Family(
        d.LogNormalNoise(parameter="s"), {"s": (0.02, 0.6, 0.12)},
        lambda f, own, rng: f * np.exp(own[0] * rng.standard_normal(len(f))),
        lambda f, y, own: stats.lognorm.logpdf(y, own[:, :1], scale=f).sum(1),
    ),
    "covariance": Family(
        d.CovarianceNoise(matrix=tuple(tuple(float(v) for v in row) for row in COVARIANCE)), {},
        lambda f, own, rng: rng.multivariate_normal(f, COVARIANCE),
        lambda f, y, own: stats.multivariate_normal(np.zeros(len(y)), COVARIANCE).logpdf(y - f),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    program: Callable[[Array, Array], Array]
    family: Family
    data: Array
    box: Array  # (D, 2)
    names: tuple[str, ...]

    @classmethod
    def of(cls, name: str, seed: int) -> Case:
        rng = np.random.default_rng([seed, sorted(FAMILIES).index(name), 19])
        program, *ranges = PROGRAMS[int(rng.integers(len(PROGRAMS)))]
        family = FAMILIES[name]
        a, k = (low + (high - low) * rng.uniform(0.2, 0.7) for low, high in ranges)
        data = family.draw(program(np.array([a]), np.array([k]))[0], [v for _, _, v in family.own.values()], rng)
        box = np.array([*ranges, *(v[:2] for v in family.own.values())])
        return cls(program, family, data, box, ("a", "k", *family.own))

    def log_likelihood(self, v: Array) -> Array:
        found = [self.family.log_density(self.program(p[:, 0], p[:, 1]), self.data, p[:, 2:]) for p in np.array_split(v, 200)]
        return np.concatenate(found)

    def truth(self) -> tuple[float, list[tuple[Array, Array]]]:
        """Log evidence, and of each parameter the middles of the grid's cells and their probabilities."""
        dimension, box = len(self.box), self.box
        for counts in (COARSE, FINE):
            n = counts[dimension > 2] if dimension < 4 else counts[1] // 2
            axes = [low + (high - low) * (np.arange(n) + 0.5) / n for low, high in box]
            y = self.log_likelihood(np.stack([g.ravel() for g in np.meshgrid(*axes, indexing="ij")], 1)).reshape((n,) * dimension)
            share = np.prod(np.diff(box, axis=1) / np.diff(self.box, axis=1))
            log_z = float(special.logsumexp(y) - np.log(y.size) + np.log(share))
            inside = np.argwhere(y > y.max() - NEGLIGIBLE)
            width = np.diff(box, axis=1)[:, 0] / n
            marginals = [np.exp(y - special.logsumexp(y)).sum(tuple(set(range(dimension)) - {k})) for k in range(dimension)]
            edges = np.stack([box[:, 0] + width * (inside.min(0) - 1), box[:, 0] + width * (inside.max(0) + 2)], 1)
            box = np.stack([np.maximum(edges[:, 0], self.box[:, 0]), np.minimum(edges[:, 1], self.box[:, 1])], 1)
        return log_z, list(zip(axes, marginals, strict=True))


def distance(middles: Array, p: Array, x: Array) -> float:
    """Total variation between probabilities p (n,) of cells and a sample x, less what sampling alone gives."""
    at = np.quantile(x, np.linspace(0.0, 1.0, BINS + 1)[1:-1])
    width = middles[1] - middles[0]
    edges, cumulative = np.append(middles[0] - width / 2, middles + width / 2), np.append(0.0, np.cumsum(p))
    inside = np.clip(at, edges[0], edges[-1])
    true = np.diff(np.concatenate([[0.0], interpolate.PchipInterpolator(edges, cumulative)(inside), [1.0]]))
    chance = 0.5 * BINS * np.sqrt(2.0 / np.pi / BINS / len(x))
    return float(max(0.5 * np.abs(true - 1.0 / BINS).sum() - chance, 0.0))


def one(name: str, seed: int, budget: int = 140) -> dict[str, Any]:
    case = Case.of(name, seed)
    log_z, marginals = case.truth()

    def simulate(v: dict[str, float]) -> Array:
        return case.program(np.array([v["a"]]), np.array([v["k"]]))[0]

    priors = {n: (float(low), float(high)) for n, (low, high) in zip(case.names, case.box, strict=True)}
    r = infer_outputs(simulate, case.data, noise=case.family.noise, priors=priors, max_evaluations=budget, seed=seed)
    sample = np.asarray(r.sample(SAMPLES))
    off = [distance(*m, sample[:, k]) for k, m in enumerate(marginals)]
    return {
        "family": name, "seed": seed, "program": case.program.__name__, "n": r.n_evaluations, "converged": bool(r.converged),
        "dlml": r.log_evidence - log_z, "sd": r.log_evidence_sd, "worst_marginal": max(off),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    arguments = parser.parse_args()
    for seed in range(arguments.first, arguments.first + arguments.count):
        for name in arguments.families.split(","):
            print(json.dumps(one(name, seed)), flush=True)


if __name__ == "__main__":
    main()
