"""The Bayesian timing model of seed 001 (5.4, E.2.4; D = 5) on a subject of our own: the paper's data are not at hand.

    python tests/benchmarks/timing.py      makes truth_timing5.json: emcee, then importance sampling; a few minutes

An observer measures an interval with Weber noise, takes the mean of its posterior under a normal prior, and reproduces it with
Weber noise; now and then it lapses. Six intervals, 100 responses each, drawn once at ``SUBJECT``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from bayescope.engine.problem.transforms import ParameterSpace
from targets import Target, _histogram_density

Array = NDArray[np.float64]
TRUTH = Path(__file__).parent / "truth_timing5.json"
NAMES = ["sensory", "motor", "prior_mean", "prior_sd", "lapse"]
SUBJECT = (0.09, 0.075, 0.78, 0.15, 0.03)
INTERVALS = np.linspace(0.6, 0.975, 6)  # s
EACH = 100
LONGEST = 2.0  # s: lapses are uniform up to there
LOWER, UPPER = (0.01, 0.01, 0.3, 0.0375, 0.01), (0.5, 0.5, 1.95, 0.75, 0.2)  # a uniform prior between them
PLAUSIBLE = [(0.05, 0.25), (0.05, 0.25), (0.45, 1.2), (0.075, 0.4), (0.02, 0.05)]
_z = np.linspace(-5.0, 5.0, 61)
_w = stats.norm.pdf(_z) / stats.norm.pdf(_z).sum()


def reproduced(measured: Array, sensory: Array, mean: Array, sd: Array) -> Array:
    """What the observer aims at: the mean of its posterior."""
    likelihood, prior = np.square(sensory * measured), np.square(sd)
    return (mean * likelihood + measured * prior) / (likelihood + prior)


def responses(theta: tuple[float, ...], rng: np.random.Generator) -> Array:
    """(6, EACH) reproduced intervals, s."""
    sensory, motor, mean, sd, lapse = (np.float64(t) for t in theta)
    measured = INTERVALS[:, None] * (1.0 + sensory * rng.standard_normal((6, EACH)))
    aim = reproduced(measured, sensory, mean, sd)
    made = aim * (1.0 + motor * rng.standard_normal((6, EACH)))
    return np.where(rng.random((6, EACH)) < lapse, rng.uniform(0.0, LONGEST, (6, EACH)), made)


def log_density_of(data: Array) -> Callable[[Array], Array]:
    """Log joint of points (n, 5) -> (n,)."""
    constant = -float(np.log(np.subtract(UPPER, LOWER)).sum())

    def log_density(theta: Array) -> Array:
        sensory, motor, mean, sd, lapse = np.atleast_2d(theta).T[:, :, None]
        total = np.full(len(sensory), constant)
        for interval, made in zip(INTERVALS, data, strict=True):
            aim = reproduced(interval * (1.0 + sensory * _z), sensory, mean, sd)[:, :, None]
            spread = motor[:, :, None] * np.abs(aim)
            density = np.exp(-0.5 * np.square((made - aim) / spread)) / spread
            probability = np.einsum("g,ngt->nt", _w, density) / np.sqrt(2.0 * np.pi)
            total += np.log((1.0 - lapse) * probability + lapse / LONGEST).sum(1)
        inside = np.all((np.atleast_2d(theta) > LOWER) & (np.atleast_2d(theta) < UPPER), axis=1)
        return np.where(inside, total, -np.inf)

    return log_density


def timing5() -> Target:
    truth = json.loads(TRUTH.read_text())
    density, chart = log_density_of(np.array(truth["data"])), _space().to_inference
    bounds: list[tuple[float | None, float | None]] = list(zip(LOWER, UPPER, strict=True))
    return Target(
        "timing5", lambda x: float(density(np.asarray(x, dtype=float))[0]), PLAUSIBLE, bounds, truth["log_evidence"],
        np.array(truth["mean"]), np.array(truth["covariance"]),
        [(np.array(g), np.array(p)) for g, p in truth["marginals"]], chart,
    )  # fmt: skip


def _space() -> ParameterSpace:
    low, high = map(list, zip(*PLAUSIBLE, strict=True))
    return ParameterSpace.from_bounds(NAMES, list(LOWER), list(UPPER), low, high)


def main() -> None:
    import emcee

    data = responses(SUBJECT, np.random.default_rng(2012))
    density, space = log_density_of(data), _space()

    def log_joint(u: Array) -> Array:
        parts = [np.asarray(density(space.to_user(p)) + space.log_jacobian(p)) for p in np.array_split(u, max(1, len(u) // 32))]
        return np.concatenate(parts)

    rng = np.random.default_rng(0)
    start = space.to_inference(np.array(SUBJECT)) + 0.02 * rng.standard_normal((40, 5))
    sampler = emcee.EnsembleSampler(40, 5, log_joint, vectorize=True)
    sampler.run_mcmc(start, 1500)
    chain = sampler.get_chain(discard=300, flat=True, thin=5)
    law = stats.multivariate_t(chain.mean(0), 1.2 * np.cov(chain.T), 6, seed=1)
    draws = law.rvs(60_000)
    logs = log_joint(draws) - law.logpdf(draws)
    weights = np.exp(logs - special.logsumexp(logs))
    log_z = float(special.logsumexp(logs) - np.log(len(logs)))
    print("log evidence", log_z, "effective share of the draws", 1.0 / (np.square(weights).sum() * len(draws)))
    print("means in inference space: chains", chain.mean(0), "importance", weights @ draws)
    theta = space.to_user(draws)
    mean = weights @ theta
    covariance = ((theta - mean) * weights[:, None]).T @ (theta - mean)
    marginals = []
    for u in draws.T:
        centre = float(weights @ u)
        keep = np.abs(u - centre) < 6.0 * np.sqrt(weights @ np.square(u - centre))
        grid, density_there = _histogram_density(u[keep], weights[keep], 121)
        marginals.append((grid.tolist(), density_there.tolist()))
    found = {
        "log_evidence": log_z, "mean": mean.tolist(), "covariance": covariance.tolist(), "marginals": marginals,
        "data": data.tolist(),
    }  # fmt: skip
    TRUTH.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
